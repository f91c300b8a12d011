//! Lists that are filtered or ordered, and invitations of teams.

use std::collections::BTreeSet;

use crate::graphql::{ask, data, error};
use crate::support::{Answer, Client, Value, World, json};

/// The values of a field of the nodes of a connection of the organization's teams.
fn teams(client: &Client, arguments: &str) -> Vec<String> {
    let query =
        format!("{{ organization(login: \"acme\") {{ teams({arguments}) {{ totalCount nodes {{ slug }} }} }} }}");
    let found = data(client, &query, json!({}))["organization"]["teams"].clone();
    let slugs = each(&found, "slug");
    assert_eq!(found["totalCount"], slugs.len());
    slugs
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn logins(list: &Answer) -> Vec<String> {
    list.each("login").iter().map(text).collect()
}

fn each(connection: &Value, field: &str) -> Vec<String> {
    let nodes = connection["nodes"].as_array().expect("nodes");
    nodes.iter().map(|node| node[field].as_str().unwrap_or_default().to_owned()).collect()
}

#[test]
fn a_list_names_at_most_100_people() {
    let world = world();
    let named = |count: usize| json!({ "logins": vec!["nina"; count] });
    let query =
        "query($logins: [String!]) { organization(login: \"acme\") { teams(userLogins: $logins) { totalCount } } }";
    assert_eq!(data(&world.olivia(), query, named(100))["organization"]["teams"]["totalCount"], 0);
    let (kind, message, _) = error(&world.olivia(), query, named(101));
    assert_eq!(kind, "ARGUMENT_LIMIT");
    assert_eq!(message, "You may not provide more than 100 userLogins; you provided 101.");
}

/// Acme with core, which Max maintains and Tom is in, a child and a grandchild, and a secret team of Tom.
fn world() -> World {
    let world = World::new();
    let olivia = world.olivia();
    let mut above = olivia.get("/orgs/acme/teams/core").expect(200)["id"].clone();
    for name in ["Über Mitte", "Low"] {
        let child = json!({ "name": name, "parent_team_id": above });
        above = olivia.post("/orgs/acme/teams", child).expect(201)["id"].clone();
    }
    olivia.post("/orgs/acme/teams", json!({ "name": "Vault", "privacy": "secret" })).expect(201);
    olivia.put("/orgs/acme/teams/vault/memberships/tom", json!({})).expect(200);
    olivia.put("/orgs/acme/teams/low/memberships/eve", json!({})).expect(200);
    world
}

#[test]
fn teams_are_filtered_by_text_privacy_and_role() {
    let world = world();
    let (olivia, max, tom, eve) = (world.olivia(), world.max(), world.tom(), world.eve());
    assert_eq!(teams(&olivia, "first: 9"), ["core", "low", "vault", "uber-mitte"]);
    assert_eq!(teams(&olivia, "query: \"ÜBER\""), ["uber-mitte"]);
    assert_eq!(teams(&olivia, "query: \"uber-mi\""), ["uber-mitte"], "the slug");
    assert_eq!(teams(&olivia, "query: \"o\""), ["core", "low"]);
    assert_eq!(teams(&olivia, "query: \"none\""), Vec::<String>::new());
    assert_eq!(teams(&eve, "query: \"vault\""), Vec::<String>::new());
    assert_eq!(teams(&olivia, "privacy: SECRET"), ["vault"]);
    assert_eq!(teams(&tom, "privacy: SECRET"), ["vault"]);
    assert_eq!(teams(&eve, "privacy: SECRET"), Vec::<String>::new());
    assert_eq!(teams(&eve, "privacy: VISIBLE, rootTeamsOnly: true"), ["core"]);
    assert_eq!(teams(&olivia, "role: ADMIN").len(), 4);
    assert_eq!(teams(&max, "role: ADMIN"), ["core"]);
    assert_eq!(teams(&tom, "role: ADMIN"), Vec::<String>::new());
    assert_eq!(teams(&max, "role: MEMBER"), ["core"]);
    assert_eq!(teams(&tom, "role: MEMBER"), ["core", "vault"]);
    assert_eq!(teams(&eve, "role: MEMBER, query: \"l\""), ["low"]);
}

#[test]
fn a_filtered_list_is_paged_like_any_other() {
    let world = world();
    let query = "query($after: String) { organization(login: \"acme\") { teams(first: 1, after: $after, query: \"o\",
        orderBy: { field: NAME, direction: DESC }) { nodes { slug } pageInfo { endCursor hasNextPage } } } }";
    let page = |after: Value| data(&world.eve(), query, json!({ "after": after }))["organization"]["teams"].clone();
    let first = page(json!(null));
    let second = page(first["pageInfo"]["endCursor"].clone());
    assert_eq!((each(&first, "slug"), each(&second, "slug")), (vec!["low".to_owned()], vec!["core".to_owned()]));
    assert_eq!((&first["pageInfo"]["hasNextPage"], &second["pageInfo"]["hasNextPage"]), (&json!(true), &json!(false)));
}

