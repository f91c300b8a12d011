//! The ends of memberships of teams, as requests set them (decision 64): values, invitations, owners, and e-mails.

use guildhall::clock::Time;
use guildhall::journal::Author;
use guildhall::members::ends;

use crate::spec::decisions_ends::{END, at_the_end, just_before, limit};
use crate::spec::given;
use crate::spec::mail_invitations::{all, settle};
use crate::spec::provider::{Provider, link, people};
use crate::support::world::Settings;
use crate::support::{Value, World, json};

const EVE: &str = "/orgs/acme/teams/core/memberships/eve";
const NINA: &str = "/orgs/acme/teams/core/memberships/nina";

fn end(world: &World, path: &str) -> Value {
    world.olivia().get(path).expect(200)["expires_at"].clone()
}

#[test]
fn decision_64_an_end_is_kept_unless_it_is_sent_and_null_clears_it() {
    let world = World::new();
    let put = |body: Value| world.olivia().put(EVE, body).expect(200).clone();
    let unlimited = put(json!({}));
    assert!(!unlimited.as_object().expect("a record").contains_key("expires_at"), "{unlimited}");
    let limited = put(json!({ "expires_at": END }));
    assert_eq!((&limited["expires_at"], &limited["role"]), (&json!(END), &json!("member")));
    assert_eq!(put(json!({ "role": "maintainer" }))["expires_at"], END);
    assert_eq!(end(&world, EVE), END);
    assert!(put(json!({ "expires_at": null })).get("expires_at").is_none());
    at_the_end(&world);
    world.olivia().get(EVE).expect(200);

    // A new membership is unlimited.
    put(json!({ "expires_at": "2026-01-03T00:00:00Z" }));
    world.olivia().delete(EVE).expect(204);
    assert!(put(json!({})).get("expires_at").is_none());
    world.olivia().delete(EVE).expect(204);
    assert!(put(json!({ "expires_at": null })).get("expires_at").is_none());
}

#[test]
fn decision_64_every_form_of_the_path_takes_a_time_with_an_offset_and_a_fraction() {
    let world = World::new();
    for form in given::forms(&given::core(&world)) {
        for (sent, shown) in [
            ("2026-01-02T02:00:00+02:00", "2026-01-02T00:00:00Z"),
            ("2026-01-02T02:00:00.25-01:30", "2026-01-02T03:30:00.250000Z"),
            ("2036-01-01T00:00:00Z", "2036-01-01T00:00:00Z"),
        ] {
            let put = world.olivia().put(&format!("{form}/memberships/eve"), json!({ "expires_at": sent }));
            assert_eq!(put.expect(200)["expires_at"], shown);
            assert_eq!(world.max().get(&format!("{form}/memberships/eve")).expect(200)["expires_at"], shown);
        }
    }
}

#[test]
fn decision_64_other_values_are_refused_and_change_nothing() {
    let world = World::new();
    limit(&world, "core", "eve", "member");
    let before = given::written(&world);
    let long = "2".repeat(1 << 16);
    for value in [
        json!("2025-12-31T23:59:59.999999Z"),
        json!("2026-01-01T00:00:00Z"),
        json!("2026-01-01T01:00:00+01:00"),
        json!("2036-01-01T00:00:00.000001Z"),
        json!("9999-12-31T23:59:59Z"),
        json!("2026-01-02"),
        json!("2026-01-02T00:00:00"),
        json!("2026-02-30T00:00:00Z"),
        json!("tomorrow"),
        json!(""),
        json!(long),
        json!("2026-01-02T00:00:00\u{e9}"),
        json!(1_767_312_000),
        json!(true),
        json!([END]),
        json!({ "at": END }),
    ] {
        for login in ["eve", "tom", "ray", "nina"] {
            let path = format!("/orgs/acme/teams/core/memberships/{login}");
            world.olivia().put(&path, json!({ "role": "maintainer", "expires_at": value })).expect(422);
        }
    }
    world.olivia().put(&format!("{EVE}?expires_at=null"), json!({})).expect(422);
    assert_eq!(given::written(&world), before);
    // Who may not change the membership learns nothing about the value.
    world.client("ray").put(EVE, json!({ "expires_at": "tomorrow" })).expect(403);
    world.nina().put(EVE, json!({ "expires_at": "tomorrow" })).refused(404, "Not Found");
}

