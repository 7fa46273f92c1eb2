//! What a method of one's own is called on, where an argument that asks may make it another. A method that takes its
//! `self` has a copy of what it was before; from what a method borrows the borrow checker keeps all else. Which of the two
//! it is only rustc knows: what can be copied is kept, and called on if the place is another one then.
//!
//! ```text
//! [source]  board.at.plus(elicit(board.turn()).await?)
//! [tree]    t1 = Early::new(&board.at).copy(); hole = elicit(board.turn()).await?;
//!           match t1.before(&board.at) {
//!               Another(there, was) => { stays(there); let kept = home.insert(was); (*kept).plus(hole) }
//!               AsItIs => board.at.plus(hole),
//!           }
//! ```

use syn::spanned::Spanned;
use syn::{Expr, ExprMethodCall, parse_quote_spanned};

use super::assigned::assigned_in;
use super::changed::Part;
use super::iterate::is_one_of;
use super::touched::touched_in;
use super::{Lowerer, Place};
use crate::parse::places::unwrap;
use crate::parse::suspension;
use crate::tree::{Node, Temporary};

/// Methods of lists, texts and options that change what they are called on, beside those in `_mut`.
const CHANGING: [&str; 10] = [
    "append",
    "entry",
    "extend",
    "get_or_insert",
    "insert",
    "push",
    "push_back",
    "push_front",
    "push_str",
    "replace_range",
];

impl Lowerer<'_> {
    /// Keeps what a method is called on, if an argument may make that another.
    pub(super) fn copy_receiver(&mut self, call: &ExprMethodCall) -> Option<Temporary> {
        let arguments: Vec<_> = call.args.iter().collect();
        let last = arguments.iter().rposition(|argument| suspension::suspends(argument))?;
        // Two closures are of two types.
        if changes(call)
            || !is_field(&call.receiver)
            || arguments.iter().any(|it| matches!(unwrap(it), Expr::Closure(_)))
        {
            return None;
        }
        let part = Part::of(&call.receiver)?;
        let local = self.resolve(&part.root)?;
        let before = &arguments[..=last];
        let touched: Vec<_> = before.iter().flat_map(|argument| touched_in(argument)).collect();
        let is_assigned = before.iter().any(|argument| assigned_in(argument).contains(&part.root));
        if is_assigned || self.locals[local.0].untyped || !self.is_touched(local, &part, &touched) {
            return None;
        }
        let (place, span) = (&call.receiver, call.receiver.span());
        self.trace(place);
        let copy = parse_quote_spanned! {span=> {
            use ::saga_runtime::__private::{CopyItself as _, CopyNoReference as _, CopyNothing as _, CopyReference as _};
            (&&&::saga_runtime::__private::Early::new(&#place)).copy()
        }};
        let temporary = self.temporary(Node::Plain(copy), None, Place { mutable: false, span });
        self.note_lent(&[temporary.local]);
        Some(temporary)
    }

    /// The call, on what was kept or on the place.
    pub(super) fn called_on_copy(&mut self, call: &ExprMethodCall, copy: &Temporary) -> Expr {
        let (there, was, kept) = (self.fresh("there"), self.fresh("was"), self.fresh("kept"));
        let home = self.fresh("home");
        self.homes.push(home.clone());
        let (place, span, copy) = (&call.receiver, call.span(), &self.locals[copy.local.0].name);
        let mut on_copy = call.clone();
        *on_copy.receiver = parse_quote_spanned!(place.span()=> (*#kept));
        parse_quote_spanned! {span=>
            match ::saga_runtime::__private::Before::before(&#copy, &#place) {
                ::saga_runtime::__private::Was::Another(#there, #was) => {
                    ::saga_runtime::__private::stays(#there);
                    // What was there in an earlier iteration is not looked at.
                    #home = ::saga_runtime::__private::None;
                    let #kept = #home.insert(#was);
                    #on_copy
                }
                ::saga_runtime::__private::Was::AsItIs => #call,
            }
        }
    }
}

fn changes(call: &ExprMethodCall) -> bool {
    is_one_of(call, &CHANGING) || call.method.to_string().ends_with("_mut")
}

/// A local, or a field of one.
fn is_field(place: &Expr) -> bool {
    match unwrap(place) {
        Expr::Path(_) => true,
        Expr::Field(field) => is_field(&field.base),
        _ => false,
    }
}
