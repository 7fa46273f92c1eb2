//! Expressions, along their types.

use super::node::Node;
use super::scope::Use;
use super::types::Ty;
use super::{Generator, Target};

type Production = fn(&mut Generator, &Ty) -> Option<Node>;

/// How deep expressions are nested.
const DEEPEST: usize = 4;

const PRODUCTIONS: &[Production] = &[
    Generator::answer,
    Generator::answer,
    Generator::answer,
    Generator::answer,
    Generator::called,
    Generator::operators,
    Generator::operators,
    Generator::built,
    Generator::built,
    Generator::condition,
    Generator::let_condition,
    Generator::matched,
    Generator::block,
    Generator::labelled_block,
    Generator::typed_by_a_branch,
    Generator::loop_with_a_value,
    Generator::call,
    Generator::method,
    Generator::part,
    Generator::awaited,
    Generator::fallible,
    Generator::jump,
    Generator::replaced,
    Generator::called_closure,
    Generator::in_a_macro,
];

impl Generator {
    pub(super) fn some_type(&mut self) -> Ty {
        match self.chance.below(22) {
            0 => Ty::Bool,
            1 => Ty::Byte,
            2..=4 => Ty::Number,
            5..=7 => Ty::Text,
            8 => Ty::Slice,
            9 => Ty::Item,
            10 => Ty::Plan,
            11 => Ty::Kind,
            12 => self.form(),
            13 => Ty::Region,
            14 => Ty::option(self.some_type()),
            15 => Ty::list(self.owned_type()),
            16 => Ty::pair(self.some_type(), self.some_type()),
            17 => Ty::Array(Box::new(Ty::Number)),
            18 => Ty::Map,
            19 => Ty::Boxed(Box::new(Ty::Item)),
            20 => Ty::Answer(Box::new(self.form())),
            _ => self.chance.pick(&[Ty::Size, Ty::Signed, Ty::Char]).cloned().unwrap_or(Ty::Size),
        }
    }

    fn owned_type(&mut self) -> Ty {
        match self.chance.below(5) {
            0 => Ty::Number,
            1 => Ty::Item,
            2 => self.form(),
            3 => Ty::pair(Ty::Number, Ty::Text),
            _ => Ty::Text,
        }
    }

    /// A value of this type.
    pub(super) fn value(&mut self, ty: &Ty) -> Node {
        if self.eager
            && self.chance.one_in(2)
            && let Some(answer) = self.answer(ty)
        {
            return answer;
        }
        if self.nested >= DEEPEST {
            return self.leaf(ty);
        }
        self.nested += 1;
        let mut made = None;
        for _ in 0..3 {
            if self.chance.one_in(3) {
                break;
            }
            let production = self.chance.pick(PRODUCTIONS).copied();
            made = production.and_then(|production| production(self, ty));
            if made.is_some() {
                break;
            }
        }
        self.nested -= 1;
        made.unwrap_or_else(|| self.leaf(ty))
    }

    /// A value without a question.
    pub(super) fn leaf(&mut self, ty: &Ty) -> Node {
        if self.chance.one_in(4) {
            return self.literal(ty);
        }
        if !ty.is_copy() && self.chance.one_in(3) {
            let places = self.scope.places_of(ty, Use::Move);
            if let Some(place) = self.chance.pick(&places).cloned() {
                self.scope.moved(place.root);
                let row = if place.whole { "move" } else { "move_of_a_part" };
                return Node::value(row, ty, &place.text, []);
            }
        }
        let places = self.scope.places_of(ty, Use::Read);
        match self.chance.pick(&places) {
            Some(place) if ty.is_copy() => Node::value("", ty, &place.text, []),
            Some(place) => Node::value("", ty, format!("{}.clone()", place.text), []),
            None => self.literal(ty),
        }
    }

