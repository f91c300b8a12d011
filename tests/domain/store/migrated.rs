//! A store of the release before the journal is brought to this schema (docs/decisions/0022): each entry of its audit
//! keeps its number and its hash, and the journals go on from there.

use std::fs;

use guildhall::db::{Address, Db};
use serde_json::json;

use crate::place::{Place, refused};
use crate::support::client::Client;

/// The token of the first site administrator in that store.
const TOKEN: &str = "ghp_fixture_admin_token_0123456789";

/// The number of entries in its audit logs: of the site, of `acme` and of `beta`.
const AUDITED: [(i64, i64, i64); 3] = [(0, 1, 7), (1, 1, 19), (2, 1, 2)];

/// A place with that store, as its program has left it: with people, two organizations, teams, posts and a repository.
fn place() -> Place {
    let place = Place::new();
    let key = match &place.database.address {
        Address::Sqlite(path) => {
            fs::write(path, include_bytes!("../../schema_9/guildhall.db")).expect("a file");
            include_str!("../../schema_9/guildhall.key")
        }
        Address::Postgres(url) => {
            let mut client = postgres::Client::connect(url, postgres::NoTls).expect("a connection");
            client.batch_execute(include_str!("../../schema_9/guildhall.sql")).expect("the tables");
            include_str!("../../schema_9/postgres.key")
        }
    };
    fs::create_dir(place.dir()).expect("a directory");
    fs::write(place.dir().join("guildhall.key"), key).expect("a key");
    place
}

#[test]
fn the_audit_of_the_release_before_goes_on_as_journals() {
    let place = place();
    refused(&place.run(&["token", "list"]), 1, "the database has schema 9 of an older Guildhall");
    let server = place.serve();
    let admin = Client::new(&server.base, Some(TOKEN));
    let made = admin.post("/admin/users/olivia/authorizations", json!({ "scopes": ["admin:org"] })).expect(201).clone();
    let olivia = Client::new(&server.base, made["token"].as_str());
    let members = |team: &str| olivia.get(&format!("/orgs/acme/teams/{team}/members")).expect(200).clone();
    assert_eq!(members("kernel").as_array().map(Vec::len), Some(3));
    olivia.delete("/orgs/acme/teams/kernel/memberships/tom").expect(204);
    assert_eq!(members("kernel").as_array().map(Vec::len), Some(2));
    olivia.post("/orgs/beta/teams", json!({ "name": "New" })).expect(201);
    server.stop();
    let rows = tokio::runtime::Runtime::new().expect("a runtime").block_on(async {
        let db = Db::open_present(&place.database.address).await.expect("a database");
        db.read(|tx| tx.all::<(i64, i64, i64)>(ENTRIES, &[])).await.expect("the entries")
    });
    let renewed = tokio::runtime::Runtime::new().expect("a runtime").block_on(async {
        let db = Db::open_present(&place.database.address).await.expect("a database");
        db.read(|tx| tx.any("SELECT 1 FROM site WHERE name = 'email_keys'", &[])).await.expect("the site")
    });
    assert!(renewed, "the keys of e-mail addresses are those of this release");
    let (audited, since): (Vec<_>, Vec<_>) = rows.into_iter().partition(|(_, format, _)| *format == 1);
    assert_eq!(audited, AUDITED);
    assert_eq!(since.iter().map(|(org, ..)| *org).collect::<Vec<_>>(), [0, 1, 2], "each goes on");
    // The chain holds across the migration, and so do the heads.
    fs::set_permissions(place.dir().join("guildhall.key"), std::os::unix::fs::PermissionsExt::from_mode(0o600))
        .expect("permissions");
    place.must_be_well();
}

const ENTRIES: &str = "SELECT org_id, format, count(*) FROM journal GROUP BY org_id, format ORDER BY org_id, format";
