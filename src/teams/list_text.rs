//! The text of a list of teams, which is asked for more than anything else: written by a template.

use std::sync::Arc;

use super::record::{TeamShort, TeamSimple};
use super::team::Brief;
use crate::error::{Error, Result};
use crate::links::{Digits, Links, node_id, push_node_id};
use crate::operation::template::{self, Template};

/// What differs between two teams of an organization in a list.
#[derive(Debug, Clone, Copy)]
enum Slot {
    Name,
    Id,
    NodeId,
    Slug,
    Description,
    Privacy,
    Notifications,
    Permission,
    Parent,
}

/// Names that no team can have, and an identifier that none will have.
const NAME: &str = "\u{E000}";
const SLUG: &str = "\u{E001}";
const PRIVACY: &str = "\u{E002}";
const NOTIFICATIONS: &str = "\u{E003}";
const PERMISSION: &str = "\u{E004}";
const ID: i64 = 7_777_777_777_777_777_777;

/// About how long a record is, in bytes.
const EXPECTED: usize = 1_000;

/// The list of these teams of an organization as JSON, each with its parent from among these.
pub fn teams(
    links: &Links,
    org: i64,
    org_login: &str,
    teams: &[Arc<Brief>],
    parents: &[Arc<Brief>],
) -> Result<Vec<u8>> {
    let sample = || TeamSimple::new(links, org_login, sample(org));
    let team = cut(&TeamShort { team: sample(), parent: None })?;
    let parent = if parents.is_empty() { None } else { Some(cut(&sample())?) };
    Ok(template::list(teams, EXPECTED, |brief, json| {
        let above = brief.parent_id.and_then(|id| parents.iter().find(|parent| parent.id == id));
        team.write(json, |slot, json| match (slot, above, &parent) {
            (Slot::Parent, Some(above), Some(parent)) => {
                json.extend_from_slice(b"\"parent\":");
                parent.write(json, |slot, json| fill(slot, above, json));
            }
            _ => fill(slot, brief, json),
        });
    }))
}

fn sample(org_id: i64) -> Brief {
    Brief {
        id: ID,
        org_id,
        name: NAME.to_owned(),
        slug: SLUG.to_owned(),
        description: None,
        privacy: PRIVACY.to_owned(),
        notification_setting: NOTIFICATIONS.to_owned(),
        permission: PERMISSION.to_owned(),
        parent_id: None,
    }
}

fn cut(sample: &impl serde::Serialize) -> Result<Template<Slot>> {
    let text = serde_json::to_string(sample).map_err(|e| Error::Bug(e.to_string()))?;
    let marks = [
        (&*format!("\"{NAME}\""), Slot::Name),
        (&ID.to_string(), Slot::Id),
        (&node_id("Team", ID), Slot::NodeId),
        (SLUG, Slot::Slug),
        ("\"description\":null", Slot::Description),
        (PRIVACY, Slot::Privacy),
        (NOTIFICATIONS, Slot::Notifications),
        (PERMISSION, Slot::Permission),
        ("\"parent\":null", Slot::Parent),
    ];
    Ok(Template::cut(&text, &marks))
}

fn fill(slot: Slot, team: &Brief, json: &mut Vec<u8>) {
    match slot {
        Slot::Name => text(&team.name, json),
        Slot::Id => json.extend_from_slice(Digits::default().of(team.id).as_bytes()),
        Slot::NodeId => push_node_id(json, "Team", team.id),
        // Slugs and choices hold nothing that JSON or an address would have to escape.
        Slot::Slug => json.extend_from_slice(team.slug.as_bytes()),
        Slot::Privacy => json.extend_from_slice(team.privacy.as_bytes()),
        Slot::Notifications => json.extend_from_slice(team.notification_setting.as_bytes()),
        Slot::Permission => json.extend_from_slice(team.permission.as_bytes()),
        Slot::Description => {
            json.extend_from_slice(b"\"description\":");
            match &team.description {
                Some(words) => text(words, json),
                None => json.extend_from_slice(b"null"),
            }
        }
        Slot::Parent => json.extend_from_slice(b"\"parent\":null"),
    }
}

/// Free text, escaped.
fn text(words: &str, json: &mut Vec<u8>) {
    if serde_json::to_writer(&mut *json, words).is_err() {
        // Text is always JSON, and memory always takes it.
        json.extend_from_slice(b"\"\"");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_its_records() {
        let links = Links { origin: "http://h:1".into(), api: "http://h:1/api/v3".into() };
        let team = |id, name: &str, description: Option<&str>, parent_id| Brief {
            id,
            name: name.into(),
            slug: format!("slug-{id}"),
            description: description.map(str::to_owned),
            privacy: "closed".into(),
            notification_setting: "notifications_enabled".into(),
            permission: "push".into(),
            parent_id,
            ..sample(3)
        };
        let briefs =
            [team(1, "A \"b\" \\ é", None, None), team(2, "Two\n", Some("\"d\" <7777777777777777777>"), Some(1))];
        let expected: Vec<TeamShort> = briefs
            .iter()
            .map(|brief| TeamShort {
                team: TeamSimple::new(&links, "Acme", brief.clone()),
                parent: brief.parent_id.map(|_| TeamSimple::new(&links, "Acme", briefs[0].clone())),
            })
            .collect();
        let briefs = briefs.map(Arc::new);
        let written = teams(&links, 3, "Acme", &briefs, &briefs[..1]).unwrap();
        assert_eq!(String::from_utf8(written).unwrap(), serde_json::to_string(&expected).unwrap());
    }
}