    fn literal(&mut self, ty: &Ty) -> Node {
        let number = self.chance.below(5);
        let text = match ty {
            Ty::Bool => self.chance.word(&["true", "false"]).to_owned(),
            Ty::Byte => format!("{number}_u8"),
            Ty::Number if self.chance.one_in(2) => number.to_string(),
            Ty::Number => format!("{number}_u32"),
            Ty::Size => format!("{number}_usize"),
            Ty::Text => format!("{:?}.to_owned()", self.chance.word(&["ada", "bo b", "", "k\\nl"])),
            Ty::Slice => format!("{:?}", self.chance.word(&["eu", "us", "north west"])),
            Ty::Item => format!("item(\"i{number}\", {number})"),
            Ty::Plan => format!("plan(\"p{number}\", {number})"),
            Ty::Kind => match number {
                0 => "Kind::Empty".to_owned(),
                1 => "Kind::Size(2)".to_owned(),
                2 => "Kind::Pair(3, \"p\".to_owned())".to_owned(),
                3 => "Kind::Of(item(\"of\", 1))".to_owned(),
                _ => "Kind::Named { name: \"n\".to_owned(), size: 5 }".to_owned(),
            },
            Ty::Region => self.chance.word(&["Region::Near", "Region::Far", "Region::Away"]).to_owned(),
            Ty::Option(inner) if number == 0 => format!("None::<{}>", inner.name()),
            Ty::List(_) if number == 0 => format!("{}::new()", ty.name().replacen('<', "::<", 1)),
            _ => ty.simplest(),
        };
        Node::value("", ty, text, [])
    }

    /// Both operands, the first of which is only borrowed.
    fn operands(&mut self, ty: &Ty) -> [Node; 2] {
        [self.value(ty), self.value(ty)]
    }

    pub(super) fn operators(&mut self, ty: &Ty) -> Option<Node> {
        match ty {
            Ty::Bool => match self.chance.below(5) {
                0 => Some(Node::value("lazy_operator", ty, "(~ && ~)", self.operands(ty))),
                1 => Some(Node::value("lazy_operator", ty, "(~ || ~)", self.operands(ty))),
                2 => Some(Node::value("unary_operator", ty, "(!~)", [self.value(ty)])),
                3 => {
                    let op = self.chance.word(&["(~ == ~)", "(~ != ~)", "(~ < ~)", "(~ >= ~)"]);
                    let of = self.chance.pick(&[Ty::Number, Ty::Text, Ty::Byte]).cloned()?;
                    Some(Node::value("comparison", ty, op, self.operands(&of)))
                }
                _ => {
                    let op = self.chance.word(&["(~ & ~)", "(~ | ~)", "(~ ^ ~)"]);
                    Some(Node::value("operator", ty, op, self.operands(ty)))
                }
            },
            Ty::Number | Ty::Byte | Ty::Size if self.chance.one_in(5) => {
                Some(Node::value("unary_operator", ty, "(!~ >> 1)", [self.value(ty)]))
            }
            Ty::Number | Ty::Byte | Ty::Size => {
                let template = self.chance.word(&[
                    "(~ % 7 + ~ % 9)",
                    "(~ % 5 * ~ % 11)",
                    "(~ | ~ & 3)",
                    "(~ ^ ~ >> 1)",
                    "~.wrapping_sub(~)",
                    "~.max(~)",
                ]);
                let row = if template.starts_with('(') { "operator" } else { "method_receiver" };
                let [one, other] = self.operands(ty);
                // A literal alone has no type that could have methods.
                let typed = format!("({} as {})", "~", ty.name());
                let one = Node::new("", super::node::Sort::Part, typed, [one]);
                Some(Node::value(row, ty, template, [one, other]))
            }
            Ty::Text => match self.chance.below(3) {
                0 => Some(Node::value("operator", ty, "(~ + &~)", self.operands(ty))),
                1 => Some(Node::value("operator", ty, "(~ + ~)", [self.value(ty), self.value(&Ty::Slice)])),
                _ => Some(Node::value("method_receiver", ty, "~.to_uppercase()", [self.value(ty)])),
            },
            _ => None,
        }
    }

