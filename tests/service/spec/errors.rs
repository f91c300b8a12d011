//! Errors (section 12): each condition with its status and the shape of its body.

use crate::spec::given;
use crate::spec::provider::{Provider, link};
use crate::support::world::Settings;
use crate::support::{Answer, World, json, raw};

const CORE: &str = "/orgs/acme/teams/core";

/// The message of an answer with this status.
#[track_caller]
fn message(answer: &Answer, status: u16) -> &str {
    answer.expect(status)["message"].as_str().expect("a message")
}

#[test]
fn errors_3_changing_a_synchronized_team_manually_is_403_and_404_from_the_older_calls() {
    let world = World::new();
    let provider = Provider::of(&world);
    let group = provider.group("Staff", &[]);
    link(&world, "core", &[&group]).expect(200);
    for answer in [
        world.olivia().put(&format!("{CORE}/memberships/eve"), json!({})),
        world.olivia().delete(&format!("{CORE}/memberships/eve")),
    ] {
        assert!(message(&answer, 403).starts_with("The members of this team are managed by"));
        assert_eq!(given::keys(&answer.json), ["message", "documentation_url"]);
    }
    world.olivia().put_empty(&format!("{CORE}/members/eve")).refused(404, "Not Found");
    world.olivia().delete(&format!("{CORE}/members/eve")).refused(404, "Not Found");
}

#[test]
fn errors_4_an_address_that_is_none_is_404() {
    let world = World::new();
    for path in ["/nothing", "/orgs", "/orgs/acme/teams/core/nothing", "/api/v3/nothing", "/orgs/acme/teams/"] {
        world.olivia().get(path).refused(404, "Not Found");
        world.anonymous().get(path).refused(404, "Not Found");
    }
}

#[test]
fn errors_25_an_address_that_does_not_know_the_verb_is_405_and_names_all_that_it_knows() {
    let world = World::new();
    let olivia = world.olivia();
    for (answer, allowed) in [
        (olivia.put("/orgs/acme/teams", json!({})), "GET, HEAD, POST"),
        (olivia.delete("/user/teams"), "GET, HEAD"),
        (olivia.put("/orgs/acme/teams/core", json!({})), "GET, HEAD, POST, PATCH, DELETE"),
        (olivia.get("/users/eve/suspended"), "PUT, DELETE"),
    ] {
        answer.refused(405, &format!("This URL accepts {allowed}."));
        assert_eq!(answer.header("allow"), Some(allowed));
    }
}

#[test]
fn errors_5_without_user_agent_it_is_403() {
    let world = World::new();
    let host = world.base.trim_start_matches("http://");
    for header in ["", "User-Agent:\r\n"] {
        let request = format!("GET /meta HTTP/1.1\r\nHost: {host}\r\n{header}Connection: close\r\n\r\n");
        let answer = raw::send(host, request.as_bytes());
        assert_eq!(raw::status(&answer), 403);
        assert!(answer.contains("User-Agent"), "{answer}");
    }
}

#[test]
fn errors_6_without_credentials_it_is_401() {
    let world = World::new();
    for path in ["/user", "/user/teams", "/user/orgs", "/user/emails", "/user/memberships/orgs"] {
        world.anonymous().get(path).refused(401, "Requires authentication");
    }
    world.anonymous().post("/orgs/acme/teams", json!({ "name": "X" })).refused(401, "Requires authentication");
    world.anonymous().delete(CORE).refused(401, "Requires authentication");
}

#[test]
fn errors_7_wrong_credentials_are_401_wherever_they_are_sent() {
    let world = World::new();
    let wrong = world.anonymous().with("Authorization", "token ghp_000000000000000000000000000000000000");
    for path in ["/user", CORE, "/orgs/acme", "/meta", "/orgs/nobody/teams"] {
        wrong.get(path).refused(401, "Bad credentials");
    }
    wrong.put("/orgs/acme/teams/core/memberships/tom", json!({})).refused(401, "Bad credentials");
}

#[test]
fn errors_8_a_suspended_account_is_403_everywhere() {
    let world = World::new();
    world.tom();
    world.sam().put_empty("/users/tom/suspended").expect(204);
    for path in ["/user", CORE, "/meta", "/orgs/nobody/teams"] {
        world.tom().get(path).refused(403, "Sorry. Your account was suspended.");
    }
    world.tom().post("/orgs/acme/teams", json!({ "name": "X" })).refused(403, "Sorry. Your account was suspended.");
    world.sam().delete("/users/tom/suspended").expect(204);
    world.tom().get(CORE).expect(200);
}

