//! Reading files for `guildhall import`: the real organizations in both forms, and what each part of a file means
//! (decisions 9, 11, 22, 50). Files that are refused have tests of their own in `faults.rs`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::slice;

use guildhall::import::desired::{Org, Role, Team};
use guildhall::import::fault::Faults;
use guildhall::import::read_files;
use guildhall::repos::level::Level;
use guildhall::rows::Privacy;
use serde_json::Value;

use crate::support::samples;

/// The organizations of the samples, each read from its YAML and from its flat form.
fn both_forms() -> Vec<(PathBuf, Org, Org)> {
    let folder = std::fs::read_dir(samples::folder().join("neutral")).unwrap();
    let pairs: Vec<_> = folder
        .map(|entry| {
            let flat = entry.unwrap().path();
            let name = flat.file_stem().unwrap();
            let yaml = samples::folder().join("peribolos").join(name).join("org.yaml");
            let read = |path: &PathBuf| only(read_files(slice::from_ref(path), None, |_| {}).complete().unwrap());
            let (one, other) = (read(&yaml), read(&flat));
            (flat, one, other)
        })
        .collect();
    assert!(pairs.len() >= 3, "samples are missing");
    pairs
}

fn only(mut orgs: Vec<Org>) -> Org {
    assert_eq!(orgs.len(), 1);
    orgs.remove(0)
}

fn read_bytes(bytes: &[u8]) -> Result<Vec<Org>, Faults> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("org.yaml");
    std::fs::write(&file, bytes).unwrap();
    read_files(&[file], None, |_| {}).complete()
}

/// The organization `acme` from these lines below its login.
fn acme(lines: &str) -> Org {
    let indented = lines.replace('\n', "\n    ");
    only(read_bytes(format!("orgs:\n  acme:\n    {indented}\n").as_bytes()).unwrap())
}

type Rows = BTreeSet<Vec<String>>;

fn row(cells: &[&str]) -> Vec<String> {
    cells.iter().map(|cell| (*cell).to_owned()).collect()
}

/// People, memberships and grants as the rows that the flat form has, with team names for keys.
fn rows(org: &Org) -> [Rows; 3] {
    let level = |level| match level {
        Level::Pull => "pull",
        Level::Triage => "triage",
        Level::Push => "push",
        Level::Maintain => "maintain",
        Level::Admin => "admin",
    };
    let [mut people, mut members, mut grants] = [Rows::new(), Rows::new(), Rows::new()];
    for person in &org.people {
        let role = if person.role == Role::Admin { "admin" } else { "member" };
        people.insert(row(&[&person.login, role]));
    }
    for team in &org.teams {
        for member in &team.members {
            let role = if member.maintainer { "maintainer" } else { "member" };
            members.insert(row(&[&team.name, &member.login, role]));
        }
        for grant in team.grants.iter().filter(|grant| grant.level.is_some()) {
            grants.insert(row(&[&team.name, &grant.repo, grant.level.map_or("", level)]));
        }
    }
    [people, members, grants]
}

/// A table of a flat file, read by another parser, with team names for keys.
fn table(flat: &Value, name: &str, teams: &BTreeMap<u64, &str>) -> Rows {
    let cell = |cell: &Value| match cell.as_u64() {
        Some(key) => teams[&key].to_owned(),
        None => cell.as_str().unwrap().to_owned(),
    };
    let rows = flat[name].as_array().unwrap().iter();
    rows.map(|row| row.as_array().unwrap().iter().map(cell).collect()).collect()
}

fn parent<'o>(org: &'o Org, team: &Team) -> Option<&'o str> {
    team.parent.map(|index| org.teams[index].name.as_str())
}

#[test]
fn every_sample_has_the_people_teams_and_grants_that_stand_in_its_tables() {
    for (path, org, _) in both_forms() {
        let flat: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
        let teams = flat["teams"].as_array().unwrap();
        let names: BTreeMap<u64, &str> =
            teams.iter().map(|team| (team["key"].as_u64().unwrap(), team["name"].as_str().unwrap())).collect();
        let tables = ["org_members", "team_members", "team_repos"];
        assert_eq!(rows(&org), tables.map(|name| table(&flat, name, &names)), "{}", org.file);
        assert_eq!(org.teams.len(), teams.len(), "{}", org.file);
        for (team, row) in org.teams.iter().zip(teams) {
            let privacy = team.privacy.map(|p| if p == Privacy::Secret { "secret" } else { "closed" });
            let parent_key = row["parent"].as_u64();
            assert_eq!(Some(team.name.as_str()), row["name"].as_str());
            assert_eq!(team.description.as_deref(), row["description"].as_str());
            assert_eq!(parent(&org, team), parent_key.map(|key| names[&key]));
            assert_eq!(privacy, row["privacy"].as_str());
            assert_eq!(Value::from(team.former_names.clone()), row["previously"]);
        }
    }
}

