//! The number of teams that an invitation is said to bring (decisions 17 and 29).

use crate::spec::given;
use crate::support::{Client, Value, World, json};

/// Nina is invited to `core`, a closed team and two secret ones, on one of which is Max, who maintains `core`.
fn invited() -> World {
    let world = World::new();
    given::closed(&world, "Open");
    given::secret(&world, "Hidden");
    given::secret(&world, "Shared");
    given::put(&world, "shared", "max", "member");
    for slug in ["core", "open", "hidden", "shared"] {
        given::put(&world, slug, "nina", "member");
    }
    world
}

fn counts(client: &Client, path: &str) -> Vec<Value> {
    given::each(client, path, "team_count")
}

#[test]
fn decision_29_an_invitation_counts_the_teams_that_the_caller_sees() {
    let world = invited();
    let path = "/orgs/acme/teams/core/invitations";
    assert_eq!(counts(&world.max(), path), [json!(3)]);
    assert_eq!(counts(&world.olivia(), path), [json!(4)]);
    assert_eq!(counts(&world.olivia(), "/orgs/acme/invitations"), [json!(4)]);
    world.olivia().patch("/orgs/acme/teams/open", json!({ "name": "Open", "privacy": "secret" })).expect(200);
    assert_eq!((counts(&world.max(), path), counts(&world.olivia(), path)), (vec![json!(2)], vec![json!(4)]));
    world.olivia().delete("/orgs/acme/teams/shared/memberships/max").expect(204);
    assert_eq!((counts(&world.max(), path), counts(&world.olivia(), path)), (vec![json!(1)], vec![json!(4)]));
}

#[test]
fn decision_29_the_teams_of_an_invitation_are_as_many_as_it_counts() {
    let world = invited();
    let invitation = world.olivia().get("/orgs/acme/invitations").expect(200)[0].clone();
    let teams = format!("/orgs/acme/invitations/{}/teams", invitation["id"]);
    assert_eq!(given::each(&world.olivia(), &teams, "slug"), ["core", "open", "hidden", "shared"]);
    world.max().get(&teams).expect(403);
    for (slug, seen) in [("hidden", 3), ("core", 2)] {
        world.olivia().delete(&format!("/orgs/acme/teams/{slug}/memberships/nina")).expect(204);
        let count = &counts(&world.olivia(), "/orgs/acme/invitations")[0];
        assert_eq!((count, world.olivia().get(&teams).each("id").len()), (&json!(seen), seen));
    }
}

#[test]
fn decision_29_a_page_of_invitations_counts_each_by_itself() {
    let world = invited();
    world.register("uma");
    given::put(&world, "core", "uma", "member");
    for (page, count) in [(1, 3), (2, 1)] {
        let path = format!("/orgs/acme/teams/core/invitations?per_page=1&page={page}");
        let answer = world.max().get(&path);
        assert_eq!((answer.each("team_count"), answer.link("last").is_some()), (vec![json!(count)], page == 1));
    }
}
