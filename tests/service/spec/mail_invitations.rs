//! Mails about invitations (service 3, decisions 25, 26, 46, 50 and 69), and about webhooks that were switched off.

use std::os::unix::fs::PermissionsExt;

use guildhall::config::{self, Security, Smtp as Server};
use guildhall::hooks;
use guildhall::journal::Author;
use guildhall::letters;
use guildhall::mail::{Mailer, TIMEOUTS};

use crate::support::mail::{self, Mail};
use crate::support::world::Settings;
use crate::support::{World, json, waiting};

const DAY: i64 = 86_400;

pub fn world() -> World {
    World::with(Settings { delivers: true, ..Settings::default() })
}

/// Waits until nothing more is to be sent, and returns all mails.
pub fn all(world: &World, count: usize) -> Vec<Mail> {
    let mails = mail::until(world.mail.path(), |mails| mails.len() >= count);
    settle(world);
    let after = mail::saved(world.mail.path());
    let seen: Vec<_> = after.iter().map(|mail| (mail.to(), mail.header("Subject"))).collect();
    assert_eq!(after.len(), count, "{seen:?} after {}", mails.len());
    after
}

/// Waits until every journal is read to its end and no mail waits.
pub fn settle(world: &World) {
    world.settle();
    let left = || world.rows::<(i64,)>("SELECT id FROM deliveries WHERE state = 'waiting' AND kind = 'mail'");
    waiting::until("no mail waits", || left().is_empty());
}

fn remind(world: &World) {
    let now = world.now();
    let change = world.db.write(move |tx| letters::remind(tx, &Author::program(&[7; 32], now, "reminders")));
    world.block_on(change).expect("reminders");
    world.edge.service.changed.notify_one();
}

#[test]
fn service_3_an_outsider_who_is_added_to_a_team_gets_an_invitation_by_mail() {
    let world = world();
    let added = world.olivia().put("/orgs/acme/teams/core/memberships/nina", json!({}));
    assert_eq!(added.expect(200)["state"], "pending");
    let mails = all(&world, 1);
    let mail = &mails[0];
    assert_eq!(mail.to(), "nina@example.com");
    assert_eq!(mail.header("Subject"), "olivia invited you to join acme");
    assert_eq!(mail.header("From"), "\"Guildhall\" <guildhall@localhost>".replace('"', ""));
    assert_eq!(mail.header("Auto-Submitted"), "auto-generated");
    assert!(mail.text.contains("the team Core"), "{}", mail.text);
    assert!(mail.text.contains("your account nina") && mail.html.contains("<strong>Core</strong>"), "{}", mail.html);
    let link = mail.link("/ui/invitations/");
    assert!(mail.html.contains(&link), "the same link in both forms");
    assert!(mail.text.contains(&format!("{}{link}", world.base)), "{}", mail.text);
}

#[test]
fn states_1_the_mail_names_every_team_and_the_roles_there() {
    let world = world();
    world.olivia().put("/orgs/acme/teams/core/memberships/nina", json!({ "role": "maintainer" })).expect(200);
    let mail = all(&world, 1).remove(0);
    assert!(mail.text.contains("as a member, and to the team Core (maintainer)."), "{}", mail.text);
    assert!(mail.html.contains("<strong>Core (maintainer)</strong>"), "{}", mail.html);
}

#[test]
fn states_1_the_mail_names_every_team_and_the_role() {
    let world = world();
    world.olivia().post("/orgs/acme/teams", json!({ "name": "Docs & <Co>" })).expect(201);
    let teams = world.olivia().get("/orgs/acme/teams").json;
    let ids: Vec<_> = teams.as_array().expect("teams").iter().map(|team| team["id"].clone()).collect();
    let invited = json!({ "email": "zoe@example.org", "role": "admin", "team_ids": ids });
    world.olivia().post("/orgs/acme/invitations", invited).expect(201);
    let mail = all(&world, 1).remove(0);
    assert_eq!(mail.to(), "zoe@example.org");
    assert!(mail.text.contains("as an owner, and to the teams Core and Docs & <Co>."), "{}", mail.text);
    assert!(mail.html.contains("Docs &#38; &#60;Co&#62;"), "{}", mail.html);
}

#[test]
fn decision_25_a_repeated_put_sends_no_second_mail_within_a_day() {
    let world = world();
    for role in ["member", "maintainer"] {
        let body = json!({ "role": role });
        world.olivia().put("/orgs/acme/teams/core/memberships/nina", body).expect(200);
    }
    let first = all(&world, 1).remove(0);
    world.advance(DAY);
    world.olivia().put("/orgs/acme/teams/core/memberships/nina", json!({})).expect(200);
    let again = all(&world, 2).remove(1);
    assert_ne!(first.link("/ui/invitations/"), again.link("/ui/invitations/"), "earlier links end");
    assert_ne!(first.header("Message-ID"), again.header("Message-ID"));
}

