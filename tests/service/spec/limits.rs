//! Limits (section 13).

use crate::spec::given;
use crate::support::world::Settings;
use crate::support::{World, json};

/// A hundred and one further teams.
pub fn many_teams(world: &World) {
    for n in 0..101 {
        given::team(world, json!({ "name": format!("Team {n:03}") }));
    }
}

#[test]
fn limits_1_a_page_holds_at_most_100() {
    let world = World::new();
    many_teams(&world);
    let length = |path: &str| world.olivia().get(path).each("id").len();
    assert_eq!(length("/orgs/acme/teams?per_page=100"), 100);
    assert_eq!(length("/orgs/acme/teams?per_page=101"), 100);
    assert_eq!(length("/orgs/acme/teams?per_page=99999999999999999999"), 100);
    assert_eq!(length("/user/teams?per_page=500"), 100);
    assert_eq!(world.olivia().all("/orgs/acme/teams?per_page=100").len(), 102);
}

#[test]
fn limits_2_page_chooses_the_page_counted_from_1() {
    let world = World::new();
    for name in ["D", "A", "C", "B"] {
        given::team(&world, json!({ "name": name }));
    }
    let page = |n: u8| given::each(&world.olivia(), &format!("/orgs/acme/teams?per_page=2&page={n}"), "name");
    assert_eq!(
        (page(1), page(2), page(3)),
        (vec!["A".into(), "B".into()], vec!["C".into(), "Core".into()], vec!["D".into()])
    );
}

#[test]
fn limits_4_a_page_holds_30_if_the_caller_does_not_say() {
    let world = World::new();
    many_teams(&world);
    for path in ["/orgs/acme/teams", "/user/teams", "/orgs/acme/teams?per_page=0", "/orgs/acme/teams?per_page=x"] {
        assert_eq!(world.olivia().get(path).each("id").len(), 30, "{path}");
    }
}

#[test]
fn limits_6_requests_of_an_hour_are_counted_and_the_number_is_a_setting() {
    let world = World::empty(Settings { limits: Some((3, 2)), ..Settings::default() });
    for left in ["2", "1", "0"] {
        let answer = world.sam().get("/user");
        answer.expect(200);
        assert_eq!(
            (answer.header("x-ratelimit-limit"), answer.header("x-ratelimit-remaining")),
            (Some("3"), Some(left))
        );
    }
    world.sam().get("/user").expect(403);
    world.advance(3_600);
    world.sam().get("/user").expect(200);
}

#[test]
fn limits_7_a_body_holds_at_most_1_mib_and_64_levels() {
    let world = World::new();
    let body = |length: usize| {
        let body = "{\"name\":\"Large\",\"x\":\"\"}";
        body.replace("\"\"", &format!("\"{}\"", "x".repeat(length - body.len())))
    };
    world.olivia().send("POST", "/orgs/acme/teams", Some(body((1 << 20) + 1))).expect(413);
    world.olivia().send("POST", "/orgs/acme/teams", Some(body(1 << 20))).expect(201);
    let nested = |levels: usize| {
        let (open, close) = ("{\"x\":".repeat(levels - 1), "}".repeat(levels - 1));
        format!("{{\"name\":\"Deep\",\"x\":{open}1{close}}}")
    };
    world.olivia().send("POST", "/orgs/acme/teams", Some(nested(65))).expect(400);
    world.olivia().send("POST", "/orgs/acme/teams", Some(nested(64))).expect(201);
}
