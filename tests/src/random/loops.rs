//! Loops of every kind. Each ends by itself: it goes over something finite, or counts its turns.

use super::node::{Node, Sort};
use super::patterns::Bound;
use super::scope::{Place, Use};
use super::types::Ty;
use super::{Generator, Target};

/// What a `for` goes over.
struct Source {
    row: &'static str,
    expression: Node,
    item: Ty,
    /// What its items borrow from.
    root: Option<usize>,
}

impl Generator {
    /// The body of a loop, with the loop as a target of jumps.
    fn looped(&mut self, label: &str, value: Option<&Ty>, most: usize) -> Node {
        self.targets.push(Target { label: label.to_owned(), value: value.cloned(), is_loop: true });
        self.scope.depth += 1;
        let mut body = self.body(most);
        if self.asks && self.questions > 0 && !self.chance.one_in(3) {
            body = Node::sequence(vec![self.ask_and_forget(), body]);
        }
        self.scope.depth -= 1;
        self.targets.pop();
        body
    }

    pub(super) fn for_loop(&mut self) -> Option<Node> {
        let mark = self.scope.mark();
        let mut first = Node::text("");
        let source = match self.chance.below(6) {
            0 => self.range(),
            1 => self.over_a_value(),
            2 => self.over_a_place().unwrap_or_else(|| self.over_a_value()),
            _ => {
                first = self.something_to_go_over();
                self.over_a_place().unwrap_or_else(|| self.over_a_value())
            }
        };
        let label = self.label();
        self.scope.depth += 1;
        let (pattern, bound) = match &source.item {
            Ty::Ref(inner) => self.irrefutable(inner, 1, true),
            Ty::Mut(inner) => {
                let name = self.name();
                self.scope.declare_borrow(&name, Ty::Mut(inner.clone()), false, source.root);
                (name, Vec::new())
            }
            Ty::Pair(one, other) => match (&**one, &**other) {
                (Ty::Size, Ty::Ref(inner)) => {
                    let index = self.fresh();
                    self.scope.declare(&index, Ty::Size, false);
                    let (pattern, bound) = self.beside(&index, inner);
                    (format!("({index}, {pattern})"), bound)
                }
                (Ty::Ref(key), Ty::Ref(value)) => {
                    let (key_name, key_ty) = (self.fresh(), Ty::Ref(key.clone()));
                    self.scope.declare_borrow(&key_name, key_ty, false, source.root);
                    let (pattern, bound) = self.beside(&key_name, value);
                    (format!("({key_name}, {pattern})"), bound)
                }
                _ => self.irrefutable(&source.item, 2, false),
            },
            other => self.irrefutable(other, 2, false),
        };
        self.bind(bound, source.root);
        self.scope.depth -= 1;
        let mutable = matches!(source.item, Ty::Mut(_));
        let lock =
            source.root.map(|root| if mutable { self.scope.lock_out(root) } else { self.scope.lock(root) });
        let body = self.looped(&label, None, 4);
        if let Some(lock) = lock {
            self.scope.unlock(lock);
        }
        self.scope.leave(mark);
        let text = format!("{{ ~{label}: for {pattern} in ~ {{ ~ }} }}");
        Some(Node::statement(source.row, text, [first, source.expression, body]))
    }

    /// `let mut seen = Vec::new(); for item in place.iter() { ..; seen.push(item); }`
    pub(super) fn collected(&mut self) -> Option<Node> {
        let place = self.place(Use::Read, |place| matches!(place.ty, Ty::List(_) | Ty::Array(_)))?;
        let (Ty::List(inner) | Ty::Array(inner)) = place.ty else { return None };
        if matches!(*inner, Ty::Ref(_) | Ty::Slice) {
            return None;
        }
        let (seen, item, label) = (self.fresh(), self.fresh(), self.label());
        let mark = self.scope.mark();
        let lock = self.scope.lock(place.root);
        let body = self.looped(&label, None, 3);
        self.scope.unlock(lock);
        self.scope.leave(mark);
        let row = if self.chance.one_in(2) { "list_of_borrows" } else { "best_so_far" };
        let (first, keep, ty) = match row {
            "list_of_borrows" => {
                ("Vec::new()", format!("{seen}.push({item});"), Ty::list(inner.borrowed_item()))
            }
            _ => ("None", format!("{seen} = Some({item});"), Ty::option(inner.borrowed_item())),
        };
        self.scope.declare_borrow(&seen, ty, false, Some(place.root));
        let text =
            format!("let mut {seen} = {first}; {label}: for {item} in {}.iter() {{ ~ {keep} }}", place.text);
        Some(Node::statement(row, text, [body]))
    }

