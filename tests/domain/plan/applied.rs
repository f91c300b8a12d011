//! Applying plans: each change through the function of its operation, and nothing left to do (decision 74).

use std::collections::BTreeMap;

use guildhall::plan::Flags;
use guildhall::plan::apply::{Applying, Guards, Outcome};

use guildhall::db::{Db, Lock};
use guildhall::journal;

use super::{ALL, KEEPING, acme, lines, planned, told};
use crate::exported::RICH;
use crate::support::database::{self, Database};
use crate::support::store::{Store, refusal};

const FREE: Guards = Guards { max_removals: 100, min_owners: 1 };

/// Applies these lines below the login of `acme`, and checks that nothing is to do afterwards.
fn apply(store: &Store, text: &str, flags: Flags) -> Vec<String> {
    let file = acme(store, text);
    let before = planned(store, text, flags);
    let done = store.apply(&file, flags, FREE).unwrap_or_else(|error| panic!("{error}\n{:#?}", lines(&before)));
    assert_eq!(done, Outcome::Done(before.clone()));
    assert_eq!(lines(&planned(store, text, flags)), Vec::<String>::new(), "{:#?}", lines(&before));
    assert_eq!(store.findings(), Vec::<String>::new(), "{text}");
    lines(&before)
}

/// The actions of the audit log since an entry, with their numbers.
fn actions(store: &Store, since: i64) -> BTreeMap<String, usize> {
    let entries = store.rows::<(i64, String)>(
        "SELECT entry, action FROM journal WHERE action IS NOT NULL AND org_id > 0 ORDER BY entry",
    );
    entries.into_iter().filter(|(entry, _)| *entry > since).fold(BTreeMap::new(), |mut actions, (_, action)| {
        *actions.entry(action).or_default() += 1;
        actions
    })
}

fn newest(store: &Store) -> i64 {
    store.rows::<(i64,)>("SELECT max(entry) FROM journal_heads WHERE org_id > 0")[0].0
}

const BASE: &str = "admins: [olivia, zoe]\nmembers: [max, tom]\nrepos: {web: {collaborators: {ray: read}}, old: {}}\n\
                    teams:\n  Core: {maintainers: [max], members: [tom], repos: {web: read}, teams: {Leaf: {members: [tom]}}}\n  \
                    Docs: {members: [tom]}\n\
                    guildhall: {projects: {1: {name: A, collaborators: {tom: read}}}}";

#[test]
fn decision_74_each_change_leaves_the_entry_of_the_operation_that_would_make_it() {
    let store = Store::new();
    store.acme(BASE);
    let since = newest(&store);
    let edited = "name: Acme\nadmins: [olivia, max]\nmembers: [zoe, nina]\n\
                  repos: {web: {private: true, archived: true, collaborators: {ray: write}}, new: {previously: [old]}, more: {topics: [a]}}\n\
                  teams:\n  Kern: {previously: [Core], description: New, maintainers: [nina], members: [max], repos: {web: admin, more: read}}\n  \
                  Docs: {privacy: closed, members: [], guildhall: {security_manager: true, projects: {2: write}}, \
                  teams: {Leaf: {}, Fresh: {members: [zoe, eve]}}}\n\
                  guildhall: {projects: {1: {name: B, collaborators: {}}, 2: {name: C, creator: max}}, public_members: [max], \
                  security_managers: [zoe], invitations: [{login: eve, role: direct_member}]}";
    let done = apply(&store, edited, ALL);
    assert!(done.len() > 25, "{done:#?}");
    let expected = BTreeMap::from(
        [
            ("org.update", 1),
            ("org.add_member", 1),
            ("org.update_member", 3),
            ("repo.create", 1),
            ("repo.rename", 1),
            ("repo.access", 1),
            ("repo.archived", 1),
            ("repo.update_member", 1),
            ("project.create", 1),
            ("project.update", 1),
            ("team.create", 1),
            ("team.rename", 1),
            ("team.update", 1),
            ("team.change_privacy", 1),
            ("team.change_parent_team", 1),
            ("org.invite_member", 1),
            ("org.update_invitation", 1),
            ("team.add_member", 2),
            ("team.remove_member", 3),
            ("team.add_repository", 1),
            ("team.update_repository_permission", 1),
            ("team.add_project", 1),
            ("organization_role.assign", 2),
            ("org.remove_member", 1),
        ]
        .map(|(action, number)| (action.to_owned(), number)),
    );
    let mut found = actions(&store, since);
    for (action, number) in expected {
        assert_eq!(found.remove(&action).unwrap_or(0), number, "{action} in {:#?}", actions(&store, since));
    }
    assert_eq!(found, BTreeMap::new());
    let requests = store.texts("SELECT DISTINCT request_id FROM journal WHERE request_id LIKE 'apply-%'");
    assert!(requests.len() == 1 && requests[0].ends_with("/planned.yaml"), "{requests:?}");
}

