//! The organization that requests are sent to, always the same one, and tokens of those who send them.

use std::collections::HashMap;
use std::fmt::Write;
use std::path::Path;

use guildhall::access::{bootstrap, session};
use guildhall::clock::Time;
use guildhall::db::Address;
use guildhall::journal::Author;
use guildhall::people::user;

use crate::support::world::{ADMIN_TOKEN, Settings};
use crate::support::{Client, World, json};

/// The time of all clocks.
pub const NOW: Time = Time(1_767_225_600_000_000);

/// The number of people in the organization besides Olivia.
pub const PEOPLE: usize = 300;

/// The number of teams without a parent, besides those that lead to others.
const TEAMS: usize = 110;

/// The number of teams, one below the other, through which the repository is inherited.
pub const LEVELS: usize = 5;

/// The number of discussions of each board that is listed.
const DISCUSSIONS: usize = 30;

/// The number of the team whose board clients list.
pub const LISTED: usize = 108;

/// The number of the first team of those whose boards are pages, one for each request.
pub const BOARDS: usize = 61;

/// The number of requests that warm up, and of those that are counted after them.
pub const EACH: usize = 16;

/// The person of this number, from 1.
pub fn person(number: usize) -> String {
    format!("person-{number:03}")
}

/// The team of this number, from 1.
pub fn team(number: usize) -> String {
    format!("team-{number:03}")
}

/// The tokens of people, by login, and of a session of olivia, by `session`.
pub struct Tokens(HashMap<String, String>);

impl Tokens {
    /// The tokens that [`prepare`] has written.
    pub fn read(file: &Path) -> Self {
        let text = std::fs::read_to_string(file).expect("the file of tokens");
        let pair = |line: &str| line.split_once(' ').map(|(login, token)| (login.to_owned(), token.to_owned()));
        Self(text.lines().filter_map(pair).collect())
    }

    /// The token of a person.
    pub fn of(&self, login: &str) -> &str {
        &self.0[login]
    }
}

/// Makes the organization in an empty database, and the file of tokens.
pub fn prepare(database: &Address, tokens: &Path) {
    guildhall::clock::repeat_randomness();
    let world = World::on(database, Settings::default());
    let author = Author::program(&[7; 32], NOW, "seed");
    let seed = world.db.write(move |tx| bootstrap::ensure(tx, Some(ADMIN_TOKEN), &author, "ghp_").map(drop));
    world.block_on(seed).expect("a site administrator");
    people(&world);
    let olivia = world.olivia();
    teams(&olivia);
    nested_teams(&world, &olivia);
    for board in (BOARDS..BOARDS + 2 * EACH).chain([LISTED]) {
        for number in 1..=DISCUSSIONS {
            discuss(&olivia, &team(board), number);
        }
    }
    provisioned(&world, &olivia);
    olivia.post("/orgs/acme/invitations", json!({ "email": "zoe@example.com" })).expect(201);
    let mut lines = String::new();
    for login in ["olivia".to_owned(), person(1), person(2), person(3)] {
        let token = world.client(&login).token.expect("a token");
        writeln!(lines, "{login} {token}").expect("memory");
    }
    writeln!(lines, "session {}", session(&world)).expect("memory");
    std::fs::write(tokens, lines).expect("to write");
}

/// The token of a session of olivia in a browser.
fn session(world: &World) -> String {
    let opened = world.db.write(move |tx| {
        let olivia = user::by_login(tx, "olivia")?.id;
        session::create(tx, olivia, ("Firefox on Linux", "192.0.2.0/24"), NOW)
    });
    world.block_on(opened).expect("a session").1
}

fn people(world: &World) {
    world.register("olivia");
    let logins: Vec<String> = (1..=PEOPLE).map(person).collect();
    for login in &logins {
        world.register(login);
    }
    world.organization("acme", "olivia", &logins.iter().map(String::as_str).collect::<Vec<_>>());
}

/// The first person is in five teams, the second in a hundred.
fn teams(olivia: &Client) {
    for number in 1..=TEAMS {
        let described = json!({ "name": team(number), "description": "What we ship", "privacy": "closed" });
        olivia.post("/orgs/acme/teams", described).expect(201);
    }
    for (login, count) in [(person(1), 5), (person(2), 100)] {
        for number in 1..=count {
            join(olivia, &team(number), &login);
        }
    }
}

/// Three teams with a hundred people each below `parent`, and teams one below the other from `level-1`, which is granted
/// a repository.
fn nested_teams(world: &World, olivia: &Client) {
    let make = |name: &str, parent: Option<i64>| {
        let made = json!({ "name": name, "privacy": "closed", "parent_team_id": parent });
        olivia.post("/orgs/acme/teams", made).expect(201)["id"].as_i64()
    };
    let parent = make("parent", None);
    for child in 0..3 {
        let name = format!("child-{child}");
        make(&name, parent);
        for number in 1..=100 {
            join(olivia, &name, &person(child * 100 + number));
        }
    }
    let mut above = None;
    for level in 1..=LEVELS {
        above = make(&format!("level-{level}"), above);
    }
    world.execute(
        "INSERT INTO repos (org_id, name, name_key, created_at, updated_at)
         SELECT id, 'engine', 'engine', 0, 0 FROM orgs WHERE login = 'acme'",
    );
    olivia.put("/orgs/acme/teams/level-1/repos/acme/engine", json!({ "permission": "pull" })).expect(204);
}

fn join(olivia: &Client, team: &str, login: &str) {
    olivia.put(&format!("/orgs/acme/teams/{team}/memberships/{login}"), json!({})).expect(200);
}

fn discuss(olivia: &Client, team: &str, number: usize) {
    let post = json!({ "title": format!("Number {number}"), "body": POST });
    olivia.post(&format!("/orgs/acme/teams/{team}/discussions"), post).expect(201);
}

/// The body of each discussion.
pub const POST: &str = "## This week\n\nWe ship the **new importer**, see [the plan](https://example.com/plan).\n\n\
                        - errors name the line\n- a file takes seconds\n\n```\nguildhall import org.yaml\n```\n";

/// A team that follows the group `staff` of an identity provider, and people of the provider who are in no group yet.
fn provisioned(world: &World, olivia: &Client) {
    world.sam().patch("/admin/organizations/acme", json!({ "plan": "enterprise" })).expect(202);
    let scim = "/scim/v2/organizations/acme";
    let group = olivia.post(&format!("{scim}/Groups"), json!({ "displayName": "staff" })).expect(201)["id"].clone();
    olivia.post("/orgs/acme/teams", json!({ "name": "crew", "privacy": "closed" })).expect(201);
    olivia.delete("/orgs/acme/teams/crew/memberships/olivia").expect(204);
    let group = json!({ "group_id": group, "group_name": "staff", "group_description": "" });
    olivia.patch("/orgs/acme/teams/crew/team-sync/group-mappings", json!({ "groups": [group] })).expect(200);
    for number in 1..=2 * EACH {
        let login = person(number);
        let email = json!([{ "value": format!("{login}@example.com") }]);
        olivia.post(&format!("{scim}/Users"), json!({ "userName": login, "emails": email })).expect(201);
    }
}
