//! Several servers on one database, and many clients at once: their responses agree, and afterwards all is well
//! (`docs/internals.md`, section "The two engines"; decisions 9, 11, 16, 21, 26 and 30).

#[cfg(debug_assertions)]
mod broken;
mod clusters;
mod commits;
mod deliveries;
mod failover;
mod freshness;
mod history;
mod linear;
mod load;
mod locks;
mod plain;
mod posts;
mod proxy;
mod registers;
mod round_trips;
mod tls;
mod unknown;

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::Barrier;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::support::database::Database;
use crate::support::world::Settings;
use crate::support::{Answer, Client, Value, World, json, waiting};
use guildhall::db::Options;
use guildhall::doctor;

/// The number of clients that do something at the same time.
const CLIENTS: usize = 6;

/// Runs something for each client at the same moment; half of them are at each node.
fn at_once<R: Send>(nodes: &[World; 2], login: &str, work: impl Fn(usize, &Client) -> R + Sync) -> Vec<R> {
    let (start, work) = (Barrier::new(CLIENTS), &work);
    std::thread::scope(|scope| {
        let run = |number: usize| {
            let (client, start) = (nodes[number % 2].client(login), &start);
            scope.spawn(move || {
                start.wait();
                work(number, &client)
            })
        };
        let running: Vec<_> = (0..CLIENTS).map(run).collect();
        running.into_iter().map(|one| one.join().expect("no panic")).collect()
    })
}

/// A world with as many connections as the program has: requests that meet in the database are what these tests are about.
fn as_served() -> Settings {
    Settings { store: Options::default(), ..Settings::default() }
}

fn nodes() -> [World; 2] {
    let first = World::with(as_served());
    // Tokens are made before the second node copies them.
    for login in ["olivia", "max", "tom", "eve", "ray", "nina"] {
        first.client(login);
    }
    let second = first.second_server_with(as_served());
    [first, second]
}

/// Fails if anything of the data contradicts itself, or the nodes contradict each other.
fn all_is_well(nodes: &[World; 2]) {
    let findings = nodes[0].block_on(doctor::run(&nodes[0].db, &[7; 32])).expect("doctor can look").findings;
    assert!(findings.is_empty(), "{findings:#?}");
    // A third has nothing in memory: what it shows comes from the rows.
    let right = everything_shown(&nodes[0].second_server().olivia());
    all_show(nodes, &right, everything_shown);
}

/// Waits until both nodes show what is right. Only on SQLite may a commit of one be seen by the other a little later.
fn all_show<T: PartialEq + Debug>(nodes: &[World; 2], right: &T, look: impl Fn(&Client) -> T) {
    let shown = || nodes.each_ref().map(|node| look(&node.olivia()));
    let is_right = |shown: &[T; 2]| shown.iter().all(|one| one == right);
    if Database::is_postgres() {
        assert!(is_right(&shown()), "what a node keeps in memory is right: {:#?}, not {right:#?}", shown());
    }
    waiting::found(|| {
        let shown = shown();
        if is_right(&shown) { Ok(()) } else { Err((shown, right)) }
    });
}

/// The responses to an owner, by path.
fn everything_shown(client: &Client) -> BTreeMap<String, String> {
    let mut shown = BTreeMap::new();
    let mut look = |path: &str| {
        let items = client.all(path);
        let text = Value::from(items.clone()).to_string().replace(&client.base, "");
        shown.insert(path.to_owned(), text);
        items
    };
    let teams = look("/orgs/acme/teams?per_page=7");
    look("/orgs/acme/members?per_page=2");
    look("/orgs/acme/members?role=admin");
    look("/orgs/acme/public_members");
    for team in teams {
        for list in ["members", "teams"] {
            let path = format!("/organizations/1/team/{}/{list}?per_page=100", team["id"]);
            // A node of SQLite that saw the team a moment ago may just have learned that it is gone.
            shown.insert(path.clone(), client.get(&path).text.replace(&client.base, ""));
        }
    }
    shown
}

/// A sequence that is the same for the same seed.
fn sequence(seed: usize) -> impl FnMut(usize) -> usize {
    let mut state = (seed as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    move |below| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state % below as u64).expect("a small number")
    }
}

