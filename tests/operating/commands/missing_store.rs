//! Commands that need the store, its key or its schema say so if it is missing, and create nothing.

use std::fs;

use guildhall::db::Db;

use crate::place::{Place, guildhall, outcome, refused};
use crate::support::database::Database;

/// Commands that need a store.
const NEED_A_STORE: [&[&str]; 5] =
    [&["doctor"], &["doctor", "--mend"], &["token", "list"], &["token", "revoke", "1"], &["export", "rust-embedded"]];

/// Opens the database of a place past the program.
fn open(place: &Place) -> (Db, tokio::runtime::Runtime) {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    (runtime.block_on(Db::open(&place.database.address)).expect("a database"), runtime)
}

#[test]
fn an_empty_file_is_no_database_and_stays_empty() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("guildhall.db");
    fs::write(&file, "").expect("to write");
    for command in NEED_A_STORE {
        let output = guildhall(command).arg("--data-dir").arg(folder.path()).output().expect("it runs");
        refused(&output, 1, "there is no database at");
    }
    let names: Vec<_> = fs::read_dir(folder.path()).expect("a folder").map(|e| e.expect("an entry").path()).collect();
    assert_eq!((names, fs::metadata(&file).expect("the file").len()), (vec![file], 0));
}

#[test]
fn an_empty_database_on_postgresql_stays_empty() {
    if !Database::is_postgres() {
        return;
    }
    let (place, begun) = (Place::new(), Place::new());
    begun.import();
    fs::create_dir(place.dir()).expect("a folder");
    fs::copy(begun.dir().join("guildhall.key"), place.dir().join("guildhall.key")).expect("a key");
    for command in NEED_A_STORE {
        refused(&place.run(command), 1, "the database is empty");
    }
}

#[test]
fn a_key_that_is_missing_is_said_and_never_made() {
    let place = Place::new();
    place.import();
    let key = place.dir().join("guildhall.key");
    let copy = place.dir().join("copy");
    fs::rename(&key, &copy).expect("to move it away");
    let serve = ["serve", "--listen", "127.0.0.1:0"];
    for command in NEED_A_STORE.iter().chain([&&serve[..]]) {
        refused(&place.run(command), 1, "guildhall.key is missing. Copy it from");
        assert!(!key.exists(), "{command:?}");
    }
    fs::rename(&copy, &key).expect("to put it back");
    place.must_be_well();
}

#[test]
fn a_lost_key_is_made_anew_by_serve_when_the_mark_of_the_old_one_is_deleted() {
    let place = Place::new();
    place.import();
    fs::remove_file(place.dir().join("guildhall.key")).expect("to remove");
    let (db, runtime) = open(&place);
    let forget = db.write(|tx| tx.run("DELETE FROM site WHERE name = 'key_check'", &[]));
    assert_eq!(runtime.block_on(forget).expect("a change"), 1);
    drop((db, runtime));
    refused(&place.run(&["doctor"]), 1, "start `guildhall serve`, which creates a new key");
    place.serve().stop();
    assert!(outcome(&place.run(&["doctor"])).1.contains("was not written by this service"));
}

#[test]
fn a_database_elsewhere_makes_no_folder_here() {
    let folder = tempfile::tempdir().expect("a folder");
    for command in NEED_A_STORE {
        let mut command = guildhall(command);
        command.args(["--database", "postgres://guildhall@127.0.0.1:1/none"]).current_dir(folder.path());
        refused(&command.output().expect("it runs"), 1, "cannot connect to the PostgreSQL database none");
    }
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0);
}

#[test]
fn an_older_schema_is_refused_and_left() {
    let place = Place::new();
    place.import();
    let (db, runtime) = open(&place);
    let newest = guildhall::db::newest_schema();
    let back = db.write(move |tx| tx.run("DELETE FROM migrations WHERE number = $1", &[&newest]));
    assert_eq!(runtime.block_on(back).expect("a change"), 1);
    for command in NEED_A_STORE {
        refused(&place.run(command), 1, "of an older Guildhall");
    }
    let made = db.read(move |tx| tx.any("SELECT 1 FROM migrations WHERE number = $1", &[&newest]));
    assert!(!runtime.block_on(made).expect("an answer"));
}