#[test]
fn decision_26_an_open_invitation_is_reminded_of_once_after_half_of_its_term() {
    let world = world();
    world.olivia().put("/orgs/acme/memberships/nina", json!({})).expect(200);
    let first = all(&world, 1).remove(0);
    world.advance(3 * DAY);
    remind(&world);
    assert_eq!(all(&world, 1).len(), 1, "not yet");
    world.advance(DAY);
    remind(&world);
    remind(&world);
    let reminder = all(&world, 2).remove(1);
    assert_eq!(reminder.header("Subject"), "Reminder: your invitation to acme expires on 8 January 2026");
    assert_eq!(reminder.header("In-Reply-To"), first.header("Message-ID"));
    assert_eq!(reminder.link("/ui/invitations/"), first.link("/ui/invitations/"), "both links work");
    // Sending it again begins a new term.
    let nina = world.nina().get("/user").json["id"].clone();
    world.olivia().post("/orgs/acme/invitations", json!({ "invitee_id": nina })).expect(201);
    all(&world, 3);
    world.advance(4 * DAY);
    remind(&world);
    assert_eq!(all(&world, 4).len(), 4);
    world.advance(4 * DAY);
    remind(&world);
    assert_eq!(all(&world, 4).len(), 4, "an expired one is not reminded of");
}

#[test]
fn decision_26_the_inviter_is_told_that_an_invitation_was_accepted() {
    let world = world();
    world.olivia().put("/orgs/acme/teams/core/memberships/nina", json!({})).expect(200);
    all(&world, 1);
    world.nina().patch("/user/memberships/orgs/acme", json!({ "state": "active" })).expect(200);
    let accepted = all(&world, 2).remove(1);
    assert_eq!(accepted.to(), "olivia@example.com");
    assert_eq!(accepted.header("Subject"), "nina joined acme");
    assert!(accepted.text.contains("Teams: Core."), "{}", accepted.text);
    assert_eq!(accepted.link("/ui/orgs/"), "/ui/orgs/acme");
}

#[test]
fn decision_69_an_invitation_that_ends_before_its_mail_is_sent_sends_none() {
    let world = world();
    // Nothing can be sent while files cannot be written.
    let tmp = world.mail.path().join("tmp");
    std::fs::write(&tmp, "in the way").expect("a file");
    let invite = |address: &str| {
        let body = json!({ "email": address });
        world.olivia().post("/orgs/acme/invitations", body).expect(201)["id"].clone()
    };
    let (gone, _) = (invite("gone@example.org"), invite("zoe@example.org"));
    let until = |rows: &'static str, count: usize, meanwhile: &dyn Fn()| {
        waiting::until(rows, || {
            meanwhile();
            world.rows::<(i64,)>(rows).len() >= count
        });
    };
    until("SELECT id FROM deliveries WHERE attempts > 0", 2, &|| {});
    world.olivia().delete(&format!("/orgs/acme/invitations/{gone}")).expect(204);
    invite("zoe@example.org");
    until("SELECT id FROM deliveries", 3, &|| {});
    std::fs::remove_file(&tmp).expect("room");
    until("SELECT id FROM deliveries WHERE state = 'delivered'", 3, &|| world.advance(60));
    let mails = all(&world, 1);
    assert_eq!(mails[0].to(), "zoe@example.org");
    let newest = mails[0].link("/ui/invitations/");
    world.anonymous().get(&newest).expect(200);
    let unsent = world.rows::<(i64,)>("SELECT id FROM deliveries WHERE last_status LIKE 'not sent: %'");
    assert_eq!(unsent.len(), 2);
}

#[test]
fn decision_21_a_suspended_person_gets_no_mail_about_an_invitation() {
    let world = world();
    world.olivia().put("/orgs/acme/memberships/nina", json!({})).expect(200);
    all(&world, 1);
    world.sam().put("/users/nina/suspended", json!({})).expect(204);
    world.advance(4 * DAY);
    remind(&world);
    assert_eq!(all(&world, 1).len(), 1, "no reminder");
    world.sam().delete("/users/nina/suspended").expect(204);
    world.advance(DAY);
    world.olivia().put("/orgs/acme/memberships/nina", json!({})).expect(200);
    assert_eq!(all(&world, 2)[1].to(), "nina@example.com");
}

#[test]
fn decision_69_without_an_address_there_is_no_mail_and_nothing_fails() {
    let world = world();
    world.sam().post("/admin/users", json!({ "login": "yves" })).expect(201);
    world.olivia().put("/orgs/acme/memberships/yves", json!({})).expect(200);
    settle(&world);
    let unsent = world.rows::<(String, String)>("SELECT state, last_status FROM deliveries WHERE kind = 'mail'");
    assert_eq!(unsent.len(), 1);
    assert!(unsent[0].0 == "delivered" && unsent[0].1.starts_with("not sent: "), "{unsent:?}");
    assert!(mail::saved(world.mail.path()).is_empty());
}