    /// A local that a loop can go over.
    fn something_to_go_over(&mut self) -> Node {
        let ty = match self.chance.below(9) {
            0..3 => Ty::list(Ty::Text),
            3..5 => Ty::list(Ty::Number),
            5 => Ty::list(Ty::Item),
            6..8 => Ty::Map,
            _ => Ty::Text,
        };
        let name = self.fresh();
        let value = match ty {
            Ty::Text => Node::value("", &ty, "\"one two\\nthree\".to_owned()", []),
            _ => self.value(&ty),
        };
        self.scope.declare(&name, ty, true);
        Node::statement("", format!("let mut {name} = ~;"), [value])
    }

    fn range(&mut self) -> Source {
        let (row, template, ends) = match self.chance.below(6) {
            0 => ("for_over_a_range", "0..~ % 4", 1),
            1 => ("for_over_an_inclusive_range", "0..=~ % 3", 1),
            2 => ("for_over_a_range_adapted", "(0..~ % 4).rev()", 1),
            3 => ("for_over_a_range_adapted", "(0..=~ % 5).step_by(2)", 1),
            4 => ("for_over_a_range", "~ % 3..~ % 6", 2),
            _ => ("for_over_a_range", "(1..).take(~ as usize % 4)", 1),
        };
        let parts = (0..ends).map(|_| self.value(&Ty::Number)).collect::<Vec<_>>();
        // An end that a cast follows stands in parentheses.
        let parts =
            parts.into_iter().map(|part| Node::new("", Sort::Part, "(~)", [part])).collect::<Vec<_>>();
        Source { row, expression: Node::new("", Sort::Part, template, parts), item: Ty::Number, root: None }
    }

    /// A pattern for a borrowed value beside a name, which it does not bind again.
    fn beside(&mut self, name: &str, ty: &Ty) -> (String, Vec<Bound>) {
        let (pattern, bound) = self.irrefutable(ty, 1, true);
        if bound.iter().any(|bound| bound.name == name) {
            return ("_".to_owned(), Vec::new());
        }
        (pattern, bound)
    }

    fn over_a_place(&mut self) -> Option<Source> {
        if self.chance.one_in(4) {
            return self.over_a_place_mutably();
        }
        let suits = |place: &Place| {
            matches!(place.ty, Ty::List(_) | Ty::Array(_) | Ty::Text | Ty::Map | Ty::Option(_))
        };
        // What was declared last is what the loop is for, more often than not.
        let latest = self.scope.places(Use::Read).into_iter().rfind(|place| place.whole && suits(place));
        let place = match latest.filter(|_| !self.chance.one_in(3)) {
            Some(latest) => latest,
            None => self.place(Use::Read, suits)?,
        };
        let text = &place.text;
        let (row, expression, item) = match &place.ty {
            Ty::List(inner) | Ty::Array(inner) => {
                let item = (**inner).clone().borrowed_item();
                match self.chance.below(10) {
                    0 => ("for_over_a_borrow", format!("&{text}"), item),
                    1 => ("for_over_iter", format!("{text}.iter()"), item),
                    2 | 9 => {
                        let item = Ty::pair(Ty::Size, item);
                        ("for_over_iter_enumerate", format!("{text}.iter().enumerate()"), item)
                    }
                    3 => ("for_over_iter_rev", format!("{text}.iter().rev()"), item),
                    4 => ("for_over_iter_skip", format!("{text}.iter().skip(1)"), item),
                    5 => ("for_over_iter_cloned", format!("{text}.iter().cloned()"), (**inner).clone()),
                    6 => {
                        let item = Ty::pair(item.clone(), item);
                        ("for_over_iter_zip", format!("{text}.iter().zip(&{text})"), item)
                    }
                    7 => {
                        let filter = match **inner {
                            Ty::Text => "|part| part.len() != 3",
                            Ty::Number => "|part| **part != 2",
                            _ => "|_| true",
                        };
                        ("for_over_iter_filter", format!("{text}.iter().filter({filter})"), item)
                    }
                    _ => ("for_over_a_slice", format!("&{text}[..]"), item),
                }
            }
            Ty::Text => match self.chance.below(3) {
                0 => ("for_over_chars", format!("{text}.chars().take(3)"), Ty::Char),
                1 => ("for_over_lines", format!("{text}.lines()"), Ty::Slice),
                _ => ("for_over_words", format!("{text}.split_whitespace()"), Ty::Slice),
            },
            Ty::Map => match self.chance.below(3) {
                0 => (
                    "for_over_a_map",
                    format!("&{text}"),
                    Ty::pair(Ty::Text.borrowed(), Ty::Number.borrowed()),
                ),
                1 => ("for_over_keys", format!("{text}.keys()"), Ty::Text.borrowed()),
                _ => ("for_over_values", format!("{text}.values()"), Ty::Number.borrowed()),
            },
            Ty::Option(inner) => {
                ("for_over_an_option", format!("&{text}"), (**inner).clone().borrowed_item())
            }
            _ => return None,
        };
        let expression = Node::text(expression);
        Some(Source { row, expression, item, root: Some(place.root) })
    }

