//! Doctor finds every kind of damage, says what to do, and mends what can be made anew.

use crate::support::store::Store;

const ACME: &str = "\
admins: [olivia, pat]
members: [max, tom]
repos: {web: {}}
teams: {Core: {privacy: closed, members: [tom, nina], repos: {web: write}, previously: [Kernel], teams: {Docs: {}}}, Lone: {}}";

pub fn acme() -> Store {
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
    assert!(found.contains(". To fix it: "), "{found}");
    (store, found)
}

#[test]
fn each_damage_is_found_and_named() {
    for (damage, wanted) in [
        ("UPDATE org_members SET role = 'member'", "acme has no owner"),
        ("UPDATE team_members SET user_id = (SELECT id FROM users WHERE login = 'nina')", "nina is on team 1"),
        ("UPDATE teams SET slug = 'kern' WHERE slug = 'lone'", "has the slug \"kern\", which does not match its name"),
        ("UPDATE teams SET name_key = 'x' WHERE slug = 'lone'", "is sorted by a name other"),
        (
            "UPDATE teams SET name = 'Lo\u{200b}ne', name_key = 'lo\u{200b}ne', slug = 'lo-ne' WHERE slug = 'lone'",
            "has characters in its name that cannot be shown",
        ),
        ("UPDATE teams SET privacy = 'secret' WHERE slug = 'docs'", "is secret and has a parent"),
        ("UPDATE teams SET privacy = 'secret' WHERE slug = 'core'", "is below a secret team"),
        ("UPDATE old_slugs SET slug = 'lone'", "the old slug \"lone\" is also the slug of team"),
        ("UPDATE users SET login = 'ray' WHERE login = 'tom'", "has the login ray, but is found by: tom"),
        ("UPDATE logins SET current = FALSE WHERE login_key = 'acme'", "organization 1 has the login acme"),
        ("INSERT INTO logins (login_key, current) VALUES ('ghost', TRUE)", "the login ghost is in use"),
        (
            "INSERT INTO emails (user_id, email, email_key, is_primary, verified) VALUES (1, 'a@b', 'a@b', FALSE, TRUE)",
            "person 1 has 0 primary e-mail addresses",
        ),
        ("UPDATE repos SET name = 'site'", "repository 1 has the name site, but is found by web"),
        (
            "INSERT INTO old_repo_names (org_id, name_key, repo_id) VALUES (1, 'web', 1)",
            "the former name web redirects to repository 1, but another repository uses it",
        ),
        (
            "INSERT INTO old_repo_names (user_id, name_key, repo_id) VALUES (1, 'old', 1)",
            "repository 1 has the former name old, but under another owner",
        ),
        ("DELETE FROM migrations WHERE number = 1", "migrations are missing"),
        (
            "UPDATE journal SET kind = 'person_gone' WHERE org_id = 1 AND entry = 1",
            "entry 1 of the journal of organization 1 was not",
        ),
        (
            "UPDATE journal SET format = 1 WHERE org_id = 1 AND entry = 1",
            "entry 1 of the journal of organization 1 was not written by",
        ),
        (
            "UPDATE journal SET facts_hash = hash WHERE org_id = 1 AND entry = 1",
            "entry 1 of the journal of organization 1 was not",
        ),
        ("DELETE FROM journal WHERE org_id = 1 AND entry = 1", "entry 1 of the journal of organization 1 is missing"),
        ("DELETE FROM journal WHERE org_id = 1", "the journal of organization 1 ends at entry 0, but its head says"),
        ("UPDATE journal_heads SET entry = 0, hash = NULL WHERE org_id = 1", "but its head says 0"),
        ("UPDATE journal_heads SET entry = 1 WHERE org_id = 1", "but its head says 1"),
        (
            "UPDATE journal_heads SET first_entry = 2 WHERE org_id = 1",
            "organization 1 does not begin where it was trimmed",
        ),
        ("UPDATE journal_heads SET entry = entry + 1 WHERE org_id = 0", "the journal of the site ends at entry 1, but"),
        ("DELETE FROM journal_heads WHERE org_id = 0", "the journal of the site has no head"),
        (
            "INSERT INTO journal_facts (org_id, entry, event, facts) VALUES (1, 1, 'organization.created', '{}')",
            "the facts of entry 1 of the journal of organization 1",
        ),
        (
            "INSERT INTO org_members (org_id, user_id, role, created_at)
             SELECT 1, id, 'member', 0 FROM users WHERE login = 'nina'",
            "is open, but nina is already a member",
        ),
        (
            "INSERT INTO delivery_cursors SELECT org_id, entry + 1, 0 FROM journal_heads WHERE org_id = 1",
            "deliveries of organization 1 are at entry",
        ),
        (
            "INSERT INTO delivery_cursors VALUES (7, 1, 0)",
            "deliveries of organization 7 are at entry 1, but its journal ends",
        ),
        (EVENT, "event 1 of deliveries has an identifier that this service did not give it"),
        ("UPDATE invitations SET failed_at = 1", "has failed, but still includes a team"),
        ("UPDATE invitations SET email = 'a@b', email_key = 'A@b'", "is for a@b, but is found by A@b"),
    ] {
        let (_, found) = only(&[damage]);
        assert!(found.contains(wanted), "{damage}: {found}");
    }
}

