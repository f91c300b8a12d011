//! Explanations of access to repositories and projects, and the lists of who has access (decision 67).

use crate::spec::given;
use crate::support::{Answer, Client, Value, World, json};

pub(super) const VAULT: &str = "/repos/acme/vault";
const PEOPLE: [&str; 8] = ["olivia", "max", "tom", "eve", "ray", "nina", "site-admin", "walt"];

/// `acme` with a private repository `vault`, and `lab` of it as a project, which members have only if they are given it.
/// The team `core` has `below` with Eve in it; `hidden` is secret and has Ray; `crew` (closed, with Ray in `deck` below
/// it) is a security manager.
pub(super) struct Scene {
    pub world: World,
    pub lab: String,
}

impl Scene {
    pub fn new() -> Self {
        let world = World::new();
        let olivia = world.olivia();
        olivia.post("/orgs/acme/repos", json!({ "name": "vault", "private": true })).expect(201);
        olivia.patch("/orgs/acme", json!({ "default_repository_permission": "none" })).expect(200);
        let lab = format!("/projects/{}", given::hidden_project(&world, "Lab")["id"]);
        given::child(&world, &given::core(&world), "Below");
        given::put(&world, "below", "eve", "member");
        given::secret(&world, "Hidden");
        given::put(&world, "hidden", "ray", "member");
        let crew = given::closed(&world, "Crew");
        given::child(&world, &crew, "Deck");
        given::put(&world, "deck", "ray", "member");
        for team in ["below", "hidden", "crew", "deck"] {
            olivia.delete(&format!("/orgs/acme/teams/{team}/memberships/olivia")).expect(204);
        }
        Self { world, lab }
    }

    pub fn grant(&self, team: &str, level: &str) {
        let path = format!("/orgs/acme/teams/{team}/repos/acme/vault");
        self.world.olivia().put(&path, json!({ "permission": level })).expect(204);
    }

    pub fn grant_lab(&self, team: &str, level: &str) {
        let path = format!("/orgs/acme/teams/{team}{}", self.lab);
        self.world.olivia().put(&path, json!({ "permission": level })).expect(204);
    }

    pub fn give(&self, on: &str, login: &str, level: &str) {
        self.world.olivia().put(&format!("{on}/collaborators/{login}"), json!({ "permission": level })).expect(204);
    }
}

pub(super) fn ask(client: &Client, on: &str, login: &str) -> Answer {
    client.get(&format!("{on}/collaborators/{login}/explanation"))
}

/// The kinds of the paths of an access, each with its level and the slug of its team.
pub(super) fn kinds(access: &Value) -> Vec<[String; 3]> {
    let word = |value: &Value| value.as_str().unwrap_or("-").to_owned();
    let paths = access["paths"].as_array().expect("paths");
    paths.iter().map(|path| [word(&path["kind"]), word(&path["level"]), word(&path["team"]["slug"])]).collect()
}

/// The level of a person and the kinds of their paths, as this client sees them.
#[track_caller]
pub(super) fn sees(client: &Client, on: &str, login: &str, level: &str, expected: &[[&str; 3]]) {
    let answer = ask(client, on, login);
    assert_eq!(answer.expect(200)["level"], level, "{}", answer.text);
    assert_eq!(kinds(answer.expect(200)), expected, "{}", answer.text);
}

#[test]
fn decision_67_an_explanation_has_every_path_the_strongest_first() {
    let scene = Scene::new();
    let olivia = scene.world.olivia();
    scene.grant("core", "triage");
    scene.grant("below", "push");
    scene.grant("hidden", "maintain");
    scene.give(VAULT, "eve", "push");
    olivia.put_empty("/orgs/acme/security-managers/teams/crew").expect(204);
    olivia.patch("/orgs/acme", json!({ "default_repository_permission": "read" })).expect(200);
    let eve = [["team", "push", "below"], ["collaborator", "push", "-"], ["parent_team", "triage", "core"]];
    let [a, b, c] = eve;
    sees(&olivia, VAULT, "EVE", "push", &[a, b, c, ["default", "pull", "-"]]);
    let ray = [["team", "maintain", "hidden"], ["parent_team", "pull", "crew"], ["default", "pull", "-"]];
    sees(&olivia, VAULT, "ray", "maintain", &ray);
    sees(&olivia, VAULT, "olivia", "admin", &[["owner", "admin", "-"]]);
    sees(&olivia, VAULT, "nina", "none", &[]);
    olivia.patch(VAULT, json!({ "private": false })).expect(200);
    sees(&olivia, VAULT, "nina", "pull", &[["default", "pull", "-"]]);
    for unknown in ["acme", "nobody", "no%00body", "%20"] {
        assert!([400, 404].contains(&ask(&olivia, VAULT, unknown).status), "{unknown}");
    }
}

