//! The people of an organization on pages: members, those who are invited, and those from outside (decisions 18, 26, 28
//! and 61).

use super::given;
use super::mail_invitations::world;
use super::pages_organization::{send, sound};
use super::sign_in::{newest, signed_in};
use crate::support::{json, mail};

const PEOPLE: &str = "/ui/orgs/acme/people";

/// The row of a person in the table of members.
fn row(page: &str, login: &str) -> String {
    let rows = page.split("<tr>").skip(1).filter(|row| row.contains(&format!("href=\"/ui/{login}\"")));
    rows.collect()
}

#[test]
fn decision_18_members_are_shown_with_their_role_and_the_teams_that_the_visitor_sees() {
    let world = world();
    let olivia = world.olivia();
    for name in ["Alpha", "Beta", "Gamma"] {
        given::closed(&world, name);
        given::put(&world, &name.to_lowercase(), "tom", "member");
    }
    given::secret(&world, "Aaa");
    given::put(&world, "aaa", "tom", "maintainer");
    let mut eve = signed_in(&world, "eve");
    let page = eve.visit(PEOPLE).text.clone();
    sound(&page);
    assert!(page.contains("<span class=\"meta\">5</span>"), "{page}");
    let tom = row(&page, "tom");
    for wanted in [">Member</td>", "<bdi>Alpha</bdi>", "<bdi>Beta</bdi>", "<bdi>Core</bdi>", ">1 more<", "<time "] {
        assert!(tom.contains(wanted), "{wanted} in {tom}");
    }
    assert!(!tom.contains("Aaa") && row(&page, "eve").contains("On no team yet"), "{page}");
    assert!(row(&page, "eve").contains("<small>you</small>") && row(&page, "max").contains("maintainer"), "{page}");
    for hidden in ["Invite", "From outside", "Change<"] {
        assert!(!page.contains(hidden), "{hidden} in {page}");
    }
    let mut owner = signed_in(&world, "olivia");
    let tom = row(&owner.visit(PEOPLE).text, "tom");
    assert!(tom.contains("Aaa") && tom.contains(">2 more<") && tom.contains(&format!("{PEOPLE}/tom\"")), "{tom}");
    // Billing managers are no members.
    world
        .olivia()
        .post("/orgs/acme/invitations", json!({ "email": "nina@example.com", "role": "billing_manager" }))
        .expect(201);
    world.nina().patch("/user/memberships/orgs/acme", json!({ "state": "active" })).expect(200);
    assert_eq!(row(&owner.visit(PEOPLE).text, "nina"), "");
    olivia.delete("/orgs/acme/members/eve").expect(204);
    assert_eq!(eve.visit(PEOPLE).status, 404);
}

#[test]
fn decision_18_members_are_filtered_by_role_and_name() {
    let world = world();
    world.client("tom").patch("/user", json!({ "name": "Tomás \"<b>\" العربية" })).expect(200);
    let mut eve = signed_in(&world, "eve");
    let mut shown = |query: &str| {
        let page = eve.visit(&format!("{PEOPLE}{query}"));
        assert_eq!(page.status, 200, "{query}: {}", page.text);
        sound(&page.text);
        let people = ["olivia", "max", "tom", "eve", "ray"];
        people.into_iter().filter(|login| !row(&page.text, login).is_empty()).collect::<Vec<_>>()
    };
    assert_eq!(shown("?role=admin"), ["olivia"]);
    assert_eq!(shown("?role=member"), ["max", "tom", "eve", "ray"]);
    assert_eq!(shown("?q=MA"), ["max"]);
    assert_eq!(shown("?q=tom%C3%A1s"), ["tom"]);
    assert_eq!(shown("?q=a&role=admin"), ["olivia"]);
    assert_eq!(shown("?q=%25"), [""; 0]);
    assert_eq!(shown("?q=%22%3Cb%3E"), ["tom"]);
    assert_eq!(shown("?role=x&show=invited"), ["olivia", "max", "tom", "eve", "ray"]);
    assert_eq!(shown("?page=2"), ["olivia", "max", "tom", "eve", "ray"]);
    assert_eq!(shown(&format!("?q={}", "é".repeat(500))), [""; 0]);
    assert_eq!(shown("?q=%00"), ["olivia", "max", "tom", "eve", "ray"]);
}