fn count(answers: &[Answer], status: u16) -> usize {
    answers.iter().filter(|answer| answer.status == status).count()
}

#[test]
fn moves_at_the_same_time_never_make_a_cycle() {
    let nodes = nodes();
    let olivia = nodes[0].olivia();
    let teams: Vec<i64> = (0..8)
        .map(|n| olivia.post("/orgs/acme/teams", json!({ "name": format!("Team {n}"), "privacy": "closed" })))
        .map(|made| made.expect(201)["id"].as_i64().expect("an identifier"))
        .collect();
    let (moved, refused) = (AtomicU64::new(0), AtomicU64::new(0));
    at_once(&nodes, "olivia", |number, client| {
        let mut next = sequence(number + 1);
        for _ in 0..40 {
            let (team, parent) = (next(teams.len()), next(teams.len() + 1));
            let body = json!({ "name": format!("Team {team}"), "parent_team_id": teams.get(parent) });
            let answer = client.patch(&format!("/organizations/1/team/{}", teams[team]), body);
            match answer.status {
                200 => moved.fetch_add(1, Ordering::SeqCst),
                422 => refused.fetch_add(1, Ordering::SeqCst),
                other => panic!("{other}: {}", answer.text),
            };
        }
    });
    assert!(moved.load(Ordering::SeqCst) > 50 && refused.load(Ordering::SeqCst) > 5, "{moved:?}, {refused:?}");
    all_is_well(&nodes);
}

#[test]
fn a_name_is_given_once() {
    let nodes = nodes();
    for round in 0..5 {
        let team = json!({ "name": format!("Round {round}") });
        let made = at_once(&nodes, "olivia", |_, client| client.post("/orgs/acme/teams", team.clone()));
        assert_eq!((count(&made, 201), count(&made, 422)), (1, CLIENTS - 1));
        let login = json!({ "login": format!("person-{round}") });
        let made = at_once(&nodes, "sam", |_, client| client.post("/admin/users", login.clone()));
        assert_eq!((count(&made, 201), count(&made, 422)), (1, CLIENTS - 1));
        let org = json!({ "login": format!("org-{round}"), "admin": "nina" });
        let made = at_once(&nodes, "sam", |number, client| match number {
            0 | 1 => client.post("/admin/users", json!({ "login": format!("org-{round}") })),
            _ => client.post("/admin/organizations", org.clone()),
        });
        assert_eq!((count(&made, 201), count(&made, 422)), (1, CLIENTS - 1));
    }
    all_is_well(&nodes);
}

#[test]
fn the_last_owner_stays_even_if_all_go_at_once() {
    let nodes = nodes();
    let olivia = nodes[0].olivia();
    for _ in 0..4 {
        for login in ["max", "tom", "eve"] {
            olivia.put(&format!("/orgs/acme/memberships/{login}"), json!({ "role": "admin" })).expect(200);
        }
        let people = ["olivia", "max", "tom", "eve"];
        let gone = at_once(&nodes, "olivia", |number, client| match people.get(number) {
            Some(login) if number % 2 == 0 => client.delete(&format!("/orgs/acme/memberships/{login}")),
            Some(login) => client.put(&format!("/orgs/acme/memberships/{login}"), json!({ "role": "member" })),
            None => client.get("/orgs/acme"),
        });
        for answer in &gone {
            assert!([200, 204, 403, 404, 422].contains(&answer.status), "{}", answer.text);
        }
        let owners: Vec<(String,)> = nodes[0].rows(
            "SELECT u.login FROM org_members m JOIN users u ON u.id = m.user_id WHERE m.role = 'admin' AND m.org_id = 1",
        );
        assert!(!owners.is_empty(), "acme has lost its last owner");
        let owner = nodes[0].client(&owners[0].0);
        for login in people {
            owner.put(&format!("/orgs/acme/memberships/{login}"), json!({ "role": "admin" })).expect(200);
            nodes[0].client(login).patch("/user/memberships/orgs/acme", json!({ "state": "active" })).expect(200);
        }
    }
    all_is_well(&nodes);
}

