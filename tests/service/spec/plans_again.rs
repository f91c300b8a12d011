//! Plans made again, plans applied at once, and what goes with a team (decisions 74 and 75).

use std::thread;

use crate::spec::plans::{PLANS, applied, carried_out, changes, planned};
use crate::support::{World, json};

#[test]
fn decision_75_a_plan_says_how_many_child_teams_and_posts_go_with_a_team() {
    let world = World::new();
    let olivia = world.olivia();
    let file = "teams: {Core: {}, Top: {teams: {Left: {teams: {Low: {}}}, Right: {}}}, Quiet: {}}";
    carried_out(&olivia, "", file);
    for (team, discussions) in [("top", 1), ("low", 2), ("right", 1), ("core", 1)] {
        for _ in 0..discussions {
            let posts = format!("/orgs/acme/teams/{team}/discussions");
            let made = olivia.post(&posts, json!({ "title": "One", "body": "Text" })).expect(201).clone();
            let comments = format!("{posts}/{}/comments", made["number"]);
            olivia.post(&comments, json!({ "body": "Text" })).expect(201);
        }
    }
    let goes = |file: &str| -> Vec<(String, i64, i64)> {
        let plan = planned(&olivia, "prune=true", file).expect(201).clone();
        let removed = plan["changes"].as_array().expect("changes").iter();
        let removed = removed.filter(|change| change["kind"] == "team" && change["action"] == "remove");
        let number = |value: &crate::support::Value| value.as_i64().expect("a number");
        let counted = removed.map(|change| {
            let (name, with) = (change["subject"].as_str().expect("a name"), &change["before"]);
            (name.to_owned(), number(&with["child_teams"]), number(&with["posts"]))
        });
        counted.collect()
    };
    let team = |name: &str, teams: i64, posts: i64| (name.to_owned(), teams, posts);
    // A child goes before its parent.
    let all = [team("Right", 0, 2), team("Low", 0, 4), team("Left", 1, 4), team("Top", 3, 8), team("Quiet", 0, 0)];
    let mut found = goes("teams: {Core: {}}");
    found.sort();
    let mut expected = all.to_vec();
    expected.sort();
    assert_eq!(found, expected);
    // A team that moves away does not go with its parent, and neither do its children.
    let mut found = goes("teams: {Core: {}, Left: {}, Quiet: {}}");
    found.sort();
    assert_eq!(found, [team("Right", 0, 2), team("Top", 1, 4)]);
    // Without --prune, nothing goes, and nothing is counted.
    let plan = planned(&olivia, "", "teams: {Core: {}}").expect(201).clone();
    assert_eq!(plan["changes"], json!([]));
    assert!(plan["not_in_file"].as_array().expect("a list").iter().all(|item| item["value"]["posts"].is_null()));
}

#[test]
fn decision_75_a_post_that_is_new_since_the_plan_does_not_go_unseen() {
    let world = World::new();
    let olivia = world.olivia();
    carried_out(&olivia, "", "teams: {Quiet: {}}");
    let plan = planned(&olivia, "prune=true", "teams: {Core: {}}").expect(201).clone();
    olivia.post("/orgs/acme/teams/quiet/discussions", json!({ "title": "One", "body": "Text" })).expect(201);
    let refused = applied(&olivia, &plan, &json!({}));
    refused.refused(409, "The organization is no longer as it was planned. Nothing was changed. Plan again.");
    assert_eq!(refused.json["differences"]["planned_now"][0]["before"], json!({ "child_teams": 0, "posts": 1 }));
    olivia.get("/orgs/acme/teams/quiet").expect(200);
}

const INVITING: &str = "
orgs:
  acme:
    admins: [olivia, nina]
    members: [max, tom, eve, ray, ivan]
    teams:
      Core: {maintainers: [max, ivan], members: [tom, nina, walt]}
      Docs: {privacy: closed, members: [ivan, walt]}
    guildhall:
      billing_managers: [bea]
      invitations:
      - {login: wes, role: billing_manager}
      - {login: walt, role: direct_member}
      - {email: una@example.com, role: direct_member, teams: {Docs: maintainer}}
";

