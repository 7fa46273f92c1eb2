//! Parsing: an attribute and a function → a [`Tool`] that holds only what later stages can rely on. Whatever they
//! could not compile is refused here, all of it in one build.

mod address;
mod arguments;
pub(crate) mod attributes;
pub(crate) mod calling;
mod desugar;
mod groups;
mod header;
pub(crate) mod item;
mod kind;
mod labels;
pub(crate) mod macros;
pub(crate) mod places;
mod refuse;
mod signature;
pub(crate) mod suspension;

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt as _;
use syn::visit::Visit;
use syn::{Attribute, Block, Ident, ItemFn, LitStr, ReturnType, Type, Visibility};

pub(crate) use self::arguments::Arguments;
use self::desugar::{Desugar, desugar};
pub(crate) use self::kind::Kind;
use crate::diagnostics::Diagnostics;

/// A function that can be compiled.
#[derive(Debug)]
pub(crate) struct Tool {
    pub(crate) kind: Kind,
    pub(crate) arguments: Arguments,
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) visibility: Visibility,
    pub(crate) name: Ident,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) output: ReturnType,
    pub(crate) block: Block,
    /// The function as it was written, without what only we understand.
    pub(crate) plain: ItemFn,
}

/// A function that a saga may call.
#[derive(Debug)]
pub(crate) struct Saga {
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) block: Block,
    /// The function as it was written, but for parameters without a name, which got one.
    pub(crate) plain: ItemFn,
}

impl Tool {
    /// The name by which clients call it.
    pub(crate) fn published_name(&self) -> String {
        self.arguments.name.as_ref().map_or_else(|| plain_name(&self.name), LitStr::value)
    }
}

impl Saga {
    /// Whether it is a method that takes what it is called on.
    pub(crate) fn takes_self(&self) -> bool {
        signature::takes_self(&self.plain.sig)
    }

    /// The scope of its keys.
    pub(crate) fn keys(&self) -> suspension::KeyScope {
        suspension::KeyScope { saga: Some(plain_name(&self.plain.sig.ident)) }
    }
}

/// A parameter of the function.
#[derive(Debug)]
pub(crate) struct Parameter {
    pub(crate) name: Ident,
    pub(crate) mutable: bool,
    pub(crate) ty: Type,
    pub(crate) source: Source,
    /// The doc comment, which its schema repeats.
    pub(crate) docs: Vec<Attribute>,
    /// The header that repeats it.
    pub(crate) header: Option<LitStr>,
}

/// Where a parameter's value comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Source {
    /// The client's arguments.
    Argument,
    /// The server's context.
    Context,
    /// The running saga itself.
    Saga,
    /// The saga that calls.
    Caller,
}

/// A name as it means: without the `r#` that tells it from a keyword, for `"{type}"` captures `r#type`, and clients know
/// only `type`.
pub(crate) fn plain_name(name: &Ident) -> String {
    name.unraw().to_string()
}

/// `#[saga(rebuild)]`.
pub(crate) fn is_ours(attribute: &Attribute) -> bool {
    attribute.path().is_ident("saga")
}

impl Parameter {
    pub(crate) const fn is_reference(&self) -> bool {
        matches!(self.ty, Type::Reference(_))
    }

    /// Whether nothing can be changed through it, as its type shows: not through `&mut Self`, nor `(&mut Log, u8)`.
    pub(crate) fn is_steady(&self) -> bool {
        let is_shared = matches!(&self.ty, Type::Reference(reference) if reference.mutability.is_none());
        is_shared || !macros::mentions(&self.ty.to_token_stream(), &["mut"])
    }

    /// Whether it is, when it is supplied again, what it was before the question.
    pub(crate) fn comes_again(&self) -> bool {
        !self.mutable && !has_cell(&self.ty)
    }