#[test]
fn errors_9_a_token_without_scope_is_403_on_lists_and_404_elsewhere() {
    let world = World::new();
    let weak = world.limited("olivia", &["write:discussion"]);
    for path in ["/orgs/acme/teams", "/orgs/acme/teams/core/teams", "/orgs/acme/teams/core/members", "/user/teams"] {
        weak.get(path).refused(403, "Must have admin rights to Repository.");
    }
    weak.get(CORE).refused(404, "Not Found");
    weak.delete(CORE).refused(404, "Not Found");
    weak.post("/orgs/acme/teams", json!({ "name": "X" })).refused(404, "Not Found");
}

#[test]
fn errors_10_what_does_not_exist_or_is_not_to_be_known_is_404() {
    let world = World::new();
    given::secret(&world, "Hidden");
    let absent = world.tom().get("/orgs/acme/teams/absent");
    absent.refused(404, "Not Found");
    let hidden = world.tom().get("/orgs/acme/teams/hidden");
    assert_eq!((hidden.status, hidden.json), (absent.status, absent.json));
    world.olivia().get("/orgs/nobody").refused(404, "Not Found");
    world.olivia().get("/orgs/acme/teams/core/memberships/nobody").refused(404, "Not Found");
    world.olivia().get("/teams/999999").refused(404, "Not Found");
    world.olivia().get("/teams/core").refused(404, "Not Found");
}

#[test]
fn errors_11_who_sees_the_thing_but_may_not_do_this_is_told_403() {
    let world = World::new();
    let put = world.tom().put("/orgs/acme/teams/core/memberships/eve", json!({}));
    put.refused(403, "You must be an organization owner or team maintainer to add a team membership.");
    assert!(!message(&world.tom().delete(CORE), 403).is_empty());
    assert!(!message(&world.tom().patch(CORE, json!({ "name": "X" })), 403).is_empty());
    assert!(!message(&world.tom().patch("/orgs/acme", json!({ "name": "X" })), 403).is_empty());
    assert!(!message(&world.nina().post("/orgs/acme/teams", json!({ "name": "X" })), 403).is_empty());
}

#[test]
fn errors_12_a_put_that_states_no_length_is_411() {
    let world = World::new();
    let token = world.token("olivia", &["admin:org"]);
    let host = world.base.trim_start_matches("http://");
    let request = format!(
        "PUT /orgs/acme/teams/core/memberships/eve HTTP/1.1\r\nHost: {host}\r\nUser-Agent: t\r\n\
         Authorization: token {token}\r\nConnection: close\r\n\r\n"
    );
    let answer = raw::send(host, request.as_bytes());
    assert_eq!(raw::status(&answer), 411, "{answer}");
    assert!(answer.contains("\"message\"") && answer.contains("application/json"), "{answer}");
    world.olivia().get("/orgs/acme/teams/core/memberships/eve").expect(404);
}

#[test]
fn errors_13_too_large_a_body_is_413() {
    let world = World::new();
    let body = format!("{{\"name\":\"Large\",\"other\":\"{}\"}}", "x".repeat(1 << 20));
    let answer = world.olivia().send("POST", "/orgs/acme/teams", Some(body));
    assert!(!message(&answer, 413).is_empty());
    world.olivia().get("/orgs/acme/teams/large").expect(404);
}

#[test]
fn errors_14_what_is_no_json_is_400() {
    let world = World::new();
    for body in ["{", "{\"name\":}", "name=Core", "{\"name\":\"A\"} x", "{'name':'A'}", "\u{feff}{}x"] {
        let answer = world.olivia().send("POST", "/orgs/acme/teams", Some(body.into()));
        answer.refused(400, "Problems parsing JSON");
        assert!(answer.json.get("errors").is_none());
    }
}

#[test]
fn errors_15_json_that_is_no_object_is_400() {
    let world = World::new();
    for body in ["[]", "\"name\"", "1", "true", "[{\"name\":\"A\"}]"] {
        let answer = world.olivia().send("POST", "/orgs/acme/teams", Some(body.into()));
        answer.refused(400, "Body should be a JSON object");
    }
}

