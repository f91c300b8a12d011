//! The JSON text of teams, which are read more often than anything else. Templates write it (docs/decisions/0004), and
//! for lists it is cached with the reader's snapshot (docs/decisions/0023).
//!
//! A template is made for the current record of an organization and for the base URL of the request. Teams with long
//! descriptions are written as records: only records keep long texts apart until they are sent.

use super::fragments::{Fragment, Fragments, Url};
use super::lookup::{BY_IDS, counts_and_parent};
use super::record::{self, TeamDetails, TeamFull, TeamShort, TeamSimple};
use super::team::SeenTeam;
use crate::clock::Time;
use crate::db::MadeOf;
use crate::error::{Error, Result};
use crate::links::{Links, node_id, push_node_id};
use crate::operation::json::is_long;
use crate::operation::template::{Template, push_text};
use crate::operation::{Cx, Json, Record};
use crate::orgs::record::{OrganizationDetailed, profile};
use crate::rows::{ReviewDelegation, TeamCounts, TeamRow};

/// The approximate length of a record in a list, in bytes.
const EXPECTED: usize = 1_000;

/// The list of these teams of an organization as JSON, each with its parent.
pub fn list(cx: &mut Cx, org: (i64, &str), version: i64, ids: &[i64]) -> Result<Json> {
    let (at, person) = ((org, version), cx.my_id());
    let fragments = cx.tx.cached_of(MadeOf::Found, &[], |_| Ok(Fragments::default()))?;
    let Some(url) = fragments.url(&key(cx.links, b'l', 0), person) else { return records(cx, at, ids) };
    if let Some(written) = fragments.list(url, ids) {
        return Ok(written.into());
    }
    let missing = fragments.missing(url, ids);
    write_missing(cx, at, (&fragments, url), &missing)?;
    let parents = fragments.missing_parents(url, ids);
    write_missing(cx, at, (&fragments, url), &parents)?;
    match fragments.list(url, ids) {
        Some(written) => Ok(written.into()),
        None => records(cx, at, ids),
    }
}

/// Writes the fragments of these teams, but not of those with a long description.
fn write_missing(
    cx: &mut Cx,
    (org, version): ((i64, &str), i64),
    (fragments, url): (&Fragments, Url),
    missing: &[i64],
) -> Result<()> {
    if missing.is_empty() {
        return Ok(());
    }
    let links = cx.links;
    let template = cx.tx.cached_of(MadeOf::Found, &key(links, b's', org.0), |_| simple_template(links, org))?;
    let teams = cx.site.organizations.teams(cx.tx, (org.0, version), missing, &BY_IDS)?;
    let short = teams.iter().filter(|team| !is_long(team.description.as_deref()));
    let written: Vec<Fragment> = short.map(|team| fragment(team, &template)).collect();
    fragments.insert(url, &written);
    Ok(())
}

fn fragment(team: &TeamRow, template: &Template<Fill>) -> Fragment {
    let mut json = Vec::with_capacity(EXPECTED);
    template.write(&mut json, |fill, json| fill(&Item::short(team), json));
    Fragment { team: team.id, parent: team.parent_id, json }
}

/// The same list, written one record at a time.
fn records(cx: &mut Cx, (org, version): ((i64, &str), i64), ids: &[i64]) -> Result<Json> {
    let links = cx.links;
    let mut read = |ids: &[i64]| cx.site.organizations.teams(cx.tx, (org.0, version), ids, &BY_IDS);
    let teams = read(ids)?;
    let parents = read(&distinct(teams.iter().filter_map(|team| team.parent_id)))?;
    let simple = |team: &TeamRow| TeamSimple::new(links, org.1, team.clone());
    let parent = |id: i64| parents.iter().find(|parent| parent.id == id).map(|parent| simple(parent));
    let records = teams.iter().map(|team| TeamShort { team: simple(team), parent: team.parent_id.and_then(parent) });
    Json::list(records, EXPECTED)
}

fn distinct(ids: impl Iterator<Item = i64>) -> Vec<i64> {
    let mut ids: Vec<i64> = ids.collect();
    ids.sort_unstable();
    ids.dedup();
    ids
}

