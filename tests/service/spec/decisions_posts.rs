//! The people who see and write posts on a board (decisions 34 and 35), and the events and records of posts (37, 41, 45
//! and 47).

use crate::spec::given;
use crate::support::{Client, Value, World, json};

const BOARD: &str = "/orgs/acme/teams/core/discussions";

#[test]
fn decision_34_a_public_post_is_for_every_member_who_sees_the_team() {
    let world = World::new();
    for login in ["olivia", "max", "tom", "eve"] {
        let client = world.client(login);
        let number = given::post(&client, login, false)["number"].clone();
        let comments = format!("{BOARD}/{number}/comments");
        for other in ["olivia", "max", "tom", "eve"] {
            world.client(other).get(&format!("{BOARD}/{number}")).expect(200);
            world.client(other).post(&comments, json!({ "body": other })).expect(201);
        }
    }
    for login in ["nina", "sam"] {
        let client = world.client(login);
        client.get(BOARD).refused(404, "Not Found");
        client.get(&format!("{BOARD}/1")).refused(404, "Not Found");
        client.post(BOARD, json!({ "title": "t", "body": "b" })).refused(404, "Not Found");
    }
}

#[test]
fn decision_34_on_a_secret_team_that_is_its_people_and_owners() {
    let world = World::new();
    given::secret(&world, "Hidden");
    given::put(&world, "hidden", "tom", "member");
    let board = "/orgs/acme/teams/hidden/discussions";
    world.tom().post(board, json!({ "title": "t", "body": "b" })).expect(201);
    world.olivia().get(&format!("{board}/1")).expect(200);
    for login in ["max", "eve", "nina"] {
        world.client(login).get(&format!("{board}/1")).refused(404, "Not Found");
        world.client(login).get(board).refused(404, "Not Found");
    }
}

/// Every operation on the first post of the team, its first comment, or their first reactions.
const CALLS: [fn(&Client) -> u16; 13] = [
    |client| client.get(&format!("{BOARD}/1")).status,
    |client| client.patch(&format!("{BOARD}/1"), json!({ "title": "t" })).status,
    |client| client.delete(&format!("{BOARD}/1")).status,
    |client| client.get(&format!("{BOARD}/1/comments")).status,
    |client| client.post(&format!("{BOARD}/1/comments"), json!({ "body": "b" })).status,
    |client| client.get(&format!("{BOARD}/1/comments/1")).status,
    |client| client.patch(&format!("{BOARD}/1/comments/1"), json!({ "body": "b" })).status,
    |client| client.delete(&format!("{BOARD}/1/comments/1")).status,
    |client| client.get(&format!("{BOARD}/1/reactions")).status,
    |client| client.post(&format!("{BOARD}/1/reactions"), json!({ "content": "eyes" })).status,
    |client| client.delete(&format!("{BOARD}/1/reactions/1")).status,
    |client| client.post(&format!("{BOARD}/1/comments/1/reactions"), json!({ "content": "eyes" })).status,
    |client| client.get(&format!("{BOARD}/1/comments/1/reactions")).status,
];

#[test]
fn decision_34_a_private_post_is_404_to_others_in_every_operation() {
    let world = World::new();
    given::child(&world, &given::core(&world), "Below");
    given::put(&world, "below", "ray", "maintainer");
    given::post(&world.tom(), "secret", true);
    world.max().post(&format!("{BOARD}/1/comments"), json!({ "body": "b" })).expect(201);
    world.max().post(&format!("{BOARD}/1/reactions"), json!({ "content": "heart" })).expect(201);
    let before = given::written(&world);
    for login in ["eve", "ray", "nina", "sam"] {
        for (number, call) in CALLS.iter().enumerate() {
            assert_eq!(call(&world.client(login)), 404, "call {number} of {login}");
        }
    }
    assert_eq!(given::written(&world), before);
    for login in ["olivia", "max", "tom"] {
        world.client(login).get(&format!("{BOARD}/1")).expect(200);
    }
}

