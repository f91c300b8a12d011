//! The process is killed while mails are sent: each still arrives, and under the same identifier each time (decisions 45
//! and 69).

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::{Duration, Instant};

use crate::program::{Place, SERVE, Server};
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

/// Runs its arguments with a disk of 24 KiB for the maildir, which only they see.
fn on_small_disk(folder: &Path) -> String {
    let mount = format!("mount -t tmpfs -o size=24k none {} || exit 9; exec \"$@\"", folder.display());
    format!("[ \"$(id -u)\" = 0 ] && how=-m || how=-rm; exec unshare $how sh -c '{mount}' sh \"$@\"")
}

#[test]
fn a_full_disk_keeps_mails_waiting_until_there_is_room() {
    let place = Place::new();
    let folder = place.data_dir().join("mail");
    std::fs::create_dir_all(&folder).expect("a folder");
    let server = place.serve_within(&on_small_disk(&folder));
    server.admin().post("/admin/organizations", json!({ "login": "acme", "admin": "site-admin" })).expect(201);
    for number in 0..8 {
        let invited = json!({ "email": format!("person-{number}@example.org") });
        server.admin().post("/orgs/acme/invitations", invited).expect(201);
    }
    let list =
        |state: &str| String::from_utf8(place.run(&["deliveries", "list", "--state", state]).stdout).expect("text");
    let since = Instant::now();
    while !list("waiting").contains("No space left on device") {
        assert!(since.elapsed() < Duration::from_secs(20), "{}", list("waiting"));
        std::thread::sleep(Duration::from_millis(50));
    }
    server.admin().get("/orgs/acme").expect(200);
    server.admin().post("/orgs/acme/teams", json!({ "name": "Beside" })).expect(201);
    server.tell_to_stop();
    assert!(server.wait());
    let waiting = list("waiting").lines().count();
    assert!((1..8).contains(&waiting), "{waiting} mails wait");
    assert!(saved(&folder).is_empty(), "the small disk is gone");

    let server = place.serve();
    while saved(&folder).len() < waiting {
        assert!(since.elapsed() < Duration::from_mins(1), "{}", list("waiting"));
        std::thread::sleep(Duration::from_millis(50));
    }
    drop(server);
    assert_eq!((saved(&folder).len(), list("dead").lines().count()), (waiting, 0));
    place.must_be_well();
}
