//! Compressed responses: which ones, for which clients, and with which headers (decision 43).

use super::mail_invitations::world;
use super::pages_invitations::invited;
use super::sign_in::signed_in;
use crate::support::browser::Browser;
use crate::support::sent::Sent;
use crate::support::{Client, World, json};

const TEAMS: &str = "/orgs/acme/teams?per_page=100";

/// A world in which the list of teams is long enough to be compressed.
fn with_teams() -> World {
    let world = World::new();
    for number in 0..5 {
        world
            .olivia()
            .post("/orgs/acme/teams", json!({ "name": format!("Team {number}"), "privacy": "closed" }))
            .expect(201);
    }
    world
}

fn get(client: &Client, path: &str) -> Sent {
    client.sent("GET", path, "")
}

#[test]
fn decision_43_a_compressed_response_has_the_same_tag_marked_weak() {
    let world = with_teams();
    let (plain, gzip) = (world.eve(), world.eve().accepting());
    let strong = get(&plain, TEAMS).header("ETag").expect("a tag").to_owned();
    let weak = format!("W/{strong}");
    assert_eq!(get(&gzip, TEAMS).header("ETag"), Some(weak.as_str()));
    for (client, tag) in [(&plain, &strong), (&gzip, &weak)] {
        for sent in
            [strong.clone(), weak.clone(), format!("\"x\", {strong}"), format!("W/\"x\",{weak}"), "*".to_owned()]
        {
            let unchanged = get(&client.with("If-None-Match", &sent), TEAMS);
            let found = (unchanged.status, unchanged.bytes.len(), unchanged.header("ETag"));
            assert_eq!(found, (304, 0, Some(tag.as_str())), "{sent}");
            assert_eq!(unchanged.header("Content-Encoding"), None);
            assert!(unchanged.header("Vary").is_some_and(|vary| vary.contains("Accept-Encoding")));
        }
        assert_eq!(get(&client.with("If-None-Match", "W/\"x\""), TEAMS).status, 200);
    }
}

#[test]
fn decision_43_head_has_the_headers_of_a_compressed_response() {
    let world = with_teams();
    let delivering = self::world();
    let (gzip, rooms) = (world.eve().accepting(), signed_in(&delivering, "eve").with_cookie().accepting());
    for (client, path) in [(&gzip, TEAMS), (&gzip, "/openapi.json"), (&gzip, "/ui/docs"), (&rooms, "/ui")] {
        let (read, head) = (get(client, path), client.sent("HEAD", path, ""));
        assert!(read.is_compressed() && head.bytes.is_empty(), "{path}");
        for name in ["Content-Encoding", "Content-Type", "ETag", "Vary", "Cache-Control"] {
            assert_eq!(head.header(name), read.header(name), "{name} of {path}");
        }
        // A page masks its codes anew, so its length is nearly the same.
        let length =
            |sent: &Sent| sent.header("Content-Length").and_then(|length| length.parse::<i64>().ok()).expect("it");
        assert!((length(&head) - length(&read)).abs() < if path == "/ui" { 60 } else { 1 }, "{path}");
    }
}

#[test]
fn decision_43_a_client_gets_what_it_accepts() {
    let world = with_teams();
    let eve = world.eve();
    let plain = get(&eve, TEAMS).text();
    for (sent, compressed) in [
        ("gzip", true),
        ("deflate, gzip;q=0.5, br", true),
        ("*", true),
        ("GZIP ; q=0.001", true),
        ("identity;q=0, gzip", true),
        ("", false),
        ("br, zstd", false),
        ("identity", false),
        ("identity;q=0", false),
        ("*;q=0", false),
        ("gzip;q=0, *", false),
        ("identity, gzip;q=0.9", false),
        ("gzip;q=2", false),
        ("gzip;q=0.1.1", false),
        ("gzip;q", false),
        ("\u{e9}gzip", false),
        ("gzip\u{1}", false),
    ] {
        let found = get(&eve.with("Accept-Encoding", sent), TEAMS);
        assert_eq!(found.status, if sent.contains('\u{1}') { 400 } else { 200 }, "{sent}");
        assert_eq!(found.is_compressed(), compressed, "{sent}");
        assert!(found.status == 400 || found.text() == plain, "{sent}");
    }
    let twice = eve.with("Accept-Encoding", "br").with("Accept-Encoding", "gzip;q=0.5");
    assert!(get(&twice, TEAMS).is_compressed());
    assert!(!get(&twice.with("Accept-Encoding", "gzip;q=0"), TEAMS).is_compressed());
    for (long, compressed) in [("gzip;q=0,".repeat(3_000), false), ("x,".repeat(9_000) + "gzip", true)] {
        assert_eq!(get(&eve.with("Accept-Encoding", &long), TEAMS).is_compressed(), compressed);
    }
}

#[test]
fn decision_43_what_is_short_long_or_refused_is_not_compressed() {
    let world = World::new();
    let (olivia, gzip) = (world.olivia(), world.olivia().accepting());
    for (status, path) in [
        (204, "/orgs/acme/members/max"),
        (200, "/orgs/acme/teams/core/memberships/max"),
        (404, "/orgs/absent"),
        (404, "/nowhere"),
        (200, "/healthz"),
        (200, "/ui/avatars/nina"),
        (200, "/favicon.ico"),
    ] {
        let sent = get(&gzip, path);
        assert_eq!((sent.status, sent.is_compressed()), (status, false), "{path}");
    }
    let (board, body) = ("/orgs/acme/teams/core/discussions?per_page=100", "word ".repeat(12_000));
    for (posts, compressed) in [(1, true), (3, false)] {
        for number in 0..posts {
            let post = json!({ "title": format!("{posts} {number}"), "body": body });
            world.tom().post("/orgs/acme/teams/core/discussions", post).expect(201);
        }
        let (plain, sent) = (get(&olivia, board), get(&gzip, board));
        assert_eq!(sent.is_compressed(), compressed, "{}", plain.bytes.len());
        assert!(sent.text() == plain.text() && (plain.bytes.len() > 256 * 1_024) != compressed);
    }
}

