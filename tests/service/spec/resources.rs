//! Records in responses (section 4): every member, its order, its type and what it says.

use base64::Engine;

use crate::spec::given;
use crate::spec::records::{conforms, conforms_to, members};
use crate::support::{Value, World, json};

fn node(record: &Value) -> String {
    let id = record["node_id"].as_str().expect("a node id");
    let bytes = base64::engine::general_purpose::STANDARD.decode(id).expect("base64");
    String::from_utf8(bytes).expect("text")
}

/// True if a text is a time in UTC to the second.
fn is_time(value: &Value) -> bool {
    let text = value.as_str().unwrap_or_default();
    let shape: String = text.chars().map(|c| if c.is_ascii_digit() { '9' } else { c }).collect();
    shape == "9999-99-99T99:99:99Z"
}

#[test]
fn record_a_team_in_a_list_says_all_of_this() {
    let world = World::new();
    let core = given::core(&world);
    given::child(&world, &core, "Child");
    let teams = world.olivia().get("/orgs/acme/teams").expect(200).clone();
    let (org, id) = (given::org_id(&world), given::id(&core));
    let base = format!("{}/organizations/{org}/team/{id}", world.base);
    let expected = json!({
        "name": "Core", "id": id, "node_id": core["node_id"], "slug": "core", "description": null,
        "privacy": "closed", "notification_setting": "notifications_enabled", "url": base,
        "html_url": format!("{}/ui/orgs/acme/teams/core", world.base), "members_url": format!("{base}/members{{/member}}"),
        "repositories_url": format!("{base}/repos"), "type": "organization", "organization_id": core["organization"]["id"],
        "permission": "pull", "parent": null,
    });
    assert_eq!(teams[1].to_string(), expected.to_string(), "the order counts too");
    for team in teams.as_array().expect("a list") {
        conforms(team, "team");
    }
}

#[test]
fn record_a_parent_in_a_team_is_a_team_without_its_own_parent() {
    let world = World::new();
    let child = given::child(&world, &given::core(&world), "Child");
    given::child(&world, &child, "Grandchild");
    let mut without = members("team");
    assert_eq!(without.pop().map(|(name, _)| name).as_deref(), Some("parent"));
    for path in ["/orgs/acme/teams/grandchild", "/user/teams?page=2&per_page=1", "/orgs/acme/teams/child/teams"] {
        let answer = world.olivia().get(path).expect(200).clone();
        let team = answer.get(0).unwrap_or(&answer);
        assert_eq!(team["parent"]["slug"], "child");
        conforms_to(&team["parent"], &without);
    }
}

#[test]
fn record_a_full_team_has_its_organization_and_counts() {
    let world = World::new();
    let team = given::core(&world);
    conforms(&team, "team-full");
    conforms(&team["organization"], "organization");
    assert!(is_time(&team["created_at"]) && is_time(&team["updated_at"]));
    assert!(team["members_count"].is_u64() && team["repos_count"].is_u64());
    given::closed(&world, "Mine");
    conforms(&world.olivia().get("/user/teams").expect(200)[0], "team-full");
}

#[test]
fn record_a_create_and_an_update_say_the_parent_right_after_permission() {
    let world = World::new();
    let mut order = members("team-full");
    let parent = order.pop().expect("parent");
    let after = order.iter().position(|(name, _)| name == "permission").expect("permission") + 1;
    order.insert(after, parent);
    conforms_to(&given::closed(&world, "Other"), &order);
    conforms_to(world.olivia().patch("/orgs/acme/teams/other", json!({ "name": "Another" })).expect(200), &order);
}

#[test]
fn record_an_organization_in_short() {
    let world = World::new();
    let org = world.tom().get("/user/orgs").expect(200)[0].clone();
    conforms(&org, "organization-simple");
    let base = format!("{}/orgs/acme", world.base);
    for (member, below) in [
        ("url", ""),
        ("repos_url", "/repos"),
        ("events_url", "/events"),
        ("hooks_url", "/hooks"),
        ("issues_url", "/issues"),
        ("members_url", "/members{/member}"),
        ("public_members_url", "/public_members{/member}"),
    ] {
        assert_eq!(org[member], format!("{base}{below}"), "{member}");
    }
}

#[test]
fn record_an_organization_in_full() {
    let world = World::new();
    let org = world.anonymous().get("/orgs/acme").expect(200).clone();
    conforms(&org, "organization");
    assert_eq!((&org["login"], &org["type"]), (&json!("acme"), &json!("Organization")));
    let page = org["html_url"].as_str().expect("an address");
    assert!(page.starts_with(&format!("{}/ui/", world.base)) && page.ends_with("/acme"), "{page}");
    assert!(is_time(&org["created_at"]) && is_time(&org["updated_at"]));
    for count in ["public_repos", "public_gists", "followers", "following"] {
        assert_eq!(org[count], 0, "{count}");
    }
    for switch in ["is_verified", "has_organization_projects", "has_repository_projects"] {
        assert!(org[switch].is_boolean(), "{switch}");
    }
}

