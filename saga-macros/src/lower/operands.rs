//! Operands: what an expression evaluates, in which order, and what of it must be kept in a temporary when a later
//! operand suspends.
//!
//! ```text
//! [source]  send(a(), &mut log, elicit(..).await?, b())
//! [tree]    t1 = a(); t2 = &mut log; hole = elicit(..).await?; send(t1, t2, hole, b())
//! ```

use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{Expr, ExprMethodCall, Ident};

use super::assigned::assigned_in;
use super::borrow::{is_place_form, unwrap};
use super::changed::Part;
use super::touched::touched_in;
use super::{Lowerer, compound, early, lazy, pure};
use crate::parse::places::is_compound;
use crate::parse::{macros, plain_name, suspension};
use crate::tree::{Concern, Filled, Node, Temporary, Way, marked};

/// What the expression around does with an operand.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// Its value is taken.
    Value,
    /// It may be a place, which is then looked at only when the whole is evaluated.
    Place,
    /// The same, and nothing is done but to look at it.
    Read,
    /// It is what a method is called on that takes it, or a copy of it.
    Copied,
    /// It is evaluated after all others: the target of an assignment.
    Target,
    /// The target of an assignment that is a call: nothing after it may change it.
    Assigned,
}

/// An expression's operands, split at the last one that suspends.
pub(super) struct Split {
    pub(super) temporaries: Vec<Temporary>,
    pub(super) hole: Node,
    pub(super) filled: Filled,
}

impl Role {
    /// Macros borrow some of their arguments.
    const fn of_argument(borrowed: bool) -> Self {
        if borrowed { Self::Place } else { Self::Value }
    }
}

