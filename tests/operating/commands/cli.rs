//! The command line as an operator meets it: the running server, tokens, the demo, backups.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Value, json};

use crate::place::{OWNER, Place, Server, guildhall, outcome, refused};
use crate::support::Client;
use crate::support::browser::Browser;
use crate::support::database::Database;

#[test]
fn a_second_server_and_a_taken_port_are_refused() {
    let place = Place::new();
    let server = place.serve();
    refused(&place.run(&["serve", "--listen", "127.0.0.1:0"]), 1, "a server is running on the data directory");
    let address = server.base.trim_start_matches("http://");
    let elsewhere = Place::new();
    refused(&elsewhere.run(&["serve", "--listen", address]), 1, "choose another IP address or port with --listen");
    let measured = ["serve", "--listen", "127.0.0.1:0", "--metrics-listen", address];
    refused(&elsewhere.run(&measured), 1, "choose another IP address or port with --metrics-listen");
    assert!(fs::read_dir(elsewhere.database.directory()).expect("a folder").next().is_none(), "nothing was made");
    server.stop();
    place.serve().stop();
}

#[test]
fn the_first_start_makes_an_administrator_whose_token_only_the_user_can_read() {
    let place = Place::new();
    let mut short = place.command(&["serve", "--listen", "127.0.0.1:0"]);
    refused(&short.env("GUILDHALL_ADMIN_TOKEN", "short").output().expect("it runs"), 2, "at least 20");
    assert!(fs::read_dir(place.database.directory()).expect("a folder").next().is_none());
    let server = place.serve();
    let file = place.dir().join("admin-token");
    for secret in [&file, &place.dir().join("guildhall.key")] {
        assert_eq!(fs::metadata(secret).expect("a file").permissions().mode() & 0o777, 0o600);
    }
    let token = fs::read_to_string(file).expect("a token");
    let admin = Client::new(&server.base, Some(token.trim()));
    assert_eq!(admin.get("/user").expect(200)["site_admin"], true);
    admin.post("/admin/users", json!({ "login": "olivia" })).expect(201);
}

#[test]
fn a_token_that_was_revoked_beside_a_server_under_load_is_refused_at_the_next_request() {
    let place = Place::new();
    place.import();
    let server = place.serve();
    let (kept, busy) = (place.token(), Arc::new(AtomicBool::new(true)));
    let reader = |_| {
        let (client, busy) = (Client::new(&server.base, Some(&kept)), Arc::clone(&busy));
        std::thread::spawn(move || {
            while busy.load(Ordering::Relaxed) {
                client.get("/orgs/rust-embedded/teams").expect(200);
            }
        })
    };
    let readers: Vec<_> = (0..2).map(reader).collect();
    for number in 0..5 {
        let token = place.token();
        let client = Client::new(&server.base, Some(&token));
        client.get("/user/teams").expect(200);
        let listed = outcome(&place.run(&["token", "list", "--user", OWNER])).1;
        let row = listed.lines().last().expect("a row");
        assert!(row.contains(&token[token.len() - 8..]) && !listed.contains(&token), "{listed}");
        let cells: Vec<&str> = row.split('\t').collect();
        assert_eq!((cells.len(), cells[1], cells[3]), (8, OWNER, "admin:org, repo"), "{row}");
        let named = if number % 2 == 0 { token.as_str() } else { cells[0] };
        assert_eq!(outcome(&place.run(&["token", "revoke", named])).0, 0);
        client.get("/user/teams").refused(401, "Bad credentials");
    }
    busy.store(false, Ordering::Relaxed);
    for reader in readers {
        reader.join().expect("a reader");
    }
    refused(&place.run(&["token", "revoke", &kept, "999"]), 1, "999: no such token");
    Client::new(&server.base, Some(&kept)).get("/user/teams").expect(200);
    refused(
        &place.run(&["token", "create", "--user", "nobody", "--scopes", "repo"]),
        1,
        "no person has the login nobody",
    );
}

