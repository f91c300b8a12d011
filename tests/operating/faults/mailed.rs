//! The process is killed while e-mails are sent. Each still arrives, with the same ID each time (decisions 45 and 69).

use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Duration;

use crate::faults::program::{ADMIN_TOKEN, Place, SERVE, Server, log_with, text};
use crate::support::mail::{Mail, saved};
use crate::support::smtp::{Manner, Smtp};
use crate::support::{Client, json, raw, waiting};

const ROUNDS: usize = 15;

fn serve(place: &Place, port: u16) -> Server {
    let url = format!("smtp://127.0.0.1:{port}");
    let mail = ["--smtp-url", &url, "--deliveries-retry-seconds", "1", "--abuse-limit-per-minute", "100000"];
    let limits = ["--abuse-limit-per-hour", "100000", "--public-url", "http://teams.example.org"];
    place.serve_with(&[&SERVE[..], &mail[..], &limits[..]].concat())
}

/// `acme` with the team `core` and its reader, whose token it returns.
fn begin(place: &Place, server: &Server) -> String {
    let admin = server.admin();
    admin.post("/admin/users", json!({ "login": "reader", "email": READER })).expect(201);
    admin.post("/admin/organizations", json!({ "login": "acme", "admin": "site-admin" })).expect(201);
    admin.post("/orgs/acme/teams", json!({ "name": "Core", "privacy": "closed" })).expect(201);
    admin.put("/orgs/acme/teams/core/memberships/reader", json!({})).expect(200);
    let made = place.run(&["token", "create", "--user", "reader", "--scopes", "admin:org,notifications"]);
    let token = text(&made.stdout).trim().to_owned();
    server.client(&token).patch("/user/memberships/orgs/acme", json!({ "state": "active" })).expect(200);
    token
}

const READER: &str = "reader@example.org";

/// Fails unless the reader has a notice and at least one mail of each post, and one identifier for all mails of one.
fn check_posts(reader: &Client, mails: &[(String, Mail)], posts: &BTreeSet<String>) {
    let mut identifiers: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (_, mail) in mails.iter().filter(|(to, mail)| to == READER && !mail.header("List-Id").is_empty()) {
        let title = mail.header("Subject").trim_start_matches("[acme/Core] ").to_owned();
        identifiers.entry(title).or_default().insert(mail.header("Message-ID"));
    }
    assert!(identifiers.values().all(|known| known.len() == 1), "{identifiers:?}");
    assert!(identifiers.keys().eq(posts), "{identifiers:?}");
    let threads = reader.all("/notifications?per_page=50");
    let mut titles: Vec<&str> = threads.iter().filter_map(|thread| thread["subject"]["title"].as_str()).collect();
    titles.sort_unstable();
    assert!(titles.iter().copied().eq(posts), "{titles:?}");
}

#[test]
fn killed_between_commit_and_mail_and_between_mail_and_mark_no_mail_is_lost() {
    let (place, smtp) = (Place::new(), Smtp::new(Manner::Accepts));
    let server = serve(&place, smtp.port);
    let reader = begin(&place, &server);
    server.kill();
    place.until_forgotten();
    let (mut invited, mut posts) = (BTreeSet::new(), BTreeSet::new());
    for round in 0..ROUNDS {
        let server = serve(&place, smtp.port);
        let before = smtp.mails().len();
        for number in 0..8 {
            let address = format!("r{round}-{number}@example.org");
            server.admin().post("/orgs/acme/invitations", json!({ "email": address })).expect(201);
            invited.insert(address);
        }
        if round % 2 == 1 {
            let title = format!("Post {round:02}");
            let post = json!({ "title": title, "body": "Hello" });
            server.admin().post("/orgs/acme/teams/core/discussions", post).expect(201);
            posts.insert(title);
        }
        // In turn: before any e-mail of the round was sent, in the middle of them, and while the mail server has one
        // but has not confirmed it.
        match round % 4 {
            1 => smtp.until(|smtp| smtp.mails().len() > before + round % 7, || {}),
            3 => {
                smtp.until(|smtp| smtp.mails().len() > before + 8 && nothing_waits(&place), || {});
                smtp.set(Manner::Holds);
                server.admin().post("/orgs/acme/invitations", json!({ "email": slow(round) })).expect(201);
                invited.insert(slow(round));
                smtp.until(|smtp| smtp.mails().iter().any(|(to, _)| *to == slow(round)), || {});
            }
            _ => {}
        }
        server.kill();
        smtp.set(Manner::Accepts);
        place.until_forgotten();
    }
    let server = serve(&place, smtp.port);
    let arrived = || smtp.mails().into_iter().map(|(to, _)| to).collect::<BTreeSet<_>>();
    smtp.until(|_| invited.is_subset(&arrived()) && nothing_waits(&place), || {});
    check_posts(&server.client(&reader), &smtp.mails(), &posts);
    let mut identifiers: BTreeMap<String, BTreeSet<(String, String)>> = BTreeMap::new();
    for (to, mail) in smtp.mails().into_iter().filter(|(to, _)| to != READER) {
        let known = identifiers.entry(to).or_default();
        known.insert((mail.header("Message-ID"), mail.link("/ui/invitations/")));
    }
    assert!(identifiers.keys().eq(&invited), "{identifiers:?}");
    for (to, known) in &identifiers {
        assert_eq!(known.len(), 1, "{to} got different mails: {known:?}");
    }
    for round in (0..ROUNDS).filter(|round| round % 4 == 3) {
        let copies = smtp.mails().iter().filter(|(to, _)| *to == slow(round)).count();
        assert!(copies > 1, "the mail of round {round} was sent and not marked, so it is sent again");
    }
    server.tell_to_stop();
    assert!(server.wait());
    place.must_be_well();
}

