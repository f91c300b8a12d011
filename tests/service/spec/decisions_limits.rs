//! Pages and the primary limit (decisions 38 and 39).

use crate::spec::given;
use crate::spec::limits;
use crate::support::world::Settings;
use crate::support::{World, json};

fn limited(person: u32, anonymous: u32) -> World {
    World::empty(Settings { limits: Some((person, anonymous)), ..Settings::default() })
}

#[test]
fn decision_38_link_has_the_id_form_and_numbered_pages() {
    let world = World::new();
    for name in ["A", "B", "C", "D"] {
        given::closed(&world, name);
    }
    let url = format!("{}/organizations/{}/teams", world.base, given::org_id(&world));
    let link = |query: &str| world.tom().get(&format!("/orgs/acme/teams?{query}")).header("link").map(str::to_owned);
    let entry = |query: &str, rel: &str| format!("<{url}?{query}>; rel=\"{rel}\"");
    let first = [entry("per_page=2&page=2", "next"), entry("per_page=2&page=3", "last")].join(", ");
    assert_eq!(link("per_page=2"), Some(first));
    let middle = [
        entry("page=1&per_page=2&x=%20", "prev"),
        entry("page=3&per_page=2&x=%20", "next"),
        entry("page=3&per_page=2&x=%20", "last"),
        entry("page=1&per_page=2&x=%20", "first"),
    ];
    assert_eq!(link("page=2&per_page=2&x=%20"), Some(middle.join(", ")));
    let last = [entry("page=2&per_page=2", "prev"), entry("page=1&per_page=2", "first")].join(", ");
    assert_eq!(link("page=3&per_page=2"), Some(last));
    assert_eq!(link("per_page=5"), None, "everything fits");
}

#[test]
fn decision_38_link_has_the_id_form_of_every_list() {
    let world = World::new();
    let core = given::core(&world);
    given::child(&world, &core, "Child");
    given::child(&world, &core, "Other");
    world.organization("beta", "tom", &[]);
    given::put(&world, "child", "tom", "member");
    let org = format!("/organizations/{}", given::org_id(&world));
    let team = format!("{org}/team/{}", core["id"]);
    for (path, form) in [
        ("/orgs/acme/teams/core/teams", format!("{team}/teams")),
        ("/orgs/acme/teams/core/members", format!("{team}/members")),
        ("/orgs/acme/members", format!("{org}/members")),
        ("/user/teams", "/user/teams".to_owned()),
        ("/user/orgs", "/user/orgs".to_owned()),
        ("/user/memberships/orgs", "/user/memberships/orgs".to_owned()),
    ] {
        let next = world.tom().get(&format!("{path}?per_page=1")).link("next");
        assert_eq!(next, Some(format!("{}{form}?per_page=1&page=2", world.base)));
        world.tom().get(&next.expect("a page")).expect(200);
    }
}

#[test]
fn decision_38_a_page_past_the_end_is_empty_and_leads_back() {
    let world = World::new();
    for path in ["/orgs/acme/teams", "/user/teams", "/orgs/acme/teams/core/members", "/orgs/acme/members"] {
        for page in ["7", "9223372036854775807", "99999999999999999999999"] {
            let answer = world.tom().get(&format!("{path}?page={page}"));
            assert_eq!((answer.expect(200), answer.link("next")), (&json!([]), None));
        }
    }
    let answer = world.tom().get("/orgs/acme/teams/core/members?per_page=1&page=9");
    assert!(answer.link("prev").is_some_and(|url| url.ends_with("per_page=1&page=2")), "{answer:?}");
}

#[test]
fn decision_38_pages_below_1_are_the_first_and_more_than_100_is_100() {
    let world = World::new();
    limits::many_teams(&world);
    let slugs = |query: &str| given::each(&world.olivia(), &format!("/orgs/acme/teams?{query}"), "slug");
    let (first, most) = (slugs("per_page=30&page=1"), slugs("per_page=100&page=1"));
    assert_eq!((first.len(), most.len()), (30, 100));
    for query in ["page=0", "page=-1", "page=x", "page=", "per_page=0", "per_page=-1", "per_page=x", "per_page="] {
        assert_eq!(slugs(query), first, "{query}");
    }
    for query in ["per_page=101", "per_page=1000", "per_page=99999999999999999999999&page=0"] {
        assert_eq!(slugs(query), most, "{query}");
    }
}

#[test]
fn decision_38_teams_are_sorted_by_name_without_case() {
    let world = World::new();
    for name in ["beta", "Alpha", "alpha 2", "Zeta", "Beta 2"] {
        given::child(&world, &given::core(&world), name);
    }
    let sorted = ["Alpha", "alpha 2", "beta", "Beta 2", "Core", "Zeta"];
    for client in [world.olivia(), world.eve()] {
        assert_eq!(given::each(&client, "/orgs/acme/teams", "name"), sorted);
        let children = given::each(&client, "/orgs/acme/teams/core/teams", "name");
        assert_eq!(children, ["Alpha", "alpha 2", "beta", "Beta 2", "Zeta"]);
    }
}

#[test]
fn decision_38_pages_partition_a_list() {
    let world = World::new();
    for n in 0..7 {
        given::closed(&world, &format!("Team {n}"));
    }
    let whole = given::each(&world.tom(), "/orgs/acme/teams", "id");
    for size in 1..9 {
        let pages = world.tom().all(&format!("/orgs/acme/teams?per_page={size}"));
        assert_eq!(pages.iter().map(|team| team["id"].clone()).collect::<Vec<_>>(), whole, "{size}");
    }
}