#[test]
fn decision_75_people_who_were_invited_with_their_teams_leave_nothing_to_do() {
    let world = World::new();
    for login in ["ivan", "walt", "bea", "wes"] {
        world.register(login);
    }
    let olivia = world.olivia();
    let done = carried_out(&olivia, "owners=true&invite=true", INVITING);
    assert_eq!(done["summary"]["add"], 13, "{done}");
    for options in ["", "invite=true", "owners=true&invite=true&prune=true"] {
        let plan = planned(&olivia, options, INVITING).expect(201).clone();
        assert_eq!((changes(&plan), &plan["skipped"]), (Vec::new(), &json!([])), "{options}");
        assert_eq!(applied(&olivia, &plan, &json!({})).expect(200)["changes"], json!([]));
    }
    let pending = olivia.get("/orgs/acme/teams/docs/invitations").expect(200).as_array().map(Vec::len);
    assert_eq!(pending, Some(3));
}

#[test]
fn decision_75_people_who_have_accepted_an_invitation_of_the_file_stay() {
    let world = World::new();
    for login in ["ivan", "walt", "bea", "wes"] {
        world.register(login);
    }
    let olivia = world.olivia();
    carried_out(&olivia, "owners=true&invite=true", INVITING);
    world.register("una");
    world.execute("UPDATE emails SET verified = TRUE WHERE email = 'una@example.com'");
    for login in ["ivan", "walt", "wes", "una"] {
        world.client(login).patch("/user/memberships/orgs/acme", json!({ "state": "active" })).expect(200);
    }
    for options in ["invite=true", "owners=true&invite=true&prune=true"] {
        let plan = planned(&olivia, options, INVITING).expect(201).clone();
        assert_eq!(changes(&plan), Vec::<String>::new(), "{options}");
    }
    assert_eq!(olivia.get("/orgs/acme/teams/docs/memberships/una").expect(200)["role"], "maintainer");
}

#[test]
fn decision_75_people_who_are_invited_as_billing_managers_are_on_no_team() {
    let world = World::new();
    world.register("bea");
    let olivia = world.olivia();
    let invited = "guildhall: {invitations: [{login: bea, role: billing_manager}]}";
    carried_out(&olivia, "", invited);
    let skipped = json!(["bea is a billing manager, and cannot be on team \"Core\" unless listed as a member"]);
    for file in
        ["teams: {Core: {members: [bea]}}".to_owned(), format!("teams: {{Core: {{members: [bea]}}}}\n{invited}")]
    {
        let plan = planned(&olivia, "invite=true", &file).expect(201).clone();
        assert_eq!((&plan["changes"], &plan["skipped"]), (&json!([]), &skipped), "{file}");
    }
    // A file that invites them as members puts them on teams.
    let members = "members: [max, tom, eve, ray, bea]\nteams: {Core: {members: [bea]}}";
    let done = carried_out(&olivia, "", members);
    assert_eq!(changes(&done), ["change invitation bea", "add team_member bea"]);
    assert_eq!(planned(&olivia, "", members).expect(201)["changes"], json!([]));
}

#[test]
fn decision_75_of_two_applies_at_once_one_does_everything() {
    let world = World::new();
    let olivia = world.olivia();
    let plan = planned(&olivia, "", "description: Once\nteams: {Core: {members: [eve, ray]}}").expect(201).clone();
    let done: Vec<usize> = thread::scope(|scope| {
        let apply = || applied(&olivia, &plan, &json!({})).expect(200)["changes"].as_array().map_or(0, Vec::len);
        let both = [scope.spawn(apply), scope.spawn(apply)];
        both.map(|thread| thread.join().expect("an apply")).to_vec()
    });
    assert!(done == [3, 0] || done == [0, 3], "{done:?}");
    let entries = olivia.get("/orgs/acme/audit-log?phrase=action:team.add_member").expect(200).clone();
    let request = format!("plan-{}:file", plan["id"]);
    let own = entries.as_array().expect("entries").iter().filter(|entry| entry["request_id"] == json!(request));
    assert_eq!(own.count(), 2);
    olivia.get(&format!("{PLANS}/{}", plan["id"])).expect(200);
}
