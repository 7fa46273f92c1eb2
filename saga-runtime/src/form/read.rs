//! An answer's content into a form, field by field.

use super::{Content, TypedProperty};
use crate::error::Problem;

/// Reads the fields of an answer and collects what is wrong with all of them.
///
/// ```
/// use saga_runtime::form::{Property, Reader};
/// use serde_json::json;
///
/// let answer = json!({"age": 300});
/// let mut reader = Reader::new(answer.as_object().unwrap());
/// assert_eq!(reader.field(&Property::of::<u8>("age")), None);
/// assert_eq!(reader.field(&Property::of::<bool>("sure").default(true)), Some(true));
/// assert_eq!(reader.into_problems()[0].to_string(), "`age` must be at most 255");
/// ```
#[derive(Debug)]
pub struct Reader<'a> {
    content: &'a Content,
    problems: Vec<Problem>,
}

impl<'a> Reader<'a> {
    /// A reader of this answer.
    #[must_use]
    pub fn new(content: &'a Content) -> Self {
        Self { content, problems: Vec::new() }
    }

    /// The field's value; what is wrong with it is kept where there is none.
    pub fn field<T>(&mut self, property: &TypedProperty<T>) -> Option<T> {
        property.read(self.content).map_err(|problems| self.problems.extend(problems)).ok()
    }

    /// What was wrong with the fields read so far.
    #[must_use]
    pub fn into_problems(self) -> Vec<Problem> {
        self.problems
    }
}