    /// A value put together.
    pub(super) fn built(&mut self, ty: &Ty) -> Option<Node> {
        match ty {
            Ty::Option(inner) => Some(Node::value("call_argument", ty, "Some(~)", [self.value(inner)])),
            Ty::Pair(one, other) => {
                Some(Node::value("tuple", ty, "(~, ~)", [self.value(one), self.value(other)]))
            }
            Ty::Array(inner) => Some(Node::value(
                "array",
                ty,
                "[~, ~, ~]",
                [self.value(inner), self.value(inner), self.value(inner)],
            )),
            Ty::List(inner) => {
                Some(Node::value("vec_macro", ty, "vec![~, ~]", [self.value(inner), self.value(inner)]))
            }
            Ty::Boxed(inner) => Some(Node::value("call_argument", ty, "Box::new(~)", [self.value(inner)])),
            Ty::Answer(inner) => {
                Some(Node::value("call_argument", ty, "Ok::<_, StepError>(~)", [self.value(inner)]))
            }
            Ty::Item if self.chance.one_in(2) => {
                let parts = [self.value(&Ty::Text), self.value(ty)];
                Some(Node::value("struct_with_base", ty, "Item { name: ~, ..~ }", parts))
            }
            Ty::Item => {
                let parts = [self.value(&Ty::Text), self.value(&Ty::Number)];
                Some(Node::value("struct_literal", ty, "Item { name: ~, size: ~, tags: Vec::new() }", parts))
            }
            Ty::Plan => {
                let parts = [self.value(&Ty::Item), self.value(&Ty::Kind)];
                Some(Node::value(
                    "struct_with_base",
                    ty,
                    "Plan { lead: ~, kind: ~, ..plan(\"base\", 4) }",
                    parts,
                ))
            }
            Ty::Kind => {
                let parts = [self.value(&Ty::Number), self.value(&Ty::Text)];
                let template = self.chance.word(&["Kind::Pair(~, ~)", "Kind::Named { size: ~, name: ~ }"]);
                Some(Node::value("struct_literal", ty, template, parts))
            }
            Ty::Count => Some(Node::value("struct_literal", ty, "Count { n: ~ }", [self.value(&Ty::Byte)])),
            Ty::Name => Some(Node::value("struct_literal", ty, "Name { name: ~ }", [self.value(&Ty::Text)])),
            _ => None,
        }
    }

    fn condition(&mut self, ty: &Ty) -> Option<Node> {
        let condition = self.value(&Ty::Bool);
        let parts = [condition, self.valued_block(ty), self.valued_block(ty)];
        Some(Node::value("if_expression", ty, "if ~ { ~ } else { ~ }", parts))
    }

    fn let_condition(&mut self, ty: &Ty) -> Option<Node> {
        let (matched, of) = self.scrutinee()?;
        let mark = self.scope.mark();
        let (pattern, bound) = self.refutable(&of.ty, 2, of.borrowed);
        self.bind(bound, of.root);
        let (condition, row) = if self.chance.one_in(2) {
            let more = self.value(&Ty::Bool);
            (Node::new("", super::node::Sort::Part, " && ~", [more]), "let_chain")
        } else {
            (Node::text(""), "if_let")
        };
        let yes = self.valued_block(ty);
        self.scope.leave(mark);
        let no = self.valued_block(ty);
        Some(Node::value(
            row,
            ty,
            format!("if let {pattern} = ~~ {{ ~ }} else {{ ~ }}"),
            [matched, condition, yes, no],
        ))
    }

    /// What is matched: a value, a place, or a borrow of a place.
    pub(super) fn scrutinee(&mut self) -> Option<(Node, Matched)> {
        let wanted = |ty: &Ty| {
            matches!(
                ty,
                Ty::Option(_) | Ty::Kind | Ty::Pair(..) | Ty::Region | Ty::Number | Ty::Byte | Ty::Answer(_)
            )
        };
        if self.chance.one_in(2) {
            let place = self.place(Use::Read, |place| wanted(&place.ty));
            if let Some(place) = place {
                let matched = Node::text(format!("&{}", place.text));
                return Some((matched, Matched { ty: place.ty, borrowed: true, root: Some(place.root) }));
            }
        }
        let ty = match self.chance.below(6) {
            0 => Ty::option(self.some_type()),
            1 => Ty::Kind,
            2 => Ty::pair(Ty::Number, Ty::option(Ty::Text)),
            3 => Ty::Answer(Box::new(self.form())),
            4 => Ty::Region,
            _ => Ty::Byte,
        };
        let value = self.value(&ty);
        if self.chance.one_in(5) {
            let matched = Node::new("borrow_of_a_temporary", super::node::Sort::Part, "&(~)", [value]);
            return Some((matched, Matched { ty, borrowed: true, root: None }));
        }
        let value = Node::new("", super::node::Sort::Part, "(~)", [value]);
        Some((value, Matched { ty, borrowed: false, root: None }))
    }

    fn matched(&mut self, ty: &Ty) -> Option<Node> {
        let (matched, of) = self.scrutinee()?;
        let mut template = "match ~ {".to_owned();
        let mut parts = vec![matched];
        for _ in 0..=self.chance.below(2) {
            let mark = self.scope.mark();
            let (pattern, bound) = self.refutable(&of.ty, 3, of.borrowed);
            self.bind(bound, of.root);
            template += &format!(" {pattern}");
            if self.chance.one_in(4) {
                template += " if ~";
                parts.push(self.quietly(|inner| inner.value(&Ty::Bool)));
            }
            template += " => { ~ }";
            parts.push(self.valued_block(ty));
            self.scope.leave(mark);
        }
        template += " _ => { ~ } }";
        parts.push(self.valued_block(ty));
        Some(Node::value("match", ty, template, parts))
    }

