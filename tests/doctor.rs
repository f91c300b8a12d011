//! Doctor finds every kind of damage, says what to do, and mends what can be made anew.

#![expect(dead_code, reason = "the support modules serve other test programs too")]
#![expect(clippy::expect_used, clippy::panic, reason = "a test fails by panicking, in its helpers too")]

#[path = "support/database.rs"]
mod database;
#[path = "support/store.rs"]
mod store;

use guildhall::cli::doctor;
use guildhall::db::{Address, Db, Tx};
use store::Store;

const ACME: &str = "\
admins: [olivia, pat]
members: [max, tom]
repos: {web: {}}
teams: {Core: {privacy: closed, members: [tom, nina], repos: {web: write}, previously: [Kernel], teams: {Docs: {}}}, Lone: {}}";

fn acme() -> Store {
    let store = Store::new();
    store.acme(ACME);
    assert_eq!(store.findings(), Vec::<String>::new());
    store
}

/// Damages a healthy store, and gives the one thing that doctor finds.
#[track_caller]
fn only(damage: &[&'static str]) -> (Store, String) {
    let store = acme();
    for sql in damage {
        store.tamper(sql);
    }
    let mut found = store.findings();
    assert_eq!(found.len(), 1, "{damage:?}: {found:?}");
    let found = found.remove(0);
    assert!(found.contains(". To mend it: "), "{found}");
    (store, found)
}

#[test]
fn each_damage_is_found_and_named() {
    for (damage, wanted) in [
        ("UPDATE org_members SET role = 'member'", "acme has no active owner"),
        ("UPDATE users SET suspended = TRUE", "acme has no active owner"),
        ("UPDATE team_members SET user_id = (SELECT id FROM users WHERE login = 'nina')", "nina is in team 1"),
        ("UPDATE teams SET slug = 'kern' WHERE slug = 'lone'", "has the slug \"kern\", which its name does not give"),
        ("UPDATE teams SET name_key = 'x' WHERE slug = 'lone'", "is sorted by another name"),
        ("UPDATE teams SET privacy = 'secret' WHERE slug = 'docs'", "is secret and has a parent"),
        ("UPDATE teams SET privacy = 'secret' WHERE slug = 'core'", "is below a secret team"),
        ("UPDATE old_slugs SET slug = 'lone'", "the old slug \"lone\" is the slug of team"),
        ("UPDATE users SET login = 'ray' WHERE login = 'tom'", "is called ray, but is found by: tom"),
        ("UPDATE logins SET current = FALSE WHERE login_key = 'acme'", "organization 1 is called acme"),
        ("INSERT INTO logins (login_key, current) VALUES ('ghost', TRUE)", "the login ghost is in use"),
        (
            "INSERT INTO emails (user_id, email, email_key, is_primary, verified) VALUES (1, 'a@b', 'a@b', FALSE, TRUE)",
            "person 1 has 0 primary mail addresses",
        ),
        ("UPDATE repos SET name = 'site'", "repository 1 is called site, but is found by web"),
        (
            "INSERT INTO old_repo_names (org_id, name_key, repo_id) VALUES (1, 'web', 1)",
            "the name web leads to repository 1, but another has it",
        ),
        (
            "INSERT INTO old_repo_names (user_id, name_key, repo_id) VALUES (1, 'old', 1)",
            "repository 1 was called old, but by another owner",
        ),
        ("DELETE FROM migrations WHERE number = 1", "migrations are missing"),
        ("UPDATE audit SET action = 'org.nothing'", "entry 1 of the audit of organization 1 was not written by"),
        ("UPDATE audit SET entry = 2", "entry 1 of the audit of organization 1 is missing"),
        (
            "INSERT INTO org_members (org_id, user_id, role, created_at)
             SELECT 1, id, 'member', 0 FROM users WHERE login = 'nina'",
            "is open, but nina is a member already",
        ),
        ("UPDATE invitations SET failed_at = 1", "has failed, but brings a team"),
        ("UPDATE invitations SET email = 'a@b', email_key = 'A@b'", "is for a@b, but is found by A@b"),
    ] {
        let (_, found) = only(&[damage]);
        assert!(found.contains(wanted), "{damage}: {found}");
    }
}

#[test]
fn a_level_that_nobody_can_be_given_on_a_repository_of_a_person_is_found() {
    for (login, level) in [("max", 5), ("tom", 4), ("tom", 2)] {
        let store = acme();
        store.tamper(
            "INSERT INTO repos (user_id, name, name_key, created_at, updated_at)
             SELECT id, 'notes', 'notes', 0, 0 FROM users WHERE login = 'max'",
        );
        let sql = format!(
            "INSERT INTO repo_collaborators (repo_id, user_id, level)
             SELECT 2, id, {level} FROM users WHERE login = '{login}'"
        );
        store.tamper(sql.leak());
        let found = store.findings();
        let wanted = format!("{login} has a level on repository 2 that nobody can be given there");
        assert!(found.len() == 1 && found[0].starts_with(&wanted), "{found:?}");
    }
}

const PROJECT: &str = "
    INSERT INTO projects (org_id, number, name, organization_level, creator_id, creator_login, created_at, updated_at)
    SELECT max(id), 7, 'Roadmap', 1, 1, 'olivia', 0, 0 FROM orgs";

#[test]
fn a_project_with_a_number_that_was_not_given_yet_is_found() {
    let (_, found) = only(&[PROJECT]);
    assert!(found.contains("project 1 has the number 7; its organization has given none above 0"), "{found}");
}

#[test]
fn a_project_that_is_granted_to_a_team_elsewhere_is_found() {
    let store = acme();
    store.tamper("INSERT INTO orgs (login, last_project_number, created_at, updated_at) VALUES ('other', 9, 0, 0)");
    store.tamper(PROJECT);
    store.tamper("INSERT INTO team_projects (team_id, project_id, level) SELECT min(id), 1, 1 FROM teams");
    let found = store.findings();
    let wanted = "project 1 is granted to team 1 of another organization";
    assert!(found.iter().any(|line| line.contains(wanted)), "{found:?}");
}

#[test]
fn a_login_of_both_a_person_and_an_organization_is_found() {
    let store = acme();
    store.tamper("UPDATE logins SET user_id = 1 WHERE login_key = 'acme'");
    let found = store.findings();
    let wanted = "the login acme is in use, but not by exactly one person or organization";
    assert!(found.iter().any(|line| line.starts_with(wanted)), "{found:?}");
}

/// Another organization with one team, and a group of its identity provider.
const OTHER: [&str; 6] = [
    "INSERT INTO orgs (login, plan, created_at, updated_at) VALUES ('other', 'enterprise', 0, 0)",
    "INSERT INTO logins (login_key, org_id, current) SELECT login, id, TRUE FROM orgs WHERE login = 'other'",
    "INSERT INTO org_versions (org_id, version) SELECT id, 0 FROM orgs WHERE login = 'other'",
    "INSERT INTO org_members (org_id, user_id, role, created_at)
     SELECT o.id, u.id, 'admin', 0 FROM orgs o CROSS JOIN users u WHERE o.login = 'other' AND u.login = 'olivia'",
    "INSERT INTO teams (org_id, name, name_key, slug, privacy, created_at, updated_at)
     SELECT id, 'Away', 'away', 'away', 'closed', 0, 0 FROM orgs WHERE login = 'other'",
    "INSERT INTO scim_groups (org_id, display_name, display_key, created_at, updated_at)
     SELECT id, 'Group', 'group', 0, 0 FROM orgs WHERE login = 'other'",
];

#[test]
fn what_belongs_to_another_organization_is_found() {
    for (damage, wanted) in [
        (
            "UPDATE teams SET parent_id = (SELECT id FROM teams WHERE slug = 'away') WHERE slug = 'lone'",
            "team 2 (\"Lone\") is below a team of another organization",
        ),
        (
            "UPDATE old_slugs SET org_id = (SELECT id FROM orgs WHERE login = 'other')",
            "the old slug \"kernel\" leads to team 1 elsewhere",
        ),
        (
            "UPDATE invitation_teams SET team_id = (SELECT id FROM teams WHERE slug = 'away')",
            "invitation 1 brings team 4 of another organization",
        ),
        (
            "INSERT INTO team_groups (team_id, group_id, linked_at)
             SELECT t.id, g.id, 0 FROM teams t CROSS JOIN scim_groups g WHERE t.slug = 'lone'",
            "team 2 follows group 1 of another organization",
        ),
    ] {
        let store = acme();
        for sql in OTHER {
            store.tamper(sql);
        }
        let before = store.findings();
        assert!(!before.iter().any(|line| line.starts_with(wanted)), "{before:?}");
        store.tamper(damage);
        let found = store.findings();
        assert!(found.iter().any(|line| line.starts_with(wanted)), "{damage}: {found:?}");
    }
}

/// PostgreSQL does not let such a row be.
#[test]
fn a_row_that_names_another_that_is_not_there_is_found() {
    let store = acme();
    let Address::Sqlite(file) = store.address() else { return };
    let other = rusqlite::Connection::open(file).expect("the file");
    other.pragma_update(None, "foreign_keys", false).expect("a setting");
    assert_eq!(other.execute("UPDATE team_repos SET repo_id = 99", []).expect("a change"), 1);
    drop(other);
    // Opened anew: a store that is open may look for a while at what it has seen before.
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let db = runtime.block_on(Db::open(store.address())).expect("a store");
    let found = runtime.block_on(doctor::run(&db, &store::KEY)).expect("doctor can look");
    let wanted = "row 0 of team_repos names a row of repos that is not there. To mend it: restore the last backup";
    assert!(found.iter().any(|finding| finding.to_string().starts_with(wanted)), "{found:?}");
}

#[test]
fn a_token_with_an_unknown_scope_is_found() {
    let (_, found) = only(&["INSERT INTO tokens (user_id, kind, hash, last_eight, scopes, created_at, updated_at)
         SELECT id, 'personal', audit.hash, '12345678', 'repo, everything', 0, 0 FROM users CROSS JOIN audit
         WHERE users.login = 'tom'"]);
    assert!(found.contains("has unknown scopes: repo, everything"), "{found}");
}

/// Two discussions of Core, the second private, a comment and a reaction to each.
const POSTS: [&str; 4] = [
    "INSERT INTO boards (team_id, last_number, public_posts, private_posts) VALUES (1, 2, 1, 1)",
    "INSERT INTO discussions (team_id, number, private, last_comment, comments_count, created_at, updated_at, heart,
                              title, body, body_version, body_html)
     VALUES (1, 1, FALSE, 1, 1, 0, 0, 1, 't', 'b', 'v', 'h'), (1, 2, TRUE, 0, 0, 0, 0, 0, 't', 'b', 'v', 'h')",
    "INSERT INTO comments (discussion_id, number, created_at, updated_at, eyes, body, body_version, body_html)
     VALUES (1, 1, 0, 0, 1, 'b', 'v', 'h')",
    "INSERT INTO reactions (discussion_id, comment_id, content, created_at)
     VALUES (1, NULL, 'heart', 0), (NULL, 1, 'eyes', 0)",
];

fn with_posts() -> Store {
    let store = acme();
    for sql in POSTS {
        store.tamper(sql);
    }
    assert_eq!(store.findings(), Vec::<String>::new());
    store
}

#[test]
fn numbers_that_were_not_given_are_found() {
    for (damage, wanted) in [
        ("UPDATE boards SET last_number = 1", "team 1 has a discussion with a number that was not given yet"),
        ("UPDATE discussions SET last_comment = 0", "discussion 1 has a comment with a number that was not given yet"),
        ("DELETE FROM boards", "is on the board of a team that has none"),
    ] {
        let store = with_posts();
        store.tamper(damage);
        let found = store.findings();
        assert!(found.iter().any(|line| line.contains(wanted)), "{damage}: {found:?}");
    }
}

#[test]
fn what_is_counted_beside_posts_is_mended() {
    for damage in [
        "UPDATE boards SET public_posts = 9",
        "UPDATE boards SET private_posts = 0",
        "UPDATE discussions SET comments_count = 3 WHERE number = 1",
        "UPDATE discussions SET thumbs_up = 1 WHERE number = 2",
        "UPDATE discussions SET heart = 0",
        "UPDATE comments SET eyes = 2",
    ] {
        let store = with_posts();
        store.tamper(damage);
        let found = store.findings();
        assert!(
            found.len() == 1 && found[0].contains("wrongly") && found[0].ends_with("--mend`"),
            "{damage}: {found:?}"
        );
        assert_eq!(store.mend().len(), 1, "{damage}");
        assert_eq!(store.findings(), Vec::<String>::new(), "{damage}");
    }
}

#[test]
fn what_is_counted_or_derived_is_mended() {
    for damage in [
        "UPDATE team_counts SET members = 9 WHERE team_id = (SELECT id FROM teams WHERE slug = 'core')",
        "UPDATE team_counts SET repos = 9 WHERE team_id = (SELECT id FROM teams WHERE slug = 'core')",
        "DELETE FROM team_counts WHERE team_id = (SELECT id FROM teams WHERE slug = 'core')",
        "DELETE FROM org_versions",
        "UPDATE orgs SET public_repos = 9",
        "UPDATE repos SET private = TRUE",
        "UPDATE repos SET forks_count = 1",
        "DELETE FROM team_tree WHERE depth = 1",
        "UPDATE team_tree SET depth = 5 WHERE depth = 1",
        "INSERT INTO team_tree (ancestor_id, descendant_id, depth) VALUES (2, 1, 1)",
        "INSERT INTO changes (org_id, version, kind) VALUES (1, 7, 'person_gone')",
    ] {
        let store = acme();
        store.tamper(damage);
        let found = store.findings();
        assert!(!found.is_empty() && found.iter().all(|line| line.ends_with("--mend`")), "{damage}: {found:?}");
        assert_eq!(store.mend().len(), 1, "{damage}");
        assert_eq!(store.findings(), Vec::<String>::new(), "{damage}");
        assert_eq!(store.mend(), Vec::<String>::new());
    }
}

#[test]
fn teams_in_a_circle_are_named_and_left() {
    let store = acme();
    store.tamper("UPDATE teams SET parent_id = (SELECT id FROM teams WHERE slug = 'docs') WHERE slug = 'core'");
    let found = store.findings();
    assert!(found.iter().any(|line| line.contains("is an ancestor of itself")), "{found:?}");
    assert_eq!(store.mend(), Vec::<String>::new());
}

#[test]
fn a_damaged_file_is_found() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("guildhall.db");
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let open = || runtime.block_on(Db::open(&Address::Sqlite(file.clone())));
    let many_rows = |tx: &mut Tx<'_>| {
        (0..2_000_i64).try_for_each(|n| tx.run(NAMED, &[&format!("name {n}"), &"x".repeat(200)]).map(|_| ()))
    };
    runtime.block_on(open().expect("a new database").write(many_rows)).expect("rows");
    let mut bytes = std::fs::read(&file).expect("the file");
    let middle = bytes.len() / 2;
    bytes[middle..middle + 8_192].fill(0xff);
    std::fs::write(&file, bytes).expect("to write");
    let db = open().expect("the first pages are whole");
    let found = runtime.block_on(doctor::run(&db, &store::KEY)).expect("doctor can look");
    assert!(!found.is_empty() && found[0].mend.contains("backup"), "{found:?}");
}