#[test]
fn members_of_a_team_are_found_and_ordered() {
    let world = world();
    let olivia = world.olivia();
    world.execute("UPDATE users SET name = 'Thomas Äpfel' WHERE login = 'tom'");
    olivia.put("/orgs/acme/teams/core/memberships/eve", json!({})).expect(200);
    let members = |arguments: &str| {
        let query = format!(
            "{{ organization(login: \"acme\") {{ team(slug: \"core\") {{ members(membership: IMMEDIATE, {arguments}) {{
                totalCount nodes {{ login }} }} }} }} }}"
        );
        let found = data(&olivia, &query, json!({}))["organization"]["team"]["members"].clone();
        assert_eq!(found["totalCount"], each(&found, "login").len());
        each(&found, "login")
    };
    let by = |field: &str, direction: &str| members(&format!("orderBy: {{field: {field}, direction: {direction}}}"));
    let by_id = logins(&olivia.get("/orgs/acme/teams/core/members?membership=immediate"));
    assert_eq!(by("CREATED_AT", "ASC"), by_id);
    assert_eq!(by("CREATED_AT", "DESC"), by_id.iter().rev().cloned().collect::<Vec<_>>());
    assert_eq!(by("LOGIN", "ASC"), ["eve", "max", "tom"]);
    assert_eq!(by("LOGIN", "DESC"), ["tom", "max", "eve"]);
    assert_eq!(members("query: \"äpf\""), ["tom"]);
    assert_eq!(members("query: \"M\""), by_id.iter().filter(|login| *login != "eve").cloned().collect::<Vec<_>>());
    assert_eq!(members("query: \"m\", role: MAINTAINER"), ["max"]);
    assert_eq!(members("query: \"absent\""), Vec::<String>::new());
}

#[test]
fn members_in_reverse_are_paged_in_both_directions() {
    let world = world();
    let olivia = world.olivia();
    olivia.put("/orgs/acme/teams/core/memberships/eve", json!({})).expect(200);
    let query = "query($first: Int, $last: Int, $after: String, $before: String) { organization(login: \"acme\") {
        team(slug: \"core\") { members(first: $first, last: $last, after: $after, before: $before, membership: IMMEDIATE,
        orderBy: {field: CREATED_AT, direction: DESC}) {
            nodes { login } pageInfo { startCursor endCursor hasNextPage hasPreviousPage } } } } }";
    let page = |variables: Value| data(&olivia, query, variables)["organization"]["team"]["members"].clone();
    let by_id = logins(&olivia.get("/orgs/acme/teams/core/members?membership=immediate"));
    let all: Vec<String> = by_id.into_iter().rev().collect();
    let first = page(json!({ "first": 2 }));
    assert_eq!(each(&first, "login"), all[..2]);
    assert_eq!(first["pageInfo"]["hasNextPage"], true);
    let second = page(json!({ "first": 2, "after": first["pageInfo"]["endCursor"] }));
    assert_eq!((each(&second, "login"), &second["pageInfo"]["hasNextPage"]), (all[2..].to_vec(), &json!(false)));
    let back = page(json!({ "last": 1, "before": second["pageInfo"]["startCursor"] }));
    assert_eq!((each(&back, "login"), &back["pageInfo"]["hasPreviousPage"]), (all[1..2].to_vec(), &json!(true)));
}

#[test]
fn repositories_of_a_team_are_found_and_ordered() {
    let world = World::new();
    let olivia = world.olivia();
    for (name, permission) in [("Bread", "pull"), ("apple", "admin"), ("cheese", "push")] {
        world.advance(60);
        olivia.post("/orgs/acme/repos", json!({ "name": name })).expect(201);
        let grant = json!({ "permission": permission });
        olivia.put(&format!("/orgs/acme/teams/core/repos/acme/{name}"), grant).expect(204);
    }
    let repos = |arguments: &str| {
        let query = format!(
            "{{ organization(login: \"acme\") {{ team(slug: \"core\") {{ repositories({arguments}) {{
                nodes {{ name }} edges {{ permission node {{ name }} }} }} }} }} }}"
        );
        let found = data(&olivia, &query, json!({}))["organization"]["team"]["repositories"].clone();
        let edges = found["edges"].as_array().expect("edges").clone();
        for edge in edges {
            let expected = match edge["node"]["name"].as_str() {
                Some("apple") => "ADMIN",
                Some("cheese") => "WRITE",
                _ => "READ",
            };
            assert_eq!(edge["permission"], expected);
        }
        each(&found, "name")
    };
    let by = |field: &str, direction: &str| repos(&format!("orderBy: {{field: {field}, direction: {direction}}}"));
    assert_eq!(by("NAME", "ASC"), ["apple", "Bread", "cheese"]);
    assert_eq!(by("NAME", "DESC"), ["cheese", "Bread", "apple"]);
    assert_eq!(by("PERMISSION", "ASC"), ["Bread", "cheese", "apple"]);
    for field in ["CREATED_AT", "PUSHED_AT", "STARGAZERS", "UPDATED_AT"] {
        assert_eq!(by(field, "DESC"), ["cheese", "apple", "Bread"], "{field}");
    }
    assert_eq!(repos("query: \"EA\""), ["Bread"]);
    let of_org = "{ organization(login: \"acme\") { repositories(orderBy: {field: STARGAZERS, direction: ASC}) {
        nodes { name } } } }";
    assert_eq!(
        each(&data(&olivia, of_org, json!({}))["organization"]["repositories"], "name"),
        ["Bread", "apple", "cheese"]
    );
}

