//! The rooms of an organization's webhooks: adding, changing and deleting one (decisions 44, 53 and 68).

use super::mail_invitations::world;
use super::pages_organization::{send, sound};
use super::pages_team::{hidden, section, shows};
use super::sign_in::signed_in;
use crate::support::browser::Browser;
use crate::support::{Value, World, json};

pub const HOOKS: &str = "/ui/orgs/acme/hooks";

/// Port 9 answers nothing.
const URL: &str = "http://127.0.0.1:9/events?key=1";

/// The values of the form of a new webhook.
const NEW: [(&str, &str); 4] = [("url", URL), ("format", "json"), ("secret", "hush <hush>"), ("what", "all")];

fn with<'a>(fields: &[(&'a str, &'a str)], name: &'a str, value: &'a str) -> Vec<(&'a str, &'a str)> {
    let others = fields.iter().copied().filter(|(other, _)| *other != name);
    others.chain([(name, value)]).collect()
}

/// The webhooks of acme.
fn stored(world: &World) -> Vec<Value> {
    world.olivia().get("/orgs/acme/hooks").expect(200).as_array().expect("a list").clone()
}

/// Adds a webhook, and returns the path of its room.
fn added(world: &World) -> String {
    let config = json!({ "url": URL, "content_type": "json", "secret": "hush hush" });
    let made = world.olivia().post("/orgs/acme/hooks", json!({ "name": "web", "config": config })).expect(201).clone();
    format!("{HOOKS}/{}", made["id"])
}

#[test]
fn decision_44_an_owner_adds_a_webhook_on_its_page() {
    let world = world();
    let mut olivia = signed_in(&world, "olivia");
    olivia.visit(HOOKS);
    sound(&olivia.page.text);
    shows(&olivia, &["No webhook yet", "aria-current=\"page\">Webhooks</a>"], &[]);
    olivia.visit(&format!("{HOOKS}/new"));
    sound(&olivia.page.text);
    // The form offers every event that an operation takes.
    let config = json!({ "url": URL });
    let refused = world.olivia().post("/orgs/acme/hooks", json!({ "name": "web", "config": config, "events": ["x"] }));
    let message = refused.refused(422, "Validation Failed")["errors"][0]["message"].to_string();
    let known: Vec<&str> = message.split('`').skip(3).step_by(2).filter(|name| *name != "*").collect();
    assert!(known.len() > 5, "{message}");
    for event in &known {
        shows(&olivia, &[&format!("name=\"event\" value=\"{event}\"")], &[]);
    }
    assert_eq!(olivia.page.text.matches("name=\"event\"").count(), known.len());
    assert_eq!(olivia.send(&NEW).status, 200);
    shows(&olivia, &["The webhook is added", "127.0.0.1:9", "Deliveries are signed", "Everything, as JSON"], &["hush"]);
    assert_eq!(olivia.send_to(&format!("{HOOKS}/new"), "wrong", &NEW).status, 403);
    // A second time, it is there already. What was typed comes back.
    assert_eq!(send(&mut olivia, &format!("{HOOKS}/new"), &NEW), 422);
    shows(
        &olivia,
        &["<a href=\"#url\">Another webhook sends to this address already.</a>", "value=\"hush &#60;hush&#62;\""],
        &["<hush>"],
    );
    let some = [&with(&NEW, "what", "some")[..], &[("event", "team"), ("event", "member")]].concat();
    let some = with(&with(&some, "url", "http://user:pass@127.0.0.1:9/x"), "secret", "");
    assert_eq!(send(&mut olivia, &format!("{HOOKS}/new"), &some), 200);
    shows(&olivia, &["Teams, People on repositories", "None: deliveries are not signed"], &["pass"]);
    let all = stored(&world);
    assert_eq!((&all[0]["events"], &all[0]["config"]["secret"]), (&json!(["*"]), &json!("********")));
    assert_eq!((&all[1]["events"], &all[1]["config"]["secret"]), (&json!(["team", "member"]), &Value::Null));
    olivia.visit(HOOKS);
    sound(&olivia.page.text);
    shows(&olivia, &["<bdi>http://127.0.0.1:9/x</bdi>", "Webhooks <span class=\"meta\">2</span>"], &["pass", "hush"]);
}

