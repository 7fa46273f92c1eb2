//! The sagas as routes of rmcp's router, each with its definition made once.

use std::any::TypeId;
use std::sync::Arc;

use rmcp::handler::server::router::tool::{ToolRoute, ToolRouter};
use rmcp::handler::server::tool::ToolCallContext;
use rmcp::model::{ServerCapabilities, Tool};
use serde_json::Value;

use super::{call, wire};
use crate::dialect::discovery;
use crate::host::Registered;
use crate::sagas::Sagas;
use crate::tool::Definition;

impl Sagas {
    /// The sagas as tools of the rmcp server `S`, to be added to its own.
    ///
    /// # Panics
    ///
    /// A tool was added after [`served_by`](crate::Builder::served_by) with another type than `S`.
    #[must_use]
    pub fn tool_router<S: Send + Sync + 'static>(&self) -> ToolRouter<S> {
        let mut router = ToolRouter::new();
        for tool in self.tools() {
            assert!(
                tool.server.is_none_or(|server| server == TypeId::of::<S>()),
                "`{}` has another server as its context than the one that its router is for; \
                 name that in `.served_by::<..>()`",
                tool.definition.name
            );
            router.add_route(self.route(tool));
        }
        router
    }

    fn route<S: Send + Sync + 'static>(&self, tool: &Registered) -> ToolRoute<S> {
        let sagas = self.clone();
        ToolRoute::new_dyn(describe(&tool.definition), move |context: ToolCallContext<'_, S>| {
            let sagas = sagas.clone();
            Box::pin(async move { call::tool(&sagas, context).await })
        })
    }

    /// What the sagas add to an rmcp server's capabilities: tools, and the extensions that the dialects announce.
    #[must_use]
    pub fn capabilities(&self) -> ServerCapabilities {
        wire::read(discovery::capabilities(self)).unwrap_or_default()
    }
}

/// The tool as rmcp lists it.
fn describe(definition: &Definition) -> Tool {
    wire::read(definition.to_json()).unwrap_or_else(|_| {
        // rmcp cannot read what it does not know yet: the call needs no more than this.
        let schema = match &definition.input_schema {
            Value::Object(schema) => schema.clone(),
            _ => serde_json::Map::new(),
        };
        Tool::new_with_raw(definition.name, definition.description.clone().map(Into::into), Arc::new(schema))
    })
}
