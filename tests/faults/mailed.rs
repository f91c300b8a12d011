//! The process is killed while mails are sent: each still arrives, and under the same identifier each time (decisions 45
//! and 69).

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use crate::limited;
use crate::program::{Place, SERVE, Server};
use crate::support::database::Database;
use crate::support::json;
use crate::support::mail::saved;
use crate::support::smtp::{Manner, Smtp};

const ROUNDS: usize = 15;

fn serve(place: &Place, port: u16) -> Server {
    let url = format!("smtp://127.0.0.1:{port}");
    let mail = ["--smtp-url", &url, "--deliveries-retry-seconds", "1", "--abuse-limit-per-minute", "100000"];
    let limits = ["--abuse-limit-per-hour", "100000", "--public-url", "http://teams.example.org"];
    place.serve_with(&[&SERVE[..], &mail[..], &limits[..]].concat())
}

#[test]
fn killed_between_commit_and_mail_and_between_mail_and_mark_no_mail_is_lost() {
    let (place, smtp) = (Place::new(), Smtp::new(Manner::Accepts));
    let server = serve(&place, smtp.port);
    server.admin().post("/admin/organizations", json!({ "login": "acme", "admin": "site-admin" })).expect(201);
    server.kill();
    place.until_forgotten();
    let mut invited = BTreeSet::new();
    for round in 0..ROUNDS {
        let server = serve(&place, smtp.port);
        let before = smtp.mails().len();
        for number in 0..8 {
            let address = format!("r{round}-{number}@example.org");
            server.admin().post("/orgs/acme/invitations", json!({ "email": address })).expect(201);
            invited.insert(address);
        }
        // In turn, before any mail of the round was sent, and in the middle of them.
        if round % 2 == 1 {
            smtp.until(|smtp| smtp.mails().len() > before + round % 7, || {});
        }
        server.kill();
        place.until_forgotten();
    }
    let server = serve(&place, smtp.port);
    let arrived = || smtp.mails().into_iter().map(|(to, _)| to).collect::<BTreeSet<_>>();
    smtp.until(|_| arrived() == invited, || {});
    std::thread::sleep(Duration::from_secs(1));
    let mut identifiers: BTreeMap<String, BTreeSet<(String, String)>> = BTreeMap::new();
    for (to, mail) in smtp.mails() {
        let known = identifiers.entry(to).or_default();
        known.insert((mail.header("Message-ID"), mail.link("/ui/invitations/")));
    }
    for (to, known) in &identifiers {
        assert_eq!(known.len(), 1, "{to} got different mails: {known:?}");
    }
    server.tell_to_stop();
    assert!(server.wait());
    place.must_be_well();
}

#[test]
fn a_full_disk_keeps_mails_waiting_until_there_is_room() {
    if !Database::is_postgres() {
        // There the database would have no room either, which `disk.rs` is about.
        return;
    }
    let place = Place::new();
    let server = place.serve_within(&limited::script(2));
    let folder = place.data_dir().join("mail");
    server.admin().post("/admin/organizations", json!({ "login": "acme", "admin": "site-admin" })).expect(201);
    server.admin().post("/orgs/acme/invitations", json!({ "email": "nina@example.org" })).expect(201);
    let states = || String::from_utf8(place.run(&["deliveries", "list", "--state", "waiting"]).stdout).expect("text");
    let since = std::time::Instant::now();
    while !states().contains("cannot save the mail") {
        assert!(since.elapsed() < Duration::from_secs(20), "{}", states());
        std::thread::sleep(Duration::from_millis(50));
    }
    assert!(saved(&folder).is_empty());
    assert_eq!(std::fs::read_dir(folder.join("tmp")).expect("a folder").count(), 0, "nothing half is left");
    server.admin().get("/orgs/acme").expect(200);
    server.tell_to_stop();
    assert!(server.wait());
    let server = place.serve();
    while saved(&folder).is_empty() {
        assert!(since.elapsed() < Duration::from_mins(1), "{}", states());
        std::thread::sleep(Duration::from_millis(50));
    }
    assert_eq!(saved(&folder)[0].to(), "nina@example.org");
    drop(server);
    place.must_be_well();
}
