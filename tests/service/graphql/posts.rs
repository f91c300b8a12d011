//! Mutations of discussions and comments (decision 60).

use crate::graphql::{ask, data, error, post};
use crate::support::world::Settings;
use crate::support::{Client, Value, World, json};

const CREATE: &str = "mutation($input: CreateTeamDiscussionInput!) { createTeamDiscussion(input: $input) {
    clientMutationId teamDiscussion { id number title body isPrivate author { login } } } }";
const UPDATE: &str = "mutation($input: UpdateTeamDiscussionInput!) { updateTeamDiscussion(input: $input) {
    clientMutationId teamDiscussion { title body bodyVersion } } }";
const DELETE: &str = "mutation($input: DeleteTeamDiscussionInput!) { deleteTeamDiscussion(input: $input) {
    clientMutationId } }";
const COMMENT: &str =
    "mutation($input: CreateTeamDiscussionCommentInput!) { createTeamDiscussionComment(input: $input) {
    clientMutationId teamDiscussionComment { id number body discussion { number } author { login } } } }";
const RECOMMENT: &str = "mutation($input: UpdateTeamDiscussionCommentInput!) {
    updateTeamDiscussionComment(input: $input) { teamDiscussionComment { body bodyVersion } } }";
const UNCOMMENT: &str = "mutation($input: DeleteTeamDiscussionCommentInput!) {
    deleteTeamDiscussionComment(input: $input) { clientMutationId } }";

const BOARD: &str = "/orgs/acme/teams/core/discussions";

fn core(world: &World) -> Value {
    world.olivia().get("/orgs/acme/teams/core").expect(200)["node_id"].clone()
}

/// The name and the fields of the facts of the newest events of acme, which webhooks and e-mails are told of.
fn told(world: &World, count: usize) -> Vec<(String, Vec<String>)> {
    let rows: Vec<(String, String)> = world.rows(TOLD);
    let fields = |facts: &str| {
        let facts: Value = serde_json::from_str(facts).expect("facts");
        facts.as_object().expect("an object").keys().cloned().collect()
    };
    rows.iter().take(count).map(|(event, facts)| (event.clone(), fields(facts))).collect()
}

const TOLD: &str = "
    SELECT event, facts FROM journal_facts
    WHERE org_id = (SELECT id FROM orgs WHERE login = 'acme') AND event IS NOT NULL ORDER BY entry DESC LIMIT 4";

/// A post of Tom, and a comment of Max on it.
fn written(world: &World) -> (Value, Value) {
    let post = world.tom().post(BOARD, json!({ "title": "Old", "body": "old" })).expect(201).clone();
    let comment = world.max().post(&format!("{BOARD}/1/comments"), json!({ "body": "old" })).expect(201).clone();
    (post, comment)
}

/// Asserts that a mutation is refused with this type, and that its message contains this text.
#[track_caller]
fn refused(client: &Client, query: &str, fields: &Value, kind: &str, text: &str) {
    let (found, message, has_data) = error(client, query, json!({ "input": fields }));
    assert_eq!((found.as_str(), has_data), (kind, true), "{message}");
    assert!(message.contains(text), "{message}");
}

#[test]
fn a_discussion_is_created_updated_and_deleted() {
    let world = World::new();
    let tom = world.tom();
    let run = |query: &str, fields: Value| data(&tom, query, json!({ "input": fields }));
    let fields = json!({ "teamId": core(&world), "title": "New", "body": "Hi @max", "private": true,
        "clientMutationId": "1" });
    let created = run(CREATE, fields)["createTeamDiscussion"].clone();
    let record = tom.get(&format!("{BOARD}/1")).expect(200).clone();
    let shown = json!({ "id": record["node_id"], "number": 1, "title": "New", "body": "Hi @max", "isPrivate": true,
        "author": { "login": "tom" } });
    assert_eq!(created, json!({ "clientMutationId": "1", "teamDiscussion": shown }));
    let id = &record["node_id"];
    let updated = run(UPDATE, json!({ "id": id, "title": "Newer" }))["updateTeamDiscussion"].clone();
    assert_eq!(updated["teamDiscussion"]["title"], "Newer");
    assert_eq!(updated["teamDiscussion"]["bodyVersion"], record["body_version"]);
    let updated = run(UPDATE, json!({ "id": id, "body": "Bye", "bodyVersion": record["body_version"] }));
    let shown = updated["updateTeamDiscussion"]["teamDiscussion"].clone();
    let record = tom.get(&format!("{BOARD}/1")).expect(200).clone();
    assert_eq!(shown, json!({ "title": "Newer", "body": "Bye", "bodyVersion": record["body_version"] }));
    let deleted = run(DELETE, json!({ "id": id, "clientMutationId": "2" }));
    assert_eq!(deleted, json!({ "deleteTeamDiscussion": { "clientMutationId": "2" } }));
    tom.get(&format!("{BOARD}/1")).expect(404);
    refused(&tom, DELETE, &json!({ "id": id }), "NOT_FOUND", "Could not resolve to a node with the global id of '");
}

