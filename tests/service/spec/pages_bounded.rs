//! Pages with much on them: what bounds them, and where the rest is (decisions 31, 35 and 78).

use super::given;
use super::mail_invitations::world;
use super::pages_board::{BOARD, post};
use super::pages_team::{CORE, send, shows};
use super::sign_in::signed_in;
use crate::support::json;

#[test]
fn decision_35_long_comments_are_cut_and_each_is_shown_whole_at_its_place() {
    let world = world();
    post(&world, "First", "Hello", false);
    let texts = ["word ", "**b** ", "| a ", "<i>x</i> ", "> ", "[a](https://a.example) ", "\u{1f600}", "& "];
    for number in 1..=16 {
        let text = texts[number % texts.len()];
        let text = format!("{} END{number}.", text.repeat(65_000 / text.chars().count()));
        let api = "/orgs/acme/teams/core/discussions/1/comments";
        world.max().post(api, json!({ "body": text })).expect(201);
    }
    let mut tom = signed_in(&world, "tom");
    let page = format!("{BOARD}/1");
    tom.visit(&page);
    assert!(tom.page.text.len() < 60_000, "{}", tom.page.text.len());
    assert_eq!(tom.page.text.matches("Show all<").count(), 15);
    shows(&tom, &["href=\"/ui/orgs/acme/teams/core/discussions/1?page=1&#38;whole=7#comment-7\""], &["END7."]);
    tom.visit(&format!("{page}?page=1&whole=7"));
    shows(&tom, &["END7."], &["END6.", "END8."]);
    assert_eq!(tom.page.text.matches("Show all<").count(), 14);
    tom.visit(&format!("{page}?page=2&whole=16"));
    shows(&tom, &["END16."], &["Show all<"]);
    for whole in ["", "0", "-1", "99", "x", "99999999999999999999", "%00", "%22%3E"] {
        tom.visit(&format!("{page}?whole={whole}"));
        assert_eq!((tom.page.status, tom.page.text.matches("Show all<").count()), (200, 15), "{whole}");
    }
}

#[test]
fn decision_35_hostile_comments_leave_a_page_short() {
    let world = world();
    post(&world, "First", &"<".repeat(60_000), false);
    for text in ["<", "- a\n", "a@b.example ", "# x\n", "[a](b) ", "|a|b|\n|-|-|\n"].iter().cycle().take(15) {
        let api = "/orgs/acme/teams/core/discussions/1/comments";
        world.max().post(api, json!({ "body": text.repeat(60_000 / text.len()) })).expect(201);
    }
    let mut tom = signed_in(&world, "tom");
    // The post is shown whole, or a comment, and then the post is cut.
    tom.visit(&format!("{BOARD}/1"));
    let post_alone = tom.page.text.len();
    assert!(post_alone < 60_000 + 60_000 * 4, "{post_alone}");
    assert_eq!(tom.page.text.matches("Show all<").count(), 15);
    tom.visit(&format!("{BOARD}/1?whole=1"));
    assert!(tom.page.text.len() < 60_000 + 60_000 * 4, "{}", tom.page.text.len());
    assert_eq!(tom.page.text.matches("Show all<").count(), 15);
    shows(&tom, &["whole=0#post"], &[]);
    // Short comments are never cut.
    post(&world, "Second", "Hello", false);
    world
        .max()
        .post("/orgs/acme/teams/core/discussions/2/comments", json!({ "body": "word ".repeat(2_000) }))
        .expect(201);
    tom.visit(&format!("{BOARD}/2"));
    shows(&tom, &[], &["Show all<"]);
}

#[test]
fn decision_23_a_person_deep_in_a_tree_has_a_home() {
    let world = world();
    let mut parent = given::closed(&world, "Deep 1")["id"].clone();
    for number in 2..=45 {
        let team = json!({ "name": format!("Deep {number}"), "privacy": "closed", "parent_team_id": parent });
        parent = world.olivia().post("/orgs/acme/teams", team).expect(201)["id"].clone();
    }
    given::put(&world, "deep-45", "tom", "member");
    let mut tom = signed_in(&world, "tom");
    for path in ["/ui", "/ui/orgs/acme", "/ui/orgs/acme/teams/deep-45", "/ui/tom"] {
        assert_eq!(tom.visit(path).status, 200, "{path}");
        assert!(tom.page.text.len() < 60_000, "{path} {}", tom.page.text.len());
    }
    tom.visit("/ui");
    shows(&tom, &["teams/deep-1\"", "teams/deep-17\"", "teams/deep-45\""], &[]);
}

