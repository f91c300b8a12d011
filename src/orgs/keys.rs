//! The keys of an account, of which this service stores none: clients request them next to the profile (decision 59).

use schemars::JsonSchema;
use serde::Deserialize;

use super::account::Account;
use crate::error::Result;
use crate::operation::{Cx, Empty};
use crate::policy::Granted;

/// List the SSH keys of an account. The list is always empty, because Guildhall stores no keys.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Ssh {}

/// Returns an empty list.
pub fn ssh(_: &mut Cx, _: Granted<Account>, _: Ssh) -> Result<Empty> {
    Ok(Empty)
}

/// List the GPG keys of an account. The list is always empty, because Guildhall stores no keys.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Gpg {}

/// Returns an empty list.
pub fn gpg(_: &mut Cx, _: Granted<Account>, _: Gpg) -> Result<Empty> {
    Ok(Empty)
}
