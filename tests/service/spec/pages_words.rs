//! The words of pages: refusals as people say them, every fault of a form at once, and names to choose (decision 53).

use super::given;
use super::mail_invitations::world;
use super::pages_team::{CORE, send, shows};
use super::sign_in::signed_in;
use crate::support::browser::Browser;
use crate::support::{Value, json};

#[test]
fn decision_53_refusals_of_operations_are_said_to_people() {
    let world = world();
    given::repository(&world, "web", None);
    let for_programs = ["Must have", "You must be", "PUT /", "Validation Failed", "admin rights"];
    let mut olivia = signed_in(&world, "olivia");
    // The form was opened while there was another owner.
    let own = "/ui/orgs/acme/people/olivia";
    world.olivia().put("/orgs/acme/memberships/max", json!({ "role": "admin" })).expect(200);
    olivia.visit(own);
    let code = olivia.code();
    world.olivia().put("/orgs/acme/memberships/max", json!({ "role": "member" })).expect(200);
    assert_eq!(olivia.send_to(own, &code, &[("role", "member")]).status, 422);
    shows(&olivia, &["They are the last owner. Make another member an owner first."], &for_programs);
    let mut tom = signed_in(&world, "tom");
    let give = [("do", "give-person"), ("who", "eve"), ("level", "pull")];
    let tom_of_web = "/repos/acme/web/collaborators/tom";
    world.olivia().put(tom_of_web, json!({ "permission": "admin" })).expect(204);
    tom.visit("/ui/acme/web");
    let code = tom.code();
    world.olivia().delete(tom_of_web).expect(204);
    assert_eq!(tom.send_to("/ui/acme/web", &code, &give).status, 422);
    shows(&tom, &["Your role here does not allow this."], &for_programs);
    let switch = [("do", "switch"), ("need", "on")];
    tom.visit(CORE);
    let code = tom.code();
    for (path, fields) in [(CORE, &give[..]), ("/ui/orgs/acme/applications", &switch)] {
        let page = tom.send_to(path, &code, fields);
        assert!(page.status >= 400, "{path}");
        shows(&tom, &["<!DOCTYPE html>"], &for_programs);
    }
    let given = world.olivia().get("/repos/acme/web/collaborators?affiliation=direct").expect(200).clone();
    assert_eq!(given, json!([]));
}

#[test]
fn decision_53_a_form_shows_all_of_its_faults() {
    let world = world();
    let mut olivia = signed_in(&world, "olivia");
    let typed = [("name", " "), ("parent", "gh<ost"), ("maintainers", "tom, nina"), ("privacy", "closed")];
    assert_eq!(send(&mut olivia, "/ui/orgs/acme/new-team", &typed), 422);
    shows(
        &olivia,
        &[
            "There are 3 problems",
            "<a href=\"#name\">Enter a name.</a>",
            "<a href=\"#parent\">You see no team named “gh&#60;ost” here.</a>",
            "<a href=\"#maintainers\">nina is not a member here. Only members can be maintainers.</a>",
            "id=\"name-error\"",
            "id=\"parent-error\"",
            "id=\"maintainers-error\"",
            "value=\"tom, nina\"",
        ],
        &["ost <"],
    );
    let invited = [("do", "invite"), ("who", "ghost"), ("role", "direct_member"), ("teams", "ghosts")];
    assert_eq!(send(&mut olivia, "/ui/orgs/acme/people", &invited), 422);
    shows(&olivia, &["There are 2 problems", "id=\"who-error\"", "id=\"teams-error\"", "value=\"ghosts\""], &[]);
    let board = format!("{CORE}/discussions/new");
    assert_eq!(send(&mut olivia, &board, &[("do", "post"), ("title", ""), ("body", " \r\n")]), 422);
    shows(&olivia, &["There are 2 problems", "id=\"title-error\"", "id=\"body-error\"", "Enter a title."], &[]);
    assert_eq!(world.olivia().get("/orgs/acme/teams/core/discussions").expect(200), &json!([]));
    assert_eq!(world.olivia().get("/orgs/acme/invitations").expect(200), &json!([]));
    let teams = world.olivia().get("/orgs/acme/teams").expect(200).as_array().map(Vec::len);
    assert_eq!(teams, Some(1));
    // A form with one fault says one.
    assert_eq!(send(&mut olivia, &board, &[("do", "post"), ("title", ""), ("body", "Text")]), 422);
    shows(&olivia, &["There is a problem", "Text</textarea>"], &["body-error"]);
    let post: &Value = &given::post(&world.max(), "One", false);
    let edit = format!("{CORE}/discussions/{}/edit", post["number"]);
    assert_eq!(send(&mut olivia, &edit, &[("do", "save"), ("title", " "), ("body", "")]), 422);
    shows(&olivia, &["There are 2 problems"], &[]);
}

