//! The forms of pages that have changed since they were opened (decisions 10, 14, 24, 31, 32 and 67).

use super::given;
use super::mail_invitations::world;
use super::pages_team::{CORE, hidden, send, shows};
use super::sign_in::signed_in;
use crate::support::json;

const VAULT: &str = "/ui/acme/vault";

#[test]
fn decision_10_an_old_form_does_not_open_a_secret_team() {
    let world = world();
    given::closed(&world, "Rena");
    let (room, record) = ("/ui/orgs/acme/teams/rena/settings", "/orgs/acme/teams/rena");
    let mut olivia = signed_in(&world, "olivia");
    olivia.visit(room);
    let old = hidden(&olivia, "version");
    let secret = json!({ "name": "Rena", "privacy": "secret", "description": "Not for everyone" });
    world.olivia().patch(record, secret).expect(200);
    let typed = [("name", "Renamed"), ("description", ""), ("parent", ""), ("privacy", "closed"), ("news", "on")];
    let all = [&[("version", old.as_str())][..], &typed].concat();
    assert_eq!(olivia.send(&all).status, 422);
    shows(
        &olivia,
        &[
            "was changed after you opened this page",
            "the name, what it does, who can see it.",
            "value=\"Renamed\"",
            "value=\"secret\" checked",
        ],
        &["value=\"closed\" checked"],
    );
    // A form that does not choose, or that has no version, changes nothing either.
    let now = hidden(&olivia, "version");
    assert_ne!(now, old);
    for (without, text) in
        [("privacy", "Choose who can see the team."), ("news", "Choose who is told"), ("version", "")]
    {
        for value in [None, Some("banana"), Some("\u{5d0}<x>")] {
            let mut fields = [&[("version", now.as_str())][..], &typed].concat();
            fields.retain(|(name, _)| *name != without);
            fields.extend(value.map(|value| (without, value)));
            assert_eq!(send(&mut olivia, room, &fields), 422, "{fields:?}");
            shows(&olivia, &[text], &["<x>"]);
        }
    }
    let kept = world.olivia().get(record).expect(200).clone();
    assert_eq!((&kept["name"], &kept["privacy"]), (&json!("Rena"), &json!("secret")));
    assert_eq!(kept["description"], "Not for everyone");
    // What came back is saved when it is sent again, and a second time is no other change.
    let again = [("name", "Renamed"), ("description", "New"), ("parent", ""), ("privacy", "secret"), ("news", "off")];
    let fields = [&[("version", now.as_str())][..], &again].concat();
    assert_eq!(send(&mut olivia, room, &fields), 200);
    assert_eq!(send(&mut olivia, "/ui/orgs/acme/teams/renamed/settings", &fields), 200);
    let kept = world.olivia().get("/orgs/acme/teams/renamed").expect(200).clone();
    assert_eq!((&kept["description"], &kept["privacy"]), (&json!("New"), &json!("secret")));
}

#[test]
fn decision_14_an_old_form_does_not_delete_another_team() {
    let world = world();
    given::closed(&world, "Twice");
    let room = "/ui/orgs/acme/teams/twice/delete";
    let mut olivia = signed_in(&world, "olivia");
    olivia.visit(room);
    let (code, old) = (olivia.code(), hidden(&olivia, "team"));
    world.olivia().delete("/orgs/acme/teams/twice").expect(204);
    given::closed(&world, "Twice");
    for fields in [&[("team", old.as_str())][..], &[], &[("team", "x")]] {
        assert_eq!(olivia.send_to(room, &code, fields).status, 422);
        shows(&olivia, &["This is not the team that you were asked about."], &[]);
    }
    world.olivia().get("/orgs/acme/teams/twice").expect(200);
    let now = hidden(&olivia, "team");
    assert_eq!(olivia.send(&[("team", &now)]).status, 200);
    world.olivia().get("/orgs/acme/teams/twice").expect(404);
}