/// A site administrator may suspend every owner, because a stolen account must be stoppable (decision 21).
#[test]
fn an_organization_whose_owners_are_all_suspended_is_no_damage_but_is_noted() {
    let store = acme();
    store.tamper("UPDATE users SET suspended = TRUE WHERE login = 'olivia'");
    assert_eq!(store.notes(), Vec::<String>::new());
    store.tamper("UPDATE users SET suspended = TRUE WHERE login = 'pat'");
    assert_eq!(store.findings(), Vec::<String>::new());
    let notes = store.notes();
    assert!(notes.len() == 1 && notes[0].starts_with("acme has no active owner; import a file"), "{notes:?}");
}

const EVENT: &str = "
    INSERT INTO delivery_events (org_id, entry, part, guid, event, order_key, payload, created_at)
    VALUES (1, 1, 0, 'x', 'team', 0, '{}', 0)";

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
        let wanted = format!("{login} has a level on repository 2 that cannot be granted there");
        assert!(found.len() == 1 && found[0].starts_with(&wanted), "{found:?}");
    }
}

const PROJECT: &str = "
    INSERT INTO projects (org_id, number, name, organization_level, creator_id, creator_login, created_at, updated_at)
    SELECT max(id), 7, 'Roadmap', 1, 1, 'olivia', 0, 0 FROM orgs";

#[test]
fn a_project_with_a_number_that_was_not_given_yet_is_found() {
    let (_, found) = only(&[PROJECT]);
    assert!(found.contains("project 1 has the number 7, but its organization has assigned none above 0"), "{found}");
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
    "INSERT INTO journal_heads (org_id, entry, first_entry, trimmed) SELECT id, 0, 1, 0 FROM orgs WHERE login = 'other'",
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
            "the old slug \"kernel\" redirects to team 1 of another organization",
        ),
        (
            "UPDATE invitation_teams SET team_id = (SELECT id FROM teams WHERE slug = 'away')",
            "invitation 1 includes team 4 of another organization",
        ),
        (
            "INSERT INTO team_groups (team_id, group_id, linked_at)
             SELECT t.id, g.id, 0 FROM teams t CROSS JOIN scim_groups g WHERE t.slug = 'lone'",
            "team 2 follows group 1 of another organization",
        ),
        (
            "INSERT INTO security_managers (org_id, team_id)
             SELECT o.id, t.id FROM orgs o CROSS JOIN teams t WHERE o.login = 'other' AND t.slug = 'lone'",
            "team 2 is a security manager of other, which is not its organization",
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

#[test]
fn a_security_manager_who_is_no_member_is_found() {
    let (_, found) = only(&[
        "INSERT INTO user_security_managers (org_id, user_id)
         SELECT m.org_id, m.user_id FROM org_members m JOIN users u ON u.id = m.user_id WHERE u.login IN ('olivia', 'pat')",
        "UPDATE org_members SET role = 'billing_manager' WHERE user_id = (SELECT id FROM users WHERE login = 'pat')",
    ]);
    assert!(found.starts_with("pat is a security manager of acme, but is not an active member of it"), "{found}");
}

#[test]
fn a_token_with_an_unknown_scope_is_found() {
    let (_, found) = only(&["INSERT INTO tokens (user_id, kind, hash, last_eight, scopes, created_at, updated_at)
         SELECT id, 'personal', journal.hash, '12345678', 'repo, everything', 0, 0 FROM users CROSS JOIN journal
         WHERE users.login = 'tom' AND journal.entry = 1 AND journal.org_id > 0"]);
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
        ("UPDATE boards SET last_number = 1", "team 1 has a discussion whose number was not assigned yet"),
        ("UPDATE discussions SET last_comment = 0", "discussion 1 has a comment whose number was not assigned yet"),
        ("DELETE FROM boards", "belongs to a team that has no discussion board"),
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
            found.len() == 1 && found[0].contains("wrong count") && found[0].ends_with("--mend`"),
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
        "DELETE FROM journal_heads WHERE org_id > 0",
        "UPDATE orgs SET public_repos = 9",
        "UPDATE repos SET private = TRUE",
        "UPDATE repos SET forks_count = 1",
        "DELETE FROM team_tree WHERE depth = 1",
        "UPDATE team_tree SET depth = 5 WHERE depth = 1",
        "INSERT INTO team_tree (ancestor_id, descendant_id, depth) VALUES (2, 1, 1)",
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
fn a_team_that_does_not_have_the_people_of_its_groups_is_found() {
    let store = acme();
    store.follow("lone", "max");
    let missing = store.findings();
    assert!(
        missing[0].starts_with("max is in a group of team 2, but not on the team. To fix it: unlink"),
        "{missing:?}"
    );
    store.tamper(
        "INSERT INTO team_members (team_id, user_id, role) SELECT 2, id, 'member' FROM users WHERE login = 'max'",
    );
    store.mend();
    assert_eq!(store.findings(), Vec::<String>::new());
    store.tamper("UPDATE team_members SET user_id = (SELECT id FROM users WHERE login = 'pat') WHERE team_id = 2");
    let found = store.findings();
    assert!(found.len() == 2 && found[1].starts_with("pat is on team 2, but in none of its groups"), "{found:?}");
    store.tamper("UPDATE orgs SET plan = 'free'");
    assert_eq!(store.findings(), Vec::<String>::new());
}

#[test]
fn a_team_that_follows_groups_and_must_not_is_found() {
    let store = acme();
    store.follow("core", "tom");
    let found = store.findings().join("\n");
    assert!(found.contains("team 1 follows groups, but has the child team 3"), "{found}");
    assert!(found.contains("team 1 follows groups, but invitation 1 includes it"), "{found}");
    assert_eq!(found.lines().count(), 2, "{found}");
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