#[test]
fn decision_34_a_private_post_is_missing_from_lists_and_numbers() {
    let world = World::new();
    for (title, private) in [("a", false), ("b", true), ("c", false), ("d", true), ("e", true)] {
        given::post(&world.tom(), title, private);
    }
    let titles = |client: &Client, query: &str| given::each(client, &format!("{BOARD}{query}"), "title");
    let last = |client: &Client| client.get(&format!("{BOARD}?per_page=1")).link("last");
    for login in ["olivia", "max", "tom"] {
        let client = world.client(login);
        assert_eq!(titles(&client, ""), ["e", "d", "c", "b", "a"]);
        assert_eq!(titles(&client, "?direction=asc&per_page=2&page=2"), ["c", "d"]);
        assert!(last(&client).expect("more pages").ends_with("page=5"));
    }
    assert_eq!(titles(&world.eve(), ""), ["c", "a"]);
    assert_eq!(titles(&world.eve(), "?direction=asc"), ["a", "c"]);
    assert!(last(&world.eve()).expect("more pages").ends_with("page=2"));
    world.tom().delete(&format!("{BOARD}/3")).expect(204);
    world.tom().delete(&format!("{BOARD}/5")).expect(204);
    assert_eq!(world.eve().get(&format!("{BOARD}?per_page=1")).link("last"), None);
    assert!(last(&world.tom()).expect("more pages").ends_with("page=3"));
}

#[test]
fn decision_34_who_leaves_the_team_no_longer_sees_its_private_posts() {
    let world = World::new();
    given::post(&world.tom(), "mine", true);
    world.olivia().delete("/orgs/acme/teams/core/memberships/tom").expect(204);
    world.tom().get(&format!("{BOARD}/1")).refused(404, "Not Found");
    world.tom().delete(&format!("{BOARD}/1")).refused(404, "Not Found");
    assert_eq!(world.tom().get(BOARD).expect(200), &json!([]));
}

#[test]
fn decision_34_others_who_create_a_private_post_get_403() {
    let world = World::new();
    let before = given::written(&world);
    let answer = world.eve().post(BOARD, json!({ "title": "t", "body": "b", "private": true }));
    answer.refused(403, "You must be a member of the team to create a private discussion.");
    assert_eq!(given::written(&world), before);
    assert_eq!(given::post(&world.olivia(), "t", true)["number"], 1);
}

#[test]
fn decision_35_posts_are_edited_and_deleted_by_author_maintainers_and_owners() {
    let world = World::new();
    let refusal = "You must be the author, a team maintainer or an organization owner to do this.";
    for editor in ["olivia", "max", "tom"] {
        let path = format!("{BOARD}/{}", given::post(&world.tom(), "t", false)["number"]);
        world.eve().patch(&path, json!({ "title": "u" })).refused(403, refusal);
        world.eve().delete(&path).refused(403, refusal);
        let changed = world.client(editor).patch(&path, json!({ "title": editor })).expect(200).clone();
        assert_eq!((&changed["title"], &changed["author"]["login"]), (&json!(editor), &json!("tom")));
        world.client(editor).delete(&path).expect(204);
    }
}

#[test]
fn decision_35_comments_likewise_and_not_by_the_author_of_the_post() {
    let world = World::new();
    given::put(&world, "core", "eve", "member");
    given::post(&world.eve(), "t", false);
    let refusal = "You must be the author, a team maintainer or an organization owner to do this.";
    for editor in ["olivia", "max", "tom"] {
        let made = world.tom().post(&format!("{BOARD}/1/comments"), json!({ "body": "b" })).expect(201).clone();
        let path = format!("{BOARD}/1/comments/{}", made["number"]);
        world.eve().patch(&path, json!({ "body": "c" })).refused(403, refusal);
        world.eve().delete(&path).refused(403, refusal);
        assert_eq!(world.client(editor).patch(&path, json!({ "body": editor })).expect(200)["body"], editor);
        world.client(editor).delete(&path).expect(204);
    }
}

