//! A plan that was saved: with the files that it was made from, so that it can be computed again.

use serde::{Deserialize, Serialize};

use super::{Flags, Plan};
use crate::error::{Error, Result};
use crate::import::read::Source;

/// The value of `format`.
const FORMAT: &str = "guildhall-plan/1";

/// The content of a file that `guildhall plan --out` writes.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Saved {
    format: String,
    /// The flags with which the plan was made.
    pub flags: Flags,
    /// The login for files that describe one organization without naming it.
    pub org: Option<String>,
    /// The plans, in the order of the files.
    pub plans: Vec<Plan>,
    /// The files.
    pub files: Vec<Source>,
    /// The plans on the server, if one made them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server: Option<OnServer>,
}

/// The plans that a server stores.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OnServer {
    /// The URL of the server.
    pub url: String,
    /// The identifiers, in the order of the plans.
    pub ids: Vec<i64>,
}

impl Saved {
    /// These plans, made from these files.
    #[must_use]
    pub fn new(flags: Flags, org: Option<String>, plans: Vec<Plan>, files: Vec<Source>) -> Self {
        Self { format: FORMAT.to_owned(), flags, org, plans, files, server: None }
    }

    /// Reads the content of a file.
    pub fn read(text: &str) -> Result<Self> {
        let saved: Self = serde_json::from_str(text).map_err(|error| {
            Error::sentence(format!("this is no saved plan: {error}. Make one with `guildhall plan --out`"))
        })?;
        match saved.format.as_str() {
            FORMAT => Ok(saved),
            other => Err(Error::sentence(format!("the format of this plan is {other:?}, not {FORMAT:?}; plan again"))),
        }
    }
}
