//! A person answers: a form field by field with its types, a prompt in the model's place.
//!
//! Escape leaves a question without an answer: then the person says whether that is a "no" (decline) or no answer
//! at all (cancel). Ctrl-C ends the game.

use inquire::list_option::ListOption;
use inquire::validator::Validation;
use inquire::{Confirm, InquireError, MultiSelect, Select, Text};
use serde_json::{Map, Value, json};

use super::given::{result, said, unknown_method};
use super::object;
use crate::cli::failure::Failure;
use crate::cli::transition::{Question, Sent};
use crate::form::{ChoiceOption, FormSchema, Property, PropertyKind};
use crate::tool::Definition;

/// What MCP's own example of a client answers when the person refuses a prompt (2025-06-18, sampling, error handling).
const REFUSED_PROMPT: i64 = -1;

/// Why a prompt of the terminal's gave no value.
enum Left {
    /// The person pressed Escape.
    Escaped,
    Failed(Failure),
}

/// Asks a question that was shown already.
pub(super) fn ask(question: &Question) -> Result<Sent, Failure> {
    loop {
        let answer = match question.method.as_str() {
            "elicitation/create" if question.params.contains_key("url") => page(),
            "elicitation/create" => form(question),
            "sampling/createMessage" => prompt(),
            "roots/list" => roots(),
            _ => return Ok(unknown_method()),
        };
        match answer {
            Ok(answer) => return Ok(answer),
            Err(Left::Failed(failure)) => return Err(failure),
            Err(Left::Escaped) => {
                if let Some(refusal) = refuse(&question.method)? {
                    return Ok(refusal);
                }
            }
        }
    }
}

/// Asks for a tool's arguments: field by field where they are as flat as a form, as JSON where not.
pub(super) fn arguments(
    tool: &Definition,
    example: Map<String, Value>,
) -> Result<Map<String, Value>, Failure> {
    let arguments = match tool.form().map(|form| form.with_defaults(&example)) {
        Some(form) => fields(&form),
        None if example.is_empty() => whole_arguments(""),
        None => whole_arguments(&Value::Object(example).to_string()),
    };
    arguments.map_err(|left| match left {
        Left::Escaped => Failure::Interrupted,
        Left::Failed(failure) => failure,
    })
}

fn whole_arguments(example: &str) -> Result<Map<String, Value>, Left> {
    let is_object =
        |text: &str| valid(object(text, "arguments").err().map(|_| "must be a JSON object".into()));
    let prompt = Text::new("arguments:").with_help_message("JSON").with_initial_value(example);
    object(&prompt.with_validator(is_object).prompt()?, "arguments").map_err(Left::Failed)
}

fn form(question: &Question) -> Result<Sent, Left> {
    let Some(schema) = &question.form else { return Ok(unknown_method()) };
    if schema.properties().is_empty() {
        return page();
    }
    let content = fields(schema)?;
    Ok(result(json!({ "action": "accept", "content": content })))
}

fn fields(schema: &FormSchema) -> Result<Map<String, Value>, Left> {
    let mut content = Map::new();
    for property in schema.properties() {
        if let Some(value) = field(property)? {
            content.insert(property.name().to_owned(), value);
        }
    }
    Ok(content)
}

/// Asks for one field; `None` where it is left out.
fn field(property: &Property) -> Result<Option<Value>, Left> {
    let label = format!("{}:", property.label());
    let help = help(property);
    match property.kind() {
        PropertyKind::Boolean { default } if property.is_required() || default.is_some() => {
            let prompt = Confirm::new(&label).with_help_message(&help);
            let prompt = default.iter().fold(prompt, |prompt, default| prompt.with_default(*default));
            Ok(Some(prompt.prompt()?.into()))
        }
        PropertyKind::Boolean { .. } => {
            let options = [("yes", true.into()), ("no", false.into())];
            one_of(
                &label,
                &help,
                options.map(|(label, value)| (label.to_owned(), value)).to_vec(),
                None,
                true,
            )
        }
        PropertyKind::Choice { options, default } => {
            let default = options.iter().position(|option| default.as_deref() == Some(&*option.value));
            let choices =
                options.iter().map(|option| (option.label().to_owned(), Value::from(&*option.value)));
            let optional = !property.is_required() && default.is_none();
            one_of(&label, &help, choices.collect(), default, optional)
        }
        PropertyKind::Choices { options, default, .. } => {
            several(property, &label, &help, options, default.as_deref().unwrap_or_default()).map(Some)
        }
        PropertyKind::String { .. } | PropertyKind::Number { .. } | PropertyKind::Integer { .. } => {
            let default = property.kind().default_value();
            let default =
                default.map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned));
            let checked = property.clone();
            let prompt = Text::new(&label).with_help_message(&help);
            let prompt = prompt.with_validator(move |text: &str| valid(typed(&checked, text).err()));
            let prompt = default.iter().fold(prompt, |prompt, default| prompt.with_default(default));
            let text = prompt.prompt()?;
            Ok(typed(property, &text).unwrap_or_default())
        }
    }
}

/// What was typed into a field, as its type; `None` for nothing, in a field that may be left out.
fn typed(property: &Property, text: &str) -> Result<Option<Value>, String> {
    let is_text = matches!(property.kind(), PropertyKind::String { .. });
    if text.is_empty() && !property.is_required() {
        return Ok(None);
    }
    let value = match serde_json::from_str::<Value>(text.trim()) {
        Ok(number @ Value::Number(_)) if !is_text => number,
        _ => Value::from(text),
    };
    match property.check(&value).first() {
        None => Ok(Some(value)),
        Some(problem) => Err(problem.text.clone()),
    }
}

