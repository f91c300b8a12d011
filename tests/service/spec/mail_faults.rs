//! Mail servers that refuse, delay, break off, are down or never answer (decisions 45, 46 and 69).

use std::time::Duration;

use guildhall::clock::Time;
use guildhall::config::{self, Security, Smtp as Settings};
use guildhall::mail::letter::{Content, Letter};
use guildhall::mail::{Mailer, TIMEOUTS, Timeouts};

use crate::support::port::Port;
use crate::support::smtp::{Manner, Smtp};
use crate::support::waiting::{self, HANG};
use crate::support::world::Settings as Of;
use crate::support::{World, json};

const HOUR: i64 = 3_600;

fn settings(port: u16) -> Settings {
    Settings { host: "127.0.0.1".into(), port, tls: Security::Local, credentials: None }
}

fn world(server: &Smtp) -> World {
    World::with(Of { delivers: true, smtp: Some(settings(server.port)), ..Of::default() })
}

fn invite(world: &World, address: &str) {
    world.olivia().post("/orgs/acme/invitations", json!({ "email": address })).expect(201);
}

/// State and last status of each mail.
fn states(world: &World) -> Vec<(String, String)> {
    world.rows("SELECT state, coalesce(last_status, '') FROM deliveries WHERE kind = 'mail' ORDER BY id")
}

#[test]
fn decision_46_mails_go_to_the_server_over_few_connections() {
    let server = Smtp::new(Manner::Accepts);
    let world = world(&server);
    for n in 0..20 {
        invite(&world, &format!("person-{n}@example.org"));
    }
    server.until(|server| server.mails().len() == 20, || {});
    assert!(server.connections() <= 4, "{} connections", server.connections());
    for (to, mail) in server.mails() {
        assert!(to.starts_with("person-") && mail.to() == to, "{to}");
        assert_eq!(mail.header("Subject"), "olivia invited you to join acme");
    }
}

#[test]
fn decision_46_a_rejected_recipient_ends_that_mail_alone() {
    let server = Smtp::new(Manner::Rejects("gone@example.org"));
    let world = world(&server);
    invite(&world, "gone@example.org");
    invite(&world, "here@example.org");
    server.until(|server| server.mails().len() == 1, || {});
    server.until(|_| states(&world).iter().all(|(state, _)| state != "waiting"), || {});
    let states = states(&world);
    assert_eq!((states[0].0.as_str(), states[1].0.as_str()), ("dead", "delivered"));
    assert!(states[0].1.contains("550") && states[0].1.contains("no such mailbox"), "{states:?}");
    assert_eq!(server.attempts(), 2, "it is not tried again");
}

#[test]
fn decision_46_a_greylisted_mail_is_sent_again_and_arrives_once() {
    let server = Smtp::new(Manner::Greylists);
    let world = world(&server);
    invite(&world, "nina@example.org");
    server.until(|server| server.attempts() == 1, || {});
    server.until(|server| !server.mails().is_empty(), || world.advance(5));
    server.until(|_| states(&world)[0].0 == "delivered", || {});
    world.advance(HOUR);
    // By the time that a later one has arrived, which is delayed as well, the first would have been sent again.
    invite(&world, "zoe@example.org");
    server.until(|server| server.mails().len() > 1, || world.advance(5));
    let to: Vec<String> = server.mails().into_iter().map(|(to, _)| to).collect();
    assert_eq!((to, server.attempts()), (vec!["nina@example.org".to_owned(), "zoe@example.org".to_owned()], 4));
}

#[test]
fn decision_46_a_mail_that_is_broken_off_is_sent_again_with_the_same_identifier_and_link() {
    let server = Smtp::new(Manner::Drops);
    let world = world(&server);
    invite(&world, "nina@example.org");
    server.until(|_| states(&world).iter().any(|(_, status)| !status.is_empty()), || {});
    server.set(Manner::Accepts);
    server.until(|server| !server.mails().is_empty(), || world.advance(60));
    let mail = server.mails()[0].1.clone();
    let id = world.olivia().get("/orgs/acme/invitations").json[0]["id"].clone();
    assert_eq!(mail.header("Message-ID"), format!("<invitation.{id}.1@localhost>"));
    assert!(mail.link("/ui/invitations/").starts_with(&format!("/ui/invitations/{id}-")));
}