#[test]
fn a_comment_is_created_updated_and_deleted() {
    let world = World::new();
    let (post, _) = written(&world);
    let eve = world.eve();
    let run = |query: &str, fields: Value| data(&eve, query, json!({ "input": fields }));
    let created = run(COMMENT, json!({ "discussionId": post["node_id"], "body": "Hi", "clientMutationId": "1" }));
    let record = eve.get(&format!("{BOARD}/1/comments/2")).expect(200).clone();
    let shown = json!({ "id": record["node_id"], "number": 2, "body": "Hi", "discussion": { "number": 1 },
        "author": { "login": "eve" } });
    let payload = json!({ "clientMutationId": "1", "teamDiscussionComment": shown });
    assert_eq!(created["createTeamDiscussionComment"], payload);
    let (id, version) = (&record["node_id"], &record["body_version"]);
    let updated = run(RECOMMENT, json!({ "id": id, "body": "Bye", "bodyVersion": version }));
    assert_eq!(updated["updateTeamDiscussionComment"]["teamDiscussionComment"]["body"], "Bye");
    let stale = json!({ "id": id, "body": "Again", "bodyVersion": version });
    refused(&eve, RECOMMENT, &stale, "UNPROCESSABLE", "The text has changed since `bodyVersion`.");
    assert_eq!(eve.get(&format!("{BOARD}/1/comments/2")).expect(200)["body"], "Bye");
    run(UNCOMMENT, json!({ "id": id }));
    eve.get(&format!("{BOARD}/1/comments/2")).expect(404);
    assert_eq!(eve.get(&format!("{BOARD}/1")).expect(200)["comments_count"], 1);
}

#[test]
fn what_is_missing_or_wrong_is_refused_while_executing() {
    let world = World::new();
    let (post, comment) = written(&world);
    let tom = world.tom();
    let (team, id) = (core(&world), &post["node_id"]);
    for (query, fields, text) in [
        (CREATE, json!({ "title": "a", "body": "b" }), "\"teamId\" wasn't supplied."),
        (CREATE, json!({ "teamId": team, "body": "b" }), "\"title\" wasn't supplied."),
        (CREATE, json!({ "teamId": team, "title": "a" }), "\"body\" wasn't supplied."),
        (CREATE, json!({ "teamId": team }), "\"title\", \"body\" weren't supplied."),
        (CREATE, json!({ "teamId": team, "title": null, "body": "b" }), "\"title\" wasn't supplied."),
        (CREATE, json!({ "teamId": team, "title": " ", "body": "b" }), "Title cannot be blank"),
        (CREATE, json!({ "teamId": team, "title": "a", "body": "é".repeat(65_536) }), "body is too long"),
        (COMMENT, json!({ "body": "b" }), "\"discussionId\" wasn't supplied."),
        (COMMENT, json!({ "discussionId": id }), "\"body\" wasn't supplied."),
        (RECOMMENT, json!({ "id": comment["node_id"], "body": " " }), "Body cannot be blank"),
        (UPDATE, json!({ "id": id, "title": "b", "bodyVersion": "0" }), "The text has changed since `bodyVersion`."),
    ] {
        refused(&world.olivia(), query, &fields, "UNPROCESSABLE", text);
    }
    for (query, fields) in [
        (CREATE, json!({ "teamId": id, "title": "a", "body": "b" })),
        (CREATE, json!({ "teamId": "core", "title": "a", "body": "b" })),
        (COMMENT, json!({ "discussionId": team, "body": "b" })),
        (COMMENT, json!({ "discussionId": comment["node_id"], "body": "b" })),
        (UPDATE, json!({ "id": comment["node_id"], "title": "b" })),
        (DELETE, json!({ "id": "" })),
        (RECOMMENT, json!({ "id": id, "body": "b" })),
        (UNCOMMENT, json!({ "id": id })),
    ] {
        refused(&tom, query, &fields, "NOT_FOUND", "Could not resolve to a node with the global id of '");
    }
    let nul = json!({ "teamId": team, "title": "a", "body": "b\u{0}" });
    refused(&tom, CREATE, &nul, "INVALID_ARGUMENT", "NUL");
    assert_eq!(tom.get(BOARD).expect(200).as_array().map(Vec::len), Some(1));
    assert_eq!(tom.get(&format!("{BOARD}/1")).expect(200)["title"], "Old");
}

