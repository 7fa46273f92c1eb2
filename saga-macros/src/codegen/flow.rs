//! The tool's flow as a constant.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};

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
    let name = tool.published_name();
    let line = tool.name.span().start().line;
    let Drawing { nodes, edges, needs, longest } = draw(&tool.block, &lowered.body, line);
    let writer = Writer::new(&lowered.body, layouts, false);
    let nodes = nodes.iter().map(|node| writer.drawn(node));
    let edges = edges
        .iter()
        .map(|Edge { from, to, label, .. }| quote!(flow::Edge { from: #from, to: #to, label: #label }));
    let needs = needs.into_iter().map(kind);
    let warning = warning(tool, longest);
    quote! {{
        use #private as flow;
        #warning
        flow::Flow {
            tool: #name,
            nodes: &[#(#nodes),*],
            edges: &[#(#edges),*],
            needs: &[#(#needs),*],
            longest: #longest,
        }
    }}
}

/// How many questions the clients that give up after ten requests answer.
const MOST_ANSWERED: usize = 9;

/// A warning for a tool whose longest way many clients do not go to its end, unless its author knows: a macro on
/// stable warns by the use of a deprecated function.
fn warning(tool: &Tool, longest: usize) -> Option<TokenStream> {
    if longest <= MOST_ANSWERED || tool.arguments.max_rounds.is_some() {
        return None;
    }
    let warning = quote_spanned!(tool.name.span()=> warning::more_than_nine_rounds(););
    Some(quote!(::saga_runtime::#warning))
}

impl Writer<'_> {
    fn drawn(&self, Node { kind: node, line }: &Node) -> TokenStream {
        let node = match node {
            NodeKind::Start => quote!(Start),
            NodeKind::Site(site) => {
                let held = self.layouts[site.0].held.iter().map(|local| self.name_of(*local));
                let site = self.body.site(*site);
                if let Some(saga) = &site.calls {
                    let name = &site.name;
                    return quote!(flow::Node {
                        kind: flow::NodeKind::Call { name: #name, saga: #saga, held: &[#(#held),*] },
                        line: #line,
                    });
                }
                let (name, steps) = (&site.name, site.steps.iter().map(|step| kind(*step)));
                quote!(Site { name: #name, steps: &[#(#steps),*], held: &[#(#held),*] })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_way_warns_unless_the_author_set_the_most_rounds() {
        let warns = |arguments: &TokenStream, questions: usize| {
            let questions = (0..questions).map(|_| quote!(sample("?").await?;));
            let tool = quote!(async fn tool() -> Result<(), ToolError> { #(#questions)* Ok(()) });
            crate::pipeline::saga_tool(arguments, &tool).to_string().contains("more_than_nine_rounds")
        };
        assert!(!warns(&quote!(), 9));
        assert!(warns(&quote!(), 10));
        assert!(!warns(&quote!(max_rounds = 10), 10));
    }
}
