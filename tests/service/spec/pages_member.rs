//! A member's page in an organization, for owners and for the person, and what owners see of open invitations (decisions 26,
//! 33 and 61).

use guildhall::error::Error;

use super::given;
use super::mail_invitations::{settle, world};
use super::pages_organization::{send, sound};
use super::pages_team::{section, shows};
use super::sign_in::signed_in;
use super::sign_in_recent::call;
use crate::support::json;

const PEOPLE: &str = "/ui/orgs/acme/people";

#[test]
fn decision_33_a_members_page_has_the_repositories_that_they_were_given() {
    let world = world();
    let olivia = world.olivia();
    for (name, private) in [("web", true), ("alone", true), ("other", true), ("open", false)] {
        olivia.post("/orgs/acme/repos", json!({ "name": name, "private": private })).expect(201);
    }
    olivia.put("/orgs/acme/teams/core/repos/acme/web", json!({ "permission": "triage" })).expect(204);
    olivia.put("/repos/acme/web/collaborators/tom", json!({ "permission": "pull" })).expect(204);
    olivia.put("/repos/acme/alone/collaborators/tom", json!({ "permission": "maintain" })).expect(204);
    olivia.patch("/orgs/acme", json!({ "default_repository_permission": "none" })).expect(200);
    // A team of another organization, which owners of acme may not see, gives a level too.
    world.organization("globex", "nina", &["tom"]);
    world.nina().post("/orgs/globex/teams", json!({ "name": "Far", "maintainers": ["tom"] })).expect(201);
    given::run(
        &world,
        "INSERT INTO team_repos (team_id, repo_id, level)
         SELECT t.id, r.id, 3 FROM teams t JOIN repos r ON r.name = 'other' WHERE t.slug = 'far'",
    );
    let [room, none] = [format!("{PEOPLE}/tom"), format!("{PEOPLE}/eve")];
    for login in ["olivia", "tom"] {
        let mut browser = signed_in(&world, login);
        browser.visit("/ui/tom");
        sound(&browser.page.text);
        shows(&browser, &[&format!("href=\"{room}\"")], &[]);
        assert_eq!(browser.visit(&room).status, 200);
        sound(&browser.page.text);
        let list = section(&browser, "repositories").to_owned();
        let at = |name: &str, level: &str| {
            let link = format!(
                "<a href=\"/ui/acme/{name}\"><bdi>{name}</bdi></a></span> <span class=\"badge\">Private</span>"
            );
            list.find(&format!("{link} <small>{level}</small>"))
                .unwrap_or_else(|| panic!("no {name} {level} in {list}"))
        };
        assert!(at("alone", "Maintain") < at("web", "Triage") && !list.contains("other") && !list.contains("open"));
        assert!(browser.page.text.contains("<bdi>Core</bdi>"));
        let changes = ["Save the role", "/ui/orgs/acme/people/tom/remove"];
        if login == "olivia" { shows(&browser, &changes, &[]) } else { shows(&browser, &[], &changes) }
    }
    let mut tom = signed_in(&world, "tom");
    tom.visit("/ui/tom");
    shows(&tom, &["<bdi>acme</bdi></a> <small>Member</small>"], &[]);
    assert_eq!(send(&mut tom, &room, &[("role", "admin")]), 404);
    assert_eq!(world.olivia().get("/orgs/acme/memberships/tom").expect(200)["role"], "member");
    // It says what every member has, and what owners have.
    olivia.patch("/orgs/acme", json!({ "default_repository_permission": "write" })).expect(200);
    let mut owner = signed_in(&world, "olivia");
    owner.visit(&none);
    shows(&owner, &["As a member, Write on every repository of"], &["Through teams of"]);
    owner.visit(&format!("{PEOPLE}/olivia"));
    shows(&owner, &["As an owner, Admin on every repository of"], &[]);
    // What must fail is not offered.
    let changes = ["Save the role", "/ui/orgs/acme/people/olivia/remove"];
    shows(&owner, &["The last owner stays an owner."], &changes);
    olivia.put("/orgs/acme/memberships/max", json!({ "role": "admin" })).expect(200);
    owner.visit(&format!("{PEOPLE}/olivia"));
    shows(&owner, &changes, &["The last owner stays an owner."]);
    olivia.put("/orgs/acme/memberships/max", json!({ "role": "member" })).expect(200);
    // It is not there for others, and neither is its operation.
    for (login, paths) in [("max", &[&room, &none][..]), ("tom", &[&none]), ("nina", &[&room])] {
        let mut other = signed_in(&world, login);
        for path in paths {
            assert_eq!(other.visit(path).status, 404, "{login} {path}");
        }
        let refused = call(&world, &other, "rooms.reach", &[("org", "acme"), ("username", "eve")], &json!({}));
        assert!(matches!(refused, Err(Error::NotFound)), "{login}: {refused:?}");
    }
    let absent = call(&world, &owner, "rooms.reach", &[("org", "acme"), ("username", "ghost")], &json!({}));
    assert!(matches!(absent, Err(Error::NotFound)), "{absent:?}");
    assert_eq!(owner.visit(&format!("{PEOPLE}/ghost")).status, 404);
}