    fn block(&mut self, ty: &Ty) -> Option<Node> {
        Some(Node::value("block_expression", ty, "{ ~ }", [self.valued_block(ty)]))
    }

    /// Statements and a value.
    pub(super) fn valued_block(&mut self, ty: &Ty) -> Node {
        let mark = self.scope.mark();
        let most = self.chance.below(3);
        let statements = self.block_statements(most);
        let value = self.value(ty);
        self.scope.leave(mark);
        Node::value("", ty, "~~", [statements, value])
    }

    fn labelled_block(&mut self, ty: &Ty) -> Option<Node> {
        let label = self.label();
        let target = Target { label: label.clone(), value: Some(ty.clone()), is_loop: false };
        let condition = self.value(&Ty::Bool);
        self.targets.push(target);
        let early = self.value(ty);
        let rest = self.valued_block(ty);
        self.targets.pop();
        let template = format!("{label}: {{ if ~ {{ break {label} (~); }} ~ }}");
        Some(Node::value("labelled_block", ty, template, [condition, early, rest]))
    }

    /// Branches of which only the first says what the type of their value is.
    fn typed_by_a_branch(&mut self, ty: &Ty) -> Option<Node> {
        if !ty.is_integer() {
            return None;
        }
        let (name, literal) = (ty.name(), self.chance.below(5));
        let which = self.chance.below(3);
        let typed = if which == 1 { self.value(&Ty::option(ty.clone())) } else { self.value(&Ty::Bool) };
        let label = self.label();
        let early = if which == 1 { Node::text("given") } else { self.value(ty) };
        let asked = self.answer(&Ty::Bool).unwrap_or_else(|| self.leaf(&Ty::Bool));
        let (row, template) = match which {
            0 => ("if_expression", format!("if ~ {{ (~) as {name} }} else {{ effect(~); {literal} }}")),
            1 => ("match", format!("match (~) {{ Some(given) => ~, None => {{ effect(~); {literal} }} }}")),
            _ => (
                "labelled_block",
                format!("{label}: {{ if ~ {{ break {label} ((~) as {name}); }} effect(~); {literal} }}"),
            ),
        };
        Some(Node::value(row, ty, template, [typed, early, asked]))
    }

    fn call(&mut self, ty: &Ty) -> Option<Node> {
        let node = match self.chance.below(6) {
            0 => Node::value("call_argument", ty, "same(~)", [self.value(ty)]),
            1 => Node::value("call_argument", ty, "noted(~)", [self.value(ty)]),
            2 => {
                let parts = [self.value(&Ty::Bool), self.value(ty), self.value(ty)];
                Node::value("call_argument", ty, "choose(~, ~, ~)", parts)
            }
            3 if *ty == Ty::Number => {
                let place = self.place(Use::Read, |place| place.ty == Ty::Text)?;
                Node::value("borrow_as_an_argument", ty, format!("length(&{})", place.text), [])
            }
            _ => {
                let of = self.some_type();
                Node::value("call_argument", ty, "second(~, ~)", [self.value(&of), self.value(ty)])
            }
        };
        Some(node)
    }

    fn method(&mut self, ty: &Ty) -> Option<Node> {
        let option = Ty::option(ty.clone());
        Some(match self.chance.below(5) {
            0 => Node::value("method_argument", ty, "~.unwrap_or(~)", [self.value(&option), self.value(ty)]),
            1 => {
                let given = self.value(&option);
                let otherwise = self.quietly(|inner| inner.value(ty));
                Node::value("closure_argument", ty, "~.unwrap_or_else(|| ~)", [given, otherwise])
            }
            2 => Node::value("method_receiver", ty, "vec![~].remove(0)", [self.value(ty)]),
            3 if *ty == Ty::Size => {
                let place = self.place(Use::Read, |place| matches!(place.ty, Ty::List(_) | Ty::Text))?;
                Node::value("", ty, format!("{}.len()", place.text), [])
            }
            _ => Node::value("method_receiver", ty, "Some(~).into_iter().next().unwrap()", [self.value(ty)]),
        })
    }

