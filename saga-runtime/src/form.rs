//! Forms: the flat structs of primitives that MCP lets a server ask a person for.
