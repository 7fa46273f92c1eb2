//! Statements.

use super::Generator;
use super::node::{Node, Sort};
use super::scope::{Place, Use};
use super::types::Ty;

type Production = fn(&mut Generator) -> Option<Node>;

const PRODUCTIONS: &[Production] = &[
    Generator::let_name,
    Generator::let_name,
    Generator::let_name,
    Generator::let_pattern,
    Generator::let_answer,
    Generator::let_answer,
    Generator::let_else,
    Generator::deferred,
    Generator::let_closure,
    Generator::borrow,
    Generator::borrow,
    Generator::borrow_mutably,
    Generator::reach,
    Generator::failure,
    Generator::borrow_by_method,
    Generator::borrow_by_function,
    Generator::collected,
    Generator::pick,
    Generator::borrow_by_pattern,
    Generator::change_after_borrow,
    Generator::change_after_borrow,
    Generator::assign,
    Generator::assign_eagerly,
    Generator::compound,
    Generator::compound,
    Generator::change_by_method,
    Generator::change_by_method,
    Generator::destructure,
    Generator::effect,
    Generator::asked,
    Generator::asked,
    Generator::round,
    Generator::round,
    Generator::shaped,
    Generator::shaped,
    Generator::shaped,
    Generator::grown,
    Generator::branch,
    Generator::branch_on_let,
    Generator::matching,
    Generator::leaving,
    Generator::scoped,
    Generator::for_loop,
    Generator::for_loop,
    Generator::for_loop,
    Generator::for_loop,
    Generator::for_loop,
    Generator::while_loop,
    Generator::while_let,
    Generator::endless_loop,
    Generator::nested_item,
    Generator::static_text,
];

impl Generator {
    /// Up to so many statements, as long as there may be more of them.
    pub(super) fn block_statements(&mut self, most: usize) -> Node {
        let mut statements = Vec::new();
        for _ in 0..most {
            if self.statements == 0 {
                break;
            }
            let production = self.chance.pick(PRODUCTIONS).copied();
            if let Some(statement) = production.and_then(|production| production(self)) {
                self.statements = self.statements.saturating_sub(1);
                statements.push(statement);
            }
        }
        Node::sequence(statements)
    }

    /// A block of statements with a scope of its own.
    pub(super) fn body(&mut self, most: usize) -> Node {
        let mark = self.scope.mark();
        let most = 1 + self.chance.below(most);
        let statements = self.block_statements(most);
        self.scope.leave(mark);
        statements
    }

    fn let_name(&mut self) -> Option<Node> {
        let ty = self.some_type();
        let value = self.value(&ty);
        let known = self.scope.names();
        let (name, mutable) = (self.name(), self.chance.one_in(2));
        let row = if known.contains(&name) { "shadowing" } else { "let" };
        let word = if mutable { "mut " } else { "" };
        let annotation = if self.chance.one_in(2) { format!(": {}", ty.name()) } else { String::new() };
        let node = Node::statement(row, format!("let {word}{name}{annotation} = ~;"), [value]);
        self.scope.declare(name, ty, mutable);
        Some(node)
    }

    fn let_answer(&mut self) -> Option<Node> {
        if !self.asks || self.questions == 0 {
            return None;
        }
        let form = self.form();
        let question = self.ask(&form, false);
        let name = self.name();
        let text = format!("let {name}: {} = ~?;", form.name());
        self.scope.declare(name, form, false);
        Some(Node::statement("type_of_an_answer_by_annotation", text, [question]))
    }

    fn let_pattern(&mut self) -> Option<Node> {
        let ty = match self.chance.below(4) {
            0 => Ty::pair(self.some_type(), self.some_type()),
            1 => Ty::Item,
            2 => self.form(),
            _ => Ty::Array(Box::new(Ty::Number)),
        };
        let value = self.value(&ty);
        let (pattern, bound) = self.irrefutable(&ty, 2, false);
        self.bind(bound, None);
        Some(Node::statement("let_pattern", format!("let {pattern} = ~;"), [value]))
    }

    fn let_else(&mut self) -> Option<Node> {
        let (matched, of) = self.scrutinee()?;
        if !self.leaves {
            return None;
        }
        let mark = self.scope.mark();
        let aside = self.block_statements(2);
        let jump = self.leave();
        self.scope.leave(mark);
        let (row, jump) = jump?;
        let (pattern, bound) = self.refutable(&of.ty, 2, of.borrowed);
        self.bind(bound, of.root);
        let otherwise = Node::new(row, Sort::Part, "~; ", [jump]);
        let text = format!("let {pattern} = ~ else {{ ~ ~ }};");
        Some(Node::statement("let_else", text, [matched, aside, otherwise]))
    }

    fn deferred(&mut self) -> Option<Node> {
        let ty = self.some_type();
        let name = self.fresh();
        let condition = self.value(&Ty::Bool);
        let (yes, no) = (self.valued_block(&ty), self.valued_block(&ty));
        let text = format!("let {name}; if ~ {{ {name} = {{ ~ }}; }} else {{ {name} = {{ ~ }}; }}");
        self.scope.declare(name, ty, false);
        Some(Node::statement("deferred_initialisation", text, [condition, yes, no]))
    }

