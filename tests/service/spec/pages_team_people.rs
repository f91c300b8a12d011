//! The forms of a team's rooms that change who is on it (decisions 24, 25, 64, 65 and 66).

use super::given;
use super::mail_invitations::world;
use super::pages_team::{CORE, section, send, shows};
use super::sign_in::{newest, signed_in};
use crate::support::{World, json};

const MEMBERSHIPS: &str = "/orgs/acme/teams/core/memberships";

/// The role and the end of a membership.
fn membership(world: &World, login: &str) -> (String, String) {
    let record = world.olivia().get(&format!("{MEMBERSHIPS}/{login}")).expect(200).clone();
    let text = |key: &str| record[key].as_str().unwrap_or_default().to_owned();
    (text("role"), text("expires_at"))
}

/// The day this number of days from now.
fn day(world: &World, days: i64) -> String {
    world.now().plus_seconds(days * 86_400).to_string().chars().take(10).collect()
}

#[test]
fn decision_24_a_maintainer_adds_people_and_changes_their_roles() {
    let world = world();
    let mut max = signed_in(&world, "max");
    assert_eq!(send(&mut max, CORE, &[("do", "add"), ("who", " @eve "), ("role", "maintainer")]), 200);
    shows(&max, &["Added.", "/ui/eve"], &[]);
    assert_eq!(max.path, format!("{CORE}?done=added"));
    assert_eq!(membership(&world, "eve"), ("maintainer".into(), String::new()));
    for (path, word, role) in [(CORE, "member", "member"), (&format!("{CORE}/members"), "maintainer", "maintainer")] {
        assert_eq!(send(&mut max, path, &[(word, "eve")]), 200);
        shows(&max, &["Role changed."], &[]);
        assert_eq!(membership(&world, "eve").0, role);
        assert!(max.path.starts_with(path), "{}", max.path);
    }
    // Before a person is removed, a page asks.
    max.visit(&format!("{CORE}?remove=eve"));
    shows(&max, &["Remove <bdi>eve</bdi> from <bdi>Core</bdi>?", "What stays"], &[]);
    assert_eq!(membership(&world, "eve").0, "maintainer");
    assert_eq!(max.send(&[("do", "remove"), ("login", "eve")]).status, 200);
    shows(&max, &["Removed from this team."], &["/ui/eve"]);
    world.olivia().get(&format!("{MEMBERSHIPS}/eve")).expect(404);
    // An owner has it all without the team.
    world.olivia().put(&format!("{MEMBERSHIPS}/olivia"), json!({ "role": "member" })).expect(200);
    max.visit(&format!("{CORE}?remove=olivia"));
    shows(&max, &["keeps its private posts and all access, as an owner"], &["loses what only"]);
    for query in ["?remove=eve", "?remove=%3Cb%3E", "?end=eve", "?end=ghost"] {
        assert_eq!(max.visit(&format!("{CORE}{query}")).status, 404, "{query}");
    }
}

#[test]
fn decision_24_what_is_wrong_with_a_person_is_told_beside_the_field() {
    let world = world();
    world.organization("other", "nina", &[]);
    world.sam().put("/users/ray/suspended", json!({})).expect(204);
    let mut max = signed_in(&world, "max");
    for (fields, text, field) in [
        (&[("who", "ghost<x>")][..], "no account ghost&#60;x&#62;. Enter the login of a member of acme; owners", "who"),
        (&[("who", "ray")], "This account is suspended. It cannot be added until", "who"),
        (&[("who", "nina")], "nina is not in acme. Owners of acme can invite them.", "who"),
        (&[("who", "other")], "other is an organization.", "who"),
        (&[("who", " ")], "Enter a login or an e-mail address.", "who"),
        (&[("who", "una@example.net")], "Only owners can invite someone by e-mail address.", "who"),
        (&[("who", "eve"), ("until", "2001-01-01")], "Enter a day that is not over", "until"),
        (&[("who", "eve"), ("until", "2999-01-01")], "Enter a day that is not over", "until"),
        (&[("who", "eve"), ("until", "\"><x>")], "Enter a day that is not over", "until"),
    ] {
        let fields = [&[("do", "add"), ("role", "maintainer")][..], fields].concat();
        let is_mail = fields.iter().any(|(_, value)| value.contains('@'));
        let fields: Vec<_> = fields.into_iter().filter(|field| !is_mail || field.0 != "role").collect();
        assert_eq!(send(&mut max, CORE, &fields), 422, "{fields:?}");
        shows(&max, &[text, &format!("id=\"{field}-error\""), "<title>Error: Core", "class=\"reveal\" open"], &["<x>"]);
        assert_eq!(max.page.text.contains("value=\"maintainer\" selected"), !is_mail, "{fields:?}");
    }
    shows(&max, &["value=\"eve\""], &[]);
    world.olivia().get(&format!("{MEMBERSHIPS}/eve")).expect(404);
}

