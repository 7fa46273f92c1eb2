//! The locals of a random program, and what the borrow checker lets be done with them.

use super::types::Ty;

/// A local.
#[derive(Debug, Clone)]
pub(crate) struct Local {
    pub(crate) name: String,
    pub(crate) ty: Ty,
    pub(crate) mutable: bool,
    /// Moved, or not yet given a value.
    gone: bool,
    /// How many borrows of it live.
    shared: usize,
    /// Whether one of them is mutable.
    lent: bool,
    /// In how many loops it was declared.
    depth: usize,
    /// What it borrows from.
    source: Option<usize>,
}

/// A local, or a part of one.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    pub(crate) root: usize,
    pub(crate) text: String,
    pub(crate) ty: Ty,
    /// Whether it is a local itself.
    pub(crate) whole: bool,
    /// Whether it is reached through a reference.
    behind: bool,
}

impl Place {
    /// Whether it is a plan's list, of which there are three, always.
    pub(crate) fn is_items(&self) -> bool {
        self.text.rsplit('.').next() == Some("items")
    }
}

/// What is to be done with a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Use {
    Read,
    Write,
    Move,
}

/// The locals that are in scope, innermost last.
#[derive(Debug, Default)]
pub(crate) struct Scope {
    locals: Vec<Local>,
    /// The loops around.
    pub(crate) depth: usize,
    /// Locals that the expression around has borrowed already, and whether mutably.
    locks: Vec<(usize, bool)>,
    /// The closures around: what is outside of them is only read.
    pub(crate) closures: usize,
}

impl Scope {
    pub(crate) const fn mark(&self) -> usize {
        self.locals.len()
    }

    /// Leaves the scope that began at the mark.
    pub(crate) fn leave(&mut self, mark: usize) {
        while self.locals.len() > mark {
            self.end(self.locals.len() - 1);
            self.locals.pop();
        }
    }

    /// Ends a local's life, and with it its borrow.
    fn end(&mut self, index: usize) {
        if let Some(source) = self.locals[index].source.take() {
            self.locals[source].shared -= 1;
            self.locals[source].lent = false;
        }
        self.locals[index].gone = true;
    }

    /// A new local that has a value.
    pub(crate) fn declare(&mut self, name: impl Into<String>, ty: Ty, mutable: bool) {
        self.declare_borrow(name, ty, mutable, None);
    }

    /// A new local that borrows from a place's root.
    pub(crate) fn declare_borrow(
        &mut self,
        name: impl Into<String>,
        ty: Ty,
        mutable: bool,
        root: Option<usize>,
    ) {
        let source = root.and_then(|root| match self.locals[root].ty {
            // A copy of a shared borrow lives as long as what that borrows from.
            Ty::Ref(_) | Ty::Slice => self.locals[root].source,
            _ => Some(root),
        });
        if let Some(source) = source {
            self.locals[source].shared += 1;
            self.locals[source].lent |= matches!(ty, Ty::Mut(_));
        }
        let name = name.into();
        let depth = self.depth;
        self.locals.push(Local { name, ty, mutable, gone: false, shared: 0, lent: false, depth, source });
    }

    /// A borrow that nothing uses any more is as good as gone, so that its source can be changed.
    pub(crate) fn retire(&mut self, chosen: usize) -> Option<String> {
        let ends = |local: &Local| local.source.is_some() && local.depth == self.depth && !local.gone;
        let borrows = self.locals.iter().enumerate().filter(|(_, local)| ends(local)).map(|(index, _)| index);
        let unused = |index: &usize| {
            self.locals[*index].shared == 0 && self.locks.iter().all(|(locked, _)| locked != index)
        };
        let borrows = borrows.filter(unused).collect::<Vec<_>>();
        let index = *borrows.get(chosen.checked_rem(borrows.len())?)?;
        let source = self.locals[index].source?;
        self.end(index);
        Some(self.locals[source].name.clone())
    }

    /// Keeps a local from being changed until [`Scope::unlock`].
    pub(crate) fn lock(&mut self, root: usize) -> usize {
        self.locks.push((root, false));
        self.locks.len() - 1
    }

