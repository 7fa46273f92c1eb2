//! Questions: what they show, and what is made of their answers.

use super::Generator;
use super::node::{Node, Sort};
use super::scope::Use;
use super::types::Ty;

const FORMS: [Ty; 4] = [Ty::Yes, Ty::Count, Ty::Name, Ty::Target];

impl Generator {
    /// A formatted text that shows some of what is known here.
    pub(super) fn shown(&mut self, most: usize) -> String {
        let readable = self.scope.readable().iter().map(|(_, local)| local.name.clone()).collect::<Vec<_>>();
        let mut names = Vec::new();
        for name in readable.iter().rev() {
            if names.len() < most && !names.contains(name) && (most > 3 || self.chance.one_in(2)) {
                names.push(name.clone());
            }
        }
        let captured = names.iter().map(|name| format!("{{{name}:?}}")).collect::<Vec<_>>().join(" ");
        if names.is_empty() { "\"?\".to_owned()".to_owned() } else { format!("format!(\"{captured}?\")") }
    }

    fn message(&mut self) -> Node {
        if self.nested < 5 && self.chance.one_in(6) {
            return self.value(&Ty::Text);
        }
        Node::value("", &Ty::Text, self.shown(3), [])
    }

    /// An awaited step of the form; its type is said by the step or is left to what surrounds it.
    pub(super) fn ask(&mut self, form: &Ty, said: bool) -> Node {
        self.questions = self.questions.saturating_sub(1);
        let message = self.message();
        let name = form.name();
        let ty = if said { format!("::<{name}>") } else { String::new() };
        self.count += 1;
        let extra = match self.chance.below(12) {
            0 => ".title(\"Title\")".to_owned(),
            1 => ".attempts(2)".to_owned(),
            2 => format!(".key(\"k{}\")", self.count),
            3 => format!(".default({})", form.simplest()),
            _ => String::new(),
        };
        Node::new("a_form", Sort::Question, format!("elicit{ty}(~){extra}"), [message])
    }

    pub(super) fn form(&mut self) -> Ty {
        self.chance.pick(&FORMS).cloned().unwrap_or(Ty::Yes)
    }

    /// A value of this type out of an answer.
    pub(super) fn answer(&mut self, ty: &Ty) -> Option<Node> {
        if !self.asks || self.questions == 0 || !self.leaves {
            return None;
        }
        let wrap = |row, template: &str, question| Some(Node::value(row, ty, template, [question]));
        match ty {
            Ty::Yes | Ty::Count | Ty::Name | Ty::Target => {
                let question = self.ask(ty, true);
                wrap("question_mark", "~?", question)
            }
            Ty::Bool => {
                let question = self.ask(&Ty::Yes, true);
                if self.chance.one_in(3) {
                    return wrap("answer_by_methods", "~.is_ok_and(|yes| yes.yes)", question);
                }
                wrap("field_of_an_answer", "~?.yes", question)
            }
            Ty::Byte => {
                let question = self.ask(&Ty::Count, true);
                wrap("field_of_an_answer", "~?.n", question)
            }
            Ty::Number => {
                let question = self.ask(&Ty::Count, true);
                let template = self.chance.word(&[
                    "u32::from(~?.n)",
                    "(~?.n as u32)",
                    "~.map_or(7, |count| count.n.into())",
                ]);
                wrap("cast", template, question)
            }
            Ty::Size => {
                let question = self.ask(&Ty::Count, true);
                wrap("cast", "(~?.n as usize)", question)
            }
            Ty::Signed => {
                let question = self.ask(&Ty::Count, true);
                wrap("cast", "(-(~?.n as i64))", question)
            }
            Ty::Text => self.answered_text(ty),
            Ty::Region => {
                let question = self.ask(&Ty::Target, true);
                wrap("field_of_an_answer", "~?.region", question)
            }
            Ty::Option(inner) => self.optional_answer(ty, inner),
            Ty::Answer(inner) if FORMS.contains(inner) => {
                let question = self.ask(inner, true);
                wrap("answer_as_a_result", "~", question)
            }
            Ty::Pair(one, other) if FORMS.contains(one) && FORMS.contains(other) => {
                self.joined(ty, one, other)
            }
            Ty::List(inner) if FORMS.contains(inner) => self.joined_all(ty, inner),
            _ => None,
        }
    }

