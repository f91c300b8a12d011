//! Plans as they are stored: who sees them, for how long, and how many there are (decision 75).

use crate::spec::plans::{PLANS, applied, changes, planned};
use crate::support::{Value, World, json};

const DAY: i64 = 24 * 3_600;

/// The numbers of plans, and of their bytes.
fn stored(world: &World) -> (i64, i64) {
    world.rows("SELECT count(*), CAST(coalesce(sum(size), 0) AS BIGINT) FROM plans")[0]
}

#[test]
fn decision_75_owners_see_a_plan_for_a_day_and_nobody_else_does() {
    let world = World::new();
    world.olivia().put("/orgs/acme/memberships/max", json!({ "role": "admin" })).expect(200);
    world.organization("globex", "nina", &[]);
    let plan = planned(&world.olivia(), "", "description: x").expect(201).clone();
    let path = format!("{PLANS}/{}", plan["id"]);
    assert_eq!(world.max().get(&path).expect(200), &plan);
    for client in [world.anonymous(), world.tom(), world.nina(), world.sam(), world.limited("olivia", &["admin:org"])] {
        client.get(&path).refused(404, "Not Found");
    }
    world.nina().get(&path.replace("acme", "globex")).refused(404, "Not Found");
    let elsewhere = format!("{}/apply", path.replace("acme", "globex"));
    world.nina().post(&elsewhere, json!({})).refused(404, "Not Found");
    world.advance(DAY - 1);
    world.olivia().get(&path).expect(200);
    world.advance(1);
    world.olivia().get(&path).refused(404, "Not Found");
    applied(&world.olivia(), &plan, &json!({})).refused(404, "Not Found");
    assert_eq!(stored(&world).0, 1);
    let now = world.now();
    world.block_on(world.db.write(move |tx| guildhall::plans::trim(tx, now))).expect("old plans go");
    assert_eq!(stored(&world).0, 0);
}

#[test]
fn decision_75_what_one_person_can_make_the_server_hold_is_bounded() {
    let world = World::new();
    let large = format!("description: x\n# {}", "x".repeat((8 << 20) - 100));
    let plans: Vec<_> = (0..5).map(|_| planned(&world.olivia(), "", &large).expect(201)["id"].clone()).collect();
    let (count, bytes) = stored(&world);
    assert!(count == 3 && bytes < 26 << 20, "{count} plans of {bytes} bytes");
    world.olivia().get(&format!("{PLANS}/{}", plans[1])).refused(404, "Not Found");
    world.olivia().get(&format!("{PLANS}/{}", plans[2])).expect(200);
    for org in ["beta", "gamma", "delta"] {
        world.organization(org, "olivia", &[]);
        for _ in 0..3 {
            world.olivia().send("POST", &format!("/orgs/{org}/plans"), Some(large.clone())).expect(201);
        }
    }
    let (count, bytes) = stored(&world);
    assert!(count <= 8 && bytes <= 64 << 20, "{count} plans of {bytes} bytes");
    world.olivia().get(&format!("{PLANS}/{}", plans[4])).refused(404, "Not Found");
}

#[test]
fn decision_75_nothing_secret_of_terraform_state_is_stored() {
    let world = World::new();
    let one = |kind: &str, attributes: Value| {
        json!({ "mode": "managed", "type": kind, "name": "one",
        "instances": [{ "attributes": attributes, "private": "hush" }] })
    };
    let state = json!({
        "version": 4,
        "terraform_version": "1.9.0",
        "outputs": { "password": { "value": "hush" } },
        "resources": [
            one("github_team", json!({ "id": "1", "name": "New" })),
            one("github_actions_secret", json!({ "plaintext_value": "hush" })),
        ],
    });
    let plan = planned(&world.olivia(), "", &state.to_string()).expect(201).clone();
    assert_eq!(changes(&plan), ["add team New"]);
    let (source,): (String,) = world.rows("SELECT source FROM plans").remove(0);
    assert!(source.contains("New") && !source.contains("hush"), "{source}");
    assert_eq!(changes(applied(&world.olivia(), &plan, &json!({})).expect(200)), ["add team New"]);
}

#[test]
fn decision_75_plans_go_with_their_organization_and_their_person() {
    let world = World::new();
    world.olivia().put("/orgs/acme/memberships/max", json!({ "role": "admin" })).expect(200);
    planned(&world.max(), "", "description: x").expect(201);
    planned(&world.olivia(), "", "description: x").expect(201);
    assert_eq!(stored(&world).0, 2);
    world.sam().delete("/admin/users/max").expect(204);
    assert_eq!(stored(&world).0, 1);
    world.olivia().delete("/orgs/acme").expect(202);
    assert_eq!(stored(&world).0, 0);
}