#[test]
fn decision_18_a_long_list_of_members_has_pages() {
    let world = world();
    world.execute("UPDATE orgs SET name = 'Acme' WHERE login = 'acme'");
    let mut olivia = signed_in(&world, "olivia");
    for number in 0..40 {
        let login = format!("person-{number}");
        world.register(&login);
        world.join("acme", "olivia", &login);
    }
    let page = olivia.visit(PEOPLE).text.clone();
    sound(&page);
    assert!(page.contains("1 to 25 of 45") && page.contains("q=&#38;role=&#38;page=2"), "{page}");
    let page = olivia.visit(&format!("{PEOPLE}?q=PERSON-&role=member&page=2")).text.clone();
    assert!(page.contains("26 to 40 of 40") && page.contains("q=PERSON-&#38;role=member&#38;page=1"), "{page}");
}

#[test]
fn decision_26_an_owner_invites_by_login_or_address_into_teams() {
    let world = world();
    given::secret(&world, "Night desk");
    let mut olivia = signed_in(&world, "olivia");
    let fields = [("do", "invite"), ("who", " @nina "), ("role", "direct_member"), ("teams", "core, Night Desk")];
    assert_eq!(send(&mut olivia, PEOPLE, &fields), 200);
    let page = olivia.page.text.clone();
    sound(&page);
    assert!(
        page.contains("Invited, but this site has no mail server.")
            && page.contains("as a member, to Core, Night desk"),
        "{page}"
    );
    assert!(page.contains("<bdi>nina</bdi>") && page.contains("by <bdi>olivia</bdi>"), "{page}");
    assert!(newest(&world, "nina@example.com").text.contains("Night desk"));
    send(&mut olivia, PEOPLE, &[("do", "invite"), ("who", "zoe+1@example.org"), ("role", "admin"), ("teams", "")]);
    assert!(olivia.page.text.contains("as an owner, not on a team yet"), "{}", olivia.page.text);
    let list = world.olivia().get("/orgs/acme/invitations").expect(200).clone();
    assert_eq!((&list[0]["login"], &list[0]["team_count"]), (&json!("nina"), &json!(2)), "{list}");
    assert_eq!((&list[1]["email"], &list[1]["role"]), (&json!("zoe+1@example.org"), &json!("admin")), "{list}");
    // What was open already is said, and the e-mail is sent again.
    world.advance(1);
    let mails = mail::until(world.mail.path(), |mails| mails.len() >= 2).len();
    for (who, role) in [("nina", "direct_member"), ("zoe+1@example.org", "admin")] {
        send(&mut olivia, PEOPLE, &[("do", "invite"), ("who", who), ("role", role)]);
        assert!(olivia.page.text.contains("They were invited already, and this site has no"), "{}", olivia.page.text);
    }
    mail::until(world.mail.path(), |all| all.len() == mails + 2);
    // Sending again keeps the role and the teams; cancelling ends it.
    let [id, zoe] = [0, 1].map(|at| list[at]["id"].to_string());
    send(&mut olivia, PEOPLE, &[("do", "again"), ("invitation", &zoe)]);
    assert!(olivia.page.text.contains("this site has no mail server."), "{}", olivia.page.text);
    send(&mut olivia, PEOPLE, &[("do", "cancel"), ("invitation", &id)]);
    assert!(olivia.page.text.contains("Invitation canceled."), "{}", olivia.page.text);
    send(&mut olivia, PEOPLE, &[("do", "cancel"), ("invitation", &id)]);
    assert!(olivia.page.text.contains("was answered or has ended"), "{}", olivia.page.text);
    let list = world.olivia().get("/orgs/acme/invitations").expect(200).clone();
    assert_eq!(list.as_array().map(Vec::len), Some(1), "{list}");
    // An expired one is apart, with its reason.
    world.advance(8 * 86_400);
    let mut olivia = signed_in(&world, "olivia");
    let page = olivia.visit(PEOPLE).text.clone();
    assert!(page.contains("Ended invitations") && page.contains("There are no open invitations."), "{page}");
    assert!(olivia.visit(&format!("{PEOPLE}?show=failed")).text.contains("zoe+1@example.org"));
    assert!(!olivia.visit(&format!("{PEOPLE}?show=invited")).text.contains("zoe+1@example.org"));
}

