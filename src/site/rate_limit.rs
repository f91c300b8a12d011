//! The caller's quota of the primary limit (decision 39); reading it is free.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Site;
use crate::error::{Error, Result};
use crate::limits::requests::Quota;
use crate::limits::resources::Resource;
use crate::operation::{Cx, Record};
use crate::policy::Granted;

/// Usage of a rate limit.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
#[schemars(rename = "rate-limit")]
pub struct Rate {
    /// Requests allowed per window.
    pub limit: u32,
    /// Requests left in the window.
    pub remaining: u32,
    /// End of the window, in epoch seconds.
    pub reset: i64,
    /// Requests made in the window.
    pub used: u32,
}

impl From<Quota> for Rate {
    fn from(Quota { limit, remaining, reset, used, .. }: Quota) -> Self {
        Self { limit, remaining, reset, used }
    }
}

/// The rate limits under the names that clients know. Guildhall counts searches and queries of GraphQL against limits of
/// their own, and all other requests against one limit.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Resources {
    /// REST requests.
    pub core: Rate,
    /// Search requests.
    pub search: Rate,
    /// GraphQL queries.
    pub graphql: Rate,
    /// Manifest conversions.
    pub integration_manifest: Rate,
}

/// The caller's rate limits.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "rate-limit-overview")]
pub struct Overview {
    /// All rate limits.
    pub resources: Resources,
    /// The primary limit again, for older clients.
    pub rate: Rate,
}

/// Get the caller's rate limit. This request does not count against it.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Get {}

/// Gets the caller's remaining requests.
pub fn get(cx: &mut Cx, _: Granted<Site>, _: Get) -> Result<Record<Overview>> {
    let limiters = cx.site.limiters.as_ref();
    let limiters = limiters.ok_or_else(|| Error::Absent("Rate limiting is not enabled.".into()))?;
    let (who, now) = (cx.caller.counted(cx.peer()?), cx.now()?.seconds());
    let [core, search, graphql] = [Resource::Core, Resource::Search, Resource::Graphql]
        .map(|resource| Rate::from(limiters.of(resource).peek(who, now)));
    let resources = Resources { core, search, graphql, integration_manifest: core };
    Ok(Record::from(Overview { resources, rate: core }))
}
