//! The walk-throughs of `CONTRIBUTING.md` are true: in their order, they apply to a copy of the repository, which then builds
//! and passes the tests that they add and those of the specification.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::snippets::{Edit, Files, apply, edits};
use crate::tree::{files, root};

/// The section that the walk-throughs are in.
const SECTION: &str = "## How to change the API";

/// The folders that the copy does not have.
const LEFT_OUT: [&str; 2] = ["target", ".git"];

/// This package, and the copy. Cargo names what it builds by the version. So the copy is built next to this package, with
/// the same dependencies, and neither replaces anything of the other.
const PACKAGE: &str = concat!("name = \"guildhall\"\nversion = \"", env!("CARGO_PKG_VERSION"), "\"");
const COPY: &str = concat!("name = \"guildhall\"\nversion = \"", env!("CARGO_PKG_VERSION"), "-walked\"");

/// The test programs of the copy have names of their own, so that the newest file with a name is never one of these.
const PROGRAMS: &str = "
[[test]]
name = \"walked_house\"
path = \"tests/house/main.rs\"

[[test]]
name = \"walked_service\"
path = \"tests/service/main.rs\"

[[test]]
name = \"walked_domain\"
path = \"tests/domain/main.rs\"
";

/// The tests that must pass in the copy: those of the specification, of files, and of migrations.
const SPECIFIED: [&str; 6] = [
    "document::",
    "rules::",
    "table::",
    "every_sample_sends_every_parameter_of_its_body",
    "an_organization_with_everything_goes_round",
    "older_schema::",
];

/// `CONTRIBUTING.md`, read anew, so that a change of it needs no build.
fn page() -> String {
    fs::read_to_string(root().join("CONTRIBUTING.md")).unwrap()
}

/// The edits of a section.
fn edits_of(page: &str, heading: &str) -> Vec<Edit> {
    let lines = page.lines().enumerate().map(|(line, text)| (line + 1, text));
    let is_heading = |line: &str| {
        let level = line.split(' ').next().unwrap_or_default();
        level.starts_with("##") && heading.starts_with(level)
    };
    let inside = lines.skip_while(|(_, line)| *line != heading).skip(1).take_while(|(_, line)| !is_heading(line));
    let edits = edits(inside);
    assert!(!edits.is_empty(), "CONTRIBUTING.md has no edits in {heading}");
    edits
}

/// The files that the walk-throughs edit.
fn edited() -> Files {
    let read = |file: &str| fs::read_to_string(root().join(file)).ok();
    apply(&edits_of(&page(), SECTION), read).unwrap_or_else(|wrong| panic!("{wrong}"))
}

#[test]
fn every_step_of_a_walk_through_applies() {
    edited();
}

#[test]
fn a_column_of_teams_touches_five_files_of_src_or_eight_and_an_event_three() {
    let touched = |section| -> BTreeSet<String> {
        let files = edits_of(&page(), section).into_iter().map(|edit| edit.file);
        files.filter(|file| file.starts_with("src/")).collect()
    };
    let column = touched("### Add a column");
    let shown: BTreeSet<String> = &column | &touched("### Show a column in GraphQL and files");
    for (files, most) in [(column, 5), (shown, 8), (touched("### Add an event"), 3)] {
        assert_eq!(files.len(), most, "{files:?}");
    }
}

/// The names of the tests that the walk-throughs add.
fn added_tests(page: &str) -> Vec<&str> {
    let lines: Vec<&str> = page.lines().map(str::trim).collect();
    let tests = lines.windows(2).filter(|pair| pair[0] == "#[test]");
    tests.filter_map(|pair| pair[1].strip_prefix("fn ")?.split('(').next()).collect()
}

/// The files of the repository, by their paths in it.
fn repository() -> Vec<PathBuf> {
    let top = fs::read_dir(root()).unwrap().map(|entry| entry.unwrap().path());
    let kept = top.filter(|path| !LEFT_OUT.iter().any(|name| path.ends_with(name)));
    let all = kept.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] });
    all.map(|path| path.strip_prefix(root()).unwrap().to_owned()).collect()
}

/// Writes the copy. What is the same as before stays untouched, so that it is not built again.
fn write_copy(to: &Path) {
    let there = repository().into_iter().map(|name| (root().join(&name), name));
    let mut wanted: BTreeMap<PathBuf, Vec<u8>> = there.map(|(path, name)| (name, fs::read(path).unwrap())).collect();
    wanted.extend(edited().into_iter().map(|(name, text)| (name.into(), text.into_bytes())));
    for (name, programs) in [("Cargo.toml", PROGRAMS), ("Cargo.lock", "")] {
        let text = fs::read_to_string(root().join(name)).unwrap();
        assert!(text.contains(PACKAGE), "{name} begins the package in another way than this test knows");
        wanted.insert(name.into(), (text.replace(PACKAGE, COPY) + programs).into_bytes());
    }
    for path in files(to).iter().filter(|path| !wanted.contains_key(path.strip_prefix(to).unwrap())) {
        fs::remove_file(path).unwrap();
    }
    for (name, text) in wanted {
        let path = to.join(name);
        if fs::read(&path).ok().as_ref() != Some(&text) {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
    }
}

/// Runs the tests with these names in the copy, and those of the specification. The dependencies are those of this build.
fn run_tests(copy: &Path, target: &Path, names: &[&str]) -> (bool, String) {
    let mut cargo = Command::new(env!("CARGO"));
    // What cargo says of the package of this test, and what `scripts/test` sets for tests, would change the dependencies.
    let is_of_this_test =
        |name: &str| ["CARGO_PKG_", "CARGO_MANIFEST_", "RUSTC_BOOTSTRAP"].iter().any(|begin| name.starts_with(begin));
    for (name, _) in env::vars().filter(|(name, _)| is_of_this_test(name)) {
        cargo.env_remove(name);
    }
    cargo.current_dir(copy).env("CARGO_TARGET_DIR", copy.with_file_name("built")).env("CARGO_BUILD_BUILD_DIR", target);
    cargo.args(["test", "--locked", "--no-fail-fast", "--test", "walked_house", "--test", "walked_service"]);
    cargo.args(["--test", "walked_domain", "--"]);
    let output = cargo.args(names).args(SPECIFIED).output().unwrap();
    let said = [output.stderr, output.stdout].concat();
    (output.status.success(), String::from_utf8_lossy(&said).into_owned())
}

#[test]
fn the_walk_throughs_build_and_their_tests_pass() {
    let target = env::current_exe().unwrap().ancestors().nth(3).unwrap().to_owned();
    let copy = target.join("contributing/source");
    fs::create_dir_all(&copy).unwrap();
    // The tests run on both engines at once.
    let lock = File::create(copy.with_file_name("lock")).unwrap();
    lock.lock().unwrap();
    write_copy(&copy);
    let (page, at) = (page(), copy.display());
    let names = added_tests(&page);
    let (success, said) = run_tests(&copy, &target, &names);
    assert!(success, "the walk-throughs of CONTRIBUTING.md do not work in {at}:\n{said}");
    let passed = |name: &str| said.lines().any(|line| line.contains(name) && line.ends_with(" ... ok"));
    let missing: Vec<_> = names.into_iter().chain(SPECIFIED).filter(|name| !passed(name)).collect();
    assert!(missing.is_empty(), "these tests did not run in {at}: {missing:?}");
}
