//! The people who are notified of a post, in the inbox and by e-mail (decisions 37 and 69; behavior: posting triggers
//! notifications).

use super::given;
use super::mail_invitations::{all, settle, world};
use crate::support::mail;
use crate::support::{Client, World, json, waiting};

/// `core` with Max and Tom, `crew` below it with Eve, and Olivia and Ray elsewhere in the organization.
pub fn boards() -> World {
    let world = world();
    let olivia = world.olivia();
    let core = olivia.get("/orgs/acme/teams/core").json["id"].clone();
    let crew = json!({ "name": "Crew", "privacy": "closed", "parent_team_id": core });
    olivia.post("/orgs/acme/teams", crew).expect(201);
    olivia.put("/orgs/acme/teams/crew/memberships/eve", json!({})).expect(200);
    olivia.delete("/orgs/acme/teams/crew/memberships/olivia").expect(204);
    world
}

pub fn post(client: &Client, team: &str, body: &str, private: bool) -> i64 {
    let new = json!({ "title": "News", "body": body, "private": private });
    client.post(&format!("/orgs/acme/teams/{team}/discussions"), new).expect(201)["number"].as_i64().expect("a number")
}

pub fn comment(client: &Client, number: i64, body: &str) {
    let path = format!("/orgs/acme/teams/core/discussions/{number}/comments");
    client.post(&path, json!({ "body": body })).expect(201);
}

/// The people who have a notice, each with the reason.
pub fn told(world: &World) -> Vec<(String, String)> {
    world.rows("SELECT u.login, n.reason FROM notices n JOIN users u ON u.id = n.user_id WHERE n.unread = TRUE ORDER BY u.login")
}

pub fn pairs(of: &[(&str, &str)]) -> Vec<(String, String)> {
    of.iter().map(|(login, reason)| ((*login).to_owned(), (*reason).to_owned())).collect()
}

/// The recipients of the mails, sorted.
pub fn mailed(world: &World, count: usize) -> Vec<String> {
    let mut to: Vec<String> = all(world, count).iter().map(mail::Mail::to).collect();
    to.sort();
    to
}

#[test]
fn decision_37_a_public_post_is_told_to_the_team_and_the_teams_below() {
    let world = boards();
    post(&world.max(), "core", "Hello", false);
    assert_eq!(mailed(&world, 2), ["eve@example.com", "tom@example.com"]);
    assert_eq!(told(&world), pairs(&[("eve", "subscribed"), ("tom", "subscribed")]));
}

#[test]
fn decision_37_a_private_post_is_told_to_the_direct_members_alone() {
    let world = boards();
    post(&world.max(), "core", "Hello @eve and @olivia and @ray", true);
    assert_eq!(mailed(&world, 2), ["olivia@example.com", "tom@example.com"], "owners may see it when mentioned");
    assert_eq!(told(&world), pairs(&[("olivia", "mention"), ("tom", "subscribed")]));
}

#[test]
fn decision_37_a_comment_is_told_to_people_who_took_part_or_are_mentioned() {
    let world = boards();
    let number = post(&world.max(), "core", "Hello", false);
    mailed(&world, 2);
    comment(&world.ray(), number, "A question, @olivia");
    assert_eq!(mailed(&world, 6).len(), 6);
    assert_eq!(
        told(&world),
        pairs(&[("eve", "subscribed"), ("max", "author"), ("olivia", "mention"), ("tom", "subscribed")])
    );
    comment(&world.tom(), number, "An answer");
    let mails = all(&world, 9);
    let mut last: Vec<String> = mails[6..].iter().map(mail::Mail::to).collect();
    last.sort();
    assert_eq!(last, ["eve@example.com", "max@example.com", "ray@example.com"], "a mention is told once");
    let (first, answer) = (&mails[0], &mails[8]);
    assert_eq!(answer.header("In-Reply-To"), first.header("Message-ID"));
    assert_eq!(answer.header("Subject"), "Re: [acme/Core] News");
}

#[test]
fn decision_37_nobody_is_told_while_notifications_of_the_team_are_off() {
    let world = boards();
    let off = json!({ "name": "Core", "notification_setting": "notifications_disabled" });
    world.olivia().patch("/orgs/acme/teams/core", off).expect(200);
    post(&world.max(), "core", "Hello @ray", false);
    settle(&world);
    assert!(told(&world).is_empty() && mail::saved(world.mail.path()).is_empty());
}

#[test]
fn decision_37_suspended_people_and_people_who_left_are_not_told() {
    let world = boards();
    world.sam().put("/users/tom/suspended", json!({})).expect(204);
    let number = post(&world.max(), "core", "Hello", false);
    assert_eq!(mailed(&world, 1), ["eve@example.com"]);
    comment(&world.eve(), number, "Yes");
    all(&world, 2);
    world.olivia().delete("/orgs/acme/members/eve").expect(204);
    comment(&world.ray(), number, "No");
    assert_eq!(all(&world, 3)[2].to(), "max@example.com");
}

