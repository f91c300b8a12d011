//! Doctor finds what is wrong with the file of a database: damaged pages, and references to rows that do not exist.

use guildhall::db::{Address, Db, Tx};
use guildhall::doctor;

use crate::support::store::{KEY, Store};

/// PostgreSQL does not let such a row be.
#[test]
fn a_row_that_names_another_that_is_not_there_is_found() {
    let store = Store::new();
    store.acme(
        "admins: [olivia]\nrepos: {web: {}}\nteams: {Core: {privacy: closed, repos: {web: write}, teams: {Docs: {}}}}",
    );
    let Address::Sqlite(file) = store.address() else { return };
    let other = rusqlite::Connection::open(file).expect("the file");
    other.pragma_update(None, "foreign_keys", false).expect("a setting");
    let damage = [
        ("UPDATE team_repos SET repo_id = 99", "team_repos with team_id = 1, repo_id = 99", "repos", "repo_id = 99"),
        ("UPDATE teams SET parent_id = 96 WHERE slug = 'docs'", "teams with id = 2", "teams", "parent_id = 96"),
        (
            "INSERT INTO old_repo_names (org_id, name_key, repo_id) VALUES (1, 'site', 97)",
            "old_repo_names with org_id = 1, user_id = null, name_key = \"site\", repo_id = 97",
            "repos",
            "repo_id = 97",
        ),
    ];
    for (sql, ..) in damage {
        assert_eq!(other.execute(sql, []).expect("a change"), 1);
    }
    drop(other);
    // Opened anew: a store that is open may look for a while at what it has seen before.
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let db = runtime.block_on(Db::open(store.address())).expect("a store");
    let found = runtime.block_on(doctor::run(&db, &KEY)).expect("doctor can look").findings;
    for (_, row, parent, value) in damage {
        let wanted = format!("the row of {row} refers to a row of {parent} that does not exist ({value})");
        assert!(found.iter().any(|finding| finding.what == wanted), "{wanted}: {found:#?}");
    }
}

#[test]
fn a_damaged_file_is_found() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("guildhall.db");
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let open = || runtime.block_on(Db::open(&Address::Sqlite(file.clone())));
    let many_rows = |tx: &mut Tx<'_>| {
        (0..2_000_i64).try_for_each(|n| tx.run(NAMED, &[&format!("name {n}"), &"x".repeat(200)]).map(|_| ()))
    };
    runtime.block_on(open().expect("a new database").write(many_rows)).expect("rows");
    let mut bytes = std::fs::read(&file).expect("the file");
    // The rows are behind the schema.
    let among_rows = bytes.len() / 4 * 3;
    bytes[among_rows..among_rows + 8_192].fill(0xff);
    std::fs::write(&file, bytes).expect("to write");
    let db = open().expect("the first pages are whole");
    let found = runtime.block_on(doctor::run(&db, &KEY)).expect("doctor can look").findings;
    assert!(!found.is_empty() && found[0].mend.contains("backup"), "{found:?}");
}

const NAMED: &str = "INSERT INTO site (name, value) VALUES ($1, $2)";
