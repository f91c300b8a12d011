//! Stores of older schemas keep their data when this program opens them.

use guildhall::db::{Db, Tx};

use crate::store::doctor::acme;
use crate::support::store::Store;

/// Takes a store back to schema 26: what later migrations made goes, the newest first.
const BACK_TO_SCHEMA_26: &[&str] = &[
    "DROP INDEX orgs_name_text",
    "DROP INDEX orgs_login_text",
    "DROP VIEW searched_orgs",
    "DROP VIEW searched_emails",
    "DROP INDEX emails_text",
    "DROP INDEX users_name_text",
    "DROP INDEX users_login_text",
    "DROP INDEX hooks_failing",
    "DROP INDEX hooks_off",
    "DROP INDEX users_site_admins",
    "DROP INDEX users_suspended",
    "DROP INDEX join_requests_open",
    "ALTER TABLE join_requests DROP COLUMN org_id",
    "DROP INDEX discussions_pinned",
    "ALTER TABLE discussions DROP COLUMN pinned",
    "DROP VIEW searched_people",
    "ALTER TABLE team_repos DROP COLUMN granted_by",
    "ALTER TABLE team_repos DROP COLUMN granted_at",
    "ALTER TABLE repo_collaborators DROP COLUMN granted_by",
    "ALTER TABLE repo_collaborators DROP COLUMN granted_at",
    "DROP TABLE plans",
    "ALTER TABLE team_projects DROP COLUMN granted_by",
    "ALTER TABLE team_projects DROP COLUMN granted_at",
    "ALTER TABLE project_collaborators DROP COLUMN granted_by",
    "ALTER TABLE project_collaborators DROP COLUMN granted_at",
    "ALTER TABLE orgs DROP COLUMN members_can_leave_teams",
    "DROP TABLE join_requests",
    "ALTER TABLE invitation_teams DROP COLUMN expires_at",
    "DROP INDEX team_members_end_mails",
    "DROP INDEX team_members_ends",
    "ALTER TABLE team_members DROP COLUMN end_mail_at",
    "ALTER TABLE team_members DROP COLUMN end_held",
    "ALTER TABLE team_members DROP COLUMN expires_at",
    "DROP TABLE deleted_orgs",
    "DROP VIEW applications_let_in",
    "DROP TABLE application_approvals",
    "ALTER TABLE orgs DROP COLUMN applications_need_approval",
    "DROP TABLE devices",
    "DROP INDEX tokens_application",
    "ALTER TABLE tokens DROP COLUMN application_id",
    "DROP TABLE used_codes",
    "DROP TABLE consents",
    "DROP TABLE redirect_uris",
    "DROP TABLE application_secrets",
    "DROP TABLE applications",
    "DROP TABLE provider_visits",
    "DROP TABLE provider_ties",
    "DROP INDEX sessions_made_by",
    "DROP INDEX sessions_own",
    "ALTER TABLE sessions DROP COLUMN own_id",
    "ALTER TABLE sessions DROP COLUMN made_by",
    "DROP INDEX scim_emails_key",
    "DROP TABLE mail_counts",
    "ALTER TABLE users DROP COLUMN public_email",
    "ALTER TABLE emails DROP COLUMN generation",
    "DELETE FROM migrations WHERE number >= 27",
];

