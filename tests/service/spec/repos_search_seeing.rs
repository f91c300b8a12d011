//! Searching repositories: only what the caller reads is found and counted, in pages, and within limits.

use crate::spec::repos_search::{found, search, world};
use crate::support::{Client, json};

const UNSEEN: &str = "The listed users and repositories cannot be searched either because the resources do not exist or \
                      you do not have permission to view them.";

/// Every way to search for everything.
const EVERYTHING: [&str; 2] = ["fork:true created:>2000-01-01", "fork:true org:acme user:nina"];

#[track_caller]
fn finds_private(client: &Client, names: &[&str]) {
    for query in EVERYTHING {
        let mut all = found(client, query, "");
        all.retain(|name| ["acme/vault", "nina/diary"].contains(&name.as_str()));
        assert_eq!(all, names, "{query}");
    }
}

#[test]
fn operation_search_finds_only_what_the_caller_reads() {
    let world = world();
    finds_private(&world.olivia(), &["acme/vault"]);
    finds_private(&world.nina(), &["nina/diary"]);
    for client in [world.tom(), world.eve(), world.sam(), world.anonymous(), world.limited("olivia", &["admin:org"])] {
        finds_private(&client, &[]);
    }
    world.execute(
        "INSERT INTO team_repos (team_id, repo_id, level)
         SELECT t.id, r.id, 3 FROM teams t JOIN repos r ON r.name_key = 'vault' WHERE t.slug = 'core'",
    );
    world.execute(
        "INSERT INTO repo_collaborators (repo_id, user_id, level)
         SELECT r.id, u.id, 1 FROM repos r JOIN users u ON u.login = 'tom' WHERE r.name_key = 'diary'",
    );
    finds_private(&world.tom(), &["acme/vault", "nina/diary"]);
    finds_private(&world.eve(), &[]);
    world.olivia().patch("/orgs/acme", json!({ "default_repository_permission": "read" })).expect(200);
    finds_private(&world.eve(), &["acme/vault"]);
    finds_private(&world.nina(), &["nina/diary"]);
}

#[test]
fn operation_search_finds_exactly_what_is_listed() {
    let world = world();
    for client in [world.olivia(), world.max(), world.tom(), world.nina(), world.anonymous()] {
        for (owner, query) in [("acme", "org:acme fork:true"), ("nina", "user:nina fork:true")] {
            let listed = client.get(&format!("/users/{owner}/repos")).each("full_name");
            assert_eq!(found(&client, query, ""), listed);
        }
    }
}

#[test]
fn operation_search_refuses_unknown_names_like_invisible_ones() {
    let world = world();
    let errors = json!([{ "resource": "Search", "code": "invalid", "field": "q", "message": UNSEEN }]);
    let refused = |client: &Client, query: &str| {
        assert_eq!(search(client, query, "").refused(422, "Validation Failed")["errors"], errors, "{query}");
    };
    for client in [world.eve(), world.anonymous(), world.limited("olivia", &["admin:org"])] {
        for query in ["repo:acme/vault", "repo:acme/nothing", "repo:unknown/vault", "org:unknown", "user:unknown"] {
            refused(&client, query);
            refused(&client, &format!("org:acme -{query}"));
            refused(&client, &format!("org:acme {query}"));
        }
    }
    assert_eq!(found(&world.olivia(), "repo:acme/vault", ""), ["acme/vault"]);
}

#[test]
fn operation_search_has_pages_up_to_a_thousand_results() {
    let world = world();
    world.execute(
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1101)
         INSERT INTO repos (org_id, name, name_key, created_at, updated_at)
         SELECT o.id, 'many-' || i, 'many-' || i, 0, 0 FROM orgs o CROSS JOIN n WHERE o.login = 'acme'",
    );
    let max = world.max();
    let page = |more: &str| search(&max, "many org:acme", more);
    let names = |more: &str| -> Vec<String> {
        let page = page(more).expect(200).clone();
        assert_eq!(page["total_count"], 1101);
        page["items"].as_array().expect("items").iter().map(|item| item["name"].to_string()).collect()
    };
    assert_eq!(names("").len(), 30);
    let second = page("&per_page=100&page=2");
    let end = |rel: &str| second.link(rel).and_then(|url| url.split_once('?').map(|(_, query)| query.to_owned()));
    assert_eq!(end("next").as_deref(), Some("q=many%20org%3Aacme&per_page=100&page=3"));
    assert_eq!(end("last").as_deref(), Some("q=many%20org%3Aacme&per_page=100&page=10"));
    let pages: Vec<String> = (1..=10).flat_map(|n| names(&format!("&per_page=100&page={n}"))).collect();
    let all: Vec<String> = (1..=1_000).map(|n| format!("\"many-{n}\"")).collect();
    assert_eq!(pages, all);
    // The last page that can be reached is a short one.
    assert_eq!(names("&per_page=30&page=34").len(), 10);
    for beyond in ["&per_page=100&page=11", "&page=35", "&page=99999999999999999999"] {
        page(beyond).refused(422, "Only the first 1000 search results are available");
    }
    assert!(search(&max, "engine", "").header("link").is_none());
    assert_eq!(search(&max, "engine", "&page=9").expect(200)["items"], json!([]));
}

#[test]
fn operation_search_looks_at_a_limited_number_of_repositories() {
    let world = world();
    let complete = |query: &str| search(&world.max(), query, "").expect(200).clone();
    assert_eq!(complete("many")["incomplete_results"], false);
    world.execute(
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20001)
         INSERT INTO repos (org_id, name, name_key, created_at, updated_at)
         SELECT o.id, 'many-' || i, 'many-' || i, 0, 0 FROM orgs o CROSS JOIN n WHERE o.login = 'acme'",
    );
    for query in ["many", "many org:acme"] {
        let all = complete(query);
        let count = all["total_count"].as_u64().expect("a count");
        assert_eq!((&all["incomplete_results"], (14_000..15_000).contains(&count)), (&json!(true), true), "{count}");
    }
    // Each word is a comparison more.
    let long = complete("many -a -b -c -d");
    assert_eq!((&long["incomplete_results"], long["total_count"].as_u64() < Some(8_000)), (&json!(true), true));
    // Names narrow the search first.
    assert_eq!(complete("repo:acme/many-20001")["total_count"], 1);
    assert_eq!(complete("user:nina fork:true")["incomplete_results"], false);
}
