//! The number of round trips to PostgreSQL that a request takes (decision records 0028 and 0029). SQLite has none.

use std::time::Duration;

use guildhall::access::bootstrap;
use guildhall::db::Address;
use guildhall::journal::Author;
use postgres::{Client as Session, NoTls};

use crate::nodes::clusters::Clusters;
use crate::nodes::proxy::Proxy;
use crate::support::database::Database;
use crate::support::receiver::Receiver;
use crate::support::world::{ADMIN_TOKEN, Settings};
use crate::support::{Client, World, json, waiting};

/// The number of times that each kind of request is counted.
const TIMES: usize = 10;

/// A PostgreSQL server that other tests do not use, because every commit there counts; a world on it; and a node that
/// reaches it through a counting proxy. The organization has many teams below Core, and Olivia owns another one with as
/// many.
struct Counted {
    node: World,
    world: World,
    proxy: Proxy,
    url: String,
    _clusters: Clusters,
}

/// Nothing on SQLite.
fn counted() -> Option<Counted> {
    counted_with(Settings::default())
}

fn counted_with(settings: Settings) -> Option<Counted> {
    if !Database::is_postgres() {
        return None;
    }
    let mut clusters = Clusters::new();
    let url = clusters.start("server");
    let world = World::on(&Address::Postgres(url.clone()), Settings::default());
    let author = Author::program(&[7; 32], world.now(), "seed");
    let seed = world.db.write(move |tx| bootstrap::ensure(tx, Some(ADMIN_TOKEN), &author, "ghp_").map(|_| ()));
    world.block_on(seed).expect("a site administrator");
    for login in ["olivia", "max", "tom", "eve"] {
        world.register(login);
    }
    let olivia = world.olivia();
    for (org, team) in [("acme", "Child"), ("other", "Team")] {
        world.organization(org, "olivia", &["max", "tom", "eve"]);
        olivia.post(&format!("/orgs/{org}/teams"), json!({ "name": "Core", "privacy": "closed" })).expect(201);
        let core = olivia.get(&format!("/orgs/{org}/teams/core")).expect(200)["id"].clone();
        for number in 0..=TIMES {
            let team = json!({ "name": format!("{team} {number}"), "privacy": "closed", "parent_team_id": core });
            olivia.post(&format!("/orgs/{org}/teams"), team).expect(201);
        }
    }
    let proxy = Proxy::before(&url);
    let node = World::on(&Address::Postgres(proxy.url(&url)), settings);
    Some(Counted { node, world, proxy, url, _clusters: clusters })
}

