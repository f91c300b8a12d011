//! Applications that people register on pages, for themselves and for organizations that they own (decision 62).

use super::mail_invitations::world;
use super::pages_team::hidden;
use super::sign_in::signed_in;
use crate::support::application::{Application, CALLBACK};
use crate::support::browser::Browser;
use crate::support::dump::everything;
use crate::support::{Client, World, json};

pub const ROOM: &str = "/ui/settings/applications";

pub const NEW: &str = "/ui/settings/applications/new";

/// Sends the form that registers an application, with these fields instead of the usual ones.
pub fn fill(browser: &mut Browser, fields: &[(&str, &str)]) -> u16 {
    browser.visit(NEW);
    let code = browser.code();
    let usual = [("name", "Rota"), ("redirect_uris", CALLBACK), ("kind", "secret")];
    let kept = usual.iter().filter(|(name, _)| fields.iter().all(|(other, _)| other != name));
    let fields: Vec<(&str, &str)> = kept.chain(fields).copied().collect();
    browser.send_to(NEW, &code, &fields).status
}

/// The text after this one on the page.
fn after(browser: &Browser, text: &str) -> Option<String> {
    browser.page.text.split(text).nth(1)?.split('<').next().map(str::to_owned)
}

/// The secret that the page shows.
fn shown(browser: &Browser) -> Option<String> {
    after(browser, "<pre class=\"secret\"><code>")
}

/// Registers an application with these fields.
pub fn registered(browser: &mut Browser, fields: &[(&str, &str)]) -> Application {
    assert_eq!(fill(browser, fields), 200, "{}", browser.page.text);
    let id = after(browser, "<dt>Client ID</dt><dd><code>").expect("a client ID");
    Application { id, secret: shown(browser).unwrap_or_default() }
}

/// The path of the page of an application.
pub fn page(app: &Application) -> String {
    format!("{ROOM}/registered/{}", app.id)
}

/// The number of applications besides the one that is there from the start, and of their secrets.
pub fn counts(world: &World) -> (i64, i64) {
    world.rows("SELECT (SELECT count(*) FROM applications) - 1, (SELECT count(*) FROM application_secrets)")[0]
}

/// The IDs of all secrets, the oldest first.
fn secrets(world: &World) -> Vec<String> {
    let rows = world.rows::<(i64,)>("SELECT id FROM application_secrets ORDER BY id");
    rows.into_iter().map(|(id,)| id.to_string()).collect()
}

/// True if the application gets a token with its secret.
fn works(world: &World, browser: &mut Browser, app: &Application) -> bool {
    let code = app.allowed(browser, &[]);
    app.exchanges(world, &code, &[]).json["access_token"].is_string()
}

#[test]
fn decision_62_a_person_registers_an_application_whose_secret_is_shown_once() {
    let world = world();
    let (mut nina, mut tom) = (signed_in(&world, "nina"), signed_in(&world, "tom"));
    assert!(nina.visit(ROOM).text.contains("You manage no applications"), "{}", nina.page.text);
    assert!(!nina.visit(NEW).text.contains("Who it belongs to"), "she owns no organization: {}", nina.page.text);
    let app = registered(&mut nina, &[("name", " Rota & Co ")]);
    assert_eq!((app.secret.len(), nina.page.header("cache-control")), (64, Some("no-store")));
    tom.visit(&app.asks(&[("scope", "repo")]));
    for wanted in ["Let <bdi>Rota &#38; Co</bdi> act for you?", "Registered by <b><bdi>nina</bdi></b>"] {
        assert!(tom.page.text.contains(wanted), "{wanted} in {}", tom.page.text);
    }
    Client::new(&world.base, Some(&app.token(&world, &mut tom, "repo"))).get("/user").expect(200);
    // The secret is nowhere any more.
    for path in [ROOM.to_owned(), page(&app)] {
        let text = &nina.visit(&path).text;
        assert!(text.contains("Rota &#38; Co") && !text.contains(&app.secret), "{path}: {text}");
    }
    assert!(nina.page.text.contains("<dd>1 person</dd>") && nina.page.text.contains("Only secret"));
    let stored = everything(&world);
    assert!(stored.contains(&app.id) && !stored.contains(&app.secret));
    let log = world.sam().get("/admin/audit-log?phrase=action:oauth_application.create").json;
    assert_eq!((&log[0]["actor"], &log[0]["after"]["name"]), (&json!("nina"), &json!("Rota & Co")), "{log}");
    // It is no one else's, and no operator's switch is on.
    assert_eq!(tom.visit(&page(&app)).status, 404);
    assert!(!tom.visit(ROOM).text.contains("/registered/"), "{}", tom.page.text);
    let switches: Vec<(bool, bool, bool)> =
        world.rows("SELECT public, trusted, skip_consent FROM applications WHERE user_id IS NOT NULL");
    assert_eq!(switches, [(false, false, false)]);
}