#[test]
fn decision_74_an_organization_with_everything_is_made_from_one_that_has_nothing_and_back() {
    let store = Store::new();
    store.acme("admins: [Olivia, zoe]");
    apply(&store, RICH, KEEPING);
    let (text, _) = store.export("acme").unwrap();
    let other = Store::new();
    other.acme(RICH);
    assert_eq!(text, other.export("acme").unwrap().0);
    let nothing = "admins: [Olivia, zoe]\nmembers: []\nrepos: {}\nteams: {}\n\
                   guildhall: {billing_managers: [], projects: {}, invitations: [], public_members: [], security_managers: []}";
    apply(&store, nothing, ALL);
    assert_eq!(store.texts("SELECT name FROM teams"), Vec::<String>::new());
    // Repositories and projects are never removed.
    assert_eq!(store.texts("SELECT name FROM repos"), other.texts("SELECT name FROM repos"));
}

#[test]
fn decision_74_a_plan_that_lacks_a_flag_or_goes_too_far_changes_nothing() {
    let store = Store::new();
    store.acme(BASE);
    let before = store.state();
    let refused = |text: &str, flags, guards| {
        let message = refusal(store.apply(&acme(&store, text), flags, guards));
        assert_eq!(store.state(), before, "{text}");
        message
    };
    let none = Flags::default();
    assert!(refused("name: A\nadmins: [max]", none, FREE).starts_with("max: the change needs --owners"));
    assert!(refused("teams: {Core: {members: [nina]}}", none, FREE).contains("--create-accounts"));
    let few = Guards { max_removals: 25, min_owners: 1 };
    assert!(refused("teams: {}", ALL, few).starts_with("5 of 10 memberships and grants would go"));
    let ownerless = refusal(store.plan(&[acme(&store, "admins: []")], ALL));
    assert!(
        ownerless.ends_with(":2: orgs.acme: the organization would have no active owner; add one to \"admins\""),
        "{ownerless}"
    );
    let demoted = refusal(store.plan(&[acme(&store, "admins: []\nmembers:\n- olivia\n- zoe")], ALL));
    assert!(
        demoted.contains(":5: orgs.acme: \"olivia\" would no longer be an owner, and the organization"),
        "{demoted}"
    );
    assert!(refused("admins: [olivia]", ALL, Guards { min_owners: 2, ..FREE }).starts_with("1 owners would stay"));
    let mut other = planned(&store, "name: A", none);
    other.changes.clear();
    let differs = store.apply_planned(&acme(&store, "name: A"), none, FREE, &other.changes).unwrap();
    assert!(matches!(differs, Outcome::Differs(_)));
    assert_eq!(store.state(), before);
}

