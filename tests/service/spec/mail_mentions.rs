//! Mentions of people and teams, also those that an edit adds (decision 37).

use super::mail_invitations::{all, settle};
use super::mail_posts::{boards, comment, mailed, many_subscribers, pairs, post, told};
use crate::support::{World, json};

const BOARD: &str = "/orgs/acme/teams/core/discussions";

/// Forgets all notices.
fn forget(world: &World) {
    settle(world);
    world.execute("UPDATE notices SET unread = FALSE WHERE unread = TRUE");
}

fn edit(world: &World, path: &str, body: &str) {
    world.max().patch(&format!("{BOARD}/1{path}"), json!({ "body": body })).expect(200);
    settle(world);
}

#[test]
fn decision_37_a_person_whom_an_edit_mentions_is_told_as_of_a_new_post() {
    let world = boards();
    post(&world.max(), "core", "Hello @tom", false);
    comment(&world.max(), 1, "More, @tom");
    assert_eq!(mailed(&world, 4).len(), 4);
    for path in ["", "/comments/1"] {
        forget(&world);
        edit(&world, path, "Hello @tom and @ray, says @max");
        assert_eq!(told(&world), pairs(&[("ray", "mention")]), "{path}: the others know of it, or wrote it");
        edit(&world, path, "Hello, @ray");
        edit(&world, path, "Hello, @ray, once more");
        assert_eq!(told(&world), pairs(&[("ray", "mention")]), "{path}");
    }
    let mails = all(&world, 6);
    assert_eq!((mails.len(), mails[4].to(), mails[5].to()), (6, "ray@example.com".into(), "ray@example.com".into()));
    assert_ne!(mails[4].header("Message-ID"), mails[0].header("Message-ID"), "mail programs would drop it");
    assert_eq!(mails[4].header("In-Reply-To"), mails[0].header("Message-ID"));
    assert!(mails[4].text.contains("mentioned you"), "{}", mails[4].text);
}

#[test]
fn decision_37_an_edit_tells_neither_the_author_nor_the_editor_nor_people_who_may_not_see_the_post() {
    let world = boards();
    post(&world.tom(), "core", "Hello", true);
    forget(&world);
    edit(&world, "", "Hello @tom, @max, @ray, @eve, @nina and @olivia");
    assert_eq!(told(&world), pairs(&[("olivia", "mention")]));
    world.max().patch(&format!("{BOARD}/1"), json!({ "title": "Hello @eve" })).expect(200);
    settle(&world);
    assert_eq!(told(&world), pairs(&[("olivia", "mention")]));
}

#[test]
fn decision_37_an_edit_tells_nobody_while_notifications_of_the_team_are_off() {
    let world = boards();
    let off = json!({ "name": "Core", "notification_setting": "notifications_disabled" });
    world.olivia().patch("/orgs/acme/teams/core", off).expect(200);
    post(&world.max(), "core", "Hello", false);
    edit(&world, "", "Hello @ray");
    assert!(told(&world).is_empty());
}

#[test]
fn decision_37_a_mentioned_team_tells_its_members_who_may_see_the_post_once_each() {
    let world = boards();
    let olivia = world.olivia();
    olivia.post("/orgs/acme/teams", json!({ "name": "Other", "privacy": "closed" })).expect(201);
    for login in ["ray", "eve", "max"] {
        olivia.put(&format!("/orgs/acme/teams/other/memberships/{login}"), json!({})).expect(200);
    }
    // Olivia made the team, Max writes, and Eve and Ray are mentioned twice.
    post(&world.max(), "core", "Hello @acme/other, @ACME/Other and @ray, also @acme/crew", false);
    assert_eq!(mailed(&world, 4), ["eve@example.com", "olivia@example.com", "ray@example.com", "tom@example.com"]);
    let everyone = [("eve", "mention"), ("olivia", "mention"), ("ray", "mention"), ("tom", "subscribed")];
    assert_eq!(told(&world), pairs(&everyone));
    forget(&world);
    post(&world.max(), "core", "Hello @acme/other", true);
    settle(&world);
    assert_eq!(told(&world), pairs(&[("olivia", "mention"), ("tom", "subscribed")]), "a private post");
    forget(&world);
    post(&world.max(), "other", "Hello @acme/core", false);
    settle(&world);
    let below = [("eve", "mention"), ("olivia", "subscribed"), ("ray", "subscribed"), ("tom", "mention")];
    assert_eq!(told(&world), pairs(&below), "the people of a team are those of the teams below it, too");
    forget(&world);
    world.max().patch(&format!("{BOARD}/2"), json!({ "body": "Hello @acme/other and @acme/core" })).expect(200);
    settle(&world);
    assert_eq!(told(&world), pairs(&[("tom", "mention")]), "added by an edit");
}

#[test]
fn decision_37_a_team_that_the_author_does_not_see_or_of_another_organization_is_not_mentioned() {
    let world = boards();
    let olivia = world.olivia();
    olivia.post("/orgs/acme/teams", json!({ "name": "Hidden", "maintainers": ["ray"] })).expect(201);
    world.organization("globex", "nina", &["ray"]);
    let globex = world.nina();
    globex.post("/orgs/globex/teams", json!({ "name": "Core", "maintainers": ["ray"] })).expect(201);
    post(&world.max(), "core", "Hello @acme/hidden @globex/core @acme/nothing @hidden `@acme/hidden`", false);
    settle(&world);
    assert_eq!(told(&world), pairs(&[("eve", "subscribed"), ("tom", "subscribed")]));
    forget(&world);
    comment(&olivia, 1, "Hello @acme/hidden");
    settle(&world);
    assert_eq!(
        told(&world),
        pairs(&[("eve", "subscribed"), ("max", "author"), ("ray", "mention"), ("tom", "subscribed")])
    );
}

#[test]
fn decision_37_a_large_team_that_is_mentioned_is_told_in_steps_and_each_person_once() {
    let world = boards();
    many_subscribers(&world);
    world.olivia().post("/orgs/acme/teams", json!({ "name": "Small", "privacy": "closed" })).expect(201);
    post(&world.olivia(), "small", "Hello @acme/core and @ray", false);
    settle(&world);
    let told = "SELECT count(*), count(DISTINCT n.user_id) FROM notices n WHERE n.reason = 'mention'";
    // Nine tenths of the subscribers, Max and Tom, Eve of the team below, and Ray.
    assert_eq!(world.rows::<(i64, i64)>(told), [(2_254, 2_254)]);
}
