//! The repeated sending of invitations, and their end (decisions 25 and 26, states 7 and 8).

use crate::spec::given;
use crate::spec::invitations::{FAILED, INVITATIONS, MINE, NINA, accept, by_id, invite, shown};
use crate::support::{Value, World, json};

const WEEK: i64 = 7 * 86_400;

/// The events of invitations: the invitee, and whether a mail is to be sent.
fn told(world: &World) -> Vec<(Value, Value, Value)> {
    let rows: Vec<(String,)> = world
        .rows("SELECT facts FROM journal_facts WHERE event = 'organization.member_invited' ORDER BY org_id, entry");
    // The first four were invited before the test began.
    let facts = rows.iter().skip(4).map(|(facts,)| serde_json::from_str::<Value>(facts).expect("JSON"));
    facts.map(|f| (f["invitation"]["login"].clone(), f["invitation"]["email"].clone(), f["mail"].clone())).collect()
}

#[test]
fn decision_26_an_expired_invitation_is_among_the_failed_ones_without_any_worker() {
    let world = World::new();
    given::put(&world, "core", "nina", "member");
    assert_eq!(world.olivia().get(FAILED).expect(200), &json!([]));
    world.advance(WEEK);
    let list = world.olivia().get(FAILED);
    let failed = &list.expect(200)[0];
    assert_eq!((&failed["login"], &failed["failed_at"]), (&json!("nina"), &json!("2026-01-08T00:00:00Z")));
    assert!(failed["failed_reason"].as_str().is_some_and(|reason| reason.contains("expired")), "{failed}");
    assert_eq!(failed["team_count"], 0);
    for path in [INVITATIONS, "/orgs/acme/teams/core/invitations"] {
        assert_eq!(world.olivia().get(path).expect(200), &json!([]), "{path}");
    }
    let id = given::id(failed);
    assert_eq!(world.olivia().get(&format!("{INVITATIONS}/{id}/teams")).expect(200), &json!([]));
    world.olivia().delete(&format!("{INVITATIONS}/{id}")).refused(404, "Not Found");
    // Any other invitation writes the failure down; the list stays the same.
    invite(&world, json!({ "email": "una@example.com" }));
    assert_eq!(world.olivia().get(FAILED).expect(200), &list.json);
}

#[test]
fn decision_26_inviting_again_revives_a_failed_invitation() {
    let world = World::new();
    by_id(&world, "nina");
    invite(&world, json!({ "email": "una@example.com" }));
    world.advance(WEEK);
    assert_eq!(shown(&world, FAILED).len(), 2);
    by_id(&world, "nina");
    invite(&world, json!({ "email": "UNA@example.com" }));
    assert_eq!((shown(&world, FAILED).len(), shown(&world, INVITATIONS).len()), (0, 2));
    world.advance(WEEK - 1);
    accept(&world, "nina").expect(200);
}

#[test]
fn decision_26_a_second_post_sends_the_open_invitation_again() {
    let world = World::new();
    let first = invite(&world, json!({ "email": "una@example.com" }));
    world.advance(WEEK - 1);
    let core = given::core(&world)["id"].clone();
    let again = invite(&world, json!({ "email": "una@example.com", "role": "admin", "team_ids": [core] }));
    assert_eq!((&again["id"], &again["created_at"]), (&first["id"], &first["created_at"]));
    assert_eq!((&again["role"], &again["team_count"]), (&json!("admin"), &json!(1)));
    let mail = (json!(null), json!("una@example.com"), json!(true));
    assert_eq!(told(&world), [mail.clone(), mail]);
    world.advance(WEEK - 1);
    assert_eq!(shown(&world, INVITATIONS).len(), 1, "open for a week again");
    let billing = json!({ "email": "una@example.com", "role": "billing_manager" });
    world.olivia().post(INVITATIONS, billing).refused(422, "Validation Failed");
}

#[test]
fn decision_25_a_put_sends_no_second_mail_within_24_hours() {
    let world = World::new();
    given::put(&world, "core", "nina", "member");
    world.advance(86_399);
    given::put(&world, "core", "nina", "maintainer");
    world.olivia().put("/orgs/acme/memberships/nina", json!({ "role": "admin" })).expect(200);
    let mail = (json!("nina"), json!(null), json!(true));
    assert_eq!(told(&world), std::slice::from_ref(&mail));
    world.advance(1);
    given::put(&world, "core", "nina", "member");
    assert_eq!(told(&world), [mail.clone(), mail]);
}

#[test]
fn states_7_a_declined_invitation_is_kept_as_failed() {
    let world = World::new();
    given::put(&world, "core", "nina", "member");
    world.nina().delete(MINE).expect(204);
    world.olivia().get(NINA).refused(404, "Not Found");
    accept(&world, "nina").refused(404, "Not Found");
    world.nina().delete(MINE).refused(404, "Not Found");
    assert_eq!(world.olivia().get(INVITATIONS).expect(200), &json!([]));
    let failed = world.olivia().get(FAILED).expect(200)[0].clone();
    assert_eq!((&failed["login"], &failed["failed_at"]), (&json!("nina"), &json!("2026-01-01T00:00:00Z")));
    assert!(failed["failed_reason"].as_str().is_some_and(|reason| reason.contains("declined")), "{failed}");
}

#[test]
fn states_7_a_cancelled_invitation_takes_its_pending_memberships_along() {
    let world = World::new();
    given::put(&world, "core", "nina", "member");
    let id = given::id(&world.olivia().get(INVITATIONS).expect(200)[0]);
    world.olivia().delete(&format!("{INVITATIONS}/{id}")).expect(204);
    world.olivia().get(NINA).refused(404, "Not Found");
    accept(&world, "nina").refused(404, "Not Found");
    for path in [INVITATIONS, FAILED] {
        assert_eq!(world.olivia().get(path).expect(200), &json!([]), "{path}");
    }
}

#[test]
fn states_8_a_member_leaves_by_themselves_and_the_last_owner_stays() {
    let world = World::new();
    world.max().delete(MINE).expect(204);
    world.olivia().get("/orgs/acme/teams/core/memberships/max").refused(404, "Not Found");
    assert_eq!(given::core(&world)["members_count"], 1);
    world.olivia().delete(MINE).refused(422, "Validation Failed");
    world.nina().delete(MINE).refused(404, "Not Found");
    world.nina().delete("/user/memberships/orgs/nowhere").refused(404, "Not Found");
}

#[test]
fn decision_26_a_member_whose_address_is_invited_stays_what_they_are() {
    let world = World::new();
    invite(&world, json!({ "email": "second@example.com" }));
    given::run(&world, "UPDATE emails SET email_key = 'second@example.com' WHERE email = 'olivia@example.com'");
    assert_eq!(accept(&world, "olivia").expect(200)["role"], "admin");
}
