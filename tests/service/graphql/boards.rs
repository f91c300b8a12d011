//! The boards of teams: who sees which posts, and what is shown of them.

use crate::graphql::{ask, data, error, refused};
use crate::support::{Client, Value, World, json};

/// A world with a public post of Max, a private one of Tom, and another public one of Eve, with comments on the first.
fn world() -> World {
    let world = World::new();
    let post = |client: &Client, fields: Value| {
        client.post("/orgs/acme/teams/core/discussions", fields).expect(201);
    };
    post(&world.max(), json!({ "title": "First", "body": "Hello **@tom** & <b>all</b>" }));
    post(&world.tom(), json!({ "title": "Ours", "body": "secret", "private": true }));
    post(&world.eve(), json!({ "title": "Third", "body": "three" }));
    for (client, text) in [(world.eve(), "one"), (world.max(), "two"), (world.tom(), "three")] {
        client.post("/orgs/acme/teams/core/discussions/1/comments", json!({ "body": text })).expect(201);
    }
    world
}

/// A field of the board of the team.
fn on_board(client: &Client, selection: &str) -> Value {
    let query = format!("{{ organization(login: \"acme\") {{ team(slug: \"core\") {{ {selection} }} }} }}");
    data(client, &query, json!({}))["organization"]["team"].clone()
}

fn numbers(connection: &Value) -> Vec<i64> {
    let nodes = connection["nodes"].as_array().expect("nodes");
    nodes.iter().filter_map(|node| node["number"].as_i64()).collect()
}

#[test]
fn a_discussion_has_the_fields_of_its_record() {
    let world = world();
    let max = world.max();
    max.patch("/orgs/acme/teams/core/discussions/1", json!({ "body": "Hi **@tom** & <b>all</b>" })).expect(200);
    let record = max.get("/orgs/acme/teams/core/discussions/1").expect(200).clone();
    let selection = "discussion(number: 1) { __typename id databaseId number title body bodyHTML bodyText bodyVersion
        author { __typename login } editor { login } isPinned isPrivate team { slug } url resourcePath createdAt
        updatedAt publishedAt lastEditedAt viewerCanUpdate viewerCanDelete viewerCanPin viewerDidAuthor
        comments(first: 1) { totalCount } }";
    let found = on_board(&max, selection)["discussion"].clone();
    let url = record["html_url"].as_str().expect("a URL");
    let expected = json!({
        "__typename": "TeamDiscussion", "id": record["node_id"], "databaseId": found["databaseId"], "number": 1,
        "title": "First", "body": record["body"], "bodyHTML": record["body_html"], "bodyText": "Hi @tom & all",
        "bodyVersion": record["body_version"], "author": { "__typename": "User", "login": "max" }, "editor": { "login": "max" },
        "isPinned": false, "isPrivate": false, "team": { "slug": "core" }, "url": url,
        "resourcePath": url.strip_prefix(&world.base).expect("a path"), "createdAt": record["created_at"],
        "updatedAt": record["updated_at"], "publishedAt": record["created_at"],
        "lastEditedAt": record["last_edited_at"], "viewerCanUpdate": true, "viewerCanDelete": true,
        "viewerCanPin": true, "viewerDidAuthor": true, "comments": { "totalCount": 3 },
    });
    assert_eq!(found, expected);
    assert!(found["databaseId"].is_i64() && found["lastEditedAt"].is_string());
}

#[test]
fn a_comment_has_the_fields_of_its_record() {
    let world = world();
    let record = world.tom().get("/orgs/acme/teams/core/discussions/1/comments/2").expect(200).clone();
    let selection = "discussion(number: 1) { comments(first: 1, fromComment: 2) { totalCount nodes { id databaseId number
        body bodyHTML bodyText bodyVersion author { login } editor { login } discussion { number title } url resourcePath
        createdAt updatedAt publishedAt lastEditedAt viewerCanUpdate viewerCanDelete viewerDidAuthor } } }";
    let found = on_board(&world.tom(), selection)["discussion"]["comments"].clone();
    let url = record["html_url"].as_str().expect("a URL");
    let expected = json!({
        "id": record["node_id"], "databaseId": found["nodes"][0]["databaseId"], "number": 2, "body": "two",
        "bodyHTML": record["body_html"], "bodyText": "two", "bodyVersion": record["body_version"],
        "author": { "login": "max" }, "editor": null, "discussion": { "number": 1, "title": "First" }, "url": url,
        "resourcePath": url.strip_prefix(&world.base).expect("a path"), "createdAt": record["created_at"],
        "updatedAt": record["updated_at"], "publishedAt": record["created_at"], "lastEditedAt": null,
        "viewerCanUpdate": false, "viewerCanDelete": false, "viewerDidAuthor": false,
    });
    assert_eq!((&found["nodes"][0], &found["totalCount"]), (&expected, &json!(2)));
}