    /// Keeps all locals from being changed until [`Scope::unlock`].
    pub(crate) fn lock_all(&mut self) {
        self.locks.extend((0..self.locals.len()).map(|root| (root, false)));
    }

    /// Keeps a local from being used at all until [`Scope::unlock`].
    pub(crate) fn lock_out(&mut self, root: usize) -> usize {
        self.locks.push((root, true));
        self.locks.len() - 1
    }

    pub(crate) const fn locks(&self) -> usize {
        self.locks.len()
    }

    pub(crate) fn unlock(&mut self, to: usize) {
        self.locks.truncate(to);
    }

    pub(crate) fn moved(&mut self, root: usize) {
        self.end(root);
    }

    fn visible(&self, index: usize) -> bool {
        let name = &self.locals[index].name;
        !self.locals[index + 1..].iter().any(|later| later.name == *name)
    }

    fn allows(&self, index: usize, wanted: Use) -> bool {
        let local = &self.locals[index];
        let locked = self.locks.iter().filter(|(locked, _)| *locked == index).map(|(_, out)| *out).max();
        let here = !local.gone && !local.lent && locked != Some(true) && self.visible(index);
        let free = local.shared == 0 && locked.is_none() && self.closures == 0;
        match wanted {
            Use::Read => here,
            Use::Write => here && free && (local.mutable || matches!(local.ty, Ty::Mut(_))),
            Use::Move => here && free && local.depth == self.depth,
        }
    }

    /// The names in sight.
    pub(crate) fn names(&self) -> Vec<String> {
        (0..self.locals.len())
            .filter(|index| self.visible(*index))
            .map(|index| self.locals[index].name.clone())
            .collect()
    }

    /// The locals that can be read.
    pub(crate) fn readable(&self) -> Vec<(usize, &Local)> {
        self.locals.iter().enumerate().filter(|(index, _)| self.allows(*index, Use::Read)).collect()
    }

    /// Every place that allows this use.
    pub(crate) fn places(&self, wanted: Use) -> Vec<Place> {
        let mut places = Vec::new();
        for (root, local) in self.locals.iter().enumerate().filter(|(root, _)| self.allows(*root, wanted)) {
            let behind = matches!(local.ty, Ty::Ref(_) | Ty::Mut(_));
            let place = Place { root, text: local.name.clone(), ty: local.ty.clone(), whole: true, behind };
            match &local.ty {
                Ty::Ref(target) | Ty::Mut(target) => {
                    let reference = matches!(local.ty, Ty::Ref(_));
                    if wanted == Use::Move || wanted == Use::Write && reference {
                        continue;
                    }
                    if reference {
                        places.push(place.clone());
                    }
                    let text = format!("(*{})", local.name);
                    places.push(Place { text, ty: (**target).clone(), whole: false, ..place.clone() });
                    add_parts(&Place { ty: (**target).clone(), ..place }, 2, wanted, &mut places);
                }
                _ => {
                    places.push(place.clone());
                    add_parts(&place, 2, wanted, &mut places);
                }
            }
        }
        places
    }

    /// Every place of this type that allows this use.
    pub(crate) fn places_of(&self, ty: &Ty, wanted: Use) -> Vec<Place> {
        let mut places = self.places(wanted);
        places.retain(|place| place.ty == *ty && !(wanted == Use::Move && place.behind));
        // What borrows is copied by the statements that know what it borrows from.
        places.retain(|place| {
            !matches!(place.ty, Ty::Slice | Ty::Ref(_)) || self.locals[place.root].source.is_none()
        });
        places
    }
}

fn add_parts(place: &Place, depth: usize, wanted: Use, places: &mut Vec<Place>) {
    if depth == 0 {
        return;
    }
    for (part, ty) in place.ty.parts() {
        // A plan has three items, always.
        let kept = wanted != Use::Read && part == ".items";
        if kept || wanted == Use::Move && part.contains('[') {
            continue;
        }
        let text = format!("{}{part}", place.text);
        let part = Place { text, ty, whole: false, ..place.clone() };
        places.push(part.clone());
        add_parts(&part, depth - 1, wanted, places);
    }
}