#[test]
fn decision_46_mails_wait_while_the_server_is_down() {
    let port = Port::take();
    let smtp = Some(settings(port.address().port()));
    let world = World::with(Of { delivers: true, smtp, ..Of::default() });
    for n in 0..3 {
        invite(&world, &format!("person-{n}@example.org"));
    }
    waiting::until("each is attempted three times", || {
        world.advance(60);
        world.rows::<(i64,)>("SELECT id FROM deliveries WHERE attempts >= 3").len() == 3
    });
    world.advance(HOUR);
    let server = Smtp::on(port.listen(), Manner::Accepts);
    server.until(|server| server.mails().len() == 3, || world.advance(60));
    assert!(states(&world).iter().all(|(state, _)| state != "dead"));
}

#[test]
fn decision_46_a_server_that_never_answers_holds_up_nothing_else() {
    let server = Smtp::new(Manner::IsSilent);
    let mail_timeouts = Timeouts { beginning: HANG, ..TIMEOUTS };
    let world = World::with(Of { delivers: true, smtp: Some(settings(server.port)), mail_timeouts, ..Of::default() });
    invite(&world, "nina@example.org");
    server.until(|server| server.connections() > 0, || {});
    world.olivia().post("/orgs/acme/teams", json!({ "name": "Beside" })).expect(201);
    assert_eq!(states(&world), [("waiting".to_owned(), String::new())], "the attempt goes on");
}

#[test]
fn decision_46_a_server_that_never_answers_is_given_up_and_tried_again() {
    let server = Smtp::new(Manner::IsSilent);
    let world = world(&server);
    invite(&world, "nina@example.org");
    server.until(|_| states(&world).iter().any(|(_, status)| status.contains("in time")), || {});
    server.set(Manner::Accepts);
    server.until(|server| !server.mails().is_empty(), || world.advance(60));
}

#[test]
fn decision_46_a_reply_that_comes_too_late_is_not_taken_for_that_of_the_next_mail() {
    let server = Smtp::new(Manner::Holds);
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let timeouts = Timeouts { beginning: HANG, reply: Duration::from_millis(500) };
    let settings = config::Mail { smtp: Some(settings(server.port)), ..config::Mail::default() };
    // Connections belong to the runtime in which they are made.
    let _within = runtime.enter();
    let mailer = Mailer::new(&settings, "/nowhere".into(), "http://localhost", timeouts).expect("a mailer");
    let send = |id: &str| {
        let (id, address) = (id.to_owned(), "nina@example.org".to_owned());
        let letter = Letter { name: None, address, id, follows: None, board: None, content: Content::Test };
        runtime.block_on(mailer.send(&letter, Time(0)))
    };
    let first = send("first");
    assert!(!first.ok && !first.permanent && first.status.contains("in time"), "{first:?}");
    server.set(Manner::Says(".", "452 4.3.1 no more room"));
    server.until(|server| server.replies() == 1, || {});
    // A busy machine may bring this reply too late as well.
    let second = waiting::found(|| {
        let attempt = send("second");
        if attempt.status.contains("in time") { Err(attempt) } else { Ok(attempt) }
    });
    assert!(!second.ok && !second.permanent && second.code == 452, "{second:?}");
    assert_eq!(server.mails().len(), 1);
}

#[test]
fn decision_46_a_server_may_take_its_time_to_check_an_e_mail() {
    let server = Smtp::new(Manner::IsSlow(Duration::from_secs(11)));
    let world = world(&server);
    invite(&world, "nina@example.org");
    server.until(|server| server.mails().len() == 1, || {});
    server.until(|_| states(&world)[0].0 == "delivered", || {});
    assert_eq!((server.mails().len(), server.attempts()), (1, 1), "it is sent once");
}

