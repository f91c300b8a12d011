//! The announcements of an import: the accounts that it makes, and nothing but the organization if that is new
//! (decision 50).

use crate::support::store::Store;

/// A webhook of the site. Without one, no facts of events are stored.
const HOOK: &str = "
    INSERT INTO hooks (org_id, active, url, content_type, insecure_ssl, events, after_entry, created_at, updated_at)
    VALUES (0, TRUE, 'https://hooks.example.com/', 'json', FALSE, '*', 0, 0, 0)";

#[test]
fn decision_50_the_first_load_announces_the_organization_alone() {
    let store = Store::new();
    store.tamper(HOOK);
    let invited = "admins: [olivia]\nmembers: [max]\nteams: {Core: {members: [max], repos: {web: write}}}\n\
                   repos: {web: {}}\nguildhall: {invitations: [{login: nina}, {email: una@example.org}]}";
    store.acme(invited);
    let events = "SELECT event FROM journal_facts ORDER BY org_id, entry";
    // Webhooks get nothing for the second one.
    assert_eq!(store.texts(events), ["organization.created", "organization.imported"]);
    let entries = "SELECT action || ' ' || after FROM journal WHERE org_id > 0 AND action IS NOT NULL ORDER BY entry";
    let entries = store.texts(entries);
    assert_eq!(entries.len(), 1, "{entries:?}");
    assert!(entries[0].starts_with("org.import ") && entries[0].contains(r#""invitations":2"#), "{entries:?}");
    store.acme("guildhall: {invitations: [{email: zoe@example.org}]}");
    let told = "SELECT event FROM journal_facts WHERE event = 'organization.member_invited'";
    assert_eq!(store.texts(told).len(), 1, "an invitation to an existing organization is announced");
    assert_eq!(store.texts("SELECT action FROM journal WHERE action = 'org.import' AND org_id > 0").len(), 1);
    assert_eq!(store.findings(), Vec::<String>::new());
}

#[test]
fn decision_50_each_account_that_a_later_import_makes_is_announced() {
    let store = Store::new();
    store.acme("admins: [olivia]\nmembers: [pat]");
    store.tamper(HOOK);
    store.acme("members: [pat, quinn, rosa]");
    let announced = "SELECT j.action || ' ' || f.event || ' ' || j.after FROM journal j
                     JOIN journal_facts f ON f.org_id = j.org_id AND f.entry = j.entry WHERE j.org_id = 0 ORDER BY j.entry";
    let announced = store.texts(announced);
    assert_eq!(announced.len(), 2, "{announced:?}");
    for (login, entry) in ["quinn", "rosa"].iter().zip(&announced) {
        assert!(entry.starts_with("user.create user.created {"), "{entry}");
        assert!(entry.contains(&format!(r#""login":"{login}","suspended":false"#)), "{entry}");
    }
    assert_eq!(store.findings(), Vec::<String>::new());
}
