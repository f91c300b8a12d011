//! The webhooks of the site, in the rooms of its administrators (decisions 44 and 68).

use guildhall::error::Error;

use super::mail_invitations::world;
use super::pages_admin_deliveries::administrator;
use super::pages_organization::sound;
use super::pages_team::{hidden, send, shows};
use super::sign_in::signed_in;
use super::sign_in_recent::call;
use crate::support::browser::Browser;
use crate::support::receiver::Receiver;
use crate::support::{Value, World, json, waiting};

const HOOKS: &str = "/ui/admin/hooks";

/// The webhooks of the site.
fn stored(world: &World) -> Vec<Value> {
    world.sam().get("/admin/hooks").expect(200).as_array().expect("a list").clone()
}

#[test]
fn decision_68_a_site_administrator_adds_a_webhook_of_the_site_on_its_page() {
    let world = world();
    let mut max = administrator(&world);
    max.visit(HOOKS);
    sound(&max.page.text);
    shows(&max, &["No webhook yet", "aria-current=\"page\">Webhooks</a>", "to accounts and organizations"], &[]);
    max.visit(&format!("{HOOKS}/new"));
    sound(&max.page.text);
    // The events that one of the site gets, all of them chosen.
    let of = |event: &str| format!("name=\"event\" value=\"{event}\" checked");
    shows(&max, &[&of("user"), &of("organization")], &["value=\"team\"", "value=\"all\""]);
    let fields = [("url", "http://127.0.0.1:9/"), ("format", "json"), ("secret", "hush <hush>"), ("what", "some")];
    for (events, status) in [(&[][..], 422), (&["team"], 422), (&["user", "organization"], 200)] {
        let fields: Vec<_> = fields.into_iter().chain(events.iter().map(|event| ("event", *event))).collect();
        assert_eq!(send(&mut max, &format!("{HOOKS}/new"), &fields), status, "{events:?}");
        assert_eq!(stored(&world).len(), usize::from(status == 200));
    }
    shows(&max, &["The webhook is added", "Accounts, Organizations, as JSON", "Deliveries are signed"], &["hush"]);
    sound(&max.page.text);
    let room = max.path.split('?').next().expect("a path").to_owned();
    let edit = format!("{room}/edit");
    max.visit(&edit);
    sound(&max.page.text);
    let events = max.page.text.rsplit("name=\"version\" value=\"").next().and_then(|rest| rest.split('"').next());
    let events = events.expect("a version").to_owned();
    let fields = [("do", "events"), ("version", events.as_str()), ("what", "some"), ("event", "user")];
    assert_eq!(send(&mut max, &edit, &fields), 200);
    shows(&max, &["Saved.", "Accounts, as JSON"], &[]);
    // A new address keeps the secret and the rest.
    max.visit(&edit);
    let version = hidden(&max, "version");
    let fields =
        [("do", "receiver"), ("version", version.as_str()), ("url", "http://127.0.0.1:9/x"), ("format", "json")];
    assert_eq!(send(&mut max, &edit, &fields), 200);
    let config = stored(&world)[0]["config"].clone();
    assert_eq!((&config["url"], &config["secret"]), (&json!("http://127.0.0.1:9/x"), &json!("********")));
    for (word, active) in [("off", false), ("on", true)] {
        assert_eq!(send(&mut max, &room, &[("do", word)]), 200);
        assert_eq!(stored(&world)[0]["active"], active);
    }
    max.visit(&format!("{room}/delete"));
    sound(&max.page.text);
    assert_eq!(max.send(&[]).status, 200);
    assert_eq!((max.path.as_str(), stored(&world).len()), ("/ui/admin/hooks?done=deleted", 0));
}

