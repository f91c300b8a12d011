//! Concealed members, and which tokens show them (decision 18).

use crate::spec::given;
use crate::support::{Client, World};

const MEMBERS: &str = "/orgs/acme/members";

/// Each of these is enough.
const SHOWING: [&str; 5] = ["read:org", "write:org", "admin:org", "repo", "user"];

/// Tokens of a member and of an owner that have none of them.
fn blind(world: &World) -> Vec<Client> {
    let scopes: [&[&str]; 3] = [&[], &["read:user", "user:email", "public_repo"], &["write:discussion", "site_admin"]];
    ["tom", "olivia"].iter().flat_map(|login| scopes.map(|scopes| world.limited(login, scopes))).collect()
}

/// The lists that show members: all members of `acme` but Ray conceal their membership.
fn seen(client: &Client) -> [Vec<crate::support::Value>; 4] {
    let list = |path: &str| given::each(client, path, "login");
    [list(MEMBERS), list(&format!("{MEMBERS}?role=admin")), list("/users/eve/orgs"), list("/users/ray/orgs")]
}

fn world() -> World {
    let world = World::new();
    world.ray().put_empty("/orgs/acme/public_members/ray").expect(204);
    world
}

#[test]
fn decision_18_concealed_members_are_shown_with_a_scope_that_reads_the_organization() {
    let world = world();
    for scope in SHOWING {
        let tom = world.limited("tom", &[scope]);
        assert_eq!(seen(&tom)[0], ["olivia", "max", "tom", "eve", "ray"], "{scope}");
        assert_eq!(seen(&tom)[1..], [["olivia"], ["acme"], ["acme"]], "{scope}");
        tom.get(&format!("{MEMBERS}/eve")).expect(204);
        tom.get(&format!("{MEMBERS}/nina")).expect(404);
    }
}

#[test]
fn decision_18_a_member_without_such_a_scope_sees_what_everybody_sees() {
    let world = world();
    let everybody = seen(&world.anonymous());
    assert_eq!(everybody[0], ["ray"]);
    for client in blind(&world) {
        assert_eq!(seen(&client), everybody);
        assert_eq!(given::each(&client, "/users/tom/orgs", "login"), Vec::<&str>::new());
        for login in ["eve", "olivia", "nina", "nobody"] {
            let answer = client.get(&format!("{MEMBERS}/{login}"));
            answer.expect(302);
            client.get(answer.header("location").expect("a location")).expect(404);
        }
    }
}

#[test]
fn decision_18_such_a_token_of_an_outsider_shows_no_concealed_member() {
    let world = world();
    world.organization("globex", "nina", &[]);
    for scope in SHOWING {
        let nina = world.limited("nina", &[scope]);
        assert_eq!(seen(&nina), seen(&world.anonymous()), "{scope}");
        assert_eq!(given::each(&nina, "/users/nina/orgs", "login"), ["globex"]);
    }
}
