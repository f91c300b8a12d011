//! The forms of pages that have changed since they were opened (decisions 10, 14, 24, 31, 32 and 67).

use super::given;
use super::mail_invitations::world;
use super::pages_team::{CORE, hidden, send, shows};
use super::sign_in::signed_in;
use crate::support::json;

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
        shows(&olivia, &[gone], &["The role is changed."]);
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
