//! Each mistake as text: what the derive says and which of the user's tokens it points at, all of one type in one
//! build; and one whole expansion, to be reviewed by eye.

#![expect(clippy::needless_raw_string_hashes, reason = "expect-test writes them")]

use expect_test::{Expect, expect};
use proc_macro2::{Span, TokenStream};
use proptest::prelude::*;
use syn::DeriveInput;

use super::choice::ChoiceEnum;
use super::form_struct::FormStruct;
use super::{derive_choice, derive_form};
use crate::diagnostics::Diagnostics;

#[track_caller]
fn check_form(source: &str, expected: &Expect) {
    check(source, expected, derive_form, |input, diagnostics| {
        let _ = FormStruct::parse(input, diagnostics);
    });
}

#[track_caller]
fn check_choice(source: &str, expected: &Expect) {
    check(source, expected, derive_choice, |input, diagnostics| {
        let _ = ChoiceEnum::parse(input, diagnostics);
    });
}

/// Compares the mistakes, and sees to it that an impl stands beside them.
#[track_caller]
fn check(
    source: &str,
    expected: &Expect,
    derive: fn(TokenStream) -> TokenStream,
    parse: fn(&DeriveInput, &mut Diagnostics),
) {
    let input: DeriveInput = syn::parse_str(source).unwrap();
    let mut diagnostics = Diagnostics::new();
    parse(&input, &mut diagnostics);
    let errors = diagnostics.finish().expect_err("the source has mistakes");
    let rendered = errors.into_iter().map(|error| format!("{}: {error}", words_at(source, error.span())));
    let rendered: Vec<String> = rendered.chain([String::new()]).collect();
    expected.assert_eq(&rendered.join("\n"));
    let expansion: syn::File = syn::parse2(derive(source.parse().unwrap())).unwrap();
    assert!(expansion.items.iter().any(|item| matches!(item, syn::Item::Impl(_))));
}

/// The words of the source that a mistake points at, in quotes.
fn words_at(source: &str, span: Span) -> String {
    let (start, end) = (span.start(), span.end());
    assert_eq!(start.line, end.line, "a mistake's place fits on one line");
    let line: Vec<char> = source.lines().nth(start.line - 1).unwrap().chars().collect();
    format!("{:?}", line[start.column..end.column].iter().collect::<String>())
}

