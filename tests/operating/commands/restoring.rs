//! The refusals of `restore`, and the parts that messages of commands show of a file that another person has prepared.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use rusqlite::Connection;
use tempfile::TempDir;

use crate::place::{guildhall, outcome, refused};

/// A data directory with an organization, and a backup of it.
struct Backup {
    directory: TempDir,
    file: PathBuf,
}

impl Backup {
    fn new() -> Self {
        let directory = tempfile::tempdir().expect("a directory");
        let backup = Self { file: directory.path().join("backup"), directory };
        let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/samples/peribolos/sigstore/org.yaml");
        assert_eq!(outcome(&backup.run(&["import", sample])).0, 0);
        assert_eq!(outcome(&backup.run(&["backup", backup.file.to_str().expect("text")])).0, 0);
        backup
    }

    fn data(&self) -> PathBuf {
        self.directory.path().join("data")
    }

    fn run(&self, arguments: &[&str]) -> Output {
        guildhall(arguments).arg("--data-dir").arg(self.data()).output().expect("the program runs")
    }

    fn restore(&self, file: &Path) -> Output {
        self.run(&["restore", file.to_str().expect("text")])
    }

    /// The backup after these changes.
    fn changed(&self, sql: &str) -> PathBuf {
        let file = self.directory.path().join("changed");
        fs::copy(&self.file, &file).expect("a copy");
        Connection::open(&file).expect("a database").execute_batch(sql).expect("changes");
        file
    }
}

#[test]
fn a_backup_with_a_schema_of_another_origin_is_refused_and_changes_nothing() {
    let backup = Backup::new();
    let before = fs::read(backup.data().join("guildhall.db")).expect("a database");
    for (sql, why) in [
        (
            "CREATE TRIGGER evil AFTER INSERT ON tokens BEGIN DELETE FROM journal; END",
            "the trigger evil is not from Guildhall",
        ),
        ("CREATE VIEW more AS SELECT * FROM tokens", "the view more is not from Guildhall"),
        ("CREATE TABLE more (id)", "the table more is not from Guildhall"),
        ("DROP TABLE tokens", "is missing"),
        ("DROP INDEX comments_of_people", "the index comments_of_people is missing"),
        (
            "DROP VIEW reading_teams; CREATE VIEW reading_teams AS SELECT * FROM teams",
            "the view reading_teams is not as Guildhall made it",
        ),
        ("ALTER TABLE users ADD COLUMN more TEXT", "the table users is not as Guildhall made it"),
        ("DELETE FROM migrations WHERE number = 2", "the migrations are not those of this version"),
        ("DELETE FROM migrations WHERE number > 21", "does not have schema 21 of Guildhall"),
    ] {
        refused(&backup.restore(&backup.changed(sql)), 1, why);
    }
    assert!(fs::read(backup.data().join("guildhall.db")).expect("a database") == before);
    // Statistics are SQLite's own.
    assert_eq!(outcome(&backup.restore(&backup.changed("ANALYZE"))).0, 0);
}

#[test]
fn a_backup_of_an_older_schema_is_restored() {
    let backup = Backup::new();
    let older = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/schema_9/guildhall.db"));
    let file = backup.directory.path().join("older");
    fs::copy(older, &file).expect("a copy");
    let (code, _, why) = outcome(&backup.restore(&file));
    assert_eq!(code, 0, "{why}");
}

#[test]
fn a_terminal_interprets_nothing_that_a_file_contains() {
    let backup = Backup::new();
    let quiet = |output: &Output| {
        let (code, out, err) = outcome(output);
        let said = format!("{out}{err}");
        assert_eq!(code, 1, "{said}");
        assert!(!said.contains(|c: char| c.is_control() && c != '\n'), "{said:?}");
        said
    };
    let named = backup.changed("CREATE TABLE \"x\u{1b}[2J\u{9b}31m\nguildhall: all is well\" (id)");
    let said = quiet(&backup.restore(&named));
    assert!(said.contains("x\\u{1b}[2J\\u{9b}31m\\nguildhall") && said.lines().count() == 1, "{said}");
    let missing = backup.directory.path().join("gone\u{1b}[2J");
    assert!(quiet(&backup.restore(&missing)).contains("gone\\u{1b}[2J"));
    // Doctor names what is wrong by its name.
    let store = Connection::open(backup.data().join("guildhall.db")).expect("the store");
    store.execute("UPDATE users SET login = 'x\u{1b}[2J\u{9b}' || login WHERE id = 1", []).expect("a change");
    drop(store);
    assert!(quiet(&backup.run(&["doctor"])).contains("x\\u{1b}[2J\\u{9b}"));
    assert!(quiet(&backup.run(&["doctor", "--json"])).contains("x\\u001b[2J\\u009b"));
}
