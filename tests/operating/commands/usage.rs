//! Wrong usage, settings that are refused, and `--help`.

use std::fs;

use crate::place::{Place, guildhall, outcome, refused};

#[test]
fn wrong_usage_is_told_apart_and_says_what_is_right() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("guildhall.toml");
    fs::write(&file, "[rate_limits]\nper_hour = 7\n").expect("to write");
    let config = file.to_str().expect("text");
    for (arguments, why) in [
        (vec!["serv"], "'serve'"),
        (vec!["serve", "--lisen", "x"], "'--listen'"),
        (vec!["serve", "--database", "sqlite::memory:"], "--database: `sqlite::memory:` is an in-memory database"),
        (vec!["doctor", "--database", "sqlite:file::memory:?cache=shared"], "name a file, such as sqlite:/var"),
        (vec!["serve", "--log-level", "loud"], "--log-level: `loud` is not allowed; use error, warn, info"),
        (
            vec!["serve", "--config", config],
            "guildhall.toml:2: `rate_limits.per_hour` is not a setting; did you mean `rate_limit.per_hour`?",
        ),
        (vec!["doctor", "--config", config], "did you mean `rate_limit.per_hour`?"),
        (vec!["token", "create", "--user", "x", "--scopes", "admin_org"], "Did you mean `admin:org`?"),
        (
            vec!["token", "create", "--user", "x", "--scopes", "repo", "--expires-in", "99999999w"],
            "the maximum is 100 years (36500d)",
        ),
    ] {
        refused(&guildhall(&arguments).output().expect("the program runs"), 2, why);
    }
    let wrong = guildhall(&["serve"]).env("GUILDHALL_TOKENS_PREFIX", "x").output().expect("the program runs");
    refused(&wrong, 2, "GUILDHALL_TOKENS_PREFIX: `x` is not allowed");
}

#[test]
fn decision_74_a_wrong_command_line_of_plan_is_told_apart_from_changes() {
    for command in ["plan", "apply"] {
        for arguments in [&[][..], &["--prun", "x"], &["--database", "sqlite::memory:", "x"]] {
            let arguments = [&[command], arguments].concat();
            refused(&guildhall(&arguments).output().expect("the program runs"), 1, "");
        }
    }
    for (flag, value) in [("--max-removals", "101%"), ("--max-removals", "x"), ("--min-owners", "x"), ("--plan", "x")] {
        refused(&guildhall(&["apply", flag, value, "x"]).output().expect("the program runs"), 1, flag);
    }
    assert_eq!(outcome(&guildhall(&["plan", "--help"]).output().expect("the program runs")).0, 0);
}

#[test]
fn every_setting_is_in_the_help_and_in_the_guide_for_operators() {
    let help = outcome(&guildhall(&["serve", "--help"]).output().expect("the program runs")).1;
    // A line may end anywhere between two words.
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    let guide = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/running.md")).expect("the guide");
    for setting in guildhall::config::SETTINGS {
        for name in [format!("--{}", setting.flag()), setting.variable(), format!("[file: {}]", setting.name)] {
            assert!(help.contains(&name), "{name}");
        }
        let row = guide.lines().find(|line| line.starts_with(&format!("| `{}` |", setting.name)));
        let row = row.unwrap_or_else(|| panic!("{} is not in docs/running.md", setting.name));
        assert!(setting.default.is_none_or(|default| row.contains(&format!("| `{default}` |"))), "{row}");
    }
    let rows = guide.lines().skip_while(|line| !line.starts_with("| In the file |")).take_while(|l| !l.is_empty());
    assert_eq!(rows.count() - 2, guildhall::config::SETTINGS.len());
}

#[test]
fn help_is_as_wide_as_the_terminal_and_never_wider_than_100_columns() {
    let help = |command: &[&str], columns: &str| {
        let mut program = guildhall(&[command, &["--help"]].concat());
        outcome(&program.env("COLUMNS", columns).output().expect("the program runs")).1
    };
    // The width of its options: examples may have longer words.
    let width = |help: &str| {
        let options = help.lines().skip_while(|line| *line != "Options:").take_while(|line| *line != "Examples:");
        options.map(|line| line.trim_end().chars().count()).max().expect("lines")
    };
    for command in [&["serve"][..], &["import"], &["deliveries", "replay"]] {
        let (narrow, wide) = (help(command, "60"), help(command, "300"));
        assert!(width(&narrow) <= 60 && (61..=100).contains(&width(&wide)), "{narrow}\n{wide}");
        assert!(wide.lines().all(|line| line.chars().count() <= 100), "{wide}");
        assert_eq!(wide, outcome(&guildhall(&[command, &["--help"]].concat()).output().expect("it runs")).1);
    }
}

#[test]
fn a_mail_server_needs_a_public_url() {
    let place = Place::new();
    for command in [&["serve", "--listen", "127.0.0.1:0"][..], &["mail", "test", "ops@example.org"]] {
        let command = [command, &["--smtp-url", "smtp://user:hush@mail.example.org"]].concat();
        let output = place.run(&command);
        refused(&output, 2, "`smtp.url` is set, but `public_url` is not");
        assert!(!outcome(&output).2.contains("hush"));
    }
    assert!(!place.dir().exists(), "nothing was made");
}

#[test]
fn the_help_of_serve_groups_the_settings() {
    let help = outcome(&guildhall(&["serve", "--help"]).output().expect("the program runs")).1;
    let headings: Vec<_> = help.lines().filter(|l| l.ends_with(':') && !l.starts_with(' ')).collect();
    let groups =
        ["Configuration and data:", "Network:", "Logs and metrics:", "Limits:", "Teams, invitations and tokens:"];
    assert!(groups.iter().all(|group| headings.contains(group)), "{headings:?}");
    assert!(!headings.contains(&"Other settings:"), "a setting is in no group:\n{help}");
    let at = |text: &str| help.find(text).expect(text);
    assert!(at("Network:") < at("--tls-key") && at("--tls-key") < at("Logs and metrics:"), "{help}");
}
