//! Requests to join a team: who asks, sees, decides and withdraws (decision 65).

use crate::spec::given;
use crate::support::application::{Application, answers, granted};
use crate::support::world::Settings;
use crate::support::{Answer, Client, Value, World, json};

pub const REQUESTS: &str = "/orgs/acme/teams/core/join_requests";

/// A person asks to join `core`.
pub fn ask(client: &Client) -> Value {
    client.post(REQUESTS, json!({ "message": "May I?" })).expect(201).clone()
}

/// The path of a request.
pub fn path(request: &Value) -> String {
    format!("{REQUESTS}/{}", request["id"])
}

/// The answer to a decision about a request.
pub fn decide(client: &Client, request: &Value, state: &str) -> Answer {
    client.put(&path(request), json!({ "state": state }))
}

/// The logins and states in the list that a person sees.
pub fn listed(client: &Client, query: &str) -> Vec<(String, String)> {
    let list = client.get(&format!("{REQUESTS}{query}")).expect(200).clone();
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    list.as_array().expect("a list").iter().map(|one| (text(&one["user"]["login"]), text(&one["state"]))).collect()
}

/// The same as it is expected.
pub fn people(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    expected.iter().map(|(login, state)| ((*login).to_owned(), (*state).to_owned())).collect()
}

/// Asserts that a rule about requests refused with this sentence.
#[track_caller]
pub fn refuses(answer: &Answer, message: &str) {
    let item = json!({ "resource": "JoinRequest", "code": "custom", "message": message });
    given::violates(answer, item);
}

#[test]
fn decision_65_a_member_asks_and_a_maintainer_adds_them() {
    let world = World::new();
    for form in given::forms(&given::core(&world)) {
        let eve = world.eve();
        let request =
            eve.post(&format!("{form}/join_requests"), json!({ "message": " May I? \n" })).expect(201).clone();
        assert_eq!(
            given::keys(&request),
            ["id", "user", "state", "message", "created_at", "decided_by", "decided_at"],
            "{request}"
        );
        assert_eq!((&request["user"]["login"], &request["message"]), (&json!("eve"), &json!("May I?")));
        assert_eq!((&request["state"], &request["decided_by"]), (&json!("open"), &json!(null)));
        assert_eq!(world.max().get(&format!("{form}/join_requests")).expect(200), &json!([request]));
        world.advance(60);
        let one = format!("{form}/join_requests/{}", request["id"]);
        let decided = world.max().put(&one, json!({ "state": "approved" })).expect(200).clone();
        assert_eq!((&decided["state"], &decided["decided_by"]["login"]), (&json!("approved"), &json!("max")));
        assert!(decided["decided_at"].as_str() > decided["created_at"].as_str(), "{decided}");
        let membership = format!("{form}/memberships/eve");
        assert_eq!(world.max().get(&membership).expect(200)["role"], "member");
        world.max().delete(&membership).expect(204);
    }
    let log = world.olivia().get("/orgs/acme/audit-log?phrase=user:eve&order=asc&per_page=4").json;
    let mut actions = log.as_array().expect("a log").iter().map(|entry| (&entry["action"], &entry["actor"]));
    assert!(actions.any(|entry| entry == (&json!("team.request_join"), &json!("eve"))), "{log}");
    let actions: Vec<(String,)> = world.rows(
        "SELECT action FROM journal WHERE action LIKE 'team.%' AND entry <= (SELECT min(entry) + 3 FROM journal
         WHERE action = 'team.request_join') AND entry >= (SELECT min(entry) FROM journal WHERE action = 'team.request_join')
         ORDER BY entry",
    );
    let actions: Vec<&str> = actions.iter().map(|(action,)| action.as_str()).collect();
    assert_eq!(actions, ["team.request_join", "team.add_member", "team.decide_join", "team.remove_member"]);
    let texts: Vec<(i64,)> = world.rows(
        "SELECT entry FROM journal WHERE coalesce(before, '') LIKE '%May I%' OR coalesce(after, '') LIKE '%May I%'",
    );
    assert_eq!(texts, [], "the log has no message");
}