#[test]
fn decision_26_an_invitation_that_is_not_open_is_not_sent_again() {
    let world = world();
    world.olivia().put("/orgs/acme/memberships/max", json!({ "role": "admin" })).expect(200);
    let mut owners = ["olivia", "max"].map(|login| signed_in(&world, login));
    let invited = |role: &str| {
        let body = json!({ "invitee_id": given::user_id(&world, "nina"), "role": role });
        world.olivia().post("/orgs/acme/invitations", body).expect(201)["id"].to_string()
    };
    let id = invited("direct_member");
    let codes = owners.each_mut().map(|owner| {
        owner.visit(PEOPLE);
        owner.code()
    });
    owners[0].send_to(PEOPLE, &codes[0], &[("do", "cancel"), ("invitation", &id)]).expect(200);
    let again = [("do", "again"), ("invitation", id.as_str()), ("who", "nina"), ("role", "direct_member")];
    owners[1].send_to(PEOPLE, &codes[1], &again).expect(200);
    assert!(owners[1].page.text.contains("was answered or has ended"), "{}", owners[1].page.text);
    // The form is about its invitation, whatever address and role it names.
    for other in ["", "0", "x", "99999999999999999999", "1,2"] {
        send(&mut owners[1], PEOPLE, &[("do", "again"), ("invitation", other), ("who", "una@example.net")]);
        assert!(owners[1].page.text.contains("was answered or has ended"), "{other}: {}", owners[1].page.text);
    }
    assert_eq!(world.olivia().get("/orgs/acme/invitations").expect(200), &json!([]));
    let id = invited("direct_member");
    let again = [("do", "again"), ("invitation", id.as_str()), ("who", "una@example.net"), ("role", "admin")];
    assert_eq!(send(&mut owners[1], PEOPLE, &again), 200);
    let list = world.olivia().get("/orgs/acme/invitations").expect(200).clone();
    assert_eq!((&list[0]["login"], &list[0]["role"]), (&json!("nina"), &json!("direct_member")), "{list}");
    assert_eq!(list.as_array().map(Vec::len), Some(1), "{list}");
    // A refused one keeps whom it invites, and as what.
    world.sam().put("/users/nina/suspended", json!({})).expect(204);
    let again = [("do", "again"), ("invitation", id.as_str()), ("who", "nina"), ("role", "admin")];
    assert_eq!(send(&mut owners[1], PEOPLE, &again), 422);
    let page = &owners[1].page.text;
    for wanted in ["This account is suspended.", "value=\"nina\"", "<option value=\"admin\" selected>"] {
        assert!(page.contains(wanted), "{wanted} in {page}");
    }
    world.sam().delete("/users/nina/suspended").expect(204);
    world.advance(8 * 86_400);
    let mut olivia = signed_in(&world, "olivia");
    send(&mut olivia, PEOPLE, &[("do", "again"), ("invitation", &id)]);
    assert!(olivia.page.text.contains("was answered or has ended"), "{}", olivia.page.text);
    assert_eq!(world.olivia().get("/orgs/acme/invitations").expect(200), &json!([]));
}

#[test]
fn decision_26_what_is_wrong_with_an_invitation_is_told_at_the_field() {
    let world = world();
    let mut olivia = signed_in(&world, "olivia");
    let many = "x,".repeat(30);
    for (field, who, teams) in [
        ("who", "", ""),
        ("who", "no-such-login", "Core"),
        ("who", "acme", ""),
        ("who", "tom", ""),
        ("who", "tom<at>@", ""),
        ("who", "../users", ""),
        ("teams", "nina", "Core, No such <team>"),
        ("teams", "nina", many.as_str()),
    ] {
        let fields = [("do", "invite"), ("who", who), ("role", "admin"), ("teams", teams)];
        assert_eq!(send(&mut olivia, PEOPLE, &fields), 422, "{who} {teams}: {}", olivia.page.text);
        let page = &olivia.page.text;
        sound(page);
        let shown = |text: &str| text.replace('<', "&#60;").replace('>', "&#62;");
        let wanted = [
            format!("id=\"{field}-error\""),
            format!("value=\"{}\"", shown(who)),
            format!("value=\"{}\"", shown(teams)),
            "<option value=\"admin\" selected>".to_owned(),
            "<details class=\"reveal\" open>".to_owned(),
        ];
        assert!(wanted.iter().all(|wanted| page.contains(wanted)), "{wanted:?}: {page}");
    }
    let code = olivia.code();
    let mut eve = signed_in(&world, "eve");
    for (code, fields) in
        [("forged", [("do", "invite"), ("who", "nina")]), (code.as_str(), [("do", "invite"), ("who", "nina")])]
    {
        assert_eq!(eve.send_to(PEOPLE, code, &fields).status, 403);
    }
    assert_eq!(world.olivia().get("/orgs/acme/invitations").expect(200), &json!([]));
}

