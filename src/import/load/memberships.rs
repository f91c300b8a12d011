//! Direct memberships of teams (decisions 24, 25 and 50).

use super::super::fault::shown;
use super::super::report::Kind;
use super::outsiders::{Outsiders, team_role};
use super::roles::People;
use super::{Job, account, invitations};
use crate::error::Result;
use crate::members::seats;

/// Adds people to teams. A person who is not in the organization is invited.
pub(super) fn put(job: &mut Job<'_, '_>, people: &People, teams: &[i64]) -> Result<()> {
    let mut new = Vec::new();
    let mut outsiders = Outsiders::default();
    for (index, (team, id)) in job.file.teams.iter().zip(teams).enumerate() {
        for member in &team.members {
            let account = account(&job.accounts, &member.login)?;
            let role = team_role(member.maintainer);
            if !people.is_member(account.id) {
                outsiders.person(account).teams.push((index, role));
            } else if account.suspended {
                let (login, team) = (&account.login, shown(&team.name));
                job.report.skipped.push(format!("{login} is suspended and cannot be added to team {team}"));
            } else {
                new.push((*id, account.id, role));
            }
        }
    }
    job.report.created(Kind::Membership, new.len());
    seats::import(job.cx.tx, new)?;
    outsiders.listed(job, people)?;
    invitations::put(job, people, teams, outsiders)
}