#[test]
fn decision_35_numbers_are_not_used_again() {
    let world = World::new();
    let tom = world.tom();
    assert_eq!(given::post(&tom, "a", false)["number"], 1);
    assert_eq!(given::post(&tom, "b", true)["number"], 2);
    tom.delete(&format!("{BOARD}/2")).expect(204);
    tom.delete(&format!("{BOARD}/1")).expect(204);
    assert_eq!(given::post(&world.second_server().tom(), "c", false)["number"], 3);
    let comments = format!("{BOARD}/3/comments");
    let comment = || tom.post(&comments, json!({ "body": "b" })).expect(201)["number"].clone();
    assert_eq!((comment(), comment()), (json!(1), json!(2)));
    tom.delete(&format!("{comments}/2")).expect(204);
    assert_eq!(comment(), 3);
    assert_eq!(tom.get(&format!("{BOARD}/3")).expect(200)["comments_count"], 2);
    let other = given::closed(&world, "Other")["slug"].as_str().expect("a slug").to_owned();
    let path = format!("/orgs/acme/teams/{other}/discussions");
    assert_eq!(tom.post(&path, json!({ "title": "t", "body": "b" })).expect(201)["number"], 1);
}

#[test]
fn decision_35_last_edited_at_follows_the_body_only() {
    let world = World::new();
    given::post(&world.tom(), "a", false);
    let path = format!("{BOARD}/1");
    let change = |body: Value| {
        world.advance(60);
        let post = world.tom().patch(&path, body).expect(200).clone();
        (post["updated_at"].clone(), post["last_edited_at"].clone())
    };
    let (one, three) = (json!("2026-01-01T00:01:00Z"), json!("2026-01-01T00:03:00Z"));
    assert_eq!(change(json!({ "title": "b" })), (one.clone(), json!(null)));
    let before = given::written(&world);
    assert_eq!(change(json!({ "title": "b" })), (one, json!(null)), "nothing changed");
    assert_eq!(given::written(&world), before);
    assert_eq!(change(json!({ "body": "c" })), (three.clone(), three.clone()));
    assert_eq!(change(json!({ "title": "d" })), (json!("2026-01-01T00:04:00Z"), three.clone()));
    assert_eq!(change(json!({})).1, three);
}

#[test]
fn decision_35_body_version_is_that_of_the_text_as_it_is_now() {
    let world = World::new();
    given::post(&world.tom(), "a", false);
    let path = format!("{BOARD}/1");
    world.tom().patch(&path, json!({ "body": "c" })).expect(200);
    let post = world.tom().get(&path).expect(200).clone();
    assert_eq!(
        (&post["body_version"], &post["body_html"]),
        (&json!("4a8a08f09d37b73795649038408b5f33"), &json!("<p>c</p>"))
    );
}

#[test]
fn decision_35_an_edited_comment_says_when() {
    let world = World::new();
    given::post(&world.tom(), "a", false);
    world.tom().post(&format!("{BOARD}/1/comments"), json!({ "body": "b" })).expect(201);
    let path = format!("{BOARD}/1/comments/1");
    world.advance(60);
    let before = given::written(&world);
    assert_eq!(world.tom().patch(&path, json!({ "body": "b" })).expect(200)["last_edited_at"], json!(null));
    assert_eq!(given::written(&world), before);
    let edited = world.tom().patch(&path, json!({ "body": "c" })).expect(200).clone();
    for member in ["last_edited_at", "updated_at"] {
        assert_eq!(edited[member], "2026-01-01T00:01:00Z");
    }
    assert_eq!(edited["body_version"], "4a8a08f09d37b73795649038408b5f33");
    assert_eq!(edited["body_html"], "<p>c</p>");
}