#[test]
fn decision_24_an_old_menu_does_not_add_a_removed_person() {
    let world = world();
    given::child(&world, &given::core(&world), "Build");
    let mut olivia = signed_in(&world, "olivia");
    world.olivia().delete("/orgs/acme/memberships/tom").expect(204);
    let gone = "tom is not on this team any more. Nothing has changed.";
    for fields in [
        &[("maintainer", "tom")][..],
        &[("member", "tom")],
        &[("do", "end"), ("login", "tom"), ("until", "2030-01-01")],
        &[("do", "remove"), ("login", "tom")],
    ] {
        assert_eq!(send(&mut olivia, CORE, fields), 422, "{fields:?}");
        shows(&olivia, &[gone], &["Role changed."]);
    }
    for path in ["/orgs/acme/invitations", "/orgs/acme/teams/core/invitations"] {
        assert_eq!(world.olivia().get(path).expect(200), &json!([]));
    }
    // A person of a child team alone is not on this team.
    given::put(&world, "build", "eve", "member");
    assert_eq!(send(&mut olivia, CORE, &[("maintainer", "eve")]), 422);
    shows(&olivia, &["eve is not on this team any more."], &[]);
    for login in ["ghost<x>", "acme", "\u{5d0}"] {
        assert_eq!(send(&mut olivia, CORE, &[("maintainer", login)]), 422, "{login}");
        shows(&olivia, &["is not on this team any more."], &["<x>"]);
    }
    let people = world.olivia().get("/orgs/acme/teams/core/members").expect(200).to_string();
    assert!(people.contains("\"eve\"") && !people.contains("\"tom\""), "{people}");
    assert_eq!(send(&mut olivia, CORE, &[("do", "add"), ("who", "eve"), ("role", "maintainer")]), 200);
}

#[test]
fn decision_24_adding_a_person_twice_does_not_change_their_role() {
    let world = world();
    let mut olivia = signed_in(&world, "olivia");
    for typed in ["max", "@MAX"] {
        assert_eq!(send(&mut olivia, CORE, &[("do", "add"), ("who", typed), ("role", "member")]), 422);
        shows(&olivia, &["is on this team already. Nothing has changed.", "id=\"who-error\""], &[]);
    }
    let record = world.olivia().get("/orgs/acme/teams/core/memberships/max").expect(200).clone();
    assert_eq!(record["role"], "maintainer");
}

#[test]
fn decision_31_an_old_form_does_not_give_access_again() {
    let world = world();
    given::repository(&world, "web", None);
    let project = given::project(&world, "Plan")["id"].to_string();
    given::child(&world, &given::core(&world), "Build");
    let api = world.olivia();
    let mut olivia = signed_in(&world, "olivia");
    let level = json!({ "permission": "admin" });
    for (tab, subject, path) in [
        ("repositories", "acme/web", "repos/acme/web".to_owned()),
        ("projects", &project, format!("projects/{project}")),
    ] {
        let (room, subject) = (format!("{CORE}/{tab}"), ("subject", subject));
        for action in ["change", "take"] {
            assert_eq!(send(&mut olivia, &room, &[("do", action), subject, ("level", "admin")]), 422, "{action}");
            shows(&olivia, &["Core does not have this", "any more, or you cannot see it."], &["class=\"reveal\" open"]);
        }
        api.get(&format!("/orgs/acme/teams/core/{path}")).expect(404);
        // What a team has from the team above it was not given to it.
        api.put(&format!("/orgs/acme/teams/core/{path}"), level.clone()).expect(204);
        let below = format!("/ui/orgs/acme/teams/build/{tab}");
        assert_eq!(send(&mut olivia, &below, &[("do", "change"), subject, ("level", "admin")]), 422);
        assert_eq!(send(&mut olivia, &room, &[("do", "change"), subject, ("level", "admin")]), 200);
        let asked = format!("{room}?take={}", subject.1);
        assert_eq!(send(&mut olivia, &asked, &[("do", "take"), subject]), 200);
    }
    for subject in ["", "x", "acme/ghost", "99999999999999999999", "-1", "a/b/c"] {
        for tab in ["repositories", "projects"] {
            let fields = [("do", "change"), ("subject", subject), ("level", "admin")];
            assert_eq!(send(&mut olivia, &format!("{CORE}/{tab}"), &fields), 422, "{tab} {subject}");
            assert_eq!(olivia.visit(&format!("{CORE}/{tab}?take=x{subject}")).status, 404, "{tab} {subject}");
        }
    }
}

