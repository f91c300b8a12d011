//! Importing every sample organization: what is in the store afterwards is what the file says (decision 50), read
//! from the flat form of the same organization by another parser.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::PathBuf;

use guildhall::teams::slug;
use serde_json::Value;

use crate::support::database::Database;
use crate::support::samples;
use crate::support::store::Store;

type Rows = BTreeSet<Vec<String>>;

fn flat() -> Vec<Value> {
    let files = std::fs::read_dir(samples::folder().join("neutral")).expect("the folder of samples has neutral/");
    let mut files: Vec<PathBuf> = files.map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    let read = |file: &PathBuf| serde_json::from_slice(&std::fs::read(file).expect("a file")).expect("JSON");
    files.iter().map(read).collect()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn list<'v>(org: &'v Value, table: &str) -> &'v [Value] {
    org[table].as_array().expect("a table")
}

fn team_names(org: &Value) -> HashMap<u64, String> {
    list(org, "teams").iter().map(|team| (team["key"].as_u64().expect("a key"), text(&team["name"]))).collect()
}

/// A table of a store: the organization's login comes first in each row, logins in lower case.
fn stored<const N: usize>(rows: Vec<[String; N]>) -> Rows {
    rows.into_iter().map(|row| row.to_vec()).collect()
}

/// Compares sets, and shows the difference only.
fn same(what: &str, is: &Rows, wanted: &Rows) {
    let extra: Vec<_> = is.difference(wanted).take(5).collect();
    let missing: Vec<_> = wanted.difference(is).take(5).collect();
    assert!(extra.is_empty() && missing.is_empty(), "{what}: extra {extra:?}, missing {missing:?}");
}

fn pairs(store: &Store, sql: &'static str) -> Vec<[String; 3]> {
    store.rows::<(String, String, String)>(sql).into_iter().map(|(a, b, c)| [a, b.to_lowercase(), c]).collect()
}

fn imported(files: &[PathBuf]) -> Store {
    let store = Store::new();
    let report = store.import(files).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(report.orgs.len(), files.len());
    store
}

#[test]
fn every_sample_is_in_the_store_as_its_file_says() {
    let store = imported(&samples::peribolos());
    let orgs = flat();
    people(&store, &orgs);
    teams(&store, &orgs);
    memberships(&store, &orgs);
    levels(&store, &orgs);
    former_names(&store, &orgs);
    assert_eq!(store.findings(), Vec::<String>::new());
}

#[test]
fn the_first_import_leaves_the_file_in_order() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("org.yaml");
    std::fs::write(&file, many_people()).expect("to write");
    let store = imported(&[file]);
    if Database::is_postgres() {
        assert!(store.db.file().is_none(), "PostgreSQL looks after its own files");
        return;
    }
    is_in_order(&store);
}

#[test]
fn a_first_import_that_stops_half_way_leaves_the_file_in_order_too() {
    let directory = tempfile::tempdir().expect("a directory");
    let files = ["acme", "globex"].map(|org| directory.path().join(org));
    for (file, org) in files.iter().zip(["acme", "globex"]) {
        std::fs::write(file, many_people().replace("acme", org)).expect("to write");
    }
    let store = Store::new();
    let whole = Store::new();
    whole.faults.record();
    whole.import(&files).expect("an import");
    let statements = whole.faults.recorded().len();
    store.faults.arm(u32::try_from(statements - 10).expect("not so many"));
    let stopped = store.import(&files).expect_err("a statement fails");
    assert!(stopped.to_string().contains("One organization was imported before it"), "{stopped}");
    if !Database::is_postgres() {
        is_in_order(&store);
    }
}

fn is_in_order(store: &Store) {
    let pages: Vec<i64> = store.rows::<(i64,)>(PAGES).into_iter().map(|(page,)| page).collect();
    assert!(pages.len() > 10, "{pages:?}");
    assert!(pages.is_sorted(), "{pages:?}");
}

/// The page numbers of the memberships by person, in the order of their content.
const PAGES: &str = "SELECT pageno FROM dbstat WHERE name = 'team_members_user' ORDER BY path";

/// Many people, each in many teams.
fn many_people() -> String {
    let people: Vec<String> = (0..100).map(|n| format!("person-{}", n * 37 % 100)).collect();
    let people = people.join(", ");
    let team = |n: usize| format!("      team-{n}:\n        members: [{people}]\n");
    let teams: String = (0..100).map(team).collect();
    format!("orgs:\n  acme:\n    admins: [owner]\n    members: [{people}]\n    teams:\n{teams}")
}

