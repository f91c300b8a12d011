//! Searches: what they find, who sees it, their pages, and their limit.

use crate::graphql::{ask, data, error, post};
use crate::spec::repos_search;
use crate::support::{Client, Value, World, json};

const REPOSITORIES: &str = "query($query: String!, $first: Int, $after: String, $last: Int, $before: String) {
    search(type: REPOSITORY, query: $query, first: $first, after: $after, last: $last, before: $before) {
    repositoryCount userCount codeCount issueCount discussionCount wikiCount edges { cursor } nodes { __typename ... on
    Repository { nameWithOwner viewerPermission } } pageInfo { hasNextPage hasPreviousPage endCursor startCursor } } }";

const ACCOUNTS: &str = "query($query: String!, $first: Int = 100, $after: String) { search(type: USER, query: $query,
    first: $first, after: $after) { userCount repositoryCount nodes { ... on User { login name } ... on Organization {
    login name viewerIsAMember } } pageInfo { hasNextPage endCursor } } }";

fn repositories(client: &Client, query: &str, more: Value) -> Value {
    let mut variables = more;
    variables["query"] = json!(query);
    data(client, REPOSITORIES, variables)["search"].clone()
}

fn each<'v>(found: &'v Value, field: &str) -> Vec<&'v str> {
    found["nodes"].as_array().expect("nodes").iter().map(|one| one[field].as_str().unwrap_or_default()).collect()
}

fn logins(client: &Client, query: &str) -> Vec<String> {
    let found = data(client, ACCOUNTS, json!({ "query": query }))["search"].clone();
    let logins: Vec<String> = each(&found, "login").into_iter().map(str::to_owned).collect();
    assert_eq!((&found["userCount"], &found["repositoryCount"]), (&json!(logins.len()), &json!(0)));
    logins
}

#[test]
fn a_search_finds_the_repositories_that_rest_finds() {
    let world = repos_search::world();
    for client in [world.olivia(), world.nina(), world.eve(), world.limited("olivia", &["read:org"])] {
        for query in
            ["engine", "fork:true org:acme", "topic:steam", "is:private fork:true", "\"two words\"", "fork:only"]
        {
            let found = repositories(&client, query, json!({ "first": 100 }));
            let expected = repos_search::found(&client, query, "");
            assert_eq!(each(&found, "nameWithOwner"), expected, "{query}");
            let counts = ["repositoryCount", "userCount", "codeCount", "wikiCount"].map(|count| found[count].clone());
            assert_eq!(counts, [json!(expected.len()), json!(0), json!(0), json!(0)]);
        }
    }
}

#[test]
fn a_search_has_an_order_of_its_own_and_names_the_caller() {
    let world = repos_search::world();
    world.advance(60);
    world.olivia().patch("/repos/acme/gearbox", json!({ "description": "New" })).expect(200);
    let nina = world.nina();
    for (query, expected) in [
        ("org:acme gear sort:updated", ["acme/gearbox", "acme/gear_box"]),
        ("org:acme gear sort:updated-asc", ["acme/gear_box", "acme/gearbox"]),
        ("user:@me sort:stars-desc fork:true", ["nina/Engine", "nina/diary"]),
    ] {
        assert_eq!(each(&repositories(&nina, query, json!({})), "nameWithOwner"), expected, "{query}");
    }
}

#[test]
fn the_results_of_a_search_have_pages() {
    let world = repos_search::world();
    let olivia = world.olivia();
    let query = "org:acme fork:true";
    let whole = repositories(&olivia, query, json!({}));
    let all = each(&whole, "nameWithOwner");
    assert_eq!((all.len(), &whole["pageInfo"]["hasNextPage"]), (5, &json!(false)));
    let mut after = json!(null);
    let mut found: Vec<String> = Vec::new();
    for at in 0..3 {
        let page = repositories(&olivia, query, json!({ "first": 2, "after": after }));
        assert_eq!((&page["repositoryCount"], &page["pageInfo"]["hasPreviousPage"]), (&json!(5), &json!(at > 0)));
        assert_eq!(page["pageInfo"]["hasNextPage"], at < 2);
        found.extend(each(&page, "nameWithOwner").into_iter().map(str::to_owned));
        after = page["pageInfo"]["endCursor"].clone();
    }
    assert_eq!(found, all);
    let last = repositories(&olivia, query, json!({ "last": 2, "before": after }));
    assert_eq!(each(&last, "nameWithOwner"), all[2..4]);
    let beyond = repositories(&olivia, query, json!({ "first": 2, "after": after }));
    assert_eq!((each(&beyond, "nameWithOwner").len(), &beyond["repositoryCount"]), (0, &json!(5)));
    let (kind, ..) = error(&olivia, REPOSITORIES, json!({ "query": query, "first": 101 }));
    assert_eq!(kind, "EXCESSIVE_PAGINATION");
}

