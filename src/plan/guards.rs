//! The guards of an apply: how much goes, and how many owners stay (decision 74).

use super::comparison::Comparison;
use super::{Change, Guarded, Kind, Plan};
use crate::error::{Error, Result};
use crate::import::desired::Role;
use crate::people::login;

/// The part of memberships and grants that may go, in percent, unless something else is given.
pub const MAX_REMOVALS: usize = 25;

/// The limits of an apply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Guards {
    /// The largest part of memberships and grants that goes, in percent: 0 to 100.
    pub max_removals: usize,
    /// The smallest number of owners that stay.
    pub min_owners: usize,
}

impl Guards {
    /// Refuses a plan that lacks a flag or goes beyond a limit. The message names the flag.
    pub fn refuse(&self, plan: &Plan) -> Result<()> {
        self.refuse_naming(plan, str::to_owned)
    }

    /// The same for an owner with this login over HTTP, who also remains an owner. The message names the parameter.
    pub fn refuse_for(&self, plan: &Plan, owner: &str) -> Result<()> {
        self.refuse_naming(plan, |flag| format!("`{}`", flag.trim_start_matches('-').replace('-', "_")))?;
        let is_own = |change: &&Change| change.kind == Kind::Member && login::key(&change.subject) == login::key(owner);
        match plan.changes.iter().find(is_own) {
            Some(change) if change.before == Role::Admin.word() => Err(Error::sentence(format!(
                "{}: an owner who applies a file remains an owner. List yourself under the admins, or let another owner \
                 apply it. Nothing was changed",
                change.subject
            ))),
            _ => Ok(()),
        }
    }

    fn refuse_naming(&self, plan: &Plan, named: impl Fn(&str) -> String) -> Result<()> {
        if let Some((change, flag)) = plan.changes.iter().find_map(|change| Some((change, change.blocked_by?))) {
            let (subject, flag) = (&change.subject, named(flag.typed()));
            return Err(Error::sentence(format!("{subject}: the change needs {flag}. Nothing was changed")));
        }
        let Guarded { held, removed, owners } = plan.guarded;
        if removed.saturating_mul(100) > held.saturating_mul(self.max_removals) {
            let guard = named("--max-removals");
            return Err(Error::sentence(format!(
                "{removed} of {held} memberships and grants would go, which is more than {guard} {}% allows. Correct the \
                 file, or raise {guard}. Nothing was changed",
                self.max_removals
            )));
        }
        if owners < self.min_owners {
            let guard = named("--min-owners");
            return Err(Error::sentence(format!(
                "{owners} owners would stay, which is less than {guard} {} requires. Add owners to the file, or lower \
                 {guard}. Nothing was changed",
                self.min_owners
            )));
        }
        Ok(())
    }
}

impl Comparison<'_> {
    /// The numbers that guards look at.
    pub(super) fn guarded(&self, removals: &[Change]) -> Guarded {
        let org = &self.stored.content.org;
        let mut held = org.people.len() + org.collaborators.len();
        let mut removed = removals.iter().filter(|change| is_counted(change.kind)).count();
        let leaves = |login: &str| self.removed.contains(&login::key(login));
        removed += org.collaborators.iter().filter(|had| leaves(&had.login)).count();
        for (index, team) in org.teams.iter().enumerate() {
            let gone = self.removed_teams.contains(&index);
            held += team.members.len() + team.grants.len() + team.projects.len();
            removed += team.members.iter().filter(|had| gone || leaves(&had.login)).count();
            if gone {
                removed += team.grants.len() + team.projects.len();
            }
        }
        Guarded { held, removed, owners: self.owners() }
    }
}

/// True if it is a membership or a grant.
fn is_counted(kind: Kind) -> bool {
    matches!(kind, Kind::Member | Kind::TeamMember | Kind::Grant | Kind::ProjectGrant | Kind::Collaborator)
}