#[test]
fn decision_69_files_of_mails_are_for_their_owner_alone_and_kept_for_30_days() {
    let world = world();
    world.olivia().put("/orgs/acme/memberships/nina", json!({})).expect(200);
    all(&world, 1);
    let mode = |path: &std::path::Path| path.metadata().expect("a file").permissions().mode() & 0o777;
    let new = world.mail.path().join("new");
    let file = std::fs::read_dir(&new).expect("files").next().expect("a file").expect("a file").path();
    assert_eq!((mode(&new), mode(&file)), (0o700, 0o600));
    let mailer = Mailer::new(&config::Mail::default(), world.mail.path().to_owned(), &world.base, TIMEOUTS);
    let mailer = mailer.expect("a mailer");
    let now = guildhall::clock::Clock::System.now();
    world.block_on(mailer.sweep(now.plus_seconds(29 * DAY)));
    assert!(file.exists());
    world.block_on(mailer.sweep(now.plus_seconds(31 * DAY)));
    assert!(!file.exists());
}

#[test]
fn decision_69_files_of_mails_are_deleted_when_a_mail_server_is_set_and_as_early_as_the_setting_says() {
    let world = world();
    world.olivia().put("/orgs/acme/memberships/nina", json!({})).expect(200);
    all(&world, 1);
    let server = Server { host: "127.0.0.1".into(), port: 9, tls: Security::Off, credentials: None };
    let settings = config::Mail { smtp: Some(server), keep_days: 2, ..config::Mail::default() };
    let now = guildhall::clock::Clock::System.now();
    let swept_after = |days: i64| {
        let (settings, folder) = (&settings, world.mail.path().to_owned());
        world.block_on(async {
            let mailer = Mailer::new(settings, folder, &world.base, TIMEOUTS).expect("a mailer");
            mailer.sweep(now.plus_seconds(days * DAY)).await;
        });
        mail::saved(world.mail.path()).len()
    };
    assert_eq!((swept_after(1), swept_after(3)), (1, 0));
}

#[test]
fn decision_46_what_people_wrote_adds_no_header() {
    let world = world();
    world.execute("UPDATE orgs SET name = 'Ac\u{e9}me\r\nBcc: eve@example.com \u{1f600}'");
    world.olivia().put("/orgs/acme/memberships/nina", json!({})).expect(200);
    let mail = all(&world, 1).remove(0);
    assert_eq!(mail.header("Bcc"), "");
    let subject = mail.header("Subject");
    assert!(subject.starts_with("olivia invited you to join Ac\u{e9}me"), "{subject}");
    assert!(subject.ends_with("Bcc: eve@example.com \u{1f600}"), "{subject}");
}

#[test]
fn decision_44_owners_are_told_that_a_webhook_was_switched_off() {
    let world = world();
    let config = json!({ "url": "http://127.0.0.1:9/", "content_type": "json" });
    world.olivia().post("/orgs/acme/hooks", json!({ "name": "web", "config": config, "events": ["team"] })).expect(201);
    world.execute("UPDATE hooks SET failing_since = 1");
    let (now, key) = (world.now(), [7; 32]);
    let off = world.db.write(move |tx| hooks::switch_off_failing(tx, &Author::program(&key, now, "deliveries")));
    assert_eq!(world.block_on(off).expect("hooks").len(), 1);
    world.edge.service.changed.notify_one();
    let told = all(&world, 1);
    assert_eq!(told[0].to(), "olivia@example.com");
    assert_eq!(told[0].header("Subject"), "A webhook of acme was switched off");
    assert!(told[0].text.contains("http://127.0.0.1:9/"), "{}", told[0].text);
    assert!(told[0].text.contains("/ui/orgs/acme/hooks/1\n"), "{}", told[0].text);
    // Sent again after the webhook was edited, it is the same mail.
    world.execute("UPDATE hooks SET updated_at = updated_at + 1000000");
    world.execute(
        "UPDATE deliveries SET state = 'waiting', attempts = 0, next_at = 0, finished_at = NULL WHERE kind = 'mail'",
    );
    world.edge.service.changed.notify_one();
    let again = all(&world, 2).remove(1);
    assert_eq!(again.header("Message-ID"), told[0].header("Message-ID"));
}

#[test]
fn decision_44_site_administrators_are_told_that_a_webhook_of_the_site_was_switched_off() {
    let world = world();
    world.sam().put("/users/ray/site_admin", json!({})).expect(204);
    world.sam().post("/admin/users", json!({ "login": "sara", "email": "sara@example.com" })).expect(201);
    world.sam().put("/users/sara/site_admin", json!({})).expect(204);
    world.sam().put("/users/sara/suspended", json!({})).expect(204);
    world.sam().post("/admin/hooks", json!({ "name": "web", "config": { "url": "http://127.0.0.1:9/" } })).expect(201);
    world.execute("UPDATE hooks SET failing_since = 1");
    let (now, key) = (world.now(), [7; 32]);
    let off = world.db.write(move |tx| hooks::switch_off_failing(tx, &Author::program(&key, now, "deliveries")));
    assert_eq!(world.block_on(off).expect("hooks").len(), 1);
    world.edge.service.changed.notify_one();
    // Sam has no address, and Sara is suspended.
    let told = all(&world, 1).remove(0);
    assert_eq!(told.to(), "ray@example.com");
    assert_eq!(told.header("Subject"), "A webhook of this site was switched off");
    assert!(!told.text.contains("/ui/"), "{}", told.text);
}
