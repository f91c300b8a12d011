//! Every sample organization, imported and then read through the interface by an owner: teams, nesting, privacy,
//! descriptions, direct members and their roles, pending people and former names are what the file says. The file is
//! read here in its flat form, by other code than the import's.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use guildhall::clock::Time;
use guildhall::import::{self, Choices, Unlisted};
use guildhall::limits::creation::CreationLimit;
use guildhall::limits::requests::Limiter;
use guildhall::memory::Organizations;
use guildhall::operation::{Compat, Mails, Site};
use guildhall::plan;
use guildhall::teams::slug;

use crate::support::world::Settings;
use crate::support::{Answer, Client, Value, World, json, samples};

const CHOICES: Choices = Choices { unlisted: Unlisted::Invite, mail: false, owners: false };

/// A world with all samples in it.
fn world() -> World {
    let world = World::empty(Settings::default());
    let site = Arc::new(Site {
        compat: Compat::default(),
        invitation_seconds: 7 * 86_400,
        token_prefix: "ghp_".into(),
        audit_key: [7; 32],
        etag_key: [7; 192],
        seal_key: [8; 32],
        mail_key: [9; 32],
        signin_by_mail: true,
        signup_domains: Some(Vec::new()),
        mails: Mails::AreFiles,
        everyone_creates_organizations: false,
        applications_need_approval: true,
        provider: None,
        insecure_ssl: false,
        retry_seconds: 3 * 86_400,
        organizations: Organizations::default(),
        limiters: None,
        creation_limit: CreationLimit { per_minute: 80, per_hour: 500 },
        guesses: Limiter::of_persons(20),
    });
    let folder = tempfile::tempdir().expect("a folder");
    let own = folder.path().join("org.yaml");
    std::fs::write(&own, OWN).expect("to write");
    let mut files = samples::peribolos();
    files.push(own);
    let now = Time(1_767_225_600_000_000);
    let orgs = import::read_files(&files, None, |_| {}).complete().expect("the samples can be read");
    world.block_on(plan::import::run(&world.db, &site, now, orgs, CHOICES, |_| {})).expect("the samples are imported");
    world
}

/// The things that the committed samples lack: former names, one of them of a living team, and people who are invited.
const OWN: &str = "
orgs:
  former-names:
    admins: [flora]
    members: [Gregor]
    teams:
      Kernel:
        privacy: closed
        previously: [Core, Heart of It, Drivers]
        maintainers: [Gregor]
        members: [heidi]
        teams:
          Drivers: {previously: [Hardware], members: [flora, heidi, Ivan]}
";

/// The same in the flat form.
fn own() -> Value {
    json!({
        "org": { "login": "former-names" },
        "org_members": [["flora", "admin"], ["Gregor", "member"]],
        "teams": [
            { "key": 1, "name": "Kernel", "parent": null, "description": null, "privacy": "closed",
              "previously": ["Core", "Heart of It", "Drivers"] },
            { "key": 2, "name": "Drivers", "parent": 1, "description": null, "privacy": null,
              "previously": ["Hardware"] },
        ],
        "team_members": [
            [1, "Gregor", "maintainer"], [1, "heidi", "member"],
            [2, "flora", "member"], [2, "heidi", "member"], [2, "Ivan", "member"],
        ],
    })
}

/// Every organization that was imported, in its flat form.
fn flat() -> Vec<Value> {
    let files = std::fs::read_dir(samples::folder().join("neutral")).expect("the folder of samples has neutral/");
    let read = |file: std::path::PathBuf| serde_json::from_slice(&std::fs::read(file).expect("a file")).expect("JSON");
    let mut orgs: Vec<Value> = files.map(|entry| read(entry.expect("an entry").path())).collect();
    let name = |file: &std::path::PathBuf| text(&json!(file.parent().and_then(|folder| folder.file_name()?.to_str())));
    let imported: BTreeSet<String> = samples::peribolos().iter().map(name).collect();
    assert_eq!(orgs.iter().map(|org| text(&org["org"]["login"])).collect::<BTreeSet<_>>(), imported);
    orgs.push(own());
    orgs
}

fn rows<'v>(org: &'v Value, table: &str) -> &'v [Value] {
    org[table].as_array().expect("a table")
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn key(value: &Value) -> String {
    text(value).to_lowercase()
}

/// The fields of a team that are compared: parent, privacy, description.
type Facts = (Option<String>, String, String);

