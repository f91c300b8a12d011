//! The targets of pages and links for people: pictures of accounts, and anchors of the documentation (decision 53).

use std::collections::BTreeSet;

use crate::spec::given;
use crate::support::world::Settings;
use crate::support::{Answer, Client, Value, World, json};

#[test]
fn decision_53_an_avatar_is_a_picture_of_the_account() {
    let world = World::new();
    world.olivia().patch("/orgs/acme", json!({ "name": "Acme <b>&\" Works" })).expect(200);
    world.olivia().post("/orgs/acme/repos", json!({ "name": "web" })).expect(201);
    let mut seen = BTreeSet::new();
    for (record, initials) in [("/users/nina", "N"), ("/users/olivia", "O"), ("/orgs/acme", "AW")] {
        let url = world.anonymous().get(record).expect(200)["avatar_url"].as_str().expect("a URL").to_owned();
        let picture = world.anonymous().get(&url);
        picture.expect(200);
        assert_eq!(picture.header("content-type"), Some("image/svg+xml; charset=utf-8"));
        assert!(picture.header("cache-control").is_some_and(|control| control.starts_with("public, max-age=")));
        assert_eq!(picture.header("content-security-policy"), Some("default-src 'none'; sandbox"));
        assert_eq!(picture.header("x-content-type-options"), Some("nosniff"));
        assert!(
            picture.text.starts_with("<svg ") && picture.text.contains(&format!(">{initials}<")),
            "{}",
            picture.text
        );
        assert!(!picture.text.contains("<b>") && !picture.text.contains("http://127"), "{}", picture.text);
        assert!(seen.insert(picture.text.clone()), "two accounts have the same picture");
        let etag = picture.header("etag").expect("an entity tag").to_owned();
        let again = world.anonymous().with("If-None-Match", &etag).get(&url);
        assert_eq!((again.status, again.text.as_str(), again.header("etag")), (304, "", Some(etag.as_str())));
        let head = world.anonymous().head(&url);
        assert_eq!((head.status, head.text.as_str(), head.header("etag")), (200, "", Some(etag.as_str())));
    }
    let of_team = world.olivia().get("/user/teams").expect(200).clone();
    assert!(of_team.as_array().expect("a list").iter().all(|team| team.get("avatar_url").is_none()));
}

#[test]
fn decision_53_an_avatar_tells_of_no_account_that_is_not_there() {
    let world = World::new();
    world.sam().patch("/admin/users/nina", json!({ "login": "nora" })).expect(202);
    for login in ["nobody", "nina", "%00", "%ff", "..%2Fusers", "%3Cscript%3E"] {
        let answer = world.anonymous().get(&format!("/ui/avatars/{login}"));
        answer.expect(404);
        assert_ne!(answer.header("content-type"), Some("image/svg+xml; charset=utf-8"), "{login}");
    }
    for login in ["nora", "NORA"] {
        world.anonymous().get(&format!("/ui/avatars/{login}")).expect(200);
    }
    for verb in ["POST", "PUT", "DELETE"] {
        world.olivia().send(verb, "/ui/avatars/nora", Some(String::new())).expect(404);
    }
}

#[test]
fn decision_53_avatars_use_none_of_the_primary_limit() {
    let world = World::with(Settings { limits: Some((10, 2)), ..Settings::default() });
    for _ in 0..5 {
        world.anonymous().get("/ui/avatars/nina").expect(200);
    }
    world.anonymous().get("/users/nina").expect(200);
}

/// Every link into the documentation in a value.
fn links(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::String(text) if text.contains("/ui/docs") => drop(found.insert(text.clone())),
        Value::Array(items) => items.iter().for_each(|item| links(item, found)),
        Value::Object(members) => members.values().for_each(|member| links(member, found)),
        _ => {}
    }
}

/// The same in its body and its `Link` header.
fn links_of(answer: &Answer, found: &mut BTreeSet<String>) {
    links(&answer.json, found);
    let header = answer.header("link").unwrap_or_default();
    let targets = header.split('<').skip(1).filter_map(|part| part.split('>').next());
    found.extend(targets.filter(|target| target.contains("/ui/docs")).map(str::to_owned));
}

/// An answer of every kind that names the documentation.
fn answers(world: &World) -> Vec<Answer> {
    let (olivia, anonymous) = (world.olivia(), world.anonymous());
    let wrong = Client::new(&world.base, Some("wrong"));
    let core = given::core(world)["id"].clone();
    world.sam().put("/users/ray/suspended", json!({})).expect(204);
    world.sam().patch("/admin/organizations/acme", json!({ "plan": "enterprise" })).expect(202);
    vec![
        olivia.get("/nowhere"),
        olivia.get("/orgs/nothing"),
        olivia.send("PUT", "/meta", Some(String::new())),
        anonymous.get("/user"),
        wrong.get("/user"),
        world.ray().get("/user"),
        world.limited("olivia", &[]).get("/user/teams"),
        world.limited("olivia", &[]).get("/orgs/acme/teams/core"),
        world.eve().delete("/orgs/acme/teams/core"),
        olivia.send("POST", "/orgs/acme/teams", Some("{".into())),
        olivia.send("POST", "/orgs/acme/teams", Some("[]".into())),
        olivia.send("POST", "/orgs/acme/teams", Some("x".repeat((1 << 20) + 1))),
        olivia.post("/orgs/acme/teams", json!({})),
        olivia.post("/orgs/acme/teams", json!({ "name": "Core" })),
        olivia.put("/orgs/acme/teams/core/repos/acme/web", json!({ "nonsense": 1 })),
        olivia.get(&format!("/{}", "a".repeat(9_000))),
        olivia.get(&format!("/teams/{core}")),
        olivia.get("/teams/999999"),
        olivia.get("/scim/v2/organizations/acme/ServiceProviderConfig"),
        olivia.get("/ui/nowhere/at/all"),
        world.sam().post("/admin/users/tom/authorizations", json!({ "scopes": ["repo"] })),
        world.sam().get("/admin/tokens"),
    ]
}

