//! The events that are sent to webhooks (decision 44): which of them follow from which change, in which order, to which
//! webhooks.

use guildhall::clock::Time;
use guildhall::hooks::plan::{self, Rendering, Wanted};
use guildhall::journal::{Event, EventEntry, Facts};
use guildhall::links::Links;

use crate::support::{Client, Value, World, json};

const HOOKS: &str = "/orgs/acme/hooks";

/// The beginning of URLs in payloads.
pub const ORIGIN: &str = "https://teams.example.com";

/// A new hook of acme for these events; its identifier.
pub fn hook(client: &Client, events: &[&str]) -> i64 {
    let config = json!({ "url": format!("https://ci.example.com/{}", events.join("/")) });
    let made = client.post(HOOKS, json!({ "name": "web", "config": config, "events": events }));
    made.expect(201)["id"].as_i64().expect("an identifier")
}

/// The events that webhooks receive of a journal after this entry, with a number of events looked at in one step.
pub fn in_steps(world: &World, org: i64, after: i64, limit: i64) -> Vec<Wanted> {
    steps_of(world, (org, world.rows(if org == 0 { SITE } else { ACME })), after, limit)
}

/// The same of these entries of a journal.
pub fn steps_of(world: &World, (org, entries): (i64, Vec<EventEntry>), after: i64, limit: i64) -> Vec<Wanted> {
    let links = Links { origin: ORIGIN.into(), api: ORIGIN.into() };
    let mut wanted = Vec::new();
    for entry in entries.into_iter().filter(|entry| entry.number > after) {
        let mut next = Some(0);
        while let Some(from) = next {
            let (links, entry) = (links.clone(), entry.clone());
            let read = world.db.read(move |tx| {
                plan::plan(tx, &Rendering { links: links.clone(), guessed: false }, org, &entry, from, limit)
            });
            let planned = world.block_on(read).expect("a plan");
            assert!(planned.events.len() <= usize::try_from(limit).expect("a number"));
            wanted.extend(planned.events);
            next = planned.next;
        }
    }
    wanted
}

const ACME: &str = "
    SELECT j.entry, j.at, j.actor_id, j.actor_login, f.event, f.facts, j.request_id
    FROM journal j JOIN journal_facts f ON f.org_id = j.org_id AND f.entry = j.entry
    WHERE j.org_id = (SELECT id FROM orgs WHERE login = 'acme' OR login = 'apex') ORDER BY j.entry";

const SITE: &str = "
    SELECT j.entry, j.at, j.actor_id, j.actor_login, f.event, f.facts, j.request_id
    FROM journal j JOIN journal_facts f ON f.org_id = j.org_id AND f.entry = j.entry
    WHERE j.org_id = 0 ORDER BY j.entry";

/// The newest entry of acme's journal.
pub fn newest(world: &World) -> i64 {
    let rows: Vec<(i64,)> =
        world.rows("SELECT entry FROM journal_heads WHERE org_id = (SELECT id FROM orgs WHERE login = 'acme')");
    rows[0].0
}

/// The events that webhooks of acme receive because of the changes that this makes, with their payloads.
pub fn told(world: &World, change: impl FnOnce()) -> Vec<(String, Value)> {
    let before = newest(world);
    change();
    let org = acme(world);
    let events = in_steps(world, org, before, 500);
    events.into_iter().map(|event| (name(&event), serde_json::from_str(&event.payload).expect("JSON"))).collect()
}

pub fn acme(world: &World) -> i64 {
    world.olivia().get("/orgs/acme").expect(200)["id"].as_i64().expect("an identifier")
}

fn name(event: &Wanted) -> String {
    event.action.as_ref().map_or_else(|| event.event.clone(), |action| format!("{}/{action}", event.event))
}

fn names(told: &[(String, Value)]) -> Vec<&str> {
    told.iter().map(|(name, _)| name.as_str()).collect()
}

