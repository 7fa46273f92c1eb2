#[allow(non_camel_case_types, reason = "the tool has the function's name")]
struct tool {}
#[automatically_derived]
const _: () = {
    impl tool {
        /// The tool's flow graph.
        #[allow(dead_code, reason = "for whoever draws the tool")]
        pub const FLOW: ::saga_runtime::__private::Flow = {
            use ::saga_runtime::__private as flow;
            flow::Flow {
                tool: "tool",
                nodes: &[
                    flow::Node {
                        kind: flow::NodeKind::Start,
                        line: 1usize,
                    },
                    flow::Node {
                        kind: flow::NodeKind::Loop {
                            text: "for region in &target.regions",
                        },
                        line: 1usize,
                    },
                    flow::Node {
                        kind: flow::NodeKind::Site {
                            name: "ok",
                            steps: &[flow::StepKind::Elicit],
                            held: &["target", "(loop)"],
                        },
                        line: 1usize,
                    },
                    flow::Node {
                        kind: flow::NodeKind::End,
                        line: 1usize,
                    },
                ],
                edges: &[
                    flow::Edge {
                        from: 0usize,
                        to: 1usize,
                        label: "",
                    },
                    flow::Edge {
                        from: 1usize,
                        to: 2usize,
                        label: "again",
                    },
                    flow::Edge {
                        from: 1usize,
                        to: 3usize,
                        label: "done",
                    },
                    flow::Edge {
                        from: 2usize,
                        to: 1usize,
                        label: "",
                    },
                ],
                needs: &[],
                longest: 1usize,
            }
        };
    }
    #[automatically_derived]
    impl<__Context: ?::core::marker::Sized> ::saga_runtime::__private::Tool<__Context>
    for tool
    where
        Self: ::saga_runtime::__private::Machine<__Context>,
    {}
    impl<__Context> ::saga_runtime::__private::Machine<__Context> for tool
    where
        __Context: ?::core::marker::Sized + ::core::marker::Sync
            + ::saga_runtime::__private::Provides<Fleet>,
    {
        fn definition() -> ::saga_runtime::__private::Definition {
            #[allow(unused_mut, reason = "a tool without settings changes nothing")]
            let mut definition = ::saga_runtime::__private::Definition::new(
                "tool",
                {
                    #[allow(
                        unused_mut,
                        reason = "a tool without arguments describes none"
                    )]
                    let mut signature = ::saga_runtime::__private::Signature::new();
                    <String as ::saga_runtime::__private::Argument>::describe(
                        &mut signature,
                        "name",
                        &[],
                    );
                    <u32 as ::saga_runtime::__private::Argument>::describe(
                        &mut signature,
                        "count",
                        &[],
                    );
                    signature
                },
                <Result<
                    String,
                    ToolError,
                > as ::saga_runtime::__private::IntoToolResult>::output_schema(),
            );
            definition
        }
        fn flow() -> &'static ::saga_runtime::__private::Flow {
            &Self::FLOW
        }
        fn run<'a>(
            __frame: &'a ::saga_runtime::__private::Frame,
            __arguments: &'a ::saga_runtime::__private::JsonObject,
            __context: &'a __Context,
        ) -> ::saga_runtime::__private::Running<'a> {
            #[allow(
                unused_variables,
                unused_assignments,
                unused_mut,
                unused_imports,
                unused_labels,
                unused_parens,
                unused_braces,
                unused_unsafe,
                unused_macros,
                unused_doc_comments,
                dead_code,
                non_shorthand_field_patterns,
                path_statements,
                redundant_semicolons,
                unreachable_patterns,
                unreachable_code,
                irrefutable_let_patterns,
                clippy::all,
                clippy::pedantic,
                reason = "each arm has only a part of the function; the plain twin is linted whole"
            )]
            async fn tool<'this_request>(
                __frame: &'this_request ::saga_runtime::__private::Frame,
                name: String,
                mut count: u32,
                fleet: &Fleet,
            ) -> Result<String, ToolError> {
                use ::saga_runtime::__private::Untied as _;
                let __slot_0_3 = ::saga_runtime::__private::Slot::NEW;
                let __slot_0_4 = ::saga_runtime::__private::Slot::NEW;
                let __step_0 = ::saga_runtime::__private::Slot::NEW;
                '__left: {
                    return match __frame.site() {
                        ::saga_runtime::__private::None => {
                            let target = plan(&name);
                            {
                                let mut __iterator1 = ::saga_runtime::__private::Positioned::start(
                                    ::saga_runtime::__private::into_iter(&target.regions),
                                );
                                '__loop2: loop {
                                    let region = match ::saga_runtime::__private::next(
                                        &mut __iterator1,
                                    ) {
                                        ::saga_runtime::__private::Some(__item) => __item,
                                        ::saga_runtime::__private::None => break '__loop2,
                                    };
                                    {
                                        let ok: Confirm = ({
                                            let __asked = elicit(region);
                                            let mut __holding = ::saga_runtime::__private::Holding::new();
                                            let __given_4 = __iterator1.given();
                                            ::saga_runtime::__private::touch(&region);
                                            let __passed_3 = {
                                                use ::saga_runtime::__private::{
                                                    LendItself as _, LendNothing as _, LendShown as _,
                                                    LendTwice as _,
                                                };
                                                (&&&::saga_runtime::__private::Lending::new(&target))
                                                    .choose("target")
                                            }
                                                .encoded();
                                            __holding.passed(__passed_3);
                                            __holding.local("(loop)", &__given_4);
                                            __frame.leave("ok", &["ok"], __holding, &__asked);
                                            break '__left;
                                            __slot_0_3
                                                .of_lent(
                                                    &{
                                                        use ::saga_runtime::__private::{
                                                            LendItself as _, LendNothing as _, LendShown as _,
                                                            LendTwice as _,
                                                        };
                                                        (&&&::saga_runtime::__private::Lending::new(&target))
                                                            .choose("target")
                                                    },
                                                );
                                            __slot_0_4.of(&__iterator1.given());
                                            (__step_0).asked(__asked)
                                        })?;
                                        if !ok.yes {
                                            continue '__loop2;
                                        }
                                        deploy(region);
                                    }
                                }
                            };
                            Ok(done(target))
                        }
                        ::saga_runtime::__private::Some("ok") => {
                            let mut __taking = __frame.held();
                            let __held_3 = __taking.saved("target", &__slot_0_3);
                            let __held_4 = __taking.local("(loop)", &__slot_0_4);
                            let (
                                ::saga_runtime::__private::Some(__held_3),
                                ::saga_runtime::__private::Some(__held_4),
                                ::saga_runtime::__private::Some(()),
                            ) = (__held_3, __held_4, __taking.end()) else {
                                __frame.stale();
                                break '__left;
                            };
                            let mut __home_3 = ::saga_runtime::__private::None;
                            let __held_3 = __slot_0_3.load(__held_3, &mut __home_3);
                            let __answer = match __frame.answer(&__step_0) {
                                ::saga_runtime::__private::Some(__answer) => (__answer,),
                                ::saga_runtime::__private::None => break '__left,
                            };
                            {
                                let target = __held_3;
                                '__loop2_whole: {
                                    let (mut __iterator1, __item) = match ::saga_runtime::__private::Positioned::resume(
                                        ::saga_runtime::__private::into_iter(&target.regions),
                                        __held_4,
                                    ) {
                                        ::saga_runtime::__private::Some(resumed) => resumed,
                                        ::saga_runtime::__private::None => {
                                            __frame.stale();
                                            break '__left;
                                        }
                                    };
                                    '__loop2_rest: {
                                        let region = __item;
                                        {
                                            let ok: Confirm = ({ (__answer).0 })?;
                                            if !ok.yes {
                                                break '__loop2_rest;
                                            }
                                            deploy(region);
                                        }
                                    }
                                    '__loop2: loop {
                                        let region = match ::saga_runtime::__private::next(
                                            &mut __iterator1,
                                        ) {
                                            ::saga_runtime::__private::Some(__item) => __item,
                                            ::saga_runtime::__private::None => break '__loop2,
                                        };
                                        {
                                            {
                                                let _ = {
                                                    let _ = {
                                                        let __asked = elicit(region);
                                                        let mut __holding = ::saga_runtime::__private::Holding::new();
                                                        let __given_4 = __iterator1.given();
                                                        ::saga_runtime::__private::touch(&region);
                                                        let __passed_3 = __slot_0_3.encoded("target", &target);
                                                        __holding.passed(__passed_3);
                                                        __holding.local("(loop)", &__given_4);
                                                        __frame.leave("ok", &["ok"], __holding, &__asked);
                                                        break '__left;
                                                        __slot_0_3.tied_again(&target);
                                                        __slot_0_4.of(&__iterator1.given());
                                                        (__step_0).asked(__asked)
                                                    };
                                                    ::saga_runtime::__private::unreachable()
                                                };
                                                ::saga_runtime::__private::unreachable()
                                            };
                                            ::saga_runtime::__private::unreachable()
                                        }
                                    }
                                };
                                Ok(done(target))
                            }
                        }
                        ::saga_runtime::__private::Some(_) => {
                            __frame.no_such_site();
                            break '__left;
                        }
                    };
                }
                match ::saga_runtime::__private::left().await {}
            }
            let mut __given = ::saga_runtime::__private::Given::values(__arguments);
            let (
                ::saga_runtime::__private::Some(__argument_name),
                ::saga_runtime::__private::Some(__argument_count),
            ) = (
                <String as ::saga_runtime::__private::Argument>::take(
                    &mut __given,
                    "name",
                ),
                <u32 as ::saga_runtime::__private::Argument>::take(&mut __given, "count"),
            ) else { return __given.refused() };
            ::saga_runtime::__private::running(
                tool(
                    __frame,
                    __argument_name,
                    __argument_count,
                    <__Context as ::saga_runtime::__private::Provides<
                        Fleet,
                    >>::provide(__context),
                ),
                <Result<
                    String,
                    ToolError,
                > as ::saga_runtime::__private::IntoToolResult>::into_tool_result,
            )
        }
    }
};
#[cfg(test)]
#[allow(dead_code, clippy::unused_async, reason = "for tests of the tool")]
async fn tool(name: String, mut count: u32, fleet: &Fleet) -> Result<String, ToolError> {
    let target = plan(&name);
    for region in &target.regions {
        let ok: Confirm = (::saga_runtime::__private::script::ask)(
                elicit(region),
                &["ok"],
            )
            .await?;
        if !ok.yes {
            continue;
        }
        deploy(region);
    }
    Ok(done(target))
}
#[cfg(not(test))]
#[doc(hidden)]
#[allow(dead_code, clippy::pedantic, reason = "for who calls the tool")]
fn tool(
    _: String,
    _: u32,
    _: &Fleet,
) -> ::saga_runtime::__private::Uncalled<Result<String, ToolError>>
where
    for<'called> ::saga_runtime::__private::ATool<
        'called,
    >: ::saga_runtime::__private::Called,
{
    ::saga_runtime::__private::uncalled()
}
