//! Importing what peribolos has no word for, and what else a file can say of projects, repositories, people and
//! invitations (decisions 21, 29, 32, 33 and 50).

use crate::support::store::Store;

const BASE: &str = "\
admins: [olivia]
members: [max, tom]
repos: {web: {}, api: {}}
teams: {Core: {members: [max], guildhall: {projects: {1: write}}}, Docs: {members: [tom]}}
guildhall:
  projects:
    1: {name: Roadmap, body: where to, collaborators: {ray: read}}";

const PROJECTS: &str = "
    SELECT CAST(number AS TEXT) || ' ' || name || ' ' || coalesce(body, '-') || ' ' || state || ' '
        || CAST(organization_level AS TEXT) || ' ' || creator_login FROM projects ORDER BY number";

const PEOPLE: &str = "
    SELECT p.number, c.level FROM project_collaborators c JOIN projects p ON p.id = c.project_id
    JOIN users u ON u.id = c.user_id ORDER BY p.number, u.login";

const TEAMS: &str = "
    SELECT t.slug || ' ' || CAST(p.number AS TEXT) || ' ' || CAST(g.level AS TEXT) FROM team_projects g
    JOIN projects p ON p.id = g.project_id JOIN teams t ON t.id = g.team_id ORDER BY t.slug, p.number";

const INVITED: &str = "
    SELECT coalesce(u.login, '-') || ' ' || coalesce(i.email, '-') || ' ' || i.role || ' ' || coalesce(
        (SELECT max(t.slug || ' ' || b.role) FROM invitation_teams b JOIN teams t ON t.id = b.team_id
         WHERE b.invitation_id = i.id), '-')
    FROM invitations i LEFT JOIN users u ON u.id = i.user_id WHERE i.failed_at IS NULL ORDER BY i.id";

fn base() -> Store {
    let store = Store::new();
    store.acme(BASE);
    store
}

/// Imports a file that needs nothing done; importing it again changes nothing either way.
fn settled(store: &Store, lines: &str) {
    let before = store.state();
    let report = store.acme(lines);
    assert!(!report.orgs[0].has_changes(), "{report}");
    assert_eq!(store.state(), before);
    assert_eq!(store.findings(), Vec::<String>::new());
}

#[test]
fn decision_50_projects_are_created_with_what_people_and_teams_may_do() {
    let store = base();
    assert_eq!(store.texts(PROJECTS), ["1 Roadmap where to open 1 olivia"], "the first owner created it");
    assert_eq!(store.rows::<(i64, i64)>(PEOPLE), [(1, 1)]);
    assert_eq!(store.texts(TEAMS), ["core 1 2"]);
    assert_eq!(store.rows::<(i64,)>("SELECT last_project_number FROM orgs"), [(1,)]);
    settled(&store, BASE);
}

#[test]
fn decision_50_projects_are_known_by_number_and_none_takes_a_grant_away() {
    let store = base();
    let report = store.acme(
        "teams: {Core: {guildhall: {projects: {1: none}}}, Docs: {guildhall: {projects: {5: read}}}}\n\
         guildhall: {projects: {1: {name: Plan, state: closed, collaborators: {ray: admin, tom: read}},\n\
         \x20 5: {name: Plan, organization_permission: none, creator: tom}}}",
    );
    assert_eq!(store.texts(PROJECTS), ["1 Plan where to closed 1 olivia", "5 Plan - open 0 tom"]);
    assert_eq!(store.rows::<(i64, i64)>(PEOPLE), [(1, 3), (1, 1)]);
    assert_eq!(store.texts(TEAMS), ["docs 5 1"]);
    assert_eq!(store.rows::<(i64,)>("SELECT last_project_number FROM orgs"), [(5,)]);
    for line in
        ["settings of project 1", "ray now has admin on project 1", "team \"Core\" no longer has access to project 1"]
    {
        assert!(report.orgs[0].changed.iter().any(|changed| changed == line), "{line} is not in {report}");
    }
    let report = store.acme("teams: {Docs: {}}");
    let beyond = &report.orgs[0].beyond;
    for line in ["project 1 \"Plan\"", "project 5 \"Plan\"", "project 5 of team \"Docs\" with read"] {
        assert!(beyond.iter().any(|known| known == line), "{line} is not in {report}");
    }
}

#[test]
fn decision_33_a_repository_is_known_by_its_name_and_then_by_a_former_one() {
    let store = base();
    let ids = "SELECT CAST(id AS TEXT) || ' ' || name FROM repos ORDER BY id";
    let former =
        "SELECT n.name_key || ' to ' || r.name FROM old_repo_names n JOIN repos r ON r.id = n.repo_id ORDER BY 1";
    let before = store.texts(ids);
    let file = "repos: {site: {previously: [Web, home, api], has_wiki: false}, api: {previously: [home]}, new: {}}";
    let report = store.acme(file);
    let after = store.texts(ids);
    assert_eq!(after[0], before[0].replace("web", "site"));
    assert_eq!(store.texts(former), ["home to site", "web to site"]);
    assert!(report.orgs[0].changed.contains(&"repository site: renamed from web".to_owned()), "{report}");
    let skipped = [
        "former name api of repository site: it is a name, or a former name, of another repository",
        "former name home of repository api: it is a name, or a former name, of another repository",
    ];
    assert_eq!(report.orgs[0].skipped, skipped);
    settled(&store, file);
    store.acme("repos: {home: {}}");
    assert_eq!(store.texts(former), ["web to site"], "a name that is taken leads nowhere else");
}