#[test]
fn decision_74_people_who_are_invited_join_with_their_teams_and_collaborators_keep_their_levels() {
    let store = Store::new();
    store.acme(BASE);
    store.acme("teams: {Docs: {maintainers: [nina]}}");
    let joined = format!("{}\nname: A", BASE.replace("[max, tom]", "[max, tom, nina]"));
    assert_eq!(apply(&store, &joined, KEEPING), ["~ setting name: null -> A", "+ member nina: member"]);
    assert_eq!(store.texts("SELECT role FROM team_members WHERE role = 'maintainer'").len(), 2);
    let converted =
        "members: [max]\nrepos: {web: {collaborators: {tom: write}}}\nteams: {Core: {members: []}, Docs: {}}";
    let done = apply(&store, converted, ALL);
    assert!(done.contains(&"- member tom: member -> outside_collaborator".to_owned()), "{done:#?}");
    assert_eq!(store.texts("SELECT u.login FROM repo_collaborators c JOIN users u ON u.id = c.user_id"), ["tom"]);
}

#[test]
fn decision_74_an_apply_blocks_no_write_of_another_organization_on_postgresql() {
    if !Database::is_postgres() {
        return;
    }
    let store = Store::new();
    store.acme(BASE);
    store.import(&[store.file("beta.yaml", "orgs: {beta: {admins: [bea]}}")]).unwrap();
    let beta = store.rows::<(i64,)>("SELECT id FROM orgs WHERE login = 'beta'")[0].0;
    let (file, address) = (acme(&store, "name: A\nteams: {Core: {members: [zoe]}}"), store.address().clone());
    let plan = store.plan(std::slice::from_ref(&file), KEEPING).unwrap().remove(0);
    // The apply waits for the write beside it, which would wait for a lock of the apply until it gave up.
    let beside = move || {
        let address = address.clone();
        let other_node = std::thread::spawn(move || {
            let runtime = tokio::runtime::Runtime::new().unwrap();
            let db = runtime.block_on(Db::open_with(&address, database::options())).unwrap();
            runtime.block_on(db.write(move |tx| {
                journal::lock(tx, &[Lock::Journal(beta)])?;
                tx.forget_found();
                tx.run("UPDATE orgs SET name = 'Beside' WHERE id = $1", &[&beta])
            }))
        });
        assert_eq!(other_node.join().unwrap().unwrap(), 1);
    };
    let done = store.apply_beside(&file, KEEPING, FREE, &plan.changes, beside).unwrap();
    assert_eq!(done, Outcome::Done(plan));
    assert_eq!(store.texts("SELECT name FROM orgs ORDER BY id"), ["A", "Beside"]);
}

#[test]
fn decision_74_people_whom_an_apply_invites_get_an_e_mail_only_if_asked() {
    for mails in [false, true] {
        let store = Store::new();
        store.acme(BASE);
        let since = told::begin(&store);
        let text = "admins: [olivia, zoe]\nteams: {Core: {members: [nina]}}\nguildhall: {invitations: [{email: una@example.org}]}";
        let (file, plan) = (acme(&store, text), planned(&store, text, KEEPING));
        let applying = Applying { flags: KEEPING, guards: FREE, mails };
        assert_eq!(store.apply_as(&file, applying, &plan.changes, || {}).unwrap(), Outcome::Done(plan.clone()));
        told::is_told(&store, &since, &plan);
        let invited = store.texts("SELECT facts FROM journal_facts WHERE event = 'organization.member_invited'");
        let mail = format!("\"mail\":{mails}");
        assert!(invited.len() == 2 && invited.iter().all(|facts| facts.contains(&mail)), "{invited:?}");
        let mailed = store.texts("SELECT role FROM invitations WHERE mailed_at IS NOT NULL");
        assert_eq!(mailed.len(), if mails { 2 } else { 0 });
        let inviters = "SELECT u.login FROM invitations i JOIN users u ON u.id = i.inviter_id";
        assert_eq!(store.texts(inviters), ["olivia", "olivia"]);
    }
}