fn people(store: &Store, orgs: &[Value]) {
    let is = pairs(
        store,
        "SELECT o.login, u.login, m.role FROM org_members m
         JOIN orgs o ON o.id = m.org_id JOIN users u ON u.id = m.user_id",
    );
    let wanted = orgs.iter().flat_map(|org| {
        let login = text(&org["org"]["login"]);
        let row = move |row: &Value| vec![login.clone(), text(&row[0]).to_lowercase(), text(&row[1])];
        list(org, "org_members").iter().map(row)
    });
    same("people", &stored(is), &wanted.collect());
    let profiles = stored(
        store
            .rows::<(String, String, String, String, String)>(
                "SELECT login, coalesce(name, ''), coalesce(description, ''), coalesce(location, ''),
                        default_repository_permission
                 FROM orgs",
            )
            .into_iter()
            .map(|(a, b, c, d, e)| [a, b, c, d, e])
            .collect(),
    );
    let wanted = orgs.iter().map(|org| {
        let org = &org["org"];
        let permission = org["default_repository_permission"].as_str().unwrap_or("read").to_owned();
        vec![text(&org["login"]), text(&org["name"]), text(&org["description"]), text(&org["location"]), permission]
    });
    same("profiles", &profiles, &wanted.collect());
}

fn teams(store: &Store, orgs: &[Value]) {
    let is = store.rows::<(String, String, String, String, String, String)>(
        "SELECT o.login, t.name, t.slug, coalesce(t.description, ''), t.privacy, coalesce(p.name, '')
         FROM teams t JOIN orgs o ON o.id = t.org_id LEFT JOIN teams p ON p.id = t.parent_id",
    );
    let is = is.into_iter().map(|(a, b, c, d, e, f)| [a, b, c, d, e, f]).collect();
    let mut wanted = Rows::new();
    for org in orgs {
        let names = team_names(org);
        let parents: HashSet<u64> = list(org, "teams").iter().filter_map(|team| team["parent"].as_u64()).collect();
        for team in list(org, "teams") {
            let name = text(&team["name"]);
            let parent = team["parent"].as_u64();
            let nested = parent.is_some() || parents.contains(&team["key"].as_u64().expect("a key"));
            let unstated = if nested { "closed" } else { "secret" };
            wanted.insert(vec![
                text(&org["org"]["login"]),
                name.clone(),
                slug::from_name(&name).expect("every sample has a slug"),
                text(&team["description"]),
                team["privacy"].as_str().unwrap_or(unstated).to_owned(),
                parent.map(|parent| names[&parent].clone()).unwrap_or_default(),
            ]);
        }
    }
    same("teams", &stored(is), &wanted);
}

fn memberships(store: &Store, orgs: &[Value]) {
    let select = |sql| {
        let rows = store.rows::<(String, String, String, String)>(sql);
        stored(rows.into_iter().map(|(org, team, login, role)| [org, team, login.to_lowercase(), role]).collect())
    };
    let active = select(
        "SELECT o.login, t.name, u.login, m.role FROM team_members m
         JOIN teams t ON t.id = m.team_id JOIN orgs o ON o.id = t.org_id JOIN users u ON u.id = m.user_id",
    );
    let pending = select(
        "SELECT o.login, t.name, u.login, b.role FROM invitation_teams b
         JOIN invitations i ON i.id = b.invitation_id JOIN teams t ON t.id = b.team_id
         JOIN orgs o ON o.id = i.org_id AND o.id = t.org_id JOIN users u ON u.id = i.user_id
         WHERE i.role = 'direct_member' AND i.inviter_id IS NOT NULL AND i.mailed_at IS NULL",
    );
    let (mut wanted_active, mut wanted_pending) = (Rows::new(), Rows::new());
    for org in orgs {
        let names = team_names(org);
        let lower = |row: &Value, index: usize| text(&row[index]).to_lowercase();
        let members: HashSet<String> = list(org, "org_members").iter().map(|row| lower(row, 0)).collect();
        for row in list(org, "team_members") {
            let login = lower(row, 1);
            let wanted = if members.contains(&login) { &mut wanted_active } else { &mut wanted_pending };
            let team = names[&row[0].as_u64().expect("a key")].clone();
            wanted.insert(vec![text(&org["org"]["login"]), team, login, text(&row[2])]);
        }
    }
    same("memberships", &active, &wanted_active);
    same("pending memberships", &pending, &wanted_pending);
}

