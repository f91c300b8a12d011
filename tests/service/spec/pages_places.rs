//! The rooms of an organization's repositories and projects (decisions 30, 33 and 53).

use super::given;
use super::mail_invitations::world;
use super::pages_organization::{send, sound};
use super::pages_team::{CORE, shows};
use super::sign_in::signed_in;
use crate::support::json;

const REPOSITORIES: &str = "/ui/orgs/acme/repositories";
const PROJECTS: &str = "/ui/orgs/acme/projects";

#[test]
fn decision_33_the_rooms_show_what_the_visitor_can_read() {
    let world = world();
    let olivia = world.olivia();
    olivia.patch("/orgs/acme", json!({ "default_repository_permission": "none" })).expect(200);
    for (name, private) in [("open", false), ("vault", true)] {
        let repo = json!({ "name": name, "private": private, "description": "<b>Keys</b>" });
        olivia.post("/orgs/acme/repos", repo).expect(201);
    }
    given::hidden_project(&world, "Plan <x>");
    let mut owner = signed_in(&world, "olivia");
    owner.visit("/ui/orgs/acme");
    shows(&owner, &["<dt>Repositories</dt><dd><a href=\"/ui/orgs/acme/repositories\">2</a></dd>"], &[]);
    owner.visit(REPOSITORIES);
    sound(&owner.page.text);
    let shown = ["/ui/acme/open", "/ui/acme/vault", "Everyone can read it", "&#60;b&#62;Keys", "you: Admin"];
    shows(&owner, &shown, &[]);
    shows(&owner, &["Create<span class=\"sr\"> a repository", "aria-current=\"page\">Repositories</a>"], &["<b>Keys"]);
    owner.visit(PROJECTS);
    sound(&owner.page.text);
    shows(&owner, &["/ui/orgs/acme/projects/1", "Plan &#60;x&#62;", "Create<span class=\"sr\"> a project"], &["<x>"]);
    let mut tom = signed_in(&world, "tom");
    tom.visit(REPOSITORIES);
    shows(&tom, &["/ui/acme/open", "<span class=\"meta\">1</span>"], &["vault"]);
    tom.visit(PROJECTS);
    shows(&tom, &["No projects that you can see"], &["Plan"]);
    // A person from outside sees what is public, and no rooms of members.
    let mut nina = signed_in(&world, "nina");
    assert_eq!(nina.visit(REPOSITORIES).status, 200);
    sound(&nina.page.text);
    shows(&nina, &["/ui/acme/open"], &["vault", "/ui/orgs/acme/people", "Create a"]);
    for path in ["/ui/orgs/nothing/repositories", "/ui/orgs/tom/projects"] {
        assert_eq!(nina.visit(path).status, 404, "{path}");
    }
    for query in ["?page=2", "?page=99999999999", "?page=x", "?page=-1"] {
        assert_eq!(tom.visit(&format!("{REPOSITORIES}{query}")).status, 200, "{query}");
        shows(&tom, &["/ui/acme/open"], &[]);
    }
}

