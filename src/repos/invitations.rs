//! Invitations to repositories, of which there are none, because a collaborator has access at once. Clients look for an
//! invitation after they have added a collaborator, and take 404 to mean that access was lost (decision 59).

use schemars::JsonSchema;
use serde::Deserialize;

use super::repo::Repo;
use crate::error::Result;
use crate::operation::{Cx, Empty};
use crate::people::me::Me;
use crate::policy::Granted;

/// List the open invitations to a repository. The list is always empty, because collaborators get access at once.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct OfRepo {}

/// Returns an empty list.
pub fn of_repo(_: &mut Cx, _: Granted<Repo>, _: OfRepo) -> Result<Empty> {
    Ok(Empty)
}

/// List the caller's open repository invitations. The list is always empty, because collaborators get access at once.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct OfCaller {}

/// Returns an empty list.
pub fn of_caller(_: &mut Cx, _: Granted<Me>, _: OfCaller) -> Result<Empty> {
    Ok(Empty)
}