#[test]
fn decision_35_title_and_body_have_lengths_and_are_not_blank() {
    let world = World::new();
    let create = |title: &str, body: &str| world.tom().post(BOARD, json!({ "title": title, "body": body }));
    create(&"é".repeat(255), &"💥".repeat(65_535)).expect(201);
    let long = |resource: &str, field: &str, longest: u32| {
        json!({ "resource": resource, "code": "custom", "field": field,
            "message": format!("{field} is too long (maximum is {longest} characters)") })
    };
    given::violates(&create(&"é".repeat(256), "b"), long("TeamDiscussion", "title", 255));
    given::violates(&create("t", &"b".repeat(65_536)), long("TeamDiscussion", "body", 65_535));
    let blank = |resource: &str, field: &str, message: &str| json!({ "resource": resource, "code": "custom", "field": field, "message": message });
    let comments = format!("{BOARD}/1/comments");
    world.tom().post(&comments, json!({ "body": "c" })).expect(201);
    for text in ["", " \t\n", "\u{a0}\u{3000}"] {
        let title = blank("TeamDiscussion", "title", "Title cannot be blank");
        given::violates(&create(text, "b"), title.clone());
        given::violates(&world.tom().patch(&format!("{BOARD}/1"), json!({ "title": text })), title);
        let body = |resource: &str| blank(resource, "body", "Body cannot be blank");
        given::violates(&create("t", text), body("TeamDiscussion"));
        given::violates(&world.tom().patch(&format!("{BOARD}/1"), json!({ "body": text })), body("TeamDiscussion"));
        given::violates(&world.tom().post(&comments, json!({ "body": text })), body("TeamDiscussionComment"));
        let update = world.tom().patch(&format!("{comments}/1"), json!({ "body": text }));
        given::violates(&update, body("TeamDiscussionComment"));
    }
    let nothing = world.tom().post(BOARD, json!({}));
    nothing.refused(422, "Invalid request.\n\n\"title\", \"body\" weren't supplied.");
    let comment = world.tom().post(&format!("{BOARD}/1/comments"), json!({ "body": "b".repeat(65_536) }));
    given::violates(&comment, long("TeamDiscussionComment", "body", 65_535));
}

#[test]
fn decision_35_the_words_within_html_are_kept() {
    let world = World::new();
    let body =
        "<details><summary>More</summary>\n\n*text*\n\n</details>\n\n<script>alert(1)</script>\n\n<p id=a>end</p>";
    let post = world.tom().post(BOARD, json!({ "title": "t", "body": body })).expect(201).clone();
    assert_eq!(post["body_html"], "<p>More</p>\n<p><em>text</em></p>\n<p>end</p>");
}

#[test]
fn decision_35_body_html_lets_nothing_foreign_through() {
    let world = World::new();
    let text =
        "<script>x</script>\n\n[a](javascript:x) ![p](https://e.org/p.png) <b onclick=x id=y class=z>t</b>\n\n- [x] d";
    let post = world.tom().post(BOARD, json!({ "title": "<script>", "body": text })).expect(201).clone();
    assert_eq!(post["body"], text);
    let html = "<p>a <a href=\"https://e.org/p.png\">p</a> t</p>\n<ul>\n<li>☑ d</li>\n</ul>";
    assert_eq!(post["body_html"], html);
}

#[test]
fn decision_35_the_author_is_null_when_the_account_is_gone() {
    let world = World::new();
    given::post(&world.eve(), "a", false);
    world.eve().post(&format!("{BOARD}/1/comments"), json!({ "body": "b" })).expect(201);
    world.sam().delete("/admin/users/eve").expect(204);
    assert_eq!(world.tom().get(&format!("{BOARD}/1")).expect(200)["author"], json!(null));
    assert_eq!(given::each(&world.tom(), &format!("{BOARD}/1/comments"), "author"), [json!(null)]);
    world.tom().patch(&format!("{BOARD}/1"), json!({ "title": "b" })).expect(403);
    world.max().patch(&format!("{BOARD}/1"), json!({ "title": "b" })).expect(200);
}

