//! The problem of a form: the first field that is wrong, and why.

use crate::error::FieldError;

/// What is wrong with a form; nothing by default.
#[derive(Default)]
pub(super) struct Problem {
    /// The kind of record that has the field.
    pub resource: &'static str,
    /// The field.
    pub field: &'static str,
    /// A sentence; empty if nothing is wrong.
    pub text: String,
}

impl Problem {
    /// The first of these errors.
    pub fn of(errors: Vec<FieldError>) -> Self {
        let Some(FieldError { resource, field, message, .. }) = errors.into_iter().next() else {
            return Self { text: "This cannot be used.".to_owned(), ..Self::default() };
        };
        Self { resource, field, text: message.map_or_else(|| "This cannot be used.".to_owned(), Into::into) }
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