#[test]
fn the_lines_of_the_demo_work_and_a_second_start_keeps_the_data() {
    let directory = tempfile::tempdir().expect("a directory");
    let demo = |listen: &str| {
        let mut command = guildhall(&["demo", "--listen", listen]);
        command.current_dir(directory.path());
        Server::start(command)
    };
    let token = |server: &Server| {
        let line = server.lines.iter().find(|line| line.starts_with("Token of ")).expect("a token");
        line.rsplit(' ').next().expect("a token").to_owned()
    };
    let first = demo("127.0.0.1:0");
    let link = |server: &Server| {
        let url = server.lines.iter().find_map(|line| line.trim().strip_prefix(&server.base)).expect("a link");
        url.to_owned()
    };
    let mut browser = Browser::open(&first.base, &link(&first));
    browser.send(&[]);
    assert!(browser.page.text.contains("sigstore</bdi></a> <small>You are an owner."), "{}", browser.page.text);
    assert_eq!(Browser::open(&first.base, &link(&first)).page.status, 404, "it works once");
    let pasted: Vec<_> = first.lines.iter().filter(|line| line.contains(" --data-dir ")).collect();
    let paste = |line: &String| {
        let output = Command::new("sh").arg("-c").arg(line).current_dir(directory.path()).output().expect("sh runs");
        let (code, out, err) = outcome(&output);
        assert_eq!(code, 0, "{line}: {err}");
        out + &err
    };
    let said: Vec<String> = pasted.into_iter().map(paste).collect();
    let [tree, created, changed] = &said[..] else { panic!("{said:?}") };
    assert!(tree.lines().count() > 3 && created.contains("created night-watch-"), "{said:?}");
    assert!(changed.contains("team.create actor=- "), "{changed}");
    let (teams, former) = (teams(&first, &token(&first)), token(&first));
    first.stop();
    let second = demo("127.0.0.1:0");
    assert_eq!(self::teams(&second, &token(&second)), teams);
    Client::new(&second.base, Some(&former)).get("/user").expect(401);
    second.stop();
    let open = demo("0.0.0.0:0");
    assert!(!open.lines.iter().any(|line| line.contains("/login/link/")), "{:?}", open.lines);
    open.stop();
    let data = directory.path().join("guildhall-demo");
    assert_eq!(
        outcome(&guildhall(&["doctor", "--data-dir", data.to_str().expect("text")]).output().expect("it runs")).0,
        0
    );
}

fn teams(server: &Server, token: &str) -> usize {
    Client::new(&server.base, Some(token)).all("/orgs/sigstore/teams").len()
}

#[test]
fn the_demo_refuses_a_database_that_holds_anything_else() {
    let directory = tempfile::tempdir().expect("a directory");
    let data = directory.path().to_str().expect("text");
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/samples/peribolos/rust-embedded/org.yaml");
    assert_eq!(outcome(&guildhall(&["import", file, "--data-dir", data]).output().expect("it runs")).0, 0);
    let demo = guildhall(&["demo", "--listen", "127.0.0.1:0", "--data-dir", data]).output().expect("it runs");
    refused(&demo, 1, "does not belong to the demo");
}

#[test]
fn a_backup_beside_a_server_is_restored_only_when_it_has_stopped() {
    let place = Place::new();
    place.import();
    let server = place.serve();
    let copy = place.database.directory().join("copy");
    let copy = copy.to_str().expect("text");
    if Database::is_postgres() {
        refused(&place.run(&["backup", copy]), 1, "pg_dump");
        return refused(&place.run(&["restore", copy]), 1, "pg_restore");
    }
    assert_eq!(outcome(&place.run(&["backup", copy])).0, 0);
    refused(&place.run(&["backup", copy]), 1, "choose another file");
    refused(
        &place.run(&["backup", "/nonexistent/copy"]),
        1,
        "its directory must exist, be writable, and have free space",
    );
    refused(&Place::new().run(&["backup", "copy"]), 1, "choose its directory with --data-dir");
    let after = place.token();
    refused(&place.run(&["restore", copy]), 1, "a server is running");
    server.stop();
    assert_eq!(outcome(&place.run(&["restore", copy])).0, 0);
    place.must_be_well();
    let server = place.serve();
    Client::new(&server.base, Some(&after)).get("/user").expect(401);
    Client::new(&server.base, Some(&place.token())).get("/orgs/rust-embedded/teams").expect(200);
    let kept = |name: &str| {
        fs::read_dir(place.database.directory())
            .expect("a folder")
            .any(|entry| entry.is_ok_and(|entry| entry.file_name().to_string_lossy().starts_with(name)))
    };
    assert!(kept("guildhall.db.before-"));
}

