//! The owners of an organization that exists change only with `guildhall import --owners` (decision 50).

use super::import::{export, import};
use crate::place::{Place, outcome, refused};
use crate::support::Client;

const BASE: &str = "orgs:
  acme:
    admins: [olivia, pat]
    members: [max]
";

/// A place with an organization, which takes its owners from the file.
fn base() -> Place {
    let place = Place::new();
    let (code, report, err) = outcome(&import(&place, BASE, &[]));
    assert!(code == 0 && report.starts_with("acme: created 1 organization, 3 accounts, 3 members"), "{report}{err}");
    place
}

#[test]
fn decision_50_a_login_that_exists_nowhere_is_never_made_an_owner() {
    let place = base();
    let before = export(&place);
    let typed = BASE.replace("[olivia, pat]", "[olivia, pat, paat]");
    let refusal = import(&place, &typed, &[]);
    refused(
        &refusal,
        1,
        "org.yaml:3: orgs.acme: \"paat\" has no account and would become an owner of the organization (did you mean \"pat\"?). Correct",
    );
    refused(&refusal, 1, "run the import with --owners");
    assert_eq!(export(&place), before);
    refused(&place.run(&["token", "create", "--user", "paat", "--scopes", "repo"]), 1, "paat");
    assert_eq!(outcome(&import(&place, &typed, &["--owners"])).0, 0);
    assert!(export(&place).contains("    admins:\n    - olivia\n    - paat\n    - pat\n"));
}

#[test]
fn decision_50_nobody_gains_or_loses_ownership_without_the_flag() {
    let place = base();
    let before = export(&place);
    let swapped =
        "orgs:\n  acme:\n    admins: [Max, nina]\n    members: [OLIVIA, pat, tom]\n  beta: {admins: [nina]}\n";
    let refusal = import(&place, swapped, &[]);
    for line in [
        "org.yaml:3: orgs.acme: \"Max\" would become an owner of the organization. Correct the file, or run",
        "org.yaml:3: orgs.acme: \"nina\" has no account and would become an owner",
        "org.yaml:4: orgs.acme: \"OLIVIA\" would no longer be an owner of the organization. Correct",
        "org.yaml:4: orgs.acme: \"pat\" would no longer be an owner of the organization. Correct",
    ] {
        refused(&refusal, 1, line);
    }
    assert_eq!(outcome(&refusal).2.lines().count(), 4);
    assert_eq!(export(&place), before);
    refused(&place.run(&["export", "beta"]), 1, "there is no organization beta");
    let (code, report, err) = outcome(&import(&place, swapped, &["--owners"]));
    assert!(code == 0 && report.contains("olivia is now a member") && report.contains("max is now an owner"), "{err}");
    assert!(
        export(&place)
            .contains("    admins:\n    - max\n    - nina\n    members:\n    - olivia\n    - pat\n    - tom\n")
    );
}

#[test]
fn decision_50_owners_that_the_file_leaves_out_or_repeats_are_no_change() {
    let place = base();
    for file in [BASE, "orgs: {acme: {admins: [PAT]}}", "orgs: {acme: {members: [max, tom]}}", "orgs: {acme: {}}"] {
        let (code, report, err) = outcome(&import(&place, file, &[]));
        assert!(code == 0 && !report.contains("owner:"), "{file}\n{report}{err}");
    }
    let lists = "    admins:\n    - olivia\n    - pat\n    members:\n    - max\n    - tom\n";
    assert!(export(&place).contains(lists), "{}", export(&place));
    let bills = "orgs: {acme: {guildhall: {billing_managers: [pat]}}}";
    let (code, report, _) = outcome(&import(&place, bills, &[]));
    assert!(code == 0 && report.contains("skipped: pat remains an owner"), "{report}");
}

#[test]
fn decision_50_a_person_is_invited_as_an_owner_only_with_the_flag() {
    let place = base();
    let file =
        |who: &str| format!("orgs:\n  acme:\n    guildhall:\n      invitations:\n      - {{{who}, role: admin}}\n");
    for who in ["login: nina", "email: nina@example.com"] {
        let before = export(&place);
        let refusal = import(&place, &file(who), &[]);
        refused(&refusal, 1, "org.yaml:5: orgs.acme.guildhall.invitations[0]: \"nina");
        refused(&refusal, 1, "would be invited as an owner of the organization. Correct the file, or run");
        assert_eq!(export(&place), before);
        assert_eq!(outcome(&import(&place, &file(who), &["--owners"])).0, 0);
        let (code, report, _) = outcome(&import(&place, &file(who), &[]));
        assert!(code == 0 && report.starts_with("acme: nothing to change"), "{report}");
    }
    assert_eq!(outcome(&import(&place, &file("login: olivia"), &[])).0, 0, "an owner is not invited");
}

#[test]
fn decision_50_a_former_owner_is_reinstated_only_with_the_flag() {
    let place = base();
    let file =
        |who: &str| format!("orgs:\n  acme:\n    guildhall:\n      invitations:\n      - {{{who}, role: reinstate}}\n");
    assert_eq!(
        outcome(&import(&place, &file("email: una@example.com"), &[])).0,
        0,
        "no one can be made an owner again"
    );
    let token = outcome(&place.run(&["token", "create", "--user", "olivia", "--scopes", "admin:org"])).1;
    let server = place.serve();
    let olivia = Client::new(&server.base, Some(token.trim()));
    olivia.delete("/orgs/acme/memberships/pat").expect(204);
    olivia.delete("/orgs/acme/memberships/max").expect(204);
    for who in ["login: pat", "email: nina@example.com"] {
        refused(&import(&place, &file(who), &[]), 1, "would be invited as an owner of the organization");
        assert_eq!(outcome(&import(&place, &file(who), &["--owners"])).0, 0);
        assert_eq!(outcome(&import(&place, &file(who), &[])).0, 0, "they are invited already");
    }
    assert_eq!(outcome(&import(&place, &file("login: max"), &[])).0, 0, "a former member");
}

#[test]
fn decision_50_an_export_needs_no_flag() {
    let place = base();
    let exported = export(&place);
    let (code, report, _) = outcome(&import(&place, &exported, &[]));
    assert!(code == 0 && report.starts_with("acme: nothing to change"), "{report}");
    assert_eq!(outcome(&import(&Place::new(), &exported, &[])).0, 0);
}
