//! Tools that are methods of an rmcp server: what `#[saga_runtime::rmcp::tool]` makes of them calls what stands here.

use std::sync::Arc;

use rmcp::handler::server::common::FromContextPart;
use rmcp::handler::server::tool::{IntoCallToolResult, ToolCallContext};
use rmcp::model::{CallToolResponse, CallToolResult, JsonObject, Tool};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer};
use serde_json::{Map, Value};

use super::{call, router};
use crate::context::Provides;
use crate::dialect::{Params, mrtr, older};
use crate::error::ToolError;
use crate::flow::Flow;
use crate::frame::Frame;
use crate::host::{Borrows, Registered};
use crate::sagas::{NotServed, Sagas};
use crate::tool::{Definition, Running};

/// One call of a method, as rmcp's router hands it over.
#[derive(Debug)]
pub struct MethodCall {
    params: Box<Params>,
    request: RequestContext<RoleServer>,
}

impl<S> FromContextPart<ToolCallContext<'_, S>> for MethodCall {
    fn from_context_part(context: &mut ToolCallContext<'_, S>) -> Result<Self, ErrorData> {
        Ok(Self { params: router::params(context), request: context.request_context.clone() })
    }
}

/// What rmcp's router gets back.
#[derive(Debug)]
pub struct MethodResult(Result<CallToolResponse, ErrorData>);

impl IntoCallToolResult for MethodResult {
    fn into_call_tool_result(self) -> Result<CallToolResponse, ErrorData> {
        self.0
    }
}

/// Answers a call of a method.
pub async fn call_method<S>(server: &S, machine: &'static Registered, call: MethodCall) -> MethodResult
where
    S: Provides<Sagas> + 'static,
{
    let MethodCall { params, request } = call;
    let answered =
        call::answer(server.provide(), machine.lent(server), Some(machine), mrtr::CALL, params, &request)
            .await;
    MethodResult(answered.and_then(call::Answered::response::<CallToolResult, _>))
}

/// The schema of a method's arguments.
#[must_use]
pub fn input_schema(machine: &Registered) -> Arc<JsonObject> {
    shared(&machine.definition.input_schema)
}

/// The schema of a method's structured content, where clients of every revision can be told it.
#[must_use]
pub fn output_schema(machine: &Registered) -> Option<Arc<JsonObject>> {
    let schema = machine.definition.output_schema.as_ref()?;
    (!older::is_no_object(schema)).then(|| shared(schema))
}

fn shared(schema: &Value) -> Arc<JsonObject> {
    Arc::new(schema.as_object().cloned().unwrap_or_default())
}

/// A method without the latter, as rmcp lists it.
#[must_use]
pub fn listed(machine: &Registered) -> Tool {
    router::tool_of(&machine.definition)
}

/// A transition of a method of the server `S`.
type RunMethod<S> = for<'a> fn(&'a Frame, &'a Map<String, Value>, &'a S) -> Running<'a>;

impl Registered {
    /// A tool that is a method of the server `S`.
    #[doc(hidden)]
    #[must_use]
    pub fn method<S: Send + Sync + 'static>(
        definition: Definition,
        flow: &'static Flow,
        run: RunMethod<S>,
    ) -> Self {
        let server = Some(Borrows::from::<S>());
        let run: Box<crate::host::Run> =
            Box::new(move |frame, arguments, server| match server.and_then(|server| server.downcast_ref()) {
                Some(server) => run(frame, arguments, server),
                None => Box::pin(async { Err(ToolError::from(NotServed)) }),
            });
        // rmcp compares the headers itself.
        Self::assembled(definition, flow, run, Vec::new(), server)
    }
}
