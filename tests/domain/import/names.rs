//! Importing teams whose names give no slug, and names that cannot be shown (decision 9).

use crate::support::store::{Store, refusal};

fn healthy(store: &Store) {
    assert_eq!(store.findings(), Vec::<String>::new());
}

#[test]
fn decision_9_a_name_without_a_slug_gets_one_and_is_found_again() {
    let store = Store::new();
    let lines = "admins: [olivia]\nteams: {日本: {teams: {中国: {members: [olivia]}}}, 韓国: {}}";
    store.acme(lines);
    assert_eq!(store.texts("SELECT slug FROM teams ORDER BY id"), ["team-1", "team-2", "team-3"].map(str::to_owned));
    let before = store.state();
    assert!(!store.acme(lines).orgs[0].has_changes());
    assert_eq!(store.state(), before);
    let clash = refusal(store.try_acme("teams: {Team 2: {}}"));
    assert!(clash.contains("orgs.acme.teams.Team 2: the slug of this team belongs to team"), "{clash}");
    healthy(&store);
}

#[test]
fn decision_9_a_name_without_a_slug_passes_over_an_id_whose_slug_is_taken() {
    let store = Store::new();
    store.acme("admins: [olivia]\nteams: {Team 2: {}, 核心: {}, 日本: {teams: {Team 4: {}, 中国: {}}}}");
    let teams: Vec<(i64, String, String)> = store.rows("SELECT id, name, slug FROM teams ORDER BY id");
    assert_eq!(teams.len(), 5);
    for (id, name, slug) in &teams {
        assert!(name.is_ascii() || *slug == format!("team-{id}"), "{name} has {slug}");
    }
    assert_eq!(store.acme("admins: [olivia]\nteams: {核心: {}, 日本: {}}").orgs[0].changed, Vec::<String>::new());
    healthy(&store);
}

#[test]
fn decision_9_a_rename_to_a_taken_fall_back_slug_is_refused() {
    let store = Store::new();
    store.acme("admins: [olivia]\nteams: {Mine: {}, Team 1: {}}");
    let message = refusal(store.try_acme("admins: [olivia]\nteams: {核心: {previously: [Mine]}}"));
    assert!(message.contains("gets the slug \"team-1\", which another team has or had"), "{message}");
    assert_eq!(store.texts("SELECT slug FROM teams ORDER BY slug"), ["mine", "team-1"]);
}

#[test]
fn decision_9_a_name_that_cannot_be_shown_is_refused_with_its_place() {
    let store = Store::new();
    for (name, shown) in
        [("Co\\u200bre", "Co\\u{200b}re"), ("Co\\tre", "Co\\tre"), ("Co\\nre", "Co\\nre"), ("Co\\0re", "Co\\0re")]
    {
        let message = refusal(store.try_acme(&format!("admins: [olivia]\nteams:\n  \"{name}\": {{}}")));
        assert!(message.contains(&format!("the name \"{shown}\" contains characters that cannot")), "{message}");
        assert!(message.contains(":5"), "{message}");
    }
    assert_eq!(store.rows::<(i64,)>("SELECT count(*) FROM teams"), [(0,)]);
    store.acme("admins: [olivia]\nteams: {\"👩‍💻 Coders\": {}}");
}
