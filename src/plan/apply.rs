//! Applying a file: the plan is computed in the transaction that carries it out (decision 74).

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;

use xxhash_rust::xxh3::xxh3_64;

pub use super::guards::{Guards, MAX_REMOVALS};
use super::{Change, Flags, Plan, carry_out};
use crate::clock::Time;
use crate::db::{Lock, Tx};
use crate::error::{Error, Result};
use crate::import::desired::Org;
use crate::import::{self, Choices, Unlisted};
use crate::journal::{self, cursors};
use crate::links::Links;
use crate::operation::{Caller, Cx, Moment, Site};
use crate::people::login;

/// The IP address of commands.
const LOCAL: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

/// The choices of the operator.
#[derive(Debug, Clone, Copy)]
pub struct Applying {
    /// The flags that allow changes.
    pub flags: Flags,
    /// The limits.
    pub guards: Guards,
    /// True if people who are invited get e-mails.
    pub mails: bool,
}

/// The result of an apply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// The plan was carried out, as far as there was something to do.
    Done(Plan),
    /// The organization is no longer as it was planned, and nothing was changed. This is its plan now.
    Differs(Plan),
}

/// Carries out the changes that were planned for a file. An error names what refused, and nothing has changed then.
pub fn apply(tx: &mut Tx, at: (&Site, Time), file: &Org, choices: Applying, planned: &[Change]) -> Result<Outcome> {
    let org = lock(tx, file)?;
    let plan = super::of(tx, file, choices.flags, at.1)?;
    if plan.changes.is_empty() {
        return Ok(Outcome::Done(plan));
    }
    if plan.changes != planned {
        return Ok(Outcome::Differs(plan));
    }
    choices.guards.refuse(&plan)?;
    let text = serde_json::to_vec(&plan.changes).map_err(|error| Error::Bug(error.to_string()))?;
    let request_id = request_id(format!("apply-{:016x}", xxh3_64(&text)), &plan.file);
    match org {
        None => load(tx, at, &request_id, file, choices)?,
        Some(id) => carry_out(tx, at, &request_id, (id, &plan), choices.mails)?,
    }
    Ok(Outcome::Done(plan))
}

/// The organization of a file, locked; none if it does not exist yet.
pub(super) fn lock(tx: &mut Tx, file: &Org) -> Result<Option<i64>> {
    let Some(login::Owner::Org(id)) = login::find(tx, &file.login)? else { return Ok(None) };
    journal::lock(tx, &[Lock::Journal(id)])?;
    Ok(Some(id))
}

/// Carries out what was planned for a file, as the owner who asks over HTTP: with their entries, events and limits. The
/// journal of the organization is locked. The request of each entry begins with this name.
pub fn as_owner(
    cx: &mut Cx,
    (org, file): (i64, &Org),
    choices: Applying,
    planned: &[Change],
    name: String,
) -> Result<Outcome> {
    let (now, peer, _) = cx.moment.seen()?;
    let owner = Arc::clone(&cx.me()?.login);
    let plan = super::of_owner(cx.tx, file, choices.flags, now, &owner)?;
    if plan.changes.is_empty() {
        return Ok(Outcome::Done(plan));
    }
    if plan.changes != planned {
        return Ok(Outcome::Differs(plan));
    }
    choices.guards.refuse_for(&plan, &owner)?;
    let request_id = request_id(name, &plan.file);
    let mut cx = Cx::new(cx.tx, cx.caller, Moment::new(now, peer, &request_id), cx.links, cx.site);
    cx.mails = choices.mails;
    carry_out::carry_out(&mut cx, org, &plan)?;
    Ok(Outcome::Done(plan))
}

/// Only the first load of an organization writes in bulk.
fn load(tx: &mut Tx, at: (&Site, Time), request_id: &str, file: &Org, choices: Applying) -> Result<()> {
    let unlisted = if choices.flags.invite { Unlisted::Invite } else { Unlisted::Refuse };
    let choices = Choices { unlisted, mail: choices.mails, owners: true };
    import::load(tx, at, request_id, file, choices, &|_| {}).map(drop)
}

/// Carries out a plan of an organization that exists and is locked.
pub(super) fn carry_out(
    tx: &mut Tx,
    (site, now): (&Site, Time),
    request_id: &str,
    (org, plan): (i64, &Plan),
    mails: bool,
) -> Result<()> {
    if mails {
        // A server that was never started follows no journal yet.
        cursors::follow_all(tx)?;
    }
    let (caller, links) = (Caller::default(), Links::default());
    let mut cx = Cx::new(tx, &caller, Moment::new(now, LOCAL, request_id), &links, site);
    cx.mails = mails;
    carry_out::carry_out(&mut cx, org, plan)
}

/// The request of each entry: it names the plan or the run, and the end of the file.
pub(super) fn request_id(of: String, file: &str) -> String {
    let file: Vec<char> = file.chars().filter(char::is_ascii_graphic).collect();
    [of, file[file.len().saturating_sub(LONGEST_FILE)..].iter().collect()].join(":")
}

/// The number of characters at the end of the name of a file that an entry has.
const LONGEST_FILE: usize = 100;