#[test]
fn decision_46_what_is_about_the_connection_or_the_sender_ends_no_mail() {
    for (command, answer) in [
        ("", "554 5.3.2 no service for you"),
        ("MAIL", "550 not from you"),
        ("MAIL", "553 5.1.8 no such domain"),
        ("RCPT", "554 5.7.1 relay access denied"),
        ("RCPT", "550 5.1.8 no such sender"),
        (".", "550-5.7.26 who signs\r\n550 5.7.26 your mails?"),
    ] {
        let server = Smtp::new(Manner::Says(command, answer));
        let world = world(&server);
        invite(&world, "nina@example.org");
        server.until(|_| states(&world).iter().any(|(_, status)| status.contains(&answer[..3])), || {});
        assert_eq!(states(&world)[0].0, "waiting", "{answer}: {:?}", states(&world));
        server.set(Manner::Accepts);
        server.until(|server| server.mails().len() == 1, || world.advance(60));
    }
    for (command, answer) in [("RCPT", "550 no such mailbox"), (".", "554 5.6.0 not like this")] {
        let server = Smtp::new(Manner::Says(command, answer));
        let world = world(&server);
        invite(&world, "nina@example.org");
        server.until(|_| states(&world).iter().any(|(state, _)| state == "dead"), || {});
        assert_eq!(server.attempts(), 1, "{answer}");
    }
}

#[test]
fn decision_46_a_wrong_password_is_no_fault_of_the_mail() {
    let server = Smtp::new(Manner::RefusesPasswords);
    let credentials = Some(("guildhall".to_owned(), "hush".to_owned()));
    let smtp = Settings { credentials, ..settings(server.port) };
    let world = World::with(Of { delivers: true, smtp: Some(smtp), ..Of::default() });
    invite(&world, "nina@example.org");
    server.until(|_| states(&world).iter().any(|(_, status)| status.contains("535")), || {});
    let states = states(&world);
    assert_eq!(states[0].0, "waiting");
    assert!(!states[0].1.contains("hush"), "{states:?}");
}

#[test]
fn decision_46_an_address_that_injects_headers_is_refused_before_it_is_stored() {
    let server = Smtp::new(Manner::Accepts);
    let world = world(&server);
    for wrong in
        ["nina@example.org\r\nBcc: eve@example.org", "a b@example.org", "<x@example.org>", "x@example.org, y@z.org"]
    {
        let refused = world.olivia().post("/orgs/acme/invitations", json!({ "email": wrong }));
        assert_eq!(refused.status, 422, "{wrong}");
    }
    // What was stored before there were such checks is not sent.
    invite(&world, "here@example.org");
    server.until(|server| server.mails().len() == 1, || {});
    world.execute(
        "UPDATE invitations SET email = 'x@example.org\r\nBcc: eve@example.org', mailed_at = NULL, generation = 2",
    );
    world.execute(
        "UPDATE delivery_events
         SET payload = '{\"invitation\":' || (SELECT max(id) FROM invitations) || ',\"generation\":2}'
         WHERE event = 'mail.invitation'",
    );
    world.execute(
        "INSERT INTO deliveries (event_id, kind, target_id, order_key, state, attempts, next_at, created_at, expires_at, redelivery)
         SELECT event_id, kind, target_id, order_key, 'waiting', 0, 0, created_at, expires_at, FALSE FROM deliveries",
    );
    world.edge.service.changed.notify_one();
    server.until(|_| states(&world).iter().all(|(state, _)| state != "waiting"), || {});
    assert_eq!(server.mails().len(), 1);
    assert_eq!(states(&world)[1].0, "dead", "{:?}", states(&world));
}

#[test]
fn decision_46_user_and_password_are_sent_to_the_server() {
    use base64::Engine;
    let secret = base64::engine::general_purpose::STANDARD.encode("\0guildhall\0hu:sh");
    let server = Smtp::new(Manner::Wants(secret.leak()));
    let credentials = Some(("guildhall".to_owned(), "hu:sh".to_owned()));
    let smtp = Settings { credentials, ..settings(server.port) };
    let world = World::with(Of { delivers: true, smtp: Some(smtp), ..Of::default() });
    invite(&world, "nina@example.org");
    server.until(|server| server.mails().len() == 1, || {});
}