#[test]
fn decision_33_the_repositories_of_a_member_have_pages() {
    let world = world();
    for n in 0..33 {
        world.olivia().post("/orgs/acme/repos", json!({ "name": format!("r{n:02}"), "private": true })).expect(201);
        let path = format!("/repos/acme/r{n:02}/collaborators/tom");
        world.olivia().put(&path, json!({ "permission": "pull" })).expect(204);
    }
    let mut tom = signed_in(&world, "tom");
    tom.visit(&format!("{PEOPLE}/tom"));
    shows(&tom, &["1 to 30 of 33", "<bdi>r29</bdi>"], &["<bdi>r30</bdi>"]);
    tom.visit(&format!("{PEOPLE}/tom?page=2"));
    shows(&tom, &["31 to 33 of 33", "<bdi>r32</bdi>"], &["<bdi>r29</bdi>"]);
}

#[test]
fn decision_26_owners_see_what_an_invitation_offers_when_it_expires_and_whether_its_mail_arrived() {
    let world = world();
    for name in ["Alpha", "Beta", "Gamma", "Delta"] {
        given::secret(&world, name);
    }
    let mut olivia = signed_in(&world, "olivia");
    let fields = [("do", "invite"), ("who", "zoe@example.org"), ("teams", "alpha, beta, gamma, delta, core")];
    let fields = [&fields[..], &[("role", "direct_member")]].concat();
    assert_eq!(send(&mut olivia, PEOPLE, &fields), 200);
    shows(&olivia, &["as a member, to Alpha, Beta, Core and 2 more", "expires <time", "in 7 days"], &["Not delivered"]);
    settle(&world);
    for (sql, advice) in [
        (
            "UPDATE deliveries SET state = 'dead', last_status = 'permanent error (550): <b>' WHERE order_key < 0",
            "The mail server refused the recipient. Cancel it, and invite the person again with the right address.",
        ),
        (
            "UPDATE deliveries SET last_status = 'onnection refused' WHERE order_key < 0",
            "The mail server cannot be reached. Send it again later.",
        ),
    ] {
        assert_eq!(world.execute(sql), 1);
        olivia.visit(&format!("{PEOPLE}?show=invited"));
        sound(&olivia.page.text);
        shows(&olivia, &["<span class=\"state bad\">Not delivered.</span>", advice, ">Send again<"], &["(550)"]);
    }
    // Sent again, it waits.
    let id = world.olivia().get("/orgs/acme/invitations").expect(200)[0]["id"].to_string();
    assert_eq!(send(&mut olivia, PEOPLE, &[("do", "again"), ("invitation", &id)]), 200);
    settle(&world);
    olivia.visit(PEOPLE);
    shows(&olivia, &["zoe@example.org"], &["Not delivered"]);
    // Others learn nothing of it.
    let max = signed_in(&world, "max");
    let refused = call(&world, &max, "rooms.invitations", &[("org", "acme")], &json!({ "invitations": "1,2" }));
    assert!(matches!(refused, Err(Error::NotFound)), "{refused:?}");
    let many = (0..101).map(|n| n.to_string()).collect::<Vec<_>>().join(",");
    let refused = call(&world, &olivia, "rooms.invitations", &[("org", "acme")], &json!({ "invitations": many }));
    assert!(matches!(refused, Err(Error::Unprocessable { .. })), "{refused:?}");
}
