//! The rooms of a team that list and change its child teams, repositories, projects and settings, and that delete it
//! (decisions 11, 12, 30 to 33 and 53).

use super::given;
use super::mail_invitations::world;
use super::pages_team::{CORE, hidden, save, section, send, shows};
use super::sign_in::signed_in;
use crate::support::json;

#[test]
fn decision_12_child_teams_are_created_and_moved_on_a_page() {
    let world = world();
    let room = format!("{CORE}/teams");
    given::closed(&world, "Release managers");
    let mut olivia = signed_in(&world, "olivia");
    assert_eq!(send(&mut olivia, &room, &[("do", "create"), ("name", "Build"), ("description", "Makes <it>")]), 200);
    shows(&olivia, &["The team was created.", "/ui/orgs/acme/teams/build", "Makes &#60;it&#62;", "1 person"], &[]);
    for typed in ["/ui/orgs/acme/teams/release-managers/", "Release  Managers"] {
        assert_eq!(send(&mut olivia, &room, &[("do", "nest"), ("team", typed)]), 200, "{typed}");
        shows(&olivia, &["Saved.", "/ui/orgs/acme/teams/release-managers"], &[]);
        let record = world.olivia().get("/orgs/acme/teams/release-managers").expect(200).clone();
        assert_eq!(record["parent"]["slug"], "core");
    }
    given::secret(&world, "Hidden");
    for (fields, text, field) in [
        (&[("do", "create"), ("name", " ")][..], "", "name"),
        (&[("do", "create"), ("name", "Build")], "", "name"),
        (&[("do", "nest"), ("team", "gh<ost")], "There is no team gh&#60;ost in acme that you can see.", "team"),
        (&[("do", "nest"), ("team", "core")], "cannot be inside itself", "team"),
        (&[("do", "nest"), ("team", "hidden")], "A secret team cannot be inside another team", "team"),
    ] {
        assert_eq!(send(&mut olivia, &room, fields), 422, "{fields:?}");
        shows(&olivia, &[text, &format!("id=\"{field}-error\""), "<title>Error: Child teams"], &[]);
    }
    // A maintainer of this team alone cannot take another; a member sees no form.
    let mut max = signed_in(&world, "max");
    given::closed(&world, "Other");
    assert_eq!(send(&mut max, &room, &[("do", "nest"), ("team", "other")]), 422);
    assert_eq!(send(&mut max, &room, &[("do", "nest"), ("team", "hidden")]), 422);
    shows(&max, &["There is no team hidden in acme that you can see."], &["Secret"]);
    let mut tom = signed_in(&world, "tom");
    tom.visit(&room);
    shows(&tom, &["/ui/orgs/acme/teams/build"], &["Create a child team", "Move a team here"]);
    assert_eq!(olivia.visit("/ui/orgs/acme/teams/hidden/teams").status, 404);
}

