//! The fields of repositories and organizations that say what their records in REST say.

use crate::graphql::{ask, clients, data};
use crate::support::{Client, Value, World, json};

/// Fields of a repository, each with the field of its record that says the same.
const SAME: &[(&str, &str)] = &[
    ("autoMergeAllowed", "allow_auto_merge"),
    ("deleteBranchOnMerge", "delete_branch_on_merge"),
    ("diskUsage", "size"),
    ("forkCount", "forks_count"),
    ("forkingAllowed", "allow_forking"),
    ("hasDiscussionsEnabled", "has_discussions"),
    ("hasIssuesEnabled", "has_issues"),
    ("hasProjectsEnabled", "has_projects"),
    ("hasWikiEnabled", "has_wiki"),
    ("homepageUrl", "homepage"),
    ("isArchived", "archived"),
    ("isDisabled", "disabled"),
    ("isFork", "fork"),
    ("licenseInfo { key }", "license"),
    ("mergeCommitAllowed", "allow_merge_commit"),
    ("mirrorUrl", "mirror_url"),
    ("primaryLanguage { name }", "language"),
    ("pushedAt", "pushed_at"),
    ("rebaseMergeAllowed", "allow_rebase_merge"),
    ("squashMergeAllowed", "allow_squash_merge"),
    ("sshUrl", "ssh_url"),
    ("stargazerCount", "stargazers_count"),
];

#[track_caller]
fn assert_same(client: &Client, owner: &str, name: &str) {
    let record = client.get(&format!("/repos/{owner}/{name}")).expect(200).clone();
    let fields: Vec<&str> = SAME.iter().map(|(field, _)| *field).collect();
    let query = format!(
        "{{ repository(owner: \"{owner}\", name: \"{name}\") {{ {} issues {{ totalCount }} watchers {{ totalCount }}
        repositoryTopics {{ totalCount nodes {{ topic {{ name }} }} }} }} }}",
        fields.join(" ")
    );
    let found = data(client, &query, json!({}))["repository"].clone();
    for (field, of_record) in SAME {
        let field = field.split(' ').next().unwrap_or_default();
        assert_eq!(found[field], record[*of_record], "{field} of {owner}/{name}");
    }
    assert_eq!(found["issues"]["totalCount"], record["open_issues_count"]);
    assert_eq!(found["watchers"]["totalCount"], record["watchers_count"]);
    let topics = found["repositoryTopics"]["nodes"].as_array().expect("topics");
    let mut topics: Vec<&Value> = topics.iter().map(|node| &node["topic"]["name"]).collect();
    let mut recorded: Vec<&Value> = record["topics"].as_array().expect("topics").iter().collect();
    topics.sort_by_key(|topic| topic.as_str());
    recorded.sort_by_key(|topic| topic.as_str());
    assert_eq!((&topics, &found["repositoryTopics"]["totalCount"]), (&recorded, &json!(recorded.len())));
}

#[test]
fn a_repository_says_what_its_record_says() {
    let world = clients::world();
    let olivia = world.olivia();
    let other = json!({
        "name": "other", "private": true, "homepage": "", "has_issues": false, "has_projects": false, "has_wiki": false,
        "has_discussions": true, "allow_merge_commit": false, "allow_rebase_merge": false, "allow_auto_merge": true,
        "delete_branch_on_merge": true,
    });
    olivia.post("/orgs/acme/repos", other).expect(201);
    for (owner, name) in [("acme", "web"), ("nina", "web"), ("acme", "other")] {
        assert_same(&olivia, owner, name);
    }
    let query = "{ repository(owner: \"acme\", name: \"other\") { viewerDefaultMergeMethod } }";
    assert_eq!(data(&olivia, query, json!({}))["repository"]["viewerDefaultMergeMethod"], "SQUASH");
}

#[test]
fn topics_have_pages() {
    let world = clients::world();
    let query = "query($after: String) { repository(owner: \"acme\", name: \"web\") { repositoryTopics(first: 1, after:
        $after) { nodes { topic { name } } pageInfo { hasNextPage endCursor } } } }";
    let page = |after: &Value| {
        let found = data(&world.max(), query, json!({ "after": after }));
        found["repository"]["repositoryTopics"].clone()
    };
    let first = page(&json!(null));
    let second = page(&first["pageInfo"]["endCursor"]);
    let name = |page: &Value| page["nodes"][0]["topic"]["name"].clone();
    assert_eq!((name(&first), name(&second)), (json!("api"), json!("rust")));
    assert_eq!((&first["pageInfo"]["hasNextPage"], &second["pageInfo"]["hasNextPage"]), (&json!(true), &json!(false)));
}

