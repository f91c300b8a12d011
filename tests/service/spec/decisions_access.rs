//! Credentials (decision 41).

use base64::Engine;

use crate::spec::given;
use crate::support::{Client, World, json, raw};

/// A token that Sam makes for Tom, with its record.
fn impersonate(world: &World, scopes: &[&str]) -> (Client, crate::support::Value) {
    let made = world.sam().post("/admin/users/tom/authorizations", json!({ "scopes": scopes })).expect(201).clone();
    (Client::new(&world.base, made["token"].as_str()), made)
}

#[test]
fn decision_41_token_and_bearer_in_any_case() {
    let world = World::new();
    let token = world.tom().token.expect("a token");
    for scheme in ["token", "Token", "TOKEN", "Bearer", "bearer", "BEARER"] {
        let client = world.anonymous().with("Authorization", &format!("{scheme} {token}"));
        assert_eq!(client.get("/user").expect(200)["login"], "tom", "{scheme}");
    }
}

#[test]
fn decision_41_basic_with_the_token_as_user_or_password() {
    let world = World::new();
    let token = world.tom().token.expect("a token");
    for pair in ["tom:T", "T:", "T:x-oauth-basic", "any:T", "T:anything"] {
        let pair = pair.replace('T', &token);
        let encoded = base64::engine::general_purpose::STANDARD.encode(&pair);
        for scheme in ["Basic", "basic", "BASIC"] {
            let client = world.anonymous().with("Authorization", &format!("{scheme} {encoded}"));
            assert_eq!(client.get("/user").expect(200)["login"], "tom", "{scheme}");
        }
    }
    let wrong = base64::engine::general_purpose::STANDARD.encode("tom:password");
    world.anonymous().with("Authorization", &format!("Basic {wrong}")).get("/user").refused(401, "Bad credentials");
}

#[test]
fn decision_41_what_cannot_be_read_is_a_bad_credential() {
    let world = World::new();
    let token = world.tom().token.expect("a token");
    for header in ["token", "Basic %%%", "Digest x", &token, "Bearer a b", &format!("token {}", "x".repeat(300))] {
        world.anonymous().with("Authorization", header).get("/orgs/acme").refused(401, "Bad credentials");
    }
}

#[test]
fn decision_41_a_token_has_prefix_thirty_characters_and_a_checksum() {
    let world = World::new();
    let (_, made) = impersonate(&world, &["repo"]);
    let text = made["token"].as_str().expect("a token");
    let body = text.strip_prefix("ghp_").expect("the prefix");
    assert_eq!((body.len(), body.bytes().all(|b| b.is_ascii_alphanumeric())), (36, true));
    let digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".as_bytes();
    let read = |text: &str| {
        let value = |b: u8| digits.iter().position(|digit| *digit == b).expect("a digit") as u64;
        text.bytes().fold(0, |sum, b| sum * 62 + value(b))
    };
    assert_eq!(read(&body[30..]), u64::from(crc32fast::hash(&body.as_bytes()[..30])));
}

#[test]
fn decision_41_only_the_sha_256_of_a_token_is_kept() {
    use sha2::Digest;
    let world = World::new();
    let (_, made) = impersonate(&world, &["repo"]);
    let text = made["token"].as_str().expect("a token");
    let hash = sha2::Sha256::digest(text.as_bytes());
    let hex = hash.iter().fold(String::new(), |hex, byte| hex + &format!("{byte:02x}"));
    assert_eq!((&made["hashed_token"], &made["token_last_eight"]), (&json!(hex), &json!(text[32..])));
    let kept: Vec<u8> = given::value(&world, "SELECT hash FROM tokens WHERE id = (SELECT MAX(id) FROM tokens)");
    assert_eq!(kept, hash.to_vec());
    if let Some(file) = world.db.file() {
        let stored = std::fs::read(file).expect("the database");
        assert!(!stored.windows(text.len()).any(|window| window == text.as_bytes()));
    }
}

#[test]
fn decision_41_a_token_is_shown_once() {
    let world = World::new();
    let (_, made) = impersonate(&world, &["repo"]);
    let text = made["token"].as_str().expect("a token");
    let listed = world.sam().get("/admin/tokens?per_page=100");
    assert!(!listed.text.contains(text) && listed.text.contains(&text[32..]));
}

