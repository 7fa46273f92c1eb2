//! What a derived form shows and what it reads: `T::read(&value.write()) == Ok(value)`, and an answer that the
//! schema refuses is refused with every problem at once.

use std::collections::BTreeSet;

use proptest::prelude::*;
use saga_runtime::form::{ChoiceOption, FormSchema, Property, PropertyKind};
use saga_runtime::{Choice, Form};
use serde_json::{Map, Value, json};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Choice)]
#[choice(rename_all = "kebab-case")]
enum Region {
    EuWest,
    UsEast,
    #[choice(rename = "moon")]
    TheMoon,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Choice)]
enum Environment {
    /// Staging: may break
    ///
    /// Not shown.
    Staging,
    #[choice(title = "Production, with real customers")]
    Production,
    Canary,
}

/// Not shown: the question's message says what the form is for.
#[derive(Debug, Clone, PartialEq, Form)]
#[form(title = "Everything", rename_all = "camelCase")]
struct Everything {
    /// Your name, as on
    /// the badge.
    ///
    /// In full.
    #[form(title = "Name", min_length = 2, max_length = 40)]
    full_name: String,
    #[form(format = "email")]
    mail: String,
    #[form(format = "uri", default = "https://example.com")]
    site: String,
    #[form(format = "date")]
    day: String,
    #[form(format = "date-time", description = "With its zone.")]
    moment: Option<String>,
    #[form(min = 0, max = 1.5)]
    share: f64,
    ratio: f32,
    #[form(min = 1, max = 9, default = 3)]
    replicas: u8,
    balance: i64,
    big: u64,
    agree: bool,
    #[form(default)]
    verbose: bool,
    #[form(default = Region::UsEast)]
    region: Region,
    environment: Environment,
    #[form(min_items = 1, max_items = 2)]
    regions: Vec<Region>,
    #[form(default = [Environment::Staging])]
    environments: BTreeSet<Environment>,
    #[form(max_items = 1)]
    maybe_regions: Option<Vec<Region>>,
    #[form(rename = "max-age", min = -5)]
    r#type: Option<i32>,
    #[form(default = 7)]
    optional_with_default: Option<u16>,
}

fn object(value: &Value) -> &Map<String, Value> {
    value.as_object().expect("the test wrote an object")
}

fn good_answer() -> Value {
    json!({
        "fullName": "Ada Lovelace", "mail": "ada@example.com", "day": "1815-12-10", "share": 1, "ratio": 0.1,
        "balance": -3.0, "big": 18_446_744_073_709_551_615_u64, "agree": true, "environment": "Canary",
        "regions": ["eu-west", "moon"],
    })
}

/// The good answer, with this field as given, and the problems that come of it.
fn problems(field: &str, value: Value) -> Vec<String> {
    let mut answer = good_answer();
    answer[field] = value;
    match Everything::read(object(&answer)) {
        Ok(_) => Vec::new(),
        Err(problems) => problems.iter().map(ToString::to_string).collect(),
    }
}

