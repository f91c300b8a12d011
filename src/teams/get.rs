//! Getting a team.

use schemars::JsonSchema;
use serde::Deserialize;

use super::record::TeamFull;
use super::team::SeenTeam;
use super::text;
use crate::error::Result;
use crate::operation::{Cx, Record};

/// Get a team.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Get {}

/// Gets a team.
pub fn get(cx: &mut Cx, team: SeenTeam, _: Get) -> Result<Record<TeamFull>> {
    text::full(cx, &team)
}
