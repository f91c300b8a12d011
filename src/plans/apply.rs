//! Applying a plan.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::record::{OrganizationPlan, shorten};
use super::stored::{self, Stored};
use super::{file, refuse_accounts};
use crate::error::{Error, Result};
use crate::import::desired;
use crate::operation::{Call, Cx, Operation, Prepared, Record, Subject};
use crate::orgs::org::Org;
use crate::plan::apply::{self, Applying, Guards, MAX_REMOVALS, Outcome};
use crate::plan::{self, Plan};
use crate::policy::Granted;

/// The largest number of owners that a client may require.
const MOST_OWNERS: usize = 1_000;

/// Carry out a plan: all of its changes, or none. Each is recorded, sent and notified like the operation that makes it. The
/// organization is compared again, and nothing changes if it is no longer as it was planned. If nothing is left to do, as
/// after the same request, the plan in the response has no changes.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Apply {
    /// ID of the plan.
    pub plan_id: i64,
    /// True to send e-mails to the people who are invited.
    #[schemars(extend("default" = false))]
    pub mail: Option<bool>,
    /// Largest part of memberships and grants that may go, in percent.
    #[schemars(range(min = 0, max = 100), extend("default" = MAX_REMOVALS))]
    pub max_removals: Option<i64>,
    /// Smallest number of owners that must stay.
    #[schemars(range(min = 0, max = MOST_OWNERS), extend("default" = 1))]
    pub min_owners: Option<i64>,
}

impl Apply {
    fn guards(&self) -> Result<Guards> {
        let within = |name: &str, value: Option<i64>, usual: usize, most: usize| match value {
            None => Ok(usual),
            Some(value) => usize::try_from(value).ok().filter(|value| *value <= most).ok_or_else(|| {
                Error::Invalid(vec![format!("For 'properties/{name}', {value} is not between 0 and {most}.")])
            }),
        };
        Ok(Guards {
            max_removals: within("max_removals", self.max_removals, MAX_REMOVALS, 100)?,
            min_owners: within("min_owners", self.min_owners, 1, MOST_OWNERS)?,
        })
    }
}

/// A plan whose file was read.
struct Ready {
    stored: Stored,
    desired: desired::Org,
    /// True if nothing is left to do.
    is_done: bool,
}

/// Reads the file of the plan, and refuses early what the transaction would refuse.
pub fn prepare(row: &Operation, cx: &mut Cx, call: &Call) -> Result<Prepared> {
    let p: Apply = row.params.read(call, false)?;
    let guards = p.guards()?;
    let (org, _) = Org::find(cx, &call.path)?;
    let (now, me) = (cx.now()?, &cx.me()?.login);
    let stored = stored::find(cx.tx, org.id, p.plan_id, now)?;
    refuse_accounts(cx, stored.flags)?;
    let desired = file::read(&stored::source(cx.tx, stored.id)?, &org.login)?;
    let plan = plan::of_owner(cx.tx, &desired, stored.flags, now, me)?;
    let is_done = plan.changes.is_empty();
    if !is_done {
        refuse_difference(&stored.plan, &plan)?;
        guards.refuse_for(&plan, me)?;
    }
    Ok(Arc::new(Ready { stored, desired, is_done }))
}

/// Carries out the plan.
pub fn apply(cx: &mut Cx, org: Granted<Org>, p: Apply) -> Result<Record<OrganizationPlan>> {
    let (ready, now) = (cx.prepared::<Ready>()?, cx.now()?);
    let mut stored = stored::find(cx.tx, org.id, p.plan_id, now)?;
    refuse_accounts(cx, stored.flags)?;
    if ready.is_done {
        stored.plan.changes.clear();
        return Ok(OrganizationPlan::new(cx, &org, stored).into());
    }
    let choices = Applying { flags: stored.flags, guards: p.guards()?, mails: p.mail.unwrap_or_default() };
    let (at, name) = ((org.id, &ready.desired), format!("plan-{}", stored.id));
    match apply::as_owner(cx, at, choices, &ready.stored.plan.changes, name)? {
        Outcome::Done(done) => stored.plan = done,
        Outcome::Differs(now) => refuse_difference(&stored.plan, &now)?,
    }
    shorten(&mut stored.plan);
    Ok(OrganizationPlan::new(cx, &org, stored).into())
}

/// Refuses an organization that is no longer as it was planned.
fn refuse_difference(planned: &Plan, now: &Plan) -> Result<()> {
    if planned.changes == now.changes {
        return Ok(());
    }
    let only = |of: &Plan, other: &Plan| -> Vec<_> {
        of.changes.iter().filter(|change| !other.changes.contains(change)).cloned().collect()
    };
    let message = "The organization is no longer as it was planned. Nothing was changed. Plan again.".into();
    let differences = json!({ "no_longer_planned": only(planned, now), "planned_now": only(now, planned) });
    Err(Error::Differs { message, differences })
}