    fn part(&mut self, ty: &Ty) -> Option<Node> {
        Some(match self.chance.below(4) {
            0 => Node::value("field", ty, "(~, ~).1", [self.value(&Ty::Text), self.value(ty)]),
            1 if ty.is_copy() => {
                let parts = [self.value(ty), self.value(ty), self.value(&Ty::Bool)];
                Node::value("index", ty, "[~, ~][usize::from(~)]", parts)
            }
            2 if ty.is_copy() => Node::value("dereference", ty, "(*Box::new(~))", [self.value(ty)]),
            3 if ty.is_copy() => Node::value("reference", ty, "(*&~)", [self.value(ty)]),
            _ if *ty == Ty::Text => Node::value("field", ty, "~.name", [self.value(&Ty::Item)]),
            _ => Node::value("field", ty, "(~,).0", [self.value(ty)]),
        })
    }

    fn awaited(&mut self, ty: &Ty) -> Option<Node> {
        self.leaves.then(|| Node::value("ordinary_await", ty, "fleet.pass(~).await", [self.value(ty)]))
    }

    fn fallible(&mut self, ty: &Ty) -> Option<Node> {
        if !self.leaves {
            return None;
        }
        let parts = [self.value(ty), self.value(&Ty::Bool)];
        let template = self.chance.word(&[
            "fleet.check(~, ~)?",
            "fleet.check_later(~, ~).await?",
            "fleet.check(~, ~).map_err(|trouble| ToolError::new(trouble.0))?",
        ]);
        Some(Node::value("question_mark", ty, template, parts))
    }

    /// An expression that leaves what is around it instead of having a value.
    fn jump(&mut self, ty: &Ty) -> Option<Node> {
        let (row, jump) = self.leave()?;
        let option = Ty::option(ty.clone());
        let mark = self.scope.mark();
        self.scope.leave(mark);
        if self.chance.one_in(2) {
            let template = "match ~ { Some(given) => given, None => ~ }";
            return Some(Node::value(row, ty, template, [self.literal(&option), jump]));
        }
        let (condition, value) = (self.value(&Ty::Bool), self.value(ty));
        Some(Node::value(row, ty, "if ~ { ~ } else { ~ }", [condition, value, jump]))
    }

    fn replaced(&mut self, ty: &Ty) -> Option<Node> {
        let places = self.scope.places_of(ty, Use::Write);
        let place = self.chance.pick(&places).cloned()?;
        let lock = self.scope.lock_out(place.root);
        let value = self.value(ty);
        self.scope.unlock(lock);
        Some(Node::value(
            "borrow_as_an_argument",
            ty,
            format!("std::mem::replace(&mut {}, ~)", place.text),
            [value],
        ))
    }

    fn called_closure(&mut self, ty: &Ty) -> Option<Node> {
        // The closure has borrowed what it reads when its argument is evaluated.
        self.scope.closures += 1;
        let given = self.value(ty);
        self.scope.closures -= 1;
        let name = ty.name();
        let annotation = if name.contains('&') { String::new() } else { format!(": {name}") };
        let inner = self.quietly(|inner| inner.value(&Ty::Bool));
        let template = format!("(|given{annotation}| if ~ {{ given }} else {{ given }})(~)");
        Some(Node::value("called_closure", ty, template, [inner, given]))
    }

    pub(super) fn in_a_macro(&mut self, ty: &Ty) -> Option<Node> {
        match ty {
            Ty::Text => {
                let (one, other) = (self.some_type(), self.some_type());
                let parts = [self.value(&one), self.value(&other)];
                Some(Node::value("format_macro", ty, "format!(\"{:?}-{:?}\", ~, ~)", parts))
            }
            Ty::Bool => {
                let (matched, of) = self.scrutinee()?;
                let mark = self.scope.mark();
                let (pattern, bound) = self.refutable(&of.ty, 2, of.borrowed);
                self.bind(bound, None);
                let guard = self.chance.one_in(4).then(|| self.quietly(|inner| inner.value(ty)));
                self.scope.leave(mark);
                Some(match guard {
                    Some(guard) => {
                        let text = format!("matches!(~, {pattern} if ~)");
                        Node::value("matches_macro", ty, text, [matched, guard])
                    }
                    None => Node::value("matches_macro", ty, format!("matches!(~, {pattern})"), [matched]),
                })
            }
            _ => None,
        }
    }
}

/// What stands behind `match` or `=`.
pub(super) struct Matched {
    pub(super) ty: Ty,
    /// Whether patterns bind references.
    pub(super) borrowed: bool,
    /// The local that they then borrow from.
    pub(super) root: Option<usize>,
}