#[test]
fn an_invitation_is_accepted_changed_and_withdrawn_at_once() {
    let nodes = nodes();
    let olivia = nodes[0].olivia();
    for _ in 0..12 {
        olivia.put("/orgs/acme/teams/core/memberships/nina", json!({})).expect(200);
        let answers = at_once(&nodes, "olivia", |number, client| {
            let nina = nodes[number % 2].nina();
            match number {
                0 | 1 => nina.patch("/user/memberships/orgs/acme", json!({ "state": "active" })),
                2 => client.delete("/orgs/acme/memberships/nina"),
                3 => client.put("/orgs/acme/teams/core/memberships/nina", json!({ "role": "maintainer" })),
                4 => client.put("/orgs/acme/memberships/nina", json!({ "role": "admin" })),
                _ => client.delete("/orgs/acme/teams/core/memberships/nina"),
            }
        });
        for answer in &answers {
            assert!([200, 204, 404].contains(&answer.status), "{}: {}", answer.request, answer.text);
        }
        let left = olivia.delete("/orgs/acme/memberships/nina");
        assert!([204, 404].contains(&left.status), "{}", left.text);
    }
    all_is_well(&nodes);
}

/// A fork may belong to a user whom no lock of the organization covers.
#[test]
fn a_fork_is_granted_and_deleted_at_once() {
    let nodes = nodes();
    nodes[0].olivia().post("/orgs/acme/repos", json!({ "name": "engine" })).expect(201);
    for _ in 0..25 {
        nodes[0].ray().post("/repos/acme/engine/forks", json!({})).expect(202);
        let answers = at_once(&nodes, "ray", |number, ray| match number {
            0 | 1 => ray.delete("/repos/ray/engine"),
            2 => ray.delete("/orgs/acme/teams/core/repos/ray/engine"),
            _ => ray.put("/orgs/acme/teams/core/repos/ray/engine", json!({ "permission": "push" })),
        });
        // The owner of the fork may remove it from a team that they neither maintain nor own.
        for answer in &answers {
            assert!([204, 404].contains(&answer.status), "{} answered {}", answer.request, answer.text);
        }
    }
    all_is_well(&nodes);
}

#[test]
fn somebody_is_invited_and_given_access_while_their_account_is_deleted() {
    let nodes = nodes();
    let olivia = nodes[0].olivia();
    olivia.post("/orgs/acme/repos", json!({ "name": "engine" })).expect(201);
    let project = olivia.post("/orgs/acme/projects", json!({ "name": "Roadmap" })).expect(201)["id"].clone();
    for round in 0..25 {
        let login = format!("guest-{round}");
        nodes[0].register(&login);
        let answers = at_once(&nodes, "olivia", |number, olivia| match number {
            0 => nodes[0].sam().delete(&format!("/admin/users/{login}")),
            1 => olivia.put(&format!("/repos/acme/engine/collaborators/{login}"), json!({})),
            2 => olivia.put(&format!("/projects/{project}/collaborators/{login}"), json!({})),
            3 => olivia.put(&format!("/orgs/acme/teams/core/memberships/{login}"), json!({})),
            _ => olivia.put(&format!("/orgs/acme/memberships/{login}"), json!({})),
        });
        for answer in &answers {
            assert!([200, 204, 404].contains(&answer.status), "{} answered {}", answer.request, answer.text);
        }
    }
    all_is_well(&nodes);
}

