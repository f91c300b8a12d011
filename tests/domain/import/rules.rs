//! The changes of an import to a store that holds something already, and its refusals (decisions 10, 11, 21, 22, 25,
//! 26, 28 and 50).

use crate::support::store::{Store, refusal};

const BASE: &str = "\
name: Acme
admins: [Olivia, Pat]
members: [max, tom]
repos: {web: {private: true, collaborators: {ray: triage}}, api: {}}
teams:
  Core:
    description: the core
    maintainers: [max]
    members: [tom, Olivia]
    repos: {web: write, api: read}
    teams:
      Docs:
        members: [tom]
  Quiet: {members: [max]}";

const TEAMS: &str = "
    SELECT t.slug || ' ' || t.privacy || ' in ' || coalesce(p.slug, '-') || ': ' || coalesce(t.description, '-')
    FROM teams t LEFT JOIN teams p ON p.id = t.parent_id ORDER BY t.slug";

const MEMBERS: &str = "
    SELECT t.slug || ' ' || u.login || ' ' || m.role FROM team_members m
    JOIN teams t ON t.id = m.team_id JOIN users u ON u.id = m.user_id ORDER BY t.slug, u.login";

const PEOPLE: &str = "
    SELECT u.login || ' ' || m.role FROM org_members m JOIN users u ON u.id = m.user_id ORDER BY u.id";

const PENDING: &str = "
    SELECT u.login || ' ' || t.slug || ' ' || b.role || ' by ' || o.login FROM invitations i
    JOIN users u ON u.id = i.user_id JOIN users o ON o.id = i.inviter_id
    JOIN invitation_teams b ON b.invitation_id = i.id JOIN teams t ON t.id = b.team_id
    WHERE i.failed_at IS NULL ORDER BY u.login, t.slug";

const OLD_SLUGS: &str = "
    SELECT s.slug || ' to ' || t.slug FROM old_slugs s JOIN teams t ON t.id = s.team_id ORDER BY s.slug";

fn base() -> Store {
    let store = Store::new();
    store.acme(BASE);
    store
}

/// Events that people are not notified of are stored for webhooks alone.
const HOOK: &str = "
    INSERT INTO hooks (org_id, active, url, content_type, insecure_ssl, events, after_entry, created_at, updated_at)
    VALUES (0, TRUE, 'https://hooks.example.com/', 'json', FALSE, '*', 0, 0, 0)";

fn healthy(store: &Store) {
    assert_eq!(store.findings(), Vec::<String>::new());
}

