//! Planning a file.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::Deserialize;

use super::record::{OrganizationPlan, shorten};
use super::stored::{self, New};
use super::{file, refuse_accounts};
use crate::error::{Error, Result};
use crate::import::read::Source;
use crate::name::is_one_line;
use crate::operation::{Call, Cx, Operation, Prepared, Record, Subject};
use crate::orgs::org::Org;
use crate::plan::{self, Action, Flags, Kind, Plan};
use crate::policy::Granted;

/// The longest name of a file, in characters.
const NAME_MAX: usize = 255;

/// Plan what would have to change so that an organization is as a file says. The body is the file: peribolos YAML, or JSON
/// in the format `team-org/1`, of at most 8 MiB. Nothing of the organization changes. A plan has at most 2,000 changes and
/// is stored for a day; each person has at most three in an organization.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Options {
    /// True to remove what the organization has and a list of the file does not.
    #[schemars(extend("default" = false))]
    pub prune: Option<bool>,
    /// True to change who owns the organization.
    #[schemars(extend("default" = false))]
    pub owners: Option<bool>,
    /// True to invite people who are on a team, but not in the organization.
    #[schemars(extend("default" = false))]
    pub invite: Option<bool>,
    /// True to make accounts for logins that no account has. Only for site administrators.
    #[schemars(extend("default" = false))]
    pub create_accounts: Option<bool>,
    /// Name of the file, as messages and the audit log show it.
    #[schemars(length(min = 1, max = NAME_MAX), extend("default" = "file"))]
    pub file: Option<String>,
}

/// Reads the file and compares it.
pub fn prepare(row: &Operation, cx: &mut Cx, call: &Call) -> Result<Prepared> {
    let p: Options = row.params.read(call, false)?;
    let flags = Flags {
        prune: p.prune.unwrap_or_default(),
        owners: p.owners.unwrap_or_default(),
        invite: p.invite.unwrap_or_default(),
        create_accounts: p.create_accounts.unwrap_or_default(),
    };
    refuse_accounts(cx, flags)?;
    let (org, _) = Org::find(cx, &call.path)?;
    let source = Source { file: name(p.file)?, text: call.file().to_owned() };
    let desired = file::read(&source, &org.login)?;
    let (now, me) = (cx.now()?, &cx.me()?.login);
    let mut plan = plan::of_owner(cx.tx, &desired, flags, now, me)?;
    refuse_invitations(cx, &plan)?;
    shorten(&mut plan);
    Ok(Arc::new(New::of(source, flags, &plan)?))
}

/// Refuses more invitations than a person may send in a minute: no apply of that plan could succeed (limit 5).
fn refuse_invitations(cx: &Cx, plan: &Plan) -> Result<()> {
    let limit = cx.site.creation_limit;
    let most = limit.per_minute.min(limit.per_hour);
    let sent = plan.changes.iter().filter(|change| change.kind == Kind::Invitation && change.action == Action::Add);
    let sent = sent.count();
    if u32::try_from(sent).is_ok_and(|sent| sent <= most) {
        return Ok(());
    }
    Err(Error::sentence(format!(
        "The plan invites {sent} people, and over HTTP a person invites at most {most} in a minute. Run the command on the \
         server: guildhall plan, guildhall apply."
    )))
}

fn name(given: Option<String>) -> Result<String> {
    let name = given.unwrap_or_else(|| "file".to_owned());
    if (1..=NAME_MAX).contains(&name.chars().count()) && is_one_line(&name) {
        return Ok(name);
    }
    Err(Error::Invalid(vec![format!(
        "For 'properties/file', the text must be one line of 1 to {NAME_MAX} characters."
    )]))
}

/// Stores the plan.
pub fn create(cx: &mut Cx, org: Granted<Org>, _: Options) -> Result<Record<OrganizationPlan, 201>> {
    let (new, now, me) = (cx.prepared::<New>()?, cx.now()?, cx.me()?.id);
    let stored = stored::insert(cx.tx, (org.id, me), new, now)?;
    let record = OrganizationPlan::new(cx, &org, stored);
    let location = record.url.clone();
    Ok(Record::from(record).at(location))
}
