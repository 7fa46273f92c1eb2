//! An answer's content into a form, field by field, and back.

use serde_json::Value;

use super::{Content, Field, FormSchema, Property};
use crate::error::Problem;

/// Reads the fields of an answer and collects what is wrong with all of them.
///
/// ```
/// use saga_runtime::form::{FormSchema, Property, Reader};
/// use serde_json::json;
///
/// let schema = FormSchema::new().with(Property::of::<u8>("age")).with(Property::of::<bool>("sure").default(true));
/// let answer = json!({"age": 300});
/// let mut reader = Reader::new(schema, answer.as_object().unwrap());
/// assert_eq!(reader.field::<u8>("age"), None);
/// assert_eq!(reader.field::<bool>("sure"), Some(true));
/// assert_eq!(reader.into_problems()[0].to_string(), "`age` must be at most 255");
/// ```
#[derive(Debug)]
pub struct Reader<'a> {
    schema: FormSchema,
    content: &'a Content,
    problems: Vec<Problem>,
}

impl<'a> Reader<'a> {
    /// A reader of this answer to this form.
    #[must_use]
    pub fn new(schema: FormSchema, content: &'a Content) -> Self {
        Self { schema, content, problems: Vec::new() }
    }

    /// The field's value; what is wrong with it is kept where there is none.
    ///
    /// A field that is left out has its default, else `None` where it is an `Option`, else it is missing. An
    /// explicit `null` is `None` for an `Option`, and counts as left out for every other type.
    pub fn field<T: Field>(&mut self, name: &str) -> Option<T> {
        let property = match self.schema.property(name) {
            Some(property) => property.clone(),
            None => Property::of::<T>(name).build(),
        };
        let default = || property.kind().default_value();
        let value = match self.content.get(name) {
            Some(Value::Null) => match T::absent() {
                Some(absent) => return Some(absent),
                None => default(),
            },
            Some(value) => Some(value.clone()),
            None => default(),
        };
        let Some(value) = value else {
            let absent = T::absent();
            if absent.is_none() {
                self.problems.push(Problem::field(name, "is missing"));
            }
            return absent;
        };
        let problems = property.check(&value);
        if !problems.is_empty() {
            self.problems.extend(problems);
            return None;
        }
        match T::read(&value) {
            Ok(field) => Some(field),
            Err(fault) => {
                self.problems.push(Problem::field(name, fault));
                None
            }
        }
    }

    /// What was wrong with the fields read so far.
    #[must_use]
    pub fn into_problems(self) -> Vec<Problem> {
        self.problems
    }
}

/// Writes the fields of a form as an answer.
///
/// ```
/// use saga_runtime::form::Writer;
/// use serde_json::json;
///
/// let content = Writer::new().field("age", &36_u8).field("note", &None::<String>).finish();
/// assert_eq!(json!(content), json!({"age": 36}));
/// ```
#[derive(Debug, Default)]
#[must_use]
pub struct Writer {
    content: Content,
}

impl Writer {
    /// An answer without fields.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a field.
    pub fn field<T: Field>(mut self, name: &str, value: &T) -> Self {
        if let Some(value) = value.write() {
            self.content.insert(name.to_owned(), value);
        }
        self
    }

    /// The answer's content.
    #[must_use]
    pub fn finish(self) -> Content {
        self.content
    }
}
