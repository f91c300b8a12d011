//! Files that `plan`, `apply` and `import` refuse: the message has file, line and key, and nothing has changed (decisions
//! 50 and 74).

use std::fs;
use std::process::Command;

use super::import::{export, import};
use crate::place::{Place, outcome};

const BASE: &str = "orgs:
  acme:
    admins: [olivia]
    members: [max, nina, tom]
    repos: {web: {}}
    teams:
      Core:
        members: [max, tom]
        repos: {web: read}
";

/// The commands that change something, with all flags that allow changes.
const COMMANDS: &[&[&str]] = &[
    &["apply", "--prune", "--yes", "--invite", "--create-accounts", "--owners"],
    &["apply", "--yes"],
    &["import", "--invite", "--owners"],
];

fn base() -> Place {
    let place = Place::new();
    assert_eq!(outcome(&import(&place, BASE, &[])).0, 0);
    place
}

/// Each command refuses the file and says this.
fn refused(place: &Place, (name, content): (&str, &[u8]), flags: &[&str], expected: &str) {
    let before = export(place);
    let file = place.database.directory().join(name);
    fs::write(&file, content).expect("to write");
    for command in COMMANDS {
        let (code, _, err) = outcome(&place.run(&[command, flags, &[file.to_str().expect("text")]].concat()));
        assert!(code == 1 && err.contains(expected), "{command:?} ends with {code}: {err} does not say {expected}");
        assert_eq!(export(place), before, "{command:?} has changed something");
    }
}

#[test]
fn decision_74_files_that_are_broken_are_refused_with_their_place() {
    let place = base();
    let refused = |name: &str, content: &str, flags: &[&str], expected: &str| {
        refused(&place, (name, content.as_bytes()), flags, expected);
    };
    refused(
        "cut.json",
        "{\"orgs\": {\"acme\": {\n\"admins\": [\"olivia\"",
        &[],
        "cut.json:2: this is not valid YAML or JSON",
    );
    refused("cut.csv", "login,team\nmax,Core\n\"tom,Core\n", &["--org", "acme"], "cut.csv:3: a quote begins here");
    let cut = "{\"version\": 4,\n\"terraform_version\": \"1.9.5\",\n\"resources\": [{";
    refused("cut.tfstate", cut, &["--org", "acme"], "cut.tfstate:3: this is not valid YAML or JSON");
    let level = |n: usize| format!("  l{n}: &l{n} [{}]\n", vec![format!("*l{}", n - 1); 9].join(", "));
    let levels = (1..9).map(level).collect::<Vec<_>>().concat();
    let bomb = format!("orgs:\n  l0: &l0 [x, x, x, x, x, x, x, x, x]\n{levels}");
    refused("bomb.yaml", &bomb, &[], "anchors and aliases expand to more than 1000000 values");
    let itself = "orgs:\n  acme:\n    teams: &all\n      Core: {teams: *all}\n";
    refused("cycle.yaml", itself, &[], "cycle.yaml:4: orgs.acme.teams.Core.teams: this alias refers to");
    let twice = "orgs:\n  acme:\n    teams:\n      Core: {}\n      Docs:\n        teams: {core: {}}\n";
    refused(
        "twice.yaml",
        twice,
        &[],
        "twice.yaml:6: orgs.acme.teams.Docs.teams.core: the slug of this team is \"core\"",
    );
    let both = "orgs:\n  acme:\n    admins: [max]\n    members:\n    - olivia\n    - max\n";
    refused("both.yaml", both, &[], "both.yaml:6: orgs.acme.members[1]: \"max\" is both");
    self::refused(
        &place,
        ("program.yaml", b"\x7fELF\x02\x01\x01\x00\xff\xfe\n"),
        &[],
        "program.yaml:1: not valid UTF-8",
    );
}

#[test]
fn decision_74_files_that_would_take_everything_are_refused() {
    let place = base();
    let before = export(&place);
    let apply = |content: &str, flags: &[&str]| {
        let file = place.database.directory().join("desired.yaml");
        fs::write(&file, content).expect("to write");
        let (code, _, err) = outcome(&place.run(&[&["apply", "--yes", file.to_str().expect("text")], flags].concat()));
        assert_eq!((code, export(&place)), (1, before.clone()), "{err}");
        err
    };
    let nothing = "orgs: {acme: {members: [], repos: {}, teams: {}}}";
    assert!(
        apply(nothing, &["--prune"])
            .contains("of 7 memberships and grants would go, which is more than --max-removals 25%")
    );
    let ownerless = apply("orgs:\n  acme:\n    admins: []\n", &["--prune", "--owners"]);
    assert!(
        ownerless.contains("desired.yaml:2: orgs.acme: the organization would have no active owner"),
        "{ownerless}"
    );
    let swapped = "orgs: {acme: {admins: [max, nina, tom], members: [olivia]}}";
    assert!(apply(swapped, &["--prune"]).contains("max: the change needs --owners. Nothing was changed"));
    let typed = apply("orgs: {acme: {admins: [olivia, olvia]}}", &["--owners"]);
    assert!(
        typed.contains("desired.yaml:1: orgs.acme: \"olvia\" has no account") && typed.contains("\"olivia\"?"),
        "{typed}"
    );
    place.must_be_well();
}

#[test]
fn decision_74_a_file_of_100_megabytes_is_refused_in_bounded_memory() {
    let place = base();
    let before = export(&place);
    let file = place.database.directory().join("large.yaml");
    fs::write(&file, format!("orgs:\n  acme:\n    description: \"{}\"\n", "x".repeat(100 << 20))).expect("to write");
    for command in ["plan", "apply", "import"] {
        let program = place.command(&[command, file.to_str().expect("text")]);
        let words: Vec<String> = [program.get_program()]
            .into_iter()
            .chain(program.get_args())
            .map(|word| word.to_str().expect("text").to_owned())
            .collect();
        let mut limited = Command::new("sh");
        limited.env_clear().args(["-c", "ulimit -v 3000000 && exec \"$@\"", "sh"]).args(&words);
        let (code, _, err) = outcome(&limited.output().expect("the program runs"));
        assert!(code == 1 && err.contains("large.yaml:3: orgs.acme.description: "), "{command}: {code} {err}");
    }
    let larger = fs::OpenOptions::new().write(true).open(&file).expect("the file");
    larger.set_len(300 << 20).expect("a larger file");
    let (code, _, err) = outcome(&place.run(&["plan", file.to_str().expect("text")]));
    assert!(code == 1 && err.contains("the file is larger than 256 MiB"), "{err}");
    fs::remove_file(&file).expect("to remove it");
    assert_eq!(export(&place), before);
}
