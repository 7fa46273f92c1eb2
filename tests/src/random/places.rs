//! Borrows, and changes of places.

use super::Generator;
use super::node::Node;
use super::scope::{Place, Use};
use super::types::Ty;

impl Generator {
    pub(super) fn place(&mut self, wanted: Use, suits: impl Fn(&Place) -> bool) -> Option<Place> {
        let places = self.scope.places(wanted).into_iter().filter(suits).collect::<Vec<_>>();
        self.chance.pick(&places).cloned()
    }

    /// `let r = &place;`
    pub(super) fn borrow(&mut self) -> Option<Node> {
        let place = self.place(Use::Read, |place| !matches!(place.ty, Ty::Ref(_) | Ty::Slice))?;
        let name = self.name();
        let text = format!("let {name} = &{};", place.text);
        self.scope.declare_borrow(name, Ty::Ref(Box::new(place.ty)), false, Some(place.root));
        Some(Node::statement(if place.whole { "borrow_of_a_local" } else { "borrow_of_a_part" }, text, []))
    }

    /// `let r = &mut place;`
    pub(super) fn borrow_mutably(&mut self) -> Option<Node> {
        let place =
            self.place(Use::Write, |place| !matches!(place.ty, Ty::Ref(_) | Ty::Mut(_) | Ty::Slice))?;
        let name = self.name();
        let text = format!("let {name} = &mut {};", place.text);
        self.scope.declare_borrow(name, Ty::Mut(Box::new(place.ty)), false, Some(place.root));
        Some(Node::statement("mutable_borrow", text, []))
    }

    /// `let r = list.last_mut().unwrap();`
    pub(super) fn reach(&mut self) -> Option<Node> {
        if self.chance.one_in(3) {
            return self.reach_by_entry();
        }
        let inner = |ty: &Ty| match ty {
            Ty::List(inner) | Ty::Option(inner) => {
                (!matches!(**inner, Ty::Ref(_) | Ty::Mut(_) | Ty::Slice)).then(|| (**inner).clone())
            }
            _ => None,
        };
        let place = self.place(Use::Write, |place| inner(&place.ty).is_some())?;
        let (inner, name, text) = (inner(&place.ty)?, self.name(), &place.text);
        let lock = self.scope.lock_out(place.root);
        let value = self.quietly(|inside| inside.value(&inner));
        self.scope.unlock(lock);
        let text = if matches!(place.ty, Ty::Option(_)) {
            format!("let {name} = {text}.get_or_insert_with(|| ~);")
        } else {
            let (longest, shown) = (self.fresh(), "|item| format!(\"{item:?}\").len()");
            let found = format!("iter_mut().find({shown} >= {longest})");
            let largest = format!("iter_mut().max_by_key({shown})");
            // Another index by the time of the next question.
            let at = self.fresh();
            let by_index = format!("get_mut({at})");
            let method =
                *self.chance.pick(&["last_mut()", &found, &largest, "iter_mut().last()", &by_index])?;
            format!(
                "if {text}.is_empty() {{ {text}.push(~); }} \
                 let {longest} = {text}.iter().map({shown}).max().unwrap_or_default(); \
                 let mut {at} = {text}.len() - 1; \
                 let {name} = {text}.{method}.unwrap(); {at} += 1;"
            )
        };
        self.scope.declare_borrow(name, Ty::Mut(Box::new(inner)), false, Some(place.root));
        Some(Node::statement("mutable_reference_by_a_method", text, [value]))
    }

    /// `let count = map.entry(key).or_default();`, which takes the key.
    fn reach_by_entry(&mut self) -> Option<Node> {
        let place = self.place(Use::Write, |place| place.ty == Ty::Map)?;
        let name = self.name();
        let lock = self.scope.lock_out(place.root);
        let key = self.quietly(|inside| inside.value(&Ty::Text));
        self.scope.unlock(lock);
        let fill = *self.chance.pick(&["or_default()", "or_insert(3)", "or_insert_with(|| 4)"])?;
        let text = format!("let {name} = {}.entry(~).{fill};", place.text);
        self.scope.declare_borrow(name, Ty::Mut(Box::new(Ty::Number)), false, Some(place.root));
        Some(Node::statement("mutable_reference_by_a_method", text, [key]))
    }

