//! The text of teams, which are asked for more than anything else: written by templates (decision record 0004).
//!
//! A template holds for an organization, as its record is now, and for the address by which a request came. Teams with
//! long descriptions are written as records: only those keep long texts apart until they are sent.

use super::lookup;
use super::record::{self, TeamDetails, TeamFull, TeamShort, TeamSimple};
use super::shelf::{Base, Shelf};
use super::team::{Brief, Stored, Team};
use crate::clock::Time;
use crate::db::{ByIds, Kept};
use crate::derived::{Counts, TEAMS, stored_columns};
use crate::error::{Error, Result};
use crate::links::{Links, node_id, push_node_id};
use crate::operation::json::is_long;
use crate::operation::template::Template;
use crate::operation::{Cx, Json, WrittenRecord};
use crate::orgs::record::{OrganizationDetailed, profile};

/// What differs between two teams of an organization.
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
    Members,
    Repos,
    Created,
    Updated,
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

/// About how long a record is in a list, in bytes.
const EXPECTED: usize = 1_000;

/// The template of a team in short, without its parent.
struct Simple(Template<Slot>);

impl Kept for Simple {
    fn weight(&self) -> usize {
        self.0.weight()
    }
}

/// The list of these teams of an organization as JSON, each with its parent.
pub fn list(cx: &mut Cx, org: (i64, &str), version: i64, ids: &[i64]) -> Result<Json> {
    let shelf = cx.tx.recall(&[], |_| Ok(Shelf::default()))?;
    let mut begins = Vec::with_capacity(128);
    cx.links.push_key(&mut begins);
    let (at, base) = ((org, version), shelf.lock().base(&begins));
    if !supply(cx, at, (&shelf, base), ids)? {
        return records(cx, at, ids);
    }
    let parents = shelf.lock().parents(base, ids);
    if !supply(cx, at, (&shelf, base), &parents)? {
        return records(cx, at, ids);
    }
    let texts = shelf.lock();
    Ok(texts.list(base, ids).into())
}

/// The same list, record by record.
fn records(cx: &mut Cx, (org, version): ((i64, &str), i64), ids: &[i64]) -> Result<Json> {
    let links = cx.links;
    let mut read = |ids: &[i64]| cx.site.derived.rows(cx.tx, (org.0, version), ids, &READ, TEAMS);
    let teams = read(ids)?;
    let mut above: Vec<i64> = teams.iter().filter_map(|team| team.brief.parent_id).collect();
    above.sort_unstable();
    above.dedup();
    let parents = read(&above)?;
    let simple = |team: &Stored| TeamSimple::new(links, org.1, team.brief.clone());
    let parent = |id: i64| parents.iter().find(|parent| parent.brief.id == id).map(|parent| simple(parent));
    let records =
        teams.into_iter().map(|team| TeamShort { team: simple(&team), parent: team.brief.parent_id.and_then(parent) });
    Json::list(records, EXPECTED * ids.len())
}

/// Writes the texts of those teams that have none yet; false if one of them has a long description.
fn supply(cx: &mut Cx, at: ((i64, &str), i64), (shelf, base): (&Shelf, Base), ids: &[i64]) -> Result<bool> {
    let missing = shelf.lock().missing(base, ids);
    if missing.is_empty() {
        return Ok(true);
    }
    let (org, version) = at;
    let links = cx.links;
    let teams = cx.site.derived.rows(cx.tx, (org.0, version), &missing, &READ, TEAMS)?;
    if teams.iter().any(|team| is_long(team.brief.description.as_deref())) {
        return Ok(false);
    }
    let template = cx.tx.recall(&key(links, org.0), |_| simple(links, org))?;
    let mut texts = shelf.lock();
    for team in teams {
        texts.add(base, &team.brief, |json| template.write(&team.brief, json));
    }
    Ok(true)
}

/// Teams by identifier.
pub(super) static READ: ByIds =
    ByIds::new(concat!("SELECT ", stored_columns!(), " FROM teams t WHERE t.id IN ({ids})"));

fn simple(links: &Links, (org, login): (i64, &str)) -> Result<Simple> {
    Ok(Simple(Template::cut(&json(&TeamSimple::new(links, login, sample(org)))?, &marks())))
}

impl Simple {
    fn write(&self, team: &Brief, json: &mut Vec<u8>) {
        let mut digits = itoa::Buffer::new();
        let team = Item::of(team, &mut digits);
        self.0.write(json, |slot, json| team.fill(slot, json));
    }
}

