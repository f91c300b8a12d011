//! Entity tags and conditional requests (decision 43), and the missing `User-Agent`.

use crate::spec::given;
use crate::support::{Answer, Client, World, json, raw};

const CORE: &str = "/orgs/acme/teams/core";

fn tag(answer: &Answer) -> String {
    assert_eq!(answer.status, 200, "{}", answer.text);
    answer.header("etag").expect("an entity tag").to_owned()
}

fn if_none_match(client: &Client, path: &str, tags: &str) -> Answer {
    client.with("If-None-Match", tags).get(path)
}

#[test]
fn decision_43_a_request_without_user_agent_is_403() {
    let world = World::new();
    let host = world.base.trim_start_matches("http://");
    let request = format!("GET /user HTTP/1.1\r\nHost: {host}\r\n\r\n");
    let answer = raw::send(host, request.as_bytes());
    assert_eq!(raw::status(&answer), 403);
    assert!(answer.to_lowercase().contains("content-type: text/html"), "{answer}");
    assert!(answer.contains("Please make sure your request has a User-Agent header"), "{answer}");
}

#[test]
fn decision_43_the_tag_is_128_bits_and_stays_while_the_body_does() {
    let world = World::new();
    let first = tag(&world.tom().get(CORE));
    assert_eq!(first.len(), 34);
    assert!(first[1..33].bytes().all(|byte| byte.is_ascii_hexdigit()) && first.starts_with('"'), "{first}");
    assert_eq!(tag(&world.tom().get(CORE)), first);
}

#[test]
fn decision_43_the_tag_changes_with_body_credential_and_media_type() {
    let world = World::new();
    let tom = tag(&world.tom().get(CORE));
    assert_ne!(tag(&world.max().get(CORE)), tom);
    assert_ne!(tag(&world.limited("tom", &["repo"]).get(CORE)), tom);
    assert_ne!(tag(&world.tom().with("Accept", "application/vnd.github.v3.full+json").get(CORE)), tom);
    world.max().patch(CORE, json!({ "name": "Core", "description": "new" })).expect(200);
    assert_ne!(tag(&world.tom().get(CORE)), tom);
}

#[test]
fn decision_43_an_unchanged_answer_is_304_without_body() {
    let world = World::new();
    for path in [CORE, "/orgs/acme/teams", "/orgs/acme/teams/core/members", "/user", "/orgs/acme"] {
        let etag = tag(&world.tom().get(path));
        for tags in [etag.clone(), format!("W/{etag}"), format!("\"other\", {etag}"), "*".to_owned()] {
            let answer = if_none_match(&world.tom(), path, &tags);
            answer.expect(304);
            assert_eq!((answer.text.as_str(), answer.header("etag")), ("", Some(etag.as_str())), "{path}");
        }
        if_none_match(&world.tom(), path, "\"00000000000000000000000000000000\"").expect(200);
    }
}

#[test]
fn decision_43_several_headers_are_one_list_of_tags() {
    let world = World::new();
    let etag = tag(&world.tom().get(CORE));
    let twice = world.tom().with("If-None-Match", "\"other\"").with("If-None-Match", &etag);
    twice.get(CORE).expect(304);
    world.tom().with("If-None-Match", "\"other\"").with("If-None-Match", "\"third\"").get(CORE).expect(200);
}

#[test]
fn decision_43_whatever_the_record_shows_changes_the_answer() {
    let world = World::new();
    let child = given::child(&world, &given::core(&world), "Child");
    let path = format!("/teams/{}", child["id"]);
    let changes: [&dyn Fn(); 4] = [
        &|| drop(world.max().patch(CORE, json!({ "name": "Kernel" }))),
        &|| drop(world.olivia().patch("/orgs/acme", json!({ "location": "elsewhere" }))),
        &|| drop(given::put(&world, "child", "eve", "member")),
        &|| drop(world.sam().patch("/admin/organizations/acme", json!({ "login": "apex" }))),
    ];
    for change in changes {
        let etag = tag(&world.tom().get(&path));
        change();
        if_none_match(&world.tom(), &path, &etag).expect(200);
    }
}