const NAMED: &str = "INSERT INTO site (name, value) VALUES ($1, $2)";

#[test]
fn a_team_that_does_not_have_the_people_of_its_groups_is_found() {
    let store = acme();
    store.follow("lone", "max");
    let missing = store.findings();
    assert!(
        missing[0].starts_with("a group of team 2 has max, who is not in the team. To mend it: unlink"),
        "{missing:?}"
    );
    store.tamper(
        "INSERT INTO team_members (team_id, user_id, role) SELECT 2, id, 'member' FROM users WHERE login = 'max'",
    );
    store.mend();
    assert_eq!(store.findings(), Vec::<String>::new());
    store.tamper("UPDATE team_members SET user_id = (SELECT id FROM users WHERE login = 'pat') WHERE team_id = 2");
    let found = store.findings();
    assert_eq!((found.len(), found[1].starts_with("pat is in team 2, but in no group of it")), (2, true), "{found:?}");
    store.tamper("UPDATE orgs SET plan = 'free'");
    assert_eq!(store.findings(), Vec::<String>::new());
}

#[test]
fn a_team_that_follows_groups_and_must_not_is_found() {
    let store = acme();
    store.follow("core", "tom");
    let found = store.findings().join("\n");
    assert!(found.contains("team 1 follows groups and has the child team 3"), "{found}");
    assert!(found.contains("team 1 follows groups and is on the invitation 1"), "{found}");
    assert_eq!(found.lines().count(), 2, "{found}");
}