/// The templates of a full record: the team, and its parent.
struct Full {
    team: Template<Slot>,
    parent: Template<Slot>,
}

impl Kept for Full {
    fn weight(&self) -> usize {
        self.team.weight() + self.parent.weight()
    }
}

/// The full record of a team as JSON.
pub fn full(cx: &mut Cx, team: &Team) -> Result<WrittenRecord<TeamFull>> {
    let (links, org) = (cx.links, team.brief.org_id);
    let (counts, parent) = lookup::beside(cx, &team.brief)?;
    let is_long = |team: &Stored| is_long(team.brief.description.as_deref());
    if is_long(team) || parent.as_deref().is_some_and(is_long) {
        return Ok(WrittenRecord::new(Json::of(&record::full(cx, team)?, 3 * EXPECTED)?, team.updated_at));
    }
    let text = cx.tx.recall(&key(links, org), |tx| {
        let organization = OrganizationDetailed::new(links, profile(tx, org)?);
        full_of(links, (org, &team.home.login), organization)
    })?;
    let body = full_record(&text, team, counts, parent.as_deref().map(|parent| &parent.brief));
    Ok(WrittenRecord::new(body, team.updated_at))
}

fn full_of(links: &Links, (org, login): (i64, &str), organization: OrganizationDetailed) -> Result<Full> {
    let simple = || TeamSimple::new(links, login, sample(org));
    // What people have written of their organization may look like a mark.
    let theirs = json(&organization)?;
    let details = TeamDetails {
        created_at: CREATED,
        updated_at: UPDATED,
        members_count: MEMBERS,
        repos_count: REPOS,
        organization,
    };
    let team = json(&TeamFull { team: simple(), details, parent: None })?;
    let team = Template::cut_around(&team, &theirs, &marks());
    Ok(Full { team, parent: Template::cut(&json(&simple())?, &marks()) })
}

fn full_record(text: &Full, team: &Stored, counts: Counts, parent: Option<&Brief>) -> Vec<u8> {
    let mut json = Vec::with_capacity(3 * EXPECTED);
    let mut digits = itoa::Buffer::new();
    let item = Item::of(&team.brief, &mut digits);
    text.team.write(&mut json, |slot, json| match (slot, parent) {
        (Slot::Parent, Some(parent)) => write_parent(&text.parent, parent, json),
        (Slot::Members, _) => number(counts.members, json),
        (Slot::Repos, _) => number(counts.repos, json),
        (Slot::Created, _) => json.extend_from_slice(&team.created_at.text()),
        (Slot::Updated, _) => json.extend_from_slice(&team.updated_at.text()),
        _ => item.fill(slot, json),
    });
    json
}

/// What a text is kept by: the organization or the team, and how addresses begin.
fn key(links: &Links, id: i64) -> Vec<u8> {
    let mut key = Vec::with_capacity(128);
    key.extend_from_slice(&id.to_be_bytes());
    links.push_key(&mut key);
    key
}

fn json(sample: &impl serde::Serialize) -> Result<String> {
    serde_json::to_string(sample).map_err(|e| Error::Bug(e.to_string()))
}

fn sample(org_id: i64) -> Brief {
    Brief {
        id: ID,
        org_id,
        name: NAME.to_owned(),
        slug: SLUG.to_owned(),
        description: None,
        privacy: PRIVACY,
        notification_setting: NOTIFICATIONS,
        permission: PERMISSION,
        parent_id: None,
    }
}

fn marks() -> Vec<(String, Slot)> {
    vec![
        (format!("\"{NAME}\""), Slot::Name),
        (ID.to_string(), Slot::Id),
        (node_id("Team", ID), Slot::NodeId),
        (SLUG.to_owned(), Slot::Slug),
        ("\"description\":null".to_owned(), Slot::Description),
        (PRIVACY.to_owned(), Slot::Privacy),
        (NOTIFICATIONS.to_owned(), Slot::Notifications),
        (PERMISSION.to_owned(), Slot::Permission),
        ("\"parent\":null".to_owned(), Slot::Parent),
        (MEMBERS.to_string(), Slot::Members),
        (REPOS.to_string(), Slot::Repos),
        (CREATED.to_string(), Slot::Created),
        (UPDATED.to_string(), Slot::Updated),
    ]
}

