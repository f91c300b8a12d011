//! The problem of a form: the fields that are wrong, and why.

use std::fmt::Display;

use super::form::Form;
use super::plain::{self, MAY_NOT, UNUSABLE};
use crate::error::{Error, FieldError, Result};

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
    /// The other fields that are wrong, each with its sentence.
    pub(super) more: Vec<(&'static str, String)>,
}

/// The sentence for a form that is about an earlier thing of this name.
const OTHER: &str = "This is not what you were asked about: it has the same name. Read the page again.";

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
            return Ok(Self { text: plain::sentence(&message, UNUSABLE), ..Self::default() });
        };
        let FieldError { resource, code, field, parameter, message, .. } = first;
        let field = if parameter.is_empty() { field } else { parameter };
        let text = plain::sentence(message.as_deref().unwrap_or_default(), UNUSABLE);
        Ok(Self { resource, code, field, text, ..Self::default() })
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

    /// The problem of this field that the person may not do this, as an operation says it.
    pub fn forbidden(field: &'static str, message: &str) -> Self {
        Self::at(field, plain::sentence(message, MAY_NOT))
    }

    /// The problem of a form without values that it needs, each with its sentence.
    pub fn missing(form: &Form, needed: &[(&'static str, &str)]) -> Self {
        let empty = needed.iter().filter(|(field, _)| form.get(field).trim().is_empty());
        empty.fold(Self::default(), |problem, (field, text)| problem.and(Self::at(field, *text)))
    }

    /// The same with another problem of the form.
    pub fn and(mut self, other: Self) -> Self {
        if self.is_none() {
            return other;
        }
        if !other.is_none() {
            self.more.push((other.field, other.text));
            self.more.extend(other.more);
        }
        self
    }

    /// True if nothing is wrong.
    pub fn is_none(&self) -> bool {
        self.text.is_empty()
    }

    /// Everything that is wrong: each field, which is empty for what is about no field, with its sentence.
    pub fn all(&self) -> Vec<(&str, &str)> {
        let first = Some((self.field, self.text.as_str())).filter(|(_, text)| !text.is_empty());
        first.into_iter().chain(self.more.iter().map(|(field, text)| (*field, text.as_str()))).collect()
    }

    /// The problem of a form that takes something away, but was shown for another thing than the one with this ID.
    pub fn of_other(form: &Form, id: impl Display) -> Option<Self> {
        (form.get("id") != id.to_string()).then(|| Self::at("", OTHER))
    }

    /// The status of the page with the form.
    pub fn status(&self) -> u16 {
        if self.is_none() { 200 } else { 422 }
    }

    /// The sentence about this field; empty if it is not wrong.
    pub fn text_at(&self, field: &str) -> &str {
        self.all().into_iter().find(|(wrong, _)| *wrong == field).map_or("", |(_, text)| text)
    }

    /// True if this field is wrong.
    pub fn is_at(&self, field: &str) -> bool {
        !self.text_at(field).is_empty()
    }
}