    fn over_a_place_mutably(&mut self) -> Option<Source> {
        let place = self.place(Use::Write, |place| matches!(place.ty, Ty::List(_) | Ty::Array(_)))?;
        let (Ty::List(inner) | Ty::Array(inner)) = place.ty else { return None };
        let text = &place.text;
        let expression = match self.chance.below(2) {
            0 => format!("&mut {text}"),
            _ => format!("{text}.iter_mut()"),
        };
        let (expression, root) = (Node::text(expression), Some(place.root));
        Some(Source { row: "for_over_a_mutable_borrow", expression, item: Ty::Mut(inner), root })
    }

    fn over_a_value(&mut self) -> Source {
        let inner = self.some_type();
        let list = Ty::list(inner.clone());
        let (row, template, of) = match self.chance.below(8) {
            0 => ("for_over_an_array", "~", Ty::Array(Box::new(inner.clone()))),
            1 => ("for_over_an_owned_option", "~", Ty::option(inner.clone())),
            2 => ("for_over_owned_items_adapted", "~.into_iter().rev()", list),
            3 => ("for_over_owned_items_adapted", "~.into_iter().filter(|_| true).chain(None)", list),
            4 => ("for_over_owned_items_adapted", "~.into_iter().map(same)", list),
            5 => ("for_over_once", "std::iter::once(~)", inner.clone()),
            _ => ("for_over_owned_items", "~", list),
        };
        let value = self.value(&of);
        let value = if template == "~" { Node::new("", Sort::Part, "(~)", [value]) } else { value };
        Source { row, expression: Node::new("", Sort::Part, template, [value]), item: inner, root: None }
    }

    pub(super) fn while_loop(&mut self) -> Option<Node> {
        let turns = self.turns();
        let label = self.label();
        self.scope.depth += 1;
        let condition = self.value(&Ty::Bool);
        self.scope.depth -= 1;
        let body = self.looped(&label, None, 4);
        let text = format!("let mut {turns} = 0; {label}: while {turns} < 3 && ~ {{ {turns} += 1; ~ }}");
        Some(Node::statement("while", text, [condition, body]))
    }

    fn turns(&mut self) -> String {
        self.count += 1;
        format!("turns{}", self.count)
    }

    pub(super) fn while_let(&mut self) -> Option<Node> {
        let label = self.label();
        match self.chance.below(4) {
            0 => self.while_let_pop(&label),
            1 => self.while_let_next(&label),
            2 => self.for_over_by_ref(&label),
            _ => self.while_let_answer(&label),
        }
    }

    fn while_let_pop(&mut self, label: &str) -> Option<Node> {
        let item = self.some_type();
        let (list, value) = (self.fresh(), self.value(&Ty::list(item.clone())));
        let mark = self.scope.mark();
        self.scope.depth += 1;
        let (pattern, bound) = self.irrefutable(&item, 1, false);
        self.bind(bound, None);
        self.scope.depth -= 1;
        let body = self.looped(label, None, 3);
        self.scope.leave(mark);
        let text = format!("let mut {list} = ~; {label}: while let Some({pattern}) = {list}.pop() {{ ~ }}");
        Some(Node::statement("while_let_pop", text, [value, body]))
    }

    fn while_let_next(&mut self, label: &str) -> Option<Node> {
        if self.chance.one_in(2) {
            return Some(self.while_let_next_of_a_range(label));
        }
        let place = self.place(Use::Read, |place| matches!(place.ty, Ty::List(_) | Ty::Array(_)))?;
        let (iterator, item) = (self.fresh(), self.name());
        let body = self.looped_over_items(label, &place, &item)?;
        let text = format!(
            "let mut {iterator} = {}.iter(); {label}: while let Some({item}) = {iterator}.next() {{ ~ }}",
            place.text
        );
        Some(Node::statement("while_let_next", text, [body]))
    }