#[test]
fn every_kind_in_mcps_schema() {
    let regions = json!(["eu-west", "us-east", "moon"]);
    let environments = json!([
        {"const": "Staging", "title": "Staging: may break"},
        {"const": "Production", "title": "Production, with real customers"},
        {"const": "Canary", "title": "Canary"},
    ]);
    let expected = json!({
        "type": "object",
        "title": "Everything",
        "properties": {
            "fullName": {
                "type": "string", "title": "Name", "description": "Your name, as on the badge.\n\nIn full.",
                "minLength": 2, "maxLength": 40,
            },
            "mail": {"type": "string", "format": "email"},
            "site": {"type": "string", "format": "uri", "default": "https://example.com"},
            "day": {"type": "string", "format": "date"},
            "moment": {"type": "string", "format": "date-time", "description": "With its zone."},
            "share": {"type": "number", "minimum": 0.0, "maximum": 1.5},
            "ratio": {"type": "number"},
            "replicas": {"type": "integer", "minimum": 1, "maximum": 9, "default": 3},
            "balance": {"type": "integer"},
            "big": {"type": "integer", "minimum": 0},
            "agree": {"type": "boolean"},
            "verbose": {"type": "boolean", "default": false},
            "region": {"type": "string", "enum": regions, "default": "us-east"},
            "environment": {"type": "string", "oneOf": environments},
            "regions": {
                "type": "array", "items": {"type": "string", "enum": regions}, "minItems": 1, "maxItems": 2,
            },
            "environments": {"type": "array", "items": {"anyOf": environments}, "default": ["Staging"]},
            "maybeRegions": {"type": "array", "items": {"type": "string", "enum": regions}, "maxItems": 1},
            "max-age": {"type": "integer", "minimum": -5, "maximum": 2_147_483_647},
            "optionalWithDefault": {"type": "integer", "minimum": 0, "maximum": 65535, "default": 7},
        },
        "required": [
            "fullName", "mail", "day", "share", "ratio", "balance", "big", "agree", "environment", "regions"
        ],
    });
    assert_eq!(Everything::schema().to_json(), expected);
}

#[test]
fn the_properties_stand_in_the_order_of_declaration() {
    let schema = Everything::schema();
    let names: Vec<&str> = schema.properties().iter().map(Property::name).take(4).collect();
    assert_eq!(names, ["fullName", "mail", "site", "day"]);
    assert_eq!(schema.property("fullName").map(Property::label), Some("Name"));
    assert_eq!(schema.property("mail").map(Property::label), Some("mail"));
    let PropertyKind::Choice { options, .. } = schema.property("environment").unwrap().kind() else {
        panic!()
    };
    assert_eq!(options[2], ChoiceOption::new("Canary"));
    assert_eq!(options[0].label(), "Staging: may break");
}

#[test]
fn what_is_left_out_has_its_default_or_is_none() {
    let everything = Everything::read(object(&good_answer())).unwrap();
    assert_eq!(everything.site, "https://example.com");
    assert_eq!(everything.moment, None);
    assert_eq!(everything.replicas, 3);
    assert_eq!(everything.region, Region::UsEast);
    assert_eq!(everything.environments, BTreeSet::from([Environment::Staging]));
    assert_eq!(everything.optional_with_default, Some(7));
    assert!(!everything.verbose);
}

#[test]
fn null_is_none_for_an_option_and_left_out_for_all_else() {
    let mut answer = good_answer();
    for field in ["moment", "optionalWithDefault", "replicas", "mail"] {
        answer[field] = Value::Null;
    }
    let problems = Everything::read(object(&answer)).unwrap_err();
    assert_eq!(problems.len(), 1);
    assert_eq!(problems[0].to_string(), "`mail` is missing");
    answer["mail"] = json!("ada@example.com");
    let everything = Everything::read(object(&answer)).unwrap();
    assert_eq!((everything.moment, everything.optional_with_default, everything.replicas), (None, None, 3));
}

#[test]
fn whole_numbers_may_be_written_as_floats_and_the_other_way_round() {
    let everything = Everything::read(object(&good_answer())).unwrap();
    assert_eq!(everything.balance, -3);
    assert_eq!(everything.big, u64::MAX);
    assert_eq!(everything.share.to_bits(), 1.0_f64.to_bits());
    assert_eq!(problems("replicas", json!(4.0)), [""; 0]);
    assert_eq!(problems("replicas", json!(4.5)), ["`replicas` must be a whole number"]);
}

#[test]
fn fields_that_the_form_does_not_know_are_ignored() {
    assert_eq!(problems("else", json!({"deep": [1]})), [""; 0]);
}

