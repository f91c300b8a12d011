//! Names of teams that can be shown, and slugs that tell nothing of teams that cannot be seen (decision 9).

use crate::spec::given;
use crate::support::{Answer, Client, World, json};

const TEAMS: &str = "/orgs/acme/teams";
const CORE: &str = "/orgs/acme/teams/core";

fn create(client: &Client, name: &str) -> Answer {
    client.post(TEAMS, json!({ "name": name }))
}

#[test]
fn decision_9_a_name_has_no_character_that_cannot_be_shown() {
    let world = World::new();
    let written = given::written(&world);
    for hidden in [
        "\n",
        "\r\n",
        "\t",
        "\u{b}",
        "\u{1b}[31m",
        "\u{7f}",
        "\u{85}",
        "\u{9b}",
        "\u{ad}",
        "\u{200b}",
        "\u{200c}",
        "\u{200d}",
        "\u{200e}",
        "\u{202e}",
        "\u{2028}",
        "\u{2029}",
        "\u{2060}",
        "\u{2066}",
        "\u{feff}",
        "\u{180e}",
        "\u{61c}",
        "\u{3164}",
        "\u{e0041}",
        "\u{e000}",
    ] {
        let name = format!("Ops{hidden}Team");
        let message = "Name contains characters that cannot be shown";
        given::refuses_team(&create(&world.olivia(), &name), message);
        given::refuses_team(&world.max().patch(CORE, json!({ "name": name })), message);
    }
    assert_eq!(given::written(&world), written);
    assert_eq!(given::each(&world.olivia(), TEAMS, "name"), ["Core"]);
}

#[test]
fn decision_9_a_nul_in_a_name_is_refused_too() {
    let world = World::new();
    let message = "Name contains characters that cannot be shown";
    given::refuses_team(&create(&world.olivia(), "a\u{0}b"), message);
    given::refuses_team(&world.max().patch(CORE, json!({ "name": "a\u{0}b" })), message);
}

#[test]
fn decision_9_letters_of_all_scripts_and_pictures_are_shown_as_they_came() {
    let world = World::new();
    for name in ["👩‍💻 Coders", "❤️‍🔥", "می‌خواهم", "核心 チーム", "Ärzte\u{a0}& Co", "e\u{301}quipe", "1️⃣ First"]
    {
        assert_eq!(create(&world.olivia(), name).expect(201)["name"], name);
    }
    assert_eq!(create(&world.olivia(), "\t Trimmed \r\n").expect(201)["name"], "Trimmed");
}

#[test]
fn decision_9_a_team_keeps_a_name_that_it_got_before_there_was_a_rule() {
    let world = World::new();
    given::run(&world, "UPDATE teams SET name = 'Co\tre' WHERE slug = 'core'");
    let name = "Co\tre";
    let changed = world.max().patch(CORE, json!({ "name": name, "description": "new" })).expect(200).clone();
    assert_eq!((&changed["name"], &changed["description"]), (&json!(name), &json!("new")));
    given::refuses_team(
        &world.max().patch(CORE, json!({ "name": "Co\tres" })),
        "Name contains characters that cannot be shown",
    );
    assert_eq!(world.max().patch(CORE, json!({ "name": "Core" })).expect(200)["name"], "Core");
}

/// The identifiers of the teams that come after the newest one.
fn coming(world: &World) -> impl Iterator<Item = i64> + use<> {
    given::value::<i64>(world, "SELECT max(id) FROM teams") + 1..
}

#[test]
fn decision_9_a_fall_back_slug_tells_nothing_of_a_secret_team() {
    let world = World::new();
    // Two secret teams take up identifiers themselves.
    let hidden: Vec<i64> = coming(&world).skip(2).take(2).collect();
    for id in &hidden {
        given::secret(&world, &format!("Team {id}"));
    }
    for name in ["核心", "🦀", "???"] {
        let team = create(&world.eve(), name).expect(201).clone();
        assert!(!hidden.contains(&given::id(&team)), "{team}");
        assert_eq!(team["slug"], format!("team-{}", team["id"]));
        world.eve().get(&format!("{TEAMS}/team-{}", team["id"])).expect(200);
    }
    for id in hidden {
        world.eve().get(&format!("{TEAMS}/team-{id}")).refused(404, "Not Found");
        assert_eq!(world.olivia().get(&format!("{TEAMS}/team-{id}")).expect(200)["name"], format!("Team {id}"));
    }
}

#[test]
fn decision_9_a_fall_back_slug_tells_nothing_of_what_a_secret_team_was_called() {
    let world = World::new();
    let id = coming(&world).nth(1).expect("an identifier");
    let secret = given::secret(&world, &format!("Team {id}"));
    world.olivia().patch(&format!("/teams/{}", secret["id"]), json!({ "name": "Hidden" })).expect(200);
    let team = create(&world.eve(), "核心").expect(201).clone();
    assert_eq!(team["slug"], format!("team-{}", team["id"]));
    assert_ne!(given::id(&team), id);
}

#[test]
fn decision_9_a_rename_to_a_fall_back_slug_that_a_secret_team_has_is_a_guess() {
    let world = World::new();
    let mine = create(&world.eve(), "Mine").expect(201).clone();
    let path = format!("/teams/{}", mine["id"]);
    let secret = given::secret(&world, &format!("Team {}", mine["id"]));
    for _ in 0..20 {
        given::refuses_team(&world.eve().patch(&path, json!({ "name": "核心" })), given::NAME_TAKEN);
    }
    let message = world.eve().patch(&path, json!({ "name": "核心" })).expect(403)["message"].clone();
    assert!(message.as_str().is_some_and(|text| text.contains("abuse")), "{message}");
    assert_eq!(world.eve().get(&path).expect(200)["slug"], "mine");
    world.olivia().delete(&format!("/teams/{}", secret["id"])).expect(204);
    world.advance(60);
    let renamed = world.eve().patch(&path, json!({ "name": "核心" })).expect(200).clone();
    assert_eq!(renamed["slug"], format!("team-{}", mine["id"]));
}

#[test]
fn decision_9_a_fall_back_slug_stays_from_one_such_name_to_the_next() {
    let world = World::new();
    let team = create(&world.olivia(), "核心").expect(201).clone();
    let path = format!("/teams/{}", team["id"]);
    assert_eq!(world.olivia().patch(&path, json!({ "name": "🦀" })).expect(200)["slug"], team["slug"]);
    assert_eq!(world.olivia().patch(&path, json!({ "name": "Crab" })).expect(200)["slug"], "crab");
    assert_eq!(world.olivia().patch(&path, json!({ "name": "🦀" })).expect(200)["slug"], team["slug"]);
}
