//! Lists of people, which are long and often read, so a template writes them.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::Serialize;

use super::user::{SimpleUser, User};
use crate::db::{ByIds, Tx, select};
use crate::error::{Error, Result};
use crate::links::{Links, node_id, push_node_id};
use crate::memory::Organizations;
use crate::operation::template::{self, Template};
use crate::rows::PersonRow;

/// The values that differ between two people in a list.
#[derive(Debug, Clone, Copy)]
enum Slot {
    Login,
    Id,
    NodeId,
    SiteAdmin,
    Inherited,
}

/// A person in the list of a team's members.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "team-member")]
pub struct TeamMember {
    /// The person.
    #[serde(flatten)]
    pub person: SimpleUser,
    /// True if the person is only a member of a child team.
    pub inherited: bool,
}

/// A login that no account can have, and an identifier that no account will have.
const LOGIN: &str = "\u{E000}";
const ID: i64 = 7_777_777_777_777_777_777;

/// The approximate length of a record, in bytes.
const EXPECTED: usize = 1_100;

fn sample(links: &Links) -> SimpleUser {
    SimpleUser::new(links, &User { id: ID, login: LOGIN.to_owned(), site_admin: false, suspended: false })
}

fn cut(sample: &impl Serialize) -> Result<Template<Slot>> {
    let text = serde_json::to_string(sample).map_err(|e| Error::Bug(e.to_string()))?;
    let marks = [
        (LOGIN, Slot::Login),
        (&ID.to_string(), Slot::Id),
        (&node_id("User", ID), Slot::NodeId),
        ("\"site_admin\":false", Slot::SiteAdmin),
        ("\"inherited\":false", Slot::Inherited),
    ];
    Ok(Template::cut(&text, &marks))
}

/// These people as the lists of an organization at this version show them.
pub fn shown(tx: &mut Tx, memory: &Organizations, org: (i64, i64), ids: &[i64]) -> Result<Vec<Arc<PersonRow>>> {
    memory.people(tx, org, ids, &READ)
}

static READ: ByIds = ByIds::new(select!(PersonRow from "users u WHERE u.id IN ({ids}) ORDER BY u.id"));

/// The list of these people as JSON.
pub fn people(links: &Links, people: &[Arc<PersonRow>]) -> Result<Vec<u8>> {
    let template = cut(&sample(links))?;
    Ok(template::list(people, EXPECTED, |person, json| {
        template.write(json, |slot, json| fill(slot, person, false, json));
    }))
}

/// The list of these members of a team as JSON. Each record says whether the person is in it only through a team below.
pub fn members(links: &Links, members: &[(Arc<PersonRow>, bool)]) -> Result<Vec<u8>> {
    let template = cut(&TeamMember { person: sample(links), inherited: false })?;
    Ok(template::list(members, EXPECTED, |(person, inherited), json| {
        template.write(json, |slot, json| fill(slot, person, *inherited, json));
    }))
}

fn fill(slot: Slot, person: &PersonRow, inherited: bool, json: &mut Vec<u8>) {
    let mut flag = |name: &[u8], yes: bool| {
        json.extend_from_slice(name);
        json.extend_from_slice(if yes { b"true" } else { b"false" });
    };
    match slot {
        // Logins contain nothing that must be escaped in JSON or in a URL.
        Slot::Login => json.extend_from_slice(person.login.as_bytes()),
        Slot::Id => json.extend_from_slice(itoa::Buffer::new().format(person.id).as_bytes()),
        Slot::NodeId => push_node_id(json, "User", itoa::Buffer::new().format(person.id)),
        Slot::SiteAdmin => flag(b"\"site_admin\":", person.site_admin),
        Slot::Inherited => flag(b"\"inherited\":", inherited),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_its_records() {
        let links = Links { origin: "http://h:1".into(), api: "http://h:1/api/v3".into() };
        let person = |id, login: &str, site_admin| User { id, login: login.into(), site_admin, suspended: false };
        let both = [(person(1, "Octo-Cat", false), false), (person(1_234_567, "sam", true), true)];
        let records = || both.iter().map(|(person, inherited)| (SimpleUser::new(&links, person), *inherited));
        let shown: Vec<(Arc<PersonRow>, bool)> = both
            .iter()
            .map(|(p, inherited)| {
                (PersonRow { id: p.id, login: p.login.clone(), site_admin: p.site_admin }.into(), *inherited)
            })
            .collect();
        let expected: Vec<TeamMember> = records().map(|(person, inherited)| TeamMember { person, inherited }).collect();
        assert_eq!(members(&links, &shown).unwrap(), serde_json::to_vec(&expected).unwrap());
        let alone: Vec<SimpleUser> = records().map(|(person, _)| person).collect();
        let shown: Vec<Arc<PersonRow>> = shown.into_iter().map(|(person, _)| person).collect();
        assert_eq!(people(&links, &shown).unwrap(), serde_json::to_vec(&alone).unwrap());
    }
}
