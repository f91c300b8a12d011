//! Lists, filters, pages, and what of a resource is shown.

use crate::scim::{Provider, identifier, refused};
use crate::support::{Value, json};

fn three(provider: &Provider) -> [String; 3] {
    let person = |name: &str, more: Value| {
        let mut body = json!({ "userName": name });
        body.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        provider.user(body)
    };
    [
        person(
            "Anna@idp",
            json!({ "externalId": "X1", "title": "Captain", "name": { "givenName": "Anna", "familyName": "Ahl" } }),
        ),
        person(
            "bert@idp",
            json!({ "externalId": "x1", "emails": [
            { "value": "b@home.example", "type": "home" }, { "value": "Bert@work.example", "type": "work", "primary": true }
        ] }),
        ),
        person("carl@idp", json!({ "displayName": "Carl \"the\" Third", "active": false })),
    ]
}

#[test]
fn filters_find_what_they_say() {
    let provider = Provider::new();
    three(&provider);
    for (filter, names) in [
        ("userName eq \"anna@IDP\"", vec!["Anna@idp"]),
        ("urn:ietf:params:scim:schemas:core:2.0:User:userName eq \"anna@idp\"", vec!["Anna@idp"]),
        ("externalId eq \"x1\"", vec!["bert@idp"]),
        ("userName sw \"a\" or userName ew \"L@IDP\"", vec!["Anna@idp", "carl@idp"]),
        ("userName co \"@\" and not (title pr)", vec!["bert@idp", "carl@idp"]),
        ("name.familyName eq \"ahl\"", vec!["Anna@idp"]),
        ("emails[type eq \"work\" and value co \"work\"]", vec!["bert@idp"]),
        ("emails eq \"b@HOME.example\"", vec!["bert@idp"]),
        ("emails.type eq \"other\"", vec![]),
        ("active eq false", vec!["carl@idp"]),
        ("active ne false and (userName gt \"b\")", vec!["bert@idp"]),
        ("displayName eq \"Carl \\\"the\\\" Third\"", vec!["carl@idp"]),
        ("meta.created ge \"2000-01-01T00:00:00+02:00\"", vec!["Anna@idp", "bert@idp", "carl@idp"]),
        ("meta.lastModified lt \"2000-01-01T00:00:00Z\"", vec![]),
        ("nickName ne \"x\" and title eq \"captain\"", vec!["Anna@idp"]),
        ("nothing eq \"x\"", vec![]),
        ("title eq null and externalId pr", vec!["bert@idp"]),
    ] {
        assert_eq!(provider.found("Users", filter, "userName"), names, "{filter}");
    }
}

#[test]
fn groups_are_found_by_name_and_by_their_people() {
    let provider = Provider::new();
    let [anna, bert, _] = three(&provider);
    let both = provider.group("Both", &[&anna, &bert]);
    provider.group("Alone", &[&anna]);
    assert_eq!(provider.found("Groups", "displayName eq \"BOTH\"", "id"), [both.as_str()]);
    let of_bert = format!("members.value eq \"{bert}\"");
    assert_eq!(provider.found("Groups", &of_bert, "id"), [both.as_str()]);
    assert_eq!(provider.found("Groups", &format!("id eq \"{both}\" and members eq \"{anna}\""), "id"), [both.as_str()]);
    assert_eq!(provider.found("Groups", "members[value eq \"u999\"]", "id"), Vec::<&str>::new());
    for filter in ["members%20pr", "not%20(members%20pr)", "members.value%20sw%20%22u%22"] {
        refused(&provider.get(&format!("/Groups?filter={filter}")), 400, Some("invalidFilter"));
    }
}

#[test]
fn a_page_says_where_it_is_in_the_whole() {
    let provider = Provider::new();
    three(&provider);
    let page = |query: &str| {
        let answer = provider.get(&format!("/Users?{query}"));
        let names: Vec<Value> = answer.expect(200)["Resources"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|one| one["userName"].clone())
            .collect();
        (answer.json["totalResults"].clone(), answer.json["startIndex"].clone(), names)
    };
    assert_eq!(page("startIndex=2&count=1"), (json!(3), json!(2), vec![json!("bert@idp")]));
    assert_eq!(page("startIndex=0&count=1"), (json!(3), json!(1), vec![json!("Anna@idp")]));
    assert_eq!(page("startIndex=9").2, Vec::<Value>::new());
    assert_eq!(page("count=0"), (json!(3), json!(1), vec![]));
    assert_eq!(page("count=-5").2, Vec::<Value>::new());
    assert_eq!(page("startIndex=9223372036854775807&count=9223372036854775807&filter=userName%20pr").0, 3);
    assert_eq!(page("startIndex=2&count=1&filter=userName%20pr"), (json!(3), json!(2), vec![json!("bert@idp")]));
    refused(&provider.get("/Users?count=many"), 400, Some("invalidValue"));
}

