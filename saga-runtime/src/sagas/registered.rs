//! A tool, a prompt or a resource with its context, behind one type.

use std::fmt;
use std::sync::Arc;

use serde_json::{Map, Value};

use crate::error::ToolError;
use crate::example;
use crate::flow::{Flow, NodeKind};
use crate::frame::{Frame, probe};
use crate::host::{Borrows, Misread, Registered, Server};
use crate::mirror;
use crate::tool::{Definition, Machine, Running};

/// Where the tools' context comes from.
pub(super) enum Context<C> {
    /// The builder was given it.
    Owned(Arc<C>),
    /// It is the server that serves them.
    Server,
}

impl<C> Clone for Context<C> {
    fn clone(&self) -> Self {
        match self {
            Self::Owned(context) => Self::Owned(Arc::clone(context)),
            Self::Server => Self::Server,
        }
    }
}

/// One transition with its context.
type RunWith<C> = for<'a> fn(&'a Frame, &'a Map<String, Value>, &'a C) -> Running<'a>;

impl Registered {
    pub(super) fn new<T: Machine<C> + 'static, C: Send + Sync + 'static>(context: Context<C>) -> Self {
        Self::of(T::definition(), T::flow(), T::run, context)
    }

    /// The same once the tool is known by its functions: compiled once for each context, and not for each tool.
    fn of<C: Send + Sync + 'static>(
        definition: Definition,
        flow: &'static Flow,
        transition: RunWith<C>,
        context: Context<C>,
    ) -> Self {
        let server = matches!(context, Context::Server).then(Borrows::from::<C>);
        let run: Box<crate::host::Run> = match context {
            Context::Owned(context) => Box::new(move |frame, arguments, _| {
                let context = Arc::clone(&context);
                Box::pin(async move { transition(frame, arguments, &context).await })
            }),
            Context::Server => Box::new(move |frame, arguments, server| {
                match server.and_then(|server| server.downcast_ref()) {
                    Some(context) => transition(frame, arguments, context),
                    None => Box::pin(async { Err(ToolError::from(NotServed)) }),
                }
            }),
        };
        // What cannot be repeated was refused by `build`.
        let mirrored = mirror::of(&definition.input_schema).unwrap_or_default();
        Self::assembled(definition, flow, run, mirrored, server)
    }

    /// What a site holds that could not be read as it is written, if anything. (What a called saga holds is seen when
    /// it first holds it.) Without the server that it borrows a tool cannot be looked at.
    pub(crate) fn misread(&self, server: Server<'_>) -> Option<&Misread> {
        if self.server.is_some() && server.is_none() {
            return None;
        }
        self.misread.get_or_init(|| self.look(server)).as_ref()
    }

    fn look(&self, server: Server<'_>) -> Option<Misread> {
        let sites = self.flow.nodes.iter().filter_map(|node| match node.kind {
            NodeKind::Site { name, held, .. } | NodeKind::Call { name, held, .. } if !held.is_empty() => {
                Some(name)
            }
            _ => None,
        });
        let examples = example::arguments(&self.definition.input_schema);
        let mut looked_at = sites.map(|site| (site, probe(site, &*self.run, &examples, server)));
        let (site, error) = looked_at.find_map(|(site, found)| Some((site, found.err()?)))?;
        Some(Misread { site, problem: error.to_string() })
    }
}

/// A tool whose context is the server was called where there is no such server.
#[derive(Debug)]
pub(crate) struct NotServed;

impl fmt::Display for NotServed {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .write_str("the tool was added after `.served_by::<..>()`, and no such server serves it here")
    }
}

impl std::error::Error for NotServed {}