#[test]
fn decision_62_what_only_the_operator_may_set_is_not_set_on_a_page() {
    let world = world();
    let mut nina = signed_in(&world, "nina");
    let set =
        [("trusted", "on"), ("skip_consent", "on"), ("client_id", "dex"), ("secret", "a-secret-of-my-own-choice")];
    let app = registered(&mut nina, &set);
    nina.visit(&page(&app));
    let version = hidden(&nina, "version");
    let typed = [("do", "change"), ("version", version.as_str()), ("name", "Rota"), ("redirect_uris", CALLBACK)];
    let change = [&typed[..], &set[..]].concat();
    nina.send(&change);
    assert!(nina.page.text.contains("Saved."), "{}", nina.page.text);
    let stored: Vec<(String, bool, bool)> =
        world.rows("SELECT client_id, trusted, skip_consent FROM applications WHERE user_id IS NOT NULL");
    assert_eq!(stored, [(app.id.clone(), false, false)]);
    assert_ne!((app.id.as_str(), app.secret.as_str()), ("dex", set[3].1));
}

#[test]
fn decision_62_an_application_without_a_secret_is_registered_on_a_page() {
    let world = world();
    let mut nina = signed_in(&world, "nina");
    let fields = [("kind", "public"), ("redirect_uris", "http://127.0.0.1/done\r\n com.example.rota:/done\r\n")];
    let app = registered(&mut nina, &fields);
    assert!(app.secret.is_empty() && nina.page.text.contains("It has none"), "{}", nina.page.text);
    let uris = world.rows::<(String,)>("SELECT uri FROM redirect_uris ORDER BY uri");
    assert_eq!(
        uris.iter().map(|(uri,)| uri.as_str()).collect::<Vec<_>>(),
        ["com.example.rota:/done", fields[1].1.split('\r').next().expect("one")]
    );
    let code = nina.code();
    assert_eq!(nina.send_to(&page(&app), &code, &[("do", "add")]).status, 422);
    assert!(nina.page.text.contains("A public application has no secret."), "{}", nina.page.text);
    assert_eq!(counts(&world), (1, 0));
}

#[test]
fn decision_62_an_owner_of_many_organizations_types_the_one_that_an_application_belongs_to() {
    let world = world();
    for number in 0..20 {
        let org = json!({ "login": format!("org-{number}"), "admin": "olivia" });
        world.sam().post("/admin/organizations", org).expect(201);
    }
    let mut olivia = signed_in(&world, "olivia");
    let form = olivia.visit(NEW).text.clone();
    assert!(form.contains("list=\"known-owners\"") && !form.contains("<select"), "{form}");
    assert_eq!(form.matches("<option value=").count(), 20);
    let before = counts(&world);
    assert_eq!(fill(&mut olivia, &[("owner", "globex<"), ("name", "Rota 2")]), 422);
    let typed = ["You own no organization named “globex&#60;”.", "value=\"globex&#60;\"", "value=\"Rota 2\""];
    assert!(typed.iter().all(|text| olivia.page.text.contains(text)), "{}", olivia.page.text);
    assert_eq!(counts(&world), before);
    registered(&mut olivia, &[("owner", " ORG-19 ")]);
    assert!(olivia.page.text.contains("<bdi>org-19</bdi>"), "{}", olivia.page.text);
    registered(&mut olivia, &[("owner", "")]);
    assert!(olivia.page.text.contains("<bdi>olivia</bdi>"), "{}", olivia.page.text);
}

