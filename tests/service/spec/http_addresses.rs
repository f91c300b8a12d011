//! URLs of requests, and URLs in responses (decision 1).

use crate::spec::given;
use crate::spec::mail_invitations::world as world_with_mail;
use crate::spec::sign_in::signed_in;
use crate::support::world::Settings;
use crate::support::{Client, Value, World, json, raw};

/// Sends a GET with these headers and gives the whole answer back.
fn get(world: &World, path: &str, headers: &str) -> String {
    let address = world.base.trim_start_matches("http://");
    let token = world.tom().token.expect("a token");
    let request = format!(
        "GET {path} HTTP/1.1\r\n{headers}User-Agent: t\r\nAuthorization: token {token}\r\nConnection: close\r\n\r\n"
    );
    raw::send(address, request.as_bytes())
}

#[test]
fn decision_1_every_operation_answers_under_both_bases() {
    let world = World::new();
    let v3 = world.olivia().under("/api/v3");
    for path in ["/", "/meta", "/user", "/orgs/acme", "/orgs/acme/teams", "/orgs/acme/teams/core/members"] {
        world.olivia().get(path).expect(200);
        v3.get(path).expect(200);
    }
    v3.post("/orgs/acme/teams", json!({ "name": "Other" })).expect(201);
    v3.put("/orgs/acme/teams/other/memberships/tom", json!({})).expect(200);
    v3.delete("/orgs/acme/teams/other").expect(204);
}

#[test]
fn decision_1_addresses_in_bodies_repeat_the_prefix() {
    let world = World::new();
    let (plain, v3) = (world.tom(), world.tom().under("/api/v3"));
    for path in [
        "/orgs/acme/teams/core",
        "/orgs/acme/teams",
        "/orgs/acme/teams/core/members",
        "/orgs/acme/members",
        "/orgs/acme/memberships/max",
        "/user/teams",
        "/user/orgs",
        "/user",
    ] {
        let count = |text: &str, base: &str| text.matches(&format!("\"{}{base}/", world.base)).count();
        let (plain, v3) = (plain.get(path).text, v3.get(path).text);
        let interface = count(&plain, "") - count(&plain, "/ui");
        assert!(interface > 0);
        assert_eq!((count(&plain, "/api/v3"), count(&v3, "/api/v3")), (0, interface), "{path}");
        assert_eq!(count(&v3, ""), count(&plain, ""), "{path}");
    }
}

#[test]
fn decision_1_location_and_link_repeat_the_prefix() {
    let world = World::new();
    let v3 = world.olivia().under("/api/v3");
    let made = v3.post("/orgs/acme/teams", json!({ "name": "Other" }));
    let location = made.header("location").expect("a location");
    assert!(location.starts_with(&format!("{}/organizations/", v3.base)), "{location}");
    assert_eq!(world.olivia().get(location).expect(200)["slug"], "other");
    let next = v3.get("/orgs/acme/teams?per_page=1").link("next").expect("a next page");
    assert!(next.starts_with(&format!("{}/organizations/", v3.base)), "{next}");
    assert_eq!(world.olivia().get(&next).expect(200)[0]["slug"], "other");
}

#[test]
fn decision_1_pages_and_documentation_stand_under_ui() {
    let world = World::new();
    let team = world.tom().get("/orgs/acme/teams/core").expect(200).clone();
    assert_eq!(team["html_url"], format!("{}/ui/orgs/acme/teams/core", world.base));
    let refused = world.tom().under("/api/v3").get("/orgs/acme/teams/absent");
    assert_eq!(refused.json["documentation_url"], format!("{}/ui/docs#teams.getByName", world.base));
    let nowhere = world.tom().get("/nowhere");
    assert!(nowhere.json["documentation_url"].as_str().is_some_and(|url| url.starts_with(&world.base)));
}

/// The status and the page at a URL for people.
fn page(client: &Client, url: &Value) -> (u16, String) {
    let answer = client.get(url.as_str().expect("an address"));
    assert_eq!(answer.header("content-type"), Some("text/html; charset=utf-8"), "{}", answer.request);
    (answer.status, answer.text)
}

