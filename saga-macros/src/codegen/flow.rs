//! The tool's flow as a constant.

use proc_macro2::TokenStream;
use quote::quote;

use super::Writer;
use super::names::private;
use crate::analysis::drawing::{Drawing, Edge, Node, NodeKind, draw};
use crate::analysis::layout::SiteLayout;
use crate::lower::Lowered;
use crate::parse::Tool;
use crate::tree::StepName;

/// The constant `FLOW`.
pub(crate) fn flow(tool: &Tool, lowered: &Lowered, layouts: &[SiteLayout]) -> TokenStream {
    let private = private();
    let name = tool.arguments.name.as_ref().map_or_else(|| tool.name.to_string(), syn::LitStr::value);
    let line = tool.name.span().start().line;
    let Drawing { nodes, edges, needs, longest } = draw(&tool.block, &lowered.body, line);
    let writer = Writer::new(&lowered.body, layouts, false);
    let nodes = nodes.iter().map(|node| writer.drawn(node));
    let edges = edges
        .iter()
        .map(|Edge { from, to, label, .. }| quote!(flow::Edge { from: #from, to: #to, label: #label }));
    let needs = needs.into_iter().map(kind);
    quote! {{
        use #private as flow;
        flow::Flow {
            tool: #name,
            nodes: &[#(#nodes),*],
            edges: &[#(#edges),*],
            needs: &[#(#needs),*],
            longest: #longest,
        }
    }}
}

impl Writer<'_> {
    fn drawn(&self, Node { kind: node, line }: &Node) -> TokenStream {
        let node = match node {
            NodeKind::Start => quote!(Start),
            NodeKind::Site(site) => {
                let held = self.layouts[site.0].held.iter().map(|local| self.name_of(*local));
                let site = self.body.site(*site);
                let (name, step) = (&site.name, kind(site.step));
                quote!(Site { name: #name, step: flow::Some(#step), held: &[#(#held),*] })
            }
            NodeKind::Branch(text) => quote!(Branch { text: #text }),
            NodeKind::Loop(text) => quote!(Loop { text: #text }),
            NodeKind::End => quote!(End),
        };
        quote!(flow::Node { kind: flow::NodeKind::#node, line: #line })
    }
}

fn kind(step: StepName) -> TokenStream {
    let kind = match step {
        StepName::Elicit => quote!(Elicit),
        StepName::ElicitUrl => quote!(ElicitUrl),
        StepName::Sample => quote!(Sample),
        StepName::ListRoots => quote!(ListRoots),
    };
    quote!(flow::StepKind::#kind)
}
