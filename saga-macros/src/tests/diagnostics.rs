//! Every message, and the token that it points at.

use std::fmt::Write;

use expect_test::{Expect, expect};
use proc_macro2::TokenStream;

use crate::parse::Kind;
use crate::pipeline::saga;

/// Compiles and shows each `compile_error!` with the source text that it points at.
fn check(source: &str, expected: Expect) {
    check_with("", source, expected);
}

fn check_with(arguments: &str, source: &str, expected: Expect) {
    check_kind(Kind::Tool, arguments, source, expected);
}

#[expect(clippy::needless_pass_by_value, reason = "expectations are written in place")]
fn check_kind(kind: Kind, arguments: &str, source: &str, expected: Expect) {
    let arguments: TokenStream = arguments.parse().expect("the arguments are tokens");
    let item: TokenStream = source.parse().expect("the source is tokens");
    let text = errors(&saga(kind, &arguments, &item), source);
    expected.assert_eq(&text);
}

fn errors(expansion: &TokenStream, source: &str) -> String {
    let mut text = String::new();
    let file: syn::File = syn::parse2(expansion.clone()).expect("an expansion is items");
    for item in file.items {
        let syn::Item::Macro(item) = item else { continue };
        if item.mac.path.segments.last().is_some_and(|last| last.ident == "compile_error") {
            let message: syn::LitStr = syn::parse2(item.mac.tokens.clone()).expect("an error has a message");
            let first = item.mac.path.segments.first().expect("a path").ident.span();
            let at = source.lines().nth(first.start().line - 1).unwrap_or_default();
            let at: String = at.chars().skip(first.start().column).take(24).collect();
            writeln!(text, "at `{at}`: {}", message.value()).expect("a string takes all");
        }
    }
    text
}

