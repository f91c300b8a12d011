//! Whatever a text is, a file says it.

use guildhall::export::yaml;
use guildhall::import::desired::{Lists, Membership, Org, Person, Project, Repo, Role, Team};
use guildhall::import::fault::Faults;
use guildhall::import::read::read;
use guildhall::name::can_be_shown;
use guildhall::rows::Privacy;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use crate::exported::round_trip::round_trip;
use crate::support::store::Store;

/// Texts that a careless writer gets wrong.
const HOSTILE: &[&str] = &[
    "yes",
    "No",
    "~",
    "null",
    "1e3",
    "0x1f",
    "1_000",
    "12:30",
    "2024-01-01",
    "-",
    "- a",
    "? a",
    ": b",
    "a: b",
    "a:",
    "a #b",
    "#",
    "---",
    "...",
    "<<",
    "*a",
    "&a",
    "!a",
    "%a",
    "@a",
    "`a",
    "[a",
    "{a",
    "\"",
    "'",
    "''",
    "\\",
    "\\n",
    "|",
    ">",
    "=",
    " a",
    "a ",
    "\n",
    "a\nb",
    "a\n",
    "\r",
    "\t",
    "\u{85}",
    "\u{a0}",
    "\u{2028}",
    "\u{feff}",
    "\u{7f}",
    "\u{1}",
    "😀",
    "é",
    ".inf",
    ".",
    "key: {a: [b, c]}",
    "\u{202e}abc",
    "",
];

fn hostile() -> impl Strategy<Value = String> {
    let known = || prop::sample::select(HOSTILE);
    prop_oneof![
        known().prop_map(str::to_owned),
        prop::collection::vec(known(), 1..4).prop_map(|parts| parts.concat()),
        "[\u{1}-\u{a0}\u{2020}-\u{2030}\u{fefe}-\u{ff00}\u{fffd}-\u{10010}]{0,12}",
        any::<String>(),
    ]
    .prop_map(|text| text.replace('\0', ""))
}

/// Name, description, how many levels up from the team before, and whether there is a maintainer.
type Sketch = (String, String, usize, bool);

/// An organization of these teams, each below one of those that the team before is in.
fn sketched(sketches: &[Sketch], text: &str) -> Org {
    let mut org = Org { login: "acme".to_owned(), description: Some(text.to_owned()), ..Org::default() };
    let login = "olivia".to_owned();
    org.people = vec![Person { login, role: Role::Admin, public: true, security_manager: false, line: 0 }];
    let fits = |name: &&str| (1..200).contains(&name.chars().count()) && can_be_shown(name);
    let name = Some(text.trim()).filter(fits).unwrap_or("name").to_owned();
    org.name = Some(name.clone());
    org.projects = vec![Project { number: 3, name, body: Some(text.to_owned()), ..Project::default() }];
    let homepage = Some(text.chars().take(255).collect());
    org.repos = vec![Repo { name: "web".to_owned(), homepage, declared: true, ..Repo::default() }];
    let mut path: Vec<usize> = Vec::new();
    for (name, description, up, maintainer) in sketches {
        let name: String = name.trim().chars().take(200).collect();
        let name = name.trim().to_owned();
        if name.is_empty() || !can_be_shown(&name) || org.teams.iter().any(|team| team.name == name) {
            continue;
        }
        path.truncate(path.len().saturating_sub(*up));
        let team = Team {
            former_names: vec![name.clone()],
            name,
            description: Some(description.clone()),
            privacy: Some(Privacy::Closed),
            parent: path.last().copied(),
            members: vec![Membership { login: "olivia".to_owned(), maintainer: *maintainer, line: 0 }],
            ..Team::default()
        };
        path.push(org.teams.len());
        org.teams.push(team);
    }
    org
}

/// The organization without its place in a file.
fn unplaced(mut org: Org) -> Org {
    (org.file, org.line, org.key) = (String::new(), 0, String::new());
    org.people.iter_mut().for_each(|person| person.line = 0);
    org.lists.clear();
    org.repos.iter_mut().for_each(|repo| (repo.line, repo.lists) = (0, Lists::new()));
    for team in &mut org.teams {
        (team.line, team.key, team.lists) = (0, String::new(), Lists::new());
        team.members.iter_mut().for_each(|member| member.line = 0);
    }
    for project in &mut org.projects {
        (project.line, project.key, project.lists) = (0, String::new(), Lists::new());
    }
    org
}

fn read_text(text: &str) -> Org {
    let folder = tempfile::tempdir().expect("a directory");
    let file = folder.path().join("org.yaml");
    std::fs::write(&file, text).expect("to write");
    let faults = Faults::default();
    let mut orgs = read(&file, None, &faults);
    assert!(faults.is_empty(), "{faults} in\n{text}");
    unplaced(orgs.remove(0))
}

#[test]
fn whatever_a_text_is_the_file_says_it() {
    let config = Config { cases: 400, failure_persistence: None, ..Config::default() };
    let teams = prop::collection::vec((hostile(), hostile(), 0..4_usize, any::<bool>()), 0..7);
    let outcome = TestRunner::new(config).run(&(teams, hostile()), |(teams, text)| {
        let org = sketched(&teams, &text);
        prop_assert_eq!(read_text(&yaml::text(&org)), org);
        Ok(())
    });
    outcome.unwrap_or_else(|failure| panic!("{failure}"));
}

#[test]
fn names_of_every_character_may_have_their_greatest_length() {
    for c in ["a", "\u{a0}", "\u{301}", "#", "\"", "😀", "é"] {
        let name = format!("a{}a", c.repeat(253));
        let mut org = sketched(&[("x".to_owned(), String::new(), 0, true)], "");
        (org.teams[0].name, org.teams[0].former_names) = (name, Vec::new());
        assert_eq!(read_text(&yaml::text(&org)), org);
    }
}

#[test]
fn hostile_texts_go_round_through_a_store() {
    let config = Config { cases: 12, max_shrink_iters: 30, failure_persistence: None, ..Config::default() };
    let teams = prop::collection::vec((hostile(), hostile(), 0..4_usize, any::<bool>()), 1..12);
    let outcome = TestRunner::new(config).run(&(teams, hostile()), |(mut teams, text)| {
        // Slugs differ in their last character.
        teams.iter_mut().enumerate().for_each(|(number, team)| team.0 = format!("{} x{number}", team.0));
        let mut org = sketched(&teams, &text);
        org.teams.iter_mut().for_each(|team| team.former_names.clear());
        let store = Store::new();
        store.import(&[store.file("org.yaml", &yaml::text(&org))]).unwrap_or_else(|error| panic!("{error}"));
        round_trip(&store);
        Ok(())
    });
    outcome.unwrap_or_else(|failure| panic!("{failure}"));
}
