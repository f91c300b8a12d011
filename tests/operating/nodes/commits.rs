//! A connection to PostgreSQL that is cut in the middle of a COMMIT: the write happens once, and its caller learns so
//! (docs/decisions/0029). SQLite has no connection that could be cut.

use std::collections::BTreeMap;

use guildhall::db::{Address, Options};

use crate::nodes::proxy::{Cut, Proxy};
use crate::support::world::Settings;
use crate::support::{World, json};

/// The number of people who write at once.
const WRITERS: usize = 6;

/// A world on PostgreSQL, and a node that reaches it by a proxy; nothing on SQLite.
fn by_proxy(settings: Settings) -> Option<(World, World, Proxy)> {
    let world = World::new();
    let Address::Postgres(url) = world.address() else { return None };
    let proxy = Proxy::before(url);
    let node = World::on(&Address::Postgres(proxy.url(url)), settings);
    Some((world, node, proxy))
}

/// The names of the teams that were made, each with how often the journal says so.
fn made(world: &World) -> BTreeMap<String, usize> {
    let mut made = BTreeMap::new();
    let rows: Vec<(String,)> =
        world.rows("SELECT after FROM journal WHERE org_id = 1 AND action = 'team.create' ORDER BY entry");
    for (after,) in rows {
        let team: serde_json::Value = serde_json::from_str(&after).expect("JSON");
        *made.entry(team["name"].as_str().expect("a name").to_owned()).or_default() += 1;
    }
    made
}

#[test]
fn a_commit_whose_answer_is_lost_has_happened_once() {
    let Some((world, node, proxy)) = by_proxy(Settings::default()) else { return };
    let olivia = node.olivia();
    for cut in [Cut::After, Cut::Before] {
        for number in 0..5 {
            let name = format!("{cut:?} {number}");
            proxy.cut(cut, 1);
            let before = proxy.cuts();
            let made = std::thread::scope(|scope| {
                let making = scope.spawn(|| olivia.post("/orgs/acme/teams", json!({ "name": name })));
                while proxy.cuts() == before {
                    std::thread::yield_now();
                }
                proxy.cut(Cut::Nowhere, 1);
                making.join().expect("no panic")
            });
            made.expect(201);
        }
    }
    let made = made(&world);
    assert!(made.values().all(|times| *times == 1), "{made:?}");
    assert_eq!(world.olivia().all("/orgs/acme/teams").len(), 1 + 10);
}

#[test]
fn cut_again_and_again_while_many_write_nothing_is_lost_or_done_twice() {
    for cut in [Cut::After, Cut::Before] {
        let Some((world, node, proxy)) = by_proxy(Settings::default()) else { return };
        proxy.cut(cut, 3);
        let acknowledged: Vec<String> = std::thread::scope(|scope| {
            let writer = |writer: usize| {
                let olivia = node.olivia();
                move || -> Vec<String> {
                    let names = (0..15).map(|number| format!("{writer} {number}"));
                    names
                        .filter(|name| olivia.post("/orgs/acme/teams", json!({ "name": name })).status == 201)
                        .collect()
                }
            };
            let writing: Vec<_> = (0..WRITERS).map(|number| scope.spawn(writer(number))).collect();
            writing.into_iter().flat_map(|one| one.join().expect("no panic")).collect()
        });
        assert!(proxy.cuts() > 3, "{} cuts", proxy.cuts());
        let made = made(&world);
        assert!(made.values().all(|times| *times == 1), "{made:?}");
        assert!(acknowledged.iter().all(|name| made.contains_key(name)), "{acknowledged:?}: {made:?}");
        assert!(acknowledged.len() > WRITERS * 15 / 2, "most are answered: {}", acknowledged.len());
        let listed = world.olivia().all("/orgs/acme/teams?per_page=100").len();
        assert_eq!(listed, made.len());
    }
}

/// Without the connection that proves freshness it is not known whether PostgreSQL has crashed since.
#[test]
fn a_commit_whose_answer_is_lost_is_not_acknowledged_where_nothing_is_proven() {
    let store = Options { shared_reads: false, ..Options::default() };
    let Some((world, node, proxy)) = by_proxy(Settings { store, ..Settings::default() }) else { return };
    let olivia = node.olivia();
    for (cut, status) in [(Cut::After, 503), (Cut::Before, 201)] {
        let before = proxy.cuts();
        proxy.cut(cut, 1);
        let made = std::thread::scope(|scope| {
            let making = scope.spawn(|| olivia.post("/orgs/acme/teams", json!({ "name": format!("{cut:?}") })));
            while proxy.cuts() == before {
                std::thread::yield_now();
            }
            proxy.cut(Cut::Nowhere, 1);
            making.join().expect("no panic")
        });
        made.expect(status);
    }
    let made = made(&world);
    assert!(made["After"] == 1 && made["Before"] == 1, "{made:?}");
}
