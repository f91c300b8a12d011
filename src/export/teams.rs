//! Teams: each after its parent, siblings by name, with people, levels and former names.

use std::collections::{HashMap, HashSet};

use super::words::level;
use super::{Exported, StoredTeam, lists};
use crate::clock::Time;
use crate::db::{Tx, row, select};
use crate::error::{Error, Result};
use crate::import::desired::{Grant, Membership, ProjectGrant, Team};
use crate::import::team_settings::TeamSettings;
use crate::repos::name_key;
use crate::rows::Privacy;
use crate::rows::{ReviewDelegation, TeamRow};
use crate::teams::{naming, slug};

row! {
    /// A team in the store.
    struct Found from "t" {
        row: TeamRow = TeamRow::COLUMNS,
        /// True if it follows groups of an identity provider.
        synced: bool = "EXISTS (SELECT 1 FROM team_groups g WHERE g.team_id = t.id)",
        security_manager: bool = "EXISTS (SELECT 1 FROM security_managers sm WHERE sm.team_id = t.id)",
    }
}

/// Reads the teams of an organization. Returns the index in the file of each team in the store.
pub fn read(tx: &mut Tx, org: i64, now: Time, exported: &mut Exported) -> Result<HashMap<i64, usize>> {
    let stored = in_order(tx.all(STORED, &[&org])?);
    let mut members = lists::by_key::<i64>(tx, MEMBERS, org)?;
    let mut grants = grants(tx, org, exported)?;
    let project = |(team, number, level): (i64, i64, i64)| (team, ProjectGrant { number, level, line: 0 });
    let mut projects = lists::grouped(tx.all(PROJECTS, &[&org])?.into_iter().map(project));
    let mut former = lists::grouped(naming::left_by(tx, org, now.0)?);
    let mut index = HashMap::with_capacity(stored.len());
    for Found { row: team, synced, security_manager } in stored {
        if synced {
            exported.left_out.push(format!("that team {} follows groups of an identity provider", team.name));
        }
        let member = |(login, maintainer)| Membership { login, maintainer: maintainer == 1, line: 0 };
        let parent: Option<usize> = team.parent_id.map(|parent| index[&parent]);
        index.insert(team.id, exported.org.teams.len());
        exported.teams.push(StoredTeam { row: team.clone(), synced });
        exported.org.teams.push(Team {
            settings: TeamSettings::unusual(&team),
            privacy: Some(if team.is_secret() { Privacy::Secret } else { Privacy::Closed }),
            name: team.name,
            description: team.description,
            parent,
            former_names: former.remove(&team.id).unwrap_or_default(),
            members: members.remove(&team.id).unwrap_or_default().into_iter().map(member).collect(),
            grants: grants.remove(&team.id).unwrap_or_default(),
            projects: projects.remove(&team.id).unwrap_or_default(),
            security_manager: Some(security_manager).filter(|is_one| *is_one),
            reviews: Some(team.reviews).filter(|reviews| *reviews != ReviewDelegation::default()),
            ..Team::default()
        });
    }
    Ok(index)
}

const STORED: &str = select!(Found from "teams t WHERE t.org_id = $1");

const MEMBERS: &str = "
    SELECT t.id, u.login, CAST(CASE WHEN m.role = 'maintainer' THEN 1 ELSE 0 END AS BIGINT)
    FROM teams t
    JOIN team_members m ON m.team_id = t.id
    JOIN users u ON u.id = m.user_id
    WHERE t.org_id = $1";

/// Depth first, and by name among siblings.
fn in_order(mut stored: Vec<Found>) -> Vec<Found> {
    // From last to first, because they are taken from the end.
    stored.sort_by_cached_key(|team| std::cmp::Reverse((slug::name_key(&team.row.name), team.row.id)));
    let mut below = lists::grouped(stored.into_iter().map(|team| (team.row.parent_id, team)));
    let (mut waiting, mut ordered) = (below.remove(&None).unwrap_or_default(), Vec::new());
    while let Some(team) = waiting.pop() {
        waiting.extend(below.remove(&Some(team.row.id)).unwrap_or_default());
        ordered.push(team);
    }
    ordered
}

/// Refuses teams that a file cannot express. Names without a slug may be used twice, but a file identifies teams by name.
pub fn refuse_inexpressible(teams: &[Team]) -> Result<()> {
    let mut known = HashSet::new();
    let mut levels: Vec<usize> = Vec::with_capacity(teams.len());
    for team in teams {
        let (name, level) = (&team.name, team.parent.map_or(1, |parent| levels[parent] + 1));
        levels.push(level);
        let refusal = if !known.insert(name.as_str()) {
            let why = "and a file identifies teams by name; rename one of them and export again";
            format!("two teams are called {name}, {why}")
        } else if level > DEEPEST {
            let next = "move it further up and export again";
            format!("team {name} is on level {level}, but a file has at most {DEEPEST}: {next}")
        } else {
            continue;
        };
        return Err(Error::sentence(refusal));
    }
    Ok(())
}

/// The deepest nesting of teams; an import refuses deeper ones.
const DEEPEST: usize = 30;

fn grants(tx: &mut Tx, org: i64, exported: &mut Exported) -> Result<HashMap<i64, Vec<Grant>>> {
    let stored: Vec<(i64, String, i64, Option<String>)> = tx.all(GRANTS, &[&org])?;
    let mut grants: HashMap<i64, Vec<Grant>> = HashMap::new();
    for (team, repo, rank, of) in stored {
        match of {
            None => grants.entry(team).or_default().push(Grant { repo, level: Some(level(rank)?), line: 0 }),
            Some(of) => {
                exported.left_out.push(format!("the grant of a team on {of}/{repo}, which belongs to another owner"));
            }
        }
    }
    for list in grants.values_mut() {
        list.sort_by_cached_key(|grant| name_key(&grant.repo));
    }
    Ok(grants)
}

/// The owner of a repository is written only if it is not the organization.
const GRANTS: &str = "
    SELECT t.id, r.name, g.level, CASE WHEN r.org_id = t.org_id THEN NULL ELSE coalesce(o.login, u.login) END
    FROM teams t
    JOIN team_repos g ON g.team_id = t.id
    JOIN repos r ON r.id = g.repo_id
    LEFT JOIN orgs o ON o.id = r.org_id
    LEFT JOIN users u ON u.id = r.user_id
    WHERE t.org_id = $1 ORDER BY t.id, r.id";

const PROJECTS: &str = "
    SELECT t.id, p.number, g.level
    FROM teams t
    JOIN team_projects g ON g.team_id = t.id
    JOIN projects p ON p.id = g.project_id
    WHERE t.org_id = $1 ORDER BY t.id, p.number";