fn levels(store: &Store, orgs: &[Value]) {
    const LEVELS: [&str; 6] = ["", "pull", "triage", "push", "maintain", "admin"];
    let select = |sql| -> Rows {
        let rows = store.rows::<(String, String, String, i64)>(sql).into_iter();
        let level = |level: i64| LEVELS[usize::try_from(level).expect("a rank")].to_owned();
        rows.map(|(org, who, repo, rank)| vec![org, who, repo, level(rank)]).collect()
    };
    let grants = select(
        "SELECT o.login, t.name, r.name, g.level FROM team_repos g
         JOIN teams t ON t.id = g.team_id JOIN orgs o ON o.id = t.org_id
         JOIN repos r ON r.id = g.repo_id AND r.org_id = o.id",
    );
    let collaborators = select(
        "SELECT o.login, lower(u.login), r.name, c.level FROM repo_collaborators c
         JOIN repos r ON r.id = c.repo_id JOIN orgs o ON o.id = r.org_id JOIN users u ON u.id = c.user_id",
    );
    let repos = pairs(
        store,
        "SELECT o.login, r.name, CASE WHEN r.private = TRUE THEN 'private' ELSE 'public' END
         FROM repos r JOIN orgs o ON o.id = r.org_id",
    );
    let mut wanted: [Rows; 3] = Default::default();
    for org in orgs {
        let (login, names) = (text(&org["org"]["login"]), team_names(org));
        for row in list(org, "team_repos") {
            let team = names[&row[0].as_u64().expect("a key")].clone();
            wanted[0].insert(vec![login.clone(), team, text(&row[1]), text(&row[2])]);
        }
        for row in list(org, "collaborators") {
            wanted[1].insert(vec![login.clone(), text(&row[1]).to_lowercase(), text(&row[0]), text(&row[2])]);
        }
        for repo in list(org, "repos") {
            let private =
                repo["private"] == true || matches!(repo["visibility"].as_str(), Some("private" | "internal"));
            let visibility = if private { "private" } else { "public" };
            wanted[2].insert(vec![login.clone(), text(&repo["name"]).to_lowercase(), visibility.to_owned()]);
        }
    }
    same("grants", &grants, &wanted[0]);
    same("collaborators", &collaborators, &wanted[1]);
    same("repositories", &stored(repos), &wanted[2]);
}

fn former_names(store: &Store, orgs: &[Value]) {
    let is = pairs(
        store,
        "SELECT o.login, s.slug, t.name FROM old_slugs s
         JOIN teams t ON t.id = s.team_id JOIN orgs o ON o.id = s.org_id AND o.id = t.org_id",
    );
    let mut wanted = BTreeMap::new();
    for org in orgs {
        let login = text(&org["org"]["login"]);
        let slug = |name: &Value| slug::from_name(&text(name)).expect("every sample has a slug");
        let living: HashSet<String> = list(org, "teams").iter().map(|team| slug(&team["name"])).collect();
        for team in list(org, "teams") {
            for former in team["previously"].as_array().into_iter().flatten().map(slug) {
                if !living.contains(&former) {
                    wanted.entry((login.clone(), former)).or_insert_with(|| text(&team["name"]));
                }
            }
        }
    }
    let wanted = wanted.into_iter().map(|((login, slug), name)| vec![login, slug, name]).collect();
    same("former names", &stored(is), &wanted);
}

#[test]
fn a_second_import_of_every_sample_changes_nothing() {
    let files = samples::peribolos();
    let mut store = imported(&files);
    let before = store.state();
    store.advance(60);
    let flat: Vec<PathBuf> = files
        .iter()
        .map(|file| {
            let name = file.parent().and_then(|folder| folder.file_name()).expect("a folder");
            samples::folder().join("neutral").join(name).with_extension("json")
        })
        .collect();
    for files in [&files, &flat] {
        let report = store.import(files).unwrap_or_else(|error| panic!("{error}"));
        for org in &report.orgs {
            assert!(!org.has_changes() && org.beyond.is_empty(), "{org}");
        }
        assert!(report.to_string().contains("Total: nothing to change"));
        assert_eq!(store.state(), before);
    }
}