impl Lowerer<'_> {
    /// Splits an expression at its last operand that suspends: the temporaries before it, and itself as the hole;
    /// the expression is left with names in their places.
    pub(super) fn operands(&mut self, whole: &mut Expr, marker: &Ident) -> Option<Split> {
        let macro_arguments = match whole {
            Expr::Macro(expr) => macros::arguments(&expr.mac),
            _ => None,
        };
        if let (Some(mut arguments), Expr::Macro(expr)) = (macro_arguments, &mut *whole) {
            let roles = macros::borrowed(&expr.mac).map(Role::of_argument);
            let operands = arguments.iter_mut().map(value_of).zip(roles).collect();
            let split = self.split(operands, marker)?;
            expr.mac.tokens = arguments.into_token_stream();
            return Some(split);
        }
        let copy = match whole {
            Expr::MethodCall(call) if role_of_receiver(call) == Role::Place => self.copy_receiver(call),
            _ => None,
        };
        let operands = operands_of(whole);
        let split = self.split(operands, marker)?;
        let (Some(copy), Expr::MethodCall(call)) = (copy, &*whole) else { return Some(split) };
        *whole = self.called_on_copy(call, &copy);
        let temporaries = std::iter::once(copy).chain(split.temporaries).collect();
        Some(Split { temporaries, hole: split.hole, filled: Filled::ByName })
    }

    fn split(&mut self, operands: Vec<(&mut Expr, Role)>, marker: &Ident) -> Option<Split> {
        let last = operands.iter().rposition(|(operand, _)| suspension::suspends(operand))?;
        let mut temporaries = Vec::new();
        let mut filled = Filled::InPlace;
        let assigned: Vec<_> = operands[..=last].iter().map(|(operand, _)| assigned_in(operand)).collect();
        let touched: Vec<_> = operands[..=last].iter().map(|(operand, _)| touched_in(operand)).collect();
        for (index, (operand, mut role)) in operands.into_iter().enumerate() {
            let later = assigned.get(index + 1..).unwrap_or_default().concat();
            let mut touched = touched.get(index + 1..).unwrap_or_default().concat();
            let may_be_read = role == Role::Read && is_place_form(operand);
            let is_element = may_be_read && matches!(unwrap(operand), Expr::Index(_));
            if is_element {
                // A part of a text has no size to be copied.
                touched.extend(later.iter().cloned().map(Part::whole));
            }
            role = match role {
                Role::Copied if meets_any(operand, &touched) => Role::Value,
                Role::Copied | Role::Read => Role::Place,
                role => role,
            };
            if role == Role::Place
                && !is_element
                && root_of(operand).is_some_and(|root| later.contains(&root))
            {
                // What is read before it is assigned was copied: a borrow would not outlive the assignment.
                role = Role::Value;
            }
            if role == Role::Assigned {
                role = Role::Place;
            }
            self.refuse_changed_capture(operand, &later);
            if index == last {
                if !temporaries.is_empty() && role == Role::Value && self.may_lend(operand) {
                    // It gets a name, too, which would outlive what it borrows from.
                    self.keep_lenders(operand, &mut temporaries);
                }
                let hole = self.hole(operand, role, marker, &mut temporaries);
                if !temporaries.is_empty() {
                    filled = Filled::ByName;
                }
                return Some(Split { temporaries, hole, filled });
            }
            if !self.is_constant(operand) {
                filled = Filled::ByName;
            }
            self.before_hole(operand, role, &mut temporaries);
            if may_be_read && role == Role::Place {
                self.read_early(operand, &touched, &mut temporaries);
            }
        }
        None
    }

    fn hole(
        &mut self,
        operand: &mut Expr,
        role: Role,
        marker: &Ident,
        temporaries: &mut Vec<Temporary>,
    ) -> Node {
        // `&elicit(..).await?`, `plan[elicit(..).await?].name`: the suspension is inside the place.
        if role != Role::Value
            && let Expr::Index(index) = operand
            && !suspension::suspends(&index.expr)
        {
            self.before_hole(&mut index.expr, Role::Place, temporaries);
            return self.hole(&mut index.index, Role::Value, marker, temporaries);
        }
        let node = self.expression(operand);
        *operand = marked(marker, operand.span());
        node
    }

    /// The receiver of a call, which the method may take or borrow: it stays a place.
    pub(super) fn receiver(&mut self, receiver: &mut Expr, temporaries: &mut Vec<Temporary>) {
        if suspension::suspends(receiver) {
            temporaries.push(self.hoist(receiver));
            return;
        }
        if !matches!(unwrap(receiver), Expr::Path(_)) {
            self.before_hole(receiver, Role::Place, temporaries);
        }
    }

    /// An operand that is evaluated before the hole.
    fn before_hole(&mut self, operand: &mut Expr, role: Role, temporaries: &mut Vec<Temporary>) {
        if self.stays(operand) || role == Role::Target {
            return;
        }
        match operand {
            Expr::Paren(paren) => return self.before_hole(&mut paren.expr, role, temporaries),
            // A borrow of a value: the value is kept, and borrowed again.
            Expr::Reference(_) => temporaries.extend(self.settle(operand).temporaries),
            _ => {}
        }
        if role == Role::Place && is_place_form(operand) {
            return self.settle_operand_place(operand, temporaries);
        }
        if role == Role::Place && self.is_lazy(operand) {
            return self.settle_lazy(operand, temporaries);
        }
        if role == Role::Place && self.hoist_reached(operand, temporaries) {
            return;
        }
        let iterates = lazy::iterates(operand);
        if self.may_lend(operand) {
            self.keep_lenders(operand, temporaries);
        }
        let temporary = self.hoist(operand);
        // A receiver may be borrowed mutably by the method; a borrow is derived again as it is.
        let local = &mut self.locals[temporary.local.0];
        local.mutable |= role == Role::Place && local.group.is_none();
        if iterates && local.group.is_none() {
            local.way = Way::Advanced;
        }
        temporaries.push(temporary);
    }

    /// An operand whose value is taken.
    pub(super) fn operand_value(&mut self, operand: &mut Expr, temporaries: &mut Vec<Temporary>) {
        self.before_hole(operand, Role::Value, temporaries);
    }

    fn settle_operand_place(&mut self, place: &mut Expr, temporaries: &mut Vec<Temporary>) {
        match place {
            Expr::Field(field) => self.before_hole(&mut field.base, Role::Place, temporaries),
            Expr::Unary(unary) => self.before_hole(&mut unary.expr, Role::Place, temporaries),
            Expr::Index(index) => {
                self.before_hole(&mut index.expr, Role::Place, temporaries);
                self.before_hole(&mut index.index, Role::Value, temporaries);
            }
            _ => {}
        }
    }

    /// A `move` closure copies what it captures; made after the hole it would copy what the hole assigned.
    fn refuse_changed_capture(&mut self, operand: &Expr, later: &[String]) {
        if let Expr::Closure(closure) = unwrap(operand)
            && closure.capture.is_some()
            && macros::identifiers(&closure.body.to_token_stream()).iter().any(|name| later.contains(name))
        {
            self.diagnostics.error(
                closure,
                "this closure captures a local that is assigned before the question, and is made after it; bind what \
                 it captures first: `let captured = ..;`",
            );
        }
    }

    /// Whether an operand can stay where it stands, since it means the same after the hole.
    pub(super) fn stays(&self, expr: &Expr) -> bool {
        match unwrap(expr) {
            // A closure has no effect until it is called, and could not travel.
            Expr::Closure(_) | Expr::Infer(_) => true,
            // Without `mut` it has one value, and a closure is no other one later.
            Expr::Path(path) => self.local_of(path).is_none_or(|local| {
                let local = &self.locals[local.0];
                !local.mutable || local.concern == Some(Concern::Closure)
            }),
            Expr::Reference(reference) if matches!(unwrap(&reference.expr), Expr::Closure(_)) => true,
            other => self.is_constant(other),
        }
    }
}

