//! The queries that clients send, word for word where they always send the same.

use crate::graphql::{ask, data};
use crate::support::{World, json};

#[test]
fn the_caller_is_the_viewer() {
    let world = World::new();
    let found = data(&world.olivia(), "query { viewer { login id databaseId name email } }", json!({}));
    let me = world.olivia().get("/user").expect(200).clone();
    let expected = json!({ "viewer": {
        "login": "olivia", "id": me["node_id"], "databaseId": me["id"], "name": me["name"],
        "email": me["email"].as_str().unwrap_or_default()
    } });
    assert_eq!(found, expected);
    let orgs = "{ viewer { organizations(first: 100) { nodes { login } } } }";
    assert_eq!(
        data(&world.olivia(), orgs, json!({})),
        json!({ "viewer": { "organizations": { "nodes": [{ "login": "acme" }] } } })
    );
}

#[test]
fn every_form_of_the_url_answers() {
    let world = World::new();
    for path in ["/graphql", "/api/graphql", "/api/v3/graphql"] {
        let answer = world.max().post(path, json!({ "query": "{ viewer { login } }" }));
        assert_eq!(*answer.expect(200), json!({ "data": { "viewer": { "login": "max" } } }));
        world.max().get(path).expect(404);
        world.max().put(path, json!({})).expect(404);
    }
    let url = "query { viewer { url avatarUrl } }";
    let answer = world.max().post("/api/v3/graphql", json!({ "query": url })).expect(200).clone();
    assert_eq!(answer["data"]["viewer"]["url"], format!("{}/ui/max", world.base));
}

#[test]
fn terraform_reads_the_members_of_a_team_after_creating_it() {
    let world = World::new();
    let query = "query($login: String!, $slug: String!) { organization(login: $login) { team(slug: $slug) {
            members { nodes { login } } } } }";
    let found = data(&world.olivia(), query, json!({ "login": "acme", "slug": "core" }));
    let members = &found["organization"]["team"]["members"]["nodes"];
    assert_eq!(*members, json!([{ "login": "max" }, { "login": "tom" }]));
}

#[test]
fn terraform_reads_roles_in_a_team_and_finds_a_missing_one_absent() {
    let world = World::new();
    let query =
        "query($org: String!, $slug: String!, $cursor: String) { organization(login: $org) { team(slug: $slug) {
        members(membership: IMMEDIATE, first: 100, after: $cursor) { edges { node { login } role } pageInfo {
            endCursor hasNextPage } } } } }";
    let found = data(&world.olivia(), query, json!({ "org": "acme", "slug": "core", "cursor": null }));
    let members = &found["organization"]["team"]["members"];
    assert_eq!(members["edges"][0], json!({ "node": { "login": "max" }, "role": "MAINTAINER" }));
    assert_eq!(members["edges"][1], json!({ "node": { "login": "tom" }, "role": "MEMBER" }));
    assert_eq!(members["pageInfo"]["hasNextPage"], false);
    let found = data(&world.olivia(), query, json!({ "org": "acme", "slug": "none" }));
    assert_eq!(found, json!({ "organization": { "team": null } }));
}

#[test]
fn terraform_lists_teams_with_what_its_flags_select() {
    let world = World::new();
    let olivia = world.olivia();
    let core = olivia.get("/orgs/acme/teams/core").expect(200).clone();
    olivia.post("/orgs/acme/teams", json!({ "name": "Below", "parent_team_id": core["id"] })).expect(201);
    let query =
        "query($login: String!, $first: Int!, $after: String, $rootTeamsOnly: Boolean!, $summaryOnly: Boolean!) {
        organization(login: $login) { id teams(first: $first, after: $after, rootTeamsOnly: $rootTeamsOnly) {
            nodes { id databaseId slug name description privacy parentTeam { id slug name }
                members @skip(if: $summaryOnly) { nodes { login } }
                repositories @skip(if: $summaryOnly) { nodes { name } } }
            pageInfo { endCursor hasNextPage } } } }";
    let asked = json!({ "login": "acme", "first": 100, "rootTeamsOnly": false, "summaryOnly": true });
    let teams = data(&olivia, query, asked)["organization"]["teams"]["nodes"].clone();
    assert_eq!(teams[0]["slug"], "below");
    assert_eq!(teams[0]["parentTeam"], json!({ "id": core["node_id"], "slug": "core", "name": "Core" }));
    assert_eq!(
        teams[1],
        json!({ "id": core["node_id"], "databaseId": core["id"], "slug": "core", "name": "Core", "description": null,
                "privacy": "VISIBLE", "parentTeam": null })
    );
    let asked = json!({ "login": "acme", "first": 100, "rootTeamsOnly": true, "summaryOnly": false });
    let teams = data(&olivia, query, asked)["organization"]["teams"]["nodes"].clone();
    assert_eq!(teams.as_array().map(Vec::len), Some(1));
    // Olivia made the child team and is in it.
    let logins = json!([{ "login": "olivia" }, { "login": "max" }, { "login": "tom" }]);
    assert_eq!(teams[0]["members"]["nodes"], logins);
    assert_eq!(teams[0]["repositories"]["nodes"], json!([]));
}