#[test]
fn decision_62_owners_of_an_organization_manage_its_applications_and_others_do_not_see_them() {
    let world = world();
    let mut olivia = signed_in(&world, "olivia");
    assert!(olivia.visit(NEW).text.contains("<option>acme</option>"), "{}", olivia.page.text);
    let app = registered(&mut olivia, &[("owner", "acme")]);
    assert!(olivia.page.text.contains("<bdi>acme</bdi>"), "{}", olivia.page.text);
    let log = world.olivia().get("/orgs/acme/audit-log?phrase=action:oauth_application.create").json;
    assert_eq!((&log[0]["actor"], &log[0]["after"]["owner"]), (&json!("olivia"), &json!("acme")), "{log}");
    assert_eq!(world.sam().get("/admin/audit-log?phrase=action:oauth_application.create").json, json!([]));
    world.sam().put("/users/ray/site_admin", json!({})).expect(204);
    let before = (counts(&world), secrets(&world));
    // Members, maintainers, outsiders and site administrators.
    for login in ["tom", "max", "nina", "ray"] {
        let mut other = signed_in(&world, login);
        assert!(!other.visit(ROOM).text.contains("/registered/"), "{login}");
        for path in [page(&app), format!("{}?delete=it", page(&app)), format!("{}?secret={}", page(&app), before.1[0])]
        {
            assert_eq!(other.visit(&path).status, 404, "{login}: {path}");
        }
        assert_eq!(fill(&mut other, &[("owner", "acme")]), 422, "{login}");
        other.visit(NEW);
        let code = other.code();
        let fields = [("name", "Evil"), ("redirect_uris", "https://evil.example/"), ("secret", before.1[0].as_str())];
        for word in ["add", "change", "remove", "delete"] {
            let sent: Vec<_> = fields.into_iter().chain([("do", word)]).collect();
            // What is not there for them is taken away as if it were gone.
            let status = other.send_to(&page(&app), &code, &sent).status;
            let is_gone = status == 200 && other.path == format!("{ROOM}?done=gone");
            assert_eq!(is_gone, ["remove", "delete"].contains(&word), "{login}: {word}");
            assert!(is_gone || status == 404, "{login}: {word}");
        }
    }
    assert_eq!((counts(&world), secrets(&world)), before);
    assert_eq!(fill(&mut olivia, &[("owner", "none")]), 422);
    // Another owner does, as long as they are one.
    world.olivia().put("/orgs/acme/memberships/max", json!({ "role": "admin" })).expect(200);
    let mut max = signed_in(&world, "max");
    assert!(max.visit(ROOM).text.contains("Belongs to <bdi>acme</bdi>"), "{}", max.page.text);
    max.visit(&page(&app));
    max.send(&[("do", "add")]);
    assert!(shown(&max).is_some(), "{}", max.page.text);
    world.olivia().put("/orgs/acme/memberships/max", json!({ "role": "member" })).expect(200);
    assert_eq!(max.visit(&page(&app)).status, 404);
}