#[test]
fn decision_50_a_new_organization_is_reported_counted_and_whole() {
    let store = Store::new();
    store.tamper(HOOK);
    let report = store.acme(BASE);
    let first = report.to_string().lines().next().map(str::to_owned);
    let expected = "acme: created 1 organization, 5 accounts, 4 members, 2 repositories, 1 collaborator, 3 teams, \
                    5 memberships, 2 grants";
    assert_eq!(first.as_deref(), Some(expected));
    assert_eq!(store.texts(TEAMS), ["core closed in -: the core", "docs closed in core: -", "quiet secret in -: -"]);
    let counters: Vec<(i64, i64)> =
        store.rows("SELECT members, repos FROM team_counts JOIN teams ON teams.id = team_id ORDER BY slug");
    assert_eq!(counters, [(3, 2), (1, 0), (1, 0)]);
    assert_eq!(store.rows::<(i64,)>("SELECT public_repos FROM orgs"), [(1,)]);
    assert_eq!(
        store.texts("SELECT event FROM journal_facts ORDER BY org_id, entry"),
        ["organization.created", "organization.imported"]
    );
    let logged =
        "SELECT coalesce(o.login, 'the site') || ' ' || j.action FROM journal j LEFT JOIN orgs o ON o.id = j.org_id
                  WHERE j.action IS NOT NULL ORDER BY j.org_id";
    assert_eq!(store.texts(logged), ["the site org.import", "acme org.import"]);
    let accounts = store.texts("SELECT after FROM journal WHERE org_id = 0");
    assert!(accounts[0].ends_with(r#""created":{"accounts":5}}"#), "{accounts:?}");
    healthy(&store);
}

#[test]
fn decision_50_what_differs_is_updated_and_nothing_is_removed() {
    let store = base();
    let report = store.acme(
        "name: Acme Corporation\nadmins: [olivia, max]\nmembers: [pat]\n\
         repos: {web: {private: false, collaborators: {ray: admin}}}\n\
         teams: {Core: {description: new, members: [max], maintainers: [tom], repos: {web: none, api: admin}},\n\
         \x20 Quiet: {members: [tom], teams: {Docs: {}}}}",
    );
    assert_eq!(store.texts(PEOPLE), ["Olivia admin", "Pat member", "max admin", "tom member"]);
    assert_eq!(store.texts(TEAMS), ["core closed in -: new", "docs closed in quiet: -", "quiet closed in -: -"]);
    // Max owns now, and an owner compares as a maintainer: his stored role stays.
    let members = [
        "core Olivia member",
        "core max maintainer",
        "core tom maintainer",
        "docs tom member",
        "quiet max member",
        "quiet tom member",
    ];
    assert_eq!(store.texts(MEMBERS), members);
    assert_eq!(store.rows::<(i64,)>("SELECT level FROM team_repos"), [(5,)]);
    assert_eq!(store.rows::<(i64,)>("SELECT level FROM repo_collaborators"), [(5,)]);
    assert_eq!(store.rows::<(i64,)>("SELECT public_repos FROM orgs"), [(2,)]);
    let logged =
        store.texts("SELECT DISTINCT action FROM journal WHERE org_id > 0 AND action <> 'org.import' ORDER BY action");
    let expected = [
        "org.update",
        "org.update_member",
        "repo.access",
        "repo.update_member",
        "team.add_member",
        "team.change_parent_team",
        "team.change_privacy",
        "team.remove_repository",
        "team.update",
        "team.update_member",
        "team.update_repository_permission",
    ];
    assert_eq!(logged, expected);
    assert_eq!(store.texts("SELECT action FROM journal WHERE org_id > 0 AND action = 'org.import'").len(), 1);
    let org = &report.orgs[0];
    let beyond = [
        "tom (a member)",
        "repository api",
        "Olivia in team \"Core\"",
        "max in team \"Quiet\"",
        "tom in team \"Docs\"",
    ];
    assert!(org.beyond.iter().all(|line| beyond.contains(&line.as_str())), "{:?}", org.beyond);
    for line in [
        "max is now an owner",
        "Pat is now a member",
        "team \"Core\": description",
        "team \"Docs\": parent",
        "team \"Quiet\": privacy closed",
        "tom is now maintainer of team \"Core\"",
        "team \"Core\" no longer has access to repository web",
        "team \"Core\" now has admin on repository api",
        "ray now has admin on repository web",
        "settings of repository web",
    ] {
        assert!(org.changed.iter().any(|changed| changed == line), "{line} is not in {:?}", org.changed);
    }
    healthy(&store);
}

#[test]
fn decision_50_what_the_store_has_beyond_the_file_is_listed() {
    let store = base();
    store.acme("members: [dave]\nteams: {Extra: {members: [dave, nina]}}");
    let report = store.acme(BASE);
    let org = &report.orgs[0];
    assert!(!org.has_changes(), "{org}");
    assert_eq!(org.beyond, ["dave (a member)", "team \"Extra\"", "invitation of \"nina\""]);
    let less = store.acme("admins: [olivia]\nteams: {Core: {members: [max], repos: {api: read}}}");
    assert!(!less.orgs[0].has_changes() || less.orgs[0].changed.len() == 1, "{less}");
    for line in
        ["team \"Docs\"", "tom in team \"Core\"", "repository web of team \"Core\" with write", "repository web"]
    {
        assert!(less.orgs[0].beyond.iter().any(|beyond| beyond == line), "{line} is not in {less}");
    }
}

#[test]
fn decision_50_teams_are_known_by_slug_and_then_by_a_former_name() {
    let store = base();
    let ids = |store: &Store| store.rows::<(i64, String)>("SELECT id, name FROM teams ORDER BY id");
    let before = ids(&store);
    let report = store.acme(
        "teams: {Kernel: {previously: [Core, 'Even Older'], teams: {docs: {}}},\n  quiet: {previously: [Docs, ' Quiet ']},\n\
         \x20 Fresh: {previously: ['Even Older', ★, Quiet]}}",
    );
    let names: Vec<String> = ids(&store).into_iter().map(|(_, name)| name).collect();
    assert_eq!(names, ["Kernel", "quiet", "docs", "Fresh"], "{before:?}");
    assert_eq!(store.texts(OLD_SLUGS), ["core to kernel", "even-older to kernel"]);
    assert_eq!(
        report.orgs[0].skipped,
        [
            "former name \"Docs\" of team \"quiet\": it is a name, or a former name, of another team",
            "former name \"Even Older\" of team \"Fresh\": it is a name, or a former name, of another team",
            "former name \"★\" of team \"Fresh\": it has no letters or digits for a slug",
            "former name \"Quiet\" of team \"Fresh\": it is a name, or a former name, of another team",
        ]
    );
    healthy(&store);
    store.acme("teams: {Core: {}}");
    assert_eq!(store.texts(OLD_SLUGS), ["even-older to kernel"], "a slug that is taken leads nowhere else");
    healthy(&store);
}

#[test]
fn decision_11_teams_change_places_and_a_secret_team_keeps_no_children() {
    let store = base();
    store.acme("teams: {Docs: {teams: {Core: {teams: {Quiet: {}}}}}}");
    let tree: Vec<(i64, i64, i64)> =
        store.rows("SELECT ancestor_id, descendant_id, depth FROM team_tree ORDER BY ancestor_id, descendant_id");
    let id = |slug: &str| {
        let teams = store.rows::<(i64, String)>("SELECT id, slug FROM teams");
        teams.into_iter().find(|(_, known)| known == slug).expect("a team").0
    };
    let (core, docs, quiet) = (id("core"), id("docs"), id("quiet"));
    let mut wanted =
        vec![(docs, docs, 0), (docs, core, 1), (docs, quiet, 2), (core, core, 0), (core, quiet, 1), (quiet, quiet, 0)];
    wanted.sort_unstable();
    assert_eq!(tree, wanted);
    let report = store.acme("teams: {Docs: {}, Core: {privacy: secret}}");
    let why = "team \"Core\" stays closed, because it has child teams that are not in the file";
    assert_eq!(report.orgs[0].skipped, [why]);
    assert_eq!(store.texts(TEAMS), ["core closed in -: the core", "docs closed in -: -", "quiet closed in core: -"]);
    healthy(&store);
}

#[test]
fn decision_25_people_of_a_team_who_are_not_in_the_organization_are_invited() {
    let mut store = base();
    let lines = "admins: [Pat]\nteams: {Core: {members: [nina], maintainers: [Ray]}, Quiet: {maintainers: [nina]}}";
    let report = store.acme(lines);
    let pending = ["nina core member by Pat", "nina quiet maintainer by Pat", "ray core maintainer by Pat"];
    assert_eq!(store.texts(PENDING), pending);
    let created = "acme: created 1 account, 3 memberships, 2 invitations\n";
    assert!(report.to_string().starts_with(created), "{report}");
    assert_eq!(
        report.orgs[0].invited,
        ["ray as direct_member, to team \"Core\"", "nina as direct_member, to teams \"Core\", \"Quiet\""]
    );
    let invited = "SELECT facts FROM journal_facts WHERE event = 'organization.member_invited' ORDER BY org_id, entry";
    assert!(store.texts(invited).iter().all(|facts| facts.contains("\"mail\":false")));
    let before = store.state();
    assert!(!store.acme(lines).orgs[0].has_changes());
    assert_eq!(store.state(), before);
    healthy(&store);

    store.acme("teams: {Core: {maintainers: [nina]}}");
    assert!(store.texts(PENDING).contains(&"nina core maintainer by Pat".to_owned()));
    store.acme("members: [nina]");
    assert_eq!(store.texts(PENDING), ["ray core maintainer by Pat"]);
    assert!(store.texts(MEMBERS).contains(&"quiet nina maintainer".to_owned()), "pending memberships become active");
    healthy(&store);

    store.advance(8 * 24 * 3_600);
    let report = store.acme("admins: [Olivia]\nteams: {Docs: {members: [ray]}}");
    assert!(report.to_string().starts_with("acme: created 1 membership, 1 invitation, 1 change\n"), "{report}");
    let failed = store.rows::<(i64,)>("SELECT count(*) FROM invitations WHERE failed_at IS NOT NULL");
    assert_eq!(failed, [(0,)], "the new invitation replaces the one that has expired");
    assert_eq!(store.texts(PENDING), ["ray docs member by Olivia"], "what was pending vanished with the expiry");
    healthy(&store);
}

#[test]
fn decision_21_the_last_active_owner_stays_one_and_the_suspended_are_not_added() {
    let store = base();
    store.tamper("UPDATE users SET suspended = TRUE WHERE login IN ('Pat', 'tom')");
    let before = store.state();
    let message = refusal(store.try_acme("members:\n- Olivia\n- Pat\nteams: {Core: {members: [ray]}}"));
    let why = "org.yaml:4: orgs.acme: \"Olivia\" would no longer be an owner, and the organization would have no active owner";
    assert!(message.contains(why), "{message}");
    assert_eq!(store.state(), before);
    let report = store.acme("members: [Pat]\nteams: {Quiet: {members: [tom]}, Core: {members: [ray]}}");
    assert_eq!(report.orgs[0].skipped, ["tom is suspended and cannot be added to team \"Quiet\""]);
    assert_eq!(store.texts(PEOPLE), ["Olivia admin", "Pat member", "max member", "tom member"]);
    store.tamper("UPDATE users SET suspended = TRUE WHERE login = 'ray'");
    let report = store.acme("members: [ray]");
    assert_eq!(report.orgs[0].skipped, ["ray: the account is suspended and cannot be added"]);
}

#[test]
fn decision_50_all_files_are_checked_before_the_first_change() {
    let store = Store::new();
    let good = store.file("good.yaml", "orgs: {good: {admins: [a]}}\n");
    for (name, content, wanted) in [
        ("bad.yaml", "orgs:\n  bad:\n    admin: [a]\n", "bad.yaml:3: orgs.bad.admin: unknown key"),
        (
            "same.yaml",
            "orgs: {GOOD: {admins: [b]}}\n",
            "same.yaml:1: orgs.GOOD: organization \"GOOD\" is also described in",
        ),
        ("own.yaml", "orgs:\n  own:\n    admins:\n    - Good\n", "own.yaml:4: orgs.own: \"Good\" is a person here"),
        (
            "slug.yaml",
            "orgs:\n  s:\n    admins: [a]\n    teams:\n      A B: {}\n      a-b: {}\n",
            "slug.yaml:6: orgs.s.teams.a-b: the slug of this team is \"a-b\", like that of \"A B\" on line 5",
        ),
        ("none.yaml", "orgs:\n  n:\n    members: [a]\n", "none.yaml:2: orgs.n: a new organization needs an owner"),
    ] {
        let message = refusal(store.import(&[good.clone(), store.file(name, content)]));
        assert!(message.contains(wanted), "{message} does not say {wanted}");
        assert_eq!(store.rows::<(i64,)>("SELECT count(*) FROM orgs"), [(0,)], "{name} changed something");
    }
}

#[test]
fn decision_22_logins_of_others_are_refused() {
    let store = base();
    for (lines, wanted) in [
        ("orgs: {olivia: {admins: [max]}}", "orgs.olivia: \"olivia\" is a person, not an organization"),
        ("orgs: {b: {admins: [x], teams: {T: {members: [ACME]}}}}", "orgs.b.teams.T: \"ACME\" is an organization"),
    ] {
        let message = refusal(store.import(&[store.file("other.yaml", lines)]));
        assert!(message.contains(wanted), "{message}");
    }
    store.tamper("UPDATE logins SET current = FALSE WHERE login_key = 'tom'");
    let message = refusal(store.try_acme("members: [tom]"));
    assert!(message.contains("org.yaml:3: orgs.acme: \"tom\" is a former username"), "{message}");
    assert!(message.contains("`guildhall username release`"), "{message}");
}

#[test]
fn a_repository_that_only_loses_grants_is_not_created() {
    let store = base();
    let report = store.acme("teams: {Core: {repos: {ghost: none}}}");
    let why = "repository ghost is not created, because the file only removes grants on it";
    assert_eq!(report.orgs[0].skipped, [why]);
    assert!(!report.orgs[0].has_changes());
}

#[test]
fn a_failure_at_any_statement_leaves_the_organization_as_it_was() {
    let store = base();
    let before = store.state();
    let lines = "admins: [zoe]\nrepos: {new: {}}\nteams: {Kernel: {previously: [Core], members: [zoe, nina, max]}}";
    for n in 1..400 {
        store.faults.arm(n);
        let tried = store.try_acme(lines);
        if store.faults.disarm() {
            assert!(tried.is_ok() && n > 30, "{n} statements");
            assert_ne!(store.state(), before);
            return healthy(&store);
        }
        assert!(tried.is_err(), "statement {n} failed and nobody noticed");
        assert_eq!(store.state(), before, "statement {n}");
    }
    panic!("the import never ended");
}

#[test]
fn the_members_of_a_team_that_follows_a_provider_are_left_alone() {
    let store = base();
    store.follow("quiet", "max");
    let report = store.acme(&BASE.replace("Quiet: {members: [max]}", "Quiet: {members: [tom], maintainers: [max]}"));
    let why = "team \"Quiet\" follows an identity provider, which manages its members";
    assert_eq!(report.orgs[0].skipped, [why]);
    assert!(store.texts(MEMBERS).contains(&"quiet max member".to_owned()));
    assert!(!store.texts(MEMBERS).contains(&"quiet tom member".to_owned()));
    healthy(&store);
}

#[test]
fn a_team_that_follows_a_provider_gets_no_children() {
    let store = base();
    store.follow("quiet", "max");
    let before = store.state();
    let nested =
        BASE.replace("Quiet: {members: [max]}", "Quiet: {members: [max], privacy: closed, teams: {Below: {}}}");
    let refused = refusal(store.try_acme(&nested));
    assert!(refused.contains("the parent \"Quiet\" follows an identity provider"), "{refused}");
    assert_eq!(store.state(), before);
}