#[test]
fn decision_1_the_html_url_of_a_record_leads_to_its_room() {
    let world = world_with_mail();
    given::repository(&world, "tool", None);
    let repository = world.olivia().get("/repos/acme/tool").expect(200).clone();
    let post = given::post(&world.tom(), "Plans", false);
    let comments = "/orgs/acme/teams/core/discussions/1/comments";
    let comment = world.tom().post(comments, json!({ "body": "Yes." })).expect(201).clone();
    let mut olivia = signed_in(&world, "olivia");
    for (record, name) in [
        (world.tom().get("/orgs/acme/teams/core").expect(200).clone(), "Core"),
        (world.tom().get("/orgs/acme").expect(200).clone(), "acme"),
        (world.tom().get("/users/tom").expect(200).clone(), "tom"),
        (given::project(&world, "Roadmap"), "Roadmap"),
        (repository, "tool"),
        (post, "Plans"),
        (comment, "Plans"),
    ] {
        let url = record["html_url"].as_str().expect("a URL").replace(&world.base, "");
        let page = olivia.visit(&url);
        assert_eq!(page.status, 200, "{url}: {}", page.text);
        let heading = page.text.split("<h1").nth(1).and_then(|rest| rest.split("</h1>").next()).expect("a heading");
        assert!(heading.contains(name), "{url}: {heading}");
    }
}

#[test]
fn decision_1_a_room_shows_only_what_the_person_may_see() {
    let world = world_with_mail();
    let project = given::hidden_project(&world, "Hidden plans");
    let secret = json!({ "name": "Night <b>watch</b> & \"co\"" });
    let team = world.olivia().post("/orgs/acme/teams", secret).expect(201).clone();
    let mut browsers = ["nina", "tom"].map(|login| signed_in(&world, login));
    for record in [&project, &team] {
        let url = record["html_url"].as_str().expect("a URL").replace(&world.base, "");
        for browser in &mut browsers {
            let [shown, absent] = [url.as_str(), "/ui/orgs/acme/teams/nothing"].map(|url| {
                let page = browser.visit(url);
                assert_eq!(page.status, 404, "{url}");
                // The codes of forms differ.
                let same: Vec<String> =
                    page.text.lines().filter(|line| !line.contains("name=\"form\"")).map(str::to_owned).collect();
                same
            });
            assert_eq!(shown, absent);
        }
    }
    let url = team["html_url"].as_str().expect("a URL").replace(&world.base, "");
    let mut olivia = signed_in(&world, "olivia");
    let page = olivia.visit(&url);
    let name = "Night &#60;b&#62;watch&#60;/b&#62; &#38; &#34;co&#34;";
    assert!(page.status == 200 && page.text.contains(name), "{}", page.text);
}

#[test]
fn decision_1_an_address_of_no_room_is_not_found() {
    let world = world_with_mail();
    let mut olivia = signed_in(&world, "olivia");
    for path in [
        "/orgs/acme/members",
        "/orgs/acme/teams/core/repos",
        "/orgs/acme/projects/99",
        "/orgs/acme/projects/99999999999999999999",
        "/orgs/nobody",
        "/orgs/%00",
        "/orgs/%ff",
        "/nobody",
        "/acme/nothing",
        "/a/b/c",
    ] {
        let answer = olivia.visit(&format!("/ui{path}"));
        assert_eq!(answer.status, 404, "{path}: {}", answer.text);
    }
    for answer in [world.olivia().delete("/ui/orgs/acme/teams/core"), world.olivia().patch("/ui/acme", json!({}))] {
        assert_eq!(answer.status, 404, "{}", answer.text);
    }
    world.olivia().get("/orgs/acme/teams/core").expect(200);
}

#[test]
fn decision_1_the_documentation_has_an_anchor_for_each_operation() {
    let world = World::new();
    let refused = world.tom().get("/orgs/acme/teams/absent");
    let url = refused.json["documentation_url"].as_str().expect("an address");
    let (address, anchor) = url.split_once('#').expect("an anchor");
    let (status, shown) = page(&world.anonymous(), &json!(address));
    assert!(status == 200 && shown.contains(&format!("id=\"{anchor}\"")), "{url}");
}

#[test]
fn decision_1_the_host_header_counts() {
    let world = World::new();
    for host in ["teams.example", "teams.example:8443", "[::1]:9", "localhost"] {
        let answer = get(&world, "/orgs/acme/teams/core", &format!("Host: {host}\r\n"));
        assert!(answer.contains(&format!("\"url\":\"http://{host}/organizations/")), "{answer}");
        let list = get(&world, "/orgs/acme/teams/core/members", &format!("Host: {host}\r\n"));
        assert!(list.contains(&format!("\"url\":\"http://{host}/users/max\"")), "{list}");
    }
}

#[test]
fn decision_1_forwarded_headers_of_strangers_say_nothing() {
    let world = World::new();
    let headers = "Host: here.example\r\nX-Forwarded-Host: evil.example\r\nX-Forwarded-Proto: https\r\n\
                   Forwarded: host=evil.example;proto=https\r\n";
    let answer = get(&world, "/orgs/acme/teams/core", headers);
    assert!(answer.contains("\"url\":\"http://here.example/organizations/"), "{answer}");
    assert!(!answer.contains("evil"), "{answer}");
}

