//! Completions, manual pages and the document of all commands.

use std::fs;

use crate::place::{OWNER, Place, guildhall, outcome};

/// The candidates that a shell gets for the last of these words.
#[track_caller]
fn offered(place: &Place, words: &[&str]) -> Vec<String> {
    let mut command = guildhall(&[&["--", "guildhall"], words].concat());
    command.env("GUILDHALL_COMPLETE", "fish").env("GUILDHALL_DATA_DIR", place.dir());
    let (code, out, err) =
        outcome(&command.env("GUILDHALL_DATABASE", place.database.argument()).output().expect("it runs"));
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    let name = |line: &str| line.split('\t').next().unwrap_or_default().to_owned();
    // What begins with a dash is a flag.
    out.lines().map(name).filter(|name| !name.starts_with('-')).collect()
}

#[test]
fn people_organizations_and_teams_of_the_store_are_offered() {
    let place = Place::new();
    place.import();
    assert_eq!(offered(&place, &["org", "show", "RUST"]), ["rust-embedded"]);
    assert_eq!(offered(&place, &["user", "suspend", &OWNER[..6]]), [OWNER]);
    assert_eq!(offered(&place, &["team", "show", "rust-embedded", "cor"]), ["core"]);
    assert_eq!(offered(&place, &["invite", "--role", "owner", "rust-embedded", "nina", "--team", "core"]), ["core"]);
    assert_eq!(offered(&place, &["team", "list", "--data-dir", "/nowhere", "rust"]), [""; 0]);
    let everyone = offered(&place, &["team", "add", "rust-embedded", "core", ""]);
    assert!(everyone.len() > 30 && everyone.len() <= 50 && everyone.contains(&OWNER.to_owned()), "{everyone:?}");
}

#[test]
fn a_completion_offers_nothing_rather_than_to_complain() {
    let place = Place::new();
    let none: [&str; 0] = [];
    assert_eq!(offered(&place, &["team", "show", "rust-embedded", "co"]), none);
    assert!(!place.dir().exists(), "nothing was made");
    place.import();
    assert_eq!(offered(&place, &["team", "show", "nothing", "co"]), none);
    assert_eq!(offered(&place, &["team", "show", "--url", "http://127.0.0.1:1", "rust-embedded", "co"]), none);
    assert_eq!(offered(&place, &["user", "create", &OWNER[..6]]), none);
    assert_eq!(offered(&place, &["team", "gr"]), ["grant"]);
}

#[test]
fn the_script_of_a_shell_asks_the_program() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let (code, script, _) = outcome(&guildhall(&["completions", shell]).output().expect("it runs"));
        assert!(code == 0 && script.contains("GUILDHALL_COMPLETE"), "{script}");
    }
}

#[test]
fn there_is_a_manual_page_for_each_command() {
    let (code, page, _) = outcome(&guildhall(&["man"]).output().expect("it runs"));
    assert!(code == 0 && page.contains(".TH guildhall 1") && page.contains("guildhall\\-team(1)"), "{page}");
    let folder = tempfile::tempdir().expect("a directory");
    let to = folder.path().join("man1");
    let (code, out, err) =
        outcome(&guildhall(&["man", "--dir", to.to_str().expect("text")]).output().expect("it runs"));
    assert_eq!((code, out.as_str()), (0, ""), "{err}");
    let add = fs::read_to_string(to.join("guildhall-team-add.1")).expect("a page");
    for part in [".TH guildhall\\-team\\-add 1 ", ".SH NAME", ".SH SYNOPSIS", ".SH DESCRIPTION", ".SH \"SEE ALSO\""] {
        assert!(add.contains(part) || add.contains(&part.replace("\\-", "-")), "{part}: {add}");
    }
    let also = add.lines().last().expect("the other pages");
    assert!(also.starts_with("guildhall(1), guildhall\\-team(1), guildhall\\-team\\-list(1), "), "{also}");
    assert!(also.contains("guildhall\\-team\\-remove(1)") && !also.contains("team\\-add(1)"), "{also}");
    let (code, printed, _) = outcome(&guildhall(&["man", "team", "add"]).output().expect("it runs"));
    assert_eq!((code, printed.as_str()), (0, add.as_str()));
    let unknown = guildhall(&["man", "team", "fly"]).output().expect("it runs");
    assert_eq!(
        outcome(&unknown),
        (2, String::new(), "guildhall: there is no command `guildhall team fly`\n".to_owned())
    );
    // Every page that another one names is there.
    for entry in fs::read_dir(&to).expect("a directory") {
        let page = fs::read_to_string(entry.expect("an entry").path()).expect("a page");
        let named =
            page.lines().last().expect("the other pages").split(", ").filter_map(|name| name.strip_suffix("(1)"));
        for name in named {
            assert!(to.join(format!("{}.1", name.replace("\\-", "-"))).exists(), "{name}");
        }
    }
    let nowhere = guildhall(&["man", "--dir", "/dev/null/x"]).output().expect("it runs");
    assert!(outcome(&nowhere).0 == 1 && outcome(&nowhere).2.contains("cannot write to /dev/null/x"));
}

#[test]
fn packages_bring_the_manual_pages_and_the_completions() {
    let read = |path: &str| fs::read_to_string(format!("{}/{path}", env!("CARGO_MANIFEST_DIR"))).expect("a file");
    for path in ["packaging/deb", "packaging/binary"] {
        let script = read(path);
        for wanted in ["\"$program\" man --dir", "\"$program\" completions bash", "\"$program\" completions zsh"] {
            assert!(script.contains(wanted), "{path}: {wanted}");
        }
    }
    let package = read("Cargo.toml");
    assert!(package.contains(r#"["target/package/man/*.1", "usr/share/man/man1/", "644"]"#), "{package}");
}

#[test]
fn organizations_and_files_are_offered_to_the_commands_with_files() {
    let place = Place::new();
    place.import();
    assert_eq!(offered(&place, &["export", "rust"]), ["rust-embedded"]);
    let folder = tempfile::tempdir().expect("a directory");
    fs::write(folder.path().join("acme.yaml"), "").expect("a file");
    let begin = format!("{}/ac", folder.path().display());
    let file = format!("{}/acme.yaml", folder.path().display());
    for command in ["import", "plan", "apply"] {
        assert_eq!(offered(&place, &[command, "--org", "rust"]), ["rust-embedded"], "{command}");
        assert_eq!(offered(&place, &[command, &begin]), [file.as_str()], "{command}");
    }
}

#[test]
fn the_document_of_commands_has_their_help() {
    let (code, text, _) = outcome(&guildhall(&["man", "--markdown"]).output().expect("it runs"));
    let written = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/commands.md")).expect("the document");
    assert!(code == 0 && text == written, "run scripts/bless");
    for name in ["user sign-in", "team tree", "access why", "status"] {
        assert!(text.contains(&format!("\n## guildhall {name}\n")), "{name}");
    }
}