#[test]
fn decision_45_an_event_of_a_post_says_who_and_where_and_whom_it_mentions() {
    let world = World::new();
    let body = json!({ "title": "Plans", "body": "hush @max @nina @missing @acme/core `@eve`", "private": true });
    world.tom().post(BOARD, body).expect(201);
    world.max().post(&format!("{BOARD}/1/comments"), json!({ "body": "hush @Tom" })).expect(201);
    let events: Vec<(String, String)> =
        world.rows("SELECT event, facts FROM journal_facts WHERE event LIKE 'discussion%' ORDER BY org_id, entry");
    let facts: Vec<Value> = events.iter().map(|(_, facts)| serde_json::from_str(facts).expect("JSON")).collect();
    assert_eq!(
        events.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(),
        ["discussion.created", "discussion_comment.created"]
    );
    let [max, tom] = ["max", "tom"].map(|login| given::user_id(&world, login));
    let (post, comment) = (&facts[0]["discussion"], &facts[1]["comment"]);
    assert_eq!((&post["private"], &post["author"], &post["team"]["slug"]), (&json!(true), &json!(tom), &json!("core")));
    assert_eq!((&facts[0]["mentions"], &facts[1]["mentions"]), (&json!([max]), &json!([tom])));
    assert_eq!(facts[0]["mentioned_teams"], json!([post["team"]["id"]]));
    assert_eq!((&comment["author"], &comment["discussion"]["number"]), (&json!(max), &json!(1)));
}

#[test]
fn decision_41_audit_and_events_contain_no_text_of_posts() {
    let world = World::new();
    let text = "what nobody else reads";
    world.tom().post(BOARD, json!({ "title": text, "body": text })).expect(201);
    world.tom().post(&format!("{BOARD}/1/comments"), json!({ "body": text })).expect(201);
    let further = format!("{text} either");
    world.tom().patch(&format!("{BOARD}/1"), json!({ "title": further, "body": further })).expect(200);
    world.tom().patch(&format!("{BOARD}/1/comments/1"), json!({ "body": further })).expect(200);
    world.tom().delete(&format!("{BOARD}/1/comments/1")).expect(204);
    world.tom().delete(&format!("{BOARD}/1")).expect(204);
    let rows: Vec<(String, String)> = world.rows("SELECT before, after FROM journal WHERE action IS NOT NULL");
    let facts: Vec<(String, String)> = world.rows("SELECT event, facts FROM journal_facts");
    assert!(rows.iter().chain(&facts).all(|(one, two)| !one.contains("nobody") && !two.contains("nobody")));
}

#[test]
fn decision_47_every_write_of_a_post_is_in_the_audit() {
    let world = World::new();
    given::post(&world.tom(), "a", true);
    world.max().patch(&format!("{BOARD}/1"), json!({ "title": "b" })).expect(200);
    world.tom().post(&format!("{BOARD}/1/comments"), json!({ "body": "b" })).expect(201);
    world.tom().patch(&format!("{BOARD}/1/comments/1"), json!({ "body": "c" })).expect(200);
    world.tom().post(&format!("{BOARD}/1/reactions"), json!({ "content": "eyes" })).expect(201);
    world.tom().delete(&format!("{BOARD}/1/reactions/1")).expect(204);
    world.max().delete(&format!("{BOARD}/1/comments/1")).expect(204);
    world.tom().delete(&format!("{BOARD}/1")).expect(204);
    let entries: Vec<(String, String, String)> = world.rows(
        "SELECT action, actor_login, before FROM journal WHERE action LIKE '%discussion%' OR action LIKE '%reaction%'
         ORDER BY org_id, entry",
    );
    let named: Vec<(&str, &str)> = entries.iter().map(|(action, who, _)| (action.as_str(), who.as_str())).collect();
    assert_eq!(
        named,
        [
            ("team.create_discussion", "tom"),
            ("team.update_discussion", "max"),
            ("team.create_discussion_comment", "tom"),
            ("team.update_discussion_comment", "tom"),
            ("team.create_reaction", "tom"),
            ("team.delete_reaction", "tom"),
            ("team.destroy_discussion_comment", "max"),
            ("team.destroy_discussion", "tom"),
        ]
    );
    let before: Value = serde_json::from_str(&entries[7].2).expect("JSON");
    assert_eq!((&before["discussion"], &before["private"]), (&json!(1), &json!(true)));
}