fn nothing_waits(place: &Place) -> bool {
    place.run(&["deliveries", "list", "--state", "waiting"]).stdout.is_empty()
}

/// The address whose mail the server has when the process is killed.
fn slow(round: usize) -> String {
    format!("slow-{round}@example.org")
}

#[test]
fn links_in_mails_begin_with_the_public_url_whatever_host_a_request_names() {
    let (place, smtp) = (Place::new(), Smtp::new(Manner::Accepts));
    let server = serve(&place, smtp.port);
    server.admin().post("/admin/organizations", json!({ "login": "acme", "admin": "site-admin" })).expect(201);
    server.admin().post("/orgs/acme/invitations", json!({ "email": "una@example.org" })).expect(201);
    let body = json!({ "email": "zoe@example.org" }).to_string();
    let request = format!(
        "POST /orgs/acme/invitations HTTP/1.1\r\nHost: evil.example\r\nUser-Agent: t\r\nConnection: close\r\n\
         Authorization: token {ADMIN_TOKEN}\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    let answer = raw::send(server.authority(), request.as_bytes());
    assert_eq!(raw::status(&answer), 201, "{answer}");
    smtp.until(|smtp| smtp.mails().len() == 2, || {});
    for (to, mail) in smtp.mails() {
        for part in [&mail.text, &mail.html] {
            assert!(part.contains("http://teams.example.org/ui/invitations/"), "{to}: {part}");
            assert!(!part.contains("evil") && !part.contains("127.0.0.1"), "{to}: {part}");
        }
        assert!(mail.header("Message-ID").ends_with("@teams.example.org>"), "{}", mail.header("Message-ID"));
    }
}

#[test]
fn the_log_says_where_mail_goes_and_old_files_are_deleted_when_the_server_starts() {
    let place = Place::new();
    let (log, folder) = (place.database.directory().join("log"), place.data_dir().join("mail"));
    let server = place.serve_logging(&log);
    server.admin().post("/admin/organizations", json!({ "login": "acme", "admin": "site-admin" })).expect(201);
    server.admin().post("/orgs/acme/invitations", json!({ "email": "zoe@example.org" })).expect(201);
    let said = log_with(&log, 1, "saved a mail as ");
    let new = folder.join("new").display().to_string();
    assert!(said.contains(&format!("mail is saved in {new}, because no mail server is set")), "{said}");
    let named = said.split("saved a mail as ").nth(1).and_then(|rest| rest.split(',').next()).expect("a path");
    let file = Path::new(named);
    let mail = Mail::parse(&std::fs::read_to_string(file).expect("the file that the log names"));
    assert_eq!((mail.to().as_str(), file.starts_with(&new)), ("zoe@example.org", true));
    let mode = folder.metadata().expect("a folder").permissions().mode() & 0o777;
    assert_eq!(mode, 0o700);
    server.tell_to_stop();
    assert!(server.wait());

    let saved_at = file.metadata().and_then(|metadata| metadata.modified()).expect("a time");
    let days = |days: u64| saved_at - Duration::from_hours(24 * days);
    let old = folder.join("cur").join("old");
    for (path, age) in [(file, days(3)), (old.as_path(), days(5))] {
        let opened = std::fs::OpenOptions::new().append(true).create(true).open(path).expect("a file");
        opened.set_modified(age).expect("a time");
    }
    let smtp = "--smtp-url smtp://user:hush@127.0.0.1:9 --public-url http://teams.example.org";
    let with = format!("--mail-keep-days 4 {smtp} 2> {}", log.display());
    let server = place.serve_within(&format!("exec \"$@\" {with}"));
    let said = log_with(&log, 1, "mail is sent through smtp://127.0.0.1:9");
    assert!(!said.contains("hush"), "{said}");
    waiting::until("an old file is deleted", || !old.exists());
    assert!(file.exists(), "it is not old enough");
    drop(server);
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
    waiting::until("the disk is full", || list("waiting").contains("No space left on device"));
    server.admin().get("/orgs/acme").expect(200);
    server.admin().post("/orgs/acme/teams", json!({ "name": "Beside" })).expect(201);
    server.tell_to_stop();
    assert!(server.wait());
    let left = list("waiting").lines().count();
    assert!((1..8).contains(&left), "{left} mails wait");
    assert!(saved(&folder).is_empty(), "the small disk is gone");

    let server = place.serve();
    waiting::until("all are saved", || saved(&folder).len() >= left);
    drop(server);
    assert_eq!((saved(&folder).len(), list("dead").lines().count()), (left, 0));
    place.must_be_well();
}