#[test]
fn what_is_no_whole_backup_is_refused_and_changes_nothing() {
    let directory = tempfile::tempdir().expect("a directory");
    let data = directory.path().join("data");
    let at = |arguments: &[&str]| guildhall(arguments).arg("--data-dir").arg(&data).output().expect("the program runs");
    let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/samples/peribolos/sigstore/org.yaml");
    assert_eq!(outcome(&at(&["import", sample])).0, 0);
    let good = directory.path().join("good");
    assert_eq!(outcome(&at(&["backup", good.to_str().expect("text")])).0, 0);
    let whole = fs::read(&good).expect("a copy");
    let before = fs::read(data.join("guildhall.db")).expect("a database");
    let (third, junk) = (whole.len() / 3, vec![7; 5000]);
    for (bytes, why) in
        [(&whole[..third], "as a database"), (&junk[..], "as a database"), (&[], "is not a Guildhall database")]
    {
        let bad = directory.path().join("bad");
        fs::write(&bad, bytes).expect("to write");
        refused(&at(&["restore", bad.to_str().expect("text")]), 1, why);
    }
    refused(&at(&["restore", "/nonexistent"]), 1, "no such file: /nonexistent");
    assert!(fs::read(data.join("guildhall.db")).expect("a database") == before);
    fs::write(data.join("guildhall.db"), &junk).expect("to write");
    refused(&at(&["serve", "--listen", "127.0.0.1:0"]), 1, "restore a backup with `guildhall restore`");
    assert_eq!(outcome(&at(&["restore", good.to_str().expect("text")])).0, 0);
    assert_eq!(outcome(&at(&["doctor"])).0, 0);
}

#[test]
fn another_key_is_refused_until_the_right_one_is_back() {
    let place = Place::new();
    place.import();
    let key = place.dir().join("guildhall.key");
    let right = fs::read(&key).expect("a key");
    for (wrong, why) in
        [("ab".repeat(32), "belongs to a different `guildhall.key`"), ("abc".to_owned(), "is not a key file")]
    {
        fs::write(&key, wrong).expect("to write");
        refused(&place.run(&["doctor"]), 1, why);
    }
    fs::write(&key, right).expect("to write");
    assert_eq!(outcome(&place.run(&["doctor"])).0, 0);
    fs::set_permissions(&key, fs::Permissions::from_mode(0o644)).expect("to open it");
    let (code, out, _) = outcome(&place.run(&["doctor"]));
    assert_eq!(code, 1);
    assert!(out.contains("other users can read guildhall.key"), "{out}");
    // The server is in the group of a file that root gives it.
    fs::set_permissions(&key, fs::Permissions::from_mode(0o440)).expect("to open it to the group");
    let of_root = fs::metadata(&key).expect("a file").uid() == 0;
    assert_eq!(outcome(&place.run(&["doctor"])).0 == 0, of_root);
}

#[test]
fn a_store_that_is_not_there_is_explained() {
    let directory = tempfile::tempdir().expect("a directory");
    let nowhere = directory.path().join("nowhere");
    let missing = guildhall(&["doctor", "--data-dir", nowhere.to_str().expect("text")]).output().expect("it runs");
    refused(&missing, 1, "choose its directory with --data-dir");
    assert!(!Path::new(&nowhere).exists());
    let hidden = tempfile::tempdir().expect("a directory");
    std::os::unix::fs::symlink("guildhall.db", hidden.path().join("guildhall.db")).expect("a link to itself");
    let unseen = guildhall(&["doctor", "--data-dir"]).arg(hidden.path()).output().expect("it runs");
    refused(&unseen, 1, "guildhall.db; check that its directory exists and is writable");
    let mut serve = guildhall(&["serve", "--listen", "127.0.0.1:0", "--database", "postgres://u:secret@127.0.0.1:1/x"]);
    let unreachable = serve.arg("--data-dir").arg(directory.path()).output().expect("it runs");
    refused(&unreachable, 1, "cannot connect to the PostgreSQL database x");
    assert!(!outcome(&unreachable).2.contains("secret"));
}

#[test]
fn an_export_is_written_beside_a_running_server_and_can_be_imported() {
    let place = Place::new();
    place.import();
    let server = place.serve();
    let file = place.database.directory().join("out.yaml");
    fs::write(&file, "what it held before").expect("to write");
    let (code, out, err) = outcome(&place.run(&["export", "Rust-Embedded"]));
    assert_eq!((code, err.as_str()), (0, ""));
    let path = file.to_str().expect("text");
    assert_eq!(outcome(&place.run(&["export", "rust-embedded", "--output", path])), (0, String::new(), String::new()));
    assert_eq!(fs::read_to_string(&file).expect("the file"), out);
    let (_, report, _) = outcome(&place.run(&["import", path]));
    assert!(report.starts_with("rust-embedded: nothing to change"), "{report}");
    server.stop();
    refused(
        &place.run(&["export", "acme"]),
        1,
        "there is no organization acme: use one of rust-embedded, or select another",
    );
    refused(&place.run(&["export", "rust-embedded", "-o", "/no/such/x"]), 1, "choose another file with --output");
    let empty = Place::new();
    let nothing = guildhall(&["export", "acme", "--data-dir"]).arg(empty.dir()).output().expect("the program runs");
    refused(&nothing, 1, "there is no database at");
}

