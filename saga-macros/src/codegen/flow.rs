//! The tool's flow as a constant.

use proc_macro2::TokenStream;
use quote::quote;

use super::names::private;
use crate::analysis::layout::SiteLayout;
use crate::lower::Lowered;
use crate::parse::Tool;

/// The constant `FLOW`.
pub(crate) fn flow(tool: &Tool, _lowered: &Lowered, _layouts: &[SiteLayout]) -> TokenStream {
    let private = private();
    let name = tool.name.to_string();
    quote!(#private::Flow { tool: #name, nodes: &[], edges: &[], needs: &[], longest: 0 })
}