fn repository(world: &World, name: &str) {
    world.olivia().post("/orgs/acme/repos", json!({ "name": name })).expect(201);
}

#[test]
fn decision_44_a_new_team_is_told_before_its_members_and_its_repositories() {
    let world = World::new();
    let olivia = world.olivia();
    hook(&olivia, &["*"]);
    repository(&world, "engine");
    let team = json!({ "name": "New", "maintainers": ["max"], "repo_names": ["acme/engine"] });
    let told = told(&world, || {
        olivia.post("/orgs/acme/teams", team).expect(201);
    });
    let expected = ["team/created", "membership/added", "membership/added", "team/added_to_repository", "team_add"];
    assert_eq!(names(&told), expected);
    assert_eq!(told[0].1["sender"]["login"], "olivia");
    assert_eq!(told[3].1["repository"]["full_name"], "acme/engine");
    assert_eq!(told[4].1["action"], Value::Null, "team_add has none");
}

#[test]
fn decision_44_an_edited_team_is_told_with_what_was_changed() {
    let world = World::new();
    let olivia = world.olivia();
    hook(&olivia, &["team"]);
    let edit = |change: Value| {
        let told = told(&world, || {
            olivia.patch("/orgs/acme/teams/core", change).expect(200);
        });
        told.into_iter().map(|(name, payload)| (name, payload["changes"].clone())).collect::<Vec<_>>()
    };
    let edited = |changes: Value| vec![("team/edited".to_owned(), changes)];
    assert_eq!(
        edit(json!({ "name": "Core", "description": "All." })),
        edited(json!({ "description": { "from": "" } }))
    );
    let both = edit(json!({ "name": "core", "description": "Most.", "privacy": "secret" }));
    let from =
        json!({ "name": { "from": "Core" }, "description": { "from": "All." }, "privacy": { "from": "closed" } });
    assert_eq!(both, edited(from));
    assert_eq!(edit(json!({ "name": "core" })), [], "nothing has changed");
    assert_eq!(edit(json!({ "name": "core", "permission": "push" })), edited(json!({})));
}

#[test]
fn decision_44_a_deleted_tree_is_told_from_the_deepest_team_up() {
    let world = World::new();
    let olivia = world.olivia();
    repository(&world, "engine");
    let core = olivia.get("/orgs/acme/teams/core").expect(200)["id"].clone();
    olivia.post("/orgs/acme/teams", json!({ "name": "Below", "parent_team_id": core })).expect(201);
    olivia.put("/orgs/acme/teams/below/repos/acme/engine", json!({ "permission": "push" })).expect(204);
    hook(&olivia, &["*"]);
    let before = newest(&world);
    let deleted = told(&world, || {
        olivia.delete("/orgs/acme/teams/core").expect(204);
    });
    let expected = [
        "membership/removed",
        "team/removed_from_repository",
        "team/deleted",
        "membership/removed",
        "membership/removed",
        "team/deleted",
    ];
    assert_eq!(names(&deleted), expected);
    let gone = &deleted[3].1["team"];
    assert_eq!(gone, &json!({ "id": core, "name": "Core", "deleted": true }));
    assert_eq!(deleted[1].1["repository"]["permissions"], permissions(&[]));
    assert_eq!(deleted[2].1["team"]["parent"]["slug"], "core", "its parent is shown as it was");
    assert_eq!(deleted[5].1["team"]["parent"], Value::Null);
    // However small the steps are, the events are the same.
    let org = acme(&world);
    let whole = in_steps(&world, org, before, 500);
    for limit in [1, 2] {
        assert_eq!(in_steps(&world, org, before, limit), whole);
    }
    let parts: Vec<i64> = whole.iter().map(|event| event.part).collect();
    assert_eq!(parts, [0, 1, 2, 0, 1, 2]);
    let keys: Vec<i64> = whole.iter().map(|event| event.order_key).collect();
    assert!(keys[..3].iter().all(|key| *key == keys[0]) && keys[3..].iter().all(|key| json!(key) == core));
}