    /// The body of a loop that goes by an iterator over a place's items, which are borrowed meanwhile.
    fn looped_over_items(&mut self, label: &str, place: &Place, item: &str) -> Option<Node> {
        let (Ty::List(inner) | Ty::Array(inner)) = &place.ty else { return None };
        let lock = self.scope.lock(place.root);
        let mark = self.scope.mark();
        self.scope.depth += 1;
        self.scope.declare_borrow(item, (**inner).clone().borrowed_item(), false, Some(place.root));
        self.scope.depth -= 1;
        let body = self.looped(label, None, 3);
        self.scope.leave(mark);
        self.scope.unlock(lock);
        Some(body)
    }

    /// `for item in iterator.by_ref() { .. }`, and what the loop left of the iterator.
    fn for_over_by_ref(&mut self, label: &str) -> Option<Node> {
        let place = self.place(Use::Read, |place| matches!(place.ty, Ty::List(_) | Ty::Array(_)))?;
        let adapted = [
            "~",
            "~.enumerate()",
            "~.take(2)",
            "~.skip(1)",
            "~.zip(3_u8..)",
            "~.take(3).enumerate().map(|(at, item)| (item, at))",
            "~.filter(|item| format!(\"{item:?}\").len() > 2)",
            "~.inspect(|item| effect(format_args!(\"{item:?}\"))).take_while(|item| format!(\"{item:?}\").len() < 9)",
        ];
        let which = self.chance.below(adapted.len());
        let (iterator, item, at) = (self.fresh(), self.name(), self.fresh());
        let pattern = match which {
            1 => format!("({at}, {item})"),
            4 | 5 => format!("({item}, {at})"),
            _ => item.clone(),
        };
        let by_ref =
            if self.chance.one_in(3) { format!("(&mut {iterator})") } else { format!("{iterator}.by_ref()") };
        let source = adapted[which].replace('~', &by_ref);
        let body = self.looped_over_items(label, &place, &item)?;
        let text = format!(
            "let mut {iterator} = {}.iter(); {label}: for {pattern} in {source} {{ ~ }} \
             effect(format_args!(\"{{:?}}\", {iterator}.next()));",
            place.text
        );
        Some(Node::statement("for_over_by_ref", text, [body]))
    }

    fn while_let_next_of_a_range(&mut self, label: &str) -> Node {
        let (range, item) = (self.fresh(), self.name());
        let end = self.value(&Ty::Number);
        let mark = self.scope.mark();
        self.scope.depth += 1;
        self.scope.declare(&item, Ty::Number, false);
        self.scope.depth -= 1;
        let body = self.looped(label, None, 3);
        self.scope.leave(mark);
        let text =
            format!("let mut {range} = 0..(~) % 4; {label}: while let Some({item}) = {range}.next() {{ ~ }}");
        Node::statement("while_let_next", text, [end, body])
    }

    fn while_let_answer(&mut self, label: &str) -> Option<Node> {
        if !self.asks || self.questions == 0 {
            return None;
        }
        let turns = self.turns();
        let form = self.form();
        self.scope.depth += 1;
        let question = self.ask(&form, true);
        let mark = self.scope.mark();
        let (pattern, bound) = self.refutable(&form, 1, false);
        self.bind(bound, None);
        self.scope.depth -= 1;
        let body = self.looped(label, None, 3);
        self.scope.leave(mark);
        let text = format!(
            "let mut {turns} = 0; {label}: while let Ok({pattern}) = ~ && {turns} < 3 {{ {turns} += 1; ~ }}"
        );
        Some(Node::statement("while_let_answer", text, [question, body]))
    }

    pub(super) fn endless_loop(&mut self) -> Option<Node> {
        let (turns, label) = (self.turns(), self.label());
        let body = self.looped(&label, None, 4);
        let text =
            format!("let mut {turns} = 0; {label}: loop {{ {turns} += 1; if {turns} > 3 {{ break; }} ~ }}");
        Some(Node::statement("loop", text, [body]))
    }

    pub(super) fn loop_with_a_value(&mut self, ty: &Ty) -> Option<Node> {
        let (turns, label) = (self.turns(), self.label());
        let depth = self.scope.depth;
        self.scope.depth += 1;
        let end = self.value(ty);
        self.scope.depth = depth;
        let body = self.looped(&label, Some(ty), 3);
        let text = format!(
            "{{ let mut {turns} = 0; {label}: loop {{ {turns} += 1; if {turns} > 2 {{ break (~); }} ~ }} }}"
        );
        Some(Node::value("loop_with_a_value", ty, text, [end, body]))
    }
}

impl Ty {
    /// The item of an iterator over a borrow of things of this type.
    pub(super) fn borrowed_item(self) -> Self {
        Self::Ref(Box::new(self))
    }
}