#[test]
fn decision_30_a_repository_and_a_project_are_created_on_their_pages() {
    let world = world();
    let mut olivia = signed_in(&world, "olivia");
    olivia.visit(&format!("{CORE}/repositories"));
    shows(&olivia, &["Begin with a repository", REPOSITORIES], &[]);
    olivia.visit(&format!("{CORE}/projects"));
    shows(&olivia, &["Begin with a project", PROJECTS], &[]);
    let typed = [("name", " price-list "), ("description", "What <things> cost"), ("visibility", "private")];
    assert_eq!(send(&mut olivia, REPOSITORIES, &typed), 200);
    assert_eq!(olivia.path, "/ui/acme/price-list?done=created");
    shows(&olivia, &["Created. Now give teams and people access to it."], &[]);
    let made = world.olivia().get("/repos/acme/price-list").expect(200).clone();
    assert_eq!((&made["private"], &made["description"]), (&json!(true), &json!("What <things> cost")));
    assert_eq!(send(&mut olivia, REPOSITORIES, &[("name", "site"), ("visibility", "public")]), 200);
    assert_eq!(world.olivia().get("/repos/acme/site").expect(200)["private"], false);
    for (name, text) in [
        ("", "Enter a name."),
        ("Price-List", "Another repository has this name already."),
        ("a b", "Use only letters a to z, digits"),
        ("\"><x>", "Use only letters a to z, digits"),
        ("..", "No repository can have this name."),
    ] {
        assert_eq!(send(&mut olivia, REPOSITORIES, &[("name", name), ("visibility", "<x>")]), 422, "{name}");
        shows(&olivia, &[text, "id=\"name-error\"", "class=\"reveal\" open", "<title>Error: "], &["<x>"]);
    }
    assert_eq!(send(&mut olivia, PROJECTS, &[("name", "Plan"), ("description", "For <all>")]), 200);
    assert_eq!(olivia.path, "/ui/orgs/acme/projects/1?done=created");
    shows(&olivia, &["Plan", "For &#60;all&#62;"], &[]);
    assert_eq!(send(&mut olivia, PROJECTS, &[("name", &"x".repeat(300))]), 422);
    shows(&olivia, &["Use at most 255 characters."], &[]);
    // A member whom the organization does not let create one sees no form, and a form that they send changes nothing.
    let mut tom = signed_in(&world, "tom");
    tom.visit(REPOSITORIES);
    let code = tom.code();
    world.olivia().patch("/orgs/acme", json!({ "members_can_create_repositories": false })).expect(200);
    tom.visit(REPOSITORIES);
    shows(&tom, &[], &["Create<span class=\"sr\"> a repository"]);
    assert_eq!(tom.send_to(REPOSITORIES, &code, &[("name", "mine"), ("visibility", "private")]).status, 422);
    shows(&tom, &["Only owners can create repositories here."], &["You must be"]);
    world.olivia().get("/repos/acme/mine").expect(404);
}

#[test]
fn decision_33_the_rooms_tell_the_truth_about_who_can_read_what_is_private() {
    let world = world();
    let [mut olivia, mut tom] = ["olivia", "tom"].map(|login| signed_in(&world, login));
    assert_eq!(send(&mut tom, REPOSITORIES, &[("name", "vault"), ("visibility", "private")]), 200);
    assert_eq!(send(&mut tom, PROJECTS, &[("name", "Plan")]), 200);
    let settles = |level: &str| {
        world.olivia().patch("/orgs/acme", json!({ "default_repository_permission": level })).expect(200);
    };
    for (level, label, readers, told) in [
        ("read", ">Members and people with access<", "Every member can read it", "gets the level read."),
        ("none", ">Only people with access<", "Only people with access", "to whom you give it.<"),
        ("write", ">Members and people with access<", "Every member can read it", "gets the level write."),
    ] {
        settles(level);
        olivia.visit(REPOSITORIES);
        sound(&olivia.page.text);
        shows(&olivia, &[label, &format!("<small>{readers}"), told], &[]);
        olivia.visit(PROJECTS);
        sound(&olivia.page.text);
        shows(&olivia, &["Who can read it: Owners, and the teams", told], &[]);
        // Members do not learn the permission: a sentence that is always true is for them.
        for room in [REPOSITORIES, PROJECTS] {
            tom.visit(room);
            let both = "all members if <bdi>acme</bdi> lets them.";
            shows(&tom, &[both], &["gets the level", "Members and people"]);
        }
        tom.visit(REPOSITORIES);
        shows(&tom, &[">Not everyone<", "<small>Not public"], &["Only people with access", "Every member"]);
    }
    // A project keeps its own level.
    let project = world.tom().get("/orgs/acme/projects").expect(200)[0]["id"].to_string();
    tom.visit(PROJECTS);
    shows(&tom, &["<small>Every member can read it"], &["Only people with access"]);
    let none = json!({ "organization_permission": "none" });
    world.tom().patch(&format!("/projects/{project}"), none).expect(200);
    tom.visit(PROJECTS);
    shows(&tom, &["<small>Only people with access"], &["Every member"]);
}