#[test]
fn decision_30_a_level_says_from_which_team_it_comes() {
    let world = world();
    given::child(&world, &given::core(&world), "Build");
    for (name, administrator) in [("web", None), ("api", Some("ray")), ("secrets", None)] {
        given::repository(&world, name, administrator);
    }
    world.execute("UPDATE repos SET private = TRUE WHERE name = 'secrets'");
    let olivia = world.olivia();
    olivia.patch("/orgs/acme", json!({ "default_repository_permission": "none" })).expect(200);
    olivia.put("/orgs/acme/teams/core/repos/acme/web", json!({ "permission": "maintain" })).expect(204);
    olivia.put("/orgs/acme/teams/build/repos/acme/web", json!({ "permission": "pull" })).expect(204);
    olivia.put("/orgs/acme/teams/build/repos/acme/api", json!({ "permission": "push" })).expect(204);
    olivia.put("/orgs/acme/teams/build/repos/acme/secrets", json!({ "permission": "push" })).expect(204);
    let build = "/ui/orgs/acme/teams/build";
    let room = format!("{build}/repositories");
    let mut olivia = signed_in(&world, "olivia");
    olivia.visit(&room);
    let from = "given to <bdi>Build</bdi> (Read), Maintain from <a href=\"/ui/orgs/acme/teams/core\">";
    shows(&olivia, &[from, "acme/secrets", "Change the level…", "Take away from <bdi>Build</bdi>…"], &[]);
    olivia.visit(&format!("{CORE}/repositories"));
    shows(&olivia, &["given to <bdi>Core</bdi></small>", "acme/web"], &["acme/api"]);
    // Those who do not read a repository do not learn of it.
    let mut tom = signed_in(&world, "tom");
    tom.visit(&room);
    shows(&tom, &["acme/web", "acme/api", "Repositories <span>2</span>"], &["acme/secrets", "Take away", "Change the"]);
    tom.visit(build);
    shows(&tom, &["acme/web"], &["acme/secrets"]);
    assert_eq!(tom.visit(&format!("{room}?take=acme%2Fweb")).status, 404);
    // An administrator of the repository changes and takes it.
    let mut ray = signed_in(&world, "ray");
    ray.visit(&format!("{room}?change=acme%2Fapi"));
    shows(&ray, &["What can <bdi>Build</bdi> do with <bdi>acme/api</bdi>?", "value=\"push\" checked"], &[]);
    assert_eq!(ray.send(&[("do", "change"), ("subject", "acme/api"), ("level", "triage")]).status, 200);
    shows(&ray, &["Level changed.", "</span>Triage</summary>"], &[]);
    ray.visit(&format!("{room}?take=acme%2Fapi"));
    shows(
        &ray,
        &["Take <bdi>acme/api</bdi> away from <bdi>Build</bdi>?", "the level Triage that this team gives"],
        &[],
    );
    assert_eq!(ray.send(&[("do", "take"), ("subject", "acme/api")]).status, 200);
    shows(&ray, &["Taken away from this team."], &["acme/api</bdi>"]);
    olivia.visit(&format!("{room}?take=acme%2Fweb"));
    shows(&olivia, &["1 person keeps Maintain, which <bdi>Build</bdi> has from <bdi>Core</bdi>."], &[]);
}

#[test]
fn decision_31_access_to_a_repository_is_given_on_a_page() {
    let world = world();
    given::repository(&world, "web", None);
    given::repository(&world, "api", Some("tom"));
    let room = format!("{CORE}/repositories");
    let mut tom = signed_in(&world, "tom");
    assert_eq!(send(&mut tom, &room, &[("do", "give"), ("subject", "api"), ("level", "push")]), 200);
    shows(&tom, &["The team has access now.", "acme/api"], &[]);
    for (fields, text) in [
        (&[("subject", "acme/web"), ("level", "pull")][..], "You need the level Admin on this repository"),
        (&[("subject", "gh<ost/x"), ("level", "pull")], "There is no repository gh&#60;ost/x that you can see."),
        (&[("subject", "api"), ("level", "<x>")], ""),
        (&[("subject", ""), ("level", "pull")], "Enter the name of a repository."),
    ] {
        let fields = [&[("do", "give")][..], fields].concat();
        assert_eq!(send(&mut tom, &room, &fields), 422, "{fields:?}");
        shows(&tom, &[text, "id=\"subject-error\"", "class=\"reveal\" open"], &["<x>"]);
    }
    world.sam().post("/user/repos", json!({ "name": "own" })).expect(201);
    let mut olivia = signed_in(&world, "olivia");
    assert_eq!(send(&mut olivia, &room, &[("do", "give"), ("subject", "sam/own"), ("level", "pull")]), 422);
    assert_eq!(send(&mut olivia, &room, &[("do", "x"), ("subject", "api")]), 404);
    for query in ["?change=acme%2Fweb", "?take=%00", "?take=x&page=2"] {
        assert_eq!(olivia.visit(&format!("{room}{query}")).status, if query.contains("%00") { 200 } else { 404 });
    }
}

