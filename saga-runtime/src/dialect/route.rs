//! From a message to its reply: who asks, which method, which dialect. Read the table in [`Sagas::result`] first.

use super::json_rpc::{Malformed, Message, Request};
use super::saga::Era;
use super::{Fault, Object, Reply, meta, mrtr, saga};
use crate::host::Call;
use crate::progress::Reporter;
use crate::saga::Principal;
use crate::sagas::{RequestFacts, Sagas};

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
    /// assert_eq!(reply.into_body().unwrap()["id"], 7);
    /// # Ok(())
    /// # }
    /// ```
    pub async fn handle(&self, message: &[u8], facts: &RequestFacts) -> Reply {
        match Message::parse(message) {
            Ok(message) => self.answer(message, facts, Reporter::none()).await,
            Err(Malformed { id, fault }) => Reply::fault(id.as_ref(), fault),
        }
    }

    /// Answers one message, and reports the progress on the way.
    pub(crate) async fn answer(&self, message: Message, facts: &RequestFacts, reporter: Reporter) -> Reply {
        let principal = self.principal(facts).map_err(|refused| {
            tracing::warn!(reason = %refused, "refused a caller");
            Fault::refused(&refused)
        });
        match (message, principal) {
            (Message::Request(request), Ok(principal)) => {
                let id = request.id.clone();
                match self.result(request, principal, reporter).await {
                    Ok(result) => Reply::result(&id, result),
                    Err(fault) => Reply::fault(Some(&id), fault),
                }
            }
            (Message::Request(request), Err(fault)) => Reply::fault(Some(&request.id), fault),
            (Message::Notification(_), Ok(_)) => Reply::none(),
            (Message::Notification(_), Err(fault)) => Reply { body: None, ..Reply::fault(None, fault) },
        }
    }

    async fn result(
        &self,
        request: Request,
        principal: Option<Principal>,
        reporter: Reporter,
    ) -> Result<Object, Fault> {
        let Request { method, params, .. } = request;
        match method.as_str() {
            mrtr::DISCOVER => meta::client(&params).map(|_| mrtr::discover(self)),
            mrtr::LIST => meta::client(&params).and_then(|_| mrtr::list(self, &params)),
            mrtr::CALL => {
                let client = meta::client(&params)?;
                let (tool, call) = mrtr::read(self, params, client, principal)?;
                mrtr::write(self, self.serve(tool, Call { reporter, ..call }).await)
            }
            saga::CALL | saga::RESUME => {
                let era = Era::of(&params);
                let read = if method == saga::CALL { saga::read_call } else { saga::read_resume };
                let (tool, call) = read(self, params, principal).map_err(|fault| era.fault(fault))?;
                let outcome = self.serve(tool, Call { reporter, ..call }).await;
                saga::write(self, era, outcome).map_err(|fault| era.fault(fault))
            }
            method => Err(unknown(method, &params)),
        }
    }
}

/// Why there is no such method. `initialize` is one of a revision that this server does not speak.
fn unknown(method: &str, params: &Object) -> Fault {
    if let Err(fault) = meta::check_version(params) {
        return fault;
    }
    if method == "initialize" && meta::version(params).is_none() {
        let requested = params.get("protocolVersion").and_then(serde_json::Value::as_str);
        return Fault::version(requested.unwrap_or_default());
    }
    Fault::no_such_method(method)
}