#[test]
fn every_sample_is_the_same_organization_in_both_forms() {
    let profile = |org: &Org| {
        let texts = [Some(org.login.clone()), org.name.clone(), org.description.clone(), org.location.clone()];
        let projects = [org.has_organization_projects, org.has_repository_projects];
        (texts, projects, org.creation, org.default_repository_permission)
    };
    let repos = |org: &Org| -> BTreeSet<_> {
        let texts =
            |r: &guildhall::import::desired::Repo| (r.name.clone(), r.description.clone(), r.default_branch.clone());
        org.repos.iter().map(|r| (texts(r), r.private, r.archived, r.declared)).collect()
    };
    let collaborators = |org: &Org| -> BTreeSet<_> {
        org.collaborators.iter().map(|c| (c.repo.clone(), c.login.clone(), c.level)).collect()
    };
    for (path, one, other) in both_forms() {
        assert_eq!(profile(&one), profile(&other), "{}", path.display());
        assert_eq!(rows(&one), rows(&other), "{}", path.display());
        assert_eq!(repos(&one), repos(&other), "{}", path.display());
        assert_eq!(collaborators(&one), collaborators(&other), "{}", path.display());
    }
}

#[test]
fn profile_and_settings_are_read_as_written() {
    let org = acme(
        "name: '  Acme  '\nlocation: ''\nbilling_email: ''\ndefault_repository_permission: none\n\
         members_can_create_public_repositories: true\nhas_repository_projects: false\nadmins: [Olivia, 007]\nmembers: [off]\n\
         repos: {web: {private: true, has_wiki: true, collaborators: {ray: triage}}, old: ~}\n",
    );
    assert_eq!((org.login.as_str(), org.name.as_deref(), org.location), ("acme", Some("Acme"), None));
    assert_eq!((org.default_repository_permission, org.has_repository_projects), (Some("none"), Some(false)));
    assert_eq!((org.creation.any, org.creation.public), (None, Some(true)));
    let people: Vec<_> = org.people.iter().map(|p| (p.login.as_str(), p.role, p.line)).collect();
    assert_eq!(people, [("Olivia", Role::Admin, 9), ("007", Role::Admin, 9), ("off", Role::Member, 10)]);
    let repos: Vec<_> = org.repos.iter().map(|r| (r.name.as_str(), r.private, r.declared)).collect();
    assert_eq!(repos, [("web", Some(true), true), ("old", None, true)]);
    let collaborator = &org.collaborators[0];
    assert_eq!((collaborator.repo.as_str(), collaborator.login.as_str()), ("web", "ray"));
    assert_eq!(collaborator.level, Level::Triage);
}

#[test]
fn a_team_is_trimmed_and_keeps_its_place_and_each_former_name_once() {
    let org = acme("teams:\n  ' Core ': {description: 2024, previously: [A, B, A], privacy: }\n");
    let team = &org.teams[0];
    assert_eq!((team.name.as_str(), team.description.as_deref(), team.privacy), ("Core", Some("2024"), None));
    assert_eq!(team.former_names, ["A", "B"]);
    assert_eq!((team.line, team.key.as_str()), (4, "orgs.acme.teams. Core "));
}

#[test]
fn nested_teams_stand_after_their_parents() {
    let org = acme("teams: {A: {teams: {B: {teams: {C: }}, D: }}, E: {privacy: closed}}");
    let teams: Vec<_> = org.teams.iter().map(|t| (t.name.as_str(), parent(&org, t))).collect();
    assert_eq!(teams, [("A", None), ("B", Some("A")), ("C", Some("B")), ("D", Some("A")), ("E", None)]);
}

