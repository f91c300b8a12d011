//! The fields of a form that makes an account: the login and the name that the person chooses.

use serde_json::{Map, Value};

use super::form::Form;
use super::guest::body;
use crate::error::{Error, Result};

/// The text that was entered, and what is wrong with it.
#[derive(Debug, Default)]
pub(super) struct Chosen<'a> {
    pub login: &'a str,
    pub name: &'a str,
    /// The field that is wrong.
    pub field: &'a str,
    /// Empty if nothing is wrong.
    pub problem: String,
}

impl<'a> Chosen<'a> {
    /// The fields of a form that was refused, if a field is the reason.
    pub fn refused(form: &'a Form, error: Error) -> Result<Self> {
        let Error::Unprocessable { errors, .. } = error else { return Err(error) };
        let first = errors.into_iter().next();
        let (field, message) = first.map_or(("login", None), |error| (error.field, error.message));
        let problem = message.map_or_else(|| "This cannot be used.".to_owned(), Into::into);
        Ok(Self { login: form.get("login"), name: form.get("name"), field, problem })
    }

    /// The status of the page that shows them.
    pub fn status(&self) -> u16 {
        if self.problem.is_empty() { 200 } else { 422 }
    }
}

/// The fields as operations take them.
pub(super) fn fields(form: &Form) -> Map<String, Value> {
    body([("login", form.get("login").trim().into()), ("name", form.get("name").trim().into())])
}
