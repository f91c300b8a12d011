//! `guildhall import` with files as real tools write and read them, and what it says about all mistakes of a file
//! (decision 50).

use std::io::Write;
use std::process::{Output, Stdio};

use super::import::{export, import};
use crate::place::{Place, outcome};

/// Imports what another program writes to standard input.
fn import_piped(place: &Place, content: &str, flags: &[&str]) -> Output {
    let mut command = place.command(&[&["import", "-"], flags].concat());
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = piped.spawn().expect("the program runs");
    child.stdin.take().expect("its input").write_all(content.as_bytes()).expect("to write");
    child.wait_with_output().expect("it ends")
}

/// The lines of a refusal, without the folder of the file.
fn lines(output: &Output) -> Vec<String> {
    let (code, out, err) = outcome(output);
    assert_eq!((code, out.as_str()), (1, ""), "{err}");
    let message = err.strip_prefix("guildhall: ").expect("the name of the program");
    let place = |line: &str| line.find("org.yaml:").map_or(line.to_owned(), |at| line[at..].to_owned());
    message.lines().map(place).collect()
}

/// peribolos writes `visibility` since August 2026.
const VISIBILITY: &str = "orgs:
  acme:
    admins: [olivia]
    repos:
      engine: {visibility: private}
      website: {visibility: public}
";

#[test]
fn decision_50_the_visibility_of_a_repository_is_read_and_written() {
    let place = Place::new();
    assert_eq!(outcome(&import(&place, VISIBILITY, &[])).0, 0);
    let exported = export(&place);
    for (repo, private) in [
        ("engine", "private: true\n        visibility: private"),
        ("website", "private: false\n        visibility: public"),
    ] {
        assert!(exported.contains(&format!("      {repo}:\n        {private}\n")), "{exported}");
    }
    let (_, report, _) = outcome(&import(&place, &exported, &[]));
    assert!(report.starts_with("acme: nothing to change"), "{report}");
    let internal = VISIBILITY.replace("visibility: public", "visibility: internal, private: true");
    assert_eq!(outcome(&import(&place, &internal, &[])).0, 0);
    assert!(!export(&place).contains("visibility: public"));
    let both = VISIBILITY.replace("visibility: public", "visibility: public, private: true");
    let why = "org.yaml:6: orgs.acme.repos.website.visibility: \"private\" contradicts this; remove one of them";
    assert_eq!(lines(&import(&place, &both, &[])), [why]);
}

#[test]
fn decision_50_merge_keys_are_read() {
    let place = Place::new();
    let file = "orgs:
  acme:
    admins: [olivia]
    members: [max, tom]
    teams:
      Core: &core
        members: [max, tom]
        privacy: closed
      Infra:
        <<: *core
        description: merged
";
    let (code, report, err) = outcome(&import(&place, file, &[]));
    assert!(code == 0 && report.contains("2 teams, 4 memberships"), "{report}{err}");
    let infra = "      Infra:\n        description: merged\n        privacy: closed\n        maintainers: []\n        members:\n        - max\n        - tom\n";
    assert!(export(&place).contains(infra), "{}", export(&place));
}