#[test]
fn one_login_in_two_spellings_is_one_person() {
    let org = acme(
        "admins: [Olivia, olivia]\nteams: {T: {maintainers: [MAX, Max], members: [Tom, tom]}, U: {members: [max]}}",
    );
    assert_eq!(org.people.len(), 1);
    let members: Vec<_> = org.teams[0].members.iter().map(|m| (m.login.as_str(), m.maintainer)).collect();
    assert_eq!(members, [("MAX", true), ("Tom", false)]);
    assert!(!org.teams[1].members[0].maintainer);
    let flat = r#"{"format": "team-org/1", "org": {"login": "acme"}, "teams": [{"key": 9, "name": "T"}],
                   "team_members": [[9, "max", "maintainer"], [9, "Max", "maintainer"]]}"#;
    let team = only(read_bytes(flat.as_bytes()).unwrap()).teams.remove(0);
    assert_eq!((team.members.len(), team.members[0].maintainer), (1, true));
}

#[test]
fn a_granted_repository_that_is_not_declared_is_added() {
    let org = acme("repos: {Web: {}}\nteams: {T: {repos: {web: write, api: none}}, U: {repos: {API: read}}}");
    let repos: Vec<_> = org.repos.iter().map(|r| (r.name.as_str(), r.declared, r.line)).collect();
    assert_eq!(repos, [("Web", true, 3), ("api", false, 4)]);
    let grants: Vec<_> = org.teams.iter().flat_map(|t| &t.grants).map(|g| (g.repo.as_str(), g.level)).collect();
    assert_eq!(grants, [("Web", Some(Level::Push)), ("api", None), ("api", Some(Level::Pull))]);
}

#[test]
fn one_file_may_hold_several_organizations() {
    let orgs = read_bytes(b"orgs:\n  one: {admins: [a]}\n  two:\n").unwrap();
    let seen: Vec<_> = orgs.iter().map(|o| (o.login.as_str(), o.line, o.key.as_str())).collect();
    assert_eq!(seen, [("one", 2, "orgs.one"), ("two", 3, "orgs.two")]);
    let later = orgs[1].fault(3, &orgs[1].key, "has no owner").to_string();
    assert!(later.ends_with("org.yaml:3: orgs.two: has no owner"), "{later}");
}

#[test]
fn peribolos_may_be_written_as_json_with_tabs_escapes_and_a_byte_order_mark() {
    let text = "\u{feff}{\n\t\"orgs\": {\r\n\t\t\"acme\": {\"teams\": {\"\\ud83d\\ude00\\/\": {\"members\": []}}}}}";
    let org = only(read_bytes(text.as_bytes()).unwrap());
    assert_eq!((org.teams[0].name.as_str(), org.teams[0].line), ("😀/", 3));
}

#[test]
fn anchors_and_aliases_stand_for_their_values() {
    let org = acme("admins: &who [a, b]\nteams:\n  T: &t {members: *who}\n  U: *t\n");
    let teams: Vec<_> = org.teams.iter().map(|t| (t.members.len(), t.line)).collect();
    assert_eq!(teams, [(2, 5), (2, 6)]);
}

#[test]
fn decision_50_a_merge_key_adds_what_is_not_written_out() {
    let org = acme(
        "teams:\n  A: &a {members: [max], description: a, privacy: closed}\n  B: &b {maintainers: [tom], description: b}\n\
         \x20 C: {<<: *a, description: c}\n  D:\n    description: d\n    <<: [*b, *a]\n  '<<': {<<: {privacy: secret}}",
    );
    let teams: Vec<_> = org.teams.iter().map(|t| (t.name.as_str(), t.description.as_deref(), t.privacy)).collect();
    let (closed, secret) = (Some(Privacy::Closed), Some(Privacy::Secret));
    assert_eq!(teams[2..], [("C", Some("c"), closed), ("D", Some("d"), closed), ("<<", None, secret)]);
    let members = |team: usize| -> Vec<&str> { org.teams[team].members.iter().map(|m| m.login.as_str()).collect() };
    assert_eq!((members(2), members(3)), (vec!["max"], vec!["tom", "max"]));
    let nested = acme("teams:\n  A: &a {<<: &base {privacy: closed}, description: a}\n  B: {<<: *a}");
    assert_eq!((nested.teams[1].privacy, nested.teams[1].description.as_deref()), (closed, Some("a")));
}