/// The full record of a team as JSON.
pub fn full(cx: &mut Cx, team: &SeenTeam) -> Result<Record<TeamFull>> {
    let (links, org) = (cx.links, (team.org_id, team.org.login.as_str()));
    let (counts, parent) = counts_and_parent(cx, team)?;
    let is_long = |team: &TeamRow| is_long(team.description.as_deref());
    if is_long(team) || parent.as_deref().is_some_and(is_long) {
        return Ok(Record::written(Json::of(&record::full(cx, team)?, 3 * EXPECTED)?).modified(team.updated_at));
    }
    // Both templates are looked up at once, because most teams have a parent.
    let templates = cx.tx.cached_of(MadeOf::Found, &key(links, b'f', org.0), |tx| {
        let organization = OrganizationDetailed::new(links, profile(tx, org.0)?);
        Ok([full_template(links, org, organization)?, simple_template(links, org)?])
    })?;
    let [template, simple] = &*templates;
    let item = Item { team, counts, parent: parent.as_deref().map(|parent| (simple, parent)) };
    Ok(Record::written(full_record(template, &item)).modified(team.updated_at))
}

fn full_record(template: &Template<Fill>, item: &Item<'_>) -> Vec<u8> {
    let mut json = Vec::with_capacity(3 * EXPECTED);
    template.write(&mut json, |fill, json| fill(item, json));
    json
}

/// The key of a template.
fn key(links: &Links, kind: u8, org: i64) -> Vec<u8> {
    let mut key = Vec::with_capacity(128);
    key.push(kind);
    key.extend_from_slice(&org.to_be_bytes());
    links.push_key(&mut key);
    key
}

/// The template of a team's short record, without its parent.
fn simple_template(links: &Links, (org, login): (i64, &str)) -> Result<Template<Fill>> {
    Ok(Template::cut(&json(&TeamSimple::new(links, login, sample(org)))?, &marks()))
}

fn full_template(links: &Links, (org, login): (i64, &str), of: OrganizationDetailed) -> Result<Template<Fill>> {
    // Text that users have written in their organization may look like a mark.
    let theirs = json(&of)?;
    let details = TeamDetails {
        created_at: CREATED,
        updated_at: UPDATED,
        members_count: MEMBERS,
        repos_count: REPOS,
        organization: of,
    };
    let team = json(&TeamFull { team: TeamSimple::new(links, login, sample(org)), details, parent: None })?;
    Ok(Template::cut_around(&team, &theirs, &marks()))
}

fn json(sample: &impl serde::Serialize) -> Result<String> {
    serde_json::to_string(sample).map_err(|e| Error::Bug(e.to_string()))
}

/// The values that fill a template. Only a full record shows the counts and the parent.
struct Item<'a> {
    team: &'a TeamRow,
    counts: TeamCounts,
    parent: Option<(&'a Template<Fill>, &'a TeamRow)>,
}