#[test]
fn decision_67_an_explanation_says_all_of_this() {
    let scene = Scene::new();
    scene.grant("core", "push");
    let mut tom = ask(&scene.world.olivia(), VAULT, "tom").expect(200).clone();
    assert!(tom["paths"][0]["granted_at"].as_str().is_some_and(|at| at.ends_with('Z')), "{tom}");
    tom["paths"][0]["granted_at"] = json!(null);
    assert_eq!(tom["paths"][0]["granted_by"]["login"], "olivia");
    tom["paths"][0]["granted_by"] = json!(null);
    let core = given::core(&scene.world);
    let team = json!({ "id": core["id"], "slug": "core", "name": core["name"] });
    let path = json!({ "kind": "team", "level": "push", "team": team, "granted_by": null, "granted_at": null });
    assert_eq!(tom, json!({ "login": "tom", "level": "push", "paths": [path] }));
}

#[test]
fn decision_67_owners_administrators_and_the_person_may_ask_and_for_everyone_else_it_is_404() {
    let scene = Scene::new();
    scene.grant("core", "maintain");
    scene.grant_lab("core", "write");
    for on in [VAULT, &scene.lab] {
        for (path, of_tom) in [(format!("{on}/collaborators/tom/explanation"), 200), (format!("{on}/access"), 404)] {
            let [olivia, max, tom, nina, sam] =
                ["olivia", "max", "tom", "nina", "sam"].map(|login| scene.world.client(login).get(&path).status);
            assert_eq!([olivia, max, tom, nina, sam], [200, 404, of_tom, 404, 404], "{path}");
            scene.world.anonymous().get(&path).refused(404, "Not Found");
        }
        scene.give(on, "nina", "admin");
        scene.world.nina().get(&format!("{on}/access")).expect(200);
        sees(&scene.world.nina(), on, "nina", "admin", &[["collaborator", "admin", "-"]]);
    }
}

#[test]
fn decision_67_what_leads_through_a_team_that_the_caller_does_not_see_is_shown_nowhere() {
    let scene = Scene::new();
    let (olivia, max, ray) = (scene.world.olivia(), scene.world.max(), scene.world.client("ray"));
    scene.grant("hidden", "maintain");
    scene.grant_lab("hidden", "write");
    for (on, strong, weak) in [(VAULT, "maintain", "pull"), (&scene.lab, "write", "read")] {
        scene.give(on, "max", "admin");
        sees(&olivia, on, "ray", strong, &[["team", strong, "hidden"]]);
        sees(&ray, on, "ray", strong, &[["team", strong, "hidden"]]);
        sees(&max, on, "ray", "none", &[]);
        let listed = |client: &Client, query: &str| client.get(&format!("{on}/access{query}")).each("login");
        assert!(listed(&olivia, "").contains(&json!("ray")));
        assert_eq!(listed(&olivia, &format!("?level={strong}")), [json!("ray")]);
        for query in ["", "?q=ray", &format!("?level={strong}"), "?per_page=1&page=3"] {
            assert!(!listed(&max, query).contains(&json!("ray")), "{query}");
        }
        assert_eq!(max.get(&format!("{on}/access?per_page=2")).link("next"), None);
        scene.give(on, "ray", weak);
        sees(&max, on, "ray", weak, &[["collaborator", weak, "-"]]);
        assert_eq!(listed(&max, &format!("?level={weak}")), [json!("ray")]);
        assert_eq!(listed(&olivia, &format!("?level={weak}")), [] as [Value; 0]);
    }
}

#[test]
fn decision_67_what_is_hidden_takes_no_statement() {
    let counted = |hidden: bool| {
        let scene = Scene::new();
        for on in [VAULT, &scene.lab] {
            scene.give(on, "max", "admin");
        }
        if hidden {
            scene.grant("hidden", "maintain");
            scene.grant_lab("hidden", "write");
        }
        let max = scene.world.max();
        scene.world.faults.record();
        let answers = [VAULT, &scene.lab].map(|on| {
            [ask(&max, on, "ray").expect(200).clone(), max.get(&format!("{on}/access?q=a")).expect(200).clone()]
        });
        let shown: Vec<Vec<String>> =
            answers.iter().flatten().map(|answer| vec![answer["level"].to_string()]).collect();
        (scene.world.faults.recorded(), shown)
    };
    assert_eq!(counted(true), counted(false));
}

#[test]
fn decision_67_a_list_has_everyone_with_access_the_strongest_first() {
    let scene = Scene::new();
    scene.grant("core", "triage");
    scene.give(VAULT, "nina", "push");
    let olivia = scene.world.olivia();
    let list = |query: &str| olivia.get(&format!("{VAULT}/access{query}")).each("login");
    let logins = |of: &[&str]| of.iter().map(|login| json!(login)).collect::<Vec<_>>();
    assert_eq!(list(""), logins(&["olivia", "nina", "max", "tom", "eve"]));
    assert_eq!(list("?level=triage"), logins(&["max", "tom", "eve"]));
    assert_eq!(list("?q=IN"), logins(&["nina"]));
    assert_eq!(list("?q=%25"), logins(&[]));
    assert_eq!(list("?level=triage&q=o"), logins(&["tom"]));
    assert_eq!(list("?level=pull"), logins(&[]));
    let page = olivia.get(&format!("{VAULT}/access?per_page=2&page=2"));
    assert_eq!(page.each("login"), logins(&["max", "tom"]));
    assert!(page.link("last").is_some_and(|link| link.ends_with("per_page=2&page=3")), "{:?}", page.link("last"));
    assert_eq!(list("?page=99"), logins(&[]));
    scene.world.execute("UPDATE users SET name = 'Zoe QUICK' WHERE login = 'tom'");
    assert_eq!(list("?q=quick"), logins(&["tom"]));
    olivia.get(&format!("{VAULT}/access?q={}", "x".repeat(257))).expect(422);
    // An unknown value means the default, as in every list.
    for unknown in ["?level=read", "?level=none", "?level=", "?q=%00"] {
        assert_eq!(list(unknown).len(), 5, "{unknown}");
    }
    olivia.patch(VAULT, json!({ "private": false })).expect(200);
    assert_eq!(list("").len(), 5);
}