#[test]
fn decision_62_one_secret_replaces_the_other_on_the_page() {
    let world = world();
    let (mut nina, mut tom) = (signed_in(&world, "nina"), signed_in(&world, "tom"));
    let first = registered(&mut nina, &[]);
    nina.visit(&page(&first));
    let code = nina.code();
    let only = secrets(&world).remove(0);
    assert_eq!(nina.send_to(&page(&first), &code, &[("do", "remove"), ("secret", &only)]).status, 422);
    assert!(nina.page.text.contains("This is its only secret."), "{}", nina.page.text);
    assert_eq!(nina.send_to(&page(&first), &code, &[("do", "add")]).status, 200);
    let second = Application { secret: shown(&nina).expect("a secret"), ..first.clone() };
    assert!(works(&world, &mut tom, &first) && works(&world, &mut tom, &second));
    // There is no third one, and no one else's is removed.
    nina.visit(&page(&first));
    let code = nina.code();
    assert_eq!(nina.send_to(&page(&first), &code, &[("do", "add")]).status, 422);
    assert!(nina.page.text.contains("It has two secrets."), "{}", nina.page.text);
    let other = registered(&mut nina, &[("name", "Other")]);
    let of_other = secrets(&world).pop().expect("a secret");
    for wrong in [of_other.as_str(), "0", "x"] {
        assert_eq!(nina.visit(&format!("{}?secret={wrong}", page(&first))).status, 404, "{wrong}");
        nina.send_to(&page(&first), &code, &[("do", "remove"), ("secret", wrong)]);
        assert_eq!(nina.path, format!("{ROOM}?done=gone"), "{wrong}");
    }
    nina.visit(&format!("{}?secret={only}", page(&first)));
    assert!(nina.page.text.contains("Remove the older secret of Rota?"), "{}", nina.page.text);
    nina.send(&[("do", "remove"), ("secret", &only)]);
    assert!(nina.page.text.contains("Secret removed.") && nina.page.text.contains("Only secret"));
    assert!(!works(&world, &mut tom, &first) && works(&world, &mut tom, &second) && works(&world, &mut tom, &other));
    let log = world.sam().get("/admin/audit-log?phrase=action:oauth_application.update").json;
    assert_eq!((&log[0]["before"]["secrets"], &log[0]["after"]["secrets"]), (&json!(2), &json!(1)), "{log}");
}

#[test]
fn decision_62_what_is_wrong_with_an_application_is_told_beside_the_field() {
    let world = world();
    let mut nina = signed_in(&world, "nina");
    let many: Vec<String> = (0..21).map(|n| format!("https://app.example/{n}")).collect();
    for (field, value) in [
        ("name", ""),
        ("name", "a\u{202e}b"),
        ("name", "Guildhall"),
        ("name", "\u{ff27}uild  hall"),
        ("name", "GuiIdha1l"),
        ("name", "github-CLI"),
        ("name", "GitHub \u{421}LI"),
        ("redirect_uris", ""),
        ("redirect_uris", "http://app.example/callback"),
        ("redirect_uris", "https://app.example/callback\nhttps://user@app.example/"),
        ("redirect_uris", "https://*.example/"),
        ("redirect_uris", "javascript:alert(1)"),
        ("redirect_uris", &many.join("\n")),
    ] {
        assert_eq!(fill(&mut nina, &[(field, value)]), 422, "{value}");
        let text = &nina.page.text;
        assert!(
            text.contains(&format!("<a href=\"#{field}\">")) && text.contains("Error: Register"),
            "{value}: {text}"
        );
        assert!(text.contains(&format!("id=\"{field}-error\"")) && text.contains("value=\"secret\" checked"), "{text}");
    }
    assert_eq!(counts(&world), (0, 0));
    // What was typed is still there.
    let typed =
        [("name", "Guildhall"), ("redirect_uris", "https://a.example/<b>"), ("kind", "public"), ("device_flow", "on")];
    fill(&mut nina, &typed);
    for wanted in [
        "value=\"Guildhall\"",
        "https://a.example/&#60;b&#62;",
        "value=\"public\" checked",
        "name=\"device_flow\" checked",
    ] {
        assert!(nina.page.text.contains(wanted), "{wanted} in {}", nina.page.text);
    }
    // An application that signs in devices needs no redirect URI.
    let app = registered(&mut nina, &[("redirect_uris", ""), ("device_flow", "on")]);
    nina.visit(&page(&app));
    let code = nina.code();
    let version = hidden(&nina, "version");
    let change = [("do", "change"), ("version", version.as_str()), ("name", "Rota"), ("redirect_uris", "")];
    assert_eq!(nina.send_to(&page(&app), &code, &change).status, 422);
    assert!(nina.page.text.contains("unless it may sign in devices"), "{}", nina.page.text);
}