/// A client of that node, whose statements are prepared on all connections.
fn client(of: &Counted, login: &str) -> Client {
    let token = of.world.token(login, &["admin:org"]);
    let client = Client::new(&of.node.base, Some(&token));
    let mut session = Session::connect(&of.url, NoTls).expect("a session");
    for number in 0..40 {
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

/// The number of round trips of each request that comes after one which is not counted.
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

/// The least number. Others have statements to prepare, or a busy machine has sent the parts of one too slowly.
fn least(all: &[usize]) -> usize {
    all[0]
}

/// The number in the middle. One of them may also have shared the proof of another request.
fn usual(all: &[usize]) -> usize {
    all[all.len() / 2]
}

#[test]
fn a_warm_read_needs_no_table() {
    let Some(of) = counted() else { return };
    let olivia = of.world.olivia();
    let read = |times| (0..times).for_each(|_| assert!(olivia.get("/orgs/acme/teams/core").expect(200).is_object()));
    read(4);
    let mut session = Session::connect(&of.url, NoTls).expect("a session");
    // A read of any of them would wait for this until it is refused.
    let locks = "BEGIN; LOCK TABLE tokens, users, orgs, teams, team_members, journal_heads";
    session.batch_execute(locks).expect("locks");
    read(10);
    session.batch_execute("ROLLBACK").expect("the end");
}

#[test]
fn a_read_takes_one_round_trip_after_a_write_elsewhere_and_two_when_it_is_cold() {
    let Some(of) = counted() else { return };
    let (olivia, tom) = (client(&of, "olivia"), client(&of, "tom"));
    let elsewhere = |number: usize| {
        let path = format!("/orgs/other/teams/team-{number}/memberships/max");
        olivia.put(&path, json!({})).expect(200);
        olivia.delete(&path).expect(204);
    };
    of.proxy.hold();
    for reader in [&olivia, &tom] {
        for path in ["/orgs/acme/teams/child-0", "/orgs/acme/teams"] {
            let after = each(&of.proxy, elsewhere, |_| drop(reader.get(path)));
            assert_eq!(least(&after), 1, "{path}: {after:?}");
        }
    }
    let cold = each(&of.proxy, |_| {}, |number| drop(tom.get(&format!("/orgs/acme/teams/child-{number}"))));
    assert_eq!(least(&cold), 2, "{cold:?}");
    // So does a caller who is seen for the first time, with one round trip more.
    let newcomers: Vec<Client> =
        (0..=TIMES).map(|_| Client::new(&of.node.base, Some(&of.world.token("eve", &["read:org"])))).collect();
    for number in 0..=TIMES {
        olivia.get(&format!("/orgs/acme/teams/child-{number}")).expect(200);
    }
    let cold =
        each(&of.proxy, |_| {}, |number| drop(newcomers[number].get(&format!("/orgs/acme/teams/child-{number}"))));
    assert_eq!(least(&cold), 3, "{cold:?}");
}

/// The worker's writes concern no organization's text.
#[test]
fn a_read_takes_at_most_two_round_trips_after_a_delivery_elsewhere() {
    // Its worker does nothing unless something was committed there.
    let settings = Settings { delivers: true, poll: Duration::from_hours(1), ..Settings::default() };
    let Some(of) = counted_with(settings) else { return };
    let olivia = client(&of, "olivia");
    let receiver = Receiver::accepting();
    let config = json!({ "url": receiver.url, "content_type": "json" });
    let owner = Client::new(&of.node.base, Some(&of.world.token("olivia", &["admin:org_hook"])));
    let hook = json!({ "name": "web", "config": config, "events": ["membership"] });
    owner.post("/orgs/other/hooks", hook).expect(201);
    let delivery = |member: &str, number: usize| {
        let before = receiver.arrivals().len();
        olivia.put(&format!("/orgs/other/teams/team-{number}/memberships/{member}"), json!({})).expect(200);
        receiver.until(|arrivals| arrivals.len() > before);
        let left = || of.world.rows::<(i64,)>("SELECT count(*) FROM deliveries WHERE state = 'waiting'")[0].0;
        waiting::until("the result is written down", || left() == 0);
        of.node.settle();
    };
    of.proxy.hold();
    for (path, member) in [("/orgs/acme/teams/child-0", "max"), ("/orgs/acme/teams", "tom")] {
        let after = each(&of.proxy, |number| delivery(member, number), |_| drop(olivia.get(path)));
        // The worker may ask for something at the same time. Seven were needed when nothing stayed valid.
        assert!(least(&after) <= 2, "{path}: {after:?}");
    }
}

#[test]
fn a_membership_is_put_in_seven_round_trips() {
    let Some(of) = counted() else { return };
    let olivia = client(&of, "olivia");
    of.proxy.hold();
    let put = |number: usize| {
        olivia.put(&format!("/orgs/acme/teams/child-{number}/memberships/tom"), json!({})).expect(200);
    };
    let all = each(&of.proxy, |_| {}, put);
    // The proof and the team, before; the lock with what is found under it, the person, the row, the rest, the commit.
    assert_eq!(usual(&all), 7, "{all:?}");
}

/// A write decides on what readers have found, if nothing that concerns it has changed by the time it has its locks.
#[test]
fn a_write_does_not_read_again_what_readers_have_found() {
    let Some(of) = counted() else { return };
    let olivia = client(&of, "olivia");
    let put = |role: &str| {
        olivia.put("/orgs/acme/teams/child-0/memberships/tom", json!({ "role": role })).expect(200);
    };
    ["member", "maintainer", "member"].into_iter().for_each(put);
    let mut session = Session::connect(&of.url, NoTls).expect("a session");
    // A statement that reads one of them would wait for this until it is refused.
    session.batch_execute("BEGIN; LOCK TABLE teams, team_groups, orgs").expect("locks");
    ["maintainer", "member"].into_iter().for_each(put);
    session.batch_execute("ROLLBACK").expect("the end");
}

/// The data that commits of this node leave in memory is right, whatever else is committed between two answers.
#[test]
fn what_outlives_a_commit_is_never_outdated() {
    let Some(of) = counted() else { return };
    let (olivia, tom) = (client(&of, "olivia"), client(&of, "tom"));
    let [mut session, mut late] = [(); 2].map(|()| Session::connect(&of.url, NoTls).expect("a session"));
    let describe = |what: &str| format!("UPDATE teams SET description = '{what}' WHERE slug = 'child-1'");
    let shown = |client: &Client| {
        let team = client.get("/orgs/acme/teams/child-1").expect(200).clone();
        (team["description"].as_str().unwrap_or_default().to_owned(), team["members_count"].as_i64().expect("a number"))
    };
    let elsewhere = || {
        olivia.put("/orgs/other/teams/team-1/memberships/max", json!({})).expect(200);
        olivia.delete("/orgs/other/teams/team-1/memberships/max").expect(204);
    };
    let mut run = |sql: &str| session.batch_execute(sql).expect("a statement");
    let before = shown(&tom).1;
    for round in 0..3 {
        let [manually, beside, at_last] = ["manually", "beside", "at last"].map(|what| format!("{what} {round}"));
        for member in ["eve", "max"] {
            elsewhere();
            olivia.put(&format!("/orgs/acme/teams/child-1/memberships/{member}"), json!({})).expect(200);
            let members = before + if member == "eve" { 1 } else { 2 };
            assert_eq!((shown(&tom).1, shown(&olivia).1), (members, members));
        }
        run(&describe(&manually));
        assert_eq!(shown(&tom).0, manually);
        // Made by hand between two commits of the node, with no answer in between.
        elsewhere();
        run(&describe(&beside));
        elsewhere();
        assert_eq!((shown(&olivia).0, shown(&tom).0), (beside.clone(), beside.clone()));
        // Begun before commits of the node, and committed after them.
        late.batch_execute(&format!("BEGIN; SAVEPOINT one; {}; RELEASE one", describe(&at_last))).expect("statements");
        for _ in 0..3 {
            elsewhere();
            assert_eq!((shown(&tom).0, shown(&olivia).0), (beside.clone(), beside.clone()));
        }
        late.batch_execute("COMMIT").expect("a commit");
        assert_eq!((shown(&tom).0, shown(&olivia).0), (at_last.clone(), at_last.clone()));
        // Another node writes.
        of.world.olivia().delete("/orgs/acme/teams/child-1/memberships/max").expect(204);
        assert_eq!(shown(&tom).1, before + 1);
        olivia.delete("/orgs/acme/teams/child-1/memberships/eve").expect(204);
        assert_eq!((shown(&tom).1, shown(&olivia).1), (before, before));
    }
}