    /// A text of the program, whose type says so.
    fn static_text(&mut self) -> Option<Node> {
        let (condition, name) = (self.value(&Ty::Bool), self.fresh());
        let text = format!("let {name}: &'static str = if ~ {{ \"go\" }} else {{ \"stay\" }};");
        self.scope.declare(name, Ty::Slice, false);
        Some(Node::statement("static_text", text, [condition]))
    }

    /// A name of its own.
    pub(super) fn fresh(&mut self) -> String {
        self.count += 1;
        format!("own{}", self.count)
    }

    /// A closure that is called before some statements and after them.
    fn let_closure(&mut self) -> Option<Node> {
        let (name, before) = (self.fresh(), self.scope.locks());
        let changes =
            self.place(Use::Write, |place| place.ty == Ty::Number).filter(|_| self.chance.one_in(3));
        let (text, parts) = if let Some(Place { root, text: place, .. }) = changes {
            self.scope.lock_out(root);
            let text = format!("let mut {name} = |given: u32| {{ {place} ^= given; {place} }};");
            (text, vec![])
        } else {
            let inner = self.quietly(|inner| inner.value(&Ty::Number));
            // It has borrowed whatever it reads.
            self.scope.lock_all();
            (format!("let {name} = |given: u32| given ^ ~;"), vec![inner])
        };
        let meanwhile = self.body(3);
        self.scope.unlock(before);
        let text = format!("{{ {text} fleet.note({name}(3)); ~ fleet.note({name}(5)); }}");
        Some(Node::statement("closure", text, parts.into_iter().chain([meanwhile])))
    }

    /// An error that is needed after some statements.
    fn failure(&mut self) -> Option<Node> {
        let (text, name) = (self.value(&Ty::Text), self.fresh());
        let meanwhile = self.body(3);
        let text_of = format!("if let Err({name}) = (~).parse::<u8>() {{ ~ fleet.note({name}); }}");
        Some(Node::statement("failure_over_a_question", text_of, [text, meanwhile]))
    }

    /// `(a, b) = (.., ..);`
    fn destructure(&mut self) -> Option<Node> {
        let suits = |place: &Place| !matches!(place.ty, Ty::Ref(_) | Ty::Mut(_) | Ty::Slice) && place.whole;
        let (one, other) = (self.place(Use::Write, suits)?, self.place(Use::Write, suits)?);
        if one.root == other.root {
            return None;
        }
        let locks = self.scope.lock(one.root);
        self.scope.lock(other.root);
        let value = self.value(&Ty::pair(one.ty, other.ty));
        self.scope.unlock(locks);
        let text = format!("({}, {}) = ~;", one.text, other.text);
        Some(Node::statement("destructuring_assignment", text, [value]))
    }

    fn effect(&mut self) -> Option<Node> {
        match self.chance.below(3) {
            0 => Some(Node::statement("", format!("effect({});", self.shown(3)), [])),
            1 => {
                let ty = self.some_type();
                Some(Node::statement("method_argument", "fleet.note(~);", [self.value(&ty)]))
            }
            _ => {
                let place = self.place(Use::Read, |_| true)?;
                Some(Node::statement("", format!("fleet.note(&{});", place.text), []))
            }
        }
    }

    fn asked(&mut self) -> Option<Node> {
        (self.asks && self.questions > 0).then(|| self.ask_and_forget())
    }

    /// A round of questions.
    fn round(&mut self) -> Option<Node> {
        let ty = match self.chance.below(4) {
            0 => Ty::option(self.form()),
            1 => Ty::list(self.form()),
            _ => Ty::pair(self.form(), self.form()),
        };
        let value = self.answer(&ty)?;
        let (pattern, bound) = self.irrefutable(&ty, 1, false);
        self.bind(bound, None);
        Some(Node::statement("", format!("let {pattern} = ~;"), [value]))
    }

    /// A value of a certain shape with a question inside.
    fn shaped(&mut self) -> Option<Node> {
        let number = Ty::Number;
        let shapes = [
            Ty::Bool,
            Ty::Text,
            Ty::Item,
            Ty::Item,
            Ty::Kind,
            Ty::Plan,
            Ty::Array(Box::new(number.clone())),
            Ty::list(number.clone()),
            Ty::pair(number, Ty::Text),
        ];
        let ty = self.chance.pick(&shapes).cloned()?;
        let before = std::mem::replace(&mut self.eager, true);
        let value = match ty {
            Ty::Bool if self.chance.one_in(2) => self.in_a_macro(&ty),
            Ty::Bool => self.operators(&ty),
            Ty::Text => self.in_a_macro(&ty),
            _ => self.built(&ty),
        };
        self.eager = before;
        let (value, name) = (value?, self.fresh());
        self.scope.declare(&name, ty, true);
        Some(Node::statement("", format!("let mut {name} = ~;"), [value]))
    }

