//! What a function is compiled into: how clients come to it.

/// The attribute above the function.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Kind {
    #[default]
    Tool,
    /// A tool that is a method of an rmcp server.
    Method,
    Prompt,
    Resource,
}

impl Kind {
    /// As messages call it.
    pub(crate) const fn noun(self) -> &'static str {
        match self {
            Self::Tool | Self::Method => "tool",
            Self::Prompt => "prompt",
            Self::Resource => "resource",
        }
    }

    /// As the author wrote it.
    pub(crate) const fn attribute(self) -> &'static str {
        match self {
            Self::Tool => "#[saga_tool]",
            Self::Method => "#[saga_runtime::rmcp::tool]",
            Self::Prompt => "#[saga_prompt]",
            Self::Resource => "#[saga_resource]",
        }
    }
}