/// Takes a store from schema 26 back to schema 7.
const BACK_TO_SCHEMA_7: &[&str] = &[
    "DROP TABLE sign_ins",
    "DROP TABLE known_browsers",
    "DROP TABLE sessions",
    "ALTER TABLE users DROP COLUMN suspended_at",
    "DROP INDEX managed_accounts_left_by",
    "ALTER TABLE managed_accounts DROP COLUMN left_by",
    "DROP INDEX comments_of_people",
    "DROP INDEX repos_private",
    "DROP VIEW searched_repos",
    "DROP VIEW reading_teams",
    "DROP INDEX discussions_editor",
    "DROP INDEX comments_editor",
    "ALTER TABLE discussions DROP COLUMN editor_id",
    "ALTER TABLE comments DROP COLUMN editor_id",
    "DROP TABLE security_managers",
    "DROP TABLE user_security_managers",
    "DROP TABLE deliveries",
    "DROP TABLE delivery_attempts",
    "DROP TABLE delivery_events",
    "DROP TABLE delivery_cursors",
    "DROP TABLE delivery_leases",
    "ALTER TABLE orgs DROP COLUMN audit_shows_addresses",
    "ALTER TABLE repos DROP COLUMN settings",
    "ALTER TABLE teams ADD COLUMN members_count BIGINT NOT NULL DEFAULT 0",
    "ALTER TABLE teams ADD COLUMN repos_count BIGINT NOT NULL DEFAULT 0",
    "UPDATE teams SET members_count = (SELECT n.members FROM team_counts n WHERE n.team_id = teams.id),
                      repos_count = (SELECT n.repos FROM team_counts n WHERE n.team_id = teams.id)",
    "DROP TABLE team_counts",
    "ALTER TABLE orgs ADD COLUMN version BIGINT NOT NULL DEFAULT 0",
    "CREATE TABLE audit AS SELECT org_id, entry, at, action, actor_id, actor_login, impersonator_login AS behind_login,
                                  token_id, request_id, before, after, hash FROM journal WHERE entry = 0",
    "CREATE TABLE changes (org_id BIGINT)",
    "CREATE TABLE outbox (org_id BIGINT)",
    "DROP TABLE journal",
    "DROP TABLE journal_facts",
    "DROP TABLE journal_heads",
    "DROP TABLE hooks",
    "DROP TABLE notices",
    "DROP TABLE subscriptions",
    "DROP TABLE mail_settings",
    "ALTER TABLE invitations DROP COLUMN generation",
    "ALTER TABLE invitations DROP COLUMN reminded_at",
    "ALTER TABLE tokens DROP COLUMN effective_teams",
    "ALTER TABLE repos DROP COLUMN vulnerability_alerts",
    "ALTER TABLE orgs DROP COLUMN members_can_create_public_repositories",
    "ALTER TABLE orgs DROP COLUMN members_can_create_private_repositories",
    "ALTER TABLE orgs DROP COLUMN members_can_fork_private_repositories",
    "ALTER TABLE orgs DROP COLUMN switches",
    "ALTER TABLE teams DROP COLUMN review_enabled",
    "ALTER TABLE teams DROP COLUMN review_algorithm",
    "ALTER TABLE teams DROP COLUMN review_members",
    "ALTER TABLE teams DROP COLUMN review_notify",
    "DELETE FROM migrations WHERE number >= 8",
];

/// Runs these statements on a store, and opens it with this program, which brings it to the newest schema.
fn brought_on(store: &Store, statements: &'static [&'static [&'static str]]) {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let back = |tx: &mut Tx<'_>| statements.iter().copied().flatten().try_for_each(|sql| tx.run(sql, &[]).map(drop));
    runtime.block_on(store.db.write(back)).expect("an older store");
    drop(runtime.block_on(Db::open(store.address())).expect("a store that is brought on"));
}

const COUNTS: &str = "
    SELECT t.slug, c.members, c.repos FROM teams t JOIN team_counts c ON c.team_id = t.id ORDER BY t.slug";

#[test]
fn a_store_of_an_older_schema_keeps_its_counts() {
    let store = acme();
    let counts: Vec<(String, i64, i64)> = store.rows(COUNTS);
    brought_on(&store, &[BACK_TO_SCHEMA_26, BACK_TO_SCHEMA_7]);
    assert_eq!(store.rows::<(String, i64, i64)>(COUNTS), counts);
    assert_eq!(counts[0], ("core".to_owned(), 1, 1));
    assert_eq!(store.findings(), Vec::<String>::new());
}

/// At schema 26, Olivia's primary address is one that she has not verified.
const UNVERIFIED: &[&str] = &[
    "UPDATE emails SET is_primary = FALSE",
    "INSERT INTO emails (user_id, email, email_key, is_primary, verified)
     SELECT id, 'free@example.org', 'free@example.org', TRUE, FALSE FROM users WHERE login = 'olivia'
     UNION ALL SELECT id, 'mine@example.org', 'mine@example.org', FALSE, TRUE FROM users WHERE login = 'olivia'",
];

#[test]
fn decision_72_an_unverified_address_of_an_older_schema_is_free() {
    let store = acme();
    brought_on(&store, &[BACK_TO_SCHEMA_26, UNVERIFIED]);
    let left = store.rows::<(String, Option<String>, bool)>(
        "SELECT e.email, e.email_key, e.is_primary FROM emails e JOIN users u ON u.id = e.user_id
         WHERE u.login = 'olivia' AND e.email IN ('free@example.org', 'mine@example.org') ORDER BY e.id",
    );
    let mine = Some("mine@example.org".to_owned());
    assert_eq!(left[0], ("free@example.org".to_owned(), None, false));
    assert_eq!((&left[1].0, &left[1].1), (&"mine@example.org".to_owned(), &mine));
    let primary = "SELECT count(*) FROM emails e JOIN users u ON u.id = e.user_id WHERE u.login = 'olivia' AND e.is_primary = TRUE";
    assert_eq!(store.rows::<(i64,)>(primary), [(1,)]);
    assert_eq!(store.findings(), Vec::<String>::new());
}