/// Everybody does everything that is in the table, as it comes.
#[test]
fn a_storm_leaves_everything_in_order() {
    let nodes = nodes();
    let people = ["olivia", "max", "tom", "eve", "ray", "nina"];
    at_once(&nodes, "olivia", |number, olivia| {
        let mut next = sequence(100 + number);
        for _ in 0..60 {
            let (team, person) = (next(6), people[next(people.len())]);
            let (slug, name) = (format!("s{team}"), format!("S{team}"));
            let path = format!("/orgs/acme/teams/{slug}");
            let own = nodes[next(2)].client(person);
            let answer = match next(14) {
                0..3 => olivia.post("/orgs/acme/teams", json!({ "name": name, "privacy": "closed" })),
                3 => olivia.delete(&path),
                4 => olivia.patch(&path, json!({ "name": format!("S{}", next(6)) })),
                5 => own.patch(&path, json!({ "name": name, "parent_team_id": next(20) })),
                6 => olivia.patch(&path, json!({ "name": name, "privacy": (["secret", "closed"][next(2)]) })),
                7..10 => olivia.put(&format!("{path}/memberships/{person}"), json!({ "role": "maintainer" })),
                10 => own.delete(&format!("{path}/memberships/{person}")),
                11 => own.patch("/user/memberships/orgs/acme", json!({ "state": "active" })),
                12 if person != "olivia" => olivia.delete(&format!("/orgs/acme/memberships/{person}")),
                12 => own.get("/orgs/acme/teams?per_page=2"),
                _ => own.put(&format!("/orgs/acme/public_members/{person}"), json!({})),
            };
            let fine = answer.status < 500 && answer.status != 400;
            assert!(fine, "{} answered {} {}", answer.request, answer.status, answer.text);
        }
    });
    all_is_well(&nodes);
}

/// Lists are kept in memory with all that they show; whatever can change of that, each node notices.
#[test]
fn what_lists_show_follows_every_change() {
    let nodes = nodes();
    let (olivia, sam) = (nodes[0].olivia(), nodes[0].sam());
    olivia.post("/orgs/acme/teams", json!({ "name": "Below", "parent_team_id": 1 })).expect(201);
    olivia.post("/orgs/acme/teams", json!({ "name": "Secret" })).expect(201);
    nodes[0].max().put("/orgs/acme/public_members/max", json!({})).expect(204);
    all_is_well(&nodes);
    let team = |team: Value| ("PATCH", "/organizations/1/team/1", Some(team));
    let changes = [
        team(json!({ "name": "Kernel" })),
        team(json!({ "name": "KERNEL" })),
        team(json!({ "name": "KERNEL", "description": "They keep it small." })),
        team(json!({ "name": "KERNEL", "description": null })),
        team(json!({ "name": "KERNEL", "permission": "admin" })),
        team(json!({ "name": "KERNEL", "notification_setting": "notifications_disabled" })),
        ("PATCH", "/organizations/1/team/2", Some(json!({ "name": "Below", "parent_team_id": null }))),
        ("PATCH", "/organizations/1/team/2", Some(json!({ "name": "Below", "parent_team_id": 1 }))),
        ("PUT", "/organizations/1/team/2/memberships/tom", Some(json!({ "role": "maintainer" }))),
        ("PUT", "/orgs/acme/memberships/tom", Some(json!({ "role": "admin" }))),
        ("PATCH", "/admin/users/tom", Some(json!({ "login": "thomas" }))),
        ("PUT", "/users/thomas/site_admin", Some(json!({}))),
        ("DELETE", "/users/thomas/site_admin", None),
        ("PUT", "/users/thomas/suspended", Some(json!({}))),
        ("DELETE", "/users/thomas/suspended", None),
        ("PATCH", "/orgs/acme", Some(json!({ "description": "It makes things.", "name": "Acme" }))),
        ("PUT", "/orgs/acme/memberships/thomas", Some(json!({ "role": "member" }))),
        ("DELETE", "/orgs/acme/memberships/thomas", None),
        ("DELETE", "/admin/users/max", None),
        ("DELETE", "/organizations/1/team/1", None),
    ];
    for (verb, path, body) in changes {
        let client = if path.starts_with("/admin") || path.starts_with("/users") { &sam } else { &olivia };
        let answer = client.send(verb, path, Some(body.map_or_else(String::new, |body| body.to_string())));
        assert!(answer.status < 300, "{verb} {path}: {}", answer.text);
        all_is_well(&nodes);
    }
    sam.patch("/admin/organizations/acme", json!({ "login": "apex" })).expect(202);
    let teams = |client: &Client| client.get("/organizations/1/teams").text.replace(&client.base, "");
    let right = teams(&nodes[0].olivia());
    assert!(!right.contains("acme"), "{right}");
    all_show(&nodes, &right, teams);
}
