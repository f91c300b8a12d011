//! The states that the program refuses to start on: it ends with 1, says what to do, and has changed nothing.

use std::fs;

use guildhall::db::{Address, Db};

use crate::faults::program::{Place, text};
use crate::support::database::Database;
use crate::support::json;

/// Fails unless the program ends at once with 1 and says this.
#[track_caller]
fn refuses(place: &Place, command: &[&str], why: &[&str]) {
    let output = place.run(command);
    let stderr = text(&output.stderr);
    assert_eq!((output.status.code(), text(&output.stdout).as_str()), (Some(1), ""), "{stderr}");
    let last = stderr.lines().last().expect("a sentence");
    for part in why {
        assert!(last.starts_with("guildhall: ") && last.contains(part), "{stderr}");
    }
}

const SERVE: [&str; 3] = ["serve", "--listen", "127.0.0.1:0"];

fn tamper(place: &Place, sql: &'static str) {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let db = Db::open(&place.database.address).await.expect("a database");
        db.write(move |tx| tx.run(sql, &[])).await.expect("a change");
    });
}

#[test]
fn a_database_of_a_newer_program() {
    let place = Place::new();
    tamper(&place, "INSERT INTO migrations (number, applied_at) VALUES (9999, 0)");
    let why = ["the database has schema 9999 of a newer Guildhall", "Use the newer program"];
    for command in [&SERVE[..], &["doctor"], &["token", "list"]] {
        refuses(&place, command, &why);
    }
}

#[test]
fn a_database_of_somebody_else() {
    let place = Place::new();
    match &place.database.address {
        Address::Sqlite(path) => {
            let other = rusqlite::Connection::open(path).expect("a file");
            other.execute_batch("CREATE TABLE recipes (name TEXT); INSERT INTO recipes VALUES ('soup')").expect("rows");
            drop(other);
            let before = fs::read(path).expect("a file");
            refuses(&place, &SERVE, &["is a database of another program", "--database sqlite:PATH"]);
            assert!(fs::read(path).expect("a file") == before, "it was changed");
        }
        Address::Postgres(url) => {
            let mut other = postgres::Client::connect(url, postgres::NoTls).expect("a database");
            other.batch_execute("CREATE TABLE recipes (name TEXT)").expect("a table");
            refuses(&place, &SERVE, &["another program (recipes)", "--database"]);
            let tables = "SELECT count(*) FROM pg_tables WHERE schemaname = current_schema()";
            assert_eq!(other.query_one(tables, &[]).expect("a number").get::<_, i64>(0), 1, "it was changed");
        }
    }
}

#[test]
fn a_file_that_is_no_database_or_half_of_one() {
    if Database::is_postgres() {
        return;
    }
    let place = Place::new();
    tamper(&place, "INSERT INTO site (name, value) VALUES ('something', 'here')");
    let path = place.database.directory().join("guildhall.db");
    let whole = fs::read(&path).expect("a database");
    let page = 4096;
    let mut torn = whole.clone();
    torn[page..page * 6].fill(0xA5);
    for damaged in
        [b"This is no database, it is a text that somebody saved here.".repeat(100), torn, whole[..page * 2].to_vec()]
    {
        fs::write(&path, &damaged).expect("to write");
        refuses(&place, &SERVE, &["guildhall restore"]);
    }
}

#[test]
fn a_data_directory_or_database_that_cannot_be_used() {
    let place = Place::new();
    fs::write(place.data_dir(), "a file").expect("to write");
    refuses(&place, &SERVE, &["cannot use", "choose another directory with --data-dir"]);
    fs::remove_file(place.data_dir()).expect("to remove");
    if let Address::Sqlite(path) = &place.database.address {
        fs::create_dir(path).expect("a folder");
        refuses(&place, &SERVE, &["cannot open", "check that its directory exists and is writable"]);
    }
}

#[test]
fn a_bad_file_makes_no_store() {
    let place = Place::new();
    refuses(&place, &["import", "no-such-file.yaml"], &["no-such-file.yaml: cannot read the file"]);
    let bad = place.database.directory().join("bad.yaml");
    fs::write(&bad, "orgs:\n  acme:\n    admins: olivia\n").expect("to write");
    refuses(&place, &["import", bad.to_str().expect("text")], &["bad.yaml:3", "admins"]);
    assert!(!place.data_dir().exists());
}

#[test]
fn a_certificate_that_is_none() {
    let place = Place::new();
    let file = place.database.directory().join("certificate.pem");
    let named = file.to_str().expect("text");
    let mut command = SERVE.to_vec();
    command.extend(["--tls-certificate", named, "--tls-key", named]);
    refuses(&place, &command, &["certificate.pem for TLS"]);
    fs::write(&file, "-----BEGIN CERTIFICATE-----\nbm90aGluZw==\n-----END CERTIFICATE-----\n").expect("to write");
    refuses(&place, &command, &["certificate.pem for TLS"]);
}

#[test]
fn a_database_on_postgresql_that_is_not_there() {
    let place = Place::new();
    let Address::Postgres(url) = &place.database.address else { return };
    let (root, _) = url.rsplit_once('/').expect("a name");
    let missing = format!("{root}/no_such_database");
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_guildhall"))
        .env_clear()
        .args(SERVE)
        .args(["--database", &missing, "--data-dir"])
        .arg(place.data_dir())
        .output()
        .expect("the program runs");
    assert_eq!(output.status.code(), Some(1));
    let stderr = text(&output.stderr);
    assert!(stderr.contains("cannot connect to the PostgreSQL database no_such_database"), "{stderr}");
    assert!(stderr.contains("check that the server is running and that the URL in --database is correct"), "{stderr}");
}

/// The operator's token is exactly the one that they set last (decision 42).
#[test]
fn another_token_of_the_operator_replaces_the_first() {
    let place = Place::new();
    let server = place.serve();
    let made = server.admin().get("/user").expect(200)["id"].clone();
    server.kill();
    place.until_forgotten();
    let other = "another-token-of-the-operator-of-this-place";
    let server = place.serve_within(&format!("export GUILDHALL_ADMIN_TOKEN={other}; exec \"$@\""));
    server.admin().get("/user").refused(401, "Bad credentials");
    let user = server.client(other).get("/user");
    assert_eq!((&user.expect(200)["id"], &user.json["site_admin"]), (&made, &true.into()));
    server.client(other).post("/admin/users", json!({ "login": "una" })).expect(201);
    server.kill();
    place.until_forgotten();
    place.must_be_well();
}
