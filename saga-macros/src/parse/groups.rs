//! Takes off the groups that a macro by example puts around what its `$place:expr` and `$size:ty` bring. No text shows
//! them, and rustc does not see them in what an attribute gives back: what they hold together is put in parentheses.
//!
//! ```text
//! [source]  ⟦list[0]⟧ += ⟦1 + 2⟧ * 2        list: &⟦Vec<u8>⟧
//! [here]    list[0] += (1 + 2) * 2          list: &Vec<u8>
//! ```

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use syn::visit_mut::{self, VisitMut};
use syn::{Arm, BinOp, Expr, ExprParen, ItemFn, Local, Macro, Stmt, Type, TypeParen};

use super::places::is_compound;

/// Takes them off everything in a function.
pub(super) fn take_off(item: &mut ItemFn) {
    Groups.visit_item_fn_mut(item);
}

struct Groups;

/// What stands around a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Around {
    /// `⟦function⟧(1)`: without a group `self.count(1)` would be a method's.
    Call,
    /// `⟦place⟧.name`, `⟦found⟧?`.
    Postfix,
    /// `⟦sum⟧ * 2`, `-⟦sum⟧`, `⟦sum⟧ as u8`.
    Operator,
    /// `if ⟦condition⟧ {`.
    Condition,
    /// `if let Some(x) = ⟦found⟧ && ready {`.
    Scrutinee,
    /// `⟦value⟧;`, where what begins with a block ends with it.
    Statement,
    /// `f(⟦value⟧)`.
    Nothing,
}

impl VisitMut for Groups {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        take_off_one(expr, Around::Nothing);
        match expr {
            Expr::Call(call) => take_off_one(&mut call.func, Around::Call),
            Expr::Await(wait) => take_off_one(&mut wait.base, Around::Postfix),
            Expr::Field(field) => take_off_one(&mut field.base, Around::Postfix),
            Expr::Index(index) => take_off_one(&mut index.expr, Around::Postfix),
            Expr::MethodCall(call) => take_off_one(&mut call.receiver, Around::Postfix),
            Expr::Try(value) => take_off_one(&mut value.expr, Around::Postfix),
            Expr::Assign(assign) => take_off_one(&mut assign.left, Around::Operator),
            Expr::Cast(cast) => take_off_one(&mut cast.expr, Around::Operator),
            Expr::RawAddr(address) => take_off_one(&mut address.expr, Around::Operator),
            Expr::Reference(reference) => take_off_one(&mut reference.expr, Around::Operator),
            Expr::Unary(unary) => take_off_one(&mut unary.expr, Around::Operator),
            Expr::Binary(binary) => {
                let assigns = is_compound(&binary.op);
                take_off_one(&mut binary.left, Around::Operator);
                take_off_one(&mut binary.right, if assigns { Around::Nothing } else { Around::Operator });
            }
            Expr::Range(range) => {
                for end in [&mut range.start, &mut range.end].into_iter().flatten() {
                    take_off_one(end, Around::Operator);
                }
            }
            Expr::ForLoop(repeated) => take_off_one(&mut repeated.expr, Around::Condition),
            Expr::If(choice) => take_off_one(&mut choice.cond, Around::Condition),
            Expr::Match(choice) => take_off_one(&mut choice.expr, Around::Condition),
            Expr::While(repeated) => take_off_one(&mut repeated.cond, Around::Condition),
            Expr::Let(condition) => take_off_one(&mut condition.expr, Around::Scrutinee),
            _ => {}
        }
        visit_mut::visit_expr_mut(self, expr);
    }

    fn visit_stmt_mut(&mut self, statement: &mut Stmt) {
        if let Stmt::Expr(expr, _) = statement {
            take_off_one(expr, Around::Statement);
        }
        visit_mut::visit_stmt_mut(self, statement);
    }

    fn visit_arm_mut(&mut self, arm: &mut Arm) {
        take_off_one(&mut arm.body, Around::Statement);
        visit_mut::visit_arm_mut(self, arm);
    }

    fn visit_local_mut(&mut self, local: &mut Local) {
        if let Some(init) = &mut local.init
            && init.diverge.is_some()
        {
            take_off_one(&mut init.expr, Around::Operator);
        }
        visit_mut::visit_local_mut(self, local);
    }

    fn visit_type_mut(&mut self, ty: &mut Type) {
        take_off_type(ty);
        if let Type::Ptr(syn::TypePtr { elem, .. }) | Type::Reference(syn::TypeReference { elem, .. }) = ty {
            take_off_type(elem);
            if let Type::TraitObject(syn::TypeTraitObject { bounds, .. })
            | Type::ImplTrait(syn::TypeImplTrait { bounds, .. }) = &**elem
                && bounds.len() > 1
            {
                let inside = Box::new(std::mem::replace(&mut **elem, Type::Verbatim(TokenStream::new())));
                **elem = Type::Paren(TypeParen {
                    attrs: Vec::new(),
                    paren_token: syn::token::Paren::default(),
                    elem: inside,
                });
            }
        }
        visit_mut::visit_type_mut(self, ty);
    }

    fn visit_macro_mut(&mut self, mac: &mut Macro) {
        mac.tokens = without_groups(mac.tokens.clone());
    }
}