    /// `let text = place.as_str();`
    pub(super) fn borrow_by_method(&mut self) -> Option<Node> {
        let suits = |place: &Place| match &place.ty {
            Ty::Text => true,
            Ty::Option(inner) => **inner == Ty::Text,
            _ => false,
        };
        let place = self.place(Use::Read, suits)?;
        let name = self.name();
        let (call, ty) = match (&place.ty, self.chance.below(2)) {
            (Ty::Text, 0) => (format!("{}.as_str()", place.text), Ty::Slice),
            (Ty::Text, _) => (format!("&{}[..]", place.text), Ty::Slice),
            (_, 0) => (format!("{}.as_deref()", place.text), Ty::option(Ty::Slice)),
            _ => (format!("{}.as_ref()", place.text), Ty::option(Ty::Text.borrowed())),
        };
        let text = format!("let {name} = {call};");
        self.scope.declare_borrow(name, ty, false, Some(place.root));
        Some(Node::statement("borrow_by_a_method", text, []))
    }

    /// `let looked = looked_at(&place);`, `let first = place.first();`
    pub(super) fn borrow_by_function(&mut self) -> Option<Node> {
        let place = self.place(Use::Read, |place| match &place.ty {
            Ty::Ref(_) | Ty::Mut(_) | Ty::Slice => false,
            Ty::List(inner) | Ty::Array(inner) => !matches!(**inner, Ty::Ref(_) | Ty::Slice),
            _ => true,
        })?;
        let name = self.name();
        let (call, ty) = match (place.ty, self.chance.below(3)) {
            (Ty::List(inner) | Ty::Array(inner), 0) => {
                (format!("{}.first()", place.text), Ty::option((*inner).borrowed_item()))
            }
            (Ty::List(inner) | Ty::Array(inner), 1) => {
                let call = format!("{}.iter().filter(|_| noted(true)).collect::<Vec<_>>()", place.text);
                (call, Ty::list((*inner).borrowed_item()))
            }
            (ty, _) => (format!("looked_at(&{})", place.text), ty.borrowed()),
        };
        let text = format!("let {name} = {call};");
        self.scope.declare_borrow(name, ty, false, Some(place.root));
        Some(Node::statement("borrow_by_a_function", text, []))
    }

    /// `let largest = place.iter().max_by_key(..);`
    pub(super) fn pick(&mut self) -> Option<Node> {
        let place = self.place(Use::Read, |place| matches!(place.ty, Ty::List(_) | Ty::Array(_)))?;
        let (Ty::List(inner) | Ty::Array(inner)) = place.ty else { return None };
        let pick = match *inner {
            Ty::Text => "min_by_key(|part| part.len())",
            Ty::Number => "find(|part| **part > 1)",
            Ty::Item => "max_by_key(|item| (item.size, item.name.as_str()))",
            _ => "last()",
        };
        let name = self.name();
        let text = format!("let {name} = {}.iter().{pick};", place.text);
        self.scope.declare_borrow(name, Ty::option((*inner).borrowed_item()), false, Some(place.root));
        Some(Node::statement("pick_of_a_list", text, []))
    }

    /// `let Item { name, .. } = &place;`
    pub(super) fn borrow_by_pattern(&mut self) -> Option<Node> {
        let place = self.place(Use::Read, |place| {
            matches!(place.ty, Ty::Item | Ty::Pair(..) | Ty::Array(_) | Ty::Target | Ty::Name)
        })?;
        let by_ref = place.whole && self.chance.one_in(3);
        let root = Some(place.root);
        if by_ref {
            let name = self.name();
            let text = format!("let ref {name} = {};", place.text);
            self.scope.declare_borrow(name, Ty::Ref(Box::new(place.ty)), false, root);
            return Some(Node::statement("ref_pattern", text, []));
        }
        let (pattern, bound) = self.irrefutable(&place.ty, 2, true);
        let text = format!("let {pattern} = &{};", place.text);
        self.bind(bound, root);
        Some(Node::statement("pattern_on_a_borrow", text, []))
    }

