//! Every sample organization with random edits of its file: an apply makes it what the file says (decision 74).

use std::path::Path;

use guildhall::plan::apply::{Guards, Outcome};
use proptest::prelude::any;
use proptest::test_runner::{Config, TestRunner};

use super::{ALL, lines, told};
use crate::support::samples;
use crate::support::store::Store;

const LEVELS: &[&str] = &["read", "triage", "write", "maintain", "admin"];
/// Levels on everything that has levels: repositories, projects, and what an organization gives its members.
const EVERYWHERE: &[&str] = &["read", "write", "admin"];

/// The file with other descriptions and levels, and without some members of teams. Each edit depends on its line and the
/// seed.
fn edited(text: &str, seed: u64) -> String {
    let mut edited: Vec<String> = Vec::new();
    let (mut chance, mut list) = (seed | 1, "");
    for line in text.lines() {
        chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        if !line.trim_start().starts_with("- ") {
            list = line.trim_start();
        }
        let (below, nth) = (line.trim_start(), usize::try_from(chance >> 40).unwrap());
        let indent = line.len() - below.len();
        let follows_another = edited.last().is_some_and(|last| last.trim_start().starts_with("- "));
        let level = below.split_once(": ").filter(|(key, level)| *key != "role" && LEVELS.contains(level));
        edited.push(match level {
            // Without a former name in the file, the link with it still works.
            _ if list == "previously:" => line.to_owned(),
            // What a list loses is never its only item: a list without a value says nothing.
            _ if below.starts_with("- ") && indent > 4 && follows_another && nth.is_multiple_of(5) => continue,
            Some((repo, _)) if nth.is_multiple_of(3) => {
                format!("{}{repo}: {}", &line[..indent], EVERYWHERE[nth / 3 % EVERYWHERE.len()])
            }
            _ if below.starts_with("description: ") && nth.is_multiple_of(4) => {
                format!("{}description: edited {}", &line[..indent], nth % 100)
            }
            _ => line.to_owned(),
        });
    }
    edited.join("\n") + "\n"
}

fn converges(sample: &Path, seed: u64) {
    let store = Store::new();
    store.import(&[sample.to_owned()]).unwrap_or_else(|error| panic!("{error}"));
    let login = store.texts("SELECT login FROM orgs").remove(0);
    let text = edited(&store.export(&login).unwrap().0, seed);
    let file = store.file("edited.yaml", &text);
    let since = told::begin(&store);
    let plan = store.plan(std::slice::from_ref(&file), ALL).unwrap().remove(0);
    let done = store.apply(&file, ALL, Guards { max_removals: 100, min_owners: 1 });
    assert_eq!(done.unwrap_or_else(|error| panic!("{login}: {error}")), Outcome::Done(plan.clone()), "{login}");
    told::is_told(&store, &since, &plan);
    let again = store.plan(std::slice::from_ref(&file), ALL).unwrap().remove(0);
    assert_eq!(lines(&again), Vec::<String>::new(), "{login} {seed}");
    assert_eq!(store.findings(), Vec::<String>::new(), "{login} {seed}");
    let made = Store::new();
    made.import(&[file]).unwrap_or_else(|error| panic!("{login}: {error}"));
    assert_eq!(store.export(&login).unwrap().0, made.export(&login).unwrap().0, "{login} {seed}");
}

#[test]
fn decision_74_every_sample_with_random_edits_becomes_what_its_file_says() {
    let config = Config { cases: 1, failure_persistence: None, ..Config::default() };
    let outcome = TestRunner::new(config).run(&any::<u64>(), |seed| {
        for sample in samples::peribolos() {
            converges(&sample, seed);
        }
        Ok(())
    });
    outcome.unwrap_or_else(|error| panic!("{error}"));
}
