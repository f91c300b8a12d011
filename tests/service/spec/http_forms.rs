//! The forms of a path (decisions 2 and 3).

use crate::spec::given;
use crate::support::{World, json};

#[test]
fn decision_2_every_form_of_a_team_says_the_same() {
    let world = World::new();
    let core = given::core(&world);
    given::child(&world, &core, "Child");
    for below in ["", "/teams", "/members", "/members?role=maintainer", "/memberships/max"] {
        let answers = given::forms(&core).map(|form| world.tom().get(&format!("{form}{below}")).expect(200).clone());
        assert!(answers.iter().all(|answer| answer == &answers[0]), "{below}");
    }
}

#[test]
fn decision_2_every_form_of_a_team_takes_writes() {
    let world = World::new();
    let core = given::core(&world);
    for (n, form) in given::forms(&core).iter().enumerate() {
        let description = format!("change {n}");
        let body = json!({ "name": "Core", "description": description });
        assert_eq!(world.max().patch(form, body).expect(200)["description"], description.as_str());
        world.max().put(&format!("{form}/memberships/eve"), json!({})).expect(200);
        world.max().get(&format!("{form}/members/eve")).expect(204);
        world.max().delete(&format!("{form}/memberships/eve")).expect(204);
    }
    world.max().delete(&given::forms(&core)[3]).expect(204);
    world.max().get(&given::forms(&core)[0]).expect(404);
}

#[test]
fn decision_2_the_legacy_form_announces_its_age() {
    let world = World::new();
    let core = given::core(&world);
    for below in ["", "/members", "/memberships/max", "/teams"] {
        let answer = world.tom().get(&format!("/teams/{}{below}", core["id"]));
        answer.expect(200);
        assert_eq!(answer.header("deprecation"), Some("Sat, 01 Feb 2020 00:00:00 GMT"));
        assert_eq!(answer.header("sunset"), Some("Mon, 01 Feb 2021 00:00:00 GMT"));
        let url = format!("{}{below}", core["url"].as_str().expect("an address"));
        assert_eq!(answer.link("alternate"), Some(url));
        let link = answer.header("link").expect("a link");
        assert!(answer.link("deprecation").is_some_and(|url| url.starts_with("http")), "{link}");
        assert_eq!((link.matches("rel=").count(), link.matches(';').count()), (2, 2), "no other parameter: {link}");
    }
}

#[test]
fn decision_2_the_other_forms_do_not() {
    let world = World::new();
    for form in &given::forms(&given::core(&world))[..3] {
        let answer = world.tom().get(form);
        answer.expect(200);
        assert_eq!((answer.header("deprecation"), answer.header("sunset"), answer.header("link")), (None, None, None));
    }
}

#[test]
fn decision_2_pages_of_the_legacy_form_keep_both_links() {
    let world = World::new();
    let core = given::core(&world);
    let answer = world.tom().get(&format!("/teams/{}/members?per_page=1", core["id"]));
    let url = core["url"].as_str().expect("an address");
    assert_eq!(answer.link("next"), Some(format!("{url}/members?per_page=1&page=2")));
    assert_eq!(answer.link("alternate"), Some(format!("{url}/members")));
}

#[test]
fn decision_2_a_team_named_with_an_organization_belongs_to_it() {
    let world = World::new();
    world.organization("beta", "olivia", &["max"]);
    let core = given::core(&world);
    let beta = given::id(world.olivia().get("/orgs/beta").expect(200));
    for path in [
        format!("/organizations/{beta}/team/{}", core["id"]),
        format!("/organizations/{beta}/teams/core"),
        "/orgs/beta/teams/core".to_owned(),
        format!("/organizations/999999/team/{}", core["id"]),
    ] {
        world.olivia().get(&path).refused(404, "Not Found");
        world.olivia().patch(&path, json!({ "name": "Stolen" })).refused(404, "Not Found");
        world.olivia().put(&format!("{path}/memberships/max"), json!({})).refused(404, "Not Found");
        world.olivia().delete(&path).refused(404, "Not Found");
    }
    assert_eq!(given::core(&world)["name"], "Core");
}

#[test]
fn decision_2_what_is_no_identifier_names_nothing() {
    let world = World::new();
    let org = given::org_id(&world);
    for id in ["0", "-1", "x", "1.5", "99999999999999999999", "%31x", "+1"] {
        world.olivia().get(&format!("/organizations/{org}/team/{id}")).expect(404);
        world.olivia().get(&format!("/teams/{id}")).expect(404);
        world.olivia().get(&format!("/organizations/{id}/teams")).expect(404);
    }
}

#[test]
fn decision_3_create_and_list_stand_at_teams_of_the_organization() {
    let world = World::new();
    world.tom().post("/orgs/acme/teams", json!({ "name": "Other" })).expect(201);
    assert_eq!(given::each(&world.tom(), "/orgs/acme/teams", "slug"), ["core", "other"]);
}

#[test]
fn decision_3_the_callers_teams_are_direct_active_and_by_id() {
    let world = World::new();
    let zebra = given::closed(&world, "Zebra");
    given::closed(&world, "Ant");
    let child = given::child(&world, &zebra, "Child");
    world.organization("beta", "olivia", &["tom"]);
    world.olivia().post("/orgs/beta/teams", json!({ "name": "Aardvark", "maintainers": ["tom"] })).expect(201);
    given::put(&world, "child", "tom", "member");
    given::put(&world, "ant", "nina", "member");
    assert_eq!(given::each(&world.tom(), "/user/teams", "slug"), ["core", "child", "aardvark"]);
    assert_eq!(world.nina().get("/user/teams").expect(200), &json!([]));
    world.olivia().delete("/orgs/acme/teams/zebra/memberships/olivia").expect(204);
    assert!(!given::each(&world.olivia(), "/user/teams", "id").contains(&zebra["id"]), "owning does not count");
    assert!(given::each(&world.olivia(), "/user/teams", "id").contains(&child["id"]));
}

#[test]
fn decision_3_the_member_list_has_an_identifier_form() {
    let world = World::new();
    let form = &given::forms(&given::core(&world))[1];
    assert_eq!(given::each(&world.tom(), &format!("{form}/members"), "login"), ["max", "tom"]);
}

#[test]
fn decision_2_a_refusal_in_the_legacy_form_announces_its_age_without_the_other_address() {
    let world = World::new();
    let core = given::core(&world);
    let path = format!("/teams/{}", core["id"]);
    for (answer, status) in [
        (world.nina().get(&path), 404),
        (world.tom().get("/teams/999999"), 404),
        (world.tom().delete(&path), 403),
        (world.anonymous().delete(&path), 401),
        (world.max().patch(&path, json!({})), 422),
    ] {
        answer.expect(status);
        assert_eq!(answer.header("deprecation"), Some("Sat, 01 Feb 2020 00:00:00 GMT"));
        assert_eq!(answer.header("sunset"), Some("Mon, 01 Feb 2021 00:00:00 GMT"));
        assert!(answer.link("deprecation").is_some_and(|url| url.ends_with("#legacy-team-addresses")));
        assert_eq!(answer.link("alternate"), None);
    }
    for form in &given::forms(&core)[..3] {
        let answer = world.nina().get(form);
        assert_eq!((answer.status, answer.header("deprecation"), answer.header("link")), (404, None, None));
    }
}
