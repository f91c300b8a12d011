//! At its first start, a release rebuilds the keys that e-mail addresses are compared by (decision 29).

use crate::store::doctor::acme;

#[test]
fn keys_of_addresses_from_before_the_rule_are_renewed_once() {
    let store = acme();
    for sql in [
        "INSERT INTO emails (user_id, email, email_key, is_primary, verified)
         VALUES (1, '\u{d6}@Ex\u{e4}mple.org', '\u{f6}@ex\u{e4}mple.org', TRUE, TRUE),
                (2, 'a@ex\u{e4}mple.org', 'a@ex\u{e4}mple.org', TRUE, TRUE),
                (3, 'A@xn--exmple-cua.org', 'a@xn--exmple-cua.org', TRUE, TRUE)",
        "INSERT INTO invitations (org_id, email, email_key, role, created_at, expires_at)
         VALUES (1, '\u{212a}@x.org', 'k@x.org', 'direct_member', 1, 2)",
        "INSERT INTO scim_users (org_id, user_name, user_key, attributes, created_at, updated_at)
         VALUES (1, 'a', 'a', '{}', 1, 1)",
        "INSERT INTO scim_emails (org_id, email_key, member_id)
         SELECT 1, 'b@ex\u{e4}mple.org', id FROM scim_users",
    ] {
        store.tamper(sql);
    }
    store.renew_email_keys();
    let keys = || {
        [
            store.texts("SELECT email_key FROM emails ORDER BY id"),
            store.texts("SELECT email_key FROM invitations WHERE email_key IS NOT NULL"),
            store.texts("SELECT email_key FROM scim_emails"),
        ]
    };
    // Of two accounts with one e-mail address, the second keeps the key that nothing finds.
    let renewed = [
        vec!["\u{d6}@xn--exmple-cua.org", "a@ex\u{e4}mple.org", "a@xn--exmple-cua.org"],
        vec!["\u{212a}@x.org"],
        vec!["b@xn--exmple-cua.org"],
    ];
    assert_eq!(keys(), renewed);
    store.tamper("UPDATE scim_emails SET email_key = 'old'");
    store.renew_email_keys();
    assert_eq!(keys()[2], ["old"]);
}