#[test]
fn decision_50_a_file_of_one_organization_gets_its_login_from_a_flag() {
    let place = Place::new();
    let file = "admins: [olivia]\nmembers: [max]\nteams:\n  Core: {members: [max, tom]}\n";
    let [unnamed] = <[String; 1]>::try_from(lines(&import(&place, file, &[]))).expect("one line");
    assert!(unnamed.starts_with("org.yaml:1: the file names no organization."), "{unnamed}");
    assert!(unnamed.contains("--org") && unnamed.contains("\"orgs\""), "{unnamed}");
    let [typed] = <[String; 1]>::try_from(lines(&import(&place, file, &["--org", "acme"]))).expect("one line");
    assert!(typed.starts_with("org.yaml:4: teams.Core: \"tom\" is on this team"), "{typed}");
    let file = file.replace(", tom", "");
    let (code, report, err) = outcome(&import(&place, &file, &["--org", "acme"]));
    assert!(code == 0 && report.starts_with("acme: created 1 organization"), "{report}{err}");
    let (_, report, _) = outcome(&import(&place, &format!("orgs: {{acme: {{{}}}}}", "admins: [olivia]"), &[]));
    assert!(report.starts_with("acme: nothing to change"), "{report}");
    let named = import(&place, VISIBILITY, &["--org", "acme"]);
    assert_eq!(lines(&named), ["org.yaml:1: orgs: this file names its organizations; import it without --org"]);
    let invalid = lines(&import(&place, &file, &["--org", "a b"]));
    assert!(invalid[0].starts_with("org.yaml:1: \"a b\" is not a valid login"), "{invalid:?}");
}

#[test]
fn decision_50_a_team_outside_teams_is_refused_as_such() {
    let file = "orgs:
  acme:
    admins: [olivia]
    members: [max]
    teams:
      humans:
        members: [max]
        superlative-humans:
          members: [max]
";
    let place = Place::new();
    let why = "unknown key; if this is a team, move it under \"teams\"";
    assert_eq!(
        lines(&import(&place, file, &[])),
        [format!("org.yaml:8: orgs.acme.teams.humans.superlative-humans: {why}")]
    );
}

#[test]
fn decision_50_standard_input_is_a_file() {
    let place = Place::new();
    let (code, report, err) = outcome(&import_piped(&place, VISIBILITY, &[]));
    assert!(code == 0 && report.contains("2 repositories"), "{report}{err}");
    let (code, report, _) = outcome(&import_piped(&place, "admins: [olivia]\n", &["--org", "acme"]));
    assert!(code == 0 && report.starts_with("acme: nothing to change"), "{report}");
    let why = "standard input:3: orgs.acme.admins: expected a list, found \"olivia\"";
    assert_eq!(lines(&import_piped(&place, "orgs:\n  acme:\n    admins: olivia\n", &[])), [why]);
    assert_eq!(
        lines(&import_piped(&place, "", &[])),
        ["standard input: the file is empty; an organization is expected"]
    );
}

/// Four kinds of mistakes.
const FOUR: &str = "orgs:
  acme:
    admins: [olivia]
    members: [max]
    repos: {r: {has_wikki: true}}
    teams:
      P: {repos: {r: writer}, members: [nobody1]}
      Q: {privacy: visible, members: [nobody2, max]}
";

#[test]
fn decision_50_all_mistakes_of_a_file_are_told_in_one_run() {
    let unlisted = "is on this team, but is not a member of the organization and has no invitation. Correct the login, \
                    list it under the members, or run the import with --invite";
    let level =
        "org.yaml:7: orgs.acme.teams.P.repos.r: \"writer\" is not one of read, triage, write, maintain, admin, none";
    let key = "org.yaml:5: orgs.acme.repos.r.has_wikki: unknown key; did you mean \"has_wiki\"?";
    let privacy = "org.yaml:8: orgs.acme.teams.Q.privacy: \"visible\" is not one of secret, closed";
    let person =
        |line: u32, team: &str, login: &str| format!("org.yaml:{line}: orgs.acme.teams.{team}: \"{login}\" {unlisted}");
    let place = Place::new();
    let (first, second) = (person(7, "P", "nobody1"), person(8, "Q", "nobody2"));
    assert_eq!(lines(&import(&place, FOUR, &[])), [key, level, &first, privacy, &second]);
    assert!(!place.dir().exists(), "a file with mistakes makes no store");
    assert_eq!(lines(&import(&place, FOUR, &["--invite"])), [key, level, privacy]);

    assert_eq!(outcome(&import(&place, "orgs: {acme: {admins: [olivia], members: [max, nobody1]}}", &[])).0, 0);
    let before = export(&place);
    assert_eq!(lines(&import(&place, FOUR, &[])), [key, level, privacy, &second], "one of them is stored");
    let owners = lines(&import(&place, &FOUR.replace("admins: [olivia]", "admins: [ghost]"), &[]));
    assert!(owners[0].starts_with("org.yaml:3: orgs.acme: \"ghost\" has no account"), "{owners:?}");
    assert_eq!(owners.len(), 5);
    assert_eq!(export(&place), before);
    let right = FOUR.replace("wikki", "wiki").replace("writer", "write").replace("visible", "closed");
    assert_eq!(outcome(&import(&place, &right.replace("nobody2, ", ""), &[])).0, 0);
}