#[test]
fn decision_25_an_owner_invites_people_from_outside() {
    let world = world();
    let mut olivia = signed_in(&world, "olivia");
    assert_eq!(send(&mut olivia, CORE, &[("do", "add"), ("who", "nina")]), 200);
    shows(&olivia, &["Invited, but this site has no mail server."], &[]);
    assert_eq!(send(&mut olivia, CORE, &[("do", "add"), ("who", "una@example.net")]), 200);
    world.advance(1);
    for who in ["nina", "una@example.net"] {
        assert_eq!(send(&mut olivia, CORE, &[("do", "add"), ("who", who)]), 200);
        shows(&olivia, &["They were invited already, and this site has no mail server."], &[]);
    }
    let invited = section(&olivia, "invited");
    for text in ["<bdi>nina</bdi>", "<bdi>una@example.net</bdi>", "by <bdi>olivia</bdi>", "Send again", "Cancel"] {
        assert!(invited.contains(text), "{text}: {invited}");
    }
    assert!(newest(&world, "una@example.net").text.contains("the team Core"));
    for (fields, text) in [
        (&[("who", "una@@")][..], "Enter an address with an @"),
        (&[("who", "ghost")], "There is no account ghost. Invite someone without one by their e-mail address."),
        (&[("who", "tom@example.com")], "This address belongs to someone who is in acme already."),
        (&[("who", "vera@example.net"), ("role", "maintainer")], "begins as a member."),
        (&[("who", "vera@example.net"), ("until", "2030-01-01")], "begins without a last day."),
    ] {
        let fields = [&[("do", "add")][..], fields].concat();
        assert_eq!(send(&mut olivia, CORE, &fields), 422, "{fields:?}");
        shows(&olivia, &[text], &[]);
    }
    // A maintainer sees them, and takes the team out of the invitation of an account.
    let mut max = signed_in(&world, "max");
    assert_eq!(send(&mut max, CORE, &[("do", "add"), ("who", "nina"), ("role", "maintainer")]), 200);
    shows(&max, &["They were invited already, and this site has no mail server."], &[]);
    max.visit(CORE);
    shows(&max, &["<bdi>una@example.net</bdi>", "Do not add<span class=\"sr\"> nina"], &["Send again"]);
    assert_eq!(send(&mut max, CORE, &[("do", "take"), ("login", "nina")]), 200);
    shows(&max, &["The invitation no longer leads to this team."], &["<bdi>nina</bdi>"]);
    let open = world.olivia().get("/orgs/acme/teams/core/invitations").expect(200)[0]["id"].to_string();
    for (word, text) in [("again", "this site has no mail server."), ("cancel", "Invitation canceled.")] {
        assert_eq!(send(&mut olivia, CORE, &[("do", word), ("invitation", &open)]), 200);
        shows(&olivia, &[text], &[]);
    }
    assert_eq!(world.olivia().get("/orgs/acme/teams/core/invitations").expect(200), &json!([]));
    for word in ["again", "cancel"] {
        assert_eq!(send(&mut olivia, CORE, &[("do", word), ("invitation", &open)]), 200);
        shows(&olivia, &["That invitation was answered or has ended."], &[]);
    }
    assert_eq!(send(&mut max, CORE, &[("do", "take"), ("login", "nina")]), 200);
    shows(&max, &["The invitation no longer leads to this team."], &[]);
    let mut tom = signed_in(&world, "tom");
    tom.visit(CORE);
    shows(&tom, &[], &["una@example.net"]);
}