#[test]
fn a_query_that_is_none_is_an_error_of_its_field() {
    let world = World::new();
    for (query, kind, message) in [
        ("", REPOSITORIES, ""),
        ("stars:>5", REPOSITORIES, "`stars:` is not a known qualifier."),
        ("org:none", REPOSITORIES, "The listed users and repositories cannot be searched"),
        ("a OR b", ACCOUNTS, "`OR` is not supported."),
        ("repos:5", ACCOUNTS, "`repos:5` is not known."),
        ("org:none", ACCOUNTS, "The listed users and repositories cannot be searched"),
        ("org:max", ACCOUNTS, "The listed users and repositories cannot be searched"),
        ("\u{0}", ACCOUNTS, "The arguments contain a NUL character."),
    ] {
        let body = ask(&world.eve(), kind, json!({ "query": query }));
        assert_eq!(body["data"], json!(null), "{query}");
        let found = &body["errors"][0];
        assert_eq!(found["path"], json!(["search"]));
        assert!(found["message"].as_str().unwrap_or_default().starts_with(message), "{found}");
        assert_eq!(found["type"], if query == "\u{0}" { "INVALID_ARGUMENT" } else { "UNPROCESSABLE" });
    }
}

#[test]
fn a_search_finds_accounts_by_login_and_name() {
    let world = World::new();
    world.execute("UPDATE users SET name = 'Älter, Maxine' WHERE login = 'ray'");
    let eve = world.eve();
    assert_eq!(logins(&eve, "MAX"), ["max", "ray"], "the whole login comes first");
    assert_eq!(logins(&eve, "älter max"), ["ray"]);
    assert_eq!(logins(&eve, "max in:login"), ["max"]);
    assert_eq!(logins(&eve, "max in:name"), ["ray"]);
    assert_eq!(logins(&eve, "max -ray in:login in:name"), ["max"]);
    assert_eq!(logins(&eve, "acme"), ["acme"]);
    assert_eq!(logins(&eve, "acme type:user"), Vec::<String>::new());
    assert_eq!(logins(&eve, "type:org"), ["acme"]);
    let found = data(&eve, ACCOUNTS, json!({ "query": "acme" }))["search"]["nodes"].clone();
    assert_eq!(found[0]["viewerIsAMember"], true);
    let page = data(&eve, ACCOUNTS, json!({ "query": "max", "first": 1 }))["search"].clone();
    assert_eq!((each(&page, "login"), &page["pageInfo"]["hasNextPage"]), (vec!["max"], &json!(true)));
    let next = json!({ "query": "max", "first": 1, "after": page["pageInfo"]["endCursor"] });
    assert_eq!(each(&data(&eve, ACCOUNTS, next)["search"], "login"), ["ray"]);
}

#[test]
fn a_search_finds_only_accounts_that_are_listed_for_the_caller() {
    let world = World::new();
    world.tom().put("/orgs/acme/public_members/tom", json!({})).expect(204);
    assert_eq!(logins(&world.nina(), "org:acme"), ["tom"]);
    assert_eq!(logins(&world.limited("eve", &["notifications"]), "org:acme"), ["tom"]);
    let members = world.eve().get("/orgs/acme/members").each("login");
    assert_eq!(logins(&world.eve(), "org:acme"), members);
    assert_eq!(logins(&world.eve(), "org:acme tom"), ["tom"]);
    world.sam().put("/users/tom/suspended", json!({})).expect(204);
    assert_eq!(logins(&world.eve(), "tom"), Vec::<String>::new());
    assert_eq!(logins(&world.eve(), "org:acme tom"), Vec::<String>::new());
    assert_eq!(logins(&world.sam(), "tom"), ["tom"]);
}

#[test]
fn searches_count_in_the_limit_of_searches() {
    let world = World::new();
    let (tom, query) = (world.tom(), "{ search(type: USER, query: \"tom\") { userCount } }");
    for _ in 0..28 {
        data(&tom, query, json!({}));
    }
    tom.get("/search/repositories?q=x").expect(200);
    let used = |resource: &str| tom.get("/rate_limit").expect(200)["resources"][resource]["used"].clone();
    assert_eq!((used("search"), used("graphql")), (json!(29), json!(28)));
    let two = "{ a: search(type: USER, query: \"a\") { userCount } b: search(type: USER, query: \"b\") { userCount } }";
    let answer = post(&tom, two, json!({}));
    let found = answer.expect(200).clone();
    assert_eq!((&found["errors"][0]["type"], found.get("data")), (&json!("RATE_LIMITED"), None));
    let header = |name: &str| answer.header(&format!("x-ratelimit-{name}")).map(str::to_owned);
    assert_eq!((header("resource").as_deref(), header("limit").as_deref()), (Some("search"), Some("30")));
    data(&tom, query, json!({}));
    assert_eq!(post(&tom, query, json!({})).expect(200)["errors"][0]["type"], "RATE_LIMITED");
    tom.get("/search/repositories?q=x").expect(403);
    data(&tom, "{ viewer { login } }", json!({}));
    world.advance(60);
    data(&tom, two, json!({}));
}
