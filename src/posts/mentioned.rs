//! The people and teams that the mentions in a text find (decision 37).

use super::markdown;
use super::text::Body;
use crate::error::Result;
use crate::journal::Mentions;
use crate::operation::Cx;
use crate::teams::visible::is_seen;

/// The people of the organization with these logins, and its teams with these names that the author sees.
pub fn found(cx: &mut Cx, org: i64, names: &[String]) -> Result<Mentions> {
    let mut mentions = Mentions::default();
    for name in names {
        match name.split_once('/') {
            Some((login, slug)) => {
                let team: Option<i64> = cx.tx.maybe(TEAM, &[&cx.my_id(), &org, &login, &slug])?;
                mentions.teams.extend(team);
            }
            None => mentions.people.extend(cx.tx.maybe::<i64>(PERSON, &[name, &org])?),
        }
    }
    mentions.people.sort_unstable();
    Ok(mentions)
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
