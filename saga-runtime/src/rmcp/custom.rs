//! The methods of SEP-1597, which rmcp hands over as custom requests.

use rmcp::model::{CustomRequest, CustomResult, ErrorCode};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer};
use serde_json::{Value, json};

use super::{call, progress, wire};
use crate::dialect::json_rpc::{Id, Message, Request};
use crate::dialect::params::{Beside, Params};
use crate::dialect::{Dialect, saga};
use crate::sagas::Sagas;

impl Sagas {
    /// Answers `tools/callSaga` and `tools/resumeSaga` in an rmcp server, for its `on_custom_request`; every other
    /// method is not found.
    ///
    /// # Errors
    ///
    /// As rmcp sends it.
    pub async fn custom_request<S: Clone + Send + Sync + 'static>(
        &self,
        server: &S,
        request: CustomRequest,
        context: &RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        let CustomRequest { method, params, .. } = request;
        if !self.dialects().has(Dialect::Saga) || !matches!(method.as_str(), saga::CALL | saga::RESUME) {
            return Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, method, None));
        }
        let mut params: Box<Params> =
            wire::read(params.filter(Value::is_object).unwrap_or_else(|| json!({})))?;
        // rmcp keeps it apart.
        params.meta = wire::read(Value::Object(wire::write(&context.meta)?))?;
        // rmcp puts the id under which its client waits.
        let request = Request { id: Id::Number(0.into()), method, params, beside: Beside::default() };
        let (reporter, telling) = progress::reporter(context);
        let sagas = self.with_server(server.clone());
        let caller = sagas.caller(&call::facts(context));
        let answering = Box::pin(sagas.answer(Message::Request(request), caller, reporter));
        let reply = telling.during(context, async { Ok(answering.await) }).await?;
        match reply.body() {
            Some(Value::Object(mut body)) => match (body.remove("result"), body.remove("error")) {
                (Some(result), _) => Ok(CustomResult::new(result)),
                (None, error) => Err(wire::read(error.unwrap_or_default())?),
            },
            _ => Err(ErrorData::internal_error("Internal error", None)),
        }
    }
}
