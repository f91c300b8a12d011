//! Every numbered rule of `SPEC.md` has a test with its number.

use std::collections::BTreeSet;
use std::fs;

use crate::spec;
use crate::tree::{files, root};

/// Rules that no request can show, so that no test over HTTP has their number. This list only gets shorter.
const WITHOUT_A_TEST: &[(&str, u32)] = &[];

/// The names of the tests in `tests/service/spec`.
fn tests() -> Vec<String> {
    let mut names = Vec::new();
    for path in files(&root().join("tests/service/spec")) {
        let text = fs::read_to_string(path).unwrap();
        let mut is_test = false;
        for line in text.lines().map(str::trim) {
            if let Some(rest) = line.strip_prefix("fn ").filter(|_| is_test) {
                names.push(rest.split('(').next().unwrap().to_owned());
            }
            is_test = line == "#[test]" || is_test && line.starts_with("#[");
        }
    }
    assert!(!names.is_empty(), "there are no tests in tests/service/spec");
    names
}

/// The rule that a test's name refers to.
fn rule_of(test: &str) -> Option<(&'static str, u32)> {
    let (prefix, numbers) = spec::sections().into_iter().find(|(p, _)| test.starts_with(&format!("{p}_")))?;
    let (number, sentence) = test[prefix.len() + 1..].split_once('_')?;
    let number = number.parse().ok().filter(|number| numbers.contains(number))?;
    (!sentence.is_empty()).then_some((prefix, number))
}

#[test]
fn every_test_of_the_specification_names_its_rule() {
    let unnumbered = spec::unnumbered();
    let is_named = |test: &String| {
        rule_of(test).is_some()
            || unnumbered.iter().any(|p| test.strip_prefix(p).is_some_and(|sentence| sentence.starts_with('_')))
    };
    let nameless: Vec<String> = tests().into_iter().filter(|test| !is_named(test)).collect();
    assert!(nameless.is_empty(), "name these as section 1 of SPEC.md says, prefix_number_sentence: {nameless:#?}");
}

#[test]
fn every_rule_that_is_built_has_a_test() {
    let tested: BTreeSet<(&str, u32)> = tests().iter().filter_map(|test| rule_of(test)).collect();
    let mut untested = Vec::new();
    for (prefix, numbers) in spec::sections() {
        let missing = spec::not_built(prefix);
        for number in numbers {
            let exempt = missing.get(number.to_string().as_str()) == Some(&true);
            let excused = WITHOUT_A_TEST.contains(&(prefix, number));
            match tested.contains(&(prefix, number)) {
                true => assert!(!exempt && !excused, "{prefix} {number} has a test: shorten the list that excuses it"),
                false if !exempt && !excused => untested.push(format!("{prefix}_{number}")),
                false => {}
            }
        }
    }
    assert!(untested.is_empty(), "no test in tests/service/spec bears these numbers: {untested:?}");
}

#[test]
fn what_is_not_built_yet_is_named_in_the_specification() {
    let sections = spec::sections();
    for (prefix, numbers) in &sections {
        for entry in spec::not_built(prefix).keys() {
            let number: u32 = entry.parse().unwrap();
            assert!(numbers.contains(&number), "section 16 names {prefix} {number}, which is no rule");
        }
    }
}