#[test]
fn the_editor_is_the_person_who_changed_the_text_last() {
    let world = world();
    let (post, comment) = ("/orgs/acme/teams/core/discussions/3", "/orgs/acme/teams/core/discussions/1/comments/1");
    let editors = || {
        let fields = "editor { login ... on User { name } } lastEditedAt";
        let selection = format!(
            "third: discussion(number: 3) {{ {fields} }}
             first: discussion(number: 1) {{ comments(first: 1) {{ nodes {{ {fields} }} }} }}"
        );
        let found = on_board(&world.tom(), &selection);
        let edited = [&found["third"], &found["first"]["comments"]["nodes"][0]];
        edited.map(|text| (text["editor"]["login"].clone(), text["lastEditedAt"].is_string()))
    };
    let [nothing, max, olivia] = [json!(null), json!("max"), json!("olivia")];
    assert_eq!(editors(), [(nothing.clone(), false), (nothing.clone(), false)]);
    for path in [post, comment] {
        world.eve().patch(path, json!({ "body": "by Eve" })).expect(200);
        world.max().patch(path, json!({ "body": "by Max" })).expect(200);
        world.olivia().patch(path, json!({ "body": "by Max" })).expect(200);
    }
    // A new title is not an edit of the text.
    world.olivia().patch(post, json!({ "title": "3" })).expect(200);
    assert_eq!(editors(), [(max.clone(), true), (max.clone(), true)]);
    world.olivia().patch(comment, json!({ "body": "by Olivia" })).expect(200);
    assert_eq!(editors(), [(max, true), (olivia.clone(), true)]);
    world.sam().delete("/admin/users/max").expect(204);
    assert_eq!(editors(), [(nothing, true), (olivia, true)]);
}

#[test]
fn private_posts_are_there_for_members_and_owners_only() {
    let world = world();
    let ids = "query($ids: [ID!]!) { nodes(ids: $ids) { ... on TeamDiscussion { title } } }";
    let record = world.tom().get("/orgs/acme/teams/core/discussions/2").expect(200).clone();
    for (client, sees) in [(world.olivia(), true), (world.max(), true), (world.tom(), true), (world.eve(), false)] {
        let board = on_board(&client, "discussions { totalCount nodes { number } } discussion(number: 2) { title }");
        let expected = if sees { vec![3, 2, 1] } else { vec![3, 1] };
        assert_eq!(numbers(&board["discussions"]), expected);
        assert_eq!(board["discussions"]["totalCount"], expected.len());
        assert_eq!(board["discussion"].is_object(), sees);
        let body = ask(&client, ids, json!({ "ids": [record["node_id"]] }));
        assert_eq!(body["data"]["nodes"][0].is_object(), sees);
        assert_eq!(body["errors"][0]["type"], if sees { json!(null) } else { json!("NOT_FOUND") });
    }
    let body = ask(&world.nina(), ids, json!({ "ids": [record["node_id"]] }));
    assert_eq!((&body["data"]["nodes"], &body["errors"][0]["type"]), (&json!([null]), &json!("NOT_FOUND")));
    assert_eq!(on_board(&world.tom(), "discussion(number: 9) { title }"), json!({ "discussion": null }));
}

#[test]
fn comments_are_nodes_as_visible_as_their_discussion() {
    let world = world();
    let path = "/orgs/acme/teams/core/discussions/2/comments";
    let record = world.max().post(path, json!({ "body": "quiet" })).expect(201).clone();
    let query = "query($id: ID!) { node(id: $id) { ... on TeamDiscussionComment { number body
        discussion { number isPrivate team { slug } } viewerCanUpdate } } }";
    let found = data(&world.tom(), query, json!({ "id": record["node_id"] }))["node"].clone();
    let of = json!({ "number": 2, "isPrivate": true, "team": { "slug": "core" } });
    // Tom wrote the discussion. That gives him no rights over the comments on it.
    assert_eq!(found, json!({ "number": 1, "body": "quiet", "discussion": of, "viewerCanUpdate": false }));
    for client in [world.eve(), world.nina()] {
        assert_eq!(error(&client, query, json!({ "id": record["node_id"] })).0, "NOT_FOUND");
    }
    let board =
        on_board(&world.tom(), "discussion(number: 2) { viewerCanUpdate comments { nodes { viewerCanUpdate } } }");
    let comments = json!({ "nodes": [{ "viewerCanUpdate": false }] });
    assert_eq!(board["discussion"], json!({ "viewerCanUpdate": true, "comments": comments }));
}

#[test]
fn who_may_change_a_post_is_shown_to_them() {
    let world = world();
    let selection = "discussion(number: 3) { viewerCanUpdate viewerCanDelete viewerDidAuthor }";
    for (client, edits, author) in [
        (world.olivia(), true, false),
        (world.max(), true, false),
        (world.tom(), false, false),
        (world.eve(), true, true),
    ] {
        let found = on_board(&client, selection)["discussion"].clone();
        assert_eq!(found, json!({ "viewerCanUpdate": edits, "viewerCanDelete": edits, "viewerDidAuthor": author }));
    }
}

