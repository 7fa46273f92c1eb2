//! Sagas that the tools call.

use super::Generator;
use super::node::{Node, Sort};
use super::scope::{Place, Use};
use super::types::Ty;

/// The sagas.
pub(super) fn sagas() -> Node {
    let ask = |form, message| Node::new("", Sort::Question, format!("elicit::<{form}>({message})"), []);
    let confirm = "#[saga]\nasync fn confirm(what: &str) -> Result<bool, StepError> {
    effect(format_args!(\"confirm {what}\"));
    let sure = ~?;
    effect(format_args!(\"confirmed {what}\"));
    Ok(sure.yes)
}

";
    let grow = "#[saga]\nasync fn grow(list: &mut Vec<String>, many: u32) -> Result<u32, StepError> {
    for index in 0..many % 3 {
        let name = ~?;
        list.push(name.name);
    }
    Ok(many)
}

";
    let count_down = "#[saga]\nasync fn count_down(from: u32) -> Result<u32, StepError> {
    let from = from % 3;
    if from == 0 {
        return Ok(0);
    }
    let more = ~?.n;
    Ok(~? + u32::from(more))
}

";
    let again = Node::new("", Sort::Call, "count_down(from - 1)", []);
    let memo = "#[derive(Debug, Serialize, Deserialize)]\nstruct Memo {
    text: String,
}

impl Memo {
    #[saga]
    async fn keep(self) -> Result<bool, StepError> {
        let sure = ~?;
        effect(format_args!(\"kept {self:?}\"));
        Ok(sure.yes)
    }
}

";
    Node::sequence(vec![
        Node::new("", Sort::Part, confirm, [ask("Yes", "format!(\"{what}?\")")]),
        Node::new("", Sort::Part, grow, [ask("Name", "format!(\"{index} {list:?}?\")")]),
        Node::new("", Sort::Part, count_down, [ask("Count", "format!(\"{from}?\")"), again]),
        Node::new("", Sort::Part, memo, [ask("Yes", "format!(\"keep {}?\", self.text)")]),
    ])
}

impl Generator {
    /// A value of this type out of a saga's result.
    pub(super) fn called(&mut self, ty: &Ty) -> Option<Node> {
        if !self.asks || self.questions == 0 || !self.leaves {
            return None;
        }
        self.questions -= 1;
        let (row, template, parts) = match ty {
            Ty::Bool if self.chance.one_in(3) => {
                let (memo, text) = (self.fresh(), self.value(&Ty::Text));
                let keep = Node::new("saga_method", Sort::Call, format!("{memo}.keep()"), []);
                let block = format!("{{ let {memo} = Memo {{ text: ~ }}; ~? }}");
                return Some(Node::value("", ty, block, [text, keep]));
            }
            Ty::Bool => match self.place(Use::Read, |place| place.ty == Ty::Text) {
                Some(Place { text, .. }) if self.chance.one_in(2) => {
                    ("saga_by_reference", format!("confirm(&{text})"), Vec::new())
                }
                _ => ("a_saga", "confirm(~)".to_owned(), vec![self.value(&Ty::Slice)]),
            },
            Ty::Number if self.chance.one_in(3) => return Some(self.called_for_each()),
            Ty::Number if self.chance.one_in(2) => return Some(self.called_together()),
            Ty::Number => {
                let list = self.place(Use::Write, |place| place.ty == Ty::list(Ty::Text));
                if let Some(list) = list.filter(|_| !self.chance.one_in(3)) {
                    let lock = self.scope.lock_out(list.root);
                    let many = self.value(&Ty::Number);
                    self.scope.unlock(lock);
                    ("saga_by_mutable_reference", format!("grow(&mut {}, ~)", list.text), vec![many])
                } else {
                    ("recursive_saga", "count_down(~)".to_owned(), vec![self.value(&Ty::Number)])
                }
            }
            _ => return None,
        };
        let call = Node::new(row, Sort::Call, template, parts);
        Some(Node::value("", ty, "~?", [call]))
    }

    /// A number out of what several sagas give, and a step among them.
    fn called_together(&mut self) -> Node {
        let locks = self.scope.locks();
        let (from, also, what) = (self.value(&Ty::Number), self.value(&Ty::Number), self.value(&Ty::Slice));
        self.scope.unlock(locks);
        let sagas = "call(count_down(~)), call(count_down(~)), elicit::<Count>(~)";
        let (row, template, sagas) = match self.chance.below(4) {
            0 => ("sagas_together_each", "~.0.unwrap_or(1)", format!("join!({sagas}).each()")),
            1 => ("sagas_together_each", "~.1.unwrap_or(2)", format!("join!({sagas}).each()")),
            _ => ("sagas_together", "~?.1", format!("join!({sagas})")),
        };
        let together = Node::new(row, Sort::Together, sagas, [from, also, what]);
        Node::value("", &Ty::Number, template, [together])
    }

    /// A number out of what a saga gives for each item of a list, or each number of a range.
    fn called_for_each(&mut self) -> Node {
        let (each, value) = *self.chance.pick(&[("", "~?"), (".each()", "~")]).unwrap_or(&("", "~?"));
        let of = self.fresh();
        let list = self.place(Use::Read, |place| place.ty == Ty::list(Ty::Text));
        let (sagas, template, parts) = if let Some(Place { text, .. }) =
            list.filter(|_| self.chance.one_in(2))
        {
            let sagas = format!("join_all({text}.iter().take(3).map(|{of}| call(confirm({of})))){each}");
            (sagas, format!("({value}.len() as u32)"), Vec::new())
        } else {
            let sagas = format!("join_all((1..~ % 4).map(|{of}| call(count_down({of})))){each}");
            let shown = "|gave| format!(\"{gave:?}\").len() as u32";
            (sagas, format!("{value}.into_iter().map({shown}).sum::<u32>()"), vec![self.value(&Ty::Number)])
        };
        let together = Node::new("sagas_for_each", Sort::Together, sagas, parts);
        Node::value("", &Ty::Number, template, [together])
    }
}