#[test]
fn decision_64_the_audit_log_shows_the_end_before_and_after() {
    let world = World::new();
    world.olivia().put(EVE, json!({})).expect(200);
    limit(&world, "core", "eve", "member");
    world.olivia().put(EVE, json!({ "expires_at": null })).expect(200);
    let log = world.olivia().get("/orgs/acme/audit-log?phrase=action:team.update_member").expect(200).clone();
    let log: Vec<String> = log.as_array().expect("a list").iter().map(Value::to_string).collect();
    assert_eq!(log.len(), 2);
    assert!(log.iter().all(|entry| entry.matches(END).count() == 1), "{log:#?}");
}

#[test]
fn decision_64_the_audit_log_shows_the_end_of_a_membership_that_is_removed_with_others() {
    let world = World::new();
    given::closed(&world, "Den");
    given::put(&world, "den", "eve", "member");
    limit(&world, "core", "eve", "maintainer");
    world.olivia().delete("/orgs/acme/members/eve").expect(204);
    let log = world.olivia().get("/orgs/acme/audit-log?phrase=action:team.remove_member").expect(200).clone();
    let before = |slug: &str| {
        let of = log.as_array().expect("a list").iter().find(|entry| entry["before"]["team_slug"] == slug);
        let before = &of.expect("an entry")["before"];
        (before["user"].clone(), before["role"].clone(), before.get("expires_at").cloned())
    };
    assert_eq!(before("core"), (json!("eve"), json!("maintainer"), Some(json!(END))));
    assert_eq!(before("den"), (json!("eve"), json!("member"), None));
    assert_eq!(world.rows::<(i64,)>("SELECT user_id FROM team_members WHERE expires_at IS NOT NULL").len(), 0);
}

#[test]
fn decision_64_an_invitation_keeps_the_end_of_each_team() {
    let world = World::new();
    given::closed(&world, "Docs");
    let pending = limit(&world, "core", "nina", "maintainer");
    assert_eq!((&pending["state"], &pending["expires_at"]), (&json!("pending"), &json!(END)));
    let docs = world.olivia().put("/orgs/acme/teams/docs/memberships/nina", json!({})).expect(200).clone();
    assert!(docs.get("expires_at").is_none());
    // A maintainer changes the role without the end, and the end.
    assert_eq!(world.max().put(NINA, json!({ "role": "member" })).expect(200)["expires_at"], END);
    let later = "2026-01-03T00:00:00Z";
    assert_eq!(world.max().put(NINA, json!({ "expires_at": later })).expect(200)["expires_at"], later);
    limit(&world, "core", "nina", "member");
    just_before(&world);
    world.nina().patch("/user/memberships/orgs/acme", json!({ "state": "active" })).expect(200);
    assert_eq!(end(&world, NINA), END);
    at_the_end(&world);
    world.olivia().get(NINA).expect(404);
    world.olivia().get("/orgs/acme/teams/docs/memberships/nina").expect(200);
}

#[test]
fn decision_64_a_team_whose_end_has_passed_is_not_joined() {
    let world = World::new();
    given::closed(&world, "Docs");
    limit(&world, "core", "nina", "maintainer");
    given::put(&world, "docs", "nina", "member");
    at_the_end(&world);
    world.nina().patch("/user/memberships/orgs/acme", json!({ "state": "active" })).expect(200);
    world.olivia().get("/orgs/acme/teams/docs/memberships/nina").expect(200);
    world.olivia().get(NINA).expect(404);
}

