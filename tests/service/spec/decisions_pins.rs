//! Pinned posts: what is shown of them, the limit, and what pinning leaves as it is (decisions 35 and 57).

use super::given;
use super::mail_invitations::{settle, world};
use crate::graphql::pins::{id_of, pin, posts};
use crate::support::{Client, Value, World, json};

const BOARD: &str = "/orgs/acme/teams/core/discussions";

#[test]
fn decision_57_a_list_has_what_is_pinned_or_not() {
    let world = World::new();
    posts(&world, 5);
    for number in [1, 2, 4] {
        pin(&world, &world.max(), number, true);
    }
    let numbers = |client: &Client, query: &str| given::each(client, &format!("{BOARD}{query}"), "number");
    for (client, query, wanted) in [
        (world.tom(), "", vec![5, 4, 3, 2, 1]),
        (world.tom(), "?pinned=true", vec![4, 2, 1]),
        (world.tom(), "?pinned=true&direction=asc", vec![1, 2, 4]),
        (world.tom(), "?pinned=false", vec![5, 3]),
        (world.tom(), "?pinned=false&direction=asc", vec![3, 5]),
        (world.eve(), "", vec![5, 3, 1]),
        (world.eve(), "?pinned=true", vec![1]),
        (world.eve(), "?pinned=true&direction=asc", vec![1]),
        (world.eve(), "?pinned=false", vec![5, 3]),
        (world.eve(), "?pinned=false&direction=asc", vec![3, 5]),
        (world.tom(), "?pinned=true&per_page=2&page=2", vec![1]),
        (world.tom(), "?pinned=false&per_page=1&page=2", vec![3]),
        (world.tom(), "?pinned=true&page=9", vec![]),
    ] {
        let wanted: Vec<Value> = wanted.into_iter().map(|number| json!(number)).collect();
        assert_eq!(numbers(&client, query), wanted, "{query}");
    }
    // Pages end where the filtered list ends.
    let last = |client: &Client, query: &str| {
        let page = client.get(&format!("{BOARD}?per_page=1&{query}"));
        page.link("last").and_then(|link| link.rsplit_once("page=").map(|(_, number)| number.to_owned()))
    };
    assert_eq!(last(&world.tom(), "pinned=true").as_deref(), Some("3"));
    assert_eq!(last(&world.tom(), "pinned=false").as_deref(), Some("2"));
    assert_eq!(last(&world.eve(), "pinned=true"), None, "private posts are not counted");
    assert_eq!(last(&world.eve(), "pinned=false").as_deref(), Some("2"));
    for (number, pinned) in [(1, true), (3, false)] {
        assert_eq!(world.eve().get(&format!("{BOARD}/{number}")).expect(200)["pinned"], pinned);
    }
    pin(&world, &world.olivia(), 1, false);
    assert_eq!(numbers(&world.eve(), "?pinned=true"), Vec::<Value>::new());
    world.olivia().delete(&format!("{BOARD}/2")).expect(204);
    assert_eq!(numbers(&world.tom(), "?pinned=true"), [json!(4)]);
}

#[test]
fn decision_35_the_api_does_not_pin() {
    let world = World::new();
    posts(&world, 1);
    for value in [json!(true), json!("true"), json!(1), json!(null)] {
        world.max().patch(&format!("{BOARD}/1"), json!({ "title": "Post 1", "pinned": value }));
        world.max().post(BOARD, json!({ "title": "Two", "body": "b", "pinned": value }));
    }
    assert_eq!(given::each(&world.max(), &format!("{BOARD}?pinned=true"), "number"), Vec::<Value>::new());
}

#[test]
fn decision_35_a_board_has_at_most_ten_pinned_posts() {
    let world = World::new();
    posts(&world, 11);
    let pinned = |number: i64| {
        let input = json!({ "id": id_of(&world, number), "pinned": true });
        let query = "mutation($input: UpdateTeamDiscussionInput!) { updateTeamDiscussion(input: $input) {
            teamDiscussion { isPinned } } }";
        let body = json!({ "query": query, "variables": { "input": input } });
        world.max().post("/graphql", body).expect(200)["errors"][0]["message"].clone()
    };
    for number in 1..=10 {
        assert_eq!(pinned(number), Value::Null);
    }
    let entries = || world.rows::<(i64,)>("SELECT entry FROM journal").len();
    let before = entries();
    assert_eq!(pinned(11), "A board has at most 10 pinned posts. Unpin another one first.");
    assert_eq!(world.olivia().get(&format!("{BOARD}/11")).expect(200)["pinned"], false);
    assert_eq!((pinned(10), entries()), (Value::Null, before), "the same again changes nothing");
    pin(&world, &world.max(), 2, false);
    assert_eq!(pinned(11), Value::Null);
}

#[test]
fn decision_35_pinning_changes_no_time_and_tells_no_one() {
    let world = world();
    let hook = json!({ "name": "web", "events": ["*"], "config": { "url": "http://127.0.0.1:9/" } });
    world.olivia().post("/orgs/acme/hooks", hook).expect(201);
    posts(&world, 1);
    settle(&world);
    let record = world.tom().get(&format!("{BOARD}/1")).expect(200).clone();
    let seen = || {
        let notices = world.rows::<(i64,)>("SELECT updated_at FROM notices ORDER BY id");
        (notices, world.rows::<(i64,)>("SELECT count(*) FROM journal_facts WHERE event IS NOT NULL"))
    };
    let before = seen();
    world.advance(60);
    pin(&world, &world.max(), 1, true);
    settle(&world);
    let mut pinned = record.clone();
    pinned["pinned"] = json!(true);
    assert_eq!(world.tom().get(&format!("{BOARD}/1")).expect(200), &pinned);
    pin(&world, &world.olivia(), 1, false);
    settle(&world);
    assert_eq!(world.tom().get(&format!("{BOARD}/1")).expect(200), &record);
    assert_eq!(seen(), before);
    let entries: Vec<(String, String, String, String)> = world.rows(
        "SELECT action, actor_login, before, after FROM journal WHERE action LIKE '%pin_discussion' ORDER BY org_id, entry",
    );
    let read = |text: &str| serde_json::from_str::<Value>(text).expect("JSON")["pinned"].clone();
    let read: Vec<_> =
        entries.iter().map(|(action, who, b, a)| (action.as_str(), who.as_str(), read(b), read(a))).collect();
    let (yes, no) = (json!(true), json!(false));
    assert_eq!(
        read,
        [("team.pin_discussion", "max", no.clone(), yes.clone()), ("team.unpin_discussion", "olivia", yes, no)]
    );
}