#[test]
fn decision_50_at_most_twenty_mistakes_are_shown() {
    let place = Place::new();
    let file = |wrong: u32| {
        let teams = (0..wrong).map(|n| format!("      T{n}: {{privacy: open}}\n"));
        format!("orgs:\n  acme:\n    admins: [olivia]\n    teams:\n{}", teams.collect::<String>())
    };
    for (wrong, last) in [(19, None), (20, None), (21, Some("and 1 more error")), (45, Some("and 25 more errors"))] {
        let mut shown = lines(&import(&place, &file(wrong), &[]));
        if let Some(last) = last {
            assert_eq!(shown.pop().as_deref(), Some(last));
        }
        assert_eq!(shown.len(), 20.min(wrong as usize));
        assert!(
            shown.iter().zip(5..).all(|(line, number)| line.starts_with(&format!("org.yaml:{number}: "))),
            "{shown:?}"
        );
    }
}

#[test]
fn decision_50_the_mistakes_of_all_files_are_told() {
    let place = Place::new();
    let files = [("b.yaml", "orgs: {b: {admin: [x]}}\n"), ("a.yaml", "orgs: {a: {members: [x, x]}, b: {}}\n")];
    let files = files.map(|(name, content)| {
        let path = place.database.directory().join(name);
        std::fs::write(&path, content).expect("to write");
        path.to_str().expect("text").to_owned()
    });
    let missing = place.database.directory().join("c.yaml").to_str().expect("text").to_owned();
    let (code, _, err) = outcome(&place.run(&["import", &files[0], &missing, &files[1]]));
    let found: Vec<_> = err.lines().map(|line| line.rsplit_once("yaml:").map_or(line, |(_, rest)| rest)).collect();
    assert_eq!(code, 1, "{err}");
    assert_eq!(found[0], "1: orgs.b.admin: unknown key; did you mean \"admins\"?", "{err}");
    assert!(found[1].starts_with("1: orgs.b: a new organization needs an owner"), "{err}");
    assert!(found[2].starts_with(" cannot read the file"), "{err}");
    assert!(found[3].ends_with("1; remove one of them") && found[4].contains("orgs.a: a new organization"), "{err}");
    assert_eq!(found.len(), 6, "{err}");
}

#[test]
fn decision_50_a_person_who_is_both_maintainer_and_member_of_a_team_is_refused() {
    let file = "orgs:
  acme:
    admins: [olivia]
    members: [max, max]
    teams:
      Core: {maintainers: [max], members: [Max]}
";
    let place = Place::new();
    let both = "is both a maintainer and a member of this team; list each person once (see line 6)";
    assert_eq!(lines(&import(&place, file, &[])), [format!("org.yaml:6: orgs.acme.teams.Core: \"Max\" {both}")]);
    let both = "is both an owner and a member; list each person once (see line 3)";
    let people = file.replace("[max, max]", "[max, OLIVIA]").replace(", members: [Max]", "");
    assert_eq!(lines(&import(&place, &people, &[])), [format!("org.yaml:4: orgs.acme.members[1]: \"OLIVIA\" {both}")]);
    assert_eq!(outcome(&import(&place, &file.replace(", members: [Max]", ""), &[])).0, 0);
}
