//! Clients of MCP 2025-06-18 and 2025-11-25 in a session: what `initialize` settles, and calls in which the client
//! is asked by requests of the server's. The tool waits in this process meanwhile, and goes on in place: no token,
//! unless the client may take the request up elsewhere (resume tokens, resumable requests).
//!
//! Who carries the messages is the transport's business; it is a [`Peer`] here.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::json_rpc::{Message, Request};
use super::name::Dialect;
use super::push::{self, Pushed, Revision};
use super::{Fault, Object, Reply, discovery, mrtr, older, resumable, resume_token};
use crate::frame::Asked;
use crate::host::{Arguments, Call, Outcome, Ran, Registered, Resuming};
use crate::progress::Reporter;
use crate::result::ToolResult;
use crate::saga::{Client, Principal};
use crate::sagas::{RequestFacts, Sagas};
use crate::step::Answer;

/// The name of the dialect, in the log: its calls have no tokens.
const DIALECT: &str = "push";

pub(crate) use super::older::INITIALIZE;

/// What a client settled in `initialize`.
#[derive(Debug, Clone)]
pub(crate) struct Session {
    revision: Revision,
    client: Client,
    /// Whether it takes requests up again.
    resumes: bool,
}

/// The client's end of a session.
pub(crate) trait Peer: Sync {
    /// Sends a request at once, and then waits for the response: its result or its error. `None` if the client is
    /// gone or did not answer within these seconds. Dropped, it cancels the request.
    fn ask(
        &self,
        method: &'static str,
        params: Object,
        within: u32,
    ) -> impl Future<Output = Option<Result<Value, Value>>> + Send;

    /// Sends a notification.
    fn notify(&self, method: &'static str, params: Object);
}

impl Session {
    /// Opens a session by the params of `initialize`; with the result that tells the client so.
    pub(crate) fn open(sagas: &Sagas, params: &Object) -> Result<(Self, Object), Fault> {
        let (revision, result) = older::initialize(sagas, params)?;
        let capabilities = match params.get("capabilities") {
            Some(Value::Object(capabilities)) => capabilities.clone(),
            None | Some(_) => Object::new(),
        };
        let resumes = sagas.dialects().has(Dialect::Resumable) && resumable::is_declared(&capabilities);
        Ok((Self { revision, client: revision.client(capabilities), resumes }, result))
    }

    /// Whether the session makes a difference to this method.
    fn knows(&self, method: &str) -> bool {
        match method {
            older::PING | discovery::TOOLS | mrtr::CALL => true,
            resumable::RESUME | resumable::STATUS => self.resumes,
            _ => false,
        }
    }

    /// Answers a request that names no revision of its own.
    pub(crate) async fn answer(
        &self,
        sagas: &Sagas,
        peer: &impl Peer,
        request: Request,
        facts: &RequestFacts,
        reporter: Reporter,
    ) -> Reply {
        if !self.knows(&request.method) {
            return sagas.answer(Message::Request(request), facts, reporter).await;
        }
        let id = request.id.clone();
        let refused = |fault: Fault| Reply::fault(Some(&id), fault.in_band());
        let principal = match sagas.principal(facts) {
            Ok(principal) => principal,
            Err(reason) => {
                tracing::warn!(%reason, "refused a caller");
                return refused(Fault::refused(&reason));
            }
        };
        let calls = Calls { session: self, sagas, peer, request: &id.to_json(), reporter };
        let result = match request.method.as_str() {
            older::PING => Ok(Object::new()),
            discovery::TOOLS => older::list(sagas, &request.params),
            mrtr::CALL => calls.start(request.params, principal).await,
            resumable::RESUME => calls.resume(&request.params, principal).await,
            resumable::STATUS => resumable::status(sagas, &request.params, principal).await,
            method => Err(Fault::no_such_method(method)),
        };
        result.map_or_else(refused, |result| Reply::result(&id, result))
    }
}

/// What the calls of one request share.
struct Calls<'a, P> {
    session: &'a Session,
    sagas: &'a Sagas,
    peer: &'a P,
    /// The request's id.
    request: &'a Value,
    reporter: Reporter,
}

/// A page that the person was sent to.
struct Page {
    id: String,
}