#[test]
fn each_rule_has_its_words() {
    let check = |field: &str, value: Value, expected: &str| {
        assert_eq!(problems(field, value), [format!("`{field}` {expected}")]);
    };
    check("fullName", json!(5), "must be a text");
    check("fullName", json!("A"), "must have at least 2 characters");
    check("fullName", json!("\u{e4}".repeat(41)), "must have at most 40 characters");
    assert_eq!(problems("fullName", json!("\u{1f600}".repeat(40))), [""; 0]);
    check("mail", json!("ada"), "must be an e-mail address like `ada@example.com`");
    check("site", json!("example.com"), "must be an absolute address like `https://example.com`");
    check("day", json!("1815-13-10"), "must be a date like `2026-07-28`");
    check("moment", json!("1815-12-10"), "must be a date and time like `2026-07-28T12:00:00Z`");
    check("share", json!("1"), "must be a number");
    check("share", json!(-0.1), "must be at least 0");
    check("share", json!(1.6), "must be at most 1.5");
    check("ratio", json!(1e300), &format!("must be from {} to {}", f32::MIN, f32::MAX));
    check("replicas", json!(0), "must be at least 1");
    check("replicas", json!("3"), "must be a whole number");
    check("balance", json!(1e300), "must be from -9223372036854775808 to 9223372036854775807");
    check("agree", json!("yes"), "must be true or false");
    check("region", json!("mars"), "must be one of `eu-west`, `us-east`, `moon`");
    check("environment", json!(1), "must be one of `Staging`, `Production`, `Canary`");
    check("regions", json!("moon"), "must be a list of options");
    check("regions", json!([]), "must have at least 1 option");
    check("regions", json!(["mars"]), "must have only `eu-west`, `us-east`, `moon`");
    check("regions", json!(["moon", "moon"]), "must not have an option twice");
    check("maybeRegions", json!(["moon", "eu-west"]), "must have at most 1 option");
    check("max-age", json!(-6), "must be at least -5");
}

#[test]
fn every_problem_at_once() {
    let answer = json!({"fullName": "A", "mail": "ada", "share": 2, "regions": ["x", "x", "y"]});
    let problems = Everything::read(object(&answer)).unwrap_err();
    let fields: Vec<&str> = problems.iter().map(|problem| &*problem.field).collect();
    assert_eq!(
        fields,
        [
            "fullName",
            "mail",
            "day",
            "share",
            "ratio",
            "balance",
            "big",
            "agree",
            "environment",
            "regions",
            "regions",
            "regions"
        ]
    );
}

#[test]
fn a_form_without_fields_is_a_plain_question() {
    #[derive(Debug, PartialEq, Form)]
    struct Proceed;

    assert_eq!(Proceed::schema().to_json(), json!({"type": "object", "properties": {}}));
    assert_eq!(Proceed::read(&Map::new()), Ok(Proceed));
    assert_eq!(Proceed.write(), Map::new());
}

#[test]
fn serdes_names_count_where_the_form_does_not_say_otherwise() {
    #[derive(serde::Serialize, serde::Deserialize, Form)]
    #[serde(rename_all = "camelCase", default)]
    #[derive(Default)]
    struct Both {
        first_name: String,
        #[serde(rename = "surname", skip_serializing_if = "String::is_empty")]
        last_name: String,
        #[serde(rename(serialize = "out", deserialize = "in"))]
        either_way: String,
        #[serde(rename = "a")]
        #[form(rename = "b")]
        own: String,
    }

    #[derive(serde::Serialize, Choice)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    enum Loud {
        VeryLoud,
        #[serde(rename = "silent")]
        Quiet,
    }

    let schema = Both::schema();
    let names: Vec<&str> = schema.properties().iter().map(Property::name).collect();
    assert_eq!(names, ["firstName", "surname", "in", "b"]);
    assert_eq!(Loud::options(), [ChoiceOption::new("VERY_LOUD"), ChoiceOption::new("silent")]);
    assert!(matches!(Loud::from_value("silent"), Some(Loud::Quiet)));
    assert_eq!(Loud::VeryLoud.value(), "VERY_LOUD");
}