/// A store as a program from before schema 8 has left it.
const BACK_TO_SCHEMA_7: [&str; 8] = [
    "ALTER TABLE teams ADD COLUMN members_count BIGINT NOT NULL DEFAULT 0",
    "ALTER TABLE teams ADD COLUMN repos_count BIGINT NOT NULL DEFAULT 0",
    "UPDATE teams SET members_count = (SELECT n.members FROM team_counts n WHERE n.team_id = teams.id),
                      repos_count = (SELECT n.repos FROM team_counts n WHERE n.team_id = teams.id)",
    "DROP TABLE team_counts",
    "ALTER TABLE orgs ADD COLUMN version BIGINT NOT NULL DEFAULT 0",
    "UPDATE orgs SET version = (SELECT v.version FROM org_versions v WHERE v.org_id = orgs.id)",
    "DROP TABLE org_versions",
    "DELETE FROM migrations WHERE number = 8",
];

const COUNTS: &str = "
    SELECT t.slug, c.members, c.repos, v.version
    FROM teams t JOIN team_counts c ON c.team_id = t.id JOIN org_versions v ON v.org_id = t.org_id ORDER BY t.slug";

#[test]
fn a_store_of_an_older_schema_keeps_its_counts_and_versions() {
    let store = acme();
    let counts: Vec<(String, i64, i64, i64)> = store.rows(COUNTS);
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let back = |tx: &mut Tx<'_>| BACK_TO_SCHEMA_7.iter().try_for_each(|sql| tx.run(sql, &[]).map(drop));
    runtime.block_on(store.db.write(back)).expect("an older store");
    drop(runtime.block_on(Db::open(store.address())).expect("a store that is brought on"));
    assert_eq!(store.rows::<(String, i64, i64, i64)>(COUNTS), counts);
    assert_eq!(counts[0], ("core".to_owned(), 1, 1, 1));
    assert_eq!(store.findings(), Vec::<String>::new());
}

#[test]
fn a_description_that_is_too_long_is_found() {
    // Twice as many bytes as characters: it is characters that count.
    for (length, wanted) in [(65_535, None), (65_536, Some("team 2 has a description of 65536 characters"))] {
        let store = acme();
        let description = "ä".repeat(length);
        store.tamper(format!("UPDATE teams SET description = '{description}' WHERE slug = 'lone'").leak());
        let found = store.findings();
        assert_eq!(found.len(), usize::from(wanted.is_some()), "{length}");
        assert!(wanted.is_none_or(|wanted| found[0].starts_with(wanted)), "{length}");
    }
}
