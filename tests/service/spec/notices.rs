//! The inbox, and what people choose (decision 37).

use super::mail_invitations::{all, settle, world};
use crate::support::{Client, Value, World, json};

fn post(world: &World, title: &str, private: bool) -> i64 {
    let new = json!({ "title": title, "body": "Hello", "private": private });
    world.max().post("/orgs/acme/teams/core/discussions", new).expect(201)["number"].as_i64().expect("a number")
}

fn comment(client: &Client, number: i64, body: &str) {
    client.post(&format!("/orgs/acme/teams/core/discussions/{number}/comments"), json!({ "body": body })).expect(201);
}

fn inbox(client: &Client, query: &str) -> Vec<Value> {
    client.get(&format!("/notifications{query}")).expect(200).as_array().expect("a list").clone()
}

fn titles(client: &Client, query: &str) -> Vec<String> {
    inbox(client, query).iter().map(|t| t["subject"]["title"].as_str().expect("a title").to_owned()).collect()
}

fn tom(world: &World) -> Client {
    world.limited("tom", &["notifications"])
}

#[test]
fn decision_37_the_inbox_shows_what_a_person_was_told_of() {
    let world = world();
    let number = post(&world, "First", false);
    settle(&world);
    let tom = tom(&world);
    let thread = inbox(&tom, "").remove(0);
    let board = world.olivia().get("/orgs/acme/teams/core").json["url"].as_str().expect("a URL").to_owned();
    assert_eq!(thread["reason"], "subscribed");
    assert_eq!(
        (&thread["unread"], &thread["last_read_at"], &thread["repository"]),
        (&json!(true), &json!(null), &json!(null))
    );
    assert_eq!(thread["subject"]["type"], "TeamDiscussion");
    assert_eq!(thread["subject"]["url"], format!("{board}/discussions/{number}"));
    assert_eq!(thread["subject"]["latest_comment_url"], thread["subject"]["url"]);
    assert_eq!((&thread["organization"]["login"], &thread["team"]["slug"]), (&json!("acme"), &json!("core")));
    comment(&world.max(), number, "More, @tom");
    settle(&world);
    let thread = inbox(&tom, "").remove(0);
    assert_eq!(thread["subject"]["latest_comment_url"], format!("{board}/discussions/{number}/comments/1"));
    assert_eq!(thread["reason"], "mention");
    assert!(inbox(&world.max(), "").is_empty(), "authors are not told");
    assert_eq!(world.limited("tom", &["user"]).get("/notifications").status, 403);
}

#[test]
fn decision_37_reading_and_finishing_a_thread() {
    let world = world();
    for title in ["First", "Second", "Third"] {
        post(&world, title, false);
        world.advance(60);
    }
    settle(&world);
    let tom = tom(&world);
    assert_eq!(titles(&tom, ""), ["Third", "Second", "First"]);
    let threads = inbox(&tom, "");
    let path = |n: usize| format!("/notifications/threads/{}", threads[n]["id"].as_str().expect("text"));
    tom.patch(&path(0), json!({})).expect(205);
    assert_eq!(titles(&tom, ""), ["Second", "First"]);
    assert_eq!(titles(&tom, "?all=true"), ["Third", "Second", "First"]);
    assert!(tom.get(&path(0)).json["last_read_at"].is_string());
    tom.delete(&path(1)).expect(204);
    assert_eq!(titles(&tom, "?all=true"), ["Third", "First"]);
    let page = tom.get("/notifications?all=true&per_page=1");
    assert!(page.headers["link"].to_str().is_ok_and(|link| link.contains("page=2")), "{:?}", page.headers);
    assert_eq!(titles(&tom, "?before=2026-01-01T00:00:30Z"), ["First"]);
    assert_eq!(titles(&tom, "?since=2026-01-01T00:00:30Z&all=true"), ["Third"]);
    assert_eq!(tom.get("/notifications?since=yesterday").status, 422);
    tom.put("/notifications", json!({})).expect(205);
    assert!(titles(&tom, "").is_empty());
    comment(&world.eve(), 2, "Again");
    settle(&world);
    assert_eq!(titles(&tom, ""), ["Second"], "it comes back");
    // No user reaches the threads of another.
    for other in
        [world.limited("eve", &["notifications"]), world.limited("site-admin", &["notifications", "site_admin"])]
    {
        assert_eq!((other.get(&path(0)).status, other.delete(&path(0)).status), (404, 404));
    }
}

