//! The people and teams that the mentions in a text find (decision 37).

use schemars::JsonSchema;
use serde::Deserialize;

use super::markdown;
use super::mentions::MOST;
use super::text::Body;
use crate::error::Result;
use crate::journal::Mentions;
use crate::operation::{Cx, Record};
use crate::teams::team::SeenTeam;
use crate::teams::visible::is_seen;

/// The people of the organization with these logins, and its teams with these names that the author sees.
pub fn found(cx: &mut Cx, org: i64, names: &[String]) -> Result<Mentions> {
    let mut mentions = Mentions::default();
    for name in names {
        let found = if name.contains('/') { &mut mentions.teams } else { &mut mentions.people };
        found.extend(one(cx, org, name)?);
    }
    mentions.people.sort_unstable();
    Ok(mentions)
}

/// The ID of the person of the organization, or of the team that the caller sees, with this name.
fn one(cx: &mut Cx, org: i64, name: &str) -> Result<Option<i64>> {
    match name.split_once('/') {
        Some((login, slug)) => cx.tx.maybe(TEAM, &[&cx.my_id(), &org, &login, &slug]),
        None => cx.tx.maybe(PERSON, &[&name, &org]),
    }
}

/// Look up the names that a text mentions.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Look {
    /// Logins and teams such as `acme/core`, in lower case, with commas between them. The first 50 are looked up.
    pub names: String,
}

/// Looks up names, and returns those that mention a person of the organization or a team that the caller sees.
pub fn look(cx: &mut Cx, team: SeenTeam, p: Look) -> Result<Record<Vec<String>>> {
    let mut known = Vec::new();
    for name in p.names.split(',').take(MOST) {
        if one(cx, team.org_id, name)?.is_some() {
            known.push(name.to_owned());
        }
    }
    Ok(known.into())
}

/// The people and teams that a text mentions and the text before it did not.
pub fn added(cx: &mut Cx, org: i64, body: &Body, before: &str) -> Result<Mentions> {
    let before = markdown::render(before).mentions;
    let added: Vec<String> = body.mentions.iter().filter(|name| !before.contains(name)).cloned().collect();
    found(cx, org, &added)
}

const PERSON: &str = "
    SELECT m.user_id FROM logins l JOIN org_members m ON m.org_id = $2 AND m.user_id = l.user_id
    WHERE l.login_key = $1 AND l.current = TRUE";

const TEAM: &str = concat!(
    "SELECT t.id FROM logins l JOIN teams t ON t.org_id = l.org_id AND t.slug = $4
     WHERE l.login_key = $3 AND l.current = TRUE AND l.org_id = $2 AND ",
    is_seen!()
);