#[test]
fn decision_43_authorization_comes_before_the_condition() {
    let world = World::new();
    let etag = tag(&world.tom().get(CORE));
    world.olivia().patch(CORE, json!({ "name": "Core", "privacy": "secret" })).expect(200);
    world.olivia().delete("/orgs/acme/teams/core/memberships/tom").expect(204);
    if_none_match(&world.tom(), CORE, &etag).refused(404, "Not Found");
    if_none_match(&world.tom(), CORE, "*").refused(404, "Not Found");
    if_none_match(&world.anonymous(), CORE, "*").expect(404);
    let wrong = world.anonymous().with("Authorization", "token wrong");
    if_none_match(&wrong, "/orgs/acme", "*").refused(401, "Bad credentials");
    let weak = world.limited("olivia", &["write:discussion"]);
    if_none_match(&weak, "/orgs/acme/teams", "*").expect(403);
}

#[test]
fn decision_43_a_condition_means_nothing_to_a_write() {
    let world = World::new();
    let changed = world.max().with("If-None-Match", "*").patch(CORE, json!({ "name": "Kernel" }));
    assert_eq!(changed.expect(200)["name"], "Kernel");
}

#[test]
fn decision_43_head_is_304_too() {
    let world = World::new();
    let etag = tag(&world.tom().get(CORE));
    assert_eq!(world.tom().with("If-None-Match", &etag).head(CORE).status, 304);
}

/// The records that have a date of their last change in a header, as they say it themselves.
const DATED: [&str; 8] =
    [CORE, "/teams/1", "/orgs/acme", "/organizations/1", "/user", "/users/max", "/users/acme", "/user/1"];

#[test]
fn decision_43_single_teams_organizations_and_people_say_when_they_were_changed_last() {
    let world = World::new();
    world.olivia().patch(CORE, json!({ "name": "Core", "description": "Newer" })).expect(200);
    for path in DATED {
        let answer = world.olivia().get(path);
        let updated_at = answer.expect(200)["updated_at"].as_str().unwrap_or_default().to_owned();
        let date = answer.header("last-modified").unwrap_or_else(|| panic!("{path}"));
        assert_eq!(iso(date), updated_at, "{path}");
        let unchanged = if_none_match(&world.olivia(), path, &tag(&answer));
        assert_eq!((unchanged.status, unchanged.header("last-modified")), (304, Some(date)), "{path}");
    }
    for path in ["/orgs/acme/teams", "/orgs/acme/teams/core/members", "/orgs/acme/memberships/max", "/meta"] {
        let answer = world.olivia().get(path);
        answer.expect(200);
        assert_eq!(answer.header("last-modified"), None, "{path}");
    }
}

/// An HTTP date as records write times.
fn iso(date: &str) -> String {
    let since = httpdate::parse_http_date(date).expect("a date").duration_since(std::time::UNIX_EPOCH);
    let seconds = i64::try_from(since.expect("a date after 1970").as_secs()).expect("a date of these times");
    guildhall::clock::Time(seconds * 1_000_000).to_string()
}

#[test]
fn decision_43_if_modified_since_is_ignored_where_the_last_change_cannot_be_told() {
    let world = World::new();
    for path in DATED.into_iter().chain(["/orgs/acme/teams", "/orgs/acme/teams/core/members"]) {
        for date in ["Fri, 01 Jan 2038 00:00:00 GMT", "nonsense"] {
            world.olivia().with("If-Modified-Since", date).get(path).expect(200);
        }
    }
}

#[test]
fn decision_43_answers_say_who_may_keep_them() {
    let world = World::new();
    let mine = world.tom().get("/orgs/acme");
    assert_eq!(mine.header("cache-control"), Some("private, max-age=60, s-maxage=60"));
    let anybodys = world.anonymous().get("/orgs/acme");
    assert_eq!(anybodys.header("cache-control"), Some("public, max-age=60, s-maxage=60"));
    assert!(mine.header("vary").is_some_and(|vary| vary.contains("Authorization") && vary.contains("Accept")));
    let refused = world.tom().get("/orgs/acme/teams/absent");
    assert_eq!((refused.header("etag"), refused.header("cache-control")), (None, Some("private, no-cache")));
}
