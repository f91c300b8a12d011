//! The link that an operator prints (decision 61).

use crate::place::{OWNER, Place, outcome, refused};
use crate::support::Client;
use crate::support::browser::Browser;

#[test]
fn decision_61_the_operator_prints_a_link_that_signs_a_person_in_once() {
    let place = Place::new();
    place.import();
    let server = place.serve();
    let print = |login: &str| place.run(&["user", "sign-in", login]);
    let elsewhere = outcome(&place.run(&["user", "sign-in", OWNER, "--public-url", "https://teams.example.org"])).1;
    assert!(elsewhere.starts_with("https://teams.example.org/login/link/"), "{elsewhere}");
    let (code, url, err) = outcome(&print(OWNER));
    assert_eq!((code, err.as_str()), (0, ""));
    let link = url.trim().strip_prefix(&server.base).expect("one URL of the server").to_owned();
    assert!(link.starts_with("/login/link/") && url.lines().count() == 1, "{url}");
    // Any browser may use it, with a button, and once.
    drop(Browser::open(&server.base, &link));
    let mut browser = Browser::open(&server.base, &link);
    assert!(browser.page.text.contains(&format!("Sign in as <bdi>{OWNER}</bdi>")), "{}", browser.page.text);
    assert!(!browser.cookies.contains_key("guildhall-session"), "GET signs no one in");
    browser.send(&[]);
    assert_eq!(browser.path, "/ui");
    assert!(browser.page.text.contains("You are an owner."), "{}", browser.page.text);
    assert_eq!(Browser::open(&server.base, &link).page.status, 404);
    let token = place.run(&["token", "create", "--user", "site-admin", "--scopes", "site_admin,admin:org"]);
    let admin = Client::new(&server.base, Some(outcome(&token).1.trim()));
    let log = admin.get("/admin/audit-log?phrase=action:sign_in_link.create").expect(200).to_string();
    assert!(log.contains("operator") && log.contains(OWNER), "{log}");
    let log = admin.get("/admin/audit-log?phrase=action:session.create").expect(200).to_string();
    assert!(log.contains("operator"), "{log}");
    refused(&print("nobody-at-all"), 1, "no person has the login nobody-at-all");
    admin.put(&format!("/users/{OWNER}/suspended"), serde_json::json!({})).expect(204);
    refused(&print(OWNER), 1, "is suspended");
    browser.visit("/ui");
    assert!(browser.path.starts_with("/login"), "{}", browser.path);
    server.stop();
}

#[test]
fn decision_61_the_settings_of_a_provider_are_checked_when_the_server_starts() {
    let place = Place::new();
    let secret = place.dir().join("client-secret");
    let file = secret.to_str().expect("a path");
    let serve = |issuer: &str, more: &[&str]| {
        let provider =
            ["serve", "--listen", "127.0.0.1:0", "--signin-oidc-issuer", issuer, "--signin-oidc-client-id", "g"];
        place.run(&[&provider, more].concat())
    };
    let (issuer, url) = ("https://id.example", ["--public-url", "https://teams.example"]);
    let secret_file = ["--signin-oidc-client-secret-file", file];
    refused(&serve(issuer, &url), 2, "signin.oidc.client_secret_file");
    refused(&serve(issuer, &secret_file), 2, "`public_url` is not");
    let all = [&url[..], &secret_file].concat();
    refused(&serve("http://id.example", &all), 2, "an https URL");
    refused(&serve(issuer, &all), 1, "cannot be read");
    std::fs::create_dir_all(place.dir()).expect("a directory");
    std::fs::write(&secret, "\n").expect("to write");
    refused(&serve(issuer, &all), 1, "is empty");
}