#[test]
fn the_repository_that_a_fork_was_made_of_is_shown_to_those_who_may_see_it() {
    let world = clients::world();
    let query = "{ repository(owner: \"nina\", name: \"web\") { isFork parent { nameWithOwner } } }";
    let parent = |client: &Client| data(client, query, json!({}))["repository"]["parent"]["nameWithOwner"].clone();
    assert_eq!(parent(&world.nina()), "acme/web");
    world.olivia().patch("/repos/acme/web", json!({ "private": true })).expect(200);
    for (client, expected) in [
        (world.olivia(), json!("acme/web")),
        (world.nina(), json!(null)),
        (world.limited("olivia", &["read:org"]), json!(null)),
    ] {
        assert_eq!(parent(&client), expected);
    }
}

#[test]
fn vulnerability_alerts_are_shown_to_administrators_whose_token_may_ask() {
    let world = clients::world();
    world.olivia().put_empty("/repos/acme/web/vulnerability-alerts").expect(204);
    let query = "{ repository(owner: \"acme\", name: \"web\") { hasVulnerabilityAlertsEnabled } }";
    let shown = |client: &Client| data(client, query, json!({}))["repository"]["hasVulnerabilityAlertsEnabled"].clone();
    assert_eq!((shown(&world.olivia()), shown(&world.eve())), (json!(true), json!(false)));
    let refused = ask(&world.limited("olivia", &["read:org"]), query, json!({}));
    assert_eq!(refused["errors"][0]["type"], "INSUFFICIENT_SCOPES");
}

#[test]
fn pending_members_are_the_invited_people_and_shown_to_owners() {
    let world = World::new();
    let olivia = world.olivia();
    let nina = olivia.get("/users/nina").expect(200)["id"].clone();
    olivia.post("/orgs/acme/invitations", json!({ "invitee_id": nina })).expect(201);
    olivia.post("/orgs/acme/invitations", json!({ "email": "someone@example.com" })).expect(201);
    let query = "{ organization(login: \"acme\") { pendingMembers(first: 5) { totalCount nodes { login name } } } }";
    let pending = |client: &Client| data(client, query, json!({}))["organization"]["pendingMembers"].clone();
    for _ in 0..3 {
        assert_eq!(pending(&olivia), json!({ "totalCount": 1, "nodes": [{ "login": "nina", "name": null }] }));
    }
    let none = json!({ "totalCount": 0, "nodes": [] });
    for client in [world.max(), world.nina()] {
        assert_eq!(pending(&client), none);
    }
    let refused = ask(&world.limited("olivia", &["read:org"]), query, json!({}));
    assert_eq!(refused["errors"][0]["type"], "INSUFFICIENT_SCOPES");
    world.advance(8 * 86_400);
    assert_eq!(pending(&olivia), none, "an invitation that has expired is not pending");
}

#[test]
fn an_owner_has_a_repository_by_name() {
    let world = clients::world();
    let query = "query($name: String!, $follow: Boolean) { organization(login: \"acme\") { repository(name: $name,
        followRenames: $follow) { name } } user(login: \"nina\") { repository(name: \"web\") { nameWithOwner } } }";
    let found = data(&world.eve(), query, json!({ "name": "WEB" }));
    let expected = json!({
        "organization": { "repository": { "name": "web" } }, "user": { "repository": { "nameWithOwner": "nina/web" } },
    });
    assert_eq!(found, expected);
    world.olivia().patch("/repos/acme/web", json!({ "name": "site" })).expect(200);
    let renamed = data(&world.eve(), query, json!({ "name": "web" }));
    assert_eq!(renamed["organization"]["repository"]["name"], "site");
    let body = ask(&world.eve(), query, json!({ "name": "web", "follow": false }));
    assert_eq!(body["data"]["organization"]["repository"], json!(null));
    let message = "Could not resolve to a Repository with the name 'acme/web'.";
    assert_eq!((&body["errors"][0]["type"], &body["errors"][0]["message"]), (&json!("NOT_FOUND"), &json!(message)));
}