#[test]
fn a_list_of_tokens_is_json_when_asked() {
    let place = Place::new();
    place.import();
    assert_eq!(outcome(&place.run(&["token", "list", "--json"])), (0, "[]\n".into(), String::new()));
    let new =
        ["token", "create", "--user", OWNER, "--scopes", "repo,admin:org", "--note", "ci\n2", "--expires-in", "1d"];
    let text = outcome(&place.run(&new)).1;
    let listed: Value = serde_json::from_str(&outcome(&place.run(&["token", "list", "--json"])).1).expect("JSON");
    let token = &listed[0];
    assert_eq!(
        (&token["login"], &token["note"], listed.as_array().map(Vec::len)),
        (&json!(OWNER), &json!("ci\n2"), Some(1))
    );
    assert_eq!(token["scopes"], json!(["admin:org", "repo"]));
    assert!(text.trim().ends_with(token["token_last_eight"].as_str().expect("text")), "{token}");
    assert!(token["expires_at"].is_string() && token["last_used_at"].is_null() && token["id"].is_i64(), "{token}");
    let marked = ["token", "create", "--user", OWNER, "--scopes", "read:org", "--effective-teams"];
    assert_eq!(outcome(&place.run(&marked)).0, 0);
    let listed: Value = serde_json::from_str(&outcome(&place.run(&["token", "list", "--json"])).1).expect("JSON");
    assert_eq!((&listed[0]["effective_teams"], &listed[1]["effective_teams"]), (&json!(false), &json!(true)));
}

#[test]
fn a_note_of_several_lines_is_one_row_of_the_list() {
    let place = Place::new();
    place.import();
    let note = ["--scopes", "repo", "--note", "one\ntwo\u{1b}[2J"];
    assert_eq!(outcome(&place.run(&[&["token", "create", "--user", OWNER], &note[..]].concat())).0, 0);
    let listed = outcome(&place.run(&["token", "list"])).1;
    assert!(listed.lines().count() == 1 && listed.trim_end().ends_with("one\\ntwo\\u{1b}[2J"), "{listed}");
}

#[test]
fn a_former_login_is_freed_beside_a_server_and_no_other_is() {
    let place = Place::new();
    let server = place.serve();
    let token = fs::read_to_string(place.dir().join("admin-token")).expect("a token");
    let admin = Client::new(&server.base, Some(token.trim()));
    admin.post("/admin/users", json!({ "login": "nina" })).expect(201);
    refused(&place.run(&["username", "release", "nina"]), 1, "nina is in use");
    refused(&place.run(&["username", "release", "nobody"]), 1, "nobody is not a former username");
    admin.patch("/admin/users/nina", json!({ "login": "Nora" })).expect(202);
    admin.post("/admin/users", json!({ "login": "nina" })).refused(422, "Validation Failed");
    assert_eq!(
        outcome(&place.run(&["username", "release", "Nina"])),
        (0, String::new(), "released the username Nina\n".into())
    );
    admin.post("/admin/users", json!({ "login": "nina" })).expect(201);
    admin.get("/users/nora").expect(200);
    refused(&place.run(&["username", "release", "nina"]), 1, "nina is in use");
    admin.post("/admin/organizations", json!({ "login": "acme", "admin": "nina" })).expect(201);
    admin.patch("/admin/organizations/acme", json!({ "login": "apex" })).expect(202);
    admin.post("/admin/users", json!({ "login": "acme" })).refused(422, "Validation Failed");
    assert_eq!(outcome(&place.run(&["username", "release", "acme"])).0, 0);
    admin.post("/admin/users", json!({ "login": "acme" })).expect(201);
    place.must_be_well();
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let entries = runtime.block_on(async {
        let db = guildhall::db::Db::open_present(&place.database.address).await.expect("a database");
        db.read(|tx| tx.all::<(String,)>("SELECT before FROM journal WHERE action = 'login.free' ORDER BY entry", &[]))
            .await
    });
    let entries: Vec<_> = entries.expect("entries").into_iter().map(|(before,)| before).collect();
    assert_eq!(entries, [r#"{"login":"nina"}"#, r#"{"login":"acme"}"#]);
}

/// On PostgreSQL, where servers may be recording in the same journal: another session has locked its head.
#[test]
fn what_commands_record_waits_for_its_turn_in_the_journal_of_the_site() {
    let place = Place::new();
    place.import();
    let guildhall::db::Address::Postgres(url) = &place.database.address else { return };
    let mut other = postgres::Client::connect(url, postgres::NoTls).expect("a connection");
    other.execute("BEGIN", &[]).expect("a transaction");
    other.execute("SELECT entry FROM journal_heads WHERE org_id = 0 FOR UPDATE", &[]).expect("the lock");
    refused(&place.run(&["token", "create", "--user", OWNER, "--scopes", "repo"]), 1, "lock timeout");
    other.execute("ROLLBACK", &[]).expect("to let go");
    place.token();
}