#[test]
fn members_of_an_organization_have_roles() {
    let world = World::new();
    let query = "query($login: String!, $after: String) { organization(login: $login) { membersWithRole(first:
            100, after: $after) {
        edges { role node { id login email } } pageInfo { endCursor hasNextPage } } } }";
    let found = data(&world.olivia(), query, json!({ "login": "acme" }));
    let edges = &found["organization"]["membersWithRole"]["edges"];
    assert_eq!((&edges[0]["role"], &edges[0]["node"]["login"]), (&json!("ADMIN"), &json!("olivia")));
    assert_eq!((&edges[1]["role"], &edges[1]["node"]["email"]), (&json!("MEMBER"), &json!("")));
    let backstage = "query { organization(login: \"acme\") { membersWithRole(first: 100) { nodes { avatarUrl
            bio email id login name
        organizationVerifiedDomainEmails(login: \"acme\") } pageInfo { hasNextPage endCursor } } } }";
    let found = data(&world.olivia(), backstage, json!({}));
    let first = &found["organization"]["membersWithRole"]["nodes"][0];
    assert_eq!(first["organizationVerifiedDomainEmails"], json!([]));
    assert_eq!(first["avatarUrl"], format!("{}/ui/avatars/olivia", world.base));
}

#[test]
fn aliases_ask_for_several_people_at_once() {
    let world = World::new();
    let query = "query($a: String!, $b: String!) { user0: user(login: $a) { id login email } user1: user(login:
            $b) { id login email } }";
    let found = data(&world.olivia(), query, json!({ "a": "max", "b": "Tom" }));
    assert_eq!(found["user0"]["login"], "max");
    assert_eq!(
        found["user1"],
        json!({ "id": world.max().get("/users/tom").expect(200)["node_id"], "login": "tom", "email": "" })
    );
}

#[test]
fn backstage_lists_the_teams_of_people() {
    let world = World::new();
    world.olivia().post("/orgs/acme/teams", json!({ "name": "Other", "privacy": "closed" })).expect(201);
    let query = "query($org: String!, $logins: [String!], $cursor: String) { organization(login: $org) {
        teams(first: 50, after: $cursor, userLogins: $logins) { nodes { slug combinedSlug name description
            avatarUrl editTeamUrl
            parentTeam { slug } members(first: 10, membership: IMMEDIATE) { nodes { avatarUrl bio email id
            login name } pageInfo { hasNextPage } } }
        pageInfo { hasNextPage endCursor } } } }";
    let teams = |logins| {
        let found = data(&world.olivia(), query, json!({ "org": "acme", "logins": logins }));
        found["organization"]["teams"]["nodes"].clone()
    };
    let all = teams(json!(null));
    assert_eq!(all.as_array().map(Vec::len), Some(2));
    assert_eq!(all[0]["combinedSlug"], "acme/core");
    assert_eq!(all[0]["editTeamUrl"], format!("{}/ui/orgs/acme/teams/core/edit", world.base));
    assert_eq!(all[0]["members"]["nodes"][1]["login"], "tom");
    let of_tom = teams(json!(["tom", "no-such-login"]));
    assert_eq!((of_tom.as_array().map(Vec::len), &of_tom[0]["slug"]), (Some(1), &json!("core")));
    assert_eq!(teams(json!(["nina"])), json!([]));
}