    /// A list that a saga makes longer.
    fn grown(&mut self) -> Option<Node> {
        if !self.asks || self.questions < 4 {
            return None;
        }
        let name = self.fresh();
        let value = self.value(&Ty::list(Ty::Text));
        self.scope.declare(&name, Ty::list(Ty::Text), true);
        let declared = Node::statement("", format!("let mut {name} = ~;"), [value]);
        let more = match self.called(&Ty::Number) {
            Some(more) => Node::statement("", "fleet.note(~);", [more]),
            None => Node::text(""),
        };
        Some(Node::statement("", "~~", [declared, more]))
    }

    fn branch(&mut self) -> Option<Node> {
        let condition = self.value(&Ty::Bool);
        let yes = self.body(3);
        Some(match self.chance.below(3) {
            0 => Node::statement("if", "if ~ { ~ }", [condition, yes]),
            1 => Node::statement("if", "if ~ { ~ } else { ~ }", [condition, yes, self.body(3)]),
            _ => {
                let more = self.value(&Ty::Bool);
                let parts = [condition, yes, more, self.body(2), self.body(2)];
                Node::statement("else_if", "if ~ { ~ } else if ~ { ~ } else { ~ }", parts)
            }
        })
    }

    fn branch_on_let(&mut self) -> Option<Node> {
        let (matched, of) = self.scrutinee()?;
        let mark = self.scope.mark();
        let (pattern, bound) = self.refutable(&of.ty, 2, of.borrowed);
        self.bind(bound, of.root);
        let chain = self.chance.one_in(3).then(|| self.value(&Ty::Bool));
        let yes = self.body(4);
        self.scope.leave(mark);
        let Some(chain) = chain else {
            let text = format!("if let {pattern} = ~ {{ ~ }} else {{ ~ }}");
            let no = self.body(2);
            return Some(Node::statement("if_let", text, [matched, yes, no]));
        };
        let text = format!("if let {pattern} = ~ && ~ {{ ~ }}");
        Some(Node::statement("let_chain", text, [matched, chain, yes]))
    }

    fn matching(&mut self) -> Option<Node> {
        let (matched, of) = self.scrutinee()?;
        let (mut template, mut parts) = ("match ~ {".to_owned(), vec![matched]);
        for _ in 0..=self.chance.below(2) {
            let mark = self.scope.mark();
            let (pattern, bound) = self.refutable(&of.ty, 3, of.borrowed);
            self.bind(bound, of.root);
            template += &format!(" {pattern}");
            if self.chance.one_in(3) {
                template += " if ~";
                parts.push(self.quietly(|inner| inner.value(&Ty::Bool)));
            }
            template += " => { ~ }";
            parts.push(self.body(3));
            self.scope.leave(mark);
        }
        template += " _ => { ~ } }";
        parts.push(self.body(2));
        Some(Node::statement("match", template, parts))
    }

    /// What leaves the function, a loop or a block from here.
    pub(super) fn leave(&mut self) -> Option<(&'static str, Node)> {
        if !self.leaves {
            return None;
        }
        let targets = self.targets.clone();
        let target = self.chance.pick(&targets).filter(|_| !self.chance.one_in(4)).cloned();
        let Some(target) = target else {
            if self.chance.one_in(3) {
                let text = "return Err(ToolError::new(\"enough\"))";
                return Some(("return", Node::text(text)));
            }
            let value = self.value(&Ty::Text);
            return Some(("return", Node::new("", Sort::Part, "return Ok(~)", [value])));
        };
        let label = &target.label;
        if target.is_loop && self.chance.one_in(2) {
            return Some(("continue", Node::text(format!("continue {label}"))));
        }
        let jump = match &target.value {
            Some(ty) => {
                let value = self.value(ty);
                Node::new("", Sort::Part, format!("break {label} (~)"), [value])
            }
            None => Node::text(format!("break {label}")),
        };
        Some(("break", jump))
    }

    fn leaving(&mut self) -> Option<Node> {
        let condition = self.value(&Ty::Bool);
        let (row, jump) = self.leave()?;
        Some(Node::statement(row, "if ~ { ~; }", [condition, jump]))
    }

    fn scoped(&mut self) -> Option<Node> {
        Some(Node::statement("block", "{ ~ }", [self.body(4)]))
    }

    fn nested_item(&mut self) -> Option<Node> {
        let name = self.fresh();
        let value = self.value(&Ty::Number);
        let item = match self.chance.below(3) {
            0 => format!("fn {name}(given: u32) -> u32 {{ given % 9 }} fleet.note({name}(~));"),
            1 => {
                let constant = name.to_uppercase();
                format!("const {constant}: u32 = 4; fleet.note({constant} ^ ~);")
            }
            _ => {
                let ty = name.replace("own", "Own");
                format!(
                    "#[derive(Debug, Serialize, Deserialize)] struct {ty} {{ n: u32 }} let {name} = {ty} {{ n: ~ }}; fleet.note(&{name});"
                )
            }
        };
        Some(Node::statement("item_inside", item, [value]))
    }
}
