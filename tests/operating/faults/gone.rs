//! The database file is deleted or replaced under a running server, or gone at its next start.

use std::fs;
use std::path::PathBuf;

use crate::faults::cut::must_be_unavailable;
use crate::faults::program::{Place, Server, log_with, text};
use crate::support::database::Database;
use crate::support::{Client, json, waiting};

/// A server with its log, users that a backup has, and one that it lacks.
struct Running {
    place: Place,
    server: Server,
    log: PathBuf,
    backup: PathBuf,
}

impl Running {
    fn new() -> Self {
        let place = Place::new();
        let folder = place.database.directory().to_owned();
        let (log, backup) = (folder.join("log"), folder.join("backup"));
        let server = place.serve_logging(&log);
        make(&server.admin(), "kept").expect(201);
        assert!(place.run(&["backup", backup.to_str().expect("text")]).status.success());
        make(&server.admin(), "lost").expect(201);
        Self { place, server, log, backup }
    }

    fn file(&self) -> PathBuf {
        self.place.database.directory().join("guildhall.db")
    }

    /// Fails unless everything but the sign of life is refused, and one line of the log says why.
    #[track_caller]
    fn must_be_out_of_service(&self, why: &str) {
        let admin = self.server.admin();
        must_be_unavailable(&make(&admin, "refused"));
        // Each worker opens a connection of its own when it has its first request.
        for _ in 0..16 {
            must_be_unavailable(&self.server.admin().get("/user"));
        }
        admin.get("/readyz").expect(503);
        admin.get("/healthz").expect(200);
        let log = log_with(&self.log, 1, "ERROR");
        let lines: Vec<&str> = log.lines().filter(|line| line.contains("ERROR")).collect();
        assert!(lines.len() == 1 && lines[0].contains(why) && lines[0].contains("guildhall restore"), "{log}");
    }

    fn stop(self) -> (Place, PathBuf) {
        self.server.tell_to_stop();
        assert!(self.server.wait());
        (self.place, self.backup)
    }
}

fn make(admin: &Client, login: &str) -> crate::support::Answer {
    admin.post("/admin/users", json!({ "login": login }))
}

#[track_caller]
fn refused(place: &Place, command: &[&str], code: i32, why: &[&str]) {
    let output = place.run(command);
    let stderr = text(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{stderr}");
    assert!(why.iter().all(|part| stderr.contains(part)), "{stderr}");
}

/// Fails unless the database is what the backup was.
#[track_caller]
fn must_be_as_backed_up(place: &Place) {
    place.must_be_well();
    let server = place.serve();
    server.admin().get("/users/kept").expect(200);
    server.admin().get("/users/lost").expect(404);
    make(&server.admin(), "later").expect(201);
    server.tell_to_stop();
    assert!(server.wait());
    place.must_be_well();
}

const SERVE: [&str; 3] = ["serve", "--listen", "127.0.0.1:0"];

#[test]
fn a_deleted_file_is_noticed_at_the_next_write_and_at_the_next_start() {
    if Database::is_postgres() {
        return;
    }
    let running = Running::new();
    fs::remove_file(running.file()).expect("a file");
    running.must_be_out_of_service("was deleted or moved");
    let (place, backup) = running.stop();
    let why = ["is missing", "guildhall restore FILE", "guildhall serve --new-store"];
    refused(&place, &SERVE, 1, &why);
    refused(&place, &["doctor"], 1, &why);
    let org = place.database.directory().join("org.yaml");
    fs::write(&org, "orgs: {acme: {admins: [olivia]}}\n").expect("to write");
    refused(&place, &["import", org.to_str().expect("text")], 1, &why);
    assert!(!place.database.directory().join("guildhall.db").exists(), "nothing was made");
    assert!(place.run(&["restore", backup.to_str().expect("text")]).status.success());
    must_be_as_backed_up(&place);
}

#[test]
fn a_deleted_file_is_noticed_without_a_write() {
    if Database::is_postgres() {
        return;
    }
    let running = Running::new();
    let admin = running.server.admin();
    admin.get("/user").expect(200);
    fs::rename(running.file(), running.file().with_extension("moved")).expect("a file");
    waiting::until("a checkpoint notices it", || admin.get("/user").status != 200);
    running.must_be_out_of_service("was deleted or moved");
    // Another file in its place is not the one that is open.
    fs::rename(running.file().with_extension("moved"), running.file()).expect("a file");
    running.must_be_out_of_service("was deleted or moved");
}

#[test]
fn a_replaced_file_is_told_from_a_deleted_one_and_served_after_a_restart() {
    if Database::is_postgres() {
        return;
    }
    let running = Running::new();
    running.server.admin().get("/readyz").expect(200);
    fs::rename(&running.backup, running.file()).expect("a file");
    running.server.admin().get("/readyz").expect(503);
    running.must_be_out_of_service("was replaced");
    let (place, _) = running.stop();
    must_be_as_backed_up(&place);
}

/// A killed server leaves its log behind, which belongs to the file that is gone.
#[test]
fn a_restore_in_the_place_of_a_deleted_file_has_nothing_of_that() {
    if Database::is_postgres() {
        return;
    }
    let Running { place, server, backup, .. } = Running::new();
    server.kill();
    let file = place.database.directory().join("guildhall.db");
    assert!(file.with_extension("db-wal").exists());
    fs::remove_file(&file).expect("a file");
    assert!(place.run(&["restore", backup.to_str().expect("text")]).status.success());
    must_be_as_backed_up(&place);
}

#[test]
fn a_new_store_is_begun_when_it_is_asked_for() {
    let place = Place::new();
    let new_store = [&SERVE[..], &["--new-store"]].concat();
    if Database::is_postgres() {
        return refused(&place, &new_store, 2, &["--new-store is for SQLite"]);
    }
    let server = place.serve();
    make(&server.admin(), "lost").expect(201);
    server.kill();
    fs::remove_file(place.database.directory().join("guildhall.db")).expect("a file");
    refused(&place, &SERVE, 1, &["--new-store"]);
    for login in ["first", "second"] {
        // Where there is a database, it is kept.
        let server = place.serve_within("exec \"$@\" --new-store");
        server.admin().get("/users/lost").expect(404);
        make(&server.admin(), login).expect(201);
        server.admin().get("/users/first").expect(200);
        server.kill();
    }
    place.serve().admin().get("/users/second").expect(200);
}
