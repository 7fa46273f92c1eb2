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
