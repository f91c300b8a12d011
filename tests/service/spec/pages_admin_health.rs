//! Health, the test of e-mail and the limits in the rooms of site administrators (decisions 39, 46 and 61).

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, mpsc};
use std::thread;

use guildhall::config::{Security, Smtp as Server};
use guildhall::doctor::Bounds;

use super::given;
use super::mail_invitations::world;
use super::pages_admin_deliveries::administrator;
use super::pages_organization::{send, sound};
use super::pages_team::{section, shows};
use super::sign_in::{asked, code, newest};
use crate::support::browser::Browser;
use crate::support::smtp::{Manner, Smtp};
use crate::support::waiting::{self, HANG};
use crate::support::world::Settings;
use crate::support::{World, json};

const ROOM: &str = "/ui/admin/health";

#[test]
fn decision_61_the_checks_of_doctor_run_on_a_page() {
    let world = world();
    let mut max = administrator(&world);
    assert_eq!(max.visit(ROOM).status, 200);
    sound(&max.page.text);
    shows(&max, &["aria-current=\"page\">Health</a>", "They have not run on this server"], &["All is well"]);
    assert_eq!(max.send(&[("do", "check")]).status, 200);
    sound(&max.page.text);
    shows(&max, &["The checks are done.", "All is well.", "Audit logs", "Trees of teams", "The clock"], &["Repair"]);
    assert_eq!(max.page.text.matches(">Good</span>").count(), 27);
    world.execute("UPDATE team_counts SET members = 40");
    max.visit(ROOM);
    shows(&max, &["All is well.", "Checked"], &["The checks are done."]);
    assert_eq!(send(&mut max, ROOM, &[("do", "check")]), 200);
    sound(&max.page.text);
    shows(
        &max,
        &[
            "1 thing needs you.",
            "Repair",
            "To fix it: <span dir=\"auto\">run <code>guildhall doctor --mend</code></span>.",
        ],
        &["All is well"],
    );
    assert_eq!(send(&mut max, ROOM, &[("do", "banana")]), 404);
}

#[test]
fn decision_61_checks_do_not_run_twice_at_once() {
    let world = world();
    let mut max = administrator(&world);
    max.visit(ROOM);
    let (begins, has_begun) = mpsc::channel();
    let (releases, is_released) = mpsc::channel::<()>();
    let (is_first, is_released) = (AtomicBool::new(true), Mutex::new(is_released));
    // The first statement of the first run waits until the second run was refused.
    world.faults.ahead(move || {
        if is_first.swap(false, Ordering::SeqCst) {
            begins.send(()).expect("a test that waits");
            is_released.lock().expect("a channel").recv_timeout(HANG).expect("a release");
        }
    });
    thread::scope(|scope| {
        let first = scope.spawn(|| world.block_on(world.edge.instruments.checks.run(&world.edge.service)));
        has_begun.recv_timeout(HANG).expect("a run");
        assert_eq!(max.send(&[("do", "check")]).status, 200);
        shows(&max, &["The checks are running already."], &["All is well."]);
        releases.send(()).expect("a run that waits");
        assert!(first.join().expect("no panic").expect("a run"));
    });
    max.visit(ROOM);
    shows(&max, &["All is well."], &[]);
}

#[test]
fn decision_61_a_page_checks_a_part_of_a_large_store_and_says_so() {
    let bounds = Bounds { rows: 3, findings: 100, file: 0 };
    let world = World::with(Settings { delivers: true, checks: bounds, ..Settings::default() });
    let mut max = administrator(&world);
    assert_eq!(send(&mut max, ROOM, &[("do", "check")]), 200);
    sound(&max.page.text);
    shows(&max, &["Nothing wrong was found, but not everything was checked.", "Not all checked"], &["All is well"]);
    let bounds = Bounds { rows: usize::MAX, findings: 1, file: u64::MAX };
    let world = World::with(Settings { delivers: true, checks: bounds, ..Settings::default() });
    for name in ["One", "Two"] {
        given::closed(&world, name);
    }
    world.execute("UPDATE team_counts SET members = 99");
    let mut max = administrator(&world);
    assert_eq!(send(&mut max, ROOM, &[("do", "check")]), 200);
    shows(&max, &["1 thing needs you.", "Not everything was checked."], &[]);
}

