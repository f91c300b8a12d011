//! How many round trips to PostgreSQL a request takes (decision records 0028 and 0029). SQLite has none.

use guildhall::db::{Address, Options};
use postgres::{Client as Session, NoTls};

use crate::proxy::Proxy;
use crate::support::world::Settings;
use crate::support::{Client, World, json};

/// How often each kind of request is counted.
const TIMES: usize = 10;

/// A world on PostgreSQL, and a node that reaches it by a proxy that counts; nothing on SQLite. The organization has many
/// teams below Core, and Olivia owns another one with as many.
fn counted() -> Option<(World, World, Proxy)> {
    let world = World::new();
    let Address::Postgres(url) = world.address() else { return None };
    let olivia = world.olivia();
    world.organization("other", "olivia", &["max", "tom", "eve"]);
    for number in 0..=TIMES {
        let child = json!({ "name": format!("Child {number}"), "privacy": "closed", "parent_team_id": 1 });
        olivia.post("/orgs/acme/teams", child).expect(201);
        olivia.post("/orgs/other/teams", json!({ "name": format!("Team {number}"), "privacy": "closed" })).expect(201);
    }
    let proxy = Proxy::before(url);
    // Two of them, because a request may come before the thread that served the last one is free.
    let store = Options { connections: 2, ..Options::default() };
    let node = World::on(&Address::Postgres(proxy.url(url)), Settings { store, ..Settings::default() });
    Some((world, node, proxy))
}

/// A client of that node, whose statements are prepared on all connections.
fn client(world: &World, node: &World, login: &str) -> Client {
    let token = world.token(login, &["admin:org"]);
    let client = Client::new(&node.base, Some(&token));
    let mut session = {
        let Address::Postgres(url) = world.address() else { panic!("not on PostgreSQL") };
        Session::connect(url, NoTls).expect("a session")
    };
    for number in 0..20 {
        // What was made by hand leaves nothing in memory.
        session.batch_execute("UPDATE orgs SET company = 'Elsewhere'").expect("an update");
        client.get("/orgs/acme/teams/child-0").expect(200);
        let people = if number % 2 == 0 { "tom" } else { "eve" };
        client.attempt("PUT", &format!("/orgs/other/teams/team-0/memberships/{people}"), None).expect("an answer");
        client.attempt("DELETE", &format!("/orgs/other/teams/team-0/memberships/{people}"), None).expect("an answer");
    }
    for _ in 0..4 {
        client.get("/orgs/acme/teams/child-0").expect(200);
        client.get("/orgs/acme/teams").expect(200);
    }
    client
}

/// How many round trips each request takes that comes after one which is not counted.
fn each(proxy: &Proxy, mut before: impl FnMut(usize), mut request: impl FnMut(usize)) -> Vec<usize> {
    let mut all: Vec<usize> = (1..=TIMES)
        .map(|number| {
            before(number);
            let begin = proxy.round_trips();
            request(number);
            proxy.round_trips() - begin
        })
        .collect();
    all.sort_unstable();
    all
}

/// The usual number: a connection that is used for the first time has statements to prepare.
fn usual(all: &[usize]) -> usize {
    all[all.len() / 2]
}

#[test]
fn a_read_takes_one_round_trip_after_a_write_elsewhere_and_two_when_it_is_cold() {
    let Some((world, node, proxy)) = counted() else { return };
    let (olivia, tom) = (client(&world, &node, "olivia"), client(&world, &node, "tom"));
    let elsewhere = |number: usize| {
        let path = format!("/orgs/other/teams/team-{number}/memberships/max");
        olivia.put(&path, json!({})).expect(200);
        olivia.delete(&path).expect(204);
    };
    proxy.hold();
    for reader in [&olivia, &tom] {
        for path in ["/orgs/acme/teams/child-0", "/orgs/acme/teams"] {
            let after = each(&proxy, elsewhere, |_| drop(reader.get(path)));
            assert_eq!(usual(&after), 1, "{path}: {after:?}");
        }
    }
    let cold = each(&proxy, |_| {}, |number| drop(tom.get(&format!("/orgs/acme/teams/child-{number}"))));
    assert_eq!(usual(&cold), 2, "{cold:?}");
}

#[test]
fn a_membership_is_put_in_seven_round_trips() {
    let Some((world, node, proxy)) = counted() else { return };
    let olivia = client(&world, &node, "olivia");
    proxy.hold();
    let put = |number: usize| {
        olivia.put(&format!("/orgs/acme/teams/child-{number}/memberships/tom"), json!({})).expect(200);
    };
    let all = each(&proxy, |_| {}, put);
    // The proof and the team, before; the lock with what is found under it, the person, the row, the rest, the commit.
    assert_eq!(usual(&all), 7, "{all:?}");
}