#[test]
fn decision_43_documents_and_files_are_compressed() {
    let world = World::new();
    let anonymous = world.anonymous();
    let page = get(&anonymous, "/login").text();
    let files: Vec<&str> = page.split("\"/ui/assets/").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    let [style, script] = files[..] else { panic!("{files:?}") };
    let paths =
        [format!("/ui/assets/{style}"), format!("/ui/assets/{script}"), "/ui/docs".into(), "/openapi.json".into()];
    for path in paths {
        let (plain, sent) = (get(&anonymous, &path), get(&anonymous.accepting(), &path));
        assert_eq!((plain.status, plain.is_compressed(), sent.is_compressed()), (200, false, true), "{path}");
        assert!(sent.text() == plain.text() && sent.bytes.len() * 2 < plain.bytes.len(), "{path}");
        for name in ["Vary", "Cache-Control", "Content-Type", "Content-Security-Policy"] {
            assert_eq!(sent.header(name), plain.header(name), "{name} of {path}");
        }
        let vary = sent.header("Vary").unwrap_or_default();
        assert!(vary.contains("Accept-Encoding") && (!path.contains("assets") || vary == "Accept-Encoding"), "{path}");
    }
}

#[test]
fn decision_43_graphql_and_provisioning_are_compressed() {
    let world = with_teams();
    let query = "{ organization(login: \"acme\") { teams(first: 9) { nodes { id slug name description privacy createdAt \
                 updatedAt url membersUrl repositoriesUrl } } } }";
    let body = json!({ "query": query }).to_string();
    let (plain, sent) =
        (world.eve().sent("POST", "/graphql", &body), world.eve().accepting().sent("POST", "/graphql", &body));
    assert_eq!((plain.status, plain.is_compressed(), sent.is_compressed()), (200, false, true), "{}", plain.text());
    assert!(sent.text() == plain.text() && sent.bytes.len() < plain.bytes.len());
    assert_eq!((sent.header("ETag"), sent.header("Cache-Control")), (None, Some("no-store")));
    let wrong = json!({ "query": "{" }).to_string();
    assert!(!world.eve().accepting().sent("POST", "/graphql", &wrong).is_compressed());
    let owner = world.limited("olivia", &["admin:org"]);
    let schemas = "/scim/v2/organizations/acme/Schemas";
    let (plain, sent) = (get(&owner, schemas), get(&owner.accepting(), schemas));
    assert_eq!((plain.status, plain.is_compressed(), sent.is_compressed()), (200, false, true), "{}", plain.text());
    assert!(sent.text() == plain.text() && sent.header("Content-Type") == plain.header("Content-Type"));
}

/// Sends the form of a page for a client that accepts gzip.
fn send(browser: &mut Browser, page: &str, fields: &[(&str, &str)]) -> Sent {
    browser.visit(page);
    let code = browser.code();
    let fields: Vec<(&str, &str)> = [("form", code.as_str())].into_iter().chain(fields.iter().copied()).collect();
    browser.with_cookie().accepting().sent("POST", page, &crate::support::browser::encoded(&fields))
}

#[test]
fn decision_43_pages_are_compressed_unless_they_show_a_secret() {
    let world = world();
    let link = invited(&world);
    let mut nina = signed_in(&world, "nina");
    let gzip = nina.with_cookie().accepting();
    for room in
        ["/ui", "/ui/notifications", "/ui/search?q=x", "/ui/settings/tokens", "/ui/settings/applications", "/ui/nina"]
    {
        let sent = get(&gzip, room);
        assert_eq!((sent.status, sent.is_compressed()), (200, true), "{room}");
        assert!(sent.text().trim_end().ends_with("</html>"), "{room}");
        assert!(!get(&nina.with_cookie(), room).is_compressed());
    }
    let make = [("do", "make"), ("note", "rota"), ("scope", "user"), ("days", "30")];
    let register = [("name", "Rota"), ("redirect_uris", "https://rota.example/back"), ("kind", "secret")];
    for (page, fields) in [("/ui/settings/tokens", &make[..]), ("/ui/settings/applications/new", &register)] {
        let shown = send(&mut nina, page, fields);
        let text = shown.text();
        assert!(shown.status == 200 && text.contains("<pre class=\"secret\"><code>") && text.len() > 2_000, "{text}");
        assert!(!shown.is_compressed(), "{page}");
    }
    // Signing in, links of e-mails, and what is refused.
    for page in [
        link.as_str(),
        "/login",
        "/login?return_to=/ui",
        "/ui/emails/x",
        "/ui/absent",
        "/ui/orgs/absent",
        "/login/device",
    ] {
        let sent = get(&gzip, page);
        assert!(!sent.is_compressed(), "{page}");
    }
}

/// A page that another site leads to may have a guess in its address; its length is not to say if the guess is right.
#[test]
fn decision_43_a_page_that_another_site_leads_to_is_not_compressed() {
    let world = world();
    let nina = signed_in(&world, "nina").with_cookie().accepting();
    for (site, compressed) in [("same-origin", true), ("none", true), ("cross-site", false), ("same-site", false)] {
        let sent = get(&nina.with("Sec-Fetch-Site", site), "/ui/search?q=guess");
        assert_eq!((sent.status, sent.is_compressed()), (200, compressed), "{site}");
    }
    assert!(!get(&nina.with("Origin", "https://evil.example"), "/ui/search?q=guess").is_compressed());
}