#[test]
fn decision_67_an_old_menu_does_not_give_access_again() {
    let world = world();
    given::repository(&world, "vault", None);
    world.organization("other", "nina", &[]);
    let project = format!("/ui/orgs/acme/projects/{}", given::project(&world, "Plan")["number"]);
    let mut olivia = signed_in(&world, "olivia");
    for (page, level) in [(VAULT, "admin"), (&project, "admin")] {
        for (kind, who) in [("team", "core"), ("person", "max"), ("team", "ghost"), ("person", "gh<ost"), ("team", "")]
        {
            for action in ["change", "take"] {
                let fields = [("do", format!("{action}-{kind}")), ("who", who.to_owned()), ("level", level.to_owned())];
                let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
                assert_eq!(send(&mut olivia, page, &fields), 422, "{page} {fields:?}");
                shows(&olivia, &["does not have this access any more."], &["gh<ost"]);
            }
            let asked = format!("{page}?take={kind}&org=acme&who={}", who.replace('<', "%3C"));
            assert_eq!(olivia.visit(&asked).status, 404, "{asked}");
        }
        for (kind, who) in [("team", "core"), ("person", "max")] {
            for (action, text) in [("give", "Access given."), ("change", "Access given."), ("take", "taken away.")] {
                let action = format!("{action}-{kind}");
                let mut fields = vec![("do", action.as_str()), ("org", "acme"), ("who", who), ("level", level)];
                let asked =
                    if action.starts_with("take") { format!("{page}?take={kind}&who={who}") } else { page.into() };
                olivia.visit(&asked);
                let id = if asked == page { String::new() } else { hidden(&olivia, "id") };
                fields.push(("id", &id));
                assert_eq!(olivia.send(&fields).status, 200, "{page} {fields:?}");
                shows(&olivia, &[text], &[]);
            }
        }
    }
    world.olivia().get("/orgs/acme/teams/core/repos/acme/vault").expect(404);
}

#[test]
fn decision_67_teams_and_people_have_pages_of_their_own() {
    let world = world();
    given::repository(&world, "vault", None);
    for number in 0..31 {
        let team = given::closed(&world, &format!("Crew {number}"));
        let slug = team["slug"].as_str().unwrap_or_default();
        let path = format!("/orgs/acme/teams/{slug}/repos/acme/vault");
        world.olivia().put(&path, json!({ "permission": "pull" })).expect(204);
    }
    let mut olivia = signed_in(&world, "olivia");
    olivia.visit(VAULT);
    shows(&olivia, &["1 to 8 of 31", "q=&#38;level=&#38;page=1&#38;teams-page=2\" rel=\"next\""], &[]);
    olivia.visit(&format!("{VAULT}?page=2&teams-page=4"));
    shows(&olivia, &["25 to 31 of 31", "/ui/olivia\""], &["No team has it by its own right", "Nobody has access yet"]);
    // Olivia made all of these teams: a few reasons are shown at first, and more if she alone is looked for.
    shows(&olivia, &["href=\"/ui/acme/vault?q=olivia\">", " more reasons<span"], &[]);
    let reasons = |page: &str| page.matches("on <a href=\"/ui/orgs/acme/teams/crew-").count();
    assert!(reasons(&olivia.page.text) < 4, "{}", olivia.page.text);
    assert!(reasons(&olivia.visit(&format!("{VAULT}?q=OLIVIA")).text) > 25, "{}", olivia.page.text);
    // A page behind the last one is the last one.
    for query in ["teams-page=9", "teams-page=18446744073709551615"] {
        olivia.visit(&format!("{VAULT}?{query}"));
        shows(&olivia, &["25 to 31 of 31"], &[]);
    }
    olivia.visit("/ui/orgs/acme/people?page=2");
    shows(&olivia, &["/ui/max\"", "/ui/tom\""], &["31 to 30"]);
}