#[test]
fn decision_68_the_room_of_a_webhook_of_the_site_has_its_deliveries() {
    let (world, receiver) = (world(), Receiver::accepting());
    let config = json!({ "url": receiver.url, "content_type": "json" });
    let made = world.sam().post("/admin/hooks", json!({ "name": "web", "config": config })).expect(201).clone();
    let room = format!("{HOOKS}/{}", made["id"]);
    // E-mails are sent meanwhile.
    let pings = "SELECT a.id FROM delivery_attempts a JOIN delivery_events e ON e.id = a.event_id
                 WHERE e.event = 'ping' ORDER BY a.id";
    let attempts = || world.rows::<(i64,)>(pings);
    let mut max = administrator(&world);
    let arrived = |max: &mut Browser, count: usize| {
        let waits = || world.rows::<(i64,)>("SELECT id FROM deliveries WHERE kind = 'hook' AND state = 'waiting'");
        waiting::until("pings", || max.visit(&room).text.matches(">ping</a>").count() == count && waits().is_empty());
    };
    arrived(&mut max, 1);
    max.visit(HOOKS);
    shows(&max, &["<span class=\"state good\">Working</span>"], &[]);
    max.visit(&room);
    sound(&max.page.text);
    shows(&max, &[">ping</a>", "<span class=\"state good\">200 after "], &[]);
    let delivery = format!("{room}/deliveries/{}", attempts()[0].0);
    max.visit(&delivery);
    sound(&max.page.text);
    shows(&max, &["X-GitHub-Event: ping"], &[]);
    assert_eq!(max.send(&[]).status, 200);
    shows(&max, &["It is sent again."], &[]);
    arrived(&mut max, 2);
    assert_eq!(send(&mut max, &room, &[("do", "replay"), ("period", "hour")]), 200);
    shows(&max, &["Everything since then is sent again"], &[]);
    arrived(&mut max, 3);
    let log = world.sam().get("/admin/audit-log?phrase=action:hook").expect(200).clone();
    assert_eq!((&log[0]["action"], &log[1]["action"]), (&json!("hook.replay"), &json!("hook.redeliver")));
    // For everyone else none of it is there, and owners of organizations find only their own.
    let mut olivia = signed_in(&world, "olivia");
    let hook = made["id"].to_string();
    for path in [HOOKS, &room, &delivery, "/ui/admin/hooks/new", &format!("/ui/orgs/acme/hooks/{hook}")] {
        assert_eq!(olivia.visit(path).status, 404, "{path}");
    }
    let at = [("hook_id", hook.as_str()), ("delivery_id", "1")];
    for (operation, path) in [
        ("administration.hookDeliveries", &at[..1]),
        ("administration.hookDelivery", &at),
        ("administration.redeliverHook", &at),
        ("administration.replay", &at[..1]),
        ("administration.replayHook", &at[..1]),
        ("administration.configureHook", &at[..1]),
    ] {
        let body = json!({ "since": "2026-01-01T00:00:00Z", "since_delivery": 1 });
        let refused = call(&world, &olivia, operation, path, &body);
        assert!(matches!(refused, Err(Error::NotFound)), "{operation}: {refused:?}");
        // One of an organization is not found among those of the site.
        let own = json!({ "name": "web", "config": { "url": format!("{}{operation}", receiver.url) } });
        let id = world.olivia().post("/orgs/acme/hooks", own).expect(201)["id"].to_string();
        let path: Vec<_> =
            path.iter().map(|(name, value)| (*name, if *name == "hook_id" { id.as_str() } else { value })).collect();
        let absent = call(&world, &max, operation, &path, &body);
        assert!(matches!(absent, Err(Error::NotFound)), "{operation}: {absent:?}");
    }
    arrived(&mut max, 3);
}

#[test]
fn decision_44_what_fails_leads_to_its_room_or_to_its_deliveries() {
    let world = world();
    let hook = |path: &str, port: i64| {
        let config = json!({ "url": format!("http://127.0.0.1:{port}/"), "content_type": "json" });
        let client = if path == "/admin/hooks" { world.sam() } else { world.olivia() };
        client.post(path, json!({ "name": "web", "config": config })).expect(201)["id"].to_string()
    };
    let (of_org, of_site) = (hook("/orgs/acme/hooks", 9), hook("/admin/hooks", 7));
    let failing = || world.rows::<(i64,)>("SELECT id FROM hooks WHERE failing_since IS NOT NULL").len();
    waiting::until("failures", || failing() == 2);
    let mut max = administrator(&world);
    max.visit("/ui/admin");
    let deliveries = format!("/ui/admin/deliveries?state=waiting&#38;hook={of_org}");
    shows(&max, &[&deliveries, &format!("href=\"/ui/admin/hooks/{of_site}\"")], &["/ui/orgs/acme/hooks"]);
    max.visit(&deliveries.replace("&#38;", "&"));
    sound(&max.page.text);
    shows(&max, &[&format!("to webhook {of_org}"), "http://127.0.0.1:9/"], &["http://127.0.0.1:7/"]);
    // All of one webhook are tried again, and none of others.
    world.execute("UPDATE deliveries SET state = 'dead', finished_at = created_at WHERE kind = 'hook'");
    assert_eq!(max.visit(&format!("/ui/admin/deliveries?hook={of_site}")).status, 200);
    shows(&max, &["http://127.0.0.1:7/"], &["http://127.0.0.1:9/"]);
    assert_eq!(max.send(&[("do", "all"), ("hook", &of_site)]).status, 200);
    shows(&max, &["1 delivery is tried again."], &[]);
    for odd in ["0", "-1", "x", "%3Cx%3E", "99999999999999999999"] {
        assert_eq!(max.visit(&format!("/ui/admin/deliveries?hook={odd}")).status, 200);
        shows(&max, &["http://127.0.0.1:9/"], &["<x>", "to webhook"]);
    }
    // An owner is led to the room.
    world.sam().put("/users/olivia/site_admin", json!({})).expect(204);
    let mut olivia = signed_in(&world, "olivia");
    olivia.visit("/ui/admin");
    shows(
        &olivia,
        &[&format!("href=\"/ui/orgs/acme/hooks/{of_org}\"")],
        &["/ui/admin/deliveries?state=waiting&#38;hook"],
    );
}
