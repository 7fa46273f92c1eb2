//! A resource's address: `trip://{id}/plan`. Its variables are the function's arguments.

use syn::ext::IdentExt as _;
use syn::parse::Parser as _;
use syn::{Ident, LitStr};

use super::{Kind, Parameter, Source, Tool, plain_name};
use crate::diagnostics::Diagnostics;

/// Refuses a resource whose address and arguments do not agree.
pub(super) fn refuse(tool: &Tool, diagnostics: &mut Diagnostics) {
    if tool.kind != Kind::Resource {
        return;
    }
    let Some(uri) = &tool.arguments.uri else {
        diagnostics.error(
            &tool.name,
            "a resource needs an address; write `#[saga_resource(uri = \"..\")]`, with a `{variable}` in it for each \
             argument",
        );
        return;
    };
    let Some(variables) = variables(uri, diagnostics) else { return };
    let arguments = || tool.parameters.iter().filter(|parameter| parameter.source == Source::Argument);
    for Parameter { name, .. } in arguments() {
        if !variables.contains(&plain_name(name)) {
            diagnostics.error(
                name,
                format!(
                    "the resource's address has no such variable; write `{{{name}}}` in it, or `#[context]` before a \
                     value of the server's"
                ),
            );
        }
    }
    for variable in &variables {
        if !arguments().any(|parameter| plain_name(&parameter.name) == *variable) {
            diagnostics.error(
                uri,
                format!("the variable `{{{variable}}}` has no parameter; add `{variable}: String`"),
            );
        }
    }
}

/// The names of the variables; `None` where the address cannot be read, which is then reported.
fn variables(uri: &LitStr, diagnostics: &mut Diagnostics) -> Option<Vec<String>> {
    let text = uri.value();
    let mut parts = text.split('{');
    if !parts.next().is_some_and(|start| start.contains(':')) {
        diagnostics.error(uri, "an address begins with its scheme, like `trip:` in `trip://{id}`");
        return None;
    }
    let mut names = Vec::new();
    let mut is_apart = true;
    for part in parts {
        let name =
            part.split_once('}').map(|(name, behind)| (name.strip_prefix('+').unwrap_or(name), behind));
        let Some((name, behind)) = name.filter(|(name, _)| Ident::parse_any.parse_str(name).is_ok()) else {
            diagnostics.error(uri, "a variable is `{name}` for one segment, or `{+name}` for several");
            return None;
        };
        if !is_apart {
            diagnostics.error(uri, "something must stand between two variables, to keep them apart");
            return None;
        }
        names.push(name.to_owned());
        is_apart = !behind.is_empty();
    }
    Some(names)
}
