//! Two servers deliver from one database. Each delivery is sent by one of them, and the other takes over what one
//! leaves (decision 44).

use std::collections::BTreeSet;

use crate::support::receiver::{Receiver, Reply};
use crate::support::world::Settings;
use crate::support::{World, json, waiting};

const TEAMS: usize = 30;

fn delivering() -> Settings {
    Settings { delivers: true, ..Settings::default() }
}

fn hook(world: &World, receiver: &Receiver) {
    let config = json!({ "url": receiver.url, "content_type": "json" });
    let body = json!({ "name": "web", "config": config, "events": ["team"] });
    world.olivia().post("/orgs/acme/hooks", body).expect(201);
}

fn team(world: &World, name: &str) {
    world.olivia().post("/orgs/acme/teams", json!({ "name": name })).expect(201);
}

#[test]
fn two_nodes_share_the_work_and_neither_does_what_the_other_does() {
    let first = World::with(delivering());
    first.olivia();
    let second = first.second_server_with(delivering());
    let nodes = [&first, &second];
    let receivers: Vec<Receiver> = (0..4).map(|_| Receiver::accepting()).collect();
    for (number, receiver) in receivers.iter().enumerate() {
        hook(nodes[number % 2], receiver);
        receiver.until(|arrivals| !arrivals.is_empty());
    }
    std::thread::scope(|scope| {
        for (number, node) in nodes.into_iter().enumerate() {
            scope.spawn(move || {
                (0..TEAMS / 2).for_each(|team_number| team(node, &format!("Team {number} {team_number}")));
            });
        }
    });
    for receiver in &receivers {
        receiver.until(|arrivals| arrivals.len() > TEAMS);
    }
    // Everything is written down, so nothing is left to be sent.
    let left = || first.rows::<(i64,)>("SELECT count(*) FROM deliveries WHERE state = 'waiting'")[0].0;
    waiting::until("no delivery waits", || left() == 0);
    for receiver in &receivers {
        let arrivals = receiver.arrivals();
        let guids: BTreeSet<&String> = arrivals.iter().map(|arrival| &arrival.guid).collect();
        assert_eq!((arrivals.len(), guids.len()), (TEAMS + 1, TEAMS + 1), "each exactly once, and the ping");
    }
}

#[test]
fn a_node_sends_nothing_while_another_has_the_lease_and_takes_over_when_it_ends() {
    let first = World::with(delivering());
    let receiver = Receiver::accepting();
    hook(&first, &receiver);
    receiver.until(|arrivals| !arrivals.is_empty());
    receiver.answer(|_, _| Reply::Close);
    team(&first, "Left");
    let tried = receiver.until(|arrivals| arrivals.len() > 1);
    let other = Receiver::accepting();
    hook(&first, &other);
    other.until(|arrivals| !arrivals.is_empty());
    let first_hook = "WHERE target_id = (SELECT min(id) FROM hooks)";
    first.execute(format!("UPDATE delivery_leases SET node = 'another', until = 9000000000000000 {first_hook}").leak());
    receiver.answer(|_, _| Reply::Status(200));
    team(&first, "Held");
    other.until(|arrivals| arrivals.iter().any(|arrival| arrival.body["team"]["name"] == "Held"));
    let held = receiver.arrivals().into_iter().find(|arrival| arrival.body["team"]["name"] == "Held");
    assert!(held.is_none(), "another node has the lease");
    first.execute("UPDATE delivery_leases SET until = 0");
    first.advance(10);
    let arrivals = receiver.until(|arrivals| {
        let has = |name: &str| arrivals.iter().any(|a| a.accepted && a.body["team"]["name"] == name);
        has("Left") && has("Held")
    });
    let left = arrivals.iter().filter(|arrival| arrival.guid == tried[1].guid);
    assert!(left.count() >= 2, "it is sent under the same identifier");
}
