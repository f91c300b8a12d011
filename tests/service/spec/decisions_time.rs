//! The clock (decision 70).

use crate::support::{World, json};

#[test]
fn decision_70_a_record_never_changes_before_it_was_created() {
    let world = World::new();
    let olivia = world.olivia();
    world.advance(3_600);
    let team = olivia.post("/orgs/acme/teams", json!({ "name": "Late" })).expect(201).clone();
    world.advance(-240);
    let changed = olivia.patch("/orgs/acme/teams/late", json!({ "name": "Late", "description": "Too late." }));
    let changed = changed.expect(200);
    assert_eq!(changed["description"], "Too late.");
    let time = |key: &str| changed[key].as_str().expect("a time").to_owned();
    assert!(time("updated_at") >= time("created_at"), "{changed}");
    assert_eq!(changed["created_at"], team["created_at"]);
}
