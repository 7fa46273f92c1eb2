//! Closures that can be called any number of times: what they give depends on what they are given alone, and nothing
//! else comes of it.

use syn::{Arm, Block, Expr, ExprMethodCall, Pat, Stmt};

use crate::parse::places::{is_compound, unwrap};

/// Methods of the standard library that look and change nothing. Whether a method is the standard library's is seen
/// by the type that has it ([`crate::codegen`]).
const LOOKING: [&str; 48] = [
    "abs",
    "as_bytes",
    "as_deref",
    "as_ref",
    "as_slice",
    "as_str",
    "bytes",
    "chars",
    "clone",
    "cloned",
    "cmp",
    "contains",
    "contains_key",
    "copied",
    "count",
    "ends_with",
    "eq",
    "first",
    "get",
    "is_alphabetic",
    "is_alphanumeric",
    "is_ascii",
    "is_empty",
    "is_err",
    "is_none",
    "is_numeric",
    "is_ok",
    "is_some",
    "is_some_and",
    "iter",
    "last",
    "len",
    "max",
    "min",
    "ne",
    "partial_cmp",
    "reverse",
    "starts_with",
    "then",
    "then_with",
    "to_lowercase",
    "to_owned",
    "to_string",
    "to_uppercase",
    "total_cmp",
    "trim",
    "unwrap_or",
    "unwrap_or_default",
];

/// Methods of numbers, and of what may be none, that take what they are called on. Those that others have, too, and do
/// something else by, are not among them.
const TAKING: [&str; 53] = [
    "abs_diff",
    "atan2",
    "checked_add",
    "checked_add_signed",
    "checked_div",
    "checked_mul",
    "checked_pow",
    "checked_rem",
    "checked_rem_euclid",
    "checked_shl",
    "checked_shr",
    "checked_sub",
    "clamp",
    "copysign",
    "div_ceil",
    "div_euclid",
    "hypot",
    "is_multiple_of",
    "is_none_or",
    "is_some_and",
    "map_or",
    "map_or_else",
    "max",
    "midpoint",
    "min",
    "mul_add",
    "next_multiple_of",
    "ok_or",
    "or",
    "overflowing_add",
    "overflowing_mul",
    "overflowing_sub",
    "pow",
    "powf",
    "powi",
    "rem_euclid",
    "saturating_add",
    "saturating_add_signed",
    "saturating_div",
    "saturating_mul",
    "saturating_pow",
    "saturating_sub",
    "then_some",
    "unwrap_or",
    "wrapping_add",
    "wrapping_add_signed",
    "wrapping_div",
    "wrapping_mul",
    "wrapping_pow",
    "wrapping_rem",
    "wrapping_shl",
    "wrapping_shr",
    "wrapping_sub",
];

/// Methods of texts, lists, sets and paths that look, beside those that closures may call.
const READING: [&str; 59] = [
    "binary_search",
    "binary_search_by",
    "binary_search_by_key",
    "char_indices",
    "chunk_by",
    "chunks",
    "chunks_exact",
    "concat",
    "difference",
    "eq_ignore_ascii_case",
    "find",
    "get_key_value",
    "intersection",
    "is_char_boundary",
    "is_disjoint",
    "is_sorted_by",
    "is_sorted_by_key",
    "is_subset",
    "is_superset",
    "join",
    "lines",
    "match_indices",
    "matches",
    "parse",
    "partition_point",
    "range",
    "rchunks",
    "rchunks_exact",
    "repeat",
    "replacen",
    "rfind",
    "rmatch_indices",
    "rmatches",
    "rsplit",
    "rsplit_once",
    "rsplit_terminator",
    "rsplitn",
    "split",
    "split_at",
    "split_at_checked",
    "split_first",
    "split_inclusive",
    "split_last",
    "split_once",
    "split_terminator",
    "split_whitespace",
    "splitn",
    "strip_prefix",
    "strip_suffix",
    "symmetric_difference",
    "to_vec",
    "trim_end",
    "trim_end_matches",
    "trim_matches",
    "trim_start",
    "trim_start_matches",
    "windows",
    "with_extension",
    "with_file_name",
];

/// Whether an expression is such a closure.
pub(super) fn is_pure_closure(expr: &Expr) -> bool {
    matches!(unwrap(expr), Expr::Closure(closure) if closure.asyncness.is_none() && is_pure(&closure.body))
}

/// Whether a method looks and changes nothing, by its name.
pub(super) fn looks(call: &ExprMethodCall) -> bool {
    LOOKING.contains(&call.method.to_string().as_str())
}

/// Whether a method of a text or a list looks and changes nothing, by its name.
pub(super) fn reads(call: &ExprMethodCall) -> bool {
    READING.contains(&call.method.to_string().as_str())
}

/// Whether a method takes what it is called on, by its name: of what can be copied, a copy.
pub(super) fn takes_copy(call: &ExprMethodCall) -> bool {
    TAKING.contains(&call.method.to_string().as_str())
}

/// Whether an expression looks at what it names, and changes nothing.
pub(super) fn is_pure(expr: &Expr) -> bool {
    match expr {
        Expr::Lit(_) | Expr::Path(_) => true,
        Expr::Paren(inner) => is_pure(&inner.expr),
        Expr::Field(field) => is_pure(&field.base),
        Expr::Unary(unary) => is_pure(&unary.expr),
        Expr::Cast(cast) => is_pure(&cast.expr),
        Expr::Reference(reference) => reference.mutability.is_none() && is_pure(&reference.expr),
        Expr::Index(index) => is_pure(&index.expr) && is_pure(&index.index),
        Expr::Binary(binary) => !is_compound(&binary.op) && is_pure(&binary.left) && is_pure(&binary.right),
        Expr::Range(range) => [&range.start, &range.end].into_iter().flatten().all(|end| is_pure(end)),
        Expr::Tuple(tuple) => tuple.elems.iter().all(is_pure),
        Expr::Array(array) => array.elems.iter().all(is_pure),
        Expr::MethodCall(call) => {
            let argument = |argument| is_pure(argument) || is_pure_closure(argument);
            looks(call) && is_pure(&call.receiver) && call.args.iter().all(argument)
        }
        // `Reverse(size)`, `Some(name)`.
        Expr::Call(call) => is_constructor(&call.func) && call.args.iter().all(is_pure),
        Expr::Let(condition) => is_pure(&condition.expr),
        Expr::If(branch) => {
            let otherwise = branch.else_branch.as_ref().is_none_or(|(_, otherwise)| is_pure(otherwise));
            is_pure(&branch.cond) && is_pure_block(&branch.then_branch) && otherwise
        }
        Expr::Match(branch) => is_pure(&branch.expr) && branch.arms.iter().all(is_pure_arm),
        Expr::Block(block) => is_pure_block(&block.block),
        _ => false,
    }
}

fn is_pure_block(block: &Block) -> bool {
    block.stmts.iter().all(|statement| matches!(statement, Stmt::Expr(expr, None) if is_pure(expr)))
}

fn is_pure_arm(arm: &Arm) -> bool {
    let guard = match &arm.pat {
        Pat::Guard(guarded) => is_pure(&guarded.guard),
        _ => true,
    };
    guard && is_pure(&arm.body)
}

/// `Reverse(..)`, `u32::from(..)`.
fn is_constructor(function: &Expr) -> bool {
    let Expr::Path(path) = function else { return false };
    let names: Vec<_> = path.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
    match &names[..] {
        [of, from] if from == "from" => of == "String" || of.starts_with(char::is_lowercase),
        names => names.last().is_some_and(|last| last.starts_with(char::is_uppercase)),
    }
}
