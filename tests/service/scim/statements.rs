//! Every statement of provisioning may fail, and has a plan that does not walk through big tables.

use std::collections::BTreeSet;

use crate::scim::{Provider, SCIM};
use crate::support::database::Database;
use crate::support::{Client, Value, dump, json};

/// Tables that grow with the site.
const BIG: [&str; 12] = [
    "users",
    "logins",
    "emails",
    "org_members",
    "teams",
    "team_members",
    "invitations",
    "scim_users",
    "scim_emails",
    "scim_groups",
    "scim_group_members",
    "team_groups",
];

/// A verb, a path and a body.
type Request = (&'static str, String, Option<Value>);

/// A team that follows a group of Anna and Bert, who has no account yet, and everything that a provider asks.
fn scene() -> (Provider, Vec<Request>) {
    let provider = Provider::new();
    let anna =
        provider.user(json!({ "userName": "anna@idp", "externalId": "x", "emails": [{ "value": "a@b.example" }] }));
    let bert = provider.user(json!({ "userName": "bert" }));
    let tom = provider.user(json!({ "userName": "tom@idp", "emails": [{ "value": "tom@example.com" }] }));
    let group = provider.group("Staff", &[&anna, &tom]);
    let link = json!({ "groups": [{ "group_id": group, "group_name": "", "group_description": "" }] });
    provider.client.patch("/orgs/acme/teams/core/team-sync/group-mappings", link).expect(200);
    let replace =
        |path: &str, value: Value| json!({ "Operations": [{ "op": "replace", "path": path, "value": value }] });
    let add = json!({ "Operations": [{ "op": "add", "path": "members", "value": [{ "value": bert }] }] });
    let requests = vec![
        ("GET", "/Users".into(), None),
        ("GET", "/Users?filter=userName%20eq%20%22anna@idp%22".into(), None),
        ("GET", "/Users?filter=emails.value%20eq%20%22a@b.example%22".into(), None),
        ("GET", "/Users?filter=externalId%20eq%20%22x%22".into(), None),
        ("GET", "/Users?filter=active%20eq%20true".into(), None),
        ("GET", "/Groups".into(), None),
        ("GET", format!("/Groups?filter=members%20eq%20%22{anna}%22"), None),
        ("GET", "/Groups?filter=displayName%20eq%20%22staff%22".into(), None),
        ("GET", "/Groups?filter=externalId%20eq%20%22staff%22".into(), None),
        ("POST", "/.search".into(), Some(json!({}))),
        ("POST", "/Users".into(), Some(json!({ "userName": "nina@idp", "emails": [{ "value": "nina@example.com" }] }))),
        ("POST", "/Users".into(), Some(json!({ "userName": "dora", "active": false }))),
        ("PATCH", format!("/Groups/{group}"), Some(add)),
        ("PATCH", format!("/Groups/{group}"), Some(replace("displayName", json!("Crew")))),
        ("PATCH", format!("/Users/{anna}"), Some(replace("userName", json!("ann")))),
        ("PATCH", format!("/Users/{anna}"), Some(replace("active", json!(false)))),
        ("PATCH", format!("/Users/{anna}"), Some(replace("active", json!(true)))),
        ("PATCH", format!("/Users/{anna}"), Some(replace("groups", json!([{ "value": group }])))),
        ("POST", "/Users".into(), Some(json!({ "userName": "anna@elsewhere" }))),
        ("PUT", format!("/Users/{tom}"), Some(json!({ "userName": "tom@idp", "active": false }))),
        ("PUT", format!("/Groups/{group}"), Some(json!({ "displayName": "Staff", "members": [{ "value": anna }] }))),
        ("DELETE", format!("/Users/{bert}"), None),
        ("DELETE", format!("/Groups/{group}"), None),
    ];
    (provider, requests)
}

fn send(client: &Client, (verb, path, body): &Request) -> u16 {
    client.send(verb, &format!("{SCIM}{path}"), body.as_ref().map(Value::to_string)).status
}

#[test]
fn a_request_whose_statement_fails_changes_nothing_and_succeeds_later() {
    let (provider, requests) = scene();
    let faults = &provider.world.faults;
    for request in &requests {
        let before = dump::everything(&provider.world);
        for n in 1.. {
            assert!(n < 300, "{request:?} needs too many statements");
            faults.arm(n);
            let status = send(&provider.client, request);
            if faults.disarm() {
                assert!((200..300).contains(&status), "{request:?} answered {status}");
                break;
            }
            assert_eq!(status, 503, "statement {n} of {request:?}");
            let now = dump::everything(&provider.world);
            assert!(now == before, "statement {n} of {request:?}:\n{}", dump::difference(&before, &now));
        }
    }
}

#[test]
fn no_statement_walks_through_a_big_table() {
    let (provider, requests) = scene();
    let mut statements = BTreeSet::new();
    for request in &requests {
        provider.world.faults.record();
        send(&provider.client, request);
        statements.extend(provider.world.faults.recorded());
    }
    assert!(statements.len() > 60, "only {} statements were noted", statements.len());
    if Database::is_postgres() {
        return;
    }
    let file = provider.world.db.file().expect("a file");
    let connection = rusqlite::Connection::open(file).expect("the database");
    for sql in statements {
        let mut explained = connection.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).expect("a statement of SQLite");
        let steps: Vec<String> =
            explained.raw_query().mapped(|row| row.get(3)).collect::<Result<_, _>>().expect("a plan");
        for step in steps {
            let Some(scanned) = step.strip_prefix("SCAN ").and_then(|rest| rest.split(' ').next()) else { continue };
            let alias = format!(" {scanned} ");
            let table = BIG.iter().find(|table| sql.contains(&format!("{table}{alias}")) || **table == scanned);
            assert!(table.is_none(), "{sql}\n{step}");
        }
    }
}
