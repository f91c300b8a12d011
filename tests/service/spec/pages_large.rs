//! Pages of an organization of 10,000 teams and 100,000 people: as short as others, because lists and trees are shown in
//! parts (decision 53).

use super::given;
use super::mail_invitations::world;
use super::pages_hostile::walk;
use super::pages_team::shows;
use super::sign_in::signed_in;
use crate::support::{World, json};

#[test]
fn decision_53_every_page_of_a_large_organization_is_short() {
    let world = world();
    fill(&world);
    world.sam().put("/users/olivia/site_admin", json!({})).expect(204);
    for login in ["olivia", "tom"] {
        let mut browser = signed_in(&world, login);
        let room = "/ui/orgs/acme";
        browser.visit(room);
        // Of the teams without a parent, a part; of the teams below them, as many as there is room for.
        shows(
            &browser,
            &["1 to 40 of 400", "href=\"/ui/orgs/acme/teams/crowd-1/teams\">2000 child teams"],
            &["crowd-9999"],
        );
        let begin = [
            "/ui",
            room,
            "/ui/orgs/acme?page=11",
            "/ui/orgs/acme?q=crowd&page=20",
            "/ui/orgs/acme/people?page=3000",
            "/ui/orgs/acme/teams/core/members?page=3000",
            "/ui/orgs/acme/teams/crowd-1/teams?page=30",
            "/ui/search?q=crowd",
            "/ui/search?q=subscriber&part=people",
        ];
        let (long, kinds) = walk(&mut browser, &begin);
        assert!(long.is_empty(), "{long:#?}");
        assert!(kinds > 30, "{kinds}");
    }
}

/// Of the new teams, 399 have no parent, 2,000 are below one team, and the others are below those. Everyone is
/// on `core`, and on one of the new teams.
fn fill(world: &World) {
    for sql in [
        "INSERT INTO users (login, suspended, created_at, updated_at)
         WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
         SELECT 'subscriber-' || CAST(i AS TEXT), FALSE, 0, 0 FROM n",
        "INSERT INTO teams (org_id, name, name_key, slug, privacy, created_at, updated_at)
         WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
         SELECT t.org_id, 'Crowd ' || CAST(i AS TEXT), 'crowd ' || CAST(i AS TEXT), 'crowd-' || CAST(i AS TEXT), 'closed',
                0, 0
         FROM n CROSS JOIN teams t WHERE t.slug = 'core'",
        "UPDATE teams SET parent_id = (
             SELECT p.id FROM teams p WHERE p.org_id = teams.org_id AND p.slug = 'crowd-' || CAST(
                 CASE WHEN CAST(substr(teams.slug, 7) AS INTEGER) > 8000 THEN 1
                      ELSE CAST(substr(teams.slug, 7) AS INTEGER) / 10 END AS TEXT))
         WHERE slug LIKE 'crowd-%' AND CAST(substr(slug, 7) AS INTEGER) >= 400",
        "INSERT INTO team_members (team_id, user_id, role)
         SELECT t.id, u.id, 'member' FROM teams core JOIN users u ON u.login LIKE 'subscriber-%'
         JOIN teams t ON t.org_id = core.org_id
             AND t.slug = 'crowd-' || CAST(CAST(substr(u.login, 12) AS INTEGER) % 10000 + 1 AS TEXT)
         WHERE core.slug = 'core'",
        "INSERT INTO team_counts (team_id, members, repos)
         SELECT t.id, (SELECT count(*) FROM team_members m WHERE m.team_id = t.id), 0
         FROM teams t WHERE t.slug LIKE 'crowd-%'",
    ] {
        given::run(world, sql);
    }
    given::subscribers_are_members(world);
}
