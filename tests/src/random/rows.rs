//! The constructs of the language that concern what is held over a question. All others count where a question
//! stands inside of them.

pub(super) const HELD: &[&str] = &[
    "let",
    "let_pattern",
    "shadowing",
    "static_text",
    "deferred_initialisation",
    "destructuring_assignment",
    "assignment",
    "move",
    "move_of_a_part",
    "borrow_of_a_local",
    "borrow_of_a_part",
    "mutable_borrow",
    "borrow_by_a_method",
    "pick_of_a_list",
    "pattern_on_a_borrow",
    "ref_pattern",
    "change_after_a_borrow",
    "item_inside",
    "closure_between_questions",
    "ordinary_await",
    "unary_operator",
    "dereference",
    "reference",
    "closure_argument",
];