#[test]
fn decision_53_the_form_of_a_webhook_says_what_is_wrong_and_keeps_what_was_typed() {
    let world = world();
    let mut olivia = signed_in(&world, "olivia");
    let long = "x".repeat(1_025);
    for (name, value, text) in [
        ("url", " ", "Enter an address, such as"),
        ("url", "banana", "Enter a whole address"),
        ("url", "javascript:alert(1)", "Enter a whole address"),
        ("url", "\"><x>", "Enter a whole address"),
        ("url", "https://", "Enter a whole address"),
        ("url", "https://a.example/<x>", "An address cannot have “&#60;”. In its path, write %3C instead."),
        ("url", "https://a.example/\u{e9}", "An address cannot have “\u{e9}”. In its path, write %C3%A9 instead."),
        ("url", "https://a.example/a b", "An address has no spaces."),
        ("url", &format!("https://a.example/{}", "x".repeat(2_048)), "This address is too long."),
        ("format", "xml", "Choose a format."),
        ("format", "", "Choose a format."),
        ("secret", &long, "Use at most 1024 characters."),
        ("secret", "a\u{7}b", "The secret has characters"),
        ("secret", "********", "cannot be eight asterisks"),
        ("what", "banana", "Choose what is sent."),
        ("what", "some", "Choose at least one event."),
    ] {
        let fields = with(&NEW, name, value);
        assert_eq!(send(&mut olivia, &format!("{HOOKS}/new"), &fields), 422, "{name} {value}");
        sound(&olivia.page.text);
        shows(&olivia, &[text, "<title>Error: "], &["<x>"]);
    }
    for event in ["push", "<x>", "user", "*"] {
        let fields = [&with(&NEW, "what", "some")[..], &[("event", event)]].concat();
        assert_eq!(send(&mut olivia, &format!("{HOOKS}/new"), &fields), 422, "{event}");
        shows(&olivia, &["Choose events of this list."], &["<x>"]);
    }
    assert_eq!(send(&mut olivia, &format!("{HOOKS}/new"), &[]), 422);
    shows(&olivia, &["There are 3 problems"], &[]);
    assert_eq!(stored(&world).len(), 0);
}

#[test]
fn decision_68_changing_a_webhook_keeps_what_the_form_does_not_have() {
    let world = world();
    let room = added(&world);
    let record = format!("/orgs/acme/hooks/{}", room.rsplit('/').next().expect("an ID"));
    let edit = format!("{room}/edit");
    let mut olivia = signed_in(&world, "olivia");
    olivia.visit(&edit);
    sound(&olivia.page.text);
    shows(&olivia, &["value=\"http://127.0.0.1:9/events?key=1\"", "Remove the secret"], &["hush", "****"]);
    let version = |browser: &Browser, id: &str| {
        section(browser, id)
            .split("name=\"version\" value=\"")
            .nth(1)
            .and_then(|rest| rest.split('"').next())
            .map(str::to_owned)
    };
    let (receiver, events) = (version(&olivia, "where").expect("one"), version(&olivia, "sent").expect("one"));
    let typed = [("do", "receiver"), ("url", URL), ("format", "form"), ("secret", "")];
    assert_eq!(olivia.send(&[&typed[..], &[("version", &receiver)]].concat()).status, 200);
    assert_eq!(olivia.path, format!("{room}?done=saved"));
    let now = world.olivia().get(&record).expect(200).clone();
    assert_eq!((&now["config"]["content_type"], &now["config"]["secret"]), (&json!("form"), &json!("********")));
    let chosen = [("do", "events"), ("what", "some"), ("event", "team"), ("version", events.as_str())];
    assert_eq!(send(&mut olivia, &edit, &chosen), 200);
    let now = world.olivia().get(&record).expect(200).clone();
    assert_eq!((&now["events"], &now["config"]["secret"]), (&json!(["team"]), &json!("********")));
    // Old forms say what they would replace, and change nothing until they are sent again.
    let before = stored(&world);
    let secret =
        [("do", "receiver"), ("url", URL), ("format", "json"), ("secret", "new"), ("version", receiver.as_str())];
    assert_eq!(send(&mut olivia, &edit, &secret), 422);
    shows(&olivia, &["Saving yours replaces: the format, the secret.", "value=\"new\""], &[]);
    assert_eq!(send(&mut olivia, &edit, &with(&chosen, "what", "all")), 422);
    shows(&olivia, &["Saving yours replaces: the events.", "value=\"all\" checked"], &[]);
    for wrong in [&[("do", "receiver")][..], &[("do", "events")], &with(&secret, "version", "<x>")] {
        assert_eq!(send(&mut olivia, &edit, wrong), 422, "{wrong:?}");
        shows(&olivia, &[], &["<x>"]);
    }
    assert_eq!(send(&mut olivia, &edit, &[("do", "banana")]), 404);
    assert_eq!(stored(&world), before);
    // The same events once more are no other change, and what came back is saved when it is sent again.
    assert_eq!(send(&mut olivia, &edit, &chosen), 200);
    olivia.visit(&edit);
    let receiver = hidden(&olivia, "version");
    let unsigned = [("do", "receiver"), ("url", URL), ("format", "json"), ("unsigned", "on"), ("version", &receiver)];
    assert_eq!(send(&mut olivia, &edit, &with(&unsigned, "secret", "both")), 422);
    shows(&olivia, &["Enter a secret, or choose to have none."], &[]);
    assert_eq!(send(&mut olivia, &edit, &unsigned), 200);
    shows(&olivia, &["None: deliveries are not signed"], &[]);
    assert_eq!(world.olivia().get(&record).expect(200)["config"]["secret"], Value::Null);
}