#[test]
fn all_mistakes_of_a_struct_in_one_build() {
    check_form(
        r#"
        #[form(rename_all = "Title Case", name = "x")]
        struct Target {
            #[form(minimum = 1)]
            a: u8,
            #[form(min = 9, max = 1)]
            b: u8,
            #[form(title = 3, title = "x")]
            c: u8,
            #[form(format = "phone")]
            d: String,
            #[form(rename = "")]
            e: u8,
            #[form(max)]
            f: u8,
        }"#,
        &expect![[r#"
            "name": unknown attribute `name`; `#[form(..)]` takes `title`, `rename_all` here
            "\"Title Case\"": unknown case `Title Case`; `rename_all` takes `lowercase`, `UPPERCASE`, `PascalCase`, `camelCase`, `snake_case`, `SCREAMING_SNAKE_CASE`, `kebab-case`, `SCREAMING-KEBAB-CASE`
            "minimum": unknown attribute `minimum`; `#[form(..)]` takes `title`, `description`, `rename`, `default`, `min`, `max`, `min_length`, `max_length`, `format`, `min_items`, `max_items` here
            "1": `max` is below `min`; no answer could fit; swap the two
            "title": `title` is given twice; remove one of the two
            "3": `title` must be a string literal; write `title = ".."`
            "\"phone\"": unknown format `phone`; MCP knows `email`, `uri`, `date`, `date-time`; remove it and check the text in the tool
            "\"\"": a name must not be empty; remove `rename` to keep the name in the code
            "max": `max` needs a value; write `max = ..`
        "#]],
    );
}

#[test]
fn what_is_no_form() {
    check_form(
        "enum Size { Small }",
        &expect![[r#"
            "Size": an enum is no form; a form has named fields; use `#[derive(Choice)]` and a form with a field of this type
        "#]],
    );
    check_form(
        "union Both { a: u8 }",
        &expect![[r#"
            "Both": a union is no form; a form has named fields; write a struct
        "#]],
    );
    check_form(
        "struct Age(u8);",
        &expect![[r#"
            "(u8)": a form's fields need names; the person reads them; write `struct Age { answer: .. }`
        "#]],
    );
}

#[test]
fn equal_names() {
    check_form(
        r#"struct Target { a: u8, #[form(rename = "a")] b: u8 }"#,
        &expect![[r#"
            "b": two fields have the name `a`; an answer could not tell them apart; rename one of them
        "#]],
    );
    check_choice(
        r#"#[choice(rename_all = "lowercase")] enum Size { Big, BIG }"#,
        &expect![[r#"
            "BIG": two variants have the value `big`; an answer could not tell them apart; rename one of them
        "#]],
    );
}

#[test]
fn defaults_outside_of_their_bounds() {
    check_form(
        r#"struct Target {
            #[form(min = -1, max = 9, default = -2)] a: i8,
            #[form(max = 1.5, default = 2)] b: f64,
            #[form(min_length = 2, default = "x")] c: String,
            #[form(min_length = 3, max_length = 2)] d: String,
            #[form(min_items = 3, max_items = 2)] e: Vec<Size>,
            #[form(min = LEAST, max = 3, default = 3)] fine: u8,
        }"#,
        &expect![[r#"
            "-2": the default breaks `min`; an answer that leaves the field out would be refused; change one of the two
            "2": the default breaks `max`; an answer that leaves the field out would be refused; change one of the two
            "\"x\"": the default breaks `min_length`; an answer that leaves the field out would be refused; change one of the two
            "2": `max_length` is below `min_length`; no answer could fit; swap the two
            "2": `max_items` is below `min_items`; no answer could fit; swap the two
        "#]],
    );
}

#[test]
fn syntax_in_an_attribute() {
    check_form(
        "struct Target { #[form(min 1)] a: u8, #[form(max = )] b: u8, #[form = 1] c: u8 }",
        &expect![[r#"
            "1": expected `,`
            ")": unexpected end of input, expected an expression
            "=": expected parentheses: #[form(...)]
        "#]],
    );
}

#[test]
fn what_is_no_choice() {
    check_choice(
        "struct Size { small: bool }",
        &expect![[r#"
            "Size": only an enum is a choice; a person picks one of a list of options; use `#[derive(Form)]` for a struct
        "#]],
    );
    check_choice(
        "enum Never {}",
        &expect![[r#"
            "Never": a choice without variants cannot be answered; add the options as variants
        "#]],
    );
    check_choice(
        r#"#[choice(title = "x")] enum Size {
            Small(u8),
            #[choice(name = "x")] Large { by: u8 },
        }"#,
        &expect![[r#"
            "title": unknown attribute `title`; `#[choice(..)]` takes `rename_all` here
            "(u8)": a choice's variant has no fields; a person picks an option and fills in nothing with it; write `Small` alone and ask for the rest in a field of the form
            "{ by: u8 }": a choice's variant has no fields; a person picks an option and fills in nothing with it; write `Large` alone and ask for the rest in a field of the form
            "name": unknown attribute `name`; `#[choice(..)]` takes `title`, `rename` here
        "#]],
    );
}

fn pretty(expansion: TokenStream) -> String {
    prettyplease::unparse(&syn::parse2(expansion).unwrap())
}

#[test]
fn a_forms_expansion() {
    let source = r#"
        struct Target {
            /// Where to deploy.
            environment: Environment,
            #[form(min = 1, max = LIMIT, default = 3)]
            replicas: u8,
            #[form(title = "E-mail", format = "email", default = "ada@example.com")]
            contact: Option<String>,
        }"#;
    let expansion = derive_form(source.parse().unwrap());
    expect![[r#"
        const _: () = {
            fn __properties() -> (
                ::saga_runtime::form::TypedProperty<Environment>,
                ::saga_runtime::form::TypedProperty<u8>,
                ::saga_runtime::form::TypedProperty<Option<String>>,
            ) {
                (
                    ::saga_runtime::form::Property::of::<Environment>("environment")
                        .description("Where to deploy."),
                    ::saga_runtime::form::Property::of::<u8>("replicas")
                        .minimum(1)
                        .maximum(LIMIT)
                        .default(3),
                    ::saga_runtime::form::Property::of::<Option<String>>("contact")
                        .title("E-mail")
                        .format(::saga_runtime::form::Format::Email)
                        .default(::core::convert::From::from("ada@example.com")),
                )
            }
            #[automatically_derived]
            impl<'__state> ::saga_runtime::__private::Lends<'__state> for Target
            where
                for<'__copy> Self: ::saga_runtime::__private::Copies<'__copy> + 'static,
            {
                type Home = Self;
                type Again<'__home> = Self where '__state: '__home;
                fn home(&self) -> Self {
                    ::saga_runtime::__private::Copies::copied(self)
                }
                fn lend<'__home>(__home: &'__home Self) -> Self
                where
                    '__state: '__home,
                {
                    ::saga_runtime::__private::Copies::copied(__home)
                }
            }
            #[automatically_derived]
            impl ::saga_runtime::form::Form for Target {
                fn schema() -> ::saga_runtime::form::FormSchema {
                    let (__field_0, __field_1, __field_2) = __properties();
                    ::saga_runtime::form::FormSchema::new()
                        .with(__field_0)
                        .with(__field_1)
                        .with(__field_2)
                }
                fn read(
                    __content: &::saga_runtime::form::Content,
                ) -> ::core::result::Result<Self, ::std::vec::Vec<::saga_runtime::Problem>> {
                    let (__field_0, __field_1, __field_2) = __properties();
                    let mut __reader = ::saga_runtime::form::Reader::new(__content);
                    let (
                        ::core::option::Option::Some(__field_0),
                        ::core::option::Option::Some(__field_1),
                        ::core::option::Option::Some(__field_2),
                    ) = (
                        __reader.field(&__field_0),
                        __reader.field(&__field_1),
                        __reader.field(&__field_2),
                    ) else {
                        return ::core::result::Result::Err(__reader.into_problems());
                    };
                    ::core::result::Result::Ok(Self {
                        environment: __field_0,
                        replicas: __field_1,
                        contact: __field_2,
                    })
                }
                fn write(&self) -> ::saga_runtime::form::Content {
                    let (__field_0, __field_1, __field_2) = __properties();
                    let mut __content = ::saga_runtime::form::Content::new();
                    __field_0.write(&self.environment, &mut __content);
                    __field_1.write(&self.replicas, &mut __content);
                    __field_2.write(&self.contact, &mut __content);
                    __content
                }
            }
        };
    "#]]
    .assert_eq(&pretty(expansion.clone()));
    assert_eq!(derive_form(source.parse().unwrap()).to_string(), expansion.to_string());
}

#[test]
fn a_choices_expansion() {
    let source =
        r#"#[choice(rename_all = "kebab-case")] enum Size { Small, #[choice(title = "XL")] ExtraLarge }"#;
    expect![[r##"
        #[automatically_derived]
        impl<'__state> ::saga_runtime::__private::Lends<'__state> for Size
        where
            for<'__copy> Self: ::saga_runtime::__private::Copies<'__copy> + 'static,
        {
            type Home = Self;
            type Again<'__home> = Self where '__state: '__home;
            fn home(&self) -> Self {
                ::saga_runtime::__private::Copies::copied(self)
            }
            fn lend<'__home>(__home: &'__home Self) -> Self
            where
                '__state: '__home,
            {
                ::saga_runtime::__private::Copies::copied(__home)
            }
        }
        #[automatically_derived]
        impl ::saga_runtime::form::Choice for Size {
            fn options() -> ::std::vec::Vec<::saga_runtime::form::ChoiceOption> {
                ::std::vec::Vec::from([
                    ::saga_runtime::form::ChoiceOption::new("small"),
                    ::saga_runtime::form::ChoiceOption::titled("extra-large", "XL"),
                ])
            }
            fn from_value(__value: &::core::primitive::str) -> ::core::option::Option<Self> {
                match __value {
                    "small" => ::core::option::Option::Some(Self::Small),
                    "extra-large" => ::core::option::Option::Some(Self::ExtraLarge),
                    _ => ::core::option::Option::None,
                }
            }
            fn value(&self) -> &'static ::core::primitive::str {
                match self {
                    Self::Small => "small",
                    Self::ExtraLarge => "extra-large",
                }
            }
        }
    "##]]
    .assert_eq(&pretty(derive_choice(source.parse().unwrap())));
}

proptest! {
    /// Whatever stands in the attributes gives tokens that parse.
    #[test]
    fn deriving_never_panics(
        entries in proptest::collection::vec(
            ("(min|max|min_length|title|format|default|rename|rename_all|[a-z]{1,3})", "( = .{0,6}| = -?[0-9.]{0,4}|[(=].*)?"),
            0..4,
        ),
        body in r"(\{ (@ a: u8, b: Vec<X>)?\}|\(@ u8\);|;|\{ @ A, B\(u8\) \})",
        keyword in "(struct|enum|union)",
    ) {
        let entries: Vec<String> = entries.into_iter().map(|(name, value)| name + &value).collect();
        for attribute in ["form", "choice", "serde"] {
            let attribute = format!("#[{attribute}({})]", entries.join(", "));
            let source = format!("{attribute} {keyword} T {}", body.replace('@', &attribute));
            if let Ok(tokens) = source.parse::<TokenStream>() {
                for expansion in [derive_form(tokens.clone()), derive_choice(tokens)] {
                    prop_assert!(syn::parse2::<syn::File>(expansion).is_ok());
                }
            }
        }
    }
}
