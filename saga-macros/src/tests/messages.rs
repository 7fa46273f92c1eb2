//! `docs/diagnostics.md`, written from the cases in `tests/ui`; and that there is a case for each message of the
//! compiler. `UPDATE_EXPECT=1 cargo test -p saga-macros --lib messages` writes the page anew.

mod rewrites;

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use expect_test::expect_file;
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::visit::{self, Visit};
use syn::{Expr, Lit};

const RULES: &str = include_str!("messages.md");

/// Messages without a case of their own, each with the reason.
const WITHOUT_A_CASE: &[(&str, &str)] = &[
    ("a question cannot be asked in a `try` block yet", "only the nightly compiler has such blocks"),
    ("a question cannot be asked in this place", "of what syn does not know, and stable Rust does not have"),
    (
        "a server is shared by all requests; take it as `&self`",
        "of methods, which need rmcp; in `diagnostics.rs`",
    ),
    ("`{}` is not a choice", "the field of a form says so first"),
    (
        "`{}` is not a compiled function of a server",
        "what asks for a tool, a prompt or a resource says so first",
    ),
];

/// The themes of the cases, each with its title.
const THEMES: [(&str, &str); 5] = [
    ("places", "Where nothing can be asked"),
    ("travels", "What cannot go over a question"),
    ("calls", "Sagas that are called"),
    ("surface", "What a tool is"),
    ("forms", "Forms and choices"),
];

fn cases(theme: &str) -> Vec<(String, Vec<String>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/ui/tests/ui").join(theme);
    let mut paths = files(&folder, "stderr");
    paths.sort();
    let case = |path: PathBuf| {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        (name, reports(&fs::read_to_string(path).expect("a case can be read")))
    };
    paths.into_iter().map(case).collect()
}

/// What a case reports: each error with the notes that are the compiler's or the runtime's own.
fn reports(text: &str) -> Vec<String> {
    let mut reports: Vec<String> = Vec::new();
    for line in text.lines() {
        if let Some(("error", said)) =
            line.split_once(": ").map(|(head, said)| (head.get(..5).unwrap_or(head), said))
        {
            reports.push(said.to_owned());
        } else if let Some(note) = line.trim_start().strip_prefix("= note: ")
            && let Some(report) = reports.last_mut()
            && !note.starts_with("required")
            && !note.starts_with("this error originates")
        {
            write!(report, "; {note}").expect("a string takes all text");
        }
    }
    reports
}

fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("the folder is in the repository") {
        let path = entry.expect("a folder's entry can be read").path();
        if path.is_dir() {
            found.extend(files(&path, extension));
        } else if path.extension().is_some_and(|found| found == extension) {
            found.push(path);
        }
    }
    found
}

#[test]
fn the_page_is_current() {
    let mut text = RULES.to_owned();
    for (theme, title) in THEMES {
        write!(text, "\n### {title}\n\n").expect("a string takes all text");
        for (name, reports) in cases(theme) {
            let path = format!("../tests/ui/tests/ui/{theme}/{name}.rs");
            let name = name.replace('_', " ");
            writeln!(text, "- [{name}]({path})").expect("a string takes all text");
            for report in reports.into_iter().collect::<BTreeSet<_>>() {
                writeln!(text, "  - {report}").expect("a string takes all text");
            }
        }
    }
    expect_file!["../../../docs/diagnostics.md"].assert_eq(&text);
}

#[test]
fn every_message_has_a_case() {
    let reports = THEMES.iter().flat_map(|(theme, _)| cases(theme)).flat_map(|(_, reports)| reports);
    let reports = reports.collect::<Vec<_>>();
    let mut messages = Messages::default();
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for path in files(&sources, "rs").into_iter().filter(|path| !is_of_tests(path)) {
        let text = fs::read_to_string(&path).expect("a source can be read");
        messages.visit_file(&syn::parse_file(&text).expect("a source is Rust"));
    }
    let runtime = Path::new(env!("CARGO_MANIFEST_DIR")).join("../saga-runtime/src");
    for path in files(&runtime, "rs") {
        let text = fs::read_to_string(&path).expect("a source can be read");
        messages.unimplemented(&syn::parse_file(&text).expect("a source is Rust"));
    }
    let without = messages
        .found
        .iter()
        .filter(|message| !WITHOUT_A_CASE.iter().any(|(start, _)| message.starts_with(start)));
    let without = without.filter(|message| !reports.iter().any(|report| says(report, message)));
    let without = without.map(String::as_str).collect::<Vec<_>>();
    assert!(messages.found.len() > 60, "{} messages", messages.found.len());
    assert!(without.is_empty(), "{} without a case in tests/ui:\n{}", without.len(), without.join("\n"));
}