fn one_of(
    label: &str,
    help: &str,
    mut choices: Vec<(String, Value)>,
    default: Option<usize>,
    optional: bool,
) -> Result<Option<Value>, Left> {
    if optional {
        choices.push(("(leave out)".to_owned(), Value::Null));
    }
    let labels = choices.iter().map(|(label, _)| label.as_str()).collect();
    let prompt =
        Select::new(label, labels).with_help_message(help).with_starting_cursor(default.unwrap_or(0));
    let chosen = prompt.raw_prompt()?.index;
    Ok(choices.into_iter().nth(chosen).map(|(_, value)| value).filter(|value| !value.is_null()))
}

fn several(
    property: &Property,
    label: &str,
    help: &str,
    options: &[ChoiceOption],
    default: &[String],
) -> Result<Value, Left> {
    let labels: Vec<_> = options.iter().map(ChoiceOption::label).collect();
    let chosen = (0..options.len())
        .filter(|index| default.iter().any(|value| *value == options[*index].value))
        .collect::<Vec<_>>();
    let values = options.iter().map(|option| option.value.clone()).collect::<Vec<_>>();
    let value_of = move |indices: &[usize]| -> Value {
        indices.iter().filter_map(|index| values.get(*index)).map(|value| &**value).collect()
    };
    let (checked, checked_value) = (property.clone(), value_of.clone());
    let check = move |chosen: &[ListOption<&&str>]| {
        let value = checked_value(&chosen.iter().map(|option| option.index).collect::<Vec<_>>());
        valid(checked.check(&value).into_iter().next().map(|problem| problem.text))
    };
    let help = format!("{help}; space picks, enter ends");
    let prompt = MultiSelect::new(label, labels).with_help_message(&help).with_default(&chosen);
    let chosen = prompt.with_validator(check).raw_prompt()?;
    Ok(value_of(&chosen.iter().map(|option| option.index).collect::<Vec<_>>()))
}

fn page() -> Result<Sent, Left> {
    let action = match Select::new("you", vec!["accept", "decline", "cancel"]).prompt()? {
        action @ ("decline" | "cancel") => json!({ "action": action }),
        _ => json!({ "action": "accept", "content": {} }),
    };
    Ok(result(action))
}

fn prompt() -> Result<Sent, Left> {
    let text = Text::new("the model says:").with_help_message("you are the model; escape to refuse");
    Ok(said(&text.prompt()?))
}

fn roots() -> Result<Sent, Left> {
    let mut roots = Vec::new();
    loop {
        let text =
            Text::new("folder:").with_help_message("an address like file:///home; nothing ends the list");
        match text.prompt()?.trim() {
            "" => return Ok(result(json!({ "roots": roots }))),
            uri => roots.push(json!({ "uri": uri })),
        }
    }
}

/// What leaving the question means; `None` goes back to it.
fn refuse(method: &str) -> Result<Option<Sent>, Failure> {
    let is_for_a_person = method == "elicitation/create";
    let refusals = if is_for_a_person {
        vec!["back to the question", "decline: the answer is no", "cancel: no answer"]
    } else {
        vec!["back to the question", "refuse: the client answers with an error"]
    };
    let chosen = match Select::new("leave the question?", refusals).raw_prompt().map_err(Left::from) {
        Ok(chosen) => chosen.index,
        Err(Left::Escaped) => 0,
        Err(Left::Failed(failure)) => return Err(failure),
    };
    Ok(match (chosen, is_for_a_person) {
        (0, _) => None,
        (1, true) => Some(result(json!({ "action": "decline" }))),
        (_, true) => Some(result(json!({ "action": "cancel" }))),
        (_, false) => {
            let message = "the person refused".to_owned();
            Some(Sent::Error { code: REFUSED_PROMPT, message, data: None })
        }
    })
}

/// What a field is for, and how to leave it.
fn help(property: &Property) -> String {
    let kind = match property.kind() {
        PropertyKind::String { format: Some(format), .. } => format.name(),
        PropertyKind::String { .. } => "text",
        PropertyKind::Number { .. } => "number",
        PropertyKind::Integer { .. } => "whole number",
        PropertyKind::Boolean { .. } => "y or n",
        PropertyKind::Choice { .. } => "one of these",
        PropertyKind::Choices { .. } => "any of these",
    };
    let optional = if property.is_required() { "" } else { ", may be left out" };
    let description = property.description().map(|text| format!("{text} ({kind}{optional})"));
    format!("{}; escape leaves the question", description.unwrap_or_else(|| format!("{kind}{optional}")))
}

#[expect(clippy::unnecessary_wraps, reason = "what inquire wants of a validator")]
fn valid(fault: Option<String>) -> Result<Validation, inquire::CustomUserError> {
    Ok(fault.map_or(Validation::Valid, |fault| Validation::Invalid(fault.into())))
}

impl From<InquireError> for Left {
    fn from(error: InquireError) -> Self {
        match error {
            InquireError::OperationCanceled => Self::Escaped,
            InquireError::OperationInterrupted => Self::Failed(Failure::Interrupted),
            other => Self::Failed(Failure::of("the terminal cannot be asked", &other)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_typed_has_the_type_of_its_field() {
        let count = Property::of::<Option<u8>>("count").build();
        assert_eq!(typed(&count, " 3 "), Ok(Some(3.into())));
        assert_eq!(typed(&count, ""), Ok(None));
        assert_eq!(typed(&count, "300"), Err("must be at most 255".to_owned()));
        assert_eq!(typed(&count, "three"), Err("must be a whole number".to_owned()));

        let name = Property::of::<String>("name").min_length(1).build();
        assert_eq!(typed(&name, "3"), Ok(Some("3".into())));
        assert_eq!(typed(&name, ""), Err("must have at least 1 character".to_owned()));
    }
}
