//! At most a hundred reasons for the access of a person, and pages of a hundred people (decision 67).

use crate::spec::explanations::{Scene, VAULT, ask, kinds};
use crate::spec::given;
use crate::support::{World, json};

/// 120 teams, of which the first twenty are secret, all of them below `core`, with Tom and Eve in each. All may pull from
/// `vault`.
fn crowd(world: &World) {
    given::run(
        world,
        "INSERT INTO teams (org_id, parent_id, name, name_key, slug, privacy, created_at, updated_at)
         WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 120)
         SELECT t.org_id, t.id, 'Crowd ' || CAST(1000 + i AS TEXT), 'crowd ' || CAST(1000 + i AS TEXT),
                'crowd-' || CAST(1000 + i AS TEXT), CASE WHEN i > 20 THEN 'closed' ELSE 'secret' END, 0, 0
         FROM n CROSS JOIN teams t WHERE t.slug = 'core'",
    );
    given::run(
        world,
        "INSERT INTO team_tree (ancestor_id, descendant_id, depth)
         SELECT up.id, t.id, CASE WHEN up.id = t.id THEN 0 ELSE 1 END FROM teams t CROSS JOIN teams up
         WHERE t.slug LIKE 'crowd-%' AND up.id IN (t.id, t.parent_id)",
    );
    given::run(
        world,
        "INSERT INTO team_members (team_id, user_id, role)
         SELECT t.id, u.id, 'member' FROM teams t CROSS JOIN users u
         WHERE t.slug LIKE 'crowd-%' AND u.login IN ('tom', 'eve')",
    );
    given::run(
        world,
        "INSERT INTO team_repos (team_id, repo_id, level)
         SELECT t.id, r.id, 1 FROM teams t CROSS JOIN repos r WHERE t.slug LIKE 'crowd-%' AND r.name = 'vault'",
    );
}

#[test]
fn decision_67_the_strongest_hundred_paths_of_each_person_are_shown() {
    let scene = Scene::new();
    crowd(&scene.world);
    scene.grant("core", "maintain");
    scene.give(VAULT, "max", "admin");
    let olivia = scene.world.olivia();
    // What leads through `core`, in 120 ways, is one path. For Tom, who is in it, it is one of the kind `team`.
    let expected = |kind: &str, first: usize, last: usize| {
        let crowd = (first..=last).map(|n| ["team", "pull", &format!("crowd-{n}")].map(str::to_owned));
        [[kind, "maintain", "core"].map(str::to_owned)].into_iter().chain(crowd).collect::<Vec<_>>()
    };
    assert_eq!(kinds(ask(&olivia, VAULT, "tom").expect(200)), expected("team", 1001, 1099));
    let eve = ask(&olivia, VAULT, "eve").expect(200).clone();
    assert_eq!((&eve["level"], kinds(&eve)), (&json!("maintain"), expected("parent_team", 1001, 1099)));
    // What the caller does not see takes no place among the hundred.
    assert_eq!(kinds(ask(&scene.world.max(), VAULT, "eve").expect(200)), expected("parent_team", 1021, 1119));
    let listed = olivia.get(&format!("{VAULT}/access?level=maintain"));
    assert_eq!(listed.each("login"), [json!("tom"), json!("eve")]);
    assert_eq!(kinds(&listed.json[0]), expected("team", 1001, 1099));
    assert_eq!(listed.json[1], eve);
}

#[test]
fn decision_67_a_page_has_a_hundred_people_unless_the_client_asks_for_fewer() {
    let scene = Scene::new();
    given::run(
        &scene.world,
        "INSERT INTO users (login, suspended, created_at, updated_at)
         WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 110)
         SELECT 'subscriber-' || CAST(i AS TEXT), FALSE, 0, 0 FROM n",
    );
    given::subscribers_are_members(&scene.world);
    scene.grant("core", "push");
    scene.grant_lab("core", "read");
    let olivia = scene.world.olivia();
    for on in [VAULT, &scene.lab] {
        for query in ["", "?per_page=x", "?per_page=0", "?per_page=101", "?per_page=%FF"] {
            let page = olivia.get(&format!("{on}/access{query}"));
            assert_eq!(page.each("login").len(), 100, "{on} {query}");
            let next = page.link("next").expect("another page");
            let rest = olivia.get(&next).each("login").len();
            assert!((12..20).contains(&rest), "{next} has {rest}");
            assert!(page.link("last") == Some(next));
        }
        assert_eq!(olivia.get(&format!("{on}/access?per_page=7")).each("login").len(), 7);
        assert_eq!(olivia.get(&format!("{on}/collaborators")).each("login").len(), 30);
    }
}
