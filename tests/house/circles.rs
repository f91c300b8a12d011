//! No two files of `src` import each other, directly or through others.
//!
//! A module is above the files below it, as `mod.rs` is: its imports from them are not counted, their imports from it
//! are.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fs;

use crate::paths::{Crate, Module};
use crate::tree::{files, root};

type Imports = BTreeMap<Module, BTreeSet<Module>>;

/// The imports between the files of these texts, except those of a module from the files below it.
fn imports<'a>(texts: impl IntoIterator<Item = (&'a str, &'a str)>) -> Imports {
    let mut imports = Crate::read(texts).imports();
    for (module, taken) in &mut imports {
        taken.retain(|other| !other.starts_with(module));
    }
    imports
}

/// Cycles, each the shortest from one of its files back to it; no file is in two of them.
fn circles(imports: &Imports) -> Vec<String> {
    let mut known = BTreeSet::new();
    let mut found = Vec::new();
    for start in imports.keys() {
        let Some(way) = way_back(imports, start).filter(|way| way.iter().all(|module| !known.contains(module))) else {
            continue;
        };
        let names: Vec<String> = way.iter().chain([start]).map(|module| module.join("::")).collect();
        found.push(names.join(" -> "));
        known.extend(way);
    }
    found
}

/// The shortest path from a file through its imports back to itself.
fn way_back(imports: &Imports, start: &Module) -> Option<Vec<Module>> {
    let mut seen = BTreeSet::new();
    let mut ways = VecDeque::from([vec![start.clone()]]);
    while let Some(way) = ways.pop_front() {
        for next in imports.get(way.last()?).into_iter().flatten() {
            if next == start {
                return Some(way);
            }
            if seen.insert(next) {
                ways.push_back([&way[..], std::slice::from_ref(next)].concat());
            }
        }
    }
    None
}

#[test]
fn no_files_import_each_other_in_a_circle() {
    let source = root().join("src");
    let rust = files(&source).into_iter().filter(|path| path.extension().is_some_and(|end| end == "rs"));
    let texts: Vec<(String, String)> = rust
        .map(|path| {
            let text = fs::read_to_string(&path).unwrap();
            (path.strip_prefix(&source).unwrap().to_str().unwrap().to_owned(), text)
        })
        .filter(|(path, _)| path != "main.rs")
        .collect();
    let imports = imports(texts.iter().map(|(path, text)| (path.as_str(), text.as_str())));
    let seen: usize = imports.values().map(BTreeSet::len).sum();
    assert!(seen > 3 * imports.len(), "the test does not see who imports whom: {seen} imports");
    let found = circles(&imports);
    assert!(found.is_empty(), "move what both need to where it belongs: {found:#?}");
}

#[test]
fn a_circle_is_found_however_it_is_written() {
    for (name, one, other) in [
        ("crate", "use crate::b::Two;\npub struct One;", "use crate::a::One;\npub struct Two;"),
        ("super", "use super::b::{self, Two as Second};\npub fn one() {}", "fn two() { super::a::one() }"),
        ("self", "pub fn one() { crate::b::two() }", "use crate::{c, a::{self as first}};\nfn two() { first::one() }"),
        (
            "a macro",
            "pub fn one() { crate::b::two() }",
            "macro_rules! m { () => { $crate::a::one() } }\npub fn two() {}",
        ),
        ("a glob", "pub use crate::b::*;\npub struct One;", "use crate::a::One;\npub struct Two;"),
        ("tests", "pub fn one() { crate::b::two() }", "pub fn two() {}\nmod tests {\n use super::super::a::one;\n}"),
    ] {
        let found =
            circles(&imports([("lib.rs", "mod a;\nmod b;\nmod c;"), ("a.rs", one), ("b.rs", other), ("c.rs", "")]));
        assert_eq!(found, ["a -> b -> a"], "{name}");
    }
}

#[test]
fn a_circle_is_found_through_others_and_through_what_they_re_export() {
    let three = [
        ("a.rs", "use crate::b::Two;\npub struct One;"),
        ("b.rs", "use crate::c::Three;\npub struct Two;"),
        ("c.rs", "use crate::a::One;\npub struct Three;"),
    ];
    assert_eq!(circles(&imports(three)), ["a -> b -> c -> a"]);
    let door = [
        ("room/mod.rs", "mod a;\nmod b;\npub use a::One;\npub use b::Two;"),
        ("room/a.rs", "use super::Two;\npub struct One;"),
        ("room/b.rs", "use crate::room;\npub struct Two(room::One);"),
    ];
    assert_eq!(circles(&imports(door)), ["room::a -> room::b -> room::a"]);
}

#[test]
fn no_circle_is_found_where_there_is_none() {
    let apart = [
        (
            "a.rs",
            "use crate::b::Two;\n// use crate::c;\nconst TEXT: &str = \"crate::c::Three \\\" crate::c\";\npub struct One;",
        ),
        ("b.rs", "use crate::c::Three;\nuse std::a::One;\npub struct Two;"),
        (
            "c.rs",
            "/* crate::a::One */\nconst RAW: &str = r#\"crate::a::One\"#;\nconst C: char = '\"';\npub struct Three;",
        ),
        ("room/mod.rs", "mod below;\npub struct Above(below::Below);"),
        ("room/below.rs", "use super::Above;\npub struct Below;"),
    ];
    let imports = imports(apart);
    assert!(circles(&imports).is_empty(), "{imports:?}");
    let taken = |name: &str| imports[&vec![name.to_owned()]].iter().map(|module| module.join("::")).collect::<Vec<_>>();
    assert_eq!((taken("a"), taken("b"), taken("c")), (vec!["b".to_owned()], vec!["c".to_owned()], vec![]));
}