#[test]
fn record_owners_get_more_of_an_organization() {
    let world = World::new();
    let org = world.olivia().get("/orgs/acme").expect(200).clone();
    for (name, _) in members("organization") {
        assert!(org.get(&name).is_some(), "{name}");
    }
    assert!(org["plan"]["name"].is_string());
    assert_eq!(org["default_repository_permission"], "read");
    assert_eq!(org["members_can_create_teams"], true);
    assert!(org.get("billing_email").is_some() && org["members_can_create_repositories"].is_boolean());
    let member = world.tom().get("/orgs/acme").expect(200).clone();
    assert!(member.get("billing_email").is_none() && member.get("plan").is_none());
}

#[test]
fn record_a_person_in_short() {
    let world = World::new();
    let member = world.anonymous().get("/orgs/acme/public_members").expect(200).clone();
    assert_eq!(member, json!([]));
    let person = world.tom().get("/orgs/acme/members?role=admin").expect(200)[0].clone();
    conforms(&person, "simple-user");
    let base = format!("{}/users/olivia", world.base);
    for (member, value) in [
        ("login", json!("olivia")),
        ("gravatar_id", json!("")),
        ("url", json!(base)),
        ("html_url", json!(format!("{}/ui/olivia", world.base))),
        ("followers_url", json!(format!("{base}/followers"))),
        ("following_url", json!(format!("{base}/following{{/other_user}}"))),
        ("gists_url", json!(format!("{base}/gists{{/gist_id}}"))),
        ("starred_url", json!(format!("{base}/starred{{/owner}}{{/repo}}"))),
        ("subscriptions_url", json!(format!("{base}/subscriptions"))),
        ("organizations_url", json!(format!("{base}/orgs"))),
        ("repos_url", json!(format!("{base}/repos"))),
        ("events_url", json!(format!("{base}/events{{/privacy}}"))),
        ("received_events_url", json!(format!("{base}/received_events"))),
        ("type", json!("User")),
        ("site_admin", json!(false)),
    ] {
        assert_eq!(person[member], value, "{member}");
    }
}

#[test]
fn record_a_member_of_a_team_is_a_person_and_whether_they_are_inherited() {
    let world = World::new();
    let people = world.tom().get("/orgs/acme/teams/core/members").expect(200).clone();
    for person in people.as_array().expect("a list") {
        conforms(person, "team-member");
        assert!(person["inherited"].is_boolean());
    }
}

#[test]
fn record_a_person_in_full_and_their_addresses() {
    let world = World::new();
    let me = world.tom().get("/user").expect(200).clone();
    let known = members("user");
    assert_eq!(given::keys(&me)[..known.len()], known.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>());
    conforms(world.anonymous().get("/users/tom").expect(200), "user");
    let emails = world.tom().get("/user/emails").expect(200).clone();
    conforms(&emails[0], "email");
    assert_eq!((&emails[0]["email"], &emails[0]["primary"]), (&json!("tom@example.com"), &json!(true)));
}

#[test]
fn record_what_nobody_has_written_is_empty_text_where_strict_clients_know_no_null() {
    let world = World::new();
    for path in ["/user", "/users/tom", "/users/acme", "/orgs/acme"] {
        assert_eq!(world.tom().get(path).expect(200)["blog"], "", "{path}");
    }
    for path in ["/users/acme", "/orgs/acme"] {
        assert_eq!(world.tom().get(path).expect(200)["name"], "", "{path}");
    }
}

#[test]
fn record_a_membership_of_a_team() {
    let world = World::new();
    let membership = world.tom().get("/orgs/acme/teams/core/memberships/max").expect(200).clone();
    let (org, team) = (given::org_id(&world), given::id(&given::core(&world)));
    let url = format!("{}/organizations/{org}/team/{team}/memberships/max", world.base);
    let expected = json!({ "state": "active", "role": "maintainer", "url": url });
    assert_eq!(membership.to_string(), expected.to_string());
    let ending =
        world.max().put("/orgs/acme/teams/core/memberships/max", json!({ "expires_at": "2027-01-01T00:00:00Z" }));
    conforms(ending.expect(200), "team-membership");
}

