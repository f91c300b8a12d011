//! The fields of a form that makes an account: the login and the name that the person chooses.

use serde_json::{Map, Value};

use super::form::Form;
use super::guest::body;
use super::problem::Problem;
use crate::error::{Error, Result};

/// The text that was entered, and what is wrong with it.
#[derive(Debug, Default)]
pub(super) struct Chosen<'a> {
    pub login: &'a str,
    pub name: &'a str,
    pub problem: Problem,
}

impl<'a> Chosen<'a> {
    /// The fields of a form that was refused, if a field is the reason.
    pub fn refused(form: &'a Form, error: Error) -> Result<Self> {
        Ok(Self { login: form.get("login"), name: form.get("name"), problem: Problem::of(error)? })
    }
}

/// The fields as operations take them.
pub(super) fn fields(form: &Form) -> Map<String, Value> {
    body([("login", form.get("login").trim().into()), ("name", form.get("name").trim().into())])
}
