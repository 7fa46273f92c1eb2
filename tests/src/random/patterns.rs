//! Patterns, and the locals that they bind.

use super::Generator;
use super::types::Ty;

/// A local that a pattern binds.
#[derive(Debug, Clone)]
pub(super) struct Bound {
    pub(super) name: String,
    ty: Ty,
    mutable: bool,
}

impl Generator {
    pub(super) fn bind(&mut self, bound: Vec<Bound>, root: Option<usize>) {
        for Bound { name, ty, mutable } in bound {
            let root = root.filter(|_| matches!(ty, Ty::Ref(_) | Ty::Mut(_) | Ty::Slice));
            self.scope.declare_borrow(name, ty, mutable, root);
        }
    }

    fn name_pattern(&mut self, ty: &Ty, borrowed: bool) -> (String, Vec<Bound>) {
        let name = self.name();
        let mutable = !borrowed && self.chance.one_in(3);
        let text = if mutable { format!("mut {name}") } else { name.clone() };
        let ty = if borrowed { Ty::Ref(Box::new(ty.clone())) } else { ty.clone() };
        (text, vec![Bound { name, ty, mutable }])
    }

    fn several(&mut self, types: &[Ty], depth: usize, borrowed: bool) -> (Vec<String>, Vec<Bound>) {
        let (mut texts, mut all) = (Vec::new(), Vec::<Bound>::new());
        for ty in types {
            let (text, bound) = self.irrefutable(ty, depth, borrowed);
            // No name twice in one pattern.
            if bound.iter().any(|new| all.iter().any(|known| known.name == new.name)) {
                texts.push("_".to_owned());
            } else {
                texts.push(text);
                all.extend(bound);
            }
        }
        (texts, all)
    }

    /// A pattern that always matches; `borrowed` if it is matched on a reference.
    pub(super) fn irrefutable(&mut self, ty: &Ty, depth: usize, borrowed: bool) -> (String, Vec<Bound>) {
        if depth == 0 || self.chance.one_in(5) {
            return self.name_pattern(ty, borrowed);
        }
        if self.chance.one_in(12) {
            return ("_".to_owned(), Vec::new());
        }
        match ty {
            Ty::Pair(one, other) => {
                let (parts, bound) = self.several(&[(**one).clone(), (**other).clone()], depth - 1, borrowed);
                (format!("({})", parts.join(", ")), bound)
            }
            Ty::Array(inner) => {
                let inner = (**inner).clone();
                let (parts, bound) = self.several(&[inner.clone(), inner], depth - 1, borrowed);
                let text = match self.chance.below(3) {
                    0 => format!("[{}, ..]", parts.join(", ")),
                    1 => format!("[{}, _]", parts.join(", ")),
                    _ => format!("[{}]", parts.join(", .., ")),
                };
                (text, bound)
            }
            Ty::Item => {
                let (parts, bound) = self.several(&[Ty::Text, Ty::Number], depth - 1, borrowed);
                (format!("Item {{ name: {}, size: {}, .. }}", parts[0], parts[1]), bound)
            }
            Ty::Count => {
                let (parts, bound) = self.several(&[Ty::Byte], depth - 1, borrowed);
                (format!("Count {{ n: {} }}", parts[0]), bound)
            }
            Ty::Name => {
                let (parts, bound) = self.several(&[Ty::Text], depth - 1, borrowed);
                (format!("Name {{ name: {} }}", parts[0]), bound)
            }
            Ty::Target => {
                let (parts, bound) = self.several(&[Ty::Region, Ty::option(Ty::Text)], depth - 1, borrowed);
                (format!("Target {{ region: {}, note: {}, .. }}", parts[0], parts[1]), bound)
            }
            _ => self.name_pattern(ty, borrowed),
        }
    }

    /// A pattern that may not match.
    pub(super) fn refutable(&mut self, ty: &Ty, depth: usize, borrowed: bool) -> (String, Vec<Bound>) {
        if depth == 0 {
            return self.irrefutable(ty, 1, borrowed);
        }
        match ty {
            Ty::Option(inner) => {
                if self.chance.one_in(5) {
                    return ("None".to_owned(), Vec::new());
                }
                let (part, bound) = self.refutable(inner, depth - 1, borrowed);
                (format!("Some({part})"), bound)
            }
            Ty::Answer(inner) => {
                let (part, bound) = self.refutable(inner, depth - 1, borrowed);
                (format!("Ok({part})"), bound)
            }
            Ty::Kind => self.kind_pattern(depth, borrowed),
            Ty::Yes => ("Yes { yes: true }".to_owned(), Vec::new()),
            Ty::Bool => (self.chance.word(&["true", "false"]).to_owned(), Vec::new()),
            Ty::Region => {
                let word =
                    self.chance.word(&["Region::Near", "(Region::Near | Region::Far)", "Region::Away"]);
                (word.to_owned(), Vec::new())
            }
            Ty::Byte | Ty::Number | Ty::Size | Ty::Signed => {
                let range = self.chance.word(&["0", "(1 | 3)", "0..=2", "2..", "..5"]);
                if self.chance.one_in(2) {
                    return (range.to_owned(), Vec::new());
                }
                let (name, bound) = self.name_pattern(ty, borrowed);
                (format!("{name} @ ({range})"), bound)
            }
            Ty::Pair(one, other) => {
                let (first, mut bound) = self.refutable(one, depth - 1, borrowed);
                let (second, more) = self.irrefutable(other, depth - 1, borrowed);
                if more.iter().any(|new| bound.iter().any(|known| known.name == new.name)) {
                    return (format!("({first}, _)"), bound);
                }
                bound.extend(more);
                (format!("({first}, {second})"), bound)
            }
            _ => self.irrefutable(ty, depth, borrowed),
        }
    }

    fn kind_pattern(&mut self, depth: usize, borrowed: bool) -> (String, Vec<Bound>) {
        match self.chance.below(5) {
            0 => ("Kind::Empty".to_owned(), Vec::new()),
            1 => {
                let (part, bound) = self.refutable(&Ty::Number, depth - 1, borrowed);
                (format!("Kind::Size({part})"), bound)
            }
            2 => {
                let (parts, bound) = self.several(&[Ty::Number, Ty::Text], depth - 1, borrowed);
                (format!("Kind::Pair({}, {})", parts[0], parts[1]), bound)
            }
            3 => {
                let (part, bound) = self.irrefutable(&Ty::Item, depth - 1, borrowed);
                (format!("Kind::Of({part})"), bound)
            }
            _ => {
                let (parts, bound) = self.several(&[Ty::Text, Ty::Number], depth - 1, borrowed);
                (format!("Kind::Named {{ name: {}, size: {} }}", parts[0], parts[1]), bound)
            }
        }
    }
}