#[test]
fn organizations_of_a_person_are_ordered() {
    let world = World::new();
    world.sam().post("/admin/organizations", json!({ "login": "Aaa", "admin": "olivia" })).expect(201);
    let orgs = |order: &str| {
        let query = format!("{{ viewer {{ organizations(first: 5{order}) {{ nodes {{ login }} }} }} }}");
        each(&data(&world.olivia(), &query, json!({}))["viewer"]["organizations"], "login")
    };
    assert_eq!(orgs(""), ["acme", "Aaa"]);
    assert_eq!(orgs(", orderBy: null"), ["acme", "Aaa"]);
    assert_eq!(orgs(", orderBy: {field: LOGIN, direction: ASC}"), ["Aaa", "acme"]);
    assert_eq!(orgs(", orderBy: {field: LOGIN, direction: DESC}"), ["acme", "Aaa"]);
    assert_eq!(orgs(", orderBy: {field: CREATED_AT, direction: DESC}"), ["Aaa", "acme"]);
}

#[test]
fn repositories_are_filtered_by_how_the_caller_and_the_owner_have_them() {
    let world = World::new();
    let olivia = world.olivia();
    olivia.post("/orgs/acme/repos", json!({ "name": "given", "private": true })).expect(201);
    olivia.post("/orgs/acme/repos", json!({ "name": "open" })).expect(201);
    olivia.put("/repos/acme/given/collaborators/nina", json!({ "permission": "push" }));
    world.nina().post("/user/repos", json!({ "name": "own" })).expect(201);
    let list = |client: &Client, start: &str, arguments: &str| {
        let query = format!("{{ {start} {{ repositories({arguments}) {{ nodes {{ name }} }} }} }}");
        let found = data(client, &query, json!({}));
        let start = start.split('(').next().unwrap_or_default();
        each(&found[start]["repositories"], "name")
    };
    let (nina, eve, acme) = (world.nina(), world.eve(), "organization(login: \"acme\")");
    assert_eq!(list(&nina, "viewer", "ownerAffiliations: [OWNER]"), ["own"]);
    assert_eq!(list(&nina, "viewer", "ownerAffiliations: [COLLABORATOR]"), ["given"]);
    assert_eq!(list(&nina, "viewer", "first: 5"), ["given", "own"]);
    assert_eq!(list(&nina, "viewer", "affiliations: [OWNER]"), ["own"]);
    let of_nina = "user(login: \"nina\")";
    assert_eq!(list(&eve, of_nina, "first: 5"), ["own"], "what others collaborate on is not told");
    assert_eq!(list(&eve, of_nina, "ownerAffiliations: [COLLABORATOR]"), Vec::<String>::new());
    assert_eq!(list(&nina, acme, "affiliations: [COLLABORATOR]"), ["given"]);
    assert_eq!(list(&nina, acme, "affiliations: [OWNER]"), Vec::<String>::new());
    assert_eq!(list(&nina, acme, "first: 5"), ["given", "open"]);
    assert_eq!(list(&eve, acme, "affiliations: [ORGANIZATION_MEMBER]"), ["given", "open"]);
    assert_eq!(list(&olivia, acme, "ownerAffiliations: [COLLABORATOR]"), Vec::<String>::new());
}

