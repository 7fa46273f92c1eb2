//! From a message to its reply: who asks, which method, which dialect. Read the table in [`Sagas::result`] first.

use super::json_rpc::{Malformed, Message, Request};
use super::saga::Era;
use super::streamless::Said;
use super::{
    Dialect, Fault, Fields, Params, Reply, discovery, meta, mrtr, older, resume_token, saga, streamless,
};
use crate::client::Client;
use crate::host::Call;
use crate::progress::Reporter;
use crate::saga::Principal;
use crate::sagas::{RequestFacts, Sagas};

/// Who sent a message, or why it is not answered.
pub(crate) type Caller = Result<Option<Principal>, Fault>;

impl Sagas {
    /// Answers one message of a client, in whichever protocol it is.
    ///
    /// ```
    /// use saga_runtime::{RequestFacts, Sagas};
    ///
    /// # async fn example() -> Result<(), saga_runtime::BuildError> {
    /// let sagas = Sagas::builder("fleet", "1.0.0").build()?;
    /// let ping = br#"{"jsonrpc":"2.0","id":7,"method":"ping"}"#;
    /// let reply = sagas.handle(ping, &RequestFacts::default()).await;
    /// assert_eq!(reply.text(), Some(r#"{"jsonrpc":"2.0","id":7,"result":{}}"#));
    /// # Ok(())
    /// # }
    /// ```
    pub async fn handle(&self, message: &[u8], facts: &RequestFacts) -> Reply {
        match Message::parse(message) {
            Ok(message) => self.answer(message, self.caller(facts), Reporter::none()).await,
            Err(Malformed { id, fault }) => Reply::fault(id.as_ref(), fault),
        }
    }

    /// Who sent a message with these facts. Asked once for each, since a hook may use something up.
    pub(crate) fn caller(&self, facts: &RequestFacts) -> Caller {
        self.principal(facts).map_err(|refused| {
            tracing::warn!(reason = %refused, "refused a caller");
            Fault::refused(&refused)
        })
    }

    /// Answers one message, and reports the progress on the way.
    pub(crate) async fn answer(&self, message: Message, caller: Caller, reporter: Reporter) -> Reply {
        match (message, caller) {
            (Message::Request(request), Ok(principal)) => {
                let id = request.id.clone();
                match self.result(request, principal, reporter).await {
                    Ok(Said::Result(result)) => Reply::result(&id, result),
                    Ok(Said::Asks(requests)) => Reply::other(&id, streamless::REQUESTS, requests),
                    Err(fault) => Reply::fault(Some(&id), fault),
                }
            }
            (Message::Request(request), Err(fault)) => Reply::fault(Some(&request.id), fault),
            (Message::Notification(_), Ok(_)) => Reply::none(),
            (Message::Notification(_), Err(fault)) => Reply { text: None, ..Reply::fault(None, fault) },
            (Message::Response(_), _) => Reply::response_refused(),
        }
    }

    async fn result(
        &self,
        request: Request,
        principal: Option<Principal>,
        reporter: Reporter,
    ) -> Result<Said, Fault> {
        let speaks = |dialect| self.dialects().has(dialect);
        let names_no_revision = meta::version(&request.params).is_none();
        // Also before `initialize`, as these revisions allow.
        if names_no_revision && request.method == older::PING && self.dialects().have_older() {
            return older::result(self, older::PING, &request.params).map(Said::Result);
        }
        if names_no_revision && self.dialects().have_plain_calls() {
            match request.method.as_str() {
                older::INITIALIZE => {
                    return older::initialize_alone(self, &request.params)
                        .map(|result| Said::Result(result.into()));
                }
                discovery::TOOLS => {
                    return older::result(self, &request.method, &request.params).map(Said::Result);
                }
                mrtr::CALL => {
                    return self.plain_call(request, principal, reporter).await.map_err(Fault::in_band);
                }
                _ => {}
            }
        }
        let Request { method, params, .. } = request;
        let result = match method.as_str() {
            mrtr::CALL if names_no_revision && speaks(Dialect::Saga) && !speaks(Dialect::Mrtr) => {
                let (tool, call) = saga::read_plain(self, params, principal).map_err(Fault::in_band)?;
                saga::write_plain(self.serve(tool, Call { reporter, ..call }).await).map_err(Fault::in_band)
            }
            name if discovery::knows(self, name) || mrtr::method(self, name).is_some() => {
                self.modern(name, params, principal, reporter).await
            }
            saga::CALL | saga::RESUME if speaks(Dialect::Saga) => {
                let era = Era::of(&params);
                let read = if method == saga::CALL { saga::read_call } else { saga::read_resume };
                let (tool, call) = read(self, params, principal).map_err(|fault| era.fault(fault))?;
                let outcome = self.serve(tool, Call { reporter, ..call }).await;
                saga::write(self, era, outcome).map_err(|fault| era.fault(fault))
            }
            method => Err(unknown(method, &params)),
        };
        result.map(Said::Result)
    }

    /// A request of MCP 2026-07-28.
    async fn modern(
        &self,
        method: &str,
        params: Box<Params>,
        principal: Option<Principal>,
        reporter: Reporter,
    ) -> Result<Fields, Fault> {
        let client = meta::client(&params)?;
        if !self.dialects().has(Dialect::Mrtr) {
            return Err(Fault::version_is_off());
        }
        let Some(method) = mrtr::method(self, method) else {
            return discovery::result(self, method, &params);
        };
        let (target, call) = mrtr::read(self, None, method, params, client, principal)?;
        let outcome = self.serve(target.machine, Call { reporter, ..call }).await;
        mrtr::write(self, &target, outcome)
    }

    /// A call that names no revision, outside of a session.
    async fn plain_call(
        &self,
        request: Request,
        principal: Option<Principal>,
        reporter: Reporter,
    ) -> Result<Said, Fault> {
        let Request { params, beside, .. } = request;
        let resumes = params.resume_token.is_some() || !self.dialects().has(Dialect::Streamless);
        if resumes && self.dialects().has(Dialect::ResumeToken) {
            let (tool, call) = resume_token::read(self, params, Client::default(), principal)?;
            let outcome = self.serve(tool, Call { reporter, ..call }).await;
            return resume_token::write(self.host().ttl_of(tool), outcome).map(Said::Result);
        }
        let (tool, call) = streamless::read(self, params, beside, principal)?;
        streamless::write(self.serve(tool, Call { reporter, ..call }).await)
    }
}

/// Why there is no such method. `initialize` is one of a revision that this server does not speak.
fn unknown(method: &str, params: &Params) -> Fault {
    if let Err(fault) = meta::check_version(params) {
        return fault;
    }
    if method == older::INITIALIZE && meta::version(params).is_none() {
        let requested = params.protocol_version.as_ref().and_then(serde_json::Value::as_str);
        return Fault::version(requested.unwrap_or_default());
    }
    Fault::no_such_method(method)
}
