//! Vulnerability alerts of repositories, which clients set and read (decision 52).

use crate::spec::given;
use crate::support::{World, json};

const ALERTS: &str = "/repos/acme/web/vulnerability-alerts";

#[test]
fn decision_52_vulnerability_alerts_are_switched_on_and_off() {
    let world = World::new();
    given::repository(&world, "web", None);
    let olivia = world.olivia();
    let recorded = || {
        let rows: Vec<(String,)> =
            world.rows("SELECT action FROM journal WHERE action LIKE 'repository_vulnerability%' ORDER BY entry");
        rows.into_iter().map(|(action,)| action).collect::<Vec<_>>()
    };
    olivia.get(ALERTS).refused(404, "Not Found");
    for _ in 0..2 {
        olivia.put_empty(ALERTS).expect(204);
    }
    olivia.get(ALERTS).expect(204);
    assert_eq!(recorded(), ["repository_vulnerability_alerts.enable"]);
    for _ in 0..2 {
        olivia.delete(ALERTS).expect(204);
    }
    olivia.get(ALERTS).refused(404, "Not Found");
    assert_eq!(recorded(), ["repository_vulnerability_alerts.enable", "repository_vulnerability_alerts.disable"]);
    let logged = olivia.get("/orgs/acme/audit-log?per_page=1").expect(200)[0].clone();
    assert_eq!(logged["repo"], "acme/web");
    assert_eq!((&logged["before"]["vulnerability_alerts"], &logged["after"]["vulnerability_alerts"]), {
        (&json!(true), &json!(false))
    });
}

#[test]
fn decision_52_vulnerability_alerts_are_for_those_who_administer_the_repository() {
    let world = World::new();
    given::repository(&world, "web", Some("max"));
    world.olivia().post("/orgs/acme/repos", json!({ "name": "vault", "private": true })).expect(201);
    let hidden = "/repos/acme/vault/vulnerability-alerts";
    world.olivia().put_empty(hidden).expect(204);
    world.max().put_empty(ALERTS).expect(204);
    for client in [world.eve(), world.nina()] {
        client.get(ALERTS).expect(403);
        client.put_empty(ALERTS).expect(403);
        client.delete(ALERTS).expect(403);
    }
    world.nina().get(hidden).refused(404, "Not Found");
    world.nina().put_empty(hidden).refused(404, "Not Found");
    world.limited("olivia", &["admin:org"]).put_empty(ALERTS).refused(404, "Not Found");
    world.anonymous().get(ALERTS).expect(401);
    world.max().get(ALERTS).expect(204);
}

#[test]
fn decision_52_a_personal_repository_has_alerts_of_its_own() {
    let world = World::new();
    world.tom().post("/user/repos", json!({ "name": "notes" })).expect(201);
    world.tom().put_empty("/repos/tom/notes/vulnerability-alerts").expect(204);
    world.tom().get("/repos/tom/notes/vulnerability-alerts").expect(204);
    given::repository(&world, "web", None);
    world.olivia().get(ALERTS).refused(404, "Not Found");
}