#[test]
fn discussions_and_comments_are_paged_in_both_orders() {
    let world = world();
    let tom = world.tom();
    let board = |arguments: &str| {
        let selection = format!(
            "discussions({arguments}) {{ nodes {{ number }} pageInfo {{ endCursor hasNextPage }} totalCount }}"
        );
        on_board(&tom, &selection)["discussions"].clone()
    };
    let oldest = "orderBy: {field: CREATED_AT, direction: ASC}";
    assert_eq!(numbers(&board("first: 10")), [3, 2, 1]);
    let first = board(&format!("first: 2, {oldest}"));
    assert_eq!((numbers(&first), &first["pageInfo"]["hasNextPage"]), (vec![1, 2], &json!(true)));
    let after = first["pageInfo"]["endCursor"].as_str().expect("a cursor").to_owned();
    // The cursor stays where it was while posts are deleted.
    world.max().delete("/orgs/acme/teams/core/discussions/2").expect(204);
    assert_eq!(numbers(&board(&format!("first: 2, {oldest}, after: \"{after}\""))), [3]);
    assert_eq!(numbers(&board("last: 1")), [1]);
    assert_eq!(board("isPinned: true")["totalCount"], 0);
    assert_eq!(numbers(&board("isPinned: false")), [3, 1]);
    let comments = |arguments: &str| {
        let selection =
            format!("discussion(number: 1) {{ comments({arguments}) {{ nodes {{ number }} edges {{ cursor }} }} }}");
        numbers(&on_board(&tom, &selection)["discussion"]["comments"])
    };
    assert_eq!(comments("first: 10"), [1, 2, 3]);
    assert_eq!(comments("orderBy: {field: NUMBER, direction: DESC}"), [3, 2, 1]);
    assert_eq!(comments("fromComment: 2"), [2, 3]);
    assert_eq!(comments("fromComment: 2, orderBy: {field: NUMBER, direction: DESC}"), [2, 1]);
    let query = format!(
        "{{ organization(login: \"acme\") {{ team(slug: \"core\") {{ discussions(first: 1, after: \"{after}\") {{
            totalCount }} childTeams(after: \"{after}\") {{ totalCount }} }} }} }}"
    );
    assert_eq!(error(&tom, &query, json!({})).0, "INVALID_CURSOR_ARGUMENTS");
}

#[test]
fn posts_need_the_scope_for_discussions() {
    let world = world();
    let narrow = world.limited("tom", &["read:org"]);
    let record = world.tom().get("/orgs/acme/teams/core/discussions/1").expect(200).clone();
    for selection in ["discussions { totalCount }", "discussion(number: 1) { id }"] {
        let query = format!("{{ organization(login: \"acme\") {{ team(slug: \"core\") {{ {selection} }} }} }}");
        refused(&narrow, &query, "INSUFFICIENT_SCOPES");
    }
    let node = "query($id: ID!) { node(id: $id) { id } }";
    assert_eq!(error(&narrow, node, json!({ "id": record["node_id"] })).0, "NOT_FOUND");
    let reads = world.limited("tom", &["read:org", "read:discussion"]);
    assert_eq!(on_board(&reads, "discussion(number: 1) { title }")["discussion"]["title"], "First");
    let without_teams = world.limited("tom", &["read:discussion"]);
    let body = ask(&without_teams, node, json!({ "id": record["node_id"] }));
    assert_eq!(body["data"]["node"]["id"], record["node_id"]);
}

#[test]
fn a_page_of_posts_is_read_with_few_statements() {
    let world = world();
    for n in 0..30 {
        let fields = json!({ "title": format!("Post {n}"), "body": "text" });
        world.tom().post("/orgs/acme/teams/core/discussions", fields).expect(201);
    }
    let statements = |count: usize| {
        let selection = format!(
            "discussions(first: {count}) {{ nodes {{ body bodyText viewerCanUpdate author {{ login ... on User {{ name }} }} }} }}"
        );
        on_board(&world.tom(), &selection);
        world.faults.record();
        let found = on_board(&world.tom(), &selection);
        assert_eq!(found["discussions"]["nodes"].as_array().map(Vec::len), Some(count));
        let mut distinct = world.faults.recorded();
        let all = distinct.len();
        distinct.sort_unstable();
        distinct.dedup();
        (all, distinct.len())
    };
    let ((few, kinds_of_few), (many, kinds_of_many)) = (statements(4), statements(30));
    // Texts may be long, so ten are read at a time.
    assert_eq!((many - few, kinds_of_many), (2, kinds_of_few));
}