#[test]
fn a_form_may_be_generic_over_its_choice() {
    #[derive(Debug, PartialEq, Form)]
    struct Pick<C> {
        one: C,
        several: Option<C>,
    }

    let content = json!({"one": "moon"});
    assert_eq!(Pick::<Region>::read(object(&content)), Ok(Pick { one: Region::TheMoon, several: None }));
    assert_eq!(Pick { one: 3_u8, several: Some(4) }.write(), *object(&json!({"one": 3, "several": 4})));
}

#[test]
fn defaults_of_one_question_replace_those_of_the_type() {
    let content = json!({"replicas": 5, "fullName": "Ada", "regions": ["moon"], "big": "no number", "new": 1, "site": null});
    let schema: FormSchema = Everything::schema().with_defaults(object(&content));
    let default = |name: &str| schema.property(name).and_then(|property| property.kind().default_value());
    assert_eq!(default("replicas"), Some(json!(5)));
    assert_eq!(default("fullName"), Some(json!("Ada")));
    assert_eq!(default("regions"), Some(json!(["moon"])));
    assert_eq!(default("big"), None);
    assert_eq!(default("site"), None);
    assert!(schema.property("fullName").is_some_and(Property::is_required));
}

fn region() -> impl Strategy<Value = Region> {
    prop_oneof![Just(Region::EuWest), Just(Region::UsEast), Just(Region::TheMoon)]
}

fn environment() -> impl Strategy<Value = Environment> {
    prop_oneof![Just(Environment::Staging), Just(Environment::Production), Just(Environment::Canary)]
}

prop_compose! {
    fn everything()(
        texts in ("[a-z \u{e4}]{2,40}", "[a-z]{1,9}@[a-z]{1,9}", "2[0-9]{3}-0[1-9]-[12][0-8]"),
        moment in proptest::option::of(Just("2026-07-28T12:00:00Z".to_owned())),
        numbers in (0.0..=1.5_f64, any::<f32>().prop_filter("JSON has no infinity", |ratio| ratio.is_finite())),
        integers in (1..=9_u8, any::<i64>(), any::<u64>(), proptest::option::of(-5..=i32::MAX)),
        optional_with_default in any::<Option<u16>>(),
        flags in any::<(bool, bool)>(),
        choices in (region(), environment(), proptest::collection::btree_set(environment(), 0..=3)),
        regions in proptest::sample::subsequence(vec![Region::UsEast, Region::TheMoon, Region::EuWest], 1..=2),
        maybe_regions in proptest::option::of(proptest::collection::vec(region(), 0..=1)),
    ) -> Everything {
        Everything {
            full_name: texts.0, mail: texts.1, site: "urn:isbn:1".into(), day: texts.2, moment,
            share: numbers.0, ratio: numbers.1,
            replicas: integers.0, balance: integers.1, big: integers.2, r#type: integers.3, optional_with_default,
            agree: flags.0, verbose: flags.1,
            region: choices.0, environment: choices.1, environments: choices.2, regions, maybe_regions,
        }
    }
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
        "[-0-9TZ:.+@%a-z]{0,30}".prop_map(Value::from),
        prop_oneof![Just("moon"), Just("Staging")].prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 20, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::hash_map(".{0,3}", inner, 0..4)
                .prop_map(|fields| fields.into_iter().collect::<Value>()),
        ]
    })
}

proptest! {
    #[test]
    fn what_is_written_is_read(value in everything()) {
        prop_assert_eq!(Everything::read(&value.write()), Ok(value));
    }

    /// Any JSON in any field gives a value or problems, and a problem names a field of the form.
    #[test]
    fn reading_never_panics(values in proptest::collection::vec(any_json(), 19)) {
        let schema = Everything::schema();
        let mut answer = good_answer();
        for (property, value) in schema.properties().iter().zip(values) {
            answer[property.name()] = value;
        }
        if let Err(problems) = Everything::read(object(&answer)) {
            prop_assert!(!problems.is_empty());
            prop_assert!(problems.iter().all(|problem| schema.property(&problem.field).is_some()));
        }
    }
}