#[test]
fn decision_61_an_incomplete_form_does_not_make_an_owner_a_member() {
    let world = world();
    world.olivia().put("/orgs/acme/memberships/max", json!({ "role": "admin" })).expect(200);
    let mut olivia = signed_in(&world, "olivia");
    for fields in [&[][..], &[("role", "")], &[("role", "banana")]] {
        assert_eq!(send(&mut olivia, "/ui/orgs/acme/people/max", fields), 422, "{fields:?}");
        shows(&olivia, &["Choose a role.", "id=\"role-error\""], &[]);
    }
    assert_eq!(world.olivia().get("/orgs/acme/memberships/max").expect(200)["role"], "admin");
}

#[test]
fn decision_61_a_form_that_takes_away_is_about_what_its_page_showed() {
    let world = world();
    let mut olivia = signed_in(&world, "olivia");
    let other = "This is not what you were asked about";
    let people = "/ui/orgs/acme/people/eve/remove";
    for id in ["", "0", "x", "99999999999999999999", "\u{5d0}<x>"] {
        assert_eq!(
            send(&mut olivia, &format!("{CORE}?remove=tom"), &[("do", "remove"), ("login", "tom"), ("id", id)]),
            422
        );
        shows(&olivia, &[other, "from <bdi>Core</bdi>?"], &["<x>"]);
        assert_eq!(send(&mut olivia, people, &[("id", id)]), 422);
        shows(&olivia, &[other], &["<x>"]);
    }
    let api = world.olivia();
    api.get("/orgs/acme/teams/core/memberships/tom").expect(200);
    api.get("/orgs/acme/members/eve").expect(204);
    // A repository that was deleted, and another one with its name.
    let give = || {
        given::repository(&world, "web", None);
        api.put("/orgs/acme/teams/core/repos/acme/web", json!({ "permission": "push" })).expect(204);
    };
    give();
    let room = format!("{CORE}/repositories");
    olivia.visit(&format!("{room}?take=acme%2Fweb"));
    let (code, old) = (olivia.code(), hidden(&olivia, "id"));
    api.delete("/repos/acme/web").expect(204);
    give();
    let fields = [("do", "take"), ("subject", "acme/web"), ("id", old.as_str())];
    assert_eq!(olivia.send_to(&room, &code, &fields).status, 422);
    shows(&olivia, &[other], &[]);
    api.get("/orgs/acme/teams/core/repos/acme/web").expect(204);
}

#[test]
fn decision_67_a_form_takes_away_only_the_access_that_its_page_showed() {
    let world = world();
    let api = world.olivia();
    let give = || {
        given::repository(&world, "vault", None);
        api.put("/orgs/acme/teams/core/repos/acme/vault", json!({ "permission": "push" })).expect(204);
        api.put("/repos/acme/vault/collaborators/max", json!({ "permission": "push" })).expect(204);
    };
    give();
    let mut olivia = signed_in(&world, "olivia");
    let mut asked = |kind: &str, who: &str| {
        assert_eq!(olivia.visit(&format!("{VAULT}?take={kind}&who={who}")).status, 200);
        (olivia.code(), hidden(&olivia, "id"))
    };
    let old = [("team", "core", asked("team", "core")), ("person", "max", asked("person", "max"))];
    api.delete("/repos/acme/vault").expect(204);
    give();
    for (kind, who, (code, id)) in &old {
        let action = format!("take-{kind}");
        for id in [id.as_str(), "", "0", "1 1 1", "\u{5d0}<x>"] {
            let fields = [("do", action.as_str()), ("who", who), ("id", id)];
            assert_eq!(olivia.send_to(VAULT, code, &fields).status, 422, "{fields:?}");
            shows(&olivia, &["This is not what you were asked about", "Take it away from"], &["<x>"]);
        }
        let now = hidden(&olivia, "id");
        assert_eq!(olivia.send(&[("do", action.as_str()), ("who", who), ("id", &now)]).status, 200);
        shows(&olivia, &["Access taken away."], &[]);
    }
    api.get("/orgs/acme/teams/core/repos/acme/vault").expect(404);
}