#[test]
fn decision_39_the_limit_is_per_person_over_all_tokens_and_in_the_headers() {
    let world = limited(3, 3);
    let other = world.limited("site-admin", &["repo"]);
    let start = 1_767_225_600;
    for (client, used) in [(world.sam(), 1), (other, 2), (world.sam(), 3)] {
        let answer = client.get("/user");
        answer.expect(200);
        let header = |name: &str| answer.header(&format!("x-ratelimit-{name}")).map(str::to_owned);
        let number = |n: i64| Some(n.to_string());
        assert_eq!((header("limit"), header("used")), (number(3), number(used)));
        assert_eq!((header("remaining"), header("reset")), (number(3 - used), number(start + 3_600)));
        assert_eq!(header("resource").as_deref(), Some("core"));
    }
    let refused = world.sam().get("/user");
    let id: i64 = given::value(&world, "SELECT MAX(id) FROM users");
    refused.refused(403, &format!("API rate limit exceeded for user ID {id}."));
    assert_eq!(refused.header("x-ratelimit-remaining"), Some("0"));
    assert!(refused.json["documentation_url"].as_str().is_some_and(|url| url.ends_with("#rate-limiting")));
}

#[test]
fn decision_39_the_window_is_an_hour() {
    let world = limited(1, 1);
    world.sam().get("/user").expect(200);
    world.advance(3_599);
    world.sam().get("/user").expect(403);
    world.advance(1);
    world.sam().get("/user").expect(200);
}

#[test]
fn decision_39_anonymous_callers_are_counted_by_address() {
    let world = limited(5, 1);
    world.anonymous().get("/meta").expect(200);
    let refused = world.anonymous().get("/meta");
    let message = refused.expect(403)["message"].as_str().expect("a message").to_owned();
    assert!(message.starts_with("API rate limit exceeded for 127.0.0.1. (But here's the good news:"), "{message}");
    world.sam().get("/user").expect(200);
    world.anonymous().with("Authorization", "token wrong").get("/user").refused(401, "Bad credentials");
}

#[test]
fn decision_39_searches_have_their_own_limit_by_the_minute() {
    let world = limited(100, 100);
    for (client, limit) in [(world.sam(), 30), (world.anonymous(), 10)] {
        for used in 1..=limit {
            let answer = client.get("/search/repositories?q=x");
            answer.expect(200);
            let header = |name: &str| answer.header(&format!("x-ratelimit-{name}")).map(str::to_owned);
            assert_eq!(header("resource").as_deref(), Some("search"));
            assert_eq!((header("limit"), header("used")), (Some(limit.to_string()), Some(used.to_string())));
        }
        let refused = client.get("/search/repositories?q=x");
        refused.expect(403);
        let left = client.get("/rate_limit").expect(200)["resources"].clone();
        assert_eq!((&left["search"]["used"], &left["core"]["used"]), (&json!(limit), &json!(0)));
        assert_eq!(client.get("/meta").header("x-ratelimit-remaining"), Some("99"));
        let etag = client.get("/meta").header("etag").expect("a tag").to_owned();
        client.with("If-None-Match", &etag).get("/meta").expect(304);
    }
    world.advance(59);
    world.sam().get("/search/repositories?q=x").expect(403);
    world.advance(1);
    let answer = world.sam().get("/search/repositories?q=x");
    let etag = answer.header("etag").expect("a tag").to_owned();
    let unchanged = world.sam().with("If-None-Match", &etag).get("/search/repositories?q=x");
    unchanged.expect(304);
    assert_eq!(unchanged.header("x-ratelimit-used"), Some("1"));
}

#[test]
fn decision_39_rate_limit_and_304_are_free() {
    let world = limited(2, 1);
    for _ in 0..5 {
        assert_eq!(world.sam().get("/rate_limit").expect(200)["rate"]["used"], 0);
    }
    let etag = world.sam().get("/user").header("etag").expect("a tag").to_owned();
    for _ in 0..5 {
        let unchanged = world.sam().with("If-None-Match", &etag).get("/user");
        unchanged.expect(304);
        assert_eq!(unchanged.header("x-ratelimit-used"), Some("1"));
    }
    world.sam().get("/user").expect(200);
    world.sam().get("/user").expect(403);
    let left = world.sam().get("/rate_limit").expect(200)["rate"].clone();
    assert_eq!((&left["limit"], &left["remaining"], &left["used"]), (&json!(2), &json!(0), &json!(2)));
}

#[test]
fn decision_39_what_is_outside_the_table_is_not_counted() {
    let world = limited(1, 1);
    for _ in 0..3 {
        world.anonymous().get("/healthz").expect(200);
        world.anonymous().get("/readyz").expect(200);
    }
    world.anonymous().get("/meta").expect(200);
}

#[test]
fn decision_39_it_can_be_switched_off() {
    let world = World::empty(Settings { limits: None, ..Settings::default() });
    let answer = world.sam().get("/user");
    answer.expect(200);
    assert_eq!(answer.header("x-ratelimit-limit"), None);
    world.sam().get("/rate_limit").refused(404, "Rate limiting is not enabled.");
}

#[test]
fn decision_39_a_refused_call_has_changed_nothing() {
    let world = limited(1, 1);
    world.sam().get("/user").expect(200);
    world.sam().post("/admin/users", json!({ "login": "una" })).expect(403);
    world.anonymous().get("/users/una").expect(404);
}