#[test]
fn errors_16_too_deep_a_json_is_400() {
    let world = World::new();
    let nested = |depth: usize| format!("{{\"name\":\"Deep\",\"x\":{}{}}}", "[".repeat(depth), "]".repeat(depth));
    let deep = world.olivia().send("POST", "/orgs/acme/teams", Some(nested(64)));
    assert!(!message(&deep, 400).is_empty());
    let deeper = world.olivia().send("POST", "/orgs/acme/teams", Some("[".repeat(500_000)));
    assert!(!message(&deeper, 400).is_empty());
    world.olivia().send("POST", "/orgs/acme/teams", Some(nested(63))).expect(201);
}

#[test]
fn errors_17_parameters_that_do_not_fit_are_422_without_errors() {
    let world = World::new();
    let post = |body| world.olivia().post("/orgs/acme/teams", body);
    let missing = post(json!({}));
    missing.refused(422, "Invalid request.\n\n\"name\" wasn't supplied.");
    assert!(missing.json.get("errors").is_none());
    post(json!({ "name": "A", "parent_team_id": "7100545" }))
        .refused(422, "Invalid request.\n\nFor 'properties/parent_team_id', \"7100545\" is not a number.");
    post(json!({ "name": "A", "maintainers": { "a": 1 } }))
        .refused(422, "Invalid request.\n\nFor 'properties/maintainers', {\"a\"=>1} is not an array.");
    post(json!({ "name": "A", "privacy": "open" })).refused(
        422,
        "Invalid request.\n\nFor 'properties/privacy', \"open\" is not a member of [\"secret\", \"closed\"].",
    );
    post(json!({ "name": 7 })).refused(422, "Invalid request.\n\nFor 'properties/name', 7 is not a string.");
}

#[test]
fn errors_18_a_broken_rule_is_422_with_errors() {
    let world = World::new();
    let answer = world.olivia().post("/orgs/acme/teams", json!({ "name": "Core" }));
    given::refuses_team(&answer, given::NAME_TAKEN);
    assert_eq!(given::keys(&answer.json), ["message", "errors", "documentation_url"]);
    assert_eq!(given::keys(&answer.json["errors"][0]), ["resource", "code", "field", "message"]);
}

#[test]
fn errors_20_too_long_an_address_is_414_and_too_long_headers_are_431() {
    let world = World::new();
    let long = format!("/orgs/acme/teams?q={}", "x".repeat(9_000));
    assert!(!message(&world.olivia().get(&long), 414).is_empty());
    let host = world.base.trim_start_matches("http://");
    let header = "x".repeat(200_000);
    let request = format!("GET /meta HTTP/1.1\r\nHost: {host}\r\nUser-Agent: t\r\nX-Long: {header}\r\n\r\n");
    assert_eq!(raw::status(&raw::send(host, request.as_bytes())), 431);
}

#[test]
fn errors_21_when_the_primary_limit_is_used_up_it_is_403() {
    let world = World::empty(Settings { limits: Some((1, 1)), ..Settings::default() });
    world.sam().get("/user").expect(200);
    let answer = world.sam().get("/user");
    assert!(message(&answer, 403).starts_with("API rate limit exceeded for user ID "), "{}", answer.text);
    assert_eq!(answer.header("x-ratelimit-remaining"), Some("0"));
}

#[test]
fn errors_23_a_host_that_cannot_be_read_is_400() {
    let world = World::new();
    let address = world.base.trim_start_matches("http://");
    for host in ["", "Host: \r\n", "Host: a b\r\n", "Host: a/b\r\n", "Host: u@a\r\n", "Host: a\r\nHost: b\r\n"] {
        let request = format!("GET /meta HTTP/1.1\r\n{host}User-Agent: t\r\nConnection: close\r\n\r\n");
        assert_eq!(raw::status(&raw::send(address, request.as_bytes())), 400, "{host}");
    }
}

#[test]
fn errors_24_when_the_store_cannot_answer_it_is_503_and_says_when_to_come_back() {
    let world = World::new();
    let calls: [&dyn Fn() -> Answer; 2] =
        [&|| world.tom().get(CORE), &|| world.max().patch(CORE, json!({ "name": "Kernel" }))];
    for call in calls {
        world.faults.arm(1);
        let answer = call();
        assert!(!message(&answer, 503).is_empty());
        assert!(answer.header("retry-after").is_some_and(|seconds| seconds.parse::<u32>().is_ok()));
        assert_eq!(given::core(&world)["name"], "Core");
        assert!(call().status < 300);
    }
}
