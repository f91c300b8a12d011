//! Carrying out a plan: each change runs through the function of the operation that would make it, with its audit entry,
//! its event and its notices (decision 74). The operator, and an owner over HTTP, stand like an owner who administers
//! everything.

mod people;
mod repos;
mod teams;

use std::collections::HashMap;

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::{Action, Change, Kind, Plan};
use crate::error::{Error, Result};
use crate::journal::{self, SITE};
use crate::operation::Cx;
use crate::orgs::org::Org;
use crate::orgs::update;
use crate::people::user::{self, User};
use crate::policy::{Fact, Granted, OWNER, Standing};

/// A plan that is being carried out.
pub struct Work<'x, 'a, 'c> {
    cx: &'x mut Cx<'a, 'c>,
    org: i64,
    /// The identifiers of teams by the names that they have now.
    teams: HashMap<String, i64>,
    /// The login of the person who invites if the caller is not a person.
    inviter: Option<&'x str>,
}

/// Carries out all changes of a plan of an organization that exists, whose journal is locked.
pub fn carry_out<'x>(cx: &'x mut Cx<'_, '_>, org: i64, plan: &'x Plan) -> Result<()> {
    let teams: Vec<(String, i64)> = cx.tx.all(TEAMS, &[&org])?;
    let inviter = plan.inviter.as_deref();
    let mut work = Work { cx, org, teams: teams.into_iter().collect(), inviter };
    work.settings(plan)?;
    for change in plan.changes.iter().filter(|change| change.kind != Kind::Setting) {
        work.one(change).map_err(|error| refused(change, error))?;
    }
    Ok(())
}

const TEAMS: &str = "SELECT name, id FROM teams WHERE org_id = $1";

/// An operation that refuses a change names it.
fn refused(change: &Change, error: Error) -> Error {
    match error {
        error @ (Error::Unavailable(_) | Error::Bug(_) | Error::Abuse { .. }) => error,
        error => {
            let kind = serde_json::to_value(change.kind).unwrap_or_default();
            let team = change.team.as_ref().map(|team| format!(" of team {team}")).unwrap_or_default();
            let kind = kind.as_str().unwrap_or_default().replace('_', " ");
            Error::sentence(format!("{kind} {}{team}: {error}", change.subject))
        }
    }
}

impl Work<'_, '_, '_> {
    fn one(&mut self, change: &Change) -> Result<()> {
        match change.kind {
            Kind::Organization | Kind::Setting => Err(Error::Bug("this is no change of its own".into())),
            Kind::Account => self.account(change),
            Kind::Member => self.member(change),
            Kind::PublicMember => self.public_member(change),
            Kind::SecurityManager => self.security_manager(change),
            Kind::Repository => self.repository(change),
            Kind::FormerRepositoryName => self.former_repository_name(change),
            Kind::Collaborator => self.collaborator(change),
            Kind::Project => self.project(change),
            Kind::ProjectCollaborator => self.project_collaborator(change),
            Kind::Team => self.team(change),
            Kind::FormerTeamName => self.former_team_name(change),
            Kind::Invitation => self.invitation(change),
            Kind::TeamMember => self.team_member(change),
            Kind::Grant => self.grant(change),
            Kind::ProjectGrant => self.project_grant(change),
        }
    }

    /// All settings are one update.
    fn settings(&mut self, plan: &Plan) -> Result<()> {
        let settings = plan.changes.iter().filter(|change| change.kind == Kind::Setting);
        let after: Map<String, Value> = settings.map(|change| (change.subject.clone(), change.after.clone())).collect();
        if after.is_empty() {
            return Ok(());
        }
        let org = Org::by_id(self.cx.tx, 0, self.org)?.ok_or(Error::NotFound)?;
        update::update(self.cx, owner(org)?, parameters(after.into())?).map(drop)
    }

    fn account(&mut self, change: &Change) -> Result<()> {
        journal::widen(self.cx.tx, [SITE])?;
        let now = self.cx.now()?;
        let made = user::create(self.cx.tx, &change.subject, now)?;
        user::announce(self.cx, &made.ok_or_else(|| Error::sentence("the login is taken"))?)
    }

    fn person(&mut self, login: &str) -> Result<User> {
        user::by_login(self.cx.tx, login)
    }
}

/// The subject, granted to an owner who administers everything.
fn owner<S>(subject: S) -> Result<Granted<S>> {
    let standing = Standing::default()
        .with(Fact::OrgOwner, true)
        .with(Fact::AdminsRepo, true)
        .with(Fact::AdminsProject, true)
        .with(Fact::SeesTeam, true);
    OWNER.or_say("You must be an organization owner.").check(subject, standing)
}

/// The parameters of an operation.
fn parameters<T: DeserializeOwned>(values: Value) -> Result<T> {
    serde_json::from_value(values).map_err(|error| Error::Bug(format!("a change of a plan: {error}")))
}

/// The value that a change gives, as a word.
fn word(value: &Value) -> Result<&str> {
    value.as_str().ok_or_else(|| Error::Bug("a change of a plan has no word".into()))
}

/// True if the subject is gone after the change.
fn removes(change: &Change) -> bool {
    change.action == Action::Remove
}
