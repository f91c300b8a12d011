//! Accounts that an import makes are announced (decision 50).

use crate::support::store::Store;

/// A webhook of the site. Without one, no facts of events are stored.
const HOOK: &str = "
    INSERT INTO hooks (org_id, active, url, content_type, insecure_ssl, events, after_entry, created_at, updated_at)
    VALUES (0, TRUE, 'https://hooks.example.com/', 'json', FALSE, '*', 0, 0, 0)";

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
