//! What is generated, as a person reads it.

use expect_test::expect_file;
use proc_macro2::TokenStream;

use crate::pipeline::saga_tool;

fn pretty(body: &str) -> String {
    let function = super::function(body);
    let expansion = saga_tool(&TokenStream::new(), &quote::quote!(#function));
    let file: syn::File = syn::parse2(expansion).expect("an expansion is items");
    prettyplease::unparse(&file)
}

#[test]
fn one_question() {
    let text =
        pretty("let release = latest(&name)?; let ok: Confirm = elicit(\"Go?\").await?; deploy(release, ok)");
    expect_file!["expansion/one_question.rs"].assert_eq(&text);
}

#[test]
fn a_question_in_a_loop() {
    let text = pretty(
        "let target = plan(&name); for region in &target.regions { let ok: Confirm = elicit(region).await?; if !ok.yes { \
         continue; } deploy(region); } Ok(done(target))",
    );
    expect_file!["expansion/a_question_in_a_loop.rs"].assert_eq(&text);
}

/// The locals that an expansion has another name for.
fn aliased(body: &str) -> Vec<String> {
    let text = pretty(body);
    let mut aliased: Vec<_> = text
        .split("macro_rules! __alias_")
        .skip(1)
        .filter_map(|text| Some(text.split("() => {").nth(1)?.split('}').next()?.trim().to_owned()))
        .collect();
    aliased.sort();
    aliased.dedup();
    aliased
}

#[test]
fn another_name_for_what_a_question_needs_and_cannot_name() {
    let held = "let a = 1; { let a = 2; elicit(\"?\").await?; } use_(a)";
    let derived = "let a = &fleet.a; { let a = 2; elicit(\"?\").await?; } use_(a)";
    let declared = "let a; { let a = 2; elicit(\"?\").await?; } a = 3; use_(a)";
    for body in [held, derived, declared] {
        assert_eq!(aliased(body), ["a"], "{body}");
    }
}

#[test]
fn no_other_name_where_none_is_needed() {
    let named = "let a = 1; { let b = 2; elicit(\"?\").await?; use_(b) } use_(a)";
    let outside = "let a = 1; { let a = 2; use_(a) } elicit(\"?\").await?; use_(a)";
    let gone = "let a = 1; let a = a + 1; elicit(\"?\").await?; use_(a)";
    for body in [named, outside, gone] {
        assert_eq!(aliased(body), [""; 0], "{body}");
    }
}
