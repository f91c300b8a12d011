//! TLS to PostgreSQL: its certificate is verified, with the name of the host.

use std::process::Command;

use postgres::{Client as Session, NoTls};

use crate::faults::program::{Server, text};
use crate::nodes::clusters::Clusters;
use crate::support::database::Database;
use crate::support::json;

/// The authority that has signed the server's certificate, which is for 127.0.0.1 alone.
const AUTHORITY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/tls/authority.pem");

const ENCRYPTED: &str = "
    SELECT count(*) > 2 AND bool_and(s.ssl) FROM pg_stat_ssl s JOIN pg_stat_activity a USING (pid)
    WHERE a.application_name = 'guildhall'";

/// Fails unless this ends because it cannot connect, and says why.
#[track_caller]
fn must_be_refused(command: &mut Command, why: &str) {
    let done = command.output().expect("the program runs");
    let said = text(&done.stderr);
    assert!(!done.status.success() && said.contains("cannot connect") && said.contains(why), "{}: {said}", done.status);
}

#[test]
fn the_certificate_of_the_server_is_verified() {
    if !Database::is_postgres() {
        return;
    }
    let mut clusters = Clusters::new();
    let certificate = clusters.file("postgres.pem", include_str!("../../tls/postgres.pem"));
    let key = clusters.file("postgres_key.pem", include_str!("../../tls/postgres_key.pem"));
    let (certificate, key) = (format!("ssl_cert_file='{certificate}'"), format!("ssl_key_file='{key}'"));
    let plain = clusters.start_with("server", &["ssl=on", &certificate, &key]);
    let url = format!("{plain}?sslmode=require");
    let mut serve = clusters.serve("node0", &url);
    let node = Server::start({
        serve.env("SSL_CERT_FILE", AUTHORITY);
        serve
    });
    node.admin().post("/admin/organizations", json!({ "login": "acme", "admin": "site-admin" })).expect(201);
    node.admin().get("/orgs/acme").expect(200);
    let mut session = Session::connect(&plain, NoTls).expect("a session");
    assert!(session.query_one(ENCRYPTED, &[]).expect("the sessions").get::<_, bool>(0));
    // The roots of the system have not signed it.
    must_be_refused(&mut clusters.doctor(&url), "UnknownIssuer");
    let elsewhere = url.replace("127.0.0.1", "localhost");
    must_be_refused(clusters.doctor(&elsewhere).env("SSL_CERT_FILE", AUTHORITY), "not valid for name");
}

#[test]
fn a_server_without_tls_is_refused_if_tls_is_required() {
    if !Database::is_postgres() {
        return;
    }
    let mut clusters = Clusters::new();
    let url = clusters.start("server");
    let required = format!("{url}?sslmode=require");
    must_be_refused(clusters.doctor(&required).env("SSL_CERT_FILE", AUTHORITY), "does not support TLS");
}