#[test]
fn decision_78_a_page_behind_the_end_of_a_search_is_the_last_one() {
    let world = world();
    for number in 1..=31 {
        given::closed(&world, &format!("Found {number}"));
    }
    let mut olivia = signed_in(&world, "olivia");
    for page in ["2", "3", "34", "35", "1000", "9223372036854775807", "18446744073709551615"] {
        olivia.visit(&format!("/ui/search?q=found&part=teams&page={page}"));
        assert_eq!(olivia.page.status, 200, "{page}");
        shows(&olivia, &["31 to 31 of 31"], &["Nothing found", "rel=\"next\""]);
        olivia.visit(&format!("/ui/search?q=nothing&part=teams&page={page}"));
        shows(&olivia, &["Nothing found"], &[]);
    }
}

#[test]
fn decision_31_a_project_is_given_to_a_team_by_its_number() {
    let world = world();
    for number in 1..=101 {
        given::project(&world, &format!("Plan {number}"));
    }
    let mut olivia = signed_in(&world, "olivia");
    let room = format!("{CORE}/projects");
    olivia.visit(&room);
    shows(&olivia, &["<option value=\"#30\">Plan 30</option>"], &["#31\""]);
    for (typed, status) in [("#101", 200), ("100", 200), ("#102", 422), ("", 422), ("Plan 1", 422), ("#", 422)] {
        let fields = [("do", "give"), ("subject", typed), ("level", "read")];
        assert_eq!(send(&mut olivia, &room, &fields), status, "{typed}");
    }
    olivia.visit(&room);
    shows(&olivia, &["<bdi>Plan 100</bdi>", "<bdi>Plan 101</bdi>"], &["<bdi>Plan 1</bdi>"]);
}

#[test]
fn decision_67_an_administrator_who_does_not_see_every_team_learns_that_there_may_be_more_people() {
    let world = world();
    given::repository(&world, "web", None);
    let admin = json!({ "permission": "admin" });
    let api = world.olivia();
    api.put("/repos/acme/web/collaborators/eve", admin.clone()).expect(204);
    let secret = json!({ "name": "Hidden", "privacy": "secret" });
    api.post("/orgs/acme/teams", secret).expect(201);
    api.put("/orgs/acme/teams/hidden/memberships/tom", json!({})).expect(200);
    let told = "There may be more people: owners of <bdi>acme</bdi> see everyone.";
    let mut eve = signed_in(&world, "eve");
    eve.visit("/ui/acme/web");
    let without = eve.page.text.contains(told);
    // Its sentence does not depend on what is hidden.
    api.put("/orgs/acme/teams/hidden/repos/acme/web", admin).expect(204);
    eve.visit("/ui/acme/web");
    assert!(without && eve.page.text.contains(told) && !eve.page.text.contains("Hidden"), "{}", eve.page.text);
    let mut olivia = signed_in(&world, "olivia");
    olivia.visit("/ui/acme/web");
    shows(&olivia, &["Hidden"], &[told]);
}

#[test]
fn decision_72_an_administrator_who_acts_for_a_person_is_offered_no_change_of_addresses() {
    let world = world();
    world.sam().put("/users/max/site_admin", json!({})).expect(204);
    let mut max = signed_in(&world, "max");
    let room = "/ui/settings/emails";
    max.visit(room);
    shows(&max, &["name=\"do\" value=\"show\""], &[]);
    assert_eq!(super::pages_team::send(&mut max, "/ui/admin/users/tom/act", &[]), 200);
    for path in [room.to_owned(), format!("{room}?remove=tom@example.com")] {
        max.visit(&path);
        let main = max.page.text.split("<main").nth(1).unwrap_or_default().to_owned();
        assert!(main.contains("tom@example.com") && !main.contains("<form"), "{main}");
        assert!(main.contains("This cannot be done while you act for another person."), "{main}");
    }
}
