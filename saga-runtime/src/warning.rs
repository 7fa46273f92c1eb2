//! Warnings of the compiler. On stable Rust a macro warns by the use of a deprecated function: generated code calls
//! these, at the token that the warning is about.

/// For a local that looks like a guard, and that nothing after the question needs.
#[deprecated(
    note = "nothing that this guards stays so while the client is asked; take it again after the question, or end \
            its scope before: `{ let guard = ..; .. }`"
)]
pub const fn a_question_ends_this_guard() {}

/// For a tool whose longest way without a loop has more than nine questions.
#[deprecated(
    note = "many clients give up after ten requests; ask several things in one form or in one round, or write \
            `#[saga_tool(max_rounds = ..)]` if you know your clients"
)]
pub const fn more_than_nine_rounds() {}