#[test]
fn sync_team_asks_by_node_ids() {
    let world = World::new();
    let olivia = world.olivia();
    let id = |path: &str| olivia.get(path).expect(200)["node_id"].clone();
    let (max, core) = (id("/users/max"), id("/orgs/acme/teams/core"));
    let people = data(
        &olivia,
        "query($ids: [ID!]!) { nodes(ids: $ids) { __typename ... on User { databaseId login } } }",
        json!({ "ids": [max] }),
    );
    assert_eq!((&people["nodes"][0]["login"], &people["nodes"][0]["__typename"]), (&json!("max"), &json!("User")));
    let query = "query($team: ID!) { node(id: $team) { ... on Team { members(first: 100) { edges { role node {
            databaseId login } } pageInfo { endCursor hasNextPage } } } } }";
    let members = data(&olivia, query, json!({ "team": core }));
    assert_eq!(members["node"]["members"]["edges"][0]["node"]["login"], "max");
    let org = data(
        &olivia,
        "query($id: ID!) { node(id: $id) { id ... on Organization { login databaseId } } }",
        json!({ "id": id("/orgs/acme") }),
    );
    assert_eq!(org["node"]["login"], "acme");
    let body = ask(
        &olivia,
        "query($ids: [ID!]!) { nodes(ids: $ids) { id } }",
        json!({ "ids": ["bm9uZQ==", "04:User1", max] }),
    );
    assert_eq!(body["data"]["nodes"], json!([null, null, { "id": max }]));
    assert_eq!(body["errors"][1]["type"], "NOT_FOUND");
    assert_eq!(body["errors"][1]["path"], json!(["nodes", 1]));
    assert_eq!(body["errors"][1]["message"], "Could not resolve to a node with the global id of '04:User1'");
}

#[test]
fn gh_lists_and_finds_teams() {
    let world = World::new();
    let olivia = world.olivia();
    for name in ["Zulu", "alpha"] {
        olivia.post("/orgs/acme/teams", json!({ "name": name, "privacy": "closed" })).expect(201);
    }
    let query = "query OrganizationTeamList($owner: String!, $direction: OrderDirection!) { organization(login:
            $owner) {
        teams(first: 100, orderBy: {field: NAME, direction: $direction}) { nodes { id slug } pageInfo {
            hasNextPage endCursor } } } }";
    let slugs = |direction: &str| {
        let found = data(&olivia, query, json!({ "owner": "acme", "direction": direction }));
        let nodes = found["organization"]["teams"]["nodes"].as_array().expect("nodes").clone();
        nodes.iter().map(|team| team["slug"].as_str().unwrap_or_default().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(slugs("ASC"), ["alpha", "core", "zulu"]);
    assert_eq!(slugs("DESC"), ["zulu", "core", "alpha"]);
    let found = data(&olivia, "{ organization(login: \"ACME\") { team(slug: \"core\") { id slug } } }", json!({}));
    assert_eq!(found["organization"]["team"]["slug"], "core");
}

#[test]
fn the_tree_of_teams_has_ancestors_and_children() {
    let world = World::new();
    let olivia = world.olivia();
    let mut parent = olivia.get("/orgs/acme/teams/core").expect(200)["id"].clone();
    for name in ["Middle", "Bottom"] {
        let made =
            olivia.post("/orgs/acme/teams", json!({ "name": name, "parent_team_id": parent })).expect(201).clone();
        parent = made["id"].clone();
    }
    let query = "{ organization(login: \"acme\") { bottom: team(slug: \"bottom\") { ancestors(first: 5) {
            totalCount nodes { slug } } }
        core: team(slug: \"core\") { viewerCanAdminister childTeams(first: 5) { nodes { slug } } all:
            childTeams(immediateOnly: false) { nodes { slug } } } } }";
    let found = data(&olivia, query, json!({}));
    assert_eq!(
        found["organization"],
        json!({
            "bottom": { "ancestors": { "totalCount": 2, "nodes": [{ "slug": "middle" }, { "slug": "core" }] } },
            "core": { "viewerCanAdminister": true, "childTeams": { "nodes": [{ "slug": "middle" }] },
                      "all": { "nodes": [{ "slug": "bottom" }, { "slug": "middle" }] } },
        })
    );
}

#[test]
fn the_schema_describes_itself() {
    let world = World::new();
    let query = "{ __schema { queryType { name } types { name kind fields(includeDeprecated: true) { name args
            { name type { kind name ofType { kind name ofType { name } } } } } } }
        __type(name: \"Repository\") { fields(includeDeprecated: true) { name } } }";
    let found = data(&world.max(), query, json!({}));
    assert_eq!(found["__schema"]["queryType"]["name"], "Query");
    let fields = found["__type"]["fields"].as_array().expect("fields").clone();
    assert!(fields.contains(&json!({ "name": "nameWithOwner" })));
}

#[test]
fn a_response_has_exactly_what_was_selected_in_its_order() {
    let world = World::new();
    let query = "query Two($yes: Boolean!) { viewer { ...names z: login @include(if: $yes) name @skip(if: $yes) } }
        fragment names on User { login ... on Actor { login } __typename }
        query Other { viewer { id } }";
    let body = json!({ "query": query, "variables": { "yes": true }, "operationName": "Two" });
    let answer = world.max().send("POST", "/graphql", Some(body.to_string()));
    assert_eq!(answer.expect(200).to_string(), r#"{"data":{"viewer":{"login":"max","__typename":"User","z":"max"}}}"#);
}