fn take_off_one(expr: &mut Expr, around: Around) {
    let Expr::Group(group) = expr else { return };
    let (span, attrs) = (group.group_token.span, std::mem::take(&mut group.attrs));
    let mut inside = std::mem::replace(&mut *group.expr, Expr::PLACEHOLDER);
    take_off_one(&mut inside, around);
    *expr = if attrs.is_empty() && stands_alone(&inside, around) {
        inside
    } else {
        let paren_token = syn::token::Paren(span);
        Expr::Paren(ExprParen { attrs, paren_token, expr: Box::new(inside) })
    };
}

fn take_off_type(ty: &mut Type) {
    while let Type::Group(group) = ty {
        *ty = std::mem::replace(&mut *group.elem, Type::Verbatim(TokenStream::new()));
    }
}

/// Whether an expression means the same there without parentheses.
fn stands_alone(inside: &Expr, around: Around) -> bool {
    match around {
        Around::Call => !matches!(inside, Expr::Field(_)) && is_operand(inside),
        Around::Postfix => is_operand(inside),
        Around::Operator => match inside {
            Expr::Reference(reference) => stands_alone(&reference.expr, around),
            Expr::Unary(unary) => stands_alone(&unary.expr, around),
            other => is_operand(other),
        },
        Around::Condition => !has_open_literal(inside),
        Around::Scrutinee => !is_loose(inside) && !has_open_literal(inside),
        Around::Statement => first_of(inside).is_none_or(|mut first| {
            while let Some(next) = first_of(first) {
                first = next;
            }
            !is_block(first)
        }),
        Around::Nothing => true,
    }
}

/// Whether nothing around an expression can take a part of it.
fn is_operand(expr: &Expr) -> bool {
    match expr {
        Expr::Await(syn::ExprAwait { base: first, .. })
        | Expr::Call(syn::ExprCall { func: first, .. })
        | Expr::Field(syn::ExprField { base: first, .. })
        | Expr::Index(syn::ExprIndex { expr: first, .. })
        | Expr::MethodCall(syn::ExprMethodCall { receiver: first, .. })
        | Expr::Try(syn::ExprTry { expr: first, .. }) => is_operand(first),
        Expr::Group(group) => is_operand(&group.expr),
        Expr::Array(_)
        | Expr::Lit(_)
        | Expr::Macro(_)
        | Expr::Paren(_)
        | Expr::Path(_)
        | Expr::Repeat(_)
        | Expr::Tuple(_) => true,
        // What begins or ends with a block, too, and a literal of a `struct`, which no condition may have.
        _ => false,
    }
}