/// What a method does with what it is called on, by its name.
fn role_of_receiver(call: &ExprMethodCall) -> Role {
    if pure::takes_copy(call) {
        Role::Copied
    } else if pure::looks(call) || pure::reads(call) {
        Role::Read
    } else {
        Role::Place
    }
}

fn meets_any(place: &Expr, touched: &[Part]) -> bool {
    Part::of(place).is_some_and(|part| touched.iter().any(|other| other.meets(&part)))
}

/// The local that a place is a part of.
pub(super) fn root_of(place: &Expr) -> Option<String> {
    match place {
        Expr::Path(path) => path.path.get_ident().map(plain_name),
        Expr::Field(field) => root_of(&field.base),
        Expr::Index(index) => root_of(&index.expr),
        Expr::Paren(paren) => root_of(&paren.expr),
        Expr::Unary(unary) => root_of(&unary.expr),
        read => root_of(early::place_of(read)?),
    }
}

/// The value of a macro's argument: `name = value` names it.
fn value_of(argument: &mut Expr) -> &mut Expr {
    match argument {
        Expr::Assign(named) => &mut named.right,
        other => other,
    }
}

/// An expression's operands in the order in which Rust evaluates them.
fn operands_of(expr: &mut Expr) -> Vec<(&mut Expr, Role)> {
    match expr {
        Expr::Call(call) => {
            let function = std::iter::once((&mut *call.func, Role::Place));
            function.chain(call.args.iter_mut().map(|argument| (argument, Role::Value))).collect()
        }
        Expr::MethodCall(call) => {
            let role = role_of_receiver(call);
            let receiver = std::iter::once((&mut *call.receiver, role));
            receiver.chain(call.args.iter_mut().map(|argument| (argument, Role::Value))).collect()
        }
        Expr::Binary(binary) => operands_of_binary(binary),
        Expr::Assign(assign) => vec![(&mut assign.right, Role::Value), (&mut assign.left, Role::Target)],
        Expr::Index(index) => vec![(&mut index.expr, Role::Place), (&mut index.index, Role::Value)],
        Expr::Field(field) => vec![(&mut field.base, Role::Place)],
        Expr::Reference(reference) => vec![(&mut reference.expr, Role::Place)],
        Expr::Unary(unary) => vec![(&mut unary.expr, Role::Value)],
        Expr::Cast(cast) => vec![(&mut cast.expr, Role::Value)],
        Expr::Try(expr) => vec![(&mut expr.expr, Role::Value)],
        Expr::Await(expr) => vec![(&mut expr.base, Role::Value)],
        Expr::Tuple(tuple) => tuple.elems.iter_mut().map(|element| (element, Role::Value)).collect(),
        Expr::Array(array) => array.elems.iter_mut().map(|element| (element, Role::Value)).collect(),
        Expr::Repeat(repeat) => vec![(&mut repeat.expr, Role::Value)],
        Expr::Range(range) => [&mut range.start, &mut range.end]
            .into_iter()
            .flatten()
            .map(|end| (&mut **end, Role::Value))
            .collect(),
        Expr::Struct(literal) => {
            let fields = literal.fields.iter_mut().map(|field| {
                // `Order { many }`: its value may get another name.
                field.colon_token.get_or_insert_default();
                (&mut field.expr, Role::Value)
            });
            fields.chain(literal.rest.iter_mut().map(|rest| (&mut **rest, Role::Value))).collect()
        }
        _ => Vec::new(),
    }
}

fn operands_of_binary(binary: &mut syn::ExprBinary) -> Vec<(&mut Expr, Role)> {
    if is_compound(&binary.op) && compound::is_left_first(binary) {
        return vec![(&mut binary.left, Role::Assigned), (&mut binary.right, Role::Value)];
    }
    if is_compound(&binary.op) {
        return vec![(&mut binary.right, Role::Value), (&mut binary.left, Role::Target)];
    }
    // A comparison borrows its operands, the other operators take them.
    let role = if is_comparison(binary.op) { Role::Read } else { Role::Value };
    vec![(&mut binary.left, role), (&mut binary.right, role)]
}

const fn is_comparison(op: syn::BinOp) -> bool {
    use syn::BinOp::{Eq, Ge, Gt, Le, Lt, Ne};
    matches!(op, Eq(_) | Ne(_) | Lt(_) | Le(_) | Gt(_) | Ge(_))
}
