//! The round trip: an export, an import into an empty store, and an export again.

use std::path::PathBuf;

use crate::support::store::Store;

/// The same facts of two stores, without identifiers and times.
const FACTS: &[&str] = &[
    "SELECT 'org ' || login || ' ' || coalesce(name, '-') || ' ' || coalesce(description, '-') || ' '
         || coalesce(company, '-') || ' ' || coalesce(blog, '-') || ' ' || coalesce(location, '-') || ' '
         || coalesce(email, '-') || ' ' || coalesce(twitter_username, '-') || ' ' || coalesce(billing_email, '-') || ' '
         || default_repository_permission || ' ' || CAST(members_can_create_teams AS TEXT) || CAST(members_can_leave_teams AS TEXT)
         || CAST(members_can_create_repositories AS TEXT) || CAST(has_organization_projects AS TEXT)
         || CAST(has_repository_projects AS TEXT) || CAST(audit_shows_addresses AS TEXT) || ' ' || CAST(public_repos AS TEXT) || ' '
         || CAST(private_repos AS TEXT) || ' ' || CAST(members_can_create_public_repositories AS TEXT)
         || CAST(members_can_create_private_repositories AS TEXT) || CAST(members_can_fork_private_repositories AS TEXT)
         || ' ' || coalesce(switches, '-') FROM orgs",
    "SELECT 'account ' || login FROM users",
    "SELECT 'person ' || o.login || ' ' || u.login || ' ' || m.role || ' ' || CAST(m.is_public AS TEXT)
     FROM org_members m JOIN orgs o ON o.id = m.org_id JOIN users u ON u.id = m.user_id",
    "SELECT 'repo ' || o.login || ' ' || r.name || ' ' || coalesce(r.description, '-') || ' '
         || coalesce(r.homepage, '-') || ' ' || r.default_branch || ' ' || CAST(r.private AS TEXT)
         || CAST(r.archived AS TEXT) || CAST(r.has_issues AS TEXT) || CAST(r.has_projects AS TEXT)
         || CAST(r.has_wiki AS TEXT) || CAST(r.is_template AS TEXT) || ' ' || coalesce(r.settings, '-') || ' '
         || CAST(r.vulnerability_alerts AS TEXT) FROM repos r JOIN orgs o ON o.id = r.org_id",
    "SELECT 'old repo ' || n.name_key || ' ' || r.name FROM old_repo_names n JOIN repos r ON r.id = n.repo_id",
    "SELECT 'collaborator ' || r.name || ' ' || u.login || ' ' || CAST(c.level AS TEXT)
     FROM repo_collaborators c JOIN repos r ON r.id = c.repo_id JOIN users u ON u.id = c.user_id",
    "SELECT 'team ' || o.login || ' ' || t.name || ' in ' || coalesce(p.name, '-') || ' ' || t.privacy || ' '
         || t.permission || ' ' || t.notification_setting || ' ' || CAST(t.review_enabled AS TEXT)
         || t.review_algorithm || CAST(t.review_members AS TEXT) || CAST(t.review_notify AS TEXT) || ' ' || CAST(n.members AS TEXT) || ' '
         || CAST(n.repos AS TEXT) || ' ' || coalesce(t.description, '-')
     FROM teams t JOIN team_counts n ON n.team_id = t.id JOIN orgs o ON o.id = t.org_id LEFT JOIN teams p ON p.id = t.parent_id",
    "SELECT 'security manager ' || o.login || ' ' || t.name
     FROM security_managers sm JOIN teams t ON t.id = sm.team_id JOIN orgs o ON o.id = sm.org_id",
    "SELECT 'security manager ' || o.login || ' ' || u.login
     FROM user_security_managers sp JOIN users u ON u.id = sp.user_id JOIN orgs o ON o.id = sp.org_id",
    "SELECT 'tree ' || a.name || ' ' || d.name || ' ' || CAST(x.depth AS TEXT)
     FROM team_tree x JOIN teams a ON a.id = x.ancestor_id JOIN teams d ON d.id = x.descendant_id",
    "SELECT 'old slug ' || s.slug || ' ' || t.name FROM old_slugs s JOIN teams t ON t.id = s.team_id",
    "SELECT 'member ' || t.name || ' ' || u.login || ' ' || m.role
     FROM team_members m JOIN teams t ON t.id = m.team_id JOIN users u ON u.id = m.user_id",
    "SELECT 'grant ' || t.name || ' ' || r.name || ' ' || CAST(g.level AS TEXT)
     FROM team_repos g JOIN teams t ON t.id = g.team_id JOIN repos r ON r.id = g.repo_id",
    "SELECT 'project ' || CAST(p.number AS TEXT) || ' ' || p.name || ' ' || coalesce(p.body, '-') || ' ' || p.state
         || ' ' || CAST(p.organization_level AS TEXT) || CAST(p.private AS TEXT) || ' ' || p.creator_login || ' '
         || CAST(o.last_project_number AS TEXT) FROM projects p JOIN orgs o ON o.id = p.org_id",
    "SELECT 'project person ' || CAST(p.number AS TEXT) || ' ' || u.login || ' ' || CAST(c.level AS TEXT)
     FROM project_collaborators c JOIN projects p ON p.id = c.project_id JOIN users u ON u.id = c.user_id",
    "SELECT 'project team ' || CAST(p.number AS TEXT) || ' ' || t.name || ' ' || CAST(g.level AS TEXT)
     FROM team_projects g JOIN projects p ON p.id = g.project_id JOIN teams t ON t.id = g.team_id",
    "SELECT 'invited ' || o.login || ' ' || coalesce(u.login, '-') || ' ' || coalesce(i.email, '-') || ' '
         || coalesce(i.email_key, '-') || ' ' || i.role
     FROM invitations i JOIN orgs o ON o.id = i.org_id LEFT JOIN users u ON u.id = i.user_id
     WHERE i.failed_at IS NULL",
    "SELECT 'brings ' || coalesce(u.login, i.email) || ' ' || t.name || ' ' || b.role
     FROM invitation_teams b JOIN invitations i ON i.id = b.invitation_id LEFT JOIN users u ON u.id = i.user_id
     JOIN teams t ON t.id = b.team_id",
];

