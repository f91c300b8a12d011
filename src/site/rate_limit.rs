//! What is left of the primary limit (decision 39): asking costs nothing.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Site;
use crate::access::limit::Quota;
use crate::error::{Error, Result};
use crate::operation::{Cx, Record};
use crate::policy::Granted;

/// How much of a limit is used.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
#[schemars(rename = "rate-limit")]
pub struct Rate {
    /// Calls allowed in the window.
    pub limit: u32,
    /// Calls left.
    pub remaining: u32,
    /// When the window ends, in seconds since 1970.
    pub reset: i64,
    /// Calls made.
    pub used: u32,
}

/// The limits by the names that clients know; here one limit counts all of them together.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Resources {
    /// Ordinary calls.
    pub core: Rate,
    /// Searches.
    pub search: Rate,
    /// Queries in GraphQL.
    pub graphql: Rate,
    /// Conversions of manifests.
    pub integration_manifest: Rate,
}

/// What is left to the caller.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "rate-limit-overview")]
pub struct Overview {
    /// Every limit.
    pub resources: Resources,
    /// The primary limit again, for older clients.
    pub rate: Rate,
}

/// Get what is left of the caller's requests. Asking is not counted.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Get {}

/// Gets what is left of the caller's requests.
pub fn get(cx: &mut Cx, _: Granted<Site>, _: Get) -> Result<Record<Overview>> {
    let limiter = cx.site.limiter.as_ref();
    let limiter = limiter.ok_or_else(|| Error::Absent("Rate limiting is not enabled.".into()))?;
    let Quota { limit, remaining, reset, used, .. } = limiter.peek(cx.caller.counted(cx.peer), cx.now.seconds());
    let rate = Rate { limit, remaining, reset, used };
    let resources = Resources { core: rate, search: rate, graphql: rate, integration_manifest: rate };
    Ok(Record::from(Overview { resources, rate }))
}