#[test]
fn decision_64_the_membership_of_an_owner_ends_when_they_are_none_any_more() {
    let world = World::new();
    limit(&world, "core", "eve", "member");
    limit(&world, "core", "ray", "member");
    assert_eq!(limit(&world, "core", "olivia", "member")["expires_at"], END);
    world.olivia().put("/orgs/acme/memberships/eve", json!({ "role": "admin" })).expect(200);
    at_the_end(&world);
    assert_eq!(people(&world, "core"), ["olivia", "max", "tom", "eve"]);
    assert_eq!(end(&world, EVE), END);
    // What ends later is not hidden by the owners' rows.
    let later = json!({ "expires_at": "2026-01-02T01:00:00Z" });
    world.olivia().put("/orgs/acme/teams/core/memberships/ray", later).expect(200);
    world.advance(3_600);
    assert_eq!(people(&world, "core"), ["olivia", "max", "tom", "eve"]);
    world.olivia().put("/orgs/acme/memberships/eve", json!({ "role": "member" })).expect(200);
    assert_eq!(people(&world, "core"), ["olivia", "max", "tom"]);
}

#[test]
fn decision_64_a_synchronized_team_has_no_ends() {
    let world = World::new();
    limit(&world, "core", "tom", "member");
    let provider = Provider::of(&world);
    let tom = provider.tied(&world, "tom");
    let group = provider.group("Staff", &[&tom]);
    link(&world, "core", &[&group]).expect(200);
    for value in [json!(END), json!(null)] {
        world.olivia().put("/orgs/acme/teams/core/memberships/tom", json!({ "expires_at": value })).expect(403);
    }
    at_the_end(&world);
    assert_eq!(people(&world, "core"), ["tom"]);
    link(&world, "core", &[]).expect(200);
    assert_eq!(people(&world, "core"), ["tom"]);
    assert!(end(&world, "/orgs/acme/teams/core/memberships/tom").is_null());
}

const DAY: i64 = 86_400;

/// Queues the e-mails about ends that are a week ahead.
pub fn announce(world: &World) {
    let now = world.now();
    let change = world.db.write(move |tx| ends::announce(tx, &Author::program(&[7; 32], now, "reminders")));
    world.block_on(change).expect("announcements");
}

#[test]
fn decision_64_a_member_gets_one_mail_a_week_before_the_end() {
    let world = World::with(Settings { delivers: true, ..Settings::default() });
    let put = |at: &str| drop(world.olivia().put(EVE, json!({ "expires_at": at })).expect(200).clone());
    put("2026-01-15T18:30:00Z");
    world.clock.set(|_| Some(Time(1_767_896_999_999_999)));
    announce(&world);
    settle(&world);
    world.clock.set(|now| Some(Time(now.0 + 1)));
    announce(&world);
    announce(&world);
    let mail = all(&world, 1).remove(0);
    assert_eq!(mail.to(), "eve@example.com");
    assert_eq!(mail.header("Subject"), "Your membership of Core in acme ends on 15 January 2026");
    assert!(mail.text.contains("15 January 2026, 18:30 UTC"), "{}", mail.text);

    // Another end has another e-mail; one that is less than a week ahead has none.
    put("2026-01-20T00:00:00Z");
    put("2026-01-21T00:00:00Z");
    world.advance(6 * DAY);
    announce(&world);
    assert_eq!(all(&world, 2)[1].header("Subject"), "Your membership of Core in acme ends on 21 January 2026");
    put("2026-01-18T00:00:00Z");
    put("2026-01-19T00:00:00Z");
    announce(&world);
    assert_eq!(all(&world, 2).len(), 2);
}

#[test]
fn decision_64_there_is_no_mail_about_an_end_that_is_gone() {
    let world = World::with(Settings { delivers: true, ..Settings::default() });
    let put = |login: &str, at: Value| {
        let path = format!("/orgs/acme/teams/core/memberships/{login}");
        world.olivia().put(&path, json!({ "expires_at": at })).expect(200);
    };
    for login in ["eve", "ray", "tom"] {
        put(login, json!("2026-01-15T18:30:00Z"));
    }
    put("eve", json!(null));
    world.olivia().delete("/orgs/acme/teams/core/memberships/ray").expect(204);
    world.olivia().put("/orgs/acme/memberships/tom", json!({ "role": "admin" })).expect(200);
    world.advance(10 * DAY);
    announce(&world);
    assert_eq!(all(&world, 0).len(), 0);
}
