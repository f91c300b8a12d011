//! Every caller sees the same as with the operations.

use crate::graphql::{ask, data};
use crate::support::{Client, Value, World, json};

fn slugs(client: &Client) -> Vec<String> {
    let found = data(
        client,
        "{ organization(login: \"acme\") { teams(first: 100) { totalCount nodes { slug } } } }",
        json!({}),
    );
    let teams = &found["organization"]["teams"];
    let nodes = teams["nodes"].as_array().expect("nodes").clone();
    assert_eq!(teams["totalCount"], nodes.len());
    nodes.iter().map(|team| team["slug"].as_str().unwrap_or_default().to_owned()).collect()
}

#[test]
fn a_secret_team_is_there_for_its_members_and_owners_only() {
    let world = World::new();
    let olivia = world.olivia();
    let secret = olivia.post("/orgs/acme/teams", json!({ "name": "Hidden", "privacy": "secret" })).expect(201).clone();
    olivia.put("/orgs/acme/teams/hidden/memberships/tom", json!({})).expect(200);
    for (client, sees_closed, sees_secret) in [
        (world.olivia(), true, true),
        (world.tom(), true, true),
        (world.eve(), true, false),
        (world.nina(), false, false),
    ] {
        let listed = slugs(&client);
        assert_eq!(
            (listed.contains(&"core".to_owned()), listed.contains(&"hidden".to_owned())),
            (sees_closed, sees_secret)
        );
        let found =
            data(&client, "{ organization(login: \"acme\") { team(slug: \"hidden\") { privacy } } }", json!({}));
        assert_eq!(found["organization"]["team"].is_object(), sees_secret);
        let body = ask(&client, "query($id: ID!) { node(id: $id) { id } }", json!({ "id": secret["node_id"] }));
        assert_eq!(body["data"]["node"].is_object(), sees_secret);
        assert_eq!(body["errors"][0]["type"], if sees_secret { json!(null) } else { json!("NOT_FOUND") });
        let found = data(
            &client,
            "{ organization(login: \"acme\") { teams(userLogins: [\"tom\"]) { totalCount } } }",
            json!({}),
        );
        let expected = usize::from(sees_closed) + usize::from(sees_secret);
        assert_eq!(found["organization"]["teams"]["totalCount"], expected);
    }
    let unscoped = world.limited("olivia", &["notifications"]);
    let body = ask(&unscoped, "query($id: ID!) { node(id: $id) { id } }", json!({ "id": secret["node_id"] }));
    assert_eq!(body["errors"][0]["type"], "NOT_FOUND");
}

#[test]
fn a_renamed_or_deleted_team_is_absent_under_its_old_name() {
    let world = World::new();
    world.olivia().patch("/orgs/acme/teams/core", json!({ "name": "Kernel" })).expect(200);
    let query =
        "{ organization(login: \"acme\") { old: team(slug: \"core\") { slug } new: team(slug: \"kernel\") { slug } } }";
    let found = data(&world.tom(), query, json!({}));
    assert_eq!(found["organization"], json!({ "old": null, "new": { "slug": "kernel" } }));
}

fn members(client: &Client) -> Vec<(String, Value)> {
    let query = "{ organization(login: \"acme\") { membersWithRole(first: 100) { totalCount edges { role node {
            login } } } } }";
    let found = data(client, query, json!({}));
    let edges = found["organization"]["membersWithRole"]["edges"].as_array().expect("edges").clone();
    assert_eq!(found["organization"]["membersWithRole"]["totalCount"], edges.len());
    edges
        .iter()
        .map(|edge| (edge["node"]["login"].as_str().unwrap_or_default().to_owned(), edge["role"].clone()))
        .collect()
}

