//! Plans of CSV: people and teams, as spreadsheets save them (decisions 72 and 74).

use guildhall::plan::{Flags, Plan};

use super::{ALL, KEEPING, lines};
use crate::support::store::{Store, refusal};

const BASE: &str =
    "admins: [olivia]\nmembers: [max, tom]\nteams: {Top: {privacy: closed, teams: {Core Team: {members: [tom]}}}}";

fn base() -> Store {
    let store = Store::new();
    store.acme(BASE);
    store
}

fn planned(store: &Store, text: &str, flags: Flags) -> guildhall::error::Result<Plan> {
    Ok(store.plan_of(&[store.file("people.csv", text)], Some("acme"), flags)?.remove(0))
}

#[test]
fn decision_74_each_row_of_csv_is_a_membership() {
    let store = base();
    // A byte order mark, semicolons, CRLF, quotes, blank rows and cells, and columns in another order.
    let text = "\u{feff}Team;Role;Login;Email\r\n;owner;olivia;\r\n;;max;max@example.com\r\n;member;\"una\";\r\n\r\n\
                core-team;maintainer;max;\r\n\"New; one\";;una;\r\n;;;\r\n";
    let plan = planned(&store, text, KEEPING).unwrap();
    let expected = [
        "+ account una",
        "+ member una: member",
        "+ team New; one: {\"privacy\":\"secret\"}",
        "+ team_member Core Team/max: maintainer",
        "+ team_member New; one/una: member",
    ];
    assert_eq!(lines(&plan), expected);
    assert_eq!(plan.not_kept, ["email of people with a login"]);
    // The team keeps its name, its place and its settings; the file has all people, and all members of its teams.
    let pruned = lines(&planned(&store, text, ALL).unwrap());
    assert_eq!(pruned, [&expected[..], &["- member tom: member"]].concat());
    let only_team = lines(&planned(&store, "login,team\nmax,Core Team\n", ALL).unwrap());
    assert_eq!(only_team, ["+ team_member Core Team/max: member", "- team_member Core Team/tom: member"]);
}

#[test]
fn decision_72_an_address_without_a_login_is_invited_and_belongs_to_no_account() {
    let store = base();
    let text =
        "email,team,role\nnina@example.org,Core Team,maintainer\nNINA@example.org,Top,\nzoe@example.org,,admin\n";
    assert_eq!(
        lines(&planned(&store, text, KEEPING).unwrap()),
        [
            "+ invitation nina@example.org: direct_member",
            "+ invitation zoe@example.org: admin",
            "+ team_member Core Team/nina@example.org: maintainer",
            "+ team_member Top/nina@example.org: member",
        ]
    );
    let blocked = planned(&store, text, Flags::default()).unwrap();
    assert!(lines(&blocked).contains(&"+ invitation zoe@example.org: admin (--owners)".to_owned()));
}

#[test]
fn decision_74_a_row_with_a_team_leaves_the_role_of_an_invitation() {
    let store = Store::new();
    store.acme(&format!(
        "{BASE}\nguildhall: {{invitations: [{{email: own@example.org, role: admin}}, \
         {{email: bil@example.org, role: billing_manager}}]}}"
    ));
    let plan = planned(&store, "email,team\nOwn@example.org,Core Team\nbil@example.org,Core Team\n", KEEPING).unwrap();
    assert_eq!(lines(&plan), ["+ team_member Core Team/Own@example.org: member"]);
    let skipped = "bil@example.org is a billing manager, and cannot be on team \"Core Team\" unless listed as a member";
    assert_eq!(plan.skipped, [skipped]);
    // A row without a team gives the role of a member, and ownership is taken with a flag only.
    let plan = planned(&store, "email\nown@example.org\n", Flags::default()).unwrap();
    assert_eq!(lines(&plan), ["~ invitation own@example.org: admin -> direct_member (--owners)"]);
}

#[test]
fn decision_74_errors_of_csv_name_the_line_and_the_column() {
    let store = base();
    let before = store.state();
    for (text, expected) in [
        ("login,emial\nmax,\n", "people.csv:1: emial: unknown column; did you mean \"email\"?"),
        ("login,team,login\nmax,,\n", "people.csv:1: login: this column is there twice"),
        ("team,role\nCore,member\n", "people.csv:1: the first line must name the columns"),
        ("login,role\nmax,boss\n", "people.csv:2: role: \"boss\" is not one of"),
        ("login,team,role\nmax,Core,owner\n", "people.csv:2: role: \"owner\" is not one of"),
        ("login,role\na b,member\n", "people.csv:2: login: "),
        ("login,team\nmax\n", "people.csv:2: the row has 1 cells, and the header 2"),
        ("login,team\nmax,Core,extra\n", "people.csv:2: the row has 3 cells, and the header 2"),
        ("login,team\n,Core\n", "people.csv:2: the row has neither a login nor an email"),
        ("email\nnina at example\n", "people.csv:2: email: \"nina at example\" is not a valid e-mail address"),
        ("login,team\n\"max,Core\n", "people.csv:2: a quote begins here and does not end"),
        ("login,role\nmax,member\nMAX,owner\n", "people.csv:3: login: \"MAX\" is both"),
        ("login,team,role\nmax,Core,member\nMax,Core,maintainer\n", "\"Max\" is both a maintainer and a member"),
        ("", "people.csv:1: the first line must name the columns"),
    ] {
        let message = refusal(planned(&store, text, KEEPING));
        assert!(message.contains(expected), "{message} does not say {expected}");
        assert_eq!(store.state(), before);
    }
    let message = refusal(store.plan(&[store.file("people.csv", "login\nmax\n")], KEEPING));
    assert!(message.ends_with("people.csv: CSV names no organization; give its login with --org"), "{message}");
}