    /// Whether there may be a cell in it that its type does not show. What has a lifetime in it is borrowed.
    pub(crate) fn may_have_cell(&self) -> bool {
        let tokens = self.ty.to_token_stream();
        let is_borrowed = tokens.into_iter().any(|token| matches!(token, TokenTree::Punct(sign) if sign.as_char() == '\'' || sign.as_char() == '&'));
        !is_borrowed && matches!(self.ty, Type::Path(_)) && !is_known(&self.ty)
    }
}

/// Whether all of a type is the standard library's, without a cell.
fn is_known(ty: &Type) -> bool {
    const KNOWN: [&str; 24] = [
        "BTreeMap", "BTreeSet", "HashMap", "HashSet", "Option", "Result", "String", "Vec", "VecDeque",
        "bool", "char", "f32", "f64", "i128", "i16", "i32", "i64", "i8", "u128", "u16", "u32", "u64", "u8",
        "usize",
    ];
    struct Known(bool);
    impl<'ast> Visit<'ast> for Known {
        fn visit_ident(&mut self, name: &'ast Ident) {
            self.0 &= KNOWN.iter().any(|known| name == known);
        }
    }
    let mut known = Known(true);
    known.visit_type(ty);
    known.0
}

/// Whether a type has a part that changes without `mut`. What it refers to is elsewhere.
fn has_cell(ty: &Type) -> bool {
    struct Cells(bool);
    impl<'ast> Visit<'ast> for Cells {
        fn visit_ident(&mut self, name: &'ast Ident) {
            self.0 |= is_cell(&name.to_string());
        }

        fn visit_type_reference(&mut self, _: &'ast syn::TypeReference) {}
    }
    let mut cells = Cells(false);
    cells.visit_type(ty);
    cells.0
}

/// The standard library's names for them.
fn is_cell(name: &str) -> bool {
    ["Cell", "OnceCell", "RefCell", "Mutex", "OnceLock", "RwLock"].contains(&name)
        || name.starts_with("Atomic")
}

/// Parses what stands above and below `#[saga]`.
pub(crate) fn saga(arguments: &TokenStream, mut item: ItemFn, diagnostics: &mut Diagnostics) -> Saga {
    if !arguments.is_empty() {
        diagnostics.error(
            arguments,
            "`#[saga]` takes no arguments on a function; `#[saga(rebuild)]` stands on a `let`",
        );
    }
    groups::take_off(&mut item);
    attributes::refuse_rewritten(&mut item, "#[saga]", diagnostics);
    signature::refuse_saga(&item, diagnostics);
    signature::refuse_conditional(&item, diagnostics);
    signature::refuse_repeated(&mut item, diagnostics);
    signature::name_parameters(&mut item);
    *item.block = desugar(&item.block, Desugar::Questions);
    let parameters = signature::saga_parameters(&item);
    let block = labels::distinct(desugar(&item.block, Desugar::All));
    refuse::refuse(&block, diagnostics);
    Saga { parameters, block, plain: item }
}

/// Parses what stands in the attribute and below it.
pub(crate) fn parse(
    kind: Kind,
    arguments: TokenStream,
    mut item: ItemFn,
    diagnostics: &mut Diagnostics,
) -> Tool {
    groups::take_off(&mut item);
    attributes::refuse_rewritten(&mut item, kind.attribute(), diagnostics);
    let arguments = Arguments::parse(kind, arguments, diagnostics);
    signature::refuse_repeated(&mut item, diagnostics);
    let mut plain = signature::plain(&item);
    *plain.block = desugar(&plain.block, Desugar::Questions);
    signature::refuse(kind, &item, diagnostics);
    signature::refuse_conditional(&item, diagnostics);
    header::refuse(kind, &item, diagnostics);
    let parameters = signature::parameters(kind, &item, diagnostics);
    let block = labels::distinct(desugar(&item.block, Desugar::All));
    refuse::refuse(&block, diagnostics);
    let tool = Tool {
        kind,
        arguments,
        attributes: item.attrs,
        visibility: item.vis,
        name: item.sig.ident,
        parameters,
        output: item.sig.output,
        block,
        plain,
    };
    address::refuse(&tool, diagnostics);
    tool
}