#[test]
fn decision_67_a_level_says_who_gave_it_and_when() {
    let scene = Scene::new();
    let olivia = scene.world.olivia();
    let paths = |on: &str| ask(&olivia, on, "tom").expect(200)["paths"].clone();
    scene.give(VAULT, "max", "admin");
    scene.give(&scene.lab, "max", "admin");
    for (on, level, other) in [(VAULT, "push", "triage"), (&scene.lab, "write", "read")] {
        let team = format!("/orgs/acme/teams/core{}", if on == VAULT { "/repos/acme/vault" } else { on });
        for door in [format!("{on}/collaborators/tom"), team] {
            olivia.put(&door, json!({ "permission": level })).expect(204);
            let first = paths(on)[0].clone();
            assert_eq!(first["granted_by"]["login"], "olivia", "{door}");
            scene.world.max().put(&door, json!({ "permission": level })).expect(204);
            assert_eq!(paths(on)[0], first, "{door}");
            scene.world.max().put(&door, json!({ "permission": other })).expect(204);
            assert_eq!(paths(on)[0]["granted_by"]["login"], "max", "{door}");
            olivia.delete(&door).expect(204);
        }
    }
    scene.give(VAULT, "tom", "push");
    scene.world.execute("UPDATE repo_collaborators SET granted_by = NULL, granted_at = NULL");
    let older =
        json!({ "kind": "collaborator", "level": "push", "team": null, "granted_by": null, "granted_at": null });
    assert_eq!(paths(VAULT), json!([older]));
    scene.world.execute("UPDATE repo_collaborators SET granted_by = 999999, granted_at = 0");
    assert_eq!(paths(VAULT)[0]["granted_by"], json!(null));
}

/// For every person and repository or project, the explanation, the list and the permission agree.
#[test]
fn decision_67_levels_are_those_of_the_permission() {
    let scene = Scene::new();
    let (olivia, sam) = (scene.world.olivia(), scene.world.sam());
    scene.world.register("walt");
    for (team, level) in [("core", "triage"), ("below", "pull"), ("hidden", "maintain")] {
        scene.grant(team, level);
        scene.grant_lab(team, if level == "maintain" { "write" } else { "read" });
    }
    for on in [VAULT, &scene.lab] {
        scene.give(on, "walt", "admin");
    }
    sam.put("/users/walt/suspended", json!({})).expect(204);
    olivia.put_empty("/orgs/acme/security-managers/teams/crew").expect(204);
    olivia.put_empty("/orgs/acme/organization-roles/users/max/138").expect(204);
    for private in [true, false] {
        for (default, organization) in [("none", "none"), ("write", "write")] {
            olivia.patch("/orgs/acme", json!({ "default_repository_permission": default })).expect(200);
            olivia.patch(VAULT, json!({ "private": private })).expect(200);
            let lab = json!({ "private": private, "organization_permission": organization });
            olivia.patch(&scene.lab, lab).expect(200);
            for on in [VAULT, &scene.lab] {
                agree(&olivia, on);
            }
        }
    }
}

fn agree(olivia: &Client, on: &str) {
    let listed = olivia.get(&format!("{on}/access?per_page=100")).expect(200).clone();
    let listed = listed.as_array().expect("a list");
    let collaborators = olivia.get(&format!("{on}/collaborators?per_page=100")).each("login");
    assert_eq!(listed.len(), collaborators.len(), "{on}");
    for login in PEOPLE {
        let answer = olivia.get(&format!("{on}/collaborators/{login}/permission"));
        let permission = answer.expect(200);
        let level = permission.get("role_name").unwrap_or(&permission["permission"]);
        let word = match level.as_str() {
            Some("read") if on == VAULT => Some("pull"),
            Some("write") if on == VAULT => Some("push"),
            word => word,
        };
        let access = ask(olivia, on, login).expect(200).clone();
        assert_eq!(access["level"].as_str(), word, "{login} on {on}: {access}");
        let in_list: Vec<&Value> = listed.iter().filter(|one| one["login"] == access["login"]).collect();
        assert_eq!(!in_list.is_empty(), collaborators.contains(&json!(login)), "{login} on {on}");
        assert!(in_list.iter().all(|one| **one == access), "{login} on {on}");
    }
}