#[test]
fn record_a_membership_of_an_organization() {
    let world = World::new();
    let membership = world.olivia().get("/orgs/acme/memberships/tom").expect(200).clone();
    conforms(&membership, "organization-membership");
    conforms(&membership["user"], "simple-user");
    conforms(&membership["organization"], "organization-simple");
    assert_eq!(membership["url"], format!("{}/orgs/acme/memberships/tom", world.base));
    assert_eq!(membership["organization_url"], format!("{}/orgs/acme", world.base));
    assert_eq!((&membership["state"], &membership["role"]), (&json!("active"), &json!("member")));
}

#[test]
fn record_an_authorization() {
    let world = World::new();
    let made = world.sam().post("/admin/users/tom/authorizations", json!({ "scopes": ["repo"] })).expect(201).clone();
    conforms(&made, "authorization");
    let listed = world.sam().get("/admin/tokens").expect(200)[0].clone();
    conforms(&listed, "authorization");
    assert_eq!(listed["token"], "");
}

#[test]
fn record_an_error() {
    let world = World::new();
    let missing = world.olivia().get("/orgs/acme/teams/absent");
    assert_eq!(given::keys(&missing.json), ["message", "documentation_url"]);
    let refused = world.olivia().post("/orgs/acme/teams", json!({ "name": "Core" }));
    let mut without = members("error");
    without.retain(|(name, _)| name != "differences");
    conforms_to(&refused.json, &without);
    assert_eq!(refused.header("content-type"), Some("application/json; charset=utf-8"));
    assert_eq!(refused.json["documentation_url"], format!("{}/ui/docs#teams.create", world.base));
}

#[test]
fn record_a_node_id_is_the_type_and_the_id_in_base64() {
    let world = World::new();
    let team = given::core(&world);
    assert_eq!(node(&team), format!("04:Team{}", team["id"]));
    assert_eq!(node(&team["organization"]), format!("012:Organization{}", team["organization"]["id"]));
    let tom = world.tom().get("/user").expect(200).clone();
    assert_eq!(node(&tom), format!("04:User{}", tom["id"]));
}

#[test]
fn record_a_list_shows_every_text_as_the_record_does() {
    let world = World::new();
    let texts = [
        "\"quoted\" \\ back",
        "<script>&amp;</script>",
        "line\nfeed\ttab\r",
        "\u{1}\u{1f}\u{7f}",
        "\u{2028}\u{2029}",
        "🦀 核心 é",
        "{name} {{id}} {login} {0} %s $1 ${x}",
        "}],\"id\":1",
    ];
    for (n, text) in texts.iter().enumerate() {
        // Names take no control characters (decision 9); descriptions do.
        let shown: String =
            text.chars().filter(|c| !c.is_control() && !('\u{2028}'..='\u{2029}').contains(c)).collect();
        let body = json!({ "name": format!("{n} {shown} {n}"), "description": text, "privacy": "closed" });
        let parent = given::team(&world, body);
        let body =
            json!({ "name": format!("child {n} {shown} {n}"), "description": text, "parent_team_id": parent["id"] });
        given::team(&world, body);
    }
    let teams = world.tom().all("/orgs/acme/teams?per_page=7");
    assert_eq!(teams.len(), 17);
    for team in &teams {
        let full = world.tom().get(&format!("/teams/{}", team["id"])).expect(200).clone();
        assert!(team.as_object().expect("a record").iter().all(|(name, value)| full[name] == *value), "{team}");
        let children = world.tom().get(&format!("/teams/{}/teams", team["id"])).expect(200).clone();
        assert!(children.as_array().expect("a list").iter().all(|child| teams.contains(child)), "{children}");
    }
}

#[test]
fn record_a_list_of_people_shows_everybody_as_elsewhere() {
    let world = World::new();
    for login in ["a.b_c", "UPPER", "42", "x-y"] {
        world.register(login);
        world.join("acme", "olivia", login);
        given::put(&world, "core", login, "member");
    }
    world.sam().put_empty("/users/42/site_admin").expect(204);
    world.sam().patch("/admin/users/x-y", json!({ "login": "renamed" })).expect(202);
    let members = world.tom().all("/orgs/acme/members?per_page=4");
    let team = world.tom().all("/orgs/acme/teams/core/members?per_page=2");
    assert_eq!((members.len(), team.len()), (9, 6));
    for person in members.iter().chain(&team) {
        let login = person["login"].as_str().expect("a login");
        let full = world.tom().get(&format!("/users/{login}")).expect(200).clone();
        let mut names = members_of("simple-user");
        assert!(names.all(|name| full[&name] == person[&name]), "{person}");
    }
}

fn members_of(record: &str) -> impl Iterator<Item = String> + use<> {
    members(record).into_iter().map(|(name, _)| name)
}
