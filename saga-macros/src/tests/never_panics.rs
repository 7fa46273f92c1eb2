//! Any tokens in, tokens out: the compiler refuses, it does not panic.

use proc_macro2::TokenStream;
use proptest::prelude::*;

use crate::pipeline::saga_tool;

/// A tool that has a bit of everything, to be cut up.
const TOOL: &str = r#"
async fn tool(name: String, mut count: u32, #[context] fleet: &Fleet) -> Result<String, ToolError> {
    let plan = fleet.plan(&name).await?;
    let region = &plan.regions[count as usize];
    let target: Target = elicit(format!("Where to, {name}? {region}")).await?;
    'outer: for (index, item) in plan.items.iter().enumerate() {
        let Some(x) = item.value else { continue 'outer };
        while let Some(next) = queue.pop() && next.ready {
            if elicit("Go?").key("go").await?.yes || sample(x).await?.text() == "yes" { break 'outer; }
            match &next { Kind::A(a) if a > 1 => list_roots().await?, Kind::B { b, .. } => vec![b, elicit("b").await?], _ => return Ok(elicit("c").await?) };
        }
        count += elicit("n").await?.n + { let count = 2; count };
    }
    let value = loop { break send(first(), &mut count, elicit("v").await?, |y| y + index); };
    Ok(format!("{value} {}", elicit("last").await?))
}
"#;

fn words() -> impl Strategy<Value = String> {
    let words =
        TOOL.split_inclusive([' ', '(', ')', '.', '{', '}', ',']).map(ToOwned::to_owned).collect::<Vec<_>>();
    let count = words.len();
    let edit = (0..count, 0..count, 0..4_u8);
    prop::collection::vec(edit, 1..4).prop_map(move |edits| {
        let mut words = words.clone();
        for (one, other, kind) in edits {
            let (one, other) = (one % words.len(), other % words.len());
            match kind {
                0 => words.swap(one, other),
                1 => drop(words.remove(one)),
                2 => words.insert(one, words[other].clone()),
                _ => words[one] = words[other].clone(),
            }
        }
        words.concat()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn a_mutated_tool(source in words()) {
        if let Ok(tokens) = source.parse::<TokenStream>() {
            saga_tool(&TokenStream::new(), &tokens);
        }
    }

    #[test]
    fn any_text(arguments in "[a-z=\", ()0-9]{0,24}", source in "\\PC{0,80}") {
        if let (Ok(arguments), Ok(source)) = (arguments.parse::<TokenStream>(), source.parse::<TokenStream>()) {
            saga_tool(&arguments, &source);
        }
    }
}

#[test]
fn the_whole_tool_is_accepted() {
    let tokens: TokenStream = TOOL.parse().expect("the tool is tokens");
    let text = saga_tool(&TokenStream::new(), &tokens).to_string();
    assert!(!text.contains("compile_error"), "{text}");
}
