//! The fixtures whose form is the point: defaults of every kind, and every way in which MCP writes a choice.

use saga_runtime::form::{Content, FormSchema, Property, Reader, TypedProperty};
use saga_runtime::{Choice, Form, Problem, ToolError, elicit, saga_tool};
use serde::{Deserialize, Serialize};

use super::asks::told;

/// Asks for a value of each kind, each with a default.
#[saga_tool]
pub(super) async fn test_elicitation_sep1034_defaults() -> Result<String, ToolError> {
    let answer = elicit::<Defaults>("Please review the values.").await;
    Ok(format!("Elicitation completed: {}", told(answer)?))
}

#[derive(Form, Serialize, Deserialize)]
struct Defaults {
    #[form(default = "John Doe")]
    name: String,
    #[form(default = 30)]
    age: u32,
    #[form(default = 95.5)]
    score: f64,
    #[form(default = Status::Active)]
    status: Status,
    #[form(default = true)]
    verified: bool,
}

#[derive(Choice, Serialize, Deserialize)]
#[choice(rename_all = "lowercase")]
enum Status {
    Active,
    Inactive,
    Pending,
}

/// Asks for a choice in each way that MCP writes one.
#[saga_tool]
pub(super) async fn test_elicitation_sep1330_enums() -> Result<String, ToolError> {
    let answer = elicit::<Choices>("Please choose.").await;
    Ok(format!("Elicitation completed: {}", told(answer)?))
}

/// Written by hand, since the derive does not write the deprecated way.
#[derive(Serialize, Deserialize)]
struct Choices {
    untitled_single: Option<Plain>,
    titled_single: Option<Titled>,
    legacy: Option<Legacy>,
    untitled_multi: Option<Vec<Plain>>,
    titled_multi: Option<Vec<Titled>>,
}

#[derive(Choice, Serialize, Deserialize)]
#[choice(rename_all = "lowercase")]
enum Plain {
    Option1,
    Option2,
    Option3,
}

#[derive(Choice, Serialize, Deserialize)]
#[choice(rename_all = "lowercase")]
enum Titled {
    /// First Option
    Value1,
    /// Second Option
    Value2,
    /// Third Option
    Value3,
}

#[derive(Choice, Serialize, Deserialize)]
#[choice(rename_all = "lowercase")]
enum Legacy {
    /// Option One
    Opt1,
    /// Option Two
    Opt2,
    /// Option Three
    Opt3,
}

fn untitled_single() -> TypedProperty<Option<Plain>> {
    Property::of("untitledSingle")
}

fn titled_single() -> TypedProperty<Option<Titled>> {
    Property::of("titledSingle")
}

fn legacy() -> TypedProperty<Option<Legacy>> {
    Property::of("legacyEnum").enum_names()
}

fn untitled_multi() -> TypedProperty<Option<Vec<Plain>>> {
    Property::of("untitledMulti")
}

fn titled_multi() -> TypedProperty<Option<Vec<Titled>>> {
    Property::of("titledMulti")
}

impl Form for Choices {
    fn schema() -> FormSchema {
        FormSchema::new()
            .with(untitled_single())
            .with(titled_single())
            .with(legacy())
            .with(untitled_multi())
            .with(titled_multi())
    }

    fn read(content: &Content) -> Result<Self, Vec<Problem>> {
        let mut reader = Reader::new(content);
        let fields = (
            reader.field(&untitled_single()),
            reader.field(&titled_single()),
            reader.field(&legacy()),
            reader.field(&untitled_multi()),
            reader.field(&titled_multi()),
        );
        let (
            Some(untitled_single),
            Some(titled_single),
            Some(legacy),
            Some(untitled_multi),
            Some(titled_multi),
        ) = fields
        else {
            return Err(reader.into_problems());
        };
        Ok(Self { untitled_single, titled_single, legacy, untitled_multi, titled_multi })
    }

    fn write(&self) -> Content {
        let mut content = Content::new();
        untitled_single().write(&self.untitled_single, &mut content);
        titled_single().write(&self.titled_single, &mut content);
        legacy().write(&self.legacy, &mut content);
        untitled_multi().write(&self.untitled_multi, &mut content);
        titled_multi().write(&self.titled_multi, &mut content);
        content
    }
}