#[test]
fn decision_41_both_scope_headers_are_always_sent() {
    let world = World::new();
    let client = world.limited("tom", &["repo", "admin:org", "read:org", "user:email"]);
    for path in ["/orgs/acme/teams/core", "/orgs/acme/teams/absent", "/user", "/"] {
        let answer = client.get(path);
        assert_eq!(answer.header("x-oauth-scopes"), Some("admin:org, repo, user:email"), "normalized: {path}");
        assert!(answer.header("x-accepted-oauth-scopes").is_some(), "{path}");
    }
    let accepted = |path: &str| client.get(path).header("x-accepted-oauth-scopes").map(str::to_owned);
    assert_eq!(accepted("/orgs/acme/teams").as_deref(), Some("admin:org, read:org, repo, user, write:org"));
    let membership = accepted("/orgs/acme/teams/core/memberships/tom");
    assert_eq!(membership.as_deref(), Some("admin:org, read:org, repo, write:org"));
    let none = world.anonymous().get("/orgs/acme");
    assert_eq!((none.header("x-oauth-scopes"), none.header("x-accepted-oauth-scopes")), (None, None));
    assert_eq!(world.limited("tom", &[]).get("/user").header("x-oauth-scopes"), Some(""));
}

#[test]
fn decision_41_a_write_says_which_scopes_its_token_has_now() {
    let world = World::new();
    let olivia = world.limited("olivia", &["repo"]);
    for (change, scopes) in [
        ("UPDATE tokens SET scopes = 'admin:org' WHERE id = (SELECT max(id) FROM tokens)", "admin:org"),
        ("UPDATE tokens SET scopes = 'repo' WHERE id = (SELECT max(id) FROM tokens)", "repo"),
    ] {
        let put = || olivia.put("/orgs/acme/teams/core/memberships/tom", json!({}));
        put().expect(200);
        given::run(&world, change);
        let answer = put();
        answer.expect(200);
        assert_eq!(answer.header("x-oauth-scopes"), Some(scopes));
    }
}

#[test]
fn decision_41_an_expiring_token_says_when() {
    let world = World::new();
    let client = world.limited("tom", &["repo"]);
    given::run(&world, "UPDATE tokens SET expires_at = 1767225660000000 WHERE id = (SELECT MAX(id) FROM tokens)");
    let expiration = client.get("/user");
    let value = expiration.header("github-authentication-token-expiration");
    assert_eq!(value, Some("2026-01-01 00:01:00 UTC"));
    world.advance(60);
    client.get("/user").refused(401, "Bad credentials");
}

#[test]
fn decision_41_no_record_holds_a_token() {
    let world = World::new();
    given::listener(&world);
    let (client, made) = impersonate(&world, &["repo"]);
    client.post("/orgs/acme/teams", json!({ "name": "Other" })).expect(201);
    let rows: Vec<(String, String)> = world.rows("SELECT before, after FROM journal WHERE action IS NOT NULL");
    let events: Vec<(String,)> = world.rows("SELECT facts FROM journal_facts");
    let text = rows.iter().map(|(before, after)| format!("{before}{after}")).chain(events.into_iter().map(|row| row.0));
    let token = made["token"].as_str().expect("a token");
    let hash = made["hashed_token"].as_str().expect("a hash");
    for row in text {
        assert!(!row.contains(token) && !row.contains(hash), "{row}");
    }
}

#[test]
fn decision_41_two_headers_are_a_bad_credential() {
    let world = World::new();
    let token = world.tom().token.expect("a token");
    let host = world.base.trim_start_matches("http://");
    for other in [token.as_str(), "wrong"] {
        let headers = format!("Authorization: token {token}\r\nAuthorization: token {other}\r\n");
        let request =
            format!("GET /user HTTP/1.1\r\nHost: {host}\r\nUser-Agent: t\r\n{headers}Connection: close\r\n\r\n");
        let answer = raw::send(host, request.as_bytes());
        assert!(raw::status(&answer) == 401 && answer.contains("Bad credentials"), "{answer}");
    }
}
