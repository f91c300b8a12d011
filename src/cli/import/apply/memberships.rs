//! Direct memberships of teams (decisions 24, 25, 48 and 50).

use std::collections::HashMap;

use super::super::desired::Team;
use super::super::fault::shown;
use super::super::report::Kind;
use super::outsiders::{Outsiders, team_role};
use super::people::People;
use super::{Job, account, invitations};
use crate::db::{Bind, Bulk};
use crate::error::Result;
use crate::orgs::synced;
use crate::people::user;

/// Stored memberships that the file has not named yet: by team and person, whether as maintainer.
type Left = HashMap<(i64, i64), bool>;

/// Puts people into teams and sets their roles; whoever is not in the organization is invited.
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
    add(job, new)?;
    change(job, &changed)?;
    outsiders.listed(job, people)?;
    invitations::put(job, people, teams, outsiders)?;
    beyond(job, teams, &left)
}

/// Members of a team that follows a provider are the provider's (decision 48).
fn skip(job: &mut Job<'_, '_>, team: &Team) {
    if !team.members.is_empty() {
        let team = shown(&team.name);
        job.report.skipped.push(format!("team {team} follows an identity provider; its members are changed there"));
    }
}

const STORED: &str = "
    SELECT m.team_id, m.user_id, m.role = 'maintainer'
    FROM teams t JOIN team_members m ON m.team_id = t.id
    WHERE t.org_id = $1 ORDER BY m.team_id, m.user_id";

/// In the order of the table's key, which is several times as fast.
fn add(job: &mut Job<'_, '_>, mut new: Vec<(i64, i64, &'static str)>) -> Result<()> {
    new.sort_unstable();
    let rows: Vec<[&dyn Bind; 3]> = new.iter().map(|(team, user, role)| [team as &dyn Bind, user, role]).collect();
    ADD.run(job.cx.tx, &rows)?;
    job.report.created(Kind::Membership, new.len());
    Ok(())
}

static ADD: Bulk<3> = Bulk::new("INSERT INTO team_members (team_id, user_id, role) VALUES {rows}");

fn change(job: &mut Job<'_, '_>, changed: &[(i64, i64, &'static str, usize)]) -> Result<()> {
    let ids: Vec<i64> = changed.iter().map(|(_, user, ..)| *user).collect();
    let logins = logins(job, ids)?;
    for (team, user, role, index) in changed {
        job.cx.tx.run(CHANGE, &[team, user, role])?;
        let team = shown(&job.file.teams[*index].name);
        job.report.changed.push(format!("{} is now {role} of team {team}", logins[user]));
    }
    Ok(())
}

const CHANGE: &str = "UPDATE team_members SET role = $3 WHERE team_id = $1 AND user_id = $2";

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