/// What binds less than `&&`.
fn is_loose(expr: &Expr) -> bool {
    match expr {
        Expr::Assign(_) | Expr::Break(_) | Expr::Closure(_) | Expr::Range(_) | Expr::Return(_) => true,
        Expr::Binary(binary) => matches!(binary.op, BinOp::And(_) | BinOp::Or(_)) || is_compound(&binary.op),
        _ => false,
    }
}

/// Whether its braces would be those of an `if`: `size == Size { wide: 1 }`.
fn has_open_literal(expr: &Expr) -> bool {
    match expr {
        Expr::Struct(_) => true,
        Expr::Binary(binary) => has_open_literal(&binary.left) || has_open_literal(&binary.right),
        Expr::Assign(assign) => has_open_literal(&assign.left) || has_open_literal(&assign.right),
        Expr::Closure(closure) => has_open_literal(&closure.body),
        Expr::Let(condition) => has_open_literal(&condition.expr),
        Expr::RawAddr(address) => has_open_literal(&address.expr),
        Expr::Reference(reference) => has_open_literal(&reference.expr),
        Expr::Unary(unary) => has_open_literal(&unary.expr),
        Expr::Range(range) => {
            [&range.start, &range.end].into_iter().flatten().any(|end| has_open_literal(end))
        }
        other => first_of(other).is_some_and(has_open_literal),
    }
}

/// What an expression begins with, if that is one.
fn first_of(expr: &Expr) -> Option<&Expr> {
    match expr {
        Expr::Assign(assign) => Some(&assign.left),
        Expr::Await(wait) => Some(&wait.base),
        Expr::Binary(binary) => Some(&binary.left),
        Expr::Call(call) => Some(&call.func),
        Expr::Cast(cast) => Some(&cast.expr),
        Expr::Field(field) => Some(&field.base),
        Expr::Group(group) => Some(&group.expr),
        Expr::Index(index) => Some(&index.expr),
        Expr::MethodCall(call) => Some(&call.receiver),
        Expr::Range(range) => range.start.as_deref(),
        Expr::Try(value) => Some(&value.expr),
        _ => None,
    }
}

/// Whether a statement ends with it.
fn is_block(expr: &Expr) -> bool {
    matches!(
        expr,
        Expr::Async(_)
            | Expr::Block(_)
            | Expr::Const(_)
            | Expr::ForLoop(_)
            | Expr::If(_)
            | Expr::Loop(_)
            | Expr::Match(_)
            | Expr::Unsafe(_)
            | Expr::While(_)
    )
}

/// The tokens of a macro: what is between two commas is together without a group, too.
fn without_groups(tokens: TokenStream) -> TokenStream {
    let tokens: Vec<_> = tokens.into_iter().collect();
    let ends = |token: Option<&TokenTree>| match token {
        Some(TokenTree::Punct(punct)) => matches!(punct.as_char(), ',' | ';'),
        Some(TokenTree::Ident(word)) => word == "if",
        other => other.is_none(),
    };
    let mut without = TokenStream::new();
    for (index, token) in tokens.iter().enumerate() {
        let TokenTree::Group(group) = token else {
            without.extend([token.clone()]);
            continue;
        };
        let inside = without_groups(group.stream());
        if group.delimiter() != Delimiter::None {
            let mut same = Group::new(group.delimiter(), inside);
            same.set_span(group.span());
            without.extend([TokenTree::Group(same)]);
            continue;
        }
        let before = index.checked_sub(1).and_then(|before| tokens.get(before));
        let is_alone = ends(before) && ends(tokens.get(index + 1));
        match syn::parse2::<Expr>(inside.clone()) {
            Ok(expr) if !is_alone && !is_operand(&expr) => {
                let mut together = Group::new(Delimiter::Parenthesis, inside);
                together.set_span(group.span());
                without.extend([TokenTree::Group(together)]);
            }
            _ => without.extend(inside),
        }
    }
    without
}