#[test]
fn decision_69_a_mail_about_a_post_shows_it_and_can_be_ended_with_one_click() {
    let world = boards();
    world.olivia().patch("/orgs/acme", json!({ "name": "Acme" })).expect(200);
    post(&world.max(), "core", "Hello **all**, <b>bold</b>", false);
    let mails = all(&world, 2);
    let mail = mails.iter().find(|mail| mail.to() == "tom@example.com").expect("a mail to Tom");
    assert_eq!(mail.header("Subject"), "[Acme/Core] News");
    assert!(mail.text.contains("Hello **all**"), "{}", mail.text);
    assert!(mail.html.contains("<strong>all</strong>"), "{}", mail.html);
    let ends = |link: &String| link.starts_with("/ui/unsubscribe/");
    for link in mail.links(&world.base).into_iter().filter(ends) {
        world.anonymous().get(&link).expect(200);
    }
    assert_eq!(mail.header("List-Id"), "<core.acme.localhost>");
    assert_eq!(mail.header("List-Unsubscribe-Post"), "List-Unsubscribe=One-Click");
    let link = mail.link("/ui/unsubscribe/");
    assert_eq!(mail.header("List-Unsubscribe"), format!("<{}{link}>", world.base));
    let other = mails.iter().find(|mail| mail.to() == "eve@example.com").expect("a mail to Eve");
    assert_ne!(other.link("/ui/unsubscribe/"), link, "each recipient has a token");
    assert_eq!(other.header("Message-ID"), mail.header("Message-ID"));
}

#[test]
fn decision_69_a_post_that_is_gone_or_out_of_sight_when_its_mail_is_sent_is_not_mailed() {
    let world = boards();
    // Nothing can be sent while files cannot be written.
    let new = world.mail.path().join("tmp");
    std::fs::write(&new, "in the way").expect("a file");
    let gone = post(&world.max(), "core", "Gone", false);
    post(&world.max(), "core", "Seen", false);
    let attempted = || world.rows::<(i64,)>("SELECT id FROM deliveries WHERE attempts > 0").len();
    waiting::until("both are attempted", || attempted() >= 2);
    world.max().delete(&format!("/orgs/acme/teams/core/discussions/{gone}")).expect(204);
    world.olivia().delete("/orgs/acme/members/tom").expect(204);
    std::fs::remove_file(&new).expect("room");
    mail::until(world.mail.path(), |mails| {
        world.advance(60);
        !mails.is_empty()
    });
    world.advance(3_600);
    settle(&world);
    let mails = mail::saved(world.mail.path());
    let seen: Vec<_> = mails.iter().map(|mail| (mail.to(), mail.text.contains("Seen"))).collect();
    assert_eq!(seen, [("eve@example.com".to_owned(), true)]);
}

/// Fills the team `core` with 2,500 people, of whom every tenth is suspended.
pub fn many_subscribers(world: &World) {
    world.execute(
        "INSERT INTO users (login, suspended, created_at, updated_at)
         WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500)
         SELECT 'subscriber-' || CAST(i AS TEXT), i % 10 = 0, 0, 0 FROM n",
    );
    given::subscribers_are_members(world);
}

#[test]
fn decision_37_many_people_are_notified_of_a_post_in_steps_and_each_once() {
    let world = boards();
    many_subscribers(&world);
    post(&world.max(), "core", "Hello @olivia", false);
    settle(&world);
    let told = "SELECT count(*), count(DISTINCT n.user_id) FROM notices n";
    // Nine tenths of the subscribers, Tom, Eve of the team below, and Olivia.
    assert_eq!(world.rows::<(i64, i64)>(told), [(2_253, 2_253)]);
    let suspended = "SELECT n.user_id FROM notices n JOIN users u ON u.id = n.user_id WHERE u.suspended = TRUE";
    assert!(world.rows::<(i64,)>(suspended).is_empty());
}

/// The subjects of the mails to this person, and how many of them say that further posts are only in the inbox.
fn hourly(world: &World, count: usize, to: &str) -> (usize, usize) {
    let mails: Vec<_> = all(world, count).into_iter().filter(|mail| mail.to() == to).collect();
    let last = |text: &String| text.contains("number 20 about posts of Core within an hour") && text.contains("inbox");
    assert!(mails.iter().all(|mail| last(&mail.text.replace('\n', " ")) == last(&mail.html)));
    (mails.len(), mails.iter().filter(|mail| last(&mail.html)).count())
}

#[test]
fn decision_37_a_person_gets_20_mails_an_hour_about_the_posts_of_a_team_and_the_20th_says_so() {
    let world = boards();
    world.olivia().patch("/user/mail", json!({ "posts": "none" })).expect(200);
    let comments = |number, count: usize| (0..count).for_each(|_| comment(&world.max(), number, "And this"));
    let number = post(&world.max(), "core", "Hello", false);
    comments(number, 18);
    assert_eq!(hourly(&world, 38, "tom@example.com"), (19, 0));
    world.advance(3_000);
    comments(number, 30);
    assert_eq!(hourly(&world, 40, "tom@example.com"), (20, 1));
    assert_eq!(hourly(&world, 40, "eve@example.com"), (20, 1));
    let newest =
        "SELECT c.number FROM notices n JOIN users u ON u.id = n.user_id JOIN comments c ON c.id = n.comment_id
                  WHERE u.login = 'tom'";
    assert_eq!(world.rows::<(i64,)>(newest), [(48,)], "the rest is in the inbox");

    // Another team has its own 20.
    post(&world.eve(), "crew", "Elsewhere @tom", false);
    assert_eq!(hourly(&world, 41, "tom@example.com"), (21, 1));
    // The first 19 are an hour old, and the 20th is not.
    world.advance(601);
    comments(number, 25);
    assert_eq!(hourly(&world, 79, "tom@example.com"), (40, 2));
}

#[test]
fn decision_37_posts_that_are_planned_at_once_have_the_same_limit() {
    let world = boards();
    world.execute("UPDATE delivery_cursors SET entry = entry + 1000000");
    for _ in 0..25 {
        post(&world.max(), "core", "Hello", false);
    }
    world.execute("UPDATE delivery_cursors SET entry = entry - 1000000");
    comment(&world.max(), 25, "And this");
    assert_eq!(hourly(&world, 40, "tom@example.com"), (20, 1));
}
