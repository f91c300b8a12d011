//! Repositories, and who has access to them.

use crate::graphql::{ask, data, names};
use crate::support::{Value, World, json};

/// A world with a public and a private repository of `acme`. Ray administers the private one, and Nina writes to it.
fn world() -> World {
    let world = World::new();
    let olivia = world.olivia();
    olivia.post("/orgs/acme/repos", json!({ "name": "open" })).expect(201);
    olivia.post("/orgs/acme/repos", json!({ "name": "closed", "private": true, "description": "Ours" })).expect(201);
    olivia.put("/repos/acme/closed/collaborators/ray", json!({ "permission": "admin" }));
    olivia.put("/repos/acme/closed/collaborators/nina", json!({ "permission": "push" }));
    olivia.patch("/orgs/acme", json!({ "default_repository_permission": "none" })).expect(200);
    world
}

#[test]
fn a_private_repository_is_there_for_those_who_read_it() {
    let world = world();
    let query = "{ repository(owner: \"acme\", name: \"closed\") { name viewerPermission viewerCanAdminister }
        organization(login: \"acme\") { repositories(first: 10) { totalCount nodes { name } } } }";
    let narrow = world.limited("olivia", &["read:org"]);
    for (client, permission, admin) in [
        (world.olivia(), Some("ADMIN"), true),
        (world.ray(), Some("ADMIN"), true),
        (world.nina(), Some("WRITE"), false),
        (world.eve(), None, false),
        (narrow, None, false),
    ] {
        let body = ask(&client, query, json!({}));
        let listed = if permission.is_some() { vec!["open", "closed"] } else { vec!["open"] };
        let found = &body["data"]["organization"]["repositories"];
        assert_eq!((names(found), &found["totalCount"]), (listed.clone(), &json!(listed.len())));
        let repo = &body["data"]["repository"];
        match permission {
            Some(level) => {
                assert_eq!(*repo, json!({ "name": "closed", "viewerPermission": level, "viewerCanAdminister": admin }));
            }
            None => assert_eq!((repo, &body["errors"][0]["type"]), (&json!(null), &json!("NOT_FOUND"))),
        }
    }
}

#[test]
fn a_repository_has_the_fields_of_its_record() {
    let world = world();
    let record = world.olivia().get("/repos/acme/closed").expect(200).clone();
    let query = "{ repository(owner: \"acme\", name: \"Closed\") { id databaseId name nameWithOwner description
            url isArchived isPrivate
        isFork isTemplate visibility createdAt updatedAt pushedAt owner { __typename id login } } }";
    let expected = json!({
        "id": record["node_id"], "databaseId": record["id"], "name": "closed", "nameWithOwner": "acme/closed",
        "description": "Ours", "url": record["html_url"], "isArchived": false, "isPrivate": true, "isFork": false,
        "isTemplate": false, "visibility": "PRIVATE", "createdAt": record["created_at"],
        "updatedAt": record["updated_at"], "pushedAt": record["pushed_at"],
        "owner": { "__typename": "Organization", "id": record["owner"]["node_id"], "login": "acme" },
    });
    assert_eq!(data(&world.olivia(), query, json!({}))["repository"], expected);
    let node = "query($id: ID!) { node(id: $id) { ... on Repository { databaseId isArchived isPrivate } } }";
    let found = data(&world.olivia(), node, json!({ "id": record["node_id"] }));
    assert_eq!(found["node"], json!({ "databaseId": record["id"], "isArchived": false, "isPrivate": true }));
    let hidden = ask(&world.eve(), node, json!({ "id": record["node_id"] }));
    assert_eq!(hidden["errors"][0]["type"], "NOT_FOUND");
}

#[test]
fn a_renamed_repository_is_found_unless_the_query_says_otherwise() {
    let world = world();
    world.olivia().patch("/repos/acme/open", json!({ "name": "wide" })).expect(200);
    let query = "{ repository(owner: \"acme\", name: \"open\") { name } }";
    assert_eq!(data(&world.eve(), query, json!({}))["repository"]["name"], "wide");
    let query = "{ repository(owner: \"acme\", name: \"open\", followRenames: false) { name } }";
    assert_eq!(ask(&world.eve(), query, json!({}))["errors"][0]["type"], "NOT_FOUND");
}

#[test]
fn peribolos_reads_direct_collaborators_of_all_repositories() {
    let world = world();
    let query = "query($after: String) { organization(login: \"acme\") { repositories(first: 100, after: $after) {
        edges { node { name collaborators(first: 100, affiliation: DIRECT) { totalCount edges { node { login }
            permission }
            pageInfo { endCursor hasNextPage } } } } pageInfo { endCursor hasNextPage } } } }";
    let found = data(&world.olivia(), query, json!({}));
    let edges = &found["organization"]["repositories"]["edges"];
    let direct = &edges[1]["node"]["collaborators"];
    let people = world.olivia().get("/repos/acme/closed/collaborators?affiliation=direct").each("login");
    assert_eq!(direct["totalCount"], people.len());
    let expected: Vec<Value> = people
        .iter()
        .map(
            |login| json!({ "node": { "login": login }, "permission": if login == "ray" { "ADMIN" } else { "WRITE" } }),
        )
        .collect();
    assert_eq!(direct["edges"], json!(expected));
    assert_eq!(edges[0]["node"]["collaborators"]["totalCount"], 0);
    let of_eve = data(&world.eve(), query, json!({}));
    assert_eq!(of_eve["organization"]["repositories"]["edges"][0]["node"]["collaborators"], json!(null));
}