#[test]
fn decision_1_forwarded_headers_of_trusted_proxies_count() {
    let world = World::with(Settings { trusted_proxies: vec!["127.0.0.0/8"], ..Settings::default() });
    for headers in [
        "Host: inner\r\nX-Forwarded-Host: teams.example\r\nX-Forwarded-Proto: https\r\n",
        "Host: inner\r\nForwarded: host=teams.example;proto=https\r\n",
    ] {
        let answer = get(&world, "/api/v3/orgs/acme/teams/core", headers);
        assert!(answer.contains("\"url\":\"https://teams.example/api/v3/organizations/"), "{answer}");
    }
}

#[test]
fn decision_1_a_path_that_a_trusted_proxy_took_off_stands_in_every_address() {
    let headers = "Host: a.example\r\nX-Forwarded-Prefix: /staff\r\n";
    let trusting = World::with(Settings { trusted_proxies: vec!["127.0.0.0/8"], ..Settings::default() });
    for (prefix, path) in [("", "/orgs/acme/teams/core"), ("/api/v3", "/api/v3/orgs/acme/teams/core")] {
        let answer = get(&trusting, path, headers);
        assert!(answer.contains(&format!("\"url\":\"http://a.example/staff{prefix}/organizations/")), "{answer}");
        assert!(answer.contains("\"html_url\":\"http://a.example/staff/ui/orgs/acme/teams/core\""), "{answer}");
    }
    let list = get(&trusting, "/orgs/acme/teams/core/members?per_page=1", headers);
    assert!(list.contains("<http://a.example/staff/organizations/"), "{list}");
    // A page is read on the host of its request.
    let page = get(&trusting, "/ui/invitations/1-none", headers);
    assert!(page.contains("href=\"/staff/ui/assets/style-"), "{page}");
    for path in ["/orgs/acme/teams/core", "/ui/invitations/1-none"] {
        let answer = get(&World::new(), path, headers);
        assert!(!answer.contains("staff"), "{answer}");
    }
}

#[test]
fn decision_1_a_malformed_host_is_400() {
    let world = World::new();
    for host in ["", "Host: a b\r\n", "Host: a\"b\r\n", "Host: a:99999\r\n", "Host: user@a\r\n"] {
        assert_eq!(raw::status(&get(&world, "/orgs/acme", host)), 400, "{host}");
    }
}

#[test]
fn decision_2_a_slash_at_the_end_of_the_base_is_accepted() {
    let world = World::new();
    for path in ["/", "/api/v3", "/api/v3/"] {
        assert!(world.tom().get(path).expect(200)["organization_url"].is_string());
    }
    // What clients make of such a base.
    for path in ["//orgs/acme/teams/core", "/api/v3//orgs/acme/teams/core"] {
        assert_eq!(world.tom().get(path).expect(200)["slug"], "core");
    }
}

#[test]
fn decision_53_a_host_that_is_none_gets_a_page_from_people_and_json_from_programs() {
    let world = World::new();
    let html = "Accept: text/html,application/xhtml+xml\r\n";
    for host in ["Host: a b\r\n", "Host: a\r\nHost: b\r\n", "Host: a:x\r\n"] {
        for path in ["/ui", "/ui/orgs/acme", "/login", "/login/link/x", "/ui/nothing"] {
            let answer = get(&world, path, &format!("{host}{html}"));
            assert!(answer.starts_with("HTTP/1.1 400 ") && answer.contains("text/html"), "{path}: {answer}");
            assert!(answer.contains("The name of this site does not have its usual form"), "{path}: {answer}");
        }
        for (path, accept) in [("/ui", ""), ("/login", "Accept: application/json\r\n"), ("/user", html)] {
            let answer = get(&world, path, &format!("{host}{accept}"));
            assert!(answer.starts_with("HTTP/1.1 400 ") && answer.contains("valid Host header"), "{path}: {answer}");
        }
    }
}

#[test]
fn decision_2_logins_and_slugs_are_found_in_any_case_and_shown_as_stored() {
    let world = World::new();
    world.sam().post("/admin/users", json!({ "login": "McFly" })).expect(201);
    assert_eq!(world.tom().get("/users/mcfly").expect(200)["login"], "McFly");
    let team = world.tom().get("/orgs/ACME/teams/CoRe").expect(200).clone();
    assert_eq!((&team["slug"], &team["organization"]["login"]), (&json!("core"), &json!("acme")));
    let put = given::put(&world, "CORE", "MCFLY", "member");
    assert!(put["url"].as_str().is_some_and(|url| url.ends_with("/memberships/McFly")));
}
