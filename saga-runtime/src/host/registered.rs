//! A tool with its server's context.

use std::any::{Any, TypeId};
use std::fmt;
use std::sync::{Arc, OnceLock};

use serde_json::{Map, Value};

use crate::dialect::Written;
use crate::flow::Flow;
use crate::frame::Frame;
use crate::mirror::Mirrored;
use crate::tool::{Definition, Running};

/// A tool with its server's context, ready to run.
pub struct Registered {
    /// What clients are told about it.
    pub definition: Definition,
    /// Its flow graph.
    pub flow: &'static Flow,
    pub(crate) run: Box<Run>,
    /// The arguments that HTTP requests repeat in headers.
    #[cfg_attr(not(feature = "http"), expect(dead_code, reason = "only HTTP has headers"))]
    pub(crate) mirrored: Vec<Mirrored>,
    /// The server that the tool borrows, if it does.
    pub(crate) server: Option<Borrows>,
    /// What it holds that cannot travel. It is known once there is a context: when the server is built, or at the first
    /// call of a tool that borrows the server.
    pub(crate) misread: OnceLock<Option<Misread>>,
    /// What clients are told, once one has asked.
    pub(crate) shown: OnceLock<Arc<Written>>,
}

impl Registered {
    /// A tool of which nothing was asked yet.
    pub(crate) fn assembled(
        definition: Definition,
        flow: &'static Flow,
        run: Box<Run>,
        mirrored: Vec<Mirrored>,
        server: Option<Borrows>,
    ) -> Self {
        Self { definition, flow, run, mirrored, server, misread: OnceLock::new(), shown: OnceLock::new() }
    }

    /// What clients are told about it, as an item of their list.
    pub(crate) fn shown(&self) -> &Arc<Written> {
        self.shown.get_or_init(|| Arc::new(self.definition.fields().into()))
    }
}

/// Why a site's held locals could not be read as they are written.
#[derive(Clone)]
pub(crate) struct Misread {
    pub(crate) site: &'static str,
    pub(crate) problem: String,
}

pub(crate) type Run =
    dyn for<'a> Fn(&'a Frame, &'a Map<String, Value>, Server<'a>) -> Running<'a> + Send + Sync;

/// The server that a request came to, for tools that borrow it as their context.
pub(crate) type Server<'a> = Option<&'a (dyn Any + Send + Sync)>;

/// The type of server that a tool borrows as its context.
#[derive(Clone, Copy)]
pub(crate) struct Borrows {
    #[cfg_attr(not(feature = "rmcp"), expect(dead_code, reason = "only rmcp's servers are borrowed"))]
    pub(crate) server: TypeId,
    #[cfg_attr(not(feature = "rmcp"), expect(dead_code, reason = "only rmcp's servers are borrowed"))]
    pub(crate) lend: for<'a> fn(&'a dyn Any) -> Server<'a>,
}

impl Borrows {
    /// Only a server that threads may share can be borrowed; others may still serve tools that borrow none.
    pub(crate) fn from<S: Send + Sync + 'static>() -> Self {
        fn lend<S: Send + Sync + 'static>(server: &dyn Any) -> Server<'_> {
            Some(server.downcast_ref::<S>()?)
        }
        Self { server: TypeId::of::<S>(), lend: lend::<S> }
    }
}

impl fmt::Debug for Registered {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Registered").field("definition", &self.definition).finish_non_exhaustive()
    }
}