#[test]
fn decision_37_marking_reaches_as_far_as_the_caller_has_read_and_may_be_taken_back() {
    let world = world();
    for title in ["First", "Second"] {
        post(&world, title, false);
        world.advance(60);
    }
    settle(&world);
    let tom = tom(&world);
    tom.put("/notifications", json!({ "last_read_at": "2026-01-01T00:00:30Z" })).expect(205);
    assert_eq!(titles(&tom, ""), ["Second"], "what is newer is unread");
    tom.put("/notifications", json!({ "last_read_at": "yesterday" })).expect(422);
    tom.put("/notifications", json!({ "read": false })).expect(205);
    assert_eq!(titles(&tom, ""), ["Second", "First"]);
    tom.put("/notifications", json!({ "read": true })).expect(205);
    assert!(titles(&tom, "").is_empty());
}

#[test]
fn decision_37_what_a_person_may_no_longer_see_is_not_in_the_inbox() {
    let world = world();
    post(&world, "Open", false);
    post(&world, "Private", true);
    settle(&world);
    let tom = tom(&world);
    let private = inbox(&tom, "").into_iter().find(|thread| thread["subject"]["title"] == "Private").expect("a thread");
    let path = format!("/notifications/threads/{}", private["id"].as_str().expect("text"));
    world.olivia().delete("/orgs/acme/teams/core/memberships/tom").expect(204);
    assert_eq!(titles(&tom, "?all=true"), ["Open"]);
    for verb in ["GET", "PATCH", "DELETE"] {
        assert_eq!(tom.send(verb, &path, None).status, 404, "{verb}");
    }
    world.olivia().delete("/orgs/acme/members/tom").expect(204);
    assert!(titles(&tom, "?all=true").is_empty());
    world.max().delete("/orgs/acme/teams/core/discussions/1").expect(204);
    assert_eq!(
        world.rows::<(i64,)>("SELECT id FROM notices n WHERE n.unread = TRUE").len(),
        1,
        "it goes with its post"
    );
}

#[test]
fn decision_37_a_muted_discussion_tells_nothing_until_the_choice_is_forgotten() {
    let world = world();
    let number = post(&world, "First", false);
    settle(&world);
    let tom = tom(&world);
    let id = inbox(&tom, "")[0]["id"].as_str().expect("text").to_owned();
    let path = format!("/notifications/threads/{id}/subscription");
    let none = tom.get(&path).expect(200).clone();
    assert_eq!(
        (&none["subscribed"], &none["ignored"], &none["created_at"]),
        (&json!(true), &json!(false), &json!(null))
    );
    let muted = tom.put(&path, json!({ "ignored": true })).expect(200).clone();
    assert_eq!(
        (&muted["subscribed"], &muted["ignored"], &muted["created_at"]),
        (&json!(false), &json!(true), &json!("2026-01-01T00:00:00Z"))
    );
    tom.put("/notifications", json!({})).expect(205);
    comment(&world.max(), number, "Muted, @tom");
    settle(&world);
    assert!(titles(&tom, "").is_empty());
    tom.delete(&path).expect(204);
    comment(&world.max(), number, "Again");
    settle(&world);
    assert_eq!(titles(&tom, ""), ["First"]);
}

#[test]
fn decision_37_a_person_subscribes_to_a_discussion_of_a_team_that_they_are_not_in() {
    let world = world();
    let number = post(&world, "First", false);
    comment(&world.max(), number, "What do you think, @ray?");
    settle(&world);
    let ray = world.limited("ray", &["notifications"]);
    let id = inbox(&ray, "")[0]["id"].as_str().expect("text").to_owned();
    ray.put(&format!("/notifications/threads/{id}/subscription"), json!({})).expect(200);
    ray.put("/notifications", json!({})).expect(205);
    comment(&world.max(), number, "Thank you");
    settle(&world);
    assert_eq!(inbox(&ray, "")[0]["reason"], "manual");
    assert_eq!(titles(&ray, "?participating=true"), ["First"]);
}

#[test]
fn decision_37_a_person_sets_which_mails_they_get() {
    let world = world();
    let tom = world.limited("tom", &["user"]);
    assert_eq!(tom.get("/user/mail").expect(200)["posts"], "all");
    assert_eq!(tom.patch("/user/mail", json!({ "posts": "mentions" })).expect(200)["posts"], "mentions");
    let number = post(&world, "First", false);
    comment(&world.max(), number, "Hello @tom");
    let mails = all(&world, 1);
    assert_eq!((mails[0].to(), mails[0].header("Subject")), ("tom@example.com".into(), "Re: [acme/Core] First".into()));
    tom.patch("/user/mail", json!({ "posts": "none" })).expect(200);
    comment(&world.max(), number, "Hello again @tom");
    assert_eq!(all(&world, 1).len(), 1);
    assert_eq!(tom.patch("/user/mail", json!({ "posts": "some" })).status, 422);
    assert_eq!(tom.get("/user/mail").expect(200)["posts"], "none");
}