#[test]
fn decision_64_a_membership_gets_a_last_day() {
    let world = world();
    let (soon, later) = (day(&world, 10), day(&world, 20));
    let mut max = signed_in(&world, "max");
    assert_eq!(send(&mut max, CORE, &[("do", "add"), ("who", "eve"), ("until", &soon)]), 200);
    assert_eq!(membership(&world, "eve"), ("member".into(), format!("{soon}T23:59:59Z")));
    shows(&max, &["leaves on <time", "Change the end date…", "Set an end date…"], &[]);
    given::put(&world, "core", "eve", "maintainer");
    let people = format!("{CORE}/members");
    max.visit(&format!("{people}?end=eve"));
    shows(&max, &["Until when is <bdi>eve</bdi> on", &format!("value=\"{soon}\""), "Keep the date"], &[]);
    assert_eq!(max.send(&[("do", "end"), ("login", "eve"), ("until", &later)]).status, 200);
    assert_eq!(membership(&world, "eve"), ("maintainer".into(), format!("{later}T23:59:59Z")));
    shows(&max, &["End date saved."], &[]);
    assert_eq!(max.path, format!("{people}?done=end"));
    for wrong in ["2001-01-01", "soon", "2999-12-31"] {
        assert_eq!(send(&mut max, &people, &[("do", "end"), ("login", "eve"), ("until", wrong)]), 422);
        shows(&max, &["id=\"until-error\"", "Error: End date of eve", &format!("value=\"{wrong}\"")], &[]);
    }
    assert_eq!(send(&mut max, &people, &[("do", "end"), ("login", "eve"), ("until", "")]), 200);
    assert_eq!(membership(&world, "eve"), ("maintainer".into(), String::new()));
    assert_eq!(send(&mut max, &people, &[("do", "end"), ("login", "ghost"), ("until", "")]), 422);
}

#[test]
fn decision_65_a_person_asks_to_join_and_a_maintainer_decides() {
    let world = world();
    let mut eve = signed_in(&world, "eve");
    assert_eq!(send(&mut eve, CORE, &[("do", "ask"), ("message", &"x".repeat(501))]), 422);
    shows(&eve, &["id=\"message-error\"", &"x".repeat(501)], &[]);
    assert_eq!(send(&mut eve, CORE, &[("do", "ask"), ("message", "May <b>I</b>?")]), 200);
    shows(&eve, &["You asked to join", "Withdraw"], &["Why you want to join"]);
    let open = || world.max().get("/orgs/acme/teams/core/join_requests?state=open").expect(200).clone();
    let id = open()[0]["id"].to_string();
    assert_eq!(send(&mut eve, CORE, &[("do", "withdraw"), ("request", &id)]), 200);
    shows(&eve, &["You no longer ask to join.", "Why you want to join"], &[]);
    let mut max = signed_in(&world, "max");
    assert_eq!(send(&mut max, CORE, &[("do", "approve"), ("request", &id)]), 422);
    shows(&max, &["This request is not open any more."], &["Wants to join"]);
    for (word, text) in [("decline", "Request declined."), ("approve", "Added.")] {
        world.advance(8 * 86_400);
        assert_eq!(send(&mut eve, CORE, &[("do", "ask"), ("message", "May <b>I</b>?")]), 200);
        let (id, code) = (open()[0]["id"].to_string(), eve.code());
        max.visit(CORE);
        let asks = section(&max, "asks");
        assert!(asks.contains("Wants to join") && asks.contains("May &#60;b&#62;I&#60;/b&#62;?"), "{asks}");
        // Those who may not decide do not see it.
        let mut tom = signed_in(&world, "tom");
        tom.visit(CORE);
        shows(&tom, &[], &["Wants to join", "/ui/eve"]);
        assert_eq!(send(&mut max, CORE, &[("do", word), ("request", &id)]), 200);
        shows(&max, &[text], &["Wants to join"]);
        if word == "decline" {
            eve.visit(CORE);
            let told = ["Your request to join was declined. You can ask again <time", ">in 7 days</time>."];
            shows(&eve, &told, &["Ask to join", "You asked to join"]);
            // A page from before has the form still.
            assert_eq!(eve.send_to(CORE, &code, &[("do", "ask"), ("message", "Again")]).status, 422);
            shows(&eve, &["it is too early to ask again.", ">Again</textarea>"], &["can ask again from"]);
            world.advance(7 * 86_400);
            eve.visit(CORE);
            shows(&eve, &["Ask to join"], &["declined"]);
        }
    }
    assert_eq!(membership(&world, "eve").0, "member");
    eve.visit(CORE);
    shows(&eve, &["You are a <b>member</b>"], &["Ask to join"]);
}

