//! The problem of a form: the first field that is wrong, and why.

use crate::error::{Error, FieldError, Result};

/// The text about a field without a message.
const UNUSABLE: &str = "This cannot be used.";

/// The problem of a form; none by default.
#[derive(Debug, Default)]
pub(super) struct Problem {
    /// The kind of record that has the field.
    pub resource: &'static str,
    /// The kind of problem, as the API names it; empty for one that a page has found.
    pub code: &'static str,
    /// The name of the field; empty if it is about no field.
    pub field: &'static str,
    /// A sentence; empty if nothing is wrong.
    pub text: String,
}

/// The value that a form asks for, or its problem.
pub(super) type Checked<T> = std::result::Result<T, Problem>;

impl Problem {
    /// The problem that is this error, or another error.
    pub fn of(error: Error) -> Result<Self> {
        let (errors, message) = match error {
            Error::Unprocessable { errors, message } => (errors, message),
            Error::Invalid(_) => (Vec::new(), UNUSABLE.into()),
            other => return Err(other),
        };
        let Some(first) = errors.into_iter().next() else {
            return Ok(Self { text: message.into_owned(), ..Self::default() });
        };
        let FieldError { resource, code, field, parameter, message, .. } = first;
        let field = if parameter.is_empty() { field } else { parameter };
        let mut text = message.unwrap_or_else(|| UNUSABLE.into()).into_owned();
        if !text.ends_with('.') {
            text.push('.');
        }
        Ok(Self { resource, code, field, text })
    }

    /// The problem beside the field of a form that has the parameter; above the form if no field has it.
    pub fn on(self, fields: &[(&str, &'static str)]) -> Self {
        let field = fields.iter().find(|(parameter, _)| *parameter == self.field).map_or("", |(_, field)| *field);
        Self { field, ..self }
    }

    /// A problem with a field of a page.
    pub fn at(field: &'static str, text: impl Into<String>) -> Self {
        Self { field, text: text.into(), ..Self::default() }
    }

    /// The status of the page with the form.
    pub fn status(&self) -> u16 {
        if self.text.is_empty() { 200 } else { 422 }
    }

    /// True if this field is wrong.
    pub fn is_at(&self, field: &str) -> bool {
        !self.text.is_empty() && self.field == field
    }
}