fn write_parent(text: &Template<Slot>, parent: &Brief, json: &mut Vec<u8>) {
    json.extend_from_slice(b"\"parent\":");
    let mut digits = itoa::Buffer::new();
    let parent = Item::of(parent, &mut digits);
    text.write(json, |slot, json| parent.fill(slot, json));
}

fn number(number: i64, json: &mut Vec<u8>) {
    json.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
}

/// A team whose text is written, and its identifier, which stands in a record many times.
struct Item<'a> {
    team: &'a Brief,
    id: &'a str,
}

impl<'a> Item<'a> {
    fn of(team: &'a Brief, digits: &'a mut itoa::Buffer) -> Self {
        Self { team, id: digits.format(team.id) }
    }

    /// What stands at a mark in every record of a team.
    fn fill(&self, slot: Slot, json: &mut Vec<u8>) {
        let team = self.team;
        match slot {
            Slot::Name => text(&team.name, json),
            Slot::Id => json.extend_from_slice(self.id.as_bytes()),
            Slot::NodeId => push_node_id(json, "Team", self.id),
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
            // Only a full record shows them, and writes them itself.
            Slot::Members | Slot::Repos | Slot::Created | Slot::Updated => {}
        }
    }
}

/// Free text, escaped. Most of it has nothing to escape, which is found out many bytes at a time.
fn text(words: &str, json: &mut Vec<u8>) {
    let escaped = words.bytes().filter(|byte| *byte < b' ' || *byte == b'"' || *byte == b'\\').count();
    if escaped == 0 {
        json.push(b'"');
        json.extend_from_slice(words.as_bytes());
        json.push(b'"');
        return;
    }
    if serde_json::to_writer(&mut *json, words).is_err() {
        // Text is always JSON, and memory always takes it.
        json.extend_from_slice(b"\"\"");
    }
}

#[cfg(test)]
mod tests {
    use super::super::record::TeamShort;
    use super::*;
    use crate::orgs::record::Profile;

    fn links() -> Links {
        Links { origin: "http://h:1".into(), api: "http://h:1/api/v3".into() }
    }

    /// Two teams, the first of them the parent of the second, with words that look like marks.
    fn briefs() -> [Brief; 2] {
        let team = |id, name: &str, description: Option<&str>, parent_id| Brief {
            id,
            name: name.into(),
            slug: format!("slug-{id}"),
            description: description.map(str::to_owned),
            privacy: "closed",
            notification_setting: "notifications_enabled",
            permission: "push",
            parent_id,
            ..sample(3)
        };
        [team(1, "A \"b\" \\ é", None, None), team(2, "Two\n", Some("\"d\" <7777777777777777777>"), Some(1))]
    }

    #[test]
    fn a_list_is_its_records() {
        let briefs = briefs();
        let simple = |brief: &Brief| TeamSimple::new(&links(), "Acme", brief.clone());
        let record =
            |brief: &Brief| TeamShort { team: simple(brief), parent: brief.parent_id.map(|_| simple(&briefs[0])) };
        let expected = serde_json::to_string(&briefs.iter().map(record).collect::<Vec<_>>()).unwrap();
        let template = super::simple(&links(), (3, "Acme")).unwrap();
        let shelf = Shelf::default();
        let base = shelf.lock().base(b"");
        for brief in &briefs {
            shelf.lock().add(base, brief, |json| template.write(brief, json));
        }
        assert_eq!(shelf.lock().parents(base, &[1, 2]), [1]);
        let written = shelf.lock().list(base, &[1, 2]);
        assert_eq!(String::from_utf8(written).unwrap(), expected);
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
        let text = full_of(&links(), (3, "Acme"), organization()).unwrap();
        let [parent, child] = briefs();
        for (brief, above) in [(parent.clone(), None), (child, Some(&parent))] {
            let simple = |brief: &Brief| TeamSimple::new(&links(), "Acme", brief.clone());
            let (created_at, updated_at) = (Time(1_600_000_000_000_000), Time(-1));
            let details =
                TeamDetails { created_at, updated_at, members_count: 0, repos_count: 41, organization: organization() };
            let record = TeamFull { team: simple(&brief), details, parent: above.map(simple) };
            let stored = Stored { brief, created_at, updated_at };
            let written = full_record(&text, &stored, Counts { members: 0, repos: 41 }, above);
            assert_eq!(String::from_utf8(written).unwrap(), serde_json::to_string(&record).unwrap());
        }
    }
}