    fn answered_text(&mut self, ty: &Ty) -> Option<Node> {
        match self.chance.below(4) {
            0 => {
                self.questions = self.questions.saturating_sub(1);
                let message = self.message();
                let sampled = Node::new("a_prompt", Sort::Question, "sample(~)", [message]);
                Some(Node::value("", ty, "~?.text()", [sampled]))
            }
            1 => {
                self.questions = self.questions.saturating_sub(1);
                let roots = Node::new("the_folders", Sort::Question, "list_roots()", []);
                Some(Node::value("", ty, "format!(\"{:?}\", ~?)", [roots]))
            }
            _ => {
                let question = self.ask(&Ty::Name, true);
                Some(Node::value("field_of_an_answer", ty, "~?.name", [question]))
            }
        }
    }

    fn optional_answer(&mut self, ty: &Ty, inner: &Ty) -> Option<Node> {
        if !FORMS.contains(inner) {
            return None;
        }
        self.questions = self.questions.saturating_sub(1);
        let message = self.message();
        let name = inner.name();
        if self.chance.one_in(2) {
            let question =
                Node::new("", Sort::Question, format!("elicit::<{name}>(~).optional()"), [message]);
            return Some(Node::value("optional_answer", ty, "~?", [question]));
        }
        let question = Node::new("a_form", Sort::Question, format!("elicit::<{name}>(~)"), [message]);
        Some(Node::value("answer_by_methods", ty, "~.ok()", [question]))
    }

    fn joined(&mut self, ty: &Ty, one: &Ty, other: &Ty) -> Option<Node> {
        self.questions = self.questions.saturating_sub(1);
        let locks = self.scope.locks();
        let (first, second) = (self.message(), self.message());
        self.scope.unlock(locks);
        let (one, other) = (one.name(), other.name());
        let step = format!("join!(elicit::<{one}>(~), elicit::<{other}>(~))");
        let question = Node::new("a_round", Sort::Question, step, [first, second]);
        Some(Node::value("", ty, "~?", [question]))
    }

    fn joined_all(&mut self, ty: &Ty, inner: &Ty) -> Option<Node> {
        self.questions = self.questions.saturating_sub(1);
        let name = inner.name();
        let list = self.place(Use::Read, |place| place.ty == Ty::list(Ty::Text));
        let steps = match list {
            Some(list) => format!("{}.iter().map(|name| elicit::<{name}>(name.as_str()))", list.text),
            None => format!("(0..2).map(|index| elicit::<{name}>(format!(\"{{index}}?\")))"),
        };
        if self.chance.one_in(3) {
            let question =
                Node::new("a_round_of_many", Sort::Question, format!("join_all({steps}).each()"), []);
            return Some(Node::value("each", ty, "~.into_iter().flatten().collect::<Vec<_>>()", [question]));
        }
        let question = Node::new("a_round_of_many", Sort::Question, format!("join_all({steps})"), []);
        Some(Node::value("", ty, "~?", [question]))
    }

    /// `elicit(..).await?;`
    pub(super) fn ask_and_forget(&mut self) -> Node {
        let form = self.form();
        let question = self.ask(&form, true);
        match self.chance.below(4) {
            0 => Node::statement("question_as_a_statement", "let _ = ~;", [question]),
            1 => Node::statement("question_as_a_statement", "fleet.note(~?);", [question]),
            _ => Node::statement("question_as_a_statement", "~?;", [question]),
        }
    }
}
