//! The operations on discussions and comments (section 8): what success looks like, in which order lists are.

use crate::spec::given;
use crate::spec::records;
use crate::support::{World, json};

const BOARD: &str = "/orgs/acme/teams/core/discussions";

#[test]
fn operation_create_discussion_answers_201_with_location_and_record() {
    let world = World::new();
    let answer = world.tom().post(BOARD, json!({ "title": "Lunch", "body": "At *noon*." }));
    let post = answer.expect(201);
    records::conforms(post, "team-discussion");
    let team = given::core(&world)["url"].as_str().expect("an address").to_owned();
    assert_eq!(answer.header("location"), post["url"].as_str());
    for (field, value) in [
        ("body", json!("At *noon*.")),
        ("body_html", json!("<p>At <em>noon</em>.</p>")),
        ("body_version", json!("2999a183912862dcad5a1fee9f9272b4")),
        ("comments_count", json!(0)),
        ("comments_url", json!(format!("{team}/discussions/1/comments"))),
        ("created_at", json!("2026-01-01T00:00:00Z")),
        ("last_edited_at", json!(null)),
        ("html_url", json!(format!("{}/ui{BOARD}/1", world.base))),
        ("node_id", json!("MDE0OlRlYW1EaXNjdXNzaW9uMQ==")),
        ("number", json!(1)),
        ("pinned", json!(false)),
        ("private", json!(false)),
        ("team_url", json!(team)),
        ("title", json!("Lunch")),
        ("updated_at", json!("2026-01-01T00:00:00Z")),
        ("url", json!(format!("{team}/discussions/1"))),
    ] {
        assert_eq!(post[field], value, "{field}");
    }
    assert_eq!(post["author"]["login"], "tom");
    records::conforms(&post["author"], "simple-user");
    let none = json!({ "url": format!("{team}/discussions/1/reactions"), "total_count": 0, "+1": 0, "-1": 0,
        "laugh": 0, "hooray": 0, "confused": 0, "heart": 0, "rocket": 0, "eyes": 0 });
    assert_eq!(post["reactions"].to_string(), none.to_string());
    assert_eq!(world.eve().get(&format!("{BOARD}/1")).expect(200), post);
}

#[test]
fn operation_create_comment_answers_201_with_location_and_record() {
    let world = World::new();
    given::post(&world.tom(), "Lunch", false);
    let answer = world.eve().post(&format!("{BOARD}/1/comments"), json!({ "body": "Yes." }));
    let comment = answer.expect(201);
    records::conforms(comment, "team-discussion-comment");
    let post = world.tom().get(&format!("{BOARD}/1")).expect(200).clone();
    let url = post["url"].as_str().expect("an address");
    assert_eq!(answer.header("location"), comment["url"].as_str());
    for (field, value) in [
        ("body_html", json!("<p>Yes.</p>")),
        ("discussion_url", json!(url)),
        ("html_url", json!(format!("{}/ui{BOARD}/1/comments/1", world.base))),
        ("node_id", json!("MDIxOlRlYW1EaXNjdXNzaW9uQ29tbWVudDE=")),
        ("number", json!(1)),
        ("url", json!(format!("{url}/comments/1"))),
        ("last_edited_at", json!(null)),
    ] {
        assert_eq!(comment[field], value, "{field}");
    }
    assert_eq!(comment["author"]["login"], "eve");
    assert_eq!(comment["reactions"]["url"], format!("{url}/comments/1/reactions"));
    assert_eq!(post["comments_count"], 1);
    assert_eq!(world.max().get(&format!("{BOARD}/1/comments/1")).expect(200), comment);
}

#[test]
fn operation_list_discussions_is_by_number_in_either_direction() {
    let world = World::new();
    for title in ["a", "b", "c"] {
        given::post(&world.tom(), title, false);
    }
    let numbers = |query: &str| given::each(&world.eve(), &format!("{BOARD}{query}"), "number");
    assert_eq!(numbers(""), [3, 2, 1]);
    assert_eq!(numbers("?direction=desc&per_page=2"), [3, 2]);
    assert_eq!(numbers("?direction=desc&per_page=2&page=2"), [1]);
    assert_eq!(numbers("?direction=asc"), [1, 2, 3]);
    assert_eq!(numbers("?direction=asc&per_page=2&page=2"), [3]);
    assert_eq!(numbers("?direction=sideways"), [3, 2, 1]);
    let list = world.eve().get(BOARD);
    for post in list.expect(200).as_array().expect("a list") {
        records::conforms(post, "team-discussion");
        let path = format!("{BOARD}/{}", post["number"]);
        assert_eq!(world.eve().get(&path).expect(200).to_string(), post.to_string());
    }
}

#[test]
fn operation_list_comments_is_by_number_in_either_direction() {
    let world = World::new();
    given::post(&world.tom(), "a", false);
    let path = format!("{BOARD}/1/comments");
    for body in ["a", "b", "c"] {
        world.eve().post(&path, json!({ "body": body })).expect(201);
    }
    let bodies = |query: &str| given::each(&world.tom(), &format!("{path}{query}"), "body");
    assert_eq!(bodies(""), ["c", "b", "a"]);
    assert_eq!(bodies("?direction=asc&per_page=2"), ["a", "b"]);
    assert_eq!(bodies("?direction=asc&per_page=2&page=2"), ["c"]);
    let list = world.tom().get(&path);
    for comment in list.expect(200).as_array().expect("a list") {
        records::conforms(comment, "team-discussion-comment");
        let path = format!("{path}/{}", comment["number"]);
        assert_eq!(world.tom().get(&path).expect(200).to_string(), comment.to_string());
    }
}

#[test]
fn operation_posts_answer_in_all_forms_of_the_team() {
    let world = World::new();
    for form in given::forms(&given::core(&world)) {
        let post = world.tom().post(&format!("{form}/discussions"), json!({ "title": "t", "body": "b" }));
        let path = format!("{form}/discussions/{}", post.expect(201)["number"]);
        world.eve().patch(&path, json!({ "title": "u" })).expect(403);
        assert_eq!(world.tom().patch(&path, json!({ "title": "u" })).expect(200)["title"], "u");
        world.eve().post(&format!("{path}/comments"), json!({ "body": "c" })).expect(201);
        let comment = format!("{path}/comments/1");
        assert_eq!(world.eve().patch(&comment, json!({ "body": "d" })).expect(200)["body"], "d");
        assert_eq!(given::each(&world.tom(), &format!("{path}/comments"), "body"), ["d"]);
        world.eve().delete(&comment).expect(204);
        world.tom().get(&comment).refused(404, "Not Found");
        world.tom().delete(&path).expect(204);
        world.tom().get(&path).refused(404, "Not Found");
        world.tom().get(&format!("{path}/comments")).refused(404, "Not Found");
    }
    assert_eq!(world.tom().get(BOARD).expect(200), &json!([]));
}

#[test]
fn operation_numbers_that_nothing_has_are_404() {
    let world = World::new();
    given::post(&world.tom(), "a", false);
    for number in ["0", "2", "-1", "1.0", "x", "99999999999999999999999"] {
        let post = format!("{BOARD}/{number}");
        let comment = format!("{BOARD}/1/comments/{number}");
        for path in [&post, &comment] {
            world.tom().get(path).refused(404, "Not Found");
            world.tom().patch(path, json!({ "body": "b" })).refused(404, "Not Found");
            world.tom().delete(path).refused(404, "Not Found");
        }
        world.tom().post(&format!("{post}/comments"), json!({ "body": "b" })).refused(404, "Not Found");
    }
}