#[test]
fn a_search_goes_over_people_and_then_groups() {
    let provider = Provider::new();
    three(&provider);
    provider.group("Both", &[]);
    let search = |body: Value| provider.post("/.search", body).expect(200).clone();
    let found = search(json!({ "startIndex": 3, "count": 2, "attributes": ["id", "displayName"] }));
    assert_eq!((&found["totalResults"], &found["itemsPerPage"]), (&json!(4), &json!(2)));
    assert_eq!(found["Resources"][1]["displayName"], "Both");
    let found = search(json!({ "startIndex": 4 }));
    assert_eq!(found["Resources"].as_array().map(Vec::len), Some(1));
    let found = provider.post("/Users/.search", json!({ "filter": "title pr" }));
    assert_eq!(found.expect(200)["totalResults"], 1);
    assert_eq!(provider.post("/Groups/.search", json!({})).expect(200)["totalResults"], 1);
    refused(&provider.post("/Users/.search", json!({ "filter": "title" })), 400, Some("invalidFilter"));
}

#[test]
fn callers_choose_the_attributes() {
    let provider = Provider::new();
    let [anna, bert, _] = three(&provider);
    let keys = |path: &str| {
        let answer = provider.get(path);
        answer.expect(200).as_object().expect("an object").keys().cloned().collect::<Vec<_>>()
    };
    assert_eq!(keys(&format!("/Users/{anna}?attributes=TITLE,name.givenName")), ["schemas", "id", "name", "title"]);
    let named =
        provider.get(&format!("/Users/{anna}?attributes=urn:ietf:params:scim:schemas:core:2.0:User:name.givenName"));
    assert_eq!(named.expect(200)["name"], json!({ "givenName": "Anna" }));
    let without = provider.get(&format!("/Users/{bert}?excludedAttributes=emails.type,id,meta"));
    assert_eq!(without.expect(200)["emails"][0], json!({ "value": "b@home.example" }));
    assert!(without.json["id"].is_string() && without.json["meta"].is_null());
    refused(&provider.get(&format!("/Users/{anna}?attributes=id&excludedAttributes=id")), 400, Some("invalidValue"));
    let group = provider.group("Both", &[&anna]);
    assert_eq!(keys(&format!("/Groups/{group}?excludedAttributes=members")), ["schemas", "id", "displayName", "meta"]);
    assert_eq!(identifier(&provider.get(&format!("/Groups/{group}")).json), group);
}

#[test]
fn what_is_there_is_found_by_its_address_and_nothing_else_is() {
    let provider = Provider::new();
    let [anna, ..] = three(&provider);
    let group = provider.group("Both", &[]);
    let created = provider.post("/Users", json!({ "userName": "dora" }));
    assert_eq!(created.header("location"), created.expect(201)["meta"]["location"].as_str());
    let location = created.header("location").expect("an address").to_owned();
    assert_eq!(provider.client.get(&location).expect(200), &created.json);
    for path in [
        format!("/Users/{group}"),
        format!("/Groups/{anna}"),
        "/Users/1".into(),
        "/Users/u0".into(),
        "/Users/u01".into(),
        "/Users/u99999999999999999999".into(),
        "/Users/%F0%9F%8C%B5".into(),
        "/Nothing".into(),
        "/Schemas/nothing".into(),
        "/ResourceTypes/Users".into(),
    ] {
        refused(&provider.get(&path), 404, None);
    }
    provider.world.organization("globex", "nina", &[]);
    let elsewhere = format!("/scim/v2/organizations/globex/Users/{anna}");
    refused(&provider.world.nina().get(&elsewhere), 404, None);
    refused(&provider.world.nina().delete(&elsewhere), 404, None);
    refused(&provider.put("/Users", json!({})), 405, None);
    assert_eq!(provider.put("/Users", json!({})).header("allow"), Some("GET, HEAD, POST"));
}