#[test]
fn collaborators_are_found_by_login_and_text() {
    let world = World::new();
    let olivia = world.olivia();
    olivia.post("/orgs/acme/repos", json!({ "name": "web", "private": true })).expect(201);
    olivia.put("/repos/acme/web/collaborators/nina", json!({ "permission": "push" }));
    world.execute("UPDATE users SET name = 'Antonina' WHERE login = 'nina'");
    let people = |arguments: &str| {
        let query = format!(
            "{{ repository(owner: \"acme\", name: \"web\") {{ collaborators({arguments}) {{ totalCount
                edges {{ permission node {{ login }} }} }} }} }}"
        );
        data(&olivia, &query, json!({}))["repository"]["collaborators"].clone()
    };
    let nina = json!({ "totalCount": 1, "edges": [{ "permission": "WRITE", "node": { "login": "nina" } }] });
    assert_eq!(people("login: \"Nina\""), nina);
    assert_eq!(people("query: \"ANTO\""), nina);
    assert_eq!(people("login: \"nina\", affiliation: OUTSIDE"), nina);
    let none = json!({ "totalCount": 0, "edges": [] });
    for arguments in ["login: \"none\"", "login: \"acme\"", "query: \"none\"", "login: \"nina\", query: \"eve\""] {
        assert_eq!(people(arguments), none, "{arguments}");
    }
    let all = people("query: \"ma\"");
    assert_eq!(all["edges"][0], json!({ "permission": "READ", "node": { "login": "max" } }));
}

const INVITATIONS: &str = "{ organization(login: \"acme\") { team(slug: \"core\") { invitations(first: 10) { totalCount
    nodes { id createdAt email invitationType invitationSource role organization { login } invitee { login }
            inviter { login } inviterActor { login } } pageInfo { hasNextPage } } } } }";

#[test]
fn invitations_of_a_team_are_shown_to_those_who_manage_it() {
    let world = World::new();
    let olivia = world.olivia();
    olivia.put("/orgs/acme/teams/core/memberships/nina", json!({})).expect(200);
    let core = olivia.get("/orgs/acme/teams/core").expect(200)["id"].clone();
    let by_mail = json!({ "email": "una@example.org", "role": "admin", "team_ids": [core] });
    olivia.post("/orgs/acme/invitations", by_mail).expect(201);
    let listed = olivia.get("/orgs/acme/teams/core/invitations").expect(200).clone();
    for client in [world.olivia(), world.max()] {
        let found = data(&client, INVITATIONS, json!({}))["organization"]["team"]["invitations"].clone();
        assert_eq!((&found["totalCount"], &found["pageInfo"]["hasNextPage"]), (&json!(2), &json!(false)));
        let expected = |at: usize, more: [Value; 4]| {
            let [email, kind, role, invitee] = more;
            json!({
                "id": listed[at]["node_id"], "createdAt": listed[at]["created_at"], "email": email,
                "invitationType": kind, "invitationSource": "MEMBER", "role": role,
                "organization": { "login": "acme" }, "invitee": invitee,
                "inviter": { "login": "olivia" }, "inviterActor": { "login": "olivia" },
            })
        };
        let nina = [json!(null), json!("USER"), json!("DIRECT_MEMBER"), json!({ "login": "nina" })];
        let una = [json!("una@example.org"), json!("EMAIL"), json!("ADMIN"), json!(null)];
        assert_eq!(found["nodes"], json!([expected(0, nina), expected(1, una)]));
    }
    for client in [world.tom(), world.eve()] {
        let body = ask(&client, INVITATIONS, json!({}));
        assert_eq!(body, json!({ "data": { "organization": { "team": { "invitations": null } } } }));
    }
    let (kind, message, _) = error(&world.limited("olivia", &["read:org"]), INVITATIONS, json!({}));
    assert_eq!(kind, "INSUFFICIENT_SCOPES");
    assert!(message.contains("'invitations' field requires one of the following scopes: ['admin:org', 'repo']"));
    world.advance(8 * 24 * 3_600);
    let found = data(&world.max(), INVITATIONS, json!({}))["organization"]["team"]["invitations"].clone();
    assert_eq!((&found["totalCount"], &found["nodes"]), (&json!(0), &json!([])), "expired ones are not open");
}

#[test]
fn teams_above_those_of_the_caller_are_theirs_with_such_a_token() {
    let world = world();
    let plain = world.eve();
    let body = json!({ "scopes": ["read:org"], "effective_teams": true });
    let made = world.sam().post("/admin/users/eve/authorizations", body).expect(201).clone();
    let marked = Client::new(&world.base, made["token"].as_str());
    for (client, slugs) in [(&plain, vec!["low"]), (&marked, vec!["core", "low", "uber-mitte"])] {
        let of_caller = |arguments: &str| teams(client, arguments);
        assert_eq!(of_caller("userLogins: [\"eve\"]"), slugs);
        assert_eq!(of_caller("role: MEMBER"), slugs);
        assert_eq!(of_caller("userLogins: [\"tom\"]"), ["core"], "another person's teams stay as they are");
        let own: BTreeSet<String> = client.get("/user/teams").each("slug").iter().map(text).collect();
        assert_eq!(own, slugs.iter().map(|slug| (*slug).to_owned()).collect());
    }
}