fn facts(store: &Store) -> Vec<String> {
    let mut facts: Vec<String> = FACTS.iter().flat_map(|sql| store.texts(sql)).collect();
    facts.sort_unstable();
    facts
}

fn differences(one: &[String], other: &[String]) -> Vec<String> {
    let only = |sign, of: &[String], from: &[String]| -> Vec<String> {
        let known: std::collections::HashSet<&String> = from.iter().collect();
        of.iter().filter(|fact| !known.contains(fact)).map(|fact| format!("{sign} {fact}")).collect()
    };
    [only("-", one, other), only("+", other, one)].concat()
}

/// Exports every organization to a file.
fn exported(store: &Store) -> Vec<(PathBuf, String)> {
    let logins = store.texts("SELECT login FROM orgs ORDER BY id");
    let export = |login: &String| {
        let (text, left_out) = store.export(login).expect("an export");
        assert_eq!(left_out, Vec::<String>::new(), "{login}");
        (store.file(&format!("{login}.yaml"), &text), text)
    };
    logins.iter().map(export).collect()
}

/// Exports, imports into an empty store and exports again: bytes and facts are the same, and importing into the
/// original store changes nothing. Returns the export.
pub fn round_trip(store: &Store) -> Vec<String> {
    let (files, texts): (Vec<_>, Vec<_>) = exported(store).into_iter().unzip();
    let other = Store::new();
    other.import(&files).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(differences(&facts(store), &facts(&other)), Vec::<String>::new());
    let again: Vec<String> = exported(&other).into_iter().map(|(_, text)| text).collect();
    assert!(again == texts, "the second export differs from the first");
    assert_eq!(other.findings(), Vec::<String>::new());
    let before = store.state();
    let report = store.import(&files).unwrap_or_else(|error| panic!("{error}"));
    for org in &report.orgs {
        assert!(!org.has_changes() && org.beyond.is_empty() && org.skipped.is_empty(), "{org}");
    }
    assert_eq!(store.state(), before);
    texts
}