#[test]
fn decision_66_members_leave_if_the_organization_lets_them() {
    let world = world();
    let mut tom = signed_in(&world, "tom");
    let leave = format!("{CORE}/leave");
    assert_eq!(tom.visit(&leave).status, 404);
    tom.visit(CORE);
    shows(&tom, &[], &[">Leave <bdi>Core</bdi>…"]);
    world.olivia().patch("/orgs/acme", json!({ "members_can_leave_teams": true })).expect(200);
    tom.visit(CORE);
    shows(&tom, &[">Leave <bdi>Core</bdi>…", "href=\"/ui/orgs/acme/teams/core/leave\""], &[]);
    tom.visit(&leave);
    shows(&tom, &["Leave <bdi>Core</bdi>?", "To come back, ask to join."], &[]);
    assert_eq!(membership(&world, "tom").0, "member");
    let code = tom.code();
    for _ in 0..2 {
        assert_eq!(tom.send_to(&leave, &code, &[]).status, 200);
        shows(&tom, &["You left this team.", "Ask to join"], &[">Leave <bdi>Core</bdi>…"]);
    }
    world.olivia().get(&format!("{MEMBERSHIPS}/tom")).expect(404);
    assert_eq!(signed_in(&world, "eve").visit(&leave).status, 404);
}

#[test]
fn decision_61_only_the_forms_of_the_page_itself_change_who_is_on_a_team() {
    let world = world();
    let people = format!("{CORE}/members");
    let mut max = signed_in(&world, "max");
    max.visit(&people);
    let other = max.code();
    for (path, code) in [(CORE, other.as_str()), (CORE, ""), (&people, "AAAA")] {
        for fields in [&[("do", "add"), ("who", "eve")][..], &[("maintainer", "tom")]] {
            assert_eq!(max.send_to(path, code, fields).status, 403, "{path}");
        }
    }
    // A person who may not do it is refused, whatever they send.
    let mut tom = signed_in(&world, "tom");
    tom.visit("/ui/settings");
    let code = tom.code();
    for fields in
        [&[("do", "add"), ("who", "eve")][..], &[("maintainer", "tom")], &[("do", "remove"), ("login", "max")]]
    {
        assert_eq!(tom.send_to(CORE, &code, fields).status, 403);
    }
    for (fields, status) in [(&[("do", "x")][..], 404), (&[], 404), (&[("member", "ghost")], 422)] {
        assert_eq!(send(&mut max, CORE, fields), status, "{fields:?}");
    }
    world.olivia().get(&format!("{MEMBERSHIPS}/eve")).expect(404);
    assert_eq!((membership(&world, "tom").0, membership(&world, "max").0), ("member".into(), "maintainer".into()));
}