#[test]
fn decision_21_billing_managers_come_and_nobody_becomes_one_by_a_file() {
    let store = base();
    let report = store.acme("guildhall: {billing_managers: [bea, tom]}\nteams: {Core: {members: [bea]}}");
    assert_eq!(
        store.texts("SELECT role FROM org_members ORDER BY role"),
        ["admin", "billing_manager", "member", "member"]
    );
    assert_eq!(
        report.orgs[0].skipped,
        ["tom remains a member", "bea is a billing manager, and cannot be on team \"Core\" unless listed as a member"]
    );
    store.acme("members: [bea, max]\nguildhall: {public_members: [max]}");
    let public = "SELECT u.login FROM org_members m JOIN users u ON u.id = m.user_id WHERE m.is_public = TRUE";
    assert_eq!(store.texts(public), ["max"]);
    settled(&store, "members: [max, bea]\nguildhall: {public_members: [max]}");
}

#[test]
fn decision_50_people_become_security_managers_by_a_file_and_do_not_cease_to_be() {
    let store = base();
    let report = store.acme("members: [tom, max]\nguildhall: {security_managers: [TOM]}");
    assert!(report.orgs[0].to_string().starts_with("acme: created 1 security manager"), "{report}");
    let managers = "SELECT u.login FROM user_security_managers sp JOIN users u ON u.id = sp.user_id ORDER BY u.login";
    assert_eq!(store.texts(managers), ["tom"]);
    settled(&store, "members: [tom, max]\nguildhall: {security_managers: [tom]}");
    store.tamper("UPDATE users SET suspended = TRUE WHERE login = 'max'");
    let report = store.acme("members: [tom, max]\nguildhall: {security_managers: [max]}");
    let skipped = ["max: the account is suspended and cannot become a security manager"];
    assert_eq!(report.orgs[0].skipped, skipped);
    let beyond = "that tom is a security manager".to_owned();
    assert!(report.orgs[0].beyond.contains(&beyond), "{report}");
    assert_eq!(store.texts(managers), ["tom"]);
}

#[test]
fn decision_29_invitations_are_made_with_their_roles_and_teams() {
    let store = base();
    let file = "teams: {Core: {maintainers: [nina]}, Docs: {}}\nguildhall: {invitations: [{login: nina, role: admin},\n\
                {login: hank, role: hiring_manager}, {email: una@example.org, teams: {Docs: maintainer}}]}";
    let report = store.acme(file);
    let invited =
        ["nina - admin core maintainer", "hank - hiring_manager -", "- una@example.org direct_member docs maintainer"];
    assert_eq!(store.texts(INVITED), invited, "{report}");
    settled(&store, file);
    let report = store.acme(
        "guildhall: {invitations: [{login: hank}, {login: max}, {email: UNA@example.org, role: billing_manager}]}",
    );
    assert_eq!(
        report.orgs[0].changed,
        [
            "the invitation of hank is now for direct_member",
            "the invitation of UNA@example.org is now for billing_manager"
        ]
    );
    assert_eq!(report.orgs[0].skipped, ["max is already in the organization and is not invited"]);
    assert!(report.orgs[0].beyond.contains(&"invitation of \"nina\"".to_owned()), "{report}");
}

#[test]
fn decision_27_an_address_that_is_verified_is_its_accounts() {
    let store = base();
    store.acme("guildhall: {invitations: [{login: nina}]}");
    store.tamper(
        "INSERT INTO emails (user_id, email, email_key, is_primary, verified)
         SELECT id, login || '@example.org', login || '@example.org', TRUE, TRUE FROM users",
    );
    let lines = "guildhall: {invitations: [{email: nina@example.org}, {email: max@example.org}]}";
    let report = store.acme(lines);
    assert_eq!(report.orgs[0].skipped, ["max@example.org is already in the organization and is not invited"]);
    assert_eq!(store.texts(INVITED), ["nina - direct_member -"], "one open invitation a person");
    settled(&store, lines);
}

#[test]
fn a_failure_at_any_statement_leaves_everything_as_it_was() {
    let store = base();
    let before = store.state();
    let lines = "repos: {site: {previously: [web]}}\nteams: {Core: {guildhall: {permission: push, projects: {1: read, 4: admin}}}}\n\
                 guildhall: {billing_managers: [bea], public_members: [], invitations: [{login: nina}, {email: u@v}],\n\
                 \x20 projects: {1: {name: Plan, collaborators: {ray: write}}, 4: {name: New}}}";
    for n in 1..400 {
        store.faults.arm(n);
        let tried = store.try_acme(lines);
        if store.faults.disarm() {
            assert!(tried.is_ok() && n > 30, "{n} statements: {tried:?}");
            return assert_eq!(store.findings(), Vec::<String>::new());
        }
        assert!(tried.is_err(), "statement {n} failed and nobody noticed");
        assert_eq!(store.state(), before, "statement {n}");
    }
    panic!("the import never ended");
}