#[test]
fn everyone_with_access_and_outsiders_are_listed_by_affiliation() {
    let world = world();
    let query = "query($of: CollaboratorAffiliation) { repository(owner: \"acme\", name: \"closed\") {
        collaborators(affiliation: $of) { nodes { login } } } }";
    for of in ["ALL", "DIRECT", "OUTSIDE"] {
        let found = data(&world.olivia(), query, json!({ "of": of }))["repository"]["collaborators"]["nodes"].clone();
        let path = format!("/repos/acme/closed/collaborators?affiliation={}", of.to_lowercase());
        let people: Vec<Value> =
            world.olivia().get(&path).each("login").iter().map(|login| json!({ "login": login })).collect();
        assert_eq!(found, json!(people), "{of}");
    }
}

#[test]
fn gh_lists_the_repositories_of_an_owner() {
    let world = world();
    let nina = world.nina();
    world.advance(60);
    nina.post("/user/repos", json!({ "name": "first" })).expect(201);
    world.advance(60);
    nina.post("/user/repos", json!({ "name": "Second", "private": true })).expect(201);
    let query = "query RepositoryList($owner: String!, $perPage: Int!, $endCursor: String, $privacy:
            RepositoryPrivacy, $fork: Boolean) {
        repositoryOwner(login: $owner) { login repositories(first: $perPage, after: $endCursor, privacy:
            $privacy, isFork: $fork,
            ownerAffiliations: OWNER, orderBy: { field: PUSHED_AT, direction: DESC }) {
            nodes { name nameWithOwner } totalCount pageInfo { hasNextPage endCursor } } } }";
    let list = |client: &crate::support::Client, more: Value| {
        let mut variables = json!({ "owner": "nina", "perPage": 1 });
        for (name, value) in more.as_object().expect("variables") {
            variables[name] = value.clone();
        }
        data(client, query, variables)["repositoryOwner"]["repositories"].clone()
    };
    let page = list(&nina, json!({}));
    assert_eq!((names(&page), &page["totalCount"]), (vec!["Second"], &json!(2)));
    let next = list(&nina, json!({ "endCursor": page["pageInfo"]["endCursor"] }));
    assert_eq!((names(&next), &next["pageInfo"]["hasNextPage"]), (vec!["first"], &json!(false)));
    assert_eq!(names(&list(&nina, json!({ "privacy": "PUBLIC" }))), ["first"]);
    assert_eq!(names(&list(&nina, json!({ "privacy": "PRIVATE" }))), ["Second"]);
    assert_eq!(names(&list(&nina, json!({ "fork": true }))), Vec::<&str>::new());
    assert_eq!(names(&list(&world.olivia(), json!({}))), ["first"]);
    let viewer = "{ viewer { repositories(first: 5, isArchived: false, orderBy: { field: NAME, direction: ASC
            }) { nodes { name } } } }";
    assert_eq!(names(&data(&nina, viewer, json!({}))["viewer"]["repositories"]), ["closed", "first", "Second"]);
}

#[test]
fn a_team_has_its_repositories_with_their_permissions() {
    let world = world();
    let olivia = world.olivia();
    let grant = json!({ "permission": "maintain" });
    olivia.put("/orgs/acme/teams/core/repos/acme/closed", grant).expect(204);
    olivia.put("/orgs/acme/teams/core/repos/acme/open", json!({ "permission": "pull" })).expect(204);
    let query = "query($after: String) { organization(login: \"acme\") { team(slug: \"core\") {
            repositories(first: 1, after: $after) {
        totalCount edges { permission node { name } } pageInfo { endCursor } } } } }";
    let page =
        |after: Value| data(&olivia, query, json!({ "after": after }))["organization"]["team"]["repositories"].clone();
    let first = page(json!(null));
    assert_eq!(first["edges"], json!([{ "permission": "READ", "node": { "name": "open" } }]));
    let second = page(first["pageInfo"]["endCursor"].clone());
    assert_eq!(
        (&second["edges"], &second["totalCount"]),
        (&json!([{ "permission": "MAINTAIN", "node": { "name": "closed" } }]), &json!(2))
    );
    let of_eve = data(&world.eve(), query, json!({}))["organization"]["team"]["repositories"]["totalCount"].clone();
    assert_eq!(of_eve, 1);
    for scopes in [&["read:org"][..], &["user"], &["admin:org", "public_repo"]] {
        let found = data(&world.limited("olivia", scopes), query, json!({}));
        let found = &found["organization"]["team"]["repositories"];
        let edges = json!([{ "permission": "READ", "node": { "name": "open" } }]);
        assert_eq!((&found["edges"], &found["totalCount"]), (&edges, &json!(1)), "{scopes:?}");
    }
}
