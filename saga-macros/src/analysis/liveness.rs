//! Liveness: which of a graph's variables are needed at the start of each block. Knows neither syntax nor our
//! graph; nodes and variables are numbers.
//!
//! A variable is *live* at a point if some path from there uses it before it is defined anew. With `use(b)` what
//! `b` uses before defining it, and `def(b)` what it defines (Aho et al., "Compilers", section 9.2.5):
//!
//! ```text
//! live_in(b)  = use(b) ∪ (live_out(b) \ def(b))
//! live_out(b) = ∪ live_in(s)   for each successor s of b
//! ```
//!
//! The sets only grow and are finite, so that repeating until nothing changes ends, at the least solution.

use std::collections::BTreeSet;

/// What liveness must know of a block.
#[derive(Debug, Clone, Default)]
pub(crate) struct Facts {
    /// Variables that the block uses before it defines them.
    pub(crate) uses: BTreeSet<usize>,
    /// Variables that the block defines.
    pub(crate) defines: BTreeSet<usize>,
    /// The blocks that may come next.
    pub(crate) successors: Vec<usize>,
}

/// The variables that are live at the start of each block.
pub(crate) fn live_in(blocks: &[Facts]) -> Vec<BTreeSet<usize>> {
    let mut live: Vec<BTreeSet<usize>> = blocks.iter().map(|block| block.uses.clone()).collect();
    loop {
        let mut changed = false;
        // Facts flow against control, so that going backwards settles most blocks in one pass.
        for (index, block) in blocks.iter().enumerate().rev() {
            for successor in &block.successors {
                let new: Vec<_> = live[*successor].difference(&block.defines).copied().collect();
                for variable in new {
                    changed |= live[index].insert(variable);
                }
            }
        }
        if !changed {
            return live;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The definition, word for word: is there a path to a use without a definition on the way?
    fn used_on_some_path(blocks: &[Facts], start: usize, variable: usize) -> bool {
        let (mut seen, mut stack) = (BTreeSet::new(), vec![start]);
        while let Some(block) = stack.pop() {
            if !seen.insert(block) {
                continue;
            }
            if blocks[block].uses.contains(&variable) {
                return true;
            }
            if !blocks[block].defines.contains(&variable) {
                stack.extend(&blocks[block].successors);
            }
        }
        false
    }

    fn graphs() -> impl Strategy<Value = Vec<Facts>> {
        (1_usize..9).prop_flat_map(|size| {
            let set = || prop::collection::btree_set(0_usize..4, 0..3);
            let block = (set(), set(), prop::collection::vec(0..size, 0..3));
            let block = block.prop_map(|(uses, defines, successors)| Facts { uses, defines, successors });
            prop::collection::vec(block, size)
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]

        #[test]
        fn the_equations_agree_with_the_definition(blocks in graphs()) {
            let live = live_in(&blocks);
            for (block, live) in live.iter().enumerate() {
                for variable in 0..4 {
                    prop_assert_eq!(live.contains(&variable), used_on_some_path(&blocks, block, variable));
                }
            }
        }
    }
}