#[test]
fn decision_65_each_person_has_one_open_request_for_a_team() {
    let world = World::new();
    let request = ask(&world.eve());
    let before = given::written(&world);
    let again = world.eve().post(REQUESTS, json!({ "message": "Please!" }));
    assert_eq!(again.expect(200), &request);
    assert_eq!(given::written(&world), before);
    assert_eq!(listed(&world.max(), ""), people(&[("eve", "open")]));
}

#[test]
fn decision_65_asking_needs_sight_of_the_team_and_no_membership() {
    let world = World::new();
    given::secret(&world, "Hidden");
    let hidden = "/orgs/acme/teams/hidden/join_requests";
    let before = given::written(&world);
    for login in ["max", "tom"] {
        refuses(&world.client(login).post(REQUESTS, json!({})), "You are already a member of this team.");
    }
    world.nina().post(REQUESTS, json!({})).refused(404, "Not Found");
    world.anonymous().post(REQUESTS, json!({})).refused(401, "Requires authentication");
    for client in [world.eve(), world.olivia()] {
        client.post(hidden, json!({})).refused(404, "Not Found");
    }
    world.eve().get(hidden).refused(404, "Not Found");
    world.sam().get(REQUESTS).refused(404, "Not Found");
    assert_eq!(given::written(&world), before);
    // An invited person is no member yet.
    given::put(&world, "core", "nina", "member");
    world.nina().post(REQUESTS, json!({})).refused(404, "Not Found");
    // An owner is a member of the organization.
    world.olivia().delete("/orgs/acme/teams/core/memberships/olivia").expect(204);
    ask(&world.olivia());
}

#[test]
fn decision_65_maintainers_and_owners_see_all_requests_and_others_their_own() {
    let world = World::new();
    let requests = [ask(&world.eve()), ask(&world.client("ray"))];
    let all = people(&[("ray", "open"), ("eve", "open")]);
    for client in [world.olivia(), world.max()] {
        assert_eq!(listed(&client, ""), all);
        assert!(client.get(&format!("{REQUESTS}?per_page=1")).link("last").is_some());
        assert_eq!(listed(&client, "?per_page=1&page=2"), people(&[("eve", "open")]));
    }
    assert_eq!(listed(&world.eve(), ""), people(&[("eve", "open")]));
    assert_eq!(world.eve().get(&format!("{REQUESTS}?per_page=1")).link("last"), None);
    assert_eq!(listed(&world.tom(), ""), people(&[]));
    decide(&world.max(), &requests[0], "declined").expect(200);
    for (state, expected) in [
        ("open", people(&[("ray", "open")])),
        ("declined", people(&[("eve", "declined")])),
        ("approved", people(&[])),
        ("all", people(&[("ray", "open"), ("eve", "declined")])),
        ("withdrawn", people(&[("ray", "open"), ("eve", "declined")])),
    ] {
        assert_eq!(listed(&world.max(), &format!("?state={state}")), expected, "{state}");
    }
    assert_eq!(listed(&world.eve(), "?state=open"), people(&[]));
}

#[test]
fn decision_65_only_maintainers_and_owners_decide() {
    let world = World::new();
    given::closed(&world, "Other");
    let request = ask(&world.eve());
    let before = given::written(&world);
    let why = "You must be an organization owner or team maintainer to decide about a request to join the team.";
    for client in [world.tom(), world.eve(), world.client("ray")] {
        decide(&client, &request, "approved").refused(403, why);
        client.put(&format!("{REQUESTS}/999"), json!({ "state": "approved" })).refused(403, why);
    }
    decide(&world.nina(), &request, "approved").refused(404, "Not Found");
    // A request is found below its own team only.
    let elsewhere = format!("/orgs/acme/teams/other/join_requests/{}", request["id"]);
    world.olivia().put(&elsewhere, json!({ "state": "approved" })).refused(404, "Not Found");
    world.olivia().delete(&elsewhere).refused(404, "Not Found");
    for body in [json!({}), json!({ "state": null }), json!({ "state": "open" }), json!({ "state": 1 })] {
        world.max().put(&path(&request), body).expect(422);
    }
    assert_eq!(given::written(&world), before);
    decide(&world.olivia(), &request, "approved").expect(200);
}