#[test]
fn a_guard_that_would_be_held_meanwhile() {
    check(
        "async fn tool() {
            *log.lock().unwrap() += &elicit(\"?\").await?.text;
            *log.lock().unwrap() += elicit(\"?\").await?.n;
            log[0] += &elicit(\"?\").await?.text;
        }",
        expect![[r#"
            at `*log.lock().unwrap() += `: what this takes would be held while the client is asked; evaluate the value first: `let value = ..;`, and then `place += value;`
        "#]],
    );
}

#[test]
fn a_question_where_it_cannot_be_asked() {
    check(
        "async fn tool() {
            let ask = |q: &str| async move { elicit(q).await };
            let later = async { sample(\"?\").await };
            unsafe { elicit(\"?\").await };
            match 1 { n if elicit(\"?\").await.is_ok() => n, _ => 2 };
        }",
        expect![[r#"
            at `elicit(q).await };`: a question cannot be asked in an `async` block, since its future cannot be resumed; ask it in the tool before the block and use the answer inside
            at `sample("?").await };`: a question cannot be asked in an `async` block, since its future cannot be resumed; ask it in the tool before the block and use the answer inside
            at `elicit("?").await };`: a question cannot be asked in an `unsafe` block; ask it before the block and use the answer inside
            at `elicit("?").await.is_ok(`: a question cannot be asked in a match guard, since the other arms would have to be tried again; ask it in the arm's body, or before the `match`
        "#]],
    );
}

#[test]
fn a_question_in_a_macro_that_is_no_list() {
    check(
        "async fn tool() { select! { answer = elicit(\"?\").await => answer } }",
        expect![[r#"
            at `select! { answer = elici`: a question cannot race, since it is answered with another request; ask it by itself, `elicit(..).await?`, and let it expire: `#[saga_tool(ttl = "10m")]`
        "#]],
    );
}

#[test]
fn statements_that_may_not_be_there() {
    check(
        "async fn tool() {
            #[cfg(unix)]
            let ok = elicit(\"unix?\").await?;
            #[cfg(unix)]
            elicit(\"unix?\").await?;
            #[cfg(unix)]
            let held = path();
            #[cfg(unix)]
            let dropped = path();
            #[cfg(unix)]
            let mut changed = 1;
            elicit(\"go?\").await?;
            open(held);
            changed = 2;
            match changed {
                #[cfg_attr(unix, cfg(any()))]
                1 => elicit(\"one?\").await?,
                2 => many(#[cfg(unix)] 1, elicit(\"two?\").await?),
                _ => {}
            }
        }",
        expect![[r#"
            at `#[cfg(unix)]`: a question cannot be asked under a `#[cfg]`, which is decided after the sites of the function are known; write `if cfg!(..) { .. }`, or a function for each case
            at `#[cfg(unix)]`: a question cannot be asked under a `#[cfg]`, which is decided after the sites of the function are known; write `if cfg!(..) { .. }`, or a function for each case
            at `#[cfg_attr(unix, cfg(any`: a question cannot be asked under a `#[cfg]`, which is decided after the sites of the function are known; write `if cfg!(..) { .. }`, or a function for each case
            at `#[cfg(unix)] 1, elicit("`: a question cannot be asked under a `#[cfg]`, which is decided after the sites of the function are known; write `if cfg!(..) { .. }`, or a function for each case
            at `held = path();`: `held` is needed after a later question, and whether there is such a local is decided by a `#[cfg]` that the compiler cannot evaluate; move the `#[cfg]` into its value: `let held = if cfg!(..) { .. } else { .. };`
            at `changed = 1;`: `changed` is needed after a later question, and whether there is such a local is decided by a `#[cfg]` that the compiler cannot evaluate; move the `#[cfg]` into its value: `let changed = if cfg!(..) { .. } else { .. };`
        "#]],
    );
}

#[test]
fn calls_that_are_none() {
    check(
        "async fn tool() {
            let walk = review(1);
            call(walk).await?;
            call(Box::pin(review(2))).await?;
            call(async { review(3).await }).await?;
            let ok = || async { call(review(4)).await };
        }",
        expect![[r#"
            at `walk).await?;`: `call` takes the call of a `#[saga]` function as it stands, since its arguments travel and the function is called with them again: `call(review(&plan)).await`, without `Box::pin`; if `call` is a function of your own, call it `self::call(..)`
            at `Box::pin(review(2))).awa`: `call` takes the call of a `#[saga]` function as it stands, since its arguments travel and the function is called with them again: `call(review(&plan)).await`, without `Box::pin`; if `call` is a function of your own, call it `self::call(..)`
            at `async { review(3).await `: `call` takes the call of a `#[saga]` function as it stands, since its arguments travel and the function is called with them again: `call(review(&plan)).await`, without `Box::pin`; if `call` is a function of your own, call it `self::call(..)`
            at `call(review(4)).await };`: a question cannot be asked in an `async` block, since its future cannot be resumed; ask it in the tool before the block and use the answer inside
        "#]],
    );
}

#[test]
fn equal_keys() {
    check(
        "async fn tool() {
            elicit(\"1\").key(\"ok\").await?;
            elicit(\"2\").key(\"ok\").await?;
        }",
        expect![[r#"
            at `"ok").await?;`: two questions have the key `ok`, by which a client tells answers apart; give this one another
        "#]],
    );
}

#[test]
fn a_signature_that_no_tool_has() {
    check(
        "fn tool<T>(&self, (a, b): (u8, u8), name: &str, #[context] app: App, #[context] db: &mut Db) {}",
        expect![[r#"
            at `fn tool<T>(&self, (a, b)`: a tool is an `async fn`, since it waits for answers; write `async fn`
            at `<T>(&self, (a, b): (u8, `: a tool cannot be generic, since clients call it by name alone; write a tool for each type, which call a generic function
            at `&self, (a, b): (u8, u8),`: a tool has no `self`; take what it needs as a context: `#[context] fleet: &Fleet`
            at `(a, b): (u8, u8), name: `: a tool's parameter needs a name, since clients send it by that; take it whole and destructure it with `let` in the first line
            at `&str, #[context] app: Ap`: a tool cannot borrow an argument, since it comes as JSON; take it owned (`String` for `&str`), or write `#[context]` before a value of the server's
            at `App, #[context] db: &mut`: a context is shared by all requests; take it as `&T`
            at `&mut Db) {}`: a context is shared by all requests; take it as `&T`
        "#]],
    );
}

#[test]
fn an_attribute_that_would_see_too_much() {
    check(
        "async fn tool() { let __tracing_attr_span = span(); async { elicit(\"go?\").await }.await; }",
        expect![[r#"
            at `tool() { let __tracing_a`: `#[instrument]` above `#[saga_tool]` has rewritten the function before the compiler could see it; put it below `#[saga_tool]`
        "#]],
    );
}

#[test]
fn arguments_of_the_attribute() {
    check_with(
        "ttl = \"10\", colour = \"red\"",
        "async fn tool() {}",
        expect![[r#"
            at `fn tool() {}`: not a duration; write a whole number with its unit: `90s`, `10m`, `24h`, `7d`
            at `l() {}`: unknown argument of `#[saga_tool]`; it takes `name`, `title`, `annotations(..)`, `ttl`, `max_age`, `max_rounds`, `attempts`, `replay` and `store_down`
        "#]],
    );
    check_with(
        "colour = \"red\"",
        "async fn tool() {}",
        expect![[r#"
            at `async fn tool() {}`: unknown argument of `#[saga_tool]`; it takes `name`, `title`, `annotations(..)`, `ttl`, `max_age`, `max_rounds`, `attempts`, `replay` and `store_down`
        "#]],
    );
    check_with(
        "annotations(readonly)",
        "async fn tool() {}",
        expect![[r#"
        at `l() {}`: unknown annotation; MCP has `read_only`, `destructive`, `idempotent` and `open_world`
    "#]],
    );
}

#[test]
fn a_loop_over_a_borrow_that_is_assigned_inside() {
    check(
        "async fn tool() { let mut items = &all(); for item in items.iter() { elicit(item).await?; items = more(); } }",
        expect![[r#"
            at `items.iter() { elicit(it`: this loop goes over a borrow that is assigned inside it, so that after the question its position would be in another collection; loop over a name of its own: `let items = ..; for item in items`
        "#]],
    );
}

#[test]
fn no_function_at_all() {
    check(
        "struct Tool;",
        expect![[r#"
            at `struct Tool;`: `#[saga_tool]` compiles a function, and not this; write it above each `async fn` that asks, also inside of an `impl` or a module
        "#]],
    );
}

#[test]
fn a_closure_that_would_travel() {
    check(
        "async fn tool() {
            let unneeded = |n| n + 1;
            let made_again = |n| n + unneeded(1);
            let add = (move |n| n + made_again(2));
            elicit(\"?\").await?;
            #[saga(rebuild)]
            let twice = move |n| n * add(2);
            let mut which = &add;
            let by_which = |n| n * which(1);
            which = &twice;
            let nothing = move |n| n * 2;
            sample(\"?\").await?;
            add(twice(nothing(by_which(1))))
        }",
        expect![[r#"
            at `add = (move |n| n + made`: `add` is needed after a later question, and a `move` closure cannot travel; leave out `move`, and it is made again after the question, or write a `fn` that takes what it captures
            at `by_which = |n| n * which`: `by_which` is needed after a later question, and what it captures is assigned meanwhile, so that it cannot be made again; write a `fn` that takes what it captures
        "#]],
    );
}

#[test]
fn a_half_typed_function_is_still_there() {
    let item = "async fn tool(name: String, #[context] fleet: &Fleet) -> Done { let x = name. let ok = elicit(\"?\").await }";
    let item: TokenStream = item.parse().expect("the source is tokens");
    let text = saga(Kind::Tool, &TokenStream::new(), &item).to_string();
    let plain = "async fn tool (name : String , fleet : & Fleet) -> Done { let x = name . let ok = elicit (\"?\") . await }";
    assert!(text.ends_with(plain), "{text}");
    assert_eq!(text.matches("compile_error").count(), 1);
    assert!(text.contains("struct tool { }"), "{text}");
}

#[test]
fn what_would_be_evaluated_in_another_order() {
    check(
        "async fn tool() {
            assert!(ready, \"{}\", elicit(\"why\").await?.text);
            debug_assert!(elicit(\"sure\").await?.yes);
            let mut n = 1;
            apply(move |y| y + n, { n = 100; elicit(\"a\").await?.n });
        }",
        expect![[r#"
            at `elicit("why").await?.tex`: a question cannot be asked here, since the macro may not evaluate it: an assertion's message only if it fails, a `debug_` assertion never in a release build; bind the answer first, or write an `if`
            at `elicit("sure").await?.ye`: a question cannot be asked here, since the macro may not evaluate it: an assertion's message only if it fails, a `debug_` assertion never in a release build; bind the answer first, or write an `if`
            at `move |y| y + n, { n = 10`: this closure captures a local that is assigned before the question, and is made after it; bind what it captures first: `let captured = ..;`
        "#]],
    );
}

#[test]
fn what_a_prompt_and_a_resource_cannot_be() {
    let (prompt, resource) = (Kind::Prompt, Kind::Resource);
    check_kind(
        prompt,
        "annotations(read_only)",
        "fn plan<T>() {}",
        expect![[r#"
            at `fn plan<T>() {}`: unknown argument of `#[saga_prompt]`; it takes `name`, `title`, `ttl`, `max_age`, `max_rounds`, `attempts`, `replay` and `store_down`
            at `fn plan<T>() {}`: a prompt is an `async fn`, since it waits for answers; write `async fn`
            at `<T>() {}`: a prompt cannot be generic, since clients call it by name alone; write a prompt for each type, which call a generic function
        "#]],
    );
    check_kind(
        resource,
        "annotations(read_only)",
        "async fn plan(&self) {}",
        expect![[r#"
        at `n(&self) {}`: unknown annotation; MCP has `audience` and `priority`
        at `&self) {}`: a resource has no `self`; take what it needs as a context: `#[context] fleet: &Fleet`
        at `plan(&self) {}`: a resource needs an address; write `#[saga_resource(uri = "..")]`, with a `{variable}` in it for each argument
    "#]],
    );
    check_kind(
        resource,
        "uri = \"trip://{id}/{day}\"",
        "async fn plan(id: u64, name: String) {}",
        expect![[r#"
            at `name: String) {}`: the resource's address has no such variable; write `{name}` in it, or `#[context]` before a value of the server's
            at `fn plan(id: u64, name: S`: the variable `{day}` has no parameter; add `day: String`
        "#]],
    );
    let address = |uri: &str, expected| {
        check_kind(resource, &format!("uri = {uri:?}"), "async fn plan(a: String, b: String) {}", expected);
    };
    address(
        "plan",
        expect![[r#"
        at `fn plan(a: String, b: St`: an address begins with its scheme, like `trip:` in `trip://{id}`
    "#]],
    );
    address(
        "trip://{id",
        expect![[r#"
        at `fn plan(a: String, b: St`: a variable is `{name}` for one segment, or `{+name}` for several
    "#]],
    );
    address(
        "trip://{}",
        expect![[r#"
        at `fn plan(a: String, b: St`: a variable is `{name}` for one segment, or `{+name}` for several
    "#]],
    );
    address(
        "trip://{a}{b}",
        expect![[r#"
        at `fn plan(a: String, b: St`: something must stand between two variables, to keep them apart
    "#]],
    );
}

#[test]
fn a_method_that_does_not_share_its_server() {
    check_kind(
        Kind::Method,
        "",
        "async fn reset(&mut self) {
            let ask = || elicit(\"?\");
            async { elicit(\"?\").await };
        }",
        expect![[r#"
            at `&mut self) {`: a server is shared by all requests; take it as `&self`
            at `elicit("?").await };`: a question cannot be asked in an `async` block, since its future cannot be resumed; ask it in the tool before the block and use the answer inside
        "#]],
    );
}

#[test]
fn what_no_header_can_be() {
    check(
        "async fn tool(#[header = \"Region\"] a: String, #[header = \"region\"] b: String, \
         #[header = \"a b\"] c: String, #[header(d)] d: String) {}",
        expect![[r#"
            at `"region"] b: String, #[h`: another argument has this header, which is the same in any case
            at `"a b"] c: String, #[head`: a header's name has letters, digits and `-`; write `Region`
            at `#[header(d)] d: String) `: a header is a text; write `#[header = "Region"]`
        "#]],
    );
    check_kind(
        Kind::Prompt,
        "",
        "async fn plan(#[header = \"Region\"] a: String) {}",
        expect![[r#"
        at `#[header = "Region"] a: `: only a tool's arguments are repeated in headers; remove it
    "#]],
    );
}