#[test]
fn decision_32_projects_of_a_team_are_given_and_taken_on_a_page() {
    let world = world();
    let (plan, hidden) = (given::project(&world, "Plan <b>"), given::hidden_project(&world, "Hidden plan"));
    let room = format!("{CORE}/projects");
    let mut olivia = signed_in(&world, "olivia");
    olivia.visit(&room);
    shows(
        &olivia,
        &[
            "No projects that you can see",
            "<option value=\"#1\">Plan &#60;b&#62;</option>",
            "<option value=\"#2\">Hidden plan</option>",
        ],
        &[],
    );
    for project in [&plan, &hidden] {
        let number = format!("#{}", project["number"]);
        assert_eq!(send(&mut olivia, &room, &[("do", "give"), ("subject", &number), ("level", "write")]), 200);
        shows(&olivia, &["The team has access now.", "</span>Write</summary>"], &[]);
    }
    let id = plan["id"].to_string();
    olivia.visit(&format!("{room}?change={id}"));
    assert_eq!(olivia.send(&[("do", "change"), ("subject", &id), ("level", "admin")]).status, 200);
    let mut eve = signed_in(&world, "eve");
    eve.visit(&room);
    shows(
        &eve,
        &["/ui/orgs/acme/projects/1", "Take away from <bdi>Core</bdi>…"],
        &["Hidden plan", "Change the level…"],
    );
    let hidden = hidden["id"].to_string();
    assert_eq!(send(&mut eve, &room, &[("do", "take"), ("subject", &hidden)]), 422);
    shows(&eve, &["Core does not have this project any more, or you cannot see it."], &["Hidden plan"]);
    assert_eq!(send(&mut eve, &room, &[("do", "give"), ("subject", &id), ("level", "admin")]), 422);
    shows(&eve, &["You need the level Admin on this project"], &[]);
    eve.visit(&format!("{room}?take={id}"));
    assert_eq!(eve.send(&[("do", "take"), ("subject", &id)]).status, 200);
    shows(&eve, &["Taken away from this team."], &["/ui/orgs/acme/projects/1"]);
}

#[test]
fn decision_32_the_projects_of_a_team_need_as_many_statements_as_one() {
    let world = world();
    given::grant(&world, "core", &given::project(&world, "Plan 0"), "admin");
    let mut tom = signed_in(&world, "tom");
    let mut count = || {
        world.faults.record();
        assert_eq!(tom.visit(&format!("{CORE}/projects")).status, 200);
        // What was given is looked up for each project on SQLite, where that is cheapest.
        let recorded = world.faults.recorded();
        let of_levels = recorded.iter().filter(|sql| sql.contains("project_collaborators"));
        (of_levels.count(), tom.page.text.matches("Change the level…").count())
    };
    let one = count();
    assert_eq!(one.1, 1, "a level of the team administers");
    for name in ["Plan 1", "Plan 2", "Plan 3"] {
        given::grant(&world, "core", &given::project(&world, name), "read");
    }
    world.execute("UPDATE projects SET organization_level = 3 WHERE name = 'Plan 1'");
    let collaborates = "INSERT INTO project_collaborators (project_id, user_id, level) SELECT p.id, u.id, 3 \
                        FROM projects p CROSS JOIN users u WHERE p.name = 'Plan 2' AND u.login = 'tom'";
    world.execute(collaborates);
    assert_eq!(count(), (one.0, 3), "the level of the organization and one of their own administer too");
}