fn permissions(held: &[&str]) -> Value {
    let each =
        ["pull", "triage", "push", "maintain", "admin"].map(|name| (name.to_owned(), held.contains(&name).into()));
    Value::Object(each.into_iter().collect())
}

#[test]
fn decision_44_memberships_are_told_when_they_begin_and_end() {
    let world = World::new();
    let olivia = world.olivia();
    hook(&olivia, &["membership", "organization"]);
    let eve = "/orgs/acme/teams/core/memberships/eve";
    let added = told(&world, || {
        olivia.put(eve, json!({})).expect(200);
    });
    assert_eq!(names(&added), ["membership/added"]);
    let payload = &added[0].1;
    assert_eq!((&payload["scope"], &payload["member"]["login"]), (&json!("team"), &json!("eve")));
    assert_eq!(payload["team"]["slug"], "core");
    let changed = told(&world, || {
        olivia.put(eve, json!({ "role": "maintainer" })).expect(200);
    });
    assert_eq!(names(&changed), Vec::<&str>::new(), "a change of the role has no event");
    let removed = told(&world, || {
        olivia.delete(eve).expect(204);
    });
    assert_eq!(names(&removed), ["membership/removed"]);
    assert_eq!(removed[0].1["team"]["slug"], "core");
    let left = told(&world, || {
        olivia.delete("/orgs/acme/members/tom").expect(204);
    });
    assert_eq!(names(&left), ["membership/removed", "organization/member_removed"]);
    assert_eq!(left[1].1["membership"]["role"], "member");
}

#[test]
fn decision_44_an_invitation_is_told_and_then_what_it_brings() {
    let world = World::new();
    let olivia = world.olivia();
    hook(&olivia, &["*"]);
    let invited = told(&world, || {
        olivia.put("/orgs/acme/teams/core/memberships/nina", json!({})).expect(200);
    });
    assert_eq!(names(&invited), ["organization/member_invited"]);
    let payload = &invited[0].1;
    assert_eq!((&payload["user"]["login"], &payload["invitation"]["login"]), (&json!("nina"), &json!("nina")));
    assert_eq!(payload["invitation"]["team_count"], 1);
    let accept = json!({ "state": "active" });
    let accepted = told(&world, || {
        world.nina().patch("/user/memberships/orgs/acme", accept).expect(200);
    });
    assert_eq!(names(&accepted), ["organization/member_added", "membership/added"]);
    let membership = &accepted[0].1["membership"];
    assert_eq!((&membership["state"], &membership["role"]), (&json!("active"), &json!("member")));
    assert_eq!(membership["url"], format!("{ORIGIN}/orgs/acme/memberships/nina"));
    assert_eq!(accepted[1].1["sender"]["login"], "nina");
    let by_address = json!({ "email": "quinn@example.com" });
    let invited = told(&world, || {
        olivia.post("/orgs/acme/invitations", by_address).expect(201);
    });
    let payload = &invited[0].1;
    assert_eq!(payload["invitation"]["email"], "quinn@example.com");
    assert_eq!((&payload["invitation"]["login"], &payload["user"]), (&Value::Null, &Value::Null));
    assert!(payload.get("user").is_none(), "there is no account");
}