fn is_of_tests(path: &Path) -> bool {
    path.components().any(|part| part.as_os_str() == "tests" || part.as_os_str() == "tests.rs")
}

/// Whether a report is this message, whose parts between `{}` stand in it in order.
fn says(report: &str, message: &str) -> bool {
    let mut rest = report;
    message.split("{}").all(|part| {
        let at = rest.find(part);
        rest = at.map_or("", |at| &rest[at + part.len()..]);
        at.is_some()
    })
}

/// The messages in a source, their arguments as `{}`.
#[derive(Default)]
struct Messages {
    found: BTreeSet<String>,
    /// Inside what only tests have.
    is_test: bool,
}

impl Messages {
    /// What `#[diagnostic::on_unimplemented]` says.
    fn unimplemented(&mut self, file: &syn::File) {
        struct Attributes<'m>(&'m mut Messages);
        impl<'ast> Visit<'ast> for Attributes<'_> {
            fn visit_attribute(&mut self, attribute: &'ast syn::Attribute) {
                let is_ours =
                    attribute.path().segments.last().is_some_and(|last| last.ident == "on_unimplemented");
                let tokens = is_ours.then(|| attribute.meta.to_token_stream());
                self.0.found.extend(tokens.map(first_text).unwrap_or_default());
            }
        }
        Attributes(self).visit_file(file);
    }

    fn message(&mut self, text: String) {
        if !self.is_test && !text.contains("a bug in saga-macros") {
            self.found.insert(text);
        }
    }
}

impl<'ast> Visit<'ast> for Messages {
    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}

    fn visit_item_mod(&mut self, module: &'ast syn::ItemMod) {
        self.is_test = module.ident == "tests";
        visit::visit_item_mod(self, module);
        self.is_test = false;
    }

    fn visit_lit_str(&mut self, text: &'ast syn::LitStr) {
        let text = text.value();
        if text.contains("; ") && text.starts_with(|first: char| !first.is_uppercase()) {
            self.message(text);
        }
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        let is_report = call.method == "error" && call.args.len() == 2;
        if let (true, Some(Expr::Lit(syn::ExprLit { lit: Lit::Str(text), .. }))) =
            (is_report, call.args.last())
        {
            self.message(text.value());
        }
        visit::visit_expr_method_call(self, call);
    }

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        let text = mac.path.is_ident("format").then(|| first_text(mac.tokens.clone())).flatten();
        if let Some(text) = text.filter(|text| text.contains("; ") || text.contains(", since ")) {
            self.message(text);
        }
    }
}

/// The first text in some tokens, each argument of a format as `{}`.
fn first_text(tokens: TokenStream) -> Option<String> {
    let mut texts = tokens.into_iter().filter_map(|token| match token {
        TokenTree::Group(group) => first_text(group.stream()),
        TokenTree::Literal(literal) => {
            syn::parse2::<syn::LitStr>(TokenTree::from(literal).into()).ok().map(|text| text.value())
        }
        TokenTree::Ident(_) | TokenTree::Punct(_) => None,
    });
    let text = texts.next()?;
    let (mut shown, mut chars) = (String::new(), text.chars().peekable());
    while let Some(char) = chars.next() {
        match char {
            // Two braces are one that is text.
            '{' | '}' if chars.next_if_eq(&char).is_some() => shown.push(char),
            '{' => {
                chars.by_ref().find(|char| *char == '}');
                shown.push_str("{}");
            }
            other => shown.push(other),
        }
    }
    Some(shown)
}