/// Refusals of both limits.
fn limited() -> Vec<Answer> {
    let few = Settings { limits: Some((5, 1)), ..Settings::default() };
    let world = World::with(few);
    let many = |client: Client| {
        (0..7).for_each(|_| drop(client.get("/orgs/acme")));
        client.get("/orgs/acme")
    };
    let mut answers = vec![many(world.anonymous()), many(world.nina())];
    let slow = World::with(Settings { creation_limit: (1, 1), ..Settings::default() });
    for title in ["One", "Two"] {
        let post = json!({ "title": title, "body": "x" });
        answers.push(slow.max().post("/orgs/acme/teams/core/discussions", post));
    }
    let last = answers.last().expect("an answer");
    assert!(last.text.contains("#secondary-rate-limits"), "{}", last.text);
    assert!(answers[0].text.contains("#rate-limiting") && answers[1].text.contains("#rate-limiting"));
    answers
}

/// The names of all operations in the description of the API.
fn names(world: &World) -> BTreeSet<String> {
    let document = world.anonymous().get("/openapi.json").expect(200).clone();
    let paths = document["paths"].as_object().expect("paths").values().filter_map(|path| path.as_object()).flatten();
    let names = paths.filter_map(|(_, row)| row["operationId"].as_str());
    names.filter(|name| name.matches('.').count() == 1).map(str::to_owned).collect()
}

#[test]
fn decision_53_the_documentation_fits_the_screen_of_a_phone_and_keeps_the_limits_of_pages() {
    let world = World::with(Settings { limits: Some((10, 2)), ..Settings::default() });
    let names = names(&world);
    assert!(names.len() > 190, "{names:?}");
    let pages = names.iter().map(|name| format!("/ui/docs/{name}"));
    let further = ["/ui/docs", "/ui/docs/errors", "/ui/docs/using", "/ui/docs?q=team", "/ui/docs?q=%22%3E%3Cscript%3E"];
    for path in pages.chain(further.map(str::to_owned)) {
        let page = world.anonymous().get(&path);
        assert_eq!((page.status, page.header("content-type")), (200, Some("text/html; charset=utf-8")), "{path}");
        assert!(page.text.len() < 60_000, "{path} has {} bytes", page.text.len());
        assert!(page.text.contains("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"));
        let policy = page.header("content-security-policy").expect("a policy");
        assert!(policy.starts_with("default-src 'none'; style-src 'self'; script-src 'self'"), "{policy}");
        assert!(!page.text.contains("<script>") && !page.text.contains("style=\""), "{path}");
        let wire = world.anonymous().accepting().sent("GET", &path, "");
        assert!(wire.bytes.len() < 12_288, "{path} has {} bytes compressed", wire.bytes.len());
    }
    world.faults.record();
    world.anonymous().get("/ui/docs/teams.create").expect(200);
    assert!(world.faults.recorded().is_empty(), "the documentation needs the database");
    for path in ["/ui/docs/nothing", "/ui/docs/teams.create/x", "/ui/docs/NULL"] {
        world.anonymous().get(path).expect(404);
    }
}

#[test]
fn decision_53_the_documentation_is_searched_by_name_path_and_words() {
    let world = World::new();
    let found = |q: &str| {
        let page = world.anonymous().get(&format!("/ui/docs?q={q}"));
        page.expect(200);
        let links = page.text.split("<li id=\"").skip(1).filter_map(|rest| rest.split('"').next());
        links.map(str::to_owned).collect::<Vec<_>>()
    };
    let comments = ["teams.createDiscussionCommentInOrg", "reactions.createForTeamDiscussionCommentInOrg"];
    assert_eq!(found("teams+CREATE+discussioncomment"), comments);
    assert!(found("%2Forgs%2F%7Borg%7D%2Fteams+POST").contains(&"teams.create".to_owned()));
    assert_eq!(found("teams.getByName"), ["teams.getByName"]);
    assert!(found("no+such+words").is_empty());
    assert_eq!(found("").len(), names(&world).len());
    assert_eq!(found("%FF").len(), names(&world).len());
}

#[test]
fn decision_53_every_link_to_the_documentation_leads_to_an_anchor() {
    let world = World::new();
    let mut found = BTreeSet::new();
    answers(&world).iter().chain(&limited()).for_each(|answer| links_of(answer, &mut found));
    let document = world.anonymous().get("/openapi.json").expect(200).clone();
    links(&document, &mut found);
    let page = world.anonymous().get("/ui/docs");
    page.expect(200);
    found.extend(names(&world).into_iter().map(|name| format!("/ui/docs#{name}")));
    for kind in ["tokens", "rate-limiting", "secondary-rate-limits", "legacy-team-addresses", "provisioning"] {
        assert!(found.iter().any(|link| link.ends_with(&format!("#{kind}"))), "no answer names {kind}");
    }
    let dead: Vec<&String> = found
        .iter()
        .filter(|link| link.split_once('#').is_some_and(|(_, at)| !page.text.contains(&format!("id=\"{at}\""))))
        .collect();
    assert!(dead.is_empty(), "these lead nowhere: {dead:#?}");
    assert!(found.len() > 120, "{found:#?}");
}