#[test]
fn decision_44_grants_are_told_with_the_repository_as_it_was() {
    let world = World::new();
    let olivia = world.olivia();
    repository(&world, "engine");
    hook(&olivia, &["team", "team_add"]);
    let path = "/orgs/acme/teams/core/repos/acme/engine";
    let before = newest(&world);
    olivia.put(path, json!({ "permission": "triage" })).expect(204);
    olivia.put(path, json!({ "permission": "admin" })).expect(204);
    olivia.put(path, json!({ "permission": "admin" })).expect(204);
    olivia.delete(path).expect(204);
    olivia.delete("/repos/acme/engine").expect(204);
    let all = in_steps(&world, acme(&world), before, 500);
    let told: Vec<(String, Value)> =
        all.iter().map(|event| (name(event), serde_json::from_str(&event.payload).expect("JSON"))).collect();
    let expected = ["team/added_to_repository", "team_add", "team/edited", "team/removed_from_repository"];
    assert_eq!(names(&told), expected, "what has not changed is not told");
    let levels = |n: usize| told[n].1["repository"]["permissions"].clone();
    assert_eq!(levels(0), permissions(&["pull", "triage"]));
    assert_eq!(levels(2), permissions(&["pull", "triage", "push", "maintain", "admin"]));
    assert_eq!(levels(3), permissions(&[]));
    let from = json!({ "repository": { "permissions": { "from": { "admin": false, "pull": true, "push": false } } } });
    assert_eq!(told[2].1["changes"], from);
    assert!(told.iter().all(|(_, payload)| payload["repository"]["name"] == "engine"), "the repository is gone");
}

#[test]
fn decision_44_a_hook_is_told_of_what_it_asks_for_and_of_nothing_before_it() {
    let world = World::new();
    let olivia = world.olivia();
    olivia.put("/orgs/acme/teams/core/memberships/eve", json!({})).expect(200);
    let team = hook(&olivia, &["team"]);
    let all = hook(&olivia, &["*"]);
    let off = hook(&olivia, &["membership"]);
    olivia.patch(&format!("{HOOKS}/{off}"), json!({ "active": false })).expect(200);
    olivia.delete("/orgs/acme/teams/core").expect(204);
    let wanted = in_steps(&world, acme(&world), 0, 500);
    let hooks: Vec<(String, Vec<i64>)> = wanted.iter().map(|event| (name(event), event.to.clone())).collect();
    let member = || ("membership/removed".to_owned(), vec![all]);
    let expected = vec![
        ("ping".to_owned(), vec![team]),
        ("ping".to_owned(), vec![all]),
        ("ping".to_owned(), vec![off]),
        member(),
        member(),
        member(),
        ("team/deleted".to_owned(), vec![team, all]),
    ];
    assert_eq!(hooks, expected);
}

#[test]
fn decision_45_events_of_other_releases_are_read_or_skipped() {
    let read = |facts: Value| {
        let (event, request_id) = (String::new(), String::new());
        let (actor_id, actor_login) = (None, None);
        let entry =
            EventEntry { number: 1, at: Time(0), actor_id, actor_login, event, facts: facts.to_string(), request_id };
        entry.read(1)
    };
    let invitation = json!({ "id": 7, "role": "direct_member", "created_at": "2026-01-01T00:00:00Z", "team_count": 0 });
    let invited = json!({ "event": "person_invited", "invitation": invitation, "mail": true, "by_site_admin": true });
    let Some(Facts { event: Event::PersonInvited { generation, mail, .. }, by_site_admin }) = read(invited) else {
        panic!("an invitation without a generation is read")
    };
    assert_eq!((generation, mail, by_site_admin), (1, true, true));
    let team = json!({ "id": 1, "name": "Core", "slug": "core", "privacy": "closed", "permission": "pull",
                       "notification_setting": "notifications_enabled" });
    let discussion = json!({ "team": team, "id": 2, "number": 3, "private": false });
    let Some(Facts { event: Event::DiscussionEdited { mentions, .. }, by_site_admin }) =
        read(json!({ "event": "discussion_edited", "discussion": discussion, "follows": [0, 4] }))
    else {
        panic!("a discussion without mentions is read")
    };
    assert!(mentions.is_empty() && !by_site_admin);
    let newer = read(json!({ "event": "team_frozen", "team": team, "follows": [0, 4] }));
    assert!(matches!(newer, Some(Facts { event: Event::Unknown, .. })), "{newer:?}");
    assert!(read(json!({ "event": "team_created" })).is_none());
}