    /// A borrow that is not used any more, and a change of what it borrowed from.
    pub(super) fn change_after_borrow(&mut self) -> Option<Node> {
        let chosen = self.chance.below(8);
        let name = self.scope.retire(chosen)?;
        let place = self.place(Use::Write, |place| place.text == name)?;
        let ty = place.ty.clone();
        let value = self.value(&ty);
        let lives = self.place(Use::Write, |place| place.text == name).is_some();
        lives.then(|| Node::statement("change_after_a_borrow", format!("{name} = ~;"), [value]))
    }

    /// `place = value;`
    pub(super) fn assign(&mut self) -> Option<Node> {
        let place = self.place(Use::Write, |place| !matches!(place.ty, Ty::Ref(_) | Ty::Mut(_)))?;
        let lock = self.scope.lock(place.root);
        let value = self.value(&place.ty);
        self.scope.unlock(lock);
        let row = if place.whole { "assignment" } else { "assignment_to_a_part" };
        Some(Node::statement(row, format!("{} = ~;", place.text), [value]))
    }

    /// The same with a question in the value, and to a part more often.
    pub(super) fn assign_eagerly(&mut self) -> Option<Node> {
        let place = self.place(Use::Write, |place| {
            !place.whole && matches!(place.ty, Ty::Number | Ty::Text | Ty::Bool | Ty::Byte)
        })?;
        let lock = self.scope.lock(place.root);
        let before = std::mem::replace(&mut self.eager, true);
        let value = self.value(&place.ty);
        self.eager = before;
        self.scope.unlock(lock);
        Some(Node::statement("assignment_to_a_part", format!("{} = ~;", place.text), [value]))
    }

    /// `place += value;`
    pub(super) fn compound(&mut self) -> Option<Node> {
        let place = self.place(Use::Write, |place| matches!(place.ty, Ty::Number | Ty::Text | Ty::Bool))?;
        let lock = if place.text.contains('[') {
            self.scope.lock_out(place.root)
        } else {
            self.scope.lock(place.root)
        };
        let node = match place.ty {
            Ty::Number => {
                let op = self.chance.word(&["+=", "|=", "^=", "%=", "*="]);
                let value = self.value(&Ty::Number);
                Node::statement("compound_assignment", format!("{} {op} ~ % 50 + 1;", place.text), [value])
            }
            Ty::Bool => {
                let op = self.chance.word(&["&=", "|=", "^="]);
                let value = self.value(&Ty::Bool);
                Node::statement("compound_assignment", format!("{} {op} ~;", place.text), [value])
            }
            _ => {
                let value = self.value(&Ty::Text);
                Node::statement("compound_assignment", format!("{} += &brief(~);", place.text), [value])
            }
        };
        self.scope.unlock(lock);
        Some(node)
    }

    /// A method that changes its receiver.
    pub(super) fn change_by_method(&mut self) -> Option<Node> {
        let suits = |place: &Place| match &place.ty {
            Ty::Text | Ty::Map | Ty::Number => true,
            Ty::List(_) => !place.is_items(),
            Ty::Option(inner) => inner.is_copy() || **inner == Ty::Text,
            _ => false,
        };
        let place = self.place(Use::Write, suits)?;
        let lock = match place.ty {
            Ty::Number => self.scope.lock_out(place.root),
            // An element is borrowed before the argument is evaluated.
            _ if place.text.contains('[') => self.scope.lock_out(place.root),
            _ => self.scope.lock(place.root),
        };
        let text = &place.text;
        let node = match &place.ty {
            Ty::Text => {
                let value = self.value(&Ty::Text);
                Node::statement("method_on_a_place", format!("{text}.push_str(&brief(~));"), [value])
            }
            Ty::Map => {
                let (key, value) = (self.value(&Ty::Text), self.value(&Ty::Number));
                Node::statement("method_on_a_place", format!("{text}.insert(~, ~);"), [key, value])
            }
            Ty::Number => {
                let value = self.value(&Ty::Number);
                Node::statement("borrow_as_an_argument", format!("bump(&mut {text}, ~);"), [value])
            }
            Ty::List(inner) => {
                let value = self.value(inner);
                Node::statement("method_on_a_place", format!("{text}.push(~);"), [value])
            }
            Ty::Option(inner) => {
                let value = self.value(inner);
                Node::statement("method_on_a_place", format!("{text}.get_or_insert(~);"), [value])
            }
            _ => return None,
        };
        self.scope.unlock(lock);
        Some(node)
    }
}