impl<P: Peer> Calls<'_, P> {
    async fn start(&self, mut params: Object, principal: Option<Principal>) -> Result<Object, Fault> {
        let client = self.session.client.clone();
        if self.sagas.dialects().has(Dialect::ResumeToken) && !self.session.resumes {
            let (tool, call) = resume_token::read(self.sagas, params, client, principal)?;
            return self.sealed(tool, Call { reporter: self.reporter.clone(), ..call }).await;
        }
        let tool = mrtr::tool(self.sagas, &params)?;
        let arguments = mrtr::arguments(&mut params)?;
        if self.session.resumes {
            let call = resumable::start(self.request, arguments, client, principal);
            return self.sealed(tool, Call { reporter: self.reporter.clone(), ..call }).await;
        }
        let call = Call::new(DIALECT, mrtr::CALL, Arguments::Sent(arguments), client);
        self.in_place(tool, Call { principal, reporter: self.reporter.clone(), ..call }).await
    }

    async fn resume(&self, params: &Object, principal: Option<Principal>) -> Result<Object, Fault> {
        let client = self.session.client.clone();
        let (tool, call) = resumable::read(self.sagas, self.request, params, client, principal)?;
        self.sealed(tool, Call { reporter: self.reporter.clone(), ..call }).await
    }

    /// Runs a tool to its end, and lets it wait in memory.
    async fn in_place(&self, tool: &Registered, call: Call) -> Result<Object, Fault> {
        let host = self.sagas.host();
        let mut pages = Vec::new();
        let mut ran = host.run(None, tool, &call).await;
        loop {
            let parked = match ran {
                Ran::Ended(outcome) => return self.end(pages, outcome),
                Ran::Waits(parked) => *parked,
            };
            let page = |key: &str| parked.key_for(&format!("elicitation {key}"));
            let Some(answers) = self.ask(tool, parked.asked(), page, &mut pages).await else {
                return Ok(unanswered());
            };
            ran = host.go_on(None, tool, &call, parked, answers).await;
        }
    }

    /// Runs a tool to its end, or to a checkpoint that ends the request, and seals where it waits: another process
    /// may go on from there.
    async fn sealed(&self, tool: &Registered, mut call: Call) -> Result<Object, Fault> {
        let ttl = self.sagas.host().ttl_of(tool);
        let mut pages = Vec::new();
        loop {
            let waiting = match self.sagas.serve(tool, call.clone()).await {
                Outcome::Suspended(waiting) => waiting,
                ended => return self.end(pages, ended),
            };
            if self.session.resumes {
                self.tell_policy(&waiting.token, ttl);
            } else if waiting.asked.is_empty() {
                return resume_token::write(ttl, Outcome::Suspended(waiting));
            }
            let page = |key: &str| waiting.key_for(&format!("elicitation {key}"));
            let Some(answers) = self.ask(tool, &waiting.asked, page, &mut pages).await else {
                return Ok(unanswered());
            };
            if call.resuming == Resuming::AskedAgain {
                call.resuming = Resuming::InSession;
            }
            call = Call { token: Some(waiting.token), answers, ..call };
        }
    }

    /// Sends all questions, then waits for the answers.
    async fn ask(
        &self,
        tool: &Registered,
        asked: &[Asked],
        page: impl Fn(&str) -> String,
        pages: &mut Vec<Page>,
    ) -> Option<BTreeMap<String, Answer>> {
        let within = self.sagas.host().ttl_of(tool);
        let mut asking = Vec::new();
        for asked in asked {
            let page = page(&asked.key);
            let pushed = Pushed::of(asked.clone(), self.session.revision, &page);
            if pushed.params.contains_key("elicitationId") {
                pages.push(Page { id: page });
            }
            let response = self.peer.ask(pushed.method, pushed.params.clone(), within);
            asking.push((pushed, response));
        }
        let mut answers = BTreeMap::new();
        for (pushed, response) in asking {
            let answer = match response.await? {
                Ok(result) => pushed.result(result),
                Err(error) => push::error(error),
            };
            answers.insert(pushed.key, answer);
        }
        Some(answers)
    }

    /// A tool that ended well is done with its pages: their clients may close them.
    fn end(&self, pages: Vec<Page>, outcome: Outcome) -> Result<Object, Fault> {
        if matches!(&outcome, Outcome::Done(result) if !result.is_error) {
            for Page { id } in pages {
                let params = Object::from_iter([("elicitationId".to_owned(), id.into())]);
                self.peer.notify("notifications/elicitation/complete", params);
            }
        }
        older::ended(outcome)
    }

    /// Tells the client how to take its request up again from here, for so many seconds.
    fn tell_policy(&self, token: &str, max_wait: u32) {
        let params = json!({ "requestId": self.request, "resumeToken": token, "maxWait": max_wait });
        if let Value::Object(params) = params {
            self.peer.notify(resumable::POLICY, params);
        }
    }
}

fn unanswered() -> Object {
    ToolResult::error("the client did not answer the tool's question").to_json()
}
