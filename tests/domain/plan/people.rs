//! Plans of people: roles, invitations and accounts, and the flags that they need.

use guildhall::plan::Flags;

use super::{ALL, KEEPING, left, lines, planned};
use crate::support::store::{Store, refusal};

const BASE: &str = "admins: [olivia]\nmembers: [max, tom]\nteams: {Core: {maintainers: [max], members: [tom]}}";

fn base() -> Store {
    let store = Store::new();
    store.acme(BASE);
    store
}

#[test]
fn decision_74_ownership_accounts_invitations_and_removals_need_their_flags() {
    let store = base();
    let file = "admins: [max, zoe]\nmembers: [olivia]\nteams: {Core: {members: [max, nina]}}";
    let plan = planned(&store, file, Flags::default());
    assert_eq!(
        lines(&plan),
        [
            "+ account zoe (--create-accounts)",
            "+ account nina (--create-accounts)",
            "+ member zoe: admin (--owners)",
            "~ member max: member -> admin (--owners)",
            "~ member olivia: admin -> member (--owners)",
            "+ invitation nina: direct_member (--invite)",
            "+ team_member Core/nina: member",
        ]
    );
    assert_eq!(left(&plan), ["member tom", "team_member Core/tom"]);
    let plan = planned(&store, file, ALL);
    assert!(plan.changes.iter().all(|change| change.blocked_by.is_none()), "{:#?}", lines(&plan));
    assert_eq!(lines(&plan).last().unwrap(), "- member tom: member");
    assert_eq!(left(&plan), Vec::<String>::new());
    let plan = planned(&store, "admins: [max]", Flags { prune: true, ..Flags::default() });
    assert_eq!(lines(&plan), ["~ member max: member -> admin (--owners)", "- member olivia: admin (--owners)"]);
}

#[test]
fn decision_74_owners_compare_as_maintainers_and_pending_memberships_as_active_ones() {
    let store = base();
    store.acme("teams: {Core: {members: [olivia, nina]}, Docs: {privacy: closed, members: [nina]}}");
    let file = "admins: [olivia]\nmembers: [max, tom]\nteams:\n  Core: {maintainers: [max, olivia], members: [tom, nina]}\n  \
                Docs: {maintainers: [nina]}";
    assert_eq!(lines(&planned(&store, file, ALL)), ["~ team_member Docs/nina: member -> maintainer"]);
    // The invitation is a list of its own, which the file does not have.
    let plan = planned(&store, BASE, ALL);
    assert_eq!(lines(&plan), ["- team_member Core/olivia: member", "- team_member Core/nina: member", "- team Docs"]);
    assert_eq!(left(&plan), ["invitation nina"]);
    let pruned = planned(&store, &format!("{BASE}\nguildhall: {{invitations: []}}"), ALL);
    assert_eq!(
        lines(&pruned),
        ["- team_member Core/olivia: member", "- invitation nina: direct_member", "- team Docs"]
    );
}

#[test]
fn decision_74_a_person_whom_a_pruned_file_keeps_on_a_team_is_refused_by_line() {
    let store = base();
    let file = super::acme(&store, "members: [max]\nteams: {Core: {members: [tom]}}");
    let refused = refusal(store.plan(std::slice::from_ref(&file), ALL));
    assert!(refused.contains("planned.yaml:4: orgs.acme.teams.Core: \"tom\" is on this team"), "{refused}");
    assert_eq!(store.plan(&[file], KEEPING).unwrap()[0].changes.len(), 0);
}

#[test]
fn decision_74_a_list_that_is_absent_is_left_alone_and_an_empty_one_means_none() {
    let store = base();
    store.acme(
        "repos: {web: {collaborators: {ray: read}}}\nteams: {Core: {repos: {web: read}}}\n\
         guildhall: {public_members: [], security_managers: [], projects: {1: {name: A, creator: max}}}",
    );
    store.acme(
        "admins: [olivia]\nguildhall: {public_members: [olivia], security_managers: [olivia], billing_managers: [bea]}",
    );
    assert_eq!(lines(&planned(&store, "name: Acme", ALL)), ["~ setting name: null -> Acme"]);
    assert_eq!(lines(&planned(&store, "teams: {Core: {}}", ALL)), Vec::<String>::new());
    let empty = |text: &str, expected: &[&str]| assert_eq!(lines(&planned(&store, text, ALL)), expected, "{text}");
    empty("teams: {Core: {members: []}}", &["- team_member Core/tom: member"]);
    empty("teams: {Core: {maintainers: []}}", &["- team_member Core/max: maintainer"]);
    empty("teams: {Core: {repos: {}}}", &["- grant Core/web: read"]);
    empty("repos: {web: {collaborators: {}}}", &["- collaborator web/ray: read"]);
    empty("repos: {}", &[]);
    empty("teams: {}", &["- team Core"]);
    empty("members: []", &["- member tom: member", "- member max: member"]);
    let admins = "admins: [olivia]\nguildhall:";
    empty(&format!("{admins} {{public_members: []}}"), &["- public_member olivia: true"]);
    empty(&format!("{admins} {{security_managers: []}}"), &["- security_manager olivia: true"]);
    empty(&format!("{admins} {{billing_managers: []}}"), &["- member bea: billing_manager"]);
}

#[test]
fn decision_74_suspended_people_and_members_of_synchronized_teams_are_skipped() {
    let store = base();
    store.follow("core", "tom");
    store.tamper("UPDATE users SET suspended = TRUE WHERE login = 'max'");
    store.acme("teams: {Docs: {}}");
    let file = "teams: {Core: {members: [olivia]}, Docs: {members: [max, tom]}}";
    let plan = planned(&store, file, ALL);
    assert_eq!(lines(&plan), ["+ team_member Docs/tom: member"]);
    assert_eq!(
        plan.skipped,
        [
            "team \"Core\" follows an identity provider, which manages its members",
            "max is suspended and cannot be added to team \"Docs\"",
        ]
    );
}
