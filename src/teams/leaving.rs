//! A team that a person is removed from or leaves, which the organization may let its members do (decision 66).

use std::ops::Deref;

use super::team::Team;
use crate::db::{Lock, Tx};
use crate::error::Result;
use crate::operation::{Caller, Cx, Path, Subject};
use crate::orgs::org;
use crate::policy::{Fact, Standing};

/// A team that the person in the path is removed from.
#[derive(Debug)]
pub struct Leaving(Team);

impl Deref for Leaving {
    type Target = Team;

    fn deref(&self) -> &Team {
        &self.0
    }
}

impl Leaving {
    /// A team that an owner removes a person from.
    #[must_use]
    pub fn of(team: Team) -> Self {
        Self(team)
    }
}

impl Subject for Leaving {
    const FORMS: &'static [&'static str] = Team::FORMS;
    const LEGACY_FORMS: usize = Team::LEGACY_FORMS;

    fn find(cx: &mut Cx, path: &Path) -> Result<(Self, Standing)> {
        let (team, standing) = Team::find(cx, path)?;
        let mine = org::names_caller(cx, path);
        let may = mine && cx.tx.any(MAY_LEAVE, &[&team.org_id])?;
        Ok((Self(team), standing.with(Fact::TheUser, mine).with(Fact::MembersLeaveTeams, may)))
    }

    fn locks(tx: &mut Tx, caller: &Caller, path: &Path) -> Result<Vec<Lock>> {
        Team::locks(tx, caller, path)
    }

    fn ask_ahead(tx: &mut Tx, caller: i64, path: &Path) -> Result<()> {
        Team::ask_ahead(tx, caller, path)
    }

    fn organizations(&self) -> Vec<i64> {
        vec![self.org_id]
    }

    fn canonical(&self) -> String {
        self.0.canonical()
    }

    fn is_synced(&self, cx: &mut Cx) -> Result<bool> {
        self.0.is_synced(cx)
    }
}

const MAY_LEAVE: &str = "SELECT 1 FROM orgs WHERE id = $1 AND members_can_leave_teams = TRUE";