fn wanted_teams(org: &Value) -> BTreeMap<String, Facts> {
    let teams = rows(org, "teams");
    let names: HashMap<u64, String> =
        teams.iter().map(|team| (team["key"].as_u64().expect("a key"), text(&team["name"]))).collect();
    let nested = |team: &Value| {
        let is_parent = teams.iter().any(|other| other["parent"] == team["key"]);
        is_parent || !team["parent"].is_null()
    };
    let facts = |team: &Value| {
        let unstated = if nested(team) { "closed" } else { "secret" };
        let privacy = team["privacy"].as_str().unwrap_or(unstated).to_owned();
        let parent = team["parent"].as_u64().map(|key| names[&key].clone());
        (text(&team["name"]), (parent, privacy, text(&team["description"])))
    };
    teams.iter().map(facts).collect()
}

/// The role of each person in each team: owners are maintainers, people of no organization are pending.
fn wanted_members(org: &Value) -> BTreeMap<u64, BTreeSet<(String, String)>> {
    let roles: HashMap<String, String> =
        rows(org, "org_members").iter().map(|row| (key(&row[0]), text(&row[1]))).collect();
    let mut members: BTreeMap<u64, BTreeSet<(String, String)>> = BTreeMap::new();
    for row in rows(org, "team_members") {
        let login = key(&row[1]);
        let role = match roles.get(&login).map(String::as_str) {
            Some("admin") => "maintainer".to_owned(),
            Some(_) => text(&row[2]),
            None => "pending".to_owned(),
        };
        members.entry(row[0].as_u64().expect("a key")).or_default().insert((login, role));
    }
    members
}

fn owner_of(world: &World, org: &Value) -> Client {
    let owner = rows(org, "org_members").iter().find(|row| row[1] == "admin").expect("an owner");
    world.client(&text(&owner[0]))
}

#[test]
fn every_team_is_listed_as_the_file_says() {
    let world = world();
    for org in flat() {
        let login = text(&org["org"]["login"]);
        let listed = owner_of(&world, &org).all(&format!("/orgs/{login}/teams?per_page=100"));
        let wanted = wanted_teams(&org);
        assert_eq!(listed.len(), wanted.len(), "{login}");
        if login == "kubernetes" {
            assert_eq!(listed.len(), 284);
        }
        let facts = |team: &Value| {
            let parent = team["parent"]["name"].as_str().map(str::to_owned);
            (text(&team["name"]), (parent, text(&team["privacy"]), text(&team["description"])))
        };
        assert_eq!(listed.iter().map(facts).collect::<BTreeMap<_, _>>(), wanted, "{login}");
    }
}

#[test]
fn every_direct_membership_is_listed_as_the_file_says() {
    let world = world();
    for org in flat() {
        let login = text(&org["org"]["login"]);
        let owner = owner_of(&world, &org);
        let members = wanted_members(&org);
        for team in rows(&org, "teams") {
            let path = format!("/orgs/{login}/teams/{}", slug::from_name(&text(&team["name"])).expect("a slug"));
            let mut listed = BTreeSet::new();
            let is_pending = |membership: &Answer| assert_eq!(membership.expect(200)["state"], json!("pending"));
            for role in ["member", "maintainer"] {
                let people = owner.all(&format!("{path}/members?membership=immediate&role={role}&per_page=100"));
                listed.extend(people.iter().map(|person| (key(&person["login"]), role.to_owned())));
            }
            let wanted = members.get(&team["key"].as_u64().expect("a key")).cloned().unwrap_or_default();
            let invited = owner.all(&format!("{path}/invitations?per_page=100"));
            for person in invited.iter().map(|invitation| key(&invitation["login"])) {
                is_pending(&owner.get(&format!("{path}/memberships/{person}")));
                listed.insert((person, "pending".to_owned()));
            }
            assert_eq!(listed, wanted, "{path}");
        }
    }
}

#[test]
fn every_former_name_leads_to_its_team() {
    let (world, mut tried) = (world(), 0);
    for org in flat() {
        let login = text(&org["org"]["login"]);
        let owner = owner_of(&world, &org);
        let taken: BTreeSet<String> =
            rows(&org, "teams").iter().filter_map(|team| slug::from_name(&text(&team["name"]))).collect();
        for team in rows(&org, "teams") {
            for former in team["previously"].as_array().into_iter().flatten().map(text) {
                let former = slug::from_name(&former).expect("a slug");
                let led = owner.get(&format!("/orgs/{login}/teams/{former}"));
                if taken.contains(&former) {
                    led.expect(200); // A living team's slug beats a former name.
                    continue;
                }
                led.expect(302);
                tried += 1;
                let there = owner.get(led.header("location").expect("an address"));
                assert_eq!(there.expect(200)["name"], team["name"], "{login}: {former}");
            }
        }
    }
    assert!(tried >= 3, "the former names of the own organization are tried");
}
