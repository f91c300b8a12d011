//! Repositories, as far as creating a team needs them: records that can be granted.

use serde_json::json;

use crate::error::{Error, Result};
use crate::events::{self, Event};
use crate::operation::Cx;
use crate::orgs::org::Org;

/// The repositories of these names that the caller administers; 422 for any other (decision 13).
pub fn administered(cx: &mut Cx, org: &Org, owner: bool, names: &[String]) -> Result<Vec<i64>> {
    let mut found = Vec::new();
    for name in names {
        let (of, repository) = name.split_once('/').unwrap_or((&org.login, name));
        let refused = || Error::data("Team", format!("Invalid repository was specified: {name:.140}"));
        if !of.eq_ignore_ascii_case(&org.login) {
            return Err(refused());
        }
        let id = by_name(cx, org.id, repository)?.ok_or_else(refused)?;
        if !owner && !administers(cx, id)? {
            return Err(refused());
        }
        if !found.contains(&id) {
            found.push(id);
        }
    }
    Ok(found)
}

/// The form in which names of repositories are compared: without case.
#[must_use]
pub fn name_key(name: &str) -> String {
    name.to_lowercase()
}

fn by_name(cx: &mut Cx, org: i64, name: &str) -> Result<Option<i64>> {
    Ok(cx.tx.maybe::<(i64,)>(BY_NAME, &[&org, &name_key(name)])?.map(|(id,)| id))
}

const BY_NAME: &str = "SELECT id FROM repos WHERE org_id = $1 AND name_key = $2";

/// Whether the caller, who is no owner, has admin on a repository: as a collaborator, or through a team or a
/// team above it.
fn administers(cx: &mut Cx, repository: i64) -> Result<bool> {
    let me = cx.my_id();
    cx.tx.any(ADMINISTERS, &[&repository, &me])
}

const ADMINISTERS: &str = "
    SELECT 1 FROM repo_collaborators WHERE repo_id = $1 AND user_id = $2 AND level = 5
    UNION ALL
    SELECT 1 FROM team_members m
    JOIN team_tree above ON above.descendant_id = m.team_id
    JOIN team_repos g ON g.team_id = above.ancestor_id AND g.repo_id = $1 AND g.level = 5
    WHERE m.user_id = $2
    LIMIT 1";

/// Grants a repository to a team that does not have it yet.
pub fn grant(cx: &mut Cx, org: i64, team: i64, repository: i64, level: i64) -> Result<()> {
    cx.tx.run(GRANT, &[&team, &repository, &level])?;
    events::emit(cx, org, &Event::RepositoryAdded { team, repository, level })?;
    let after = json!({ "team": team, "repository": repository, "level": level });
    events::record(cx, org, "team.add_repository", &json!(null), &after)
}

const GRANT: &str = "INSERT INTO team_repos (team_id, repo_id, level) VALUES ($1, $2, $3)";