#[test]
fn decision_65_a_repeated_decision_is_the_same_and_another_one_is_refused() {
    let world = World::new();
    let (eve, ray) = (ask(&world.eve()), ask(&world.client("ray")));
    for (request, state, other) in [(&eve, "approved", "declined"), (&ray, "declined", "approved")] {
        let decided = decide(&world.max(), request, state).expect(200).clone();
        let before = given::written(&world);
        world.advance(60);
        assert_eq!(decide(&world.olivia(), request, state).expect(200), &decided);
        refuses(&decide(&world.max(), request, other), &format!("This request is {state} already."));
        assert_eq!(given::written(&world), before);
    }
    assert_eq!(world.max().get("/orgs/acme/teams/core/members/ray").status, 404);
}

#[test]
fn decision_65_people_withdraw_their_own_open_requests() {
    let world = World::new();
    let request = ask(&world.eve());
    let before = given::written(&world);
    let why = "Only the person who asked can withdraw a request. Decline it instead.";
    for client in [world.olivia(), world.max()] {
        client.delete(&path(&request)).refused(403, why);
    }
    for client in [world.tom(), world.client("ray"), world.nina()] {
        client.delete(&path(&request)).refused(404, "Not Found");
    }
    assert_eq!(given::written(&world), before);
    world.eve().delete(&path(&request)).expect(204);
    assert_eq!(listed(&world.max(), ""), people(&[]));
    world.eve().delete(&path(&request)).refused(404, "Not Found");
    decide(&world.max(), &request, "approved").refused(404, "Not Found");
    let log = world.olivia().get("/orgs/acme/audit-log?phrase=action:team.withdraw_join").json;
    assert_eq!((&log[0]["actor"], &log[0]["before"]["state"]), (&json!("eve"), &json!("open")), "{log}");
    // The next one is another request.
    let next = ask(&world.eve());
    assert!(next["id"].as_i64() > request["id"].as_i64(), "an ID is never used again");
    decide(&world.max(), &next, "declined").expect(200);
    refuses(&world.eve().delete(&path(&next)), "This request is declined already.");
}

#[test]
fn decision_65_a_refused_person_asks_again_after_seven_days() {
    let world = World::new();
    let request = ask(&world.eve());
    decide(&world.max(), &request, "declined").expect(200);
    let before = given::written(&world);
    let early = world.eve().post(REQUESTS, json!({}));
    refuses(&early, "Your request was declined. You can ask again from 2026-01-08T00:00:00Z on.");
    assert_eq!(given::written(&world), before);
    world.advance(7 * 86_400 - 1);
    world.eve().post(REQUESTS, json!({})).expect(422);
    world.advance(1);
    let next = ask(&world.eve());
    assert!(next["id"].as_i64() > request["id"].as_i64());
    assert_eq!(listed(&world.max(), ""), people(&[("eve", "open")]), "it replaces the other");
}

#[test]
fn decision_65_a_message_is_none_or_has_at_most_500_characters() {
    let world = World::new();
    let before = given::written(&world);
    let long = json!({
        "resource": "JoinRequest", "code": "custom", "field": "message",
        "message": "message is too long (maximum is 500 characters)",
    });
    given::violates(&world.eve().post(REQUESTS, json!({ "message": "\u{1f4a5}".repeat(501) })), long);
    for wrong in [json!(7), json!(["a"]), json!("a\u{0}b"), json!({})] {
        world.eve().post(REQUESTS, json!({ "message": wrong })).expect(422);
    }
    assert_eq!(given::written(&world), before);
    for (sent, kept) in [
        (json!(null), json!(null)),
        (json!(" \n "), json!(null)),
        (json!("\u{1f4a5}".repeat(500)), json!("\u{1f4a5}".repeat(500))),
    ] {
        let request = world.eve().post(REQUESTS, json!({ "message": sent })).expect(201).clone();
        assert_eq!(request["message"], kept);
        world.eve().delete(&path(&request)).expect(204);
    }
    ask(&world.client("ray"));
    // What was withdrawn is not kept either.
    let kept: Vec<(Option<String>,)> = world.rows("SELECT message FROM join_requests WHERE state = 'withdrawn'");
    assert_eq!(kept, [(None,)]);
}