#[test]
fn decision_10_the_settings_change_a_team_and_lead_to_its_new_address() {
    let world = world();
    given::closed(&world, "Engineering");
    let room = format!("{CORE}/settings");
    let all = |changed: &[(&'static str, &'static str)]| {
        let usual =
            [("name", "Core"), ("description", "What it does"), ("parent", ""), ("privacy", "closed"), ("news", "on")];
        let value = |(name, value)| (name, changed.iter().find(|(of, _)| *of == name).map_or(value, |(_, new)| *new));
        usual.map(value)
    };
    let mut olivia = signed_in(&world, "olivia");
    let changed = [("name", "Kernel"), ("parent", "Engineering"), ("news", "off")];
    assert_eq!(save(&mut olivia, &room, &all(&changed)), 200);
    assert_eq!(olivia.path, "/ui/orgs/acme/teams/kernel/settings?done=saved");
    let record = world.olivia().get("/orgs/acme/teams/kernel").expect(200).clone();
    assert_eq!(
        (&record["description"], &record["parent"]["slug"], &record["notification_setting"]),
        (&json!("What it does"), &json!("engineering"), &json!("notifications_disabled"))
    );
    let room = "/ui/orgs/acme/teams/kernel/settings";
    given::secret(&world, "Hidden");
    olivia.visit(room);
    shows(&olivia, &["No notifications about posts", "Mentions do not notify anyone either."], &[]);
    shows(&olivia, &["value=\"engineering\"", "value=\"secret\" disabled", "Not possible now"], &[]);
    for (changed, text, field) in [
        (&[("name", " ")][..], "Enter a name.", "name"),
        (&[("name", "Engineering")], "Another team has this name already. Choose a different one.<", "name"),
        (
            &[("name", "Kernel"), ("parent", "hidden")],
            "A secret team cannot be inside another team, or have child teams.<",
            "parent",
        ),
        (&[("name", "a\u{202e}b")], "", "name"),
        (&[("name", "Kernel"), ("parent", "gh<ost")], "There is no team gh&#60;ost in acme", "parent"),
        (&[("name", "Kernel"), ("parent", "kernel")], "cannot be inside itself", "parent"),
        (
            &[("name", "Kernel"), ("parent", "engineering"), ("privacy", "secret")],
            "A secret team cannot be inside another team",
            "privacy",
        ),
    ] {
        assert_eq!(save(&mut olivia, room, &all(changed)), 422, "{changed:?}");
        shows(
            &olivia,
            &[text, &format!("id=\"{field}-error\""), "<title>Error: Settings", ">What it does</textarea>"],
            &[],
        );
    }
    let mut max = signed_in(&world, "max");
    assert_eq!(save(&mut max, room, &all(&[("name", "Kernel"), ("parent", "")])), 422);
    shows(&max, &["maintainers of both the old and the new parent", "id=\"parent-error\""], &[]);
    let secret = [("name", "Kernel"), ("description", ""), ("privacy", "secret")];
    assert_eq!(save(&mut olivia, room, &all(&secret)), 200);
    let record = world.olivia().get("/orgs/acme/teams/kernel").expect(200).clone();
    assert_eq!((&record["privacy"], &record["description"]), (&json!("secret"), &json!(null)));
}

#[test]
fn decision_14_before_a_team_is_deleted_a_page_says_what_goes() {
    let world = world();
    let build = given::child(&world, &given::core(&world), "Build");
    given::child(&world, &build, "Deep");
    given::post(&world.max(), "One", true);
    given::repository(&world, "web", None);
    world.olivia().put("/orgs/acme/teams/build/repos/acme/web", json!({ "permission": "push" })).expect(204);
    world.olivia().put("/orgs/acme/teams/core/memberships/nina", json!({})).expect(200);
    let room = format!("{CORE}/delete");
    let mut max = signed_in(&world, "max");
    max.visit(&format!("{CORE}/settings"));
    shows(&max, &["Only owners of <bdi>acme</bdi> can delete a team with child teams."], &["Delete…"]);
    max.visit(&room);
    let team = hidden(&max, "team");
    assert_eq!(max.send(&[("team", &team)]).status, 422);
    shows(&max, &["Only owners can delete a team that has child teams."], &[]);
    let mut olivia = signed_in(&world, "olivia");
    olivia.visit(&room);
    let goes = section(&olivia, "goes");
    for text in [
        "Build</bdi>",
        "Deep</bdi>",
        "1 post on its board, none on the others, with all comments",
        "3 people lose",
        "1 repository",
        "1 open invitation",
    ] {
        assert!(goes.contains(text), "{text}: {goes}");
    }
    shows(&olivia, &["Delete <bdi>Core and its 2 child teams</bdi>?", "Keep them"], &[]);
    world.olivia().get("/orgs/acme/teams/core").expect(200);
    olivia.send(&[("team", &team)]);
    for team in ["core", "build", "deep"] {
        world.olivia().get(&format!("/orgs/acme/teams/{team}")).expect(404);
    }
    assert!(olivia.path.starts_with("/ui/orgs/acme?done=deleted"), "{}", olivia.path);
    assert_eq!(olivia.visit(&room).status, 404);
}