#[test]
fn decision_61_the_checks_of_a_store_that_fails_are_refused() {
    let world = world();
    let mut max = administrator(&world);
    max.visit(ROOM);
    let code = max.code();
    world.faults.arm_at("FROM journal_heads h");
    assert_eq!(max.send_to(ROOM, &code, &[("do", "check")]).status, 503);
    assert_eq!(send(&mut max, ROOM, &[("do", "check")]), 200);
    shows(&max, &["All is well."], &[]);
}

#[test]
fn decision_46_a_test_without_a_mail_server_says_that_there_is_none() {
    let world = world();
    let mut max = administrator(&world);
    max.visit(ROOM);
    let part = section(&max, "mail").to_owned();
    assert!(part.contains("No mail server is set") && part.contains("value=\"max@example.com\""), "{part}");
    assert_eq!(send(&mut max, ROOM, &[("do", "mail"), ("email", " nina@example.com ")]), 200);
    sound(&max.page.text);
    shows(&max, &["The test for nina@example.com is saved as a file, because no mail server is set."], &[]);
    assert_eq!(newest(&world, "nina@example.com").header("Subject"), "Test mail of Guildhall");
    for wrong in ["", "x", "<x>", "a@b@c", "nina@example.com, tom@example.com"] {
        assert_eq!(send(&mut max, ROOM, &[("do", "mail"), ("email", wrong)]), 422, "{wrong}");
        sound(&max.page.text);
        shows(&max, &["<a href=\"#email\">Enter an address with an @"], &["<x>"]);
    }
    // The number of tests is bounded like that of other e-mails.
    for _ in 0..4 {
        max.visit(ROOM);
        max.send(&[("do", "mail"), ("email", "nina@example.com")]);
    }
    assert_eq!(send(&mut max, ROOM, &[("do", "mail"), ("email", "nina@example.com")]), 429);
}

#[test]
fn decision_46_a_test_says_what_the_mail_server_answered_and_never_its_password() {
    let server = Smtp::new(Manner::Accepts);
    let smtp = Server { host: "127.0.0.1".into(), port: server.port, tls: Security::Local, credentials: None };
    let world = World::with(Settings { delivers: true, smtp: Some(smtp), ..Settings::default() });
    world.sam().put("/users/max/site_admin", json!({})).expect(204);
    let mut max: Browser = asked(&world, "max@example.com");
    let mut sent = Vec::new();
    waiting::until("an e-mail with a code", || {
        sent = server.mails();
        !sent.is_empty()
    });
    max.send(&[("code", &code(&sent[0].1))]);
    let through = format!("smtp://127.0.0.1:{}", server.port);
    max.visit(ROOM);
    shows(&max, &[&through], &["No mail server"]);
    assert_eq!(send(&mut max, ROOM, &[("do", "mail"), ("email", "nina@example.com")]), 200);
    shows(&max, &["The mail server took the test for nina@example.com. It said: 250"], &[]);
    assert_eq!(server.mails().len(), 2);
    server.set(Manner::Rejects("nina@example.com"));
    assert_eq!(send(&mut max, ROOM, &[("do", "mail"), ("email", "nina@example.com")]), 200);
    shows(&max, &["class=\"note bad\"", "The test was not sent: "], &["took the test"]);
    assert_eq!(server.mails().len(), 2);
}

#[test]
fn decision_39_the_limits_in_force_are_shown_with_their_settings() {
    let world = world();
    let mut max = administrator(&world);
    assert_eq!(max.visit("/ui/admin/limits").status, 200);
    sound(&max.page.text);
    for (name, value) in [
        ("rate_limit.per_hour", "5000 requests in an hour"),
        ("abuse_limit.per_minute", "80 posts, comments and invitations"),
        ("memory.in_flight_mib", "192 MiB"),
        ("retention.dead_letters_days", "90 days"),
    ] {
        let line = max.page.text.split("<li>").find(|line| line.contains(&format!("<code>{name}</code>")));
        assert!(line.is_some_and(|line| line.contains(&format!("<b class=\"level\">{value}</b>"))), "{line:?}");
    }
    for (what, value) in
        [("Largest body of a request", "1024 KiB"), ("E-mails with a link to one address", "5 in an hour")]
    {
        shows(&max, &[&format!("<span class=\"what\">{what}</span> <b class=\"level\">{value}</b>")], &[]);
    }
    assert_eq!(send(&mut max, "/ui/admin/limits", &[]), 404);
}