#[test]
fn decision_74_of_two_applies_of_one_plan_the_second_changes_nothing() {
    let store = Store::new();
    store.acme(BASE);
    let text = "name: A\nteams: {Core: {members: [zoe]}}";
    let (file, plan) = (acme(&store, text), planned(&store, text, KEEPING));
    let outcomes: Vec<Outcome> = std::thread::scope(|scope| {
        let apply = || store.apply_planned(&file, KEEPING, FREE, &plan.changes).unwrap();
        let both = [scope.spawn(apply), scope.spawn(apply)];
        both.map(|apply| apply.join().unwrap()).into()
    });
    let done = outcomes.iter().filter(|outcome| **outcome == Outcome::Done(plan.clone())).count();
    assert_eq!(done, 1, "{outcomes:?}");
    let second = outcomes.iter().find(|outcome| **outcome != Outcome::Done(plan.clone()));
    assert!(matches!(second, Some(Outcome::Done(now)) if now.changes.is_empty()), "{outcomes:?}");
    assert_eq!(store.texts("SELECT action FROM journal WHERE action = 'org.update'").len(), 1);
}

#[test]
fn decision_74_a_mistyped_owner_is_refused_with_the_login_that_was_meant() {
    let store = Store::new();
    store.acme(BASE);
    let before = store.state();
    let typed = acme(&store, "admins:\n- olivia\n- zoee\nmembers: [max, tom]");
    let flags = Flags { owners: true, ..Flags::default() };
    let message = refusal(store.plan(std::slice::from_ref(&typed), flags));
    let expected = ":5: orgs.acme: \"zoee\" has no account and would become an owner; did you mean \"zoe\"?";
    assert!(message.ends_with(expected), "{message}");
    assert_eq!(store.state(), before);
    // With the flag that makes accounts, it is meant.
    assert_eq!(store.plan(&[typed], KEEPING).unwrap()[0].changes.len(), 2);
}

#[test]
fn decision_74_a_team_takes_the_name_of_one_that_goes_as_a_former_name() {
    let store = Store::new();
    store.acme("admins: [olivia]\nteams: {A: {}, B: {}}");
    let done = apply(&store, "teams: {B: {previously: [A]}}", ALL);
    assert_eq!(done, ["- team A", "+ former_team_name B/A: true"]);
}

#[test]
fn decision_74_an_export_says_what_there_is_none_of() {
    let store = Store::new();
    let bare = "admins: [olivia]\nmembers: [max, tom]\nrepos: {web: {}}\nteams: {Core: {privacy: closed}, Docs: {members: [tom]}}\n\
                guildhall: {projects: {1: {name: A}}}";
    store.acme(bare);
    let exported = store.file("exported.yaml", &store.export("acme").unwrap().0);
    apply(
        &store,
        "admins: [olivia]\nmembers: [max, tom]\nrepos: {web: {collaborators: {ray: admin}}}\n\
         teams: {Core: {maintainers: [max], repos: {web: admin}, teams: {Leaf: {}}, guildhall: {projects: {1: write}}}, \
         Docs: {maintainers: [max], members: [tom]}, New: {}}\n\
         guildhall: {billing_managers: [bea], public_members: [tom], security_managers: [max], \
         invitations: [{email: una@example.com, role: direct_member}], projects: {1: {name: A, collaborators: {tom: read}}}}",
        Flags { prune: false, ..ALL },
    );
    let plan = store.plan(&[exported], ALL).unwrap().remove(0);
    let mut removed = lines(&plan);
    removed.sort();
    assert_eq!(
        removed,
        [
            "- collaborator web/ray: admin",
            "- grant Core/web: admin",
            "- invitation una@example.com: direct_member",
            "- member bea: billing_manager",
            "- project_collaborator 1/tom: read",
            "- project_grant Core/1: write",
            "- public_member tom: true",
            "- security_manager max: true",
            "- team Leaf",
            "- team New",
            "- team_member Core/max: maintainer",
            "- team_member Docs/max: maintainer",
        ]
    );
}