#[test]
fn decision_44_a_webhook_is_switched_off_and_on_and_deleted() {
    let world = world();
    let room = added(&world);
    let mut olivia = signed_in(&world, "olivia");
    for _ in 0..2 {
        assert_eq!(send(&mut olivia, &room, &[("do", "off")]), 200);
        shows(&olivia, &["The webhook is switched off.", "Switch on", "It is switched off."], &["Send a test"]);
    }
    assert_eq!(stored(&world)[0]["active"], false);
    olivia.visit(HOOKS);
    shows(&olivia, &["<span class=\"state warn\">Switched off</span>"], &[]);
    assert_eq!(send(&mut olivia, &room, &[("do", "on")]), 200);
    shows(&olivia, &["The webhook is switched on.", "Send a test"], &[]);
    assert_eq!(send(&mut olivia, &room, &[("do", "test")]), 200);
    shows(&olivia, &["A test is on its way."], &[]);
    let delete = format!("{room}/delete");
    olivia.visit(&delete);
    sound(&olivia.page.text);
    shows(&olivia, &["Delete the webhook to <bdi>127.0.0.1:9</bdi>?", "Keep it"], &[]);
    assert_eq!(stored(&world).len(), 1, "looking deletes nothing");
    let code = olivia.code();
    assert_eq!(olivia.send(&[]).status, 200);
    shows(&olivia, &["Webhook deleted.", "No webhook yet"], &[]);
    assert_eq!(olivia.send_to(&delete, &code, &[]).status, 200);
    shows(&olivia, &["No webhook yet"], &["<form class=\"buttons\""]);
    assert_eq!(olivia.visit(&room).status, 404);
}

#[test]
fn decision_44_the_rooms_of_webhooks_are_for_owners() {
    let world = world();
    let room = added(&world);
    assert!(Browser::open(&world.base, HOOKS).path.starts_with("/login?return_to="));
    let mut olivia = signed_in(&world, "olivia");
    olivia.visit(&room);
    let code = olivia.code();
    world.organization("globex", "olivia", &[]);
    let before = stored(&world);
    let pages =
        [HOOKS.to_owned(), format!("{HOOKS}/new"), room.clone(), format!("{room}/edit"), format!("{room}/delete")];
    for login in ["max", "eve", "nina"] {
        let mut other = signed_in(&world, login);
        let absent = other.visit("/ui/orgs/nothing/hooks").text.clone();
        let own = other.code();
        for page in &pages {
            let shown = other.visit(page);
            assert_eq!((shown.status, shown.text.len()), (404, absent.len()), "{login} {page}");
            for code in [&code, &own] {
                let page = other.send_to(page, code, &[("do", "off"), ("url", "https://evil.example/")]);
                assert_eq!(page.status, 404, "{login}");
            }
        }
        other.visit("/ui/orgs/acme");
        shows(&other, &[], &["Webhooks", "/hooks"]);
    }
    assert_eq!(stored(&world), before);
    // A webhook has its room in its organization only, and bad identifiers are none.
    for path in [
        room.replace("acme", "globex"),
        format!("{HOOKS}/0"),
        format!("{HOOKS}/-1"),
        format!("{HOOKS}/x"),
        format!("{HOOKS}/99999999999999999999"),
        format!("{HOOKS}/%3Cx%3E/edit"),
        format!("{room}/nothing"),
        format!("{room}/deliveries"),
        format!("{room}/deliveries/99999999"),
        format!("{room}/deliveries/x"),
    ] {
        assert_eq!(olivia.visit(&path).status, 404, "{path}");
    }
    // A form from elsewhere changes nothing.
    for code in ["", "wrong"] {
        assert_eq!(olivia.send_to(&room, code, &[("do", "off")]).status, 403);
        assert_eq!(olivia.send_to(&format!("{room}/delete"), code, &[]).status, 403);
    }
    assert_eq!(stored(&world)[0]["active"], true);
}