#[test]
fn decision_62_a_change_of_an_application_counts_at_once() {
    let world = world();
    let (mut nina, mut tom) = (signed_in(&world, "nina"), signed_in(&world, "tom"));
    let app = registered(&mut nina, &[]);
    app.allowed(&mut tom, &[]);
    let other = "https://app.example/other";
    nina.visit(&page(&app));
    let code = nina.code();
    let both = format!("{CALLBACK}\n{other}");
    let change = [("do", "change"), ("name", "Rota 2"), ("redirect_uris", both.as_str()), ("effective_teams", "on")];
    let send = |nina: &mut Browser, change: &[(&str, &str)]| {
        let version = hidden(nina, "version");
        nina.send_to(&page(&app), &code, &[change, &[("version", version.as_str())]].concat()).status
    };
    let old = hidden(&nina, "version");
    assert_eq!(send(&mut nina, &change), 200);
    let text = &nina.page.text;
    assert!(
        text.contains("Saved.") && text.contains("name=\"effective_teams\" checked") && text.contains(other),
        "{text}"
    );
    tom.visit(&app.asks(&[("redirect_uri", other)]));
    assert_eq!(tom.page.status, 200, "a widened application asks again");
    assert!(tom.page.text.contains("Rota 2") && tom.page.text.contains("See the teams above yours"));
    let refused = [("do", "change"), ("name", "Git-Hub CLI"), ("redirect_uris", "https://evil.example/")];
    assert_eq!(send(&mut nina, &refused), 422);
    assert!(nina.page.text.contains("value=\"Git-Hub CLI\""), "{}", nina.page.text);
    // A form that showed an earlier version comes back with what was typed.
    for version in [old.as_str(), "", "x"] {
        let stale = [("do", "change"), ("version", version), ("name", "Old name"), ("redirect_uris", CALLBACK)];
        assert_eq!(nina.send_to(&page(&app), &code, &stale).status, 422, "{version}");
        let text = &nina.page.text;
        assert!(
            text.contains("was changed after you opened this page") && text.contains("value=\"Old name\""),
            "{text}"
        );
    }
    assert_eq!(send(&mut nina, &[("do", "change"), ("name", "Rota 2"), ("redirect_uris", CALLBACK)]), 200);
    assert_eq!(tom.visit(&app.asks(&[("redirect_uri", other)])).status, 400);
    assert_eq!(nina.send_to(&page(&app), &code, &[("do", "x")]).status, 404);
}

#[test]
fn decision_62_an_application_that_is_deleted_takes_consents_and_tokens_along() {
    let world = world();
    let (mut nina, mut tom) = (signed_in(&world, "nina"), signed_in(&world, "tom"));
    let app = registered(&mut nina, &[]);
    let kept = Application::of(&world);
    let [token, other] = [&app, &kept].map(|app| app.token(&world, &mut tom, "repo"));
    let ask = format!("{}?delete=it", page(&app));
    assert!(nina.visit(&page(&app)).text.contains(&ask), "{}", nina.page.text);
    nina.visit(&ask);
    assert!(nina.page.text.contains("Delete Rota?") && nina.page.text.contains("One person has allowed it"));
    Client::new(&world.base, Some(&token)).get("/user").expect(200);
    nina.send(&[("do", "delete")]);
    assert!(nina.path.starts_with(ROOM) && nina.page.text.contains("Application deleted."), "{}", nina.page.text);
    Client::new(&world.base, Some(&token)).get("/user").refused(401, "Bad credentials");
    Client::new(&world.base, Some(&other)).get("/user").expect(200);
    assert_eq!((nina.visit(&page(&app)).status, tom.visit(&app.asks(&[])).status), (404, 404));
    assert_eq!(world.rows::<(i64,)>("SELECT count(*) FROM consents"), [(1,)]);
    let log = world.sam().get("/admin/audit-log?phrase=action:oauth_application.destroy").json;
    assert_eq!((&log[0]["actor"], &log[0]["before"]["client_id"]), (&json!("nina"), &json!(app.id)), "{log}");
}