#[test]
fn decision_61_an_owner_changes_the_role_of_a_member() {
    let world = world();
    let mut olivia = signed_in(&world, "olivia");
    let tom = format!("{PEOPLE}/tom");
    let page = olivia.visit(&tom).text.clone();
    sound(&page);
    assert!(page.contains("<bdi>Core</bdi>") && page.contains("Remove <bdi>tom</bdi>…"), "{page}");
    send(&mut olivia, &tom, &[("role", "admin")]);
    assert!(olivia.page.text.contains("Saved.") && olivia.page.text.contains("Owner of <bdi>acme</bdi>"));
    assert_eq!(world.olivia().get("/orgs/acme/memberships/tom").expect(200)["role"], "admin");
    let own = format!("{PEOPLE}/olivia");
    olivia.visit(&own);
    let code = olivia.code();
    send(&mut olivia, &tom, &[("role", "member")]);
    assert_eq!(world.olivia().get("/orgs/acme/memberships/tom").expect(200)["role"], "member");
    // The last owner stays one.
    assert_eq!(olivia.send_to(&own, &code, &[("role", "member")]).status, 422);
    assert!(olivia.page.text.contains("id=\"role-error\""), "{}", olivia.page.text);
    // A person who is no member is not invited this way.
    for login in ["nina", "nothing", "acme", "%3Cscript%3E"] {
        assert_eq!(olivia.visit(&format!("{PEOPLE}/{login}")).status, 404, "{login}");
    }
    let code = olivia.code();
    assert_eq!(olivia.send_to(&format!("{PEOPLE}/nina"), &code, &[("role", "member")]).status, 404);
    let mut eve = signed_in(&world, "eve");
    assert_eq!(eve.visit(&tom).status, 404);
    // Owners are changed after a recent sign-in alone.
    world.advance(16 * 60);
    olivia.visit(&tom);
    let code = olivia.code();
    let page = olivia.send_to(&tom, &code, &[("role", "admin")]);
    assert!(page.text.contains("Confirm it’s you") && !page.text.contains("Saved."), "{}", page.text);
    assert_eq!(world.olivia().get("/orgs/acme/memberships/tom").expect(200)["role"], "member");
}

#[test]
fn decision_28_a_page_asks_before_a_member_is_removed() {
    let world = world();
    let mut olivia = signed_in(&world, "olivia");
    let remove = format!("{PEOPLE}/tom/remove");
    let page = olivia.visit(&remove).text.clone();
    sound(&page);
    for wanted in ["Remove <bdi>tom</bdi> from <bdi>acme</bdi>?", "<bdi>Core</bdi>", "Keep them"] {
        assert!(page.contains(wanted), "{wanted} in {page}");
    }
    world.olivia().get("/orgs/acme/members/tom").expect(204);
    assert_eq!(olivia.send_to(&remove, "forged", &[]).status, 403);
    world.olivia().get("/orgs/acme/members/tom").expect(204);
    assert_eq!(signed_in(&world, "eve").visit(&remove).status, 404);
    send(&mut olivia, &remove, &[]);
    assert!(olivia.path.starts_with(PEOPLE) && olivia.page.text.contains("no longer a member"), "{}", olivia.path);
    world.olivia().get("/orgs/acme/members/tom").expect(404);
    assert_eq!(olivia.visit(&remove).status, 404);
    let own = format!("{PEOPLE}/olivia/remove");
    assert_eq!(send(&mut olivia, &own, &[]), 422, "{}", olivia.page.text);
    assert!(olivia.page.text.contains("role=\"alert\""), "{}", olivia.page.text);
}

#[test]
fn decision_28_a_page_asks_before_a_person_from_outside_loses_access() {
    let world = world();
    world.olivia().post("/orgs/acme/repos", json!({ "name": "web" })).expect(201);
    world.olivia().put("/repos/acme/web/collaborators/nina", json!({ "permission": "push" })).expect(204);
    let mut olivia = signed_in(&world, "olivia");
    let page = olivia.visit(PEOPLE).text.clone();
    sound(&page);
    assert!(page.contains("From outside <span class=\"meta\">1</span>"), "{page}");
    assert!(page.contains("/people/nina/outside"), "{page}");
    assert!(olivia.visit(&format!("{PEOPLE}?show=outside")).text.contains("<bdi>nina</bdi>"));
    let outside = format!("{PEOPLE}/nina/outside");
    assert!(olivia.visit(&outside).text.contains("from the repositories of <bdi>acme</bdi>?"));
    assert!(!olivia.page.text.contains("Only a new invitation"), "{}", olivia.page.text);
    world.olivia().get("/repos/acme/web/collaborators/nina").expect(204);
    send(&mut olivia, &outside, &[]);
    assert!(olivia.page.text.contains("no access from outside"), "{}", olivia.page.text);
    world.olivia().get("/repos/acme/web/collaborators/nina").expect(404);
    // A member is not from outside.
    let tom = format!("{PEOPLE}/tom/outside");
    assert_eq!(send(&mut olivia, &tom, &[]), 422, "{}", olivia.page.text);
    world.olivia().get("/orgs/acme/members/tom").expect(204);
    assert_eq!(signed_in(&world, "eve").visit(&outside).status, 404);
}
