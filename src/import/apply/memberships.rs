//! Direct memberships of teams (decisions 24, 25, 48 and 50).

use std::collections::HashMap;

use super::super::desired::Team;
use super::super::fault::shown;
use super::super::report::Kind;
use super::outsiders::{Outsiders, team_role};
use super::roles::People;
use super::{Job, account, invitations};
use crate::error::Result;
use crate::members::{seats, synced};
use crate::people::user;

/// Stored memberships that the file has not named yet: by team and person, whether as maintainer.
type Left = HashMap<(i64, i64), bool>;

/// Adds people to teams and sets their roles. A person who is not in the organization is invited.
pub(super) fn put(job: &mut Job<'_, '_>, people: &People, teams: &[i64]) -> Result<()> {
    let stored: Vec<(i64, i64, bool)> = job.cx.tx.all(STORED, &[&job.org])?;
    let mut left: Left = stored.into_iter().map(|(team, user, role)| ((team, user), role)).collect();
    let (mut new, mut changed) = (Vec::new(), Vec::new());
    let mut outsiders = Outsiders::default();
    for (index, (team, id)) in job.file.teams.iter().zip(teams).enumerate() {
        if synced::is_synced(job.cx.tx, *id)? {
            left.retain(|(stored, _), _| stored != id);
            skip(job, team);
            continue;
        }
        for member in &team.members {
            let account = account(&job.accounts, &member.login)?;
            let role = team_role(member.maintainer);
            match left.remove(&(*id, account.id)) {
                // Owners compare as maintainers.
                Some(was) if was == member.maintainer || people.is_owner(account.id) => {}
                Some(_) => changed.push((*id, account.id, role, index)),
                None if people.is_member(account.id) && account.suspended => {
                    let team = shown(&team.name);
                    let login = &account.login;
                    job.report.skipped.push(format!("{login} is suspended and cannot be added to team {team}"));
                }
                None if people.is_member(account.id) => new.push((*id, account.id, role)),
                None => outsiders.person(account).teams.push((index, role)),
            }
        }
    }
    job.report.created(Kind::Membership, new.len());
    seats::import(job.cx.tx, new)?;
    change(job, &changed)?;
    outsiders.listed(job, people)?;
    invitations::put(job, people, teams, outsiders)?;
    beyond(job, teams, &left)
}

/// The members of a team that follows a provider are managed by the provider (decision 48).
fn skip(job: &mut Job<'_, '_>, team: &Team) {
    if !team.members.is_empty() {
        let team = shown(&team.name);
        job.report.skipped.push(format!("team {team} follows an identity provider, which manages its members"));
    }
}

const STORED: &str = "
    SELECT m.team_id, m.user_id, m.role = 'maintainer'
    FROM teams t JOIN team_members m ON m.team_id = t.id
    WHERE t.org_id = $1 ORDER BY m.team_id, m.user_id";

fn change(job: &mut Job<'_, '_>, changed: &[(i64, i64, &'static str, usize)]) -> Result<()> {
    let ids: Vec<i64> = changed.iter().map(|(_, user, ..)| *user).collect();
    let logins = logins(job, ids)?;
    seats::import_roles(job.cx.tx, changed.iter().map(|(team, user, role, _)| (*team, *user, *role)))?;
    for (_, user, role, index) in changed {
        let team = shown(&job.file.teams[*index].name);
        job.report.changed.push(format!("{} is now {role} of team {team}", logins[user]));
    }
    Ok(())
}

fn beyond(job: &mut Job<'_, '_>, teams: &[i64], left: &Left) -> Result<()> {
    let index: HashMap<i64, usize> = teams.iter().enumerate().map(|(index, team)| (*team, index)).collect();
    let mut found: Vec<(usize, i64)> =
        left.keys().filter_map(|(team, user)| index.get(team).map(|index| (*index, *user))).collect();
    found.sort_unstable();
    let logins = logins(job, found.iter().map(|(_, user)| *user).collect())?;
    for (index, user) in found {
        let team = shown(&job.file.teams[index].name);
        job.report.beyond.push(format!("{} in team {team}", logins[&user]));
    }
    Ok(())
}

fn logins(job: &mut Job<'_, '_>, mut ids: Vec<i64>) -> Result<HashMap<i64, String>> {
    ids.sort_unstable();
    ids.dedup();
    let found = user::by_ids(job.cx.tx, &ids)?;
    Ok(found.into_iter().map(|user| (user.id, user.login)).collect())
}