#[test]
fn only_those_who_may_change_posts() {
    let world = World::new();
    let (post, comment) = written(&world);
    let private = world.tom().post(BOARD, json!({ "title": "P", "body": "p", "private": true })).expect(201).clone();
    let author = "You must be the author, a team maintainer or an organization owner to do this.";
    let (id, on) = (&post["node_id"], &comment["node_id"]);
    for (query, fields) in [
        (UPDATE, json!({ "id": id, "title": "b" })),
        (DELETE, json!({ "id": id })),
        (RECOMMENT, json!({ "id": on, "body": "b" })),
        (UNCOMMENT, json!({ "id": on })),
    ] {
        refused(&world.eve(), query, &fields, "FORBIDDEN", author);
        refused(&world.nina(), query, &fields, "NOT_FOUND", "Could not resolve to a node with the global id of '");
    }
    // The author of a discussion has no rights over the comments of others.
    refused(&world.tom(), UNCOMMENT, &json!({ "id": on }), "FORBIDDEN", author);
    let hidden = json!({ "discussionId": private["node_id"], "body": "b" });
    refused(&world.eve(), COMMENT, &hidden, "NOT_FOUND", "Could not resolve to a node with the global id of '");
    refused(&world.eve(), DELETE, &json!({ "id": private["node_id"] }), "NOT_FOUND", "Could not resolve");
    // Eve would learn from a stale version that the private post exists.
    let stale = json!({ "id": private["node_id"], "title": "b", "bodyVersion": "0" });
    refused(&world.eve(), UPDATE, &stale, "NOT_FOUND", "Could not resolve");
    let not_hers = json!({ "teamId": core(&world), "title": "a", "body": "b", "private": true });
    refused(&world.eve(), CREATE, &not_hers, "FORBIDDEN", "You must be a member of the team to create a private");
    refused(&world.nina(), CREATE, &not_hers, "NOT_FOUND", "Could not resolve to a node with the global id of '");
    let reads = world.limited("tom", &["read:discussion", "repo"]);
    let (kind, message, has_data) = error(&reads, DELETE, json!({ "input": { "id": id } }));
    assert_eq!((kind.as_str(), has_data), ("INSUFFICIENT_SCOPES", false));
    assert!(message.contains("requires one of the following scopes: ['write:discussion']"), "{message}");
    let writes = world.limited("tom", &["write:discussion"]);
    data(&writes, DELETE, json!({ "input": { "id": id } }));
}

#[test]
fn mutations_count_in_the_abuse_limit_with_requests() {
    let world = World::with(Settings { creation_limit: (3, 100), ..Settings::default() });
    let (tom, team) = (world.tom(), core(&world));
    tom.post(BOARD, json!({ "title": "1", "body": "1" })).expect(201);
    let create = |n: u32| {
        format!(
            "m{n}: createTeamDiscussion(input: {{teamId: {team}, title: \"{n}\", body: \"b\"}}) {{
        teamDiscussion {{ number }} }} "
        )
    };
    let query = format!("mutation {{ {}{}{} }}", create(2), create(3), create(4));
    let answer = post(&tom, &query, json!({}));
    let body = answer.expect(200).clone();
    assert_eq!(body["data"]["m3"], json!({ "teamDiscussion": { "number": 3 } }));
    assert_eq!((&body["data"]["m4"], &body["errors"][0]["path"]), (&json!(null), &json!(["m4"])));
    let message = body["errors"][0]["message"].as_str().expect("text");
    assert_eq!(body["errors"][0]["type"], "RATE_LIMITED");
    assert!(message.starts_with("You have exceeded a secondary rate limit"), "{message}");
    assert_eq!(answer.header("retry-after"), Some("60"));
    tom.post(BOARD, json!({ "title": "5", "body": "5" })).expect(403);
    assert_eq!(tom.get(BOARD).expect(200).as_array().map(Vec::len), Some(3));
    world.advance(60);
    data(&tom, &format!("mutation {{ {} }}", create(5)), json!({}));
}

