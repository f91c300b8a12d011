//! Exporting and importing again: the same bytes, the same state, and nothing to change where it came from
//! (decision 50).

mod round_trip;
mod texts;

use crate::support::store::{Store, refusal};
use round_trip::round_trip;

/// An organization with everything that an organization can have.
pub const RICH: &str = r##"
name: "Acme: & Söhne"
description: "two\nlines "
company: ACME
blog: https://acme.example
location: "yes"
email: info@acme.example
twitter_username: acme
billing_email: bills@acme.example
default_repository_permission: none
members_can_create_public_repositories: false
members_can_fork_private_repositories: true
members_can_create_pages: false
web_commit_signoff_required: true
advanced_security_enabled_for_new_repositories: true
has_organization_projects: true
has_repository_projects: false
admins: [Olivia, zoe]
members: [max, Tom, "007", "null"]
repos:
  web: {description: "", homepage: "http://x y", private: true, archived: true, default_branch: trunk,
        has_issues: false, has_projects: false, has_wiki: false, previously: [site, Home],
        collaborators: {ray: triage, Tom: admin}, guildhall: {is_template: true, vulnerability_alerts: true}, allow_squash_merge: false,
        has_downloads: false, allow_forking: false, squash_merge_commit_message: BLANK, topics: ["007", rust]}
  .github: {}
  "1e3": {description: "# no comment"}
teams:
  Core:
    description: " leading, and a tab\tinside"
    privacy: closed
    previously: [Kernel, Old Core]
    maintainers: [max, zoe]
    members: [Tom, nina]
    repos: {web: maintain, "1e3": read}
    guildhall: {permission: push, notification_setting: notifications_disabled, security_manager: true, projects: {2: write, 7: read},
                review_request_delegation: {enabled: true, algorithm: load_balance, member_count: 3, notify_team: false}}
    teams:
      "yes": {members: ["null", bea], teams: {"- a: b #c": {description: ""}}}
      "<<": {}
  "Zwölf 😀\u2028": {privacy: secret, members: [Olivia], guildhall: {projects: {7: admin}}}
  ★: {privacy: closed, members: [ray]}
guildhall:
  members_can_create_teams: false
  members_can_leave_teams: true
  audit_shows_addresses: true
  billing_managers: [bea]
  public_members: [Olivia, "007"]
  security_managers: ["007", zoe]
  projects:
    2: {name: Roadmap, body: "a\nb", state: closed, organization_permission: none, private: false, creator: max,
        collaborators: {ray: admin, "007": read}}
    7: {name: Roadmap, creator: gone}
  invitations:
  - {login: nina, role: admin}
  - {login: bea}
  - {login: ulla, email: ulla@example.org}
  - {login: hank, role: hiring_manager}
  - {email: Una@Example.org, role: reinstate, teams: {Core: maintainer, "yes": member}}
"##;

#[test]
fn every_sample_goes_round() {
    let store = Store::new();
    store.import(&crate::support::samples::peribolos()).unwrap_or_else(|error| panic!("{error}"));
    round_trip(&store);
}

#[test]
fn an_organization_with_everything_goes_round() {
    let store = Store::new();
    let report = store.acme(RICH);
    assert_eq!(report.orgs[0].invited.len(), 6, "Ray is in a team and invited: {report}");
    assert_eq!(store.findings(), Vec::<String>::new());
    let text = round_trip(&store).remove(0);
    for line in [
        "    location: \"yes\"",
        "        description: \" leading, and a tab\\tinside\"",
        "          \"yes\":",
        "          \"<<\":",
        "      - email: Una@Example.org",
        "    members_can_create_public_repositories: false",
        "    members_can_create_private_repositories: true",
        "    members_can_fork_private_repositories: true",
        "    members_can_create_pages: false",
        "    web_commit_signoff_required: true",
        "        allow_forking: false",
        "          vulnerability_alerts: true",
        "          security_manager: true",
        "      security_managers:\n      - \"007\"\n      - zoe",
    ] {
        assert!(text.contains(&format!("{line}\n")), "{line} is not in\n{text}");
    }
}

#[test]
fn members_who_may_create_nothing_go_round() {
    let store = Store::new();
    store.acme("admins: [olivia]\nmembers_can_create_repositories: false");
    let text = round_trip(&store).remove(0);
    assert!(text.contains("    members_can_create_repositories: false\n"), "{text}");
    store.acme("members_allowed_repository_creation_type: private");
    let text = round_trip(&store).remove(0);
    assert!(text.contains("    members_can_create_public_repositories: false\n"), "{text}");
}

#[test]
fn what_a_file_cannot_say_is_named() {
    let store = Store::new();
    store.acme("admins: [olivia]\nteams: {Quiet: {}, ★: {}, Core: {}}\nguildhall: {projects: {1: {name: A}}}");
    store.follow("quiet", "olivia");
    store.tamper("UPDATE projects SET creator_id = 999");
    store.tamper(
        "INSERT INTO repos (user_id, name, name_key, created_at, updated_at) SELECT id, 'F', 'f', 0, 0 FROM users",
    );
    store.tamper("INSERT INTO team_repos (team_id, repo_id, level) SELECT t.id, r.id, 1 FROM teams t, repos r");
    let (_, left_out) = store.export("ACME").expect("an export");
    let fork = "the grant of a team on olivia/F, which belongs to another owner";
    assert_eq!(
        left_out,
        [
            "the plan enterprise, which a site administrator sets",
            "who created project 1, whose account is gone",
            fork,
            fork,
            fork,
            "that team Quiet follows groups of an identity provider",
        ]
    );
}

#[test]
fn what_cannot_be_exported_says_what_to_do() {
    let store = Store::new();
    let none =
        "there is no organization acme: this database has none; select another one with --data-dir or --database";
    assert_eq!(refusal(store.export("acme")), none);
    store.acme("admins: [olivia]\nteams: {★: {}, ☆: {}}");
    let person = refusal(store.export("Olivia"));
    assert!(
        person.starts_with("Olivia is a person, not an organization: use one of acme, or select another"),
        "{person}"
    );
    store.tamper("UPDATE teams SET name = '★'");
    let twice = refusal(store.export("acme"));
    assert!(twice.starts_with("two teams are called ★, and a file identifies teams by name"), "{twice}");
}

#[test]
fn teams_are_nested_as_deep_as_a_file_can_be() {
    let nested = (1..=30).rev().fold(String::new(), |inner, level| format!("teams: {{T{level}: {{{inner}}}}}"));
    let store = Store::new();
    store.acme(&format!("admins: [olivia]\n{nested}"));
    round_trip(&store);
    store.acme("teams: {Deeper: {privacy: closed}}");
    store.tamper("UPDATE teams SET parent_id = (SELECT p.id FROM teams p WHERE p.slug = 't30') WHERE slug = 'deeper'");
    let refused = refusal(store.export("acme"));
    assert!(
        refused.starts_with("team Deeper is on level 31, but a file has at most 30: move it further up"),
        "{refused}"
    );
}

#[test]
fn former_slugs_that_lead_nowhere_any_more_are_not_exported() {
    let mut store = Store::new();
    store.acme("admins: [olivia]\nteams: {Core: {previously: [Kernel]}}");
    let has = |store: &Store| store.export("acme").expect("an export").0.contains("kernel");
    assert!(has(&store));
    store.advance(91 * 24 * 3_600);
    assert!(!has(&store));
}