/// Writes what differs between two teams of an organization.
type Fill = fn(&Item<'_>, &mut Vec<u8>);

impl<'a> Item<'a> {
    fn short(team: &'a TeamRow) -> Self {
        Self { team, counts: TeamCounts { members: 0, repos: 0 }, parent: None }
    }
}

/// Names that no team can have, and numbers and times that none will have.
const NAME: &str = "\u{E000}";
const SLUG: &str = "\u{E001}";
const PRIVACY: &str = "\u{E002}";
const NOTIFICATIONS: &str = "\u{E003}";
const PERMISSION: &str = "\u{E004}";
const ID: i64 = 7_777_777_777_777_777_777;
const MEMBERS: i64 = 7_777_777_777_777_777_776;
const REPOS: i64 = 7_777_777_777_777_777_775;
const CREATED: Time = Time(1_000_000);
const UPDATED: Time = Time(2_000_000);

fn sample(org_id: i64) -> TeamRow {
    TeamRow {
        id: ID,
        org_id,
        name: NAME.to_owned(),
        slug: SLUG.to_owned(),
        description: None,
        privacy: PRIVACY,
        notification_setting: NOTIFICATIONS,
        permission: PERMISSION,
        parent_id: None,
        created_at: CREATED,
        updated_at: UPDATED,
        reviews: ReviewDelegation::default(),
    }
}

fn marks() -> [(String, Fill); 13] {
    [
        (format!("\"{NAME}\""), |item, json| push_text(&item.team.name, json)),
        (ID.to_string(), |item, json| number(item.team.id, json)),
        (node_id("Team", ID), |item, json| push_node_id(json, "Team", itoa::Buffer::new().format(item.team.id))),
        // Slugs and choices contain nothing that must be escaped in JSON or in a URL.
        (SLUG.to_owned(), |item, json| json.extend_from_slice(item.team.slug.as_bytes())),
        (PRIVACY.to_owned(), |item, json| json.extend_from_slice(item.team.privacy.as_bytes())),
        (NOTIFICATIONS.to_owned(), |item, json| json.extend_from_slice(item.team.notification_setting.as_bytes())),
        (PERMISSION.to_owned(), |item, json| json.extend_from_slice(item.team.permission.as_bytes())),
        ("\"description\":null".to_owned(), |item, json| {
            json.extend_from_slice(b"\"description\":");
            match &item.team.description {
                Some(words) => push_text(words, json),
                None => json.extend_from_slice(b"null"),
            }
        }),
        ("\"parent\":null".to_owned(), |item, json| {
            json.extend_from_slice(b"\"parent\":");
            match item.parent {
                Some((template, parent)) => template.write(json, |fill, json| fill(&Item::short(parent), json)),
                None => json.extend_from_slice(b"null"),
            }
        }),
        (MEMBERS.to_string(), |item, json| number(item.counts.members, json)),
        (REPOS.to_string(), |item, json| number(item.counts.repos, json)),
        (CREATED.to_string(), |item, json| json.extend_from_slice(&item.team.created_at.text())),
        (UPDATED.to_string(), |item, json| json.extend_from_slice(&item.team.updated_at.text())),
    ]
}

fn number(number: i64, json: &mut Vec<u8>) {
    json.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::orgs::record::Profile;

    fn links() -> Links {
        Links { origin: "http://h:1".into(), api: "http://h:1/api/v3".into() }
    }

    fn short(team: &TeamRow) -> TeamSimple {
        TeamSimple::new(&links(), "Acme", team.clone())
    }

    /// Two teams, the first the parent of the second, with names that look like marks.
    fn teams() -> [TeamRow; 2] {
        let team = |id, name: &str, description: Option<&str>, parent_id| TeamRow {
            id,
            name: name.into(),
            slug: format!("slug-{id}"),
            description: description.map(str::to_owned),
            privacy: "closed",
            notification_setting: "notifications_enabled",
            permission: "push",
            parent_id,
            created_at: Time(1_600_000_000_000_000),
            updated_at: Time(-1),
            ..sample(3)
        };
        [team(1, "A \"b\" \\ é", None, None), team(2, "Two\n", Some("\"d\" <7777777777777777777>"), Some(1))]
    }

    #[test]
    fn a_list_is_its_records() {
        let teams = teams();
        let record = |team: &TeamRow| TeamShort { team: short(team), parent: team.parent_id.map(|_| short(&teams[0])) };
        let expected = serde_json::to_string(&teams.iter().map(record).collect::<Vec<_>>()).unwrap();
        let template = simple_template(&links(), (3, "Acme")).unwrap();
        let fragments = Fragments::default();
        let [url, other] = [&b"url"[..], b"other"].map(|key| fragments.url(key, 1).unwrap());
        fragments.insert(url, &teams.each_ref().map(|team| fragment(team, &template)));
        assert_eq!((fragments.missing(url, &[1, 2, 3]), fragments.list(url, &[1, 2, 3])), (vec![3], None));
        assert_eq!((fragments.missing(other, &[2, 1]), fragments.missing_parents(url, &[1, 2])), (vec![1, 2], vec![]));
        assert_eq!(String::from_utf8(fragments.list(url, &[1, 2]).unwrap()).unwrap(), expected);
    }

    #[test]
    fn a_full_record_is_its_record() {
        let profile = Profile {
            id: 3,
            login: "Acme".into(),
            name: Some(NAME.into()),
            description: None,
            company: Some(format!("{SLUG} {ID} {CREATED}")),
            blog: None,
            location: None,
            email: None,
            twitter_username: None,
            has_organization_projects: true,
            has_repository_projects: false,
            public_repos: MEMBERS,
            created_at: CREATED,
            updated_at: UPDATED,
        };
        let organization = || OrganizationDetailed::new(&links(), profile.clone());
        let template = full_template(&links(), (3, "Acme"), organization()).unwrap();
        let simple = simple_template(&links(), (3, "Acme")).unwrap();
        let [parent, child] = teams();
        for (team, above) in [(&parent, None), (&child, Some(&parent))] {
            let (created_at, updated_at) = (team.created_at, team.updated_at);
            let details =
                TeamDetails { created_at, updated_at, members_count: 0, repos_count: 41, organization: organization() };
            let record = TeamFull { team: short(team), details, parent: above.map(short) };
            let counts = TeamCounts { members: 0, repos: 41 };
            let written = full_record(&template, &Item { team, counts, parent: above.map(|above| (&simple, above)) });
            assert_eq!(String::from_utf8(written).unwrap(), serde_json::to_string(&record).unwrap());
        }
    }
}