#[test]
fn a_post_is_recorded_and_told_like_by_request() {
    let world = World::new();
    let (tom, team) = (world.tom(), core(&world));
    // Events that people are not notified of are stored for webhooks alone.
    let hook = json!({ "name": "web", "config": { "url": "http://127.0.0.1:9/" } });
    world.sam().post("/admin/hooks", hook).expect(201);
    let first = tom.post(BOARD, json!({ "title": "1", "body": "@max" })).expect(201).clone();
    tom.delete(&format!("{BOARD}/1")).expect(204);
    let fields = json!({ "teamId": team, "title": "1", "body": "@max" });
    let created = data(&tom, CREATE, json!({ "input": fields }));
    let id = created["createTeamDiscussion"]["teamDiscussion"]["id"].clone();
    assert_ne!(id, first["node_id"]);
    data(&tom, DELETE, json!({ "input": { "id": id } }));
    let log = world.olivia().get("/orgs/acme/audit-log?per_page=4").expect(200).clone();
    // They differ in their place in the journal and in the number of the post.
    let entry = |at: usize| {
        let mut entry = log[at].as_object().expect("an entry").clone();
        for field in ["@timestamp", "created_at", "_document_id", "request_id", "entry", "hash"] {
            entry.remove(field);
        }
        for state in ["before", "after"] {
            if let Some(post) = entry[state].as_object_mut() {
                post.remove("discussion");
            }
        }
        entry
    };
    assert_eq!(
        (log[0]["action"].clone(), log[1]["action"].clone()),
        (json!("team.destroy_discussion"), json!("team.create_discussion"))
    );
    assert_eq!((entry(0), entry(1)), (entry(2), entry(3)));
    let told = told(&world, 4);
    assert_eq!(told.len(), 4);
    assert_eq!(told[..2], told[2..]);
}

#[test]
fn a_payload_that_is_too_much_does_not_hide_the_change() {
    let world = World::new();
    let (tom, team) = (world.tom(), core(&world));
    let parts: Vec<String> = (0..200).map(|n| format!(" a{n}: body b{n}: bodyHTML c{n}: bodyText")).collect();
    let query = format!(
        "mutation($input: CreateTeamDiscussionInput!) {{ first: createTeamDiscussion(input: $input) {{
        teamDiscussion {{ {} }} }} second: createTeamDiscussion(input: $input) {{ clientMutationId }} }}",
        parts.concat()
    );
    let fields = json!({ "teamId": team, "title": "Long", "body": "x".repeat(65_535) });
    let body = ask(&tom, &query, json!({ "input": fields }));
    assert_eq!(body["data"], json!({ "first": null, "second": null }));
    let errors: Vec<(&Value, &str)> = body["errors"]
        .as_array()
        .expect("errors")
        .iter()
        .map(|error| (&error["type"], error["message"].as_str().unwrap_or_default()))
        .collect();
    assert!(errors.iter().all(|(kind, _)| **kind == json!("RESOURCE_LIMITS_EXCEEDED")), "{errors:?}");
    assert!(errors[0].1.starts_with("The change was made"), "{errors:?}");
    assert!(errors[1].1.starts_with("The mutation was not carried out"), "{errors:?}");
    assert_eq!(tom.get(BOARD).expect(200).as_array().map(Vec::len), Some(1));
    // In JSON, this text is six times as long as it is.
    let parts: Vec<String> = (0..60).map(|n| format!(" a{n}: body")).collect();
    let query = format!(
        "mutation($input: CreateTeamDiscussionInput!) {{ createTeamDiscussion(input: $input) {{ teamDiscussion {{ {} }}
            }} }}",
        parts.concat()
    );
    let fields = json!({ "teamId": team, "title": "Long", "body": "\u{1}".repeat(65_535) });
    refused(&tom, &query, &fields, "RESOURCE_LIMITS_EXCEEDED", "The change was made");
    assert_eq!(tom.get(BOARD).expect(200).as_array().map(Vec::len), Some(2));
}

#[test]
fn a_failure_of_the_store_leaves_nothing_half_done() {
    let world = World::new();
    let (tom, team) = (world.tom(), core(&world));
    let create = |n: u32| {
        format!(
            "m{n}: createTeamDiscussion(input: {{teamId: {team}, title: \"{n}\", body: \"b\"}}) {{
            teamDiscussion {{ title author {{ login }} }} }} "
        )
    };
    let query = json!({ "query": format!("mutation {{ {}{} }}", create(1), create(2)) });
    let posts = || tom.get(&format!("{BOARD}?per_page=100")).expect(200).as_array().map_or(0, Vec::len);
    let mut failed = 0;
    for n in 1.. {
        let before = posts();
        world.faults.arm(n);
        let answer = tom.post("/graphql", query.clone());
        let is_over = world.faults.disarm();
        let body = answer.json.clone();
        let was_made = |at: usize| {
            let key = format!("m{at}");
            let error = body["errors"].as_array().into_iter().flatten().find(|error| error["path"][0] == *key);
            let message = error.map_or("", |error| error["message"].as_str().unwrap_or_default());
            body["data"][&key].is_object() || message.starts_with("The change was made")
        };
        let made = usize::from(was_made(1)) + usize::from(was_made(2));
        assert_eq!(posts(), before + made, "statement {n}: {body}");
        assert!(answer.status == 503 || body["data"].is_object(), "statement {n}: {body}");
        failed += usize::from(made < 2);
        if is_over {
            assert_eq!(made, 2);
            break;
        }
    }
    assert!(failed > 5, "{failed}");
}