#[test]
fn decision_65_a_new_request_counts_as_a_creation() {
    let world = World::with(Settings { creation_limit: (2, 500), ..Settings::default() });
    for _ in 0..2 {
        let request = ask(&world.eve());
        // What makes nothing does not count.
        world.eve().post(REQUESTS, json!({})).expect(200);
        world.eve().delete(&path(&request)).expect(204);
    }
    let refused = world.eve().post(REQUESTS, json!({}));
    refused.expect(403);
    assert_eq!(refused.header("retry-after"), Some("60"), "{}", refused.text);
    assert_eq!(listed(&world.max(), ""), people(&[]));
    world.advance(60);
    ask(&world.eve());
}

#[test]
fn decision_65_asking_and_deciding_need_their_scopes() {
    let world = World::new();
    let request = world.limited("eve", &["read:org"]).post(REQUESTS, json!({})).expect(201).clone();
    for scopes in [["repo"], ["user"]] {
        let eve = world.limited("eve", &scopes);
        eve.post(REQUESTS, json!({})).refused(404, "Not Found");
        eve.delete(&path(&request)).refused(404, "Not Found");
        eve.get(REQUESTS).expect(403);
    }
    for scopes in [["repo"], ["write:org"], ["read:org"]] {
        decide(&world.limited("max", &scopes), &request, "approved").refused(404, "Not Found");
    }
    assert_eq!(listed(&world.limited("max", &["read:org"]), ""), people(&[("eve", "open")]));
    decide(&world.limited("max", &["admin:org"]), &request, "approved").expect(200);
}

#[test]
fn decision_65_an_application_asks_only_where_it_is_let_in() {
    let world = crate::spec::mail_invitations::world();
    let app = Application::of(&world);
    let eve = granted(&world, &app, "eve", "admin:org");
    eve.post(REQUESTS, json!({})).expect(403);
    eve.get(REQUESTS).expect(403);
    assert_eq!(listed(&world.max(), ""), people(&[]));
    answers(&world, &app, "approved");
    ask(&eve);
    assert_eq!(listed(&eve, ""), people(&[("eve", "open")]));
}

#[test]
fn decision_65_a_list_is_not_cached_beyond_a_change() {
    let world = World::new();
    let tag = world.max().get(REQUESTS).header("etag").expect("a tag").to_owned();
    world.max().with("If-None-Match", &tag).get(REQUESTS).expect(304);
    let request = ask(&world.eve());
    let after = world.max().with("If-None-Match", &tag).get(REQUESTS);
    assert_eq!(after.expect(200), &json!([request]));
    let tag = after.header("etag").expect("a tag").to_owned();
    decide(&world.max(), &request, "declined").expect(200);
    world.max().with("If-None-Match", &tag).get(REQUESTS).expect(200);
}

#[test]
fn decision_65_an_approval_is_an_addition_for_webhooks_and_asking_is_nothing() {
    let world = World::new();
    let hook = json!({ "name": "web", "config": { "url": "http://127.0.0.1:9/" }, "events": ["*"] });
    world.olivia().post("/orgs/acme/hooks", hook).expect(201);
    let names = || -> Vec<(String,)> { world.rows("SELECT event FROM journal_facts ORDER BY entry") };
    let before = names().len();
    let request = ask(&world.eve());
    decide(&world.max(), &request, "approved").expect(200);
    let names: Vec<String> = names().into_iter().skip(before).map(|(name,)| name).collect();
    // The first and the last are for people only.
    assert_eq!(names, ["team.join_asked", "membership.added", "team.join_decided"]);
}