#[test]
fn only_members_see_concealed_members_and_roles() {
    let world = World::new();
    world.tom().put("/orgs/acme/public_members/tom", json!({})).expect(204);
    assert_eq!(members(&world.eve()).len(), 5);
    assert_eq!(members(&world.nina()), [("tom".to_owned(), json!(null))]);
    assert_eq!(members(&world.limited("eve", &["notifications"])), [("tom".to_owned(), json!(null))]);
    let orgs = "query($login: String!) { user(login: $login) { organizations(first: 10) { totalCount nodes {
            login } } organization(login: \"acme\") { login } } }";
    for (client, login, known) in
        [(world.eve(), "max", true), (world.nina(), "max", false), (world.nina(), "tom", true)]
    {
        let found = data(&client, orgs, json!({ "login": login }))["user"].clone();
        assert_eq!(found["organizations"]["totalCount"], usize::from(known), "{login}");
        assert_eq!(found["organization"].is_object(), known, "{login}");
    }
}

#[test]
fn what_a_caller_may_do_is_shown_to_them() {
    let world = World::new();
    let query = "{ organization(login: \"acme\") { viewerCanAdminister viewerIsAMember viewerCanCreateTeams
            team(slug: \"core\") { viewerCanAdminister } } }";
    for (client, owner, member, maintains) in
        [(world.olivia(), true, true, true), (world.max(), false, true, true), (world.tom(), false, true, false)]
    {
        let found = data(&client, query, json!({}))["organization"].clone();
        assert_eq!((&found["viewerCanAdminister"], &found["viewerIsAMember"]), (&json!(owner), &json!(member)));
        assert_eq!(found["team"]["viewerCanAdminister"], maintains);
    }
    let found = data(&world.nina(), query, json!({}))["organization"].clone();
    let nothing =
        json!({ "viewerCanAdminister": false, "viewerIsAMember": false, "viewerCanCreateTeams": false, "team": null });
    assert_eq!(found, nothing);
}

#[test]
fn an_e_mail_address_is_shown_to_its_person_only() {
    let world = World::new();
    let query = "{ user(login: \"max\") { email isViewer } }";
    let own = data(&world.max(), query, json!({}))["user"].clone();
    let listed = world.max().get("/user/emails").expect(200).clone();
    assert_eq!(own, json!({ "email": listed[0]["email"].as_str().unwrap_or_default(), "isViewer": true }));
    assert_eq!(data(&world.olivia(), query, json!({}))["user"], json!({ "email": "", "isViewer": false }));
}

#[test]
fn a_response_that_is_kept_is_never_outdated_or_another_callers() {
    let world = World::new();
    let olivia = world.olivia();
    let query =
        "{ viewer { login } organization(login: \"acme\") { team(slug: \"core\") { name members { totalCount } } } }";
    let seen = |client: &Client| {
        let found = data(client, query, json!({}));
        let team = found["organization"]["team"].clone();
        (found["viewer"]["login"].clone(), team["name"].clone(), team["members"]["totalCount"].clone())
    };
    let tom = world.tom();
    for _ in 0..4 {
        assert_eq!(seen(&olivia), (json!("olivia"), json!("Core"), json!(2)));
        assert_eq!(seen(&tom), (json!("tom"), json!("Core"), json!(2)));
    }
    olivia.put("/orgs/acme/teams/core/memberships/eve", json!({})).expect(200);
    assert_eq!(seen(&tom), (json!("tom"), json!("Core"), json!(3)));
    olivia.patch("/orgs/acme/teams/core", json!({ "name": "Core", "privacy": "secret" })).expect(200);
    olivia.delete("/orgs/acme/teams/core/memberships/tom").expect(204);
    assert_eq!(seen(&tom), (json!("tom"), json!(null), json!(null)));
    let left = "{ rateLimit { remaining } }";
    let [first, second, third] =
        [(), (), ()].map(|()| data(&tom, left, json!({}))["rateLimit"]["remaining"].as_i64().unwrap_or_default());
    assert_eq!((first - second, second - third), (1, 1), "what depends on more than the data is not kept");
}
