//! Reading an organization as a file over HTTP (decision 75).

use schemars::JsonSchema;
use serde::Deserialize;

use super::yaml;
use crate::error::Result;
use crate::operation::{Cx, Yaml};
use crate::orgs::org::Org;
use crate::policy::Granted;

/// Export an organization as peribolos YAML, as `guildhall export` writes it.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Export {}

/// Exports the organization (docs/decisions/0043).
pub fn get(cx: &mut Cx, org: Granted<Org>, _: Export) -> Result<Yaml> {
    let now = cx.now()?;
    let exported = super::of(cx.tx, org.id, now)?;
    Ok(Yaml(yaml::text(&exported.org)))
}