#[test]
fn decision_46_without_a_mail_server_no_page_says_that_an_e_mail_was_sent() {
    let world = world();
    let mut guest = Browser::open(&world.base, "/login");
    guest.send(&[("email", "tom@example.com")]);
    shows(&guest, &["This site has no mail server", "Make a new code"], &["on its way", "spam folder"]);
    let mut olivia = signed_in(&world, "olivia");
    let invite = [("do", "invite"), ("who", "una@example.net"), ("role", "direct_member"), ("teams", "")];
    assert_eq!(send(&mut olivia, "/ui/orgs/acme/people", &invite), 200);
    shows(&olivia, &["Invited, but this site has no mail server."], &["is sent."]);
    assert_eq!(send(&mut olivia, "/ui/settings/emails", &[("do", "add"), ("email", "more@example.com")]), 200);
    shows(&olivia, &["the e-mail with the link that verifies the address is a file"], &["Open the link in the e-mail"]);
}

#[test]
fn decision_53_an_unknown_address_is_a_page_in_a_browser() {
    let world = world();
    let browser = world.anonymous().with("Accept", "text/html,application/xhtml+xml,*/*;q=0.8");
    for path in ["/nothing", "/x/y/z/%3Cx%3E", "/%00", "/%ff"] {
        let page = browser.get(path);
        assert_eq!((page.status, page.header("content-type")), (404, Some("text/html; charset=utf-8")), "{path}");
        assert!(page.text.contains("Page not found") && !page.text.contains("<x>"), "{}", page.text);
        for (client, path) in [(&world.anonymous(), path), (&browser, &format!("/api/v3{path}"))] {
            let answer = client.get(path);
            assert_eq!((answer.status, &answer.json["message"]), (404, &json!("Not Found")), "{path}");
        }
    }
    // What the API has stays with it, and so does what a browser does not open.
    assert_eq!(browser.get("/orgs/nothing").json["message"], "Not Found");
    assert_eq!(browser.post("/nothing", json!({})).json["message"], "Not Found");
}

#[test]
fn decision_53_forms_offer_names_that_the_visitor_sees() {
    let world = world();
    given::secret(&world, "Hidden");
    given::repository(&world, "web", None);
    world.eve().patch("/user", json!({ "name": "Eve <Ober>" })).expect(200);
    let (team, eve) = ("<option value=\"core\">Core</option>", "<option value=\"eve\">Eve &#60;Ober&#62;</option>");
    let mut olivia = signed_in(&world, "olivia");
    for (path, name) in [
        ("/ui/orgs/acme/new-team", team),
        ("/ui/orgs/acme/new-team", eve),
        ("/ui/orgs/acme/people", team),
        ("/ui/orgs/acme/teams/core/members", eve),
        ("/ui/orgs/acme/teams/core/teams", team),
        ("/ui/orgs/acme/teams/core/settings", team),
        ("/ui/orgs/acme/teams/core/repositories", "<option value=\"web\"></option>"),
        ("/ui/acme/web", team),
        ("/ui/acme/web", eve),
    ] {
        assert_eq!(olivia.visit(path).status, 200, "{path}");
        shows(&olivia, &[name], &["<Ober>"]);
    }
    let mut max = signed_in(&world, "max");
    for path in ["/ui/orgs/acme/new-team", "/ui/orgs/acme/teams/core/teams", "/ui/orgs/acme/teams/core/settings"] {
        assert_eq!(max.visit(path).status, 200, "{path}");
        shows(&max, &[team], &["idden</option>"]);
    }
}
