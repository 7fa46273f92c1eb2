//! Clients of MCP 2025-06-18 and 2025-11-25 in a session: what `initialize` settles, and the calls in it, in which
//! the client is asked by requests of the server's ([`Asking`]). A client that may take its request up elsewhere
//! (resume tokens, resumable requests) gets the state of each wait, sealed.

use serde_json::Value;

use super::json_rpc::{Message, Request};
use super::name::Dialect;
use super::peer::{Asking, Peer, page_label, seconds, unanswered};
use super::push::Revision;
use super::route::Caller;
use super::target::Target;
use super::{Fault, Fields, Object, Params, Reply, mrtr, older, resumable, resume_token};
use crate::client::Client;
use crate::host::{Arguments, Call, Outcome, Registered, Resuming};
use crate::progress::Reporter;
use crate::saga::Principal;
use crate::sagas::Sagas;

/// The name of the dialect, in the log: its calls have no tokens.
const DIALECT: &str = "push";

pub(crate) use super::older::INITIALIZE;

/// What a client settled in `initialize`.
#[derive(Debug, Clone)]
pub(crate) struct Session {
    pub(super) revision: Revision,
    pub(super) client: Client,
    /// Whether it takes requests up again.
    pub(crate) resumes: bool,
}

impl Session {
    /// Opens a session by the params of `initialize`; with the result that tells the client so.
    pub(crate) fn open(sagas: &Sagas, params: &Params) -> Result<(Self, Object), Fault> {
        let (revision, result) = older::initialize(sagas, params)?;
        let declared = params.capabilities.get().copied().unwrap_or_default();
        Ok((Self::of(sagas, revision, declared), result))
    }

    /// A client of this revision that declared what it can do.
    pub(super) fn of(sagas: &Sagas, revision: Revision, declared: Client) -> Self {
        let resumes = sagas.dialects().has(Dialect::Resumable) && declared.resumes();
        Self { revision, client: revision.client(declared), resumes }
    }

    /// Whether the session makes a difference to this method.
    fn knows(&self, sagas: &Sagas, method: &str) -> bool {
        match method {
            resumable::RESUME | resumable::STATUS => self.resumes,
            method => older::knows(sagas, method) || mrtr::method(sagas, method).is_some(),
        }
    }

    /// Answers a request that names no revision of its own.
    pub(crate) async fn answer(
        &self,
        sagas: &Sagas,
        peer: &impl Peer,
        request: Request,
        caller: Caller,
        reporter: Reporter,
    ) -> Reply {
        if !self.knows(sagas, &request.method) {
            // In these revisions a status of 404 says that the session is gone.
            return Reply { status: 200, ..sagas.answer(Message::Request(request), caller, reporter).await };
        }
        let id = request.id.clone();
        let refused = |fault: Fault| Reply::fault(Some(&id), fault.in_band());
        let principal = match caller {
            Ok(principal) => principal,
            Err(fault) => return refused(fault),
        };
        let asking = Asking::new(sagas, peer, self.revision);
        let calls = Calls { session: self, sagas, asking, request: &id.to_json(), reporter };
        let result = match request.method.as_str() {
            mrtr::CALL => calls.tool(request.params, principal).await,
            mrtr::GET => calls.in_place(mrtr::GET, request.params, principal).await,
            mrtr::READ => match older::check_resource(sagas, &request.params) {
                Ok(()) => calls.in_place(mrtr::READ, request.params, principal).await,
                Err(fault) => Err(fault),
            },
            resumable::RESUME => calls.resume(&request.params, principal).await,
            resumable::STATUS => resumable::status(sagas, &request.params, principal).await.map(Fields::from),
            method => older::result(sagas, method, &request.params),
        };
        result.map_or_else(refused, |result| Reply::result(&id, result))
    }
}

/// One call in a session.
struct Calls<'a, P> {
    session: &'a Session,
    sagas: &'a Sagas,
    asking: Asking<'a, P>,
    /// The request's id.
    request: &'a Value,
    reporter: Reporter,
}

impl<P: Peer> Calls<'_, P> {
    async fn tool(mut self, mut params: Box<Params>, principal: Option<Principal>) -> Result<Fields, Fault> {
        let client = self.session.client;
        if self.session.resumes {
            let tool = mrtr::tool(self.sagas, &params)?;
            let arguments = mrtr::arguments(&mut params)?;
            return self.sealed(tool, resumable::start(self.request, arguments, client, principal)).await;
        }
        if self.sagas.dialects().has(Dialect::ResumeToken) {
            let (tool, call) = resume_token::read(self.sagas, params, client, principal)?;
            return self.sealed(tool, call).await;
        }
        self.in_place(mrtr::CALL, params, principal).await
    }

    async fn resume(mut self, params: &Params, principal: Option<Principal>) -> Result<Fields, Fault> {
        let client = self.session.client;
        let (tool, call) = resumable::read(self.sagas, self.request, params, client, principal)?;
        self.sealed(tool, call).await
    }

    /// Runs a tool, a prompt or a resource to its end, and lets it wait in memory.
    async fn in_place(
        mut self,
        method: &'static str,
        mut params: Box<Params>,
        principal: Option<Principal>,
    ) -> Result<Fields, Fault> {
        let (target, arguments) = Target::read(self.sagas, method, &mut params)?;
        let call = Call::new(DIALECT, method, Arguments::Sent(arguments), self.session.client);
        let call = Call { principal, reporter: self.reporter.clone(), ..call };
        let outcome = self.asking.in_place(self.sagas.server(), target.machine, &call).await;
        older::fields(self.sagas, &target, outcome)
    }

    /// Runs a tool to its end, or to a checkpoint that ends the request, and seals where it waits: another process
    /// may go on from there.
    async fn sealed(&mut self, tool: &Registered, call: Call) -> Result<Fields, Fault> {
        let ttl = self.sagas.host().ttl_of(tool);
        let mut call = Call { reporter: self.reporter.clone(), ..call };
        loop {
            let waiting = match self.sagas.serve(tool, call.clone()).await {
                Outcome::Suspended(waiting) => waiting,
                ended => return older::ended(self.asking.end(ended).await),
            };
            if self.session.resumes {
                self.tell_policy(&waiting.token, ttl).await;
            } else if waiting.asked.is_empty() {
                return resume_token::write(ttl, Outcome::Suspended(waiting));
            }
            let page = |key: &str| waiting.key_for(&page_label(key));
            let Some(answers) = self.asking.ask(&waiting.asked, page, seconds(ttl)).await else {
                return Ok(unanswered().into_json().into());
            };
            if call.resuming == Resuming::AskedAgain {
                call.resuming = Resuming::InSession;
            }
            call = Call { token: Some(waiting.token), answers, ..call };
        }
    }

    /// Tells the client how to take its request up again from here, for so many seconds.
    async fn tell_policy(&self, token: &str, max_wait: u32) {
        let params = Fields::new()
            .with("requestId", self.request.clone())
            .with("resumeToken", token.to_owned())
            .with("maxWait", Value::from(max_wait));
        self.asking.peer.notify(resumable::POLICY, params).await;
    }
}
