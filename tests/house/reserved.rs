//! The reserved logins have the first word of every path (decision 22).

use std::collections::BTreeSet;

use guildhall::people::reserved::WORDS;
use guildhall::{operations, page_operations, sync};

/// Files that match paths which are no operations.
const FILES: [&str; 5] = [
    include_str!("../../src/http/edge.rs"),
    include_str!("../../src/http/health.rs"),
    include_str!("../../src/http/address.rs"),
    include_str!("../../src/pages/answer.rs"),
    include_str!("../../src/http/for_people.rs"),
];

/// The first word of a path, unless it is a parameter.
fn first(path: &str) -> Option<String> {
    let word = path.split('/').nth(1)?.to_owned();
    (!word.is_empty() && !word.contains(['{', '}', '"', ' '])).then_some(word)
}

/// The first words of the paths in the code of a file, without its tests.
fn in_code(text: &str) -> BTreeSet<String> {
    let code = text.split("#[cfg(test)]").next().unwrap();
    let paths = code.split('"').skip(1).step_by(2).filter(|literal| literal.starts_with('/'));
    paths.filter_map(first).collect()
}

#[test]
fn every_path_begins_with_a_reserved_word() {
    let rows = operations::operations()
        .into_iter()
        .chain(sync::routes::operations())
        .chain(page_operations::page_operations());
    let forms: Vec<String> = rows.flat_map(|row| row.forms).collect();
    let pages = forms.iter().filter_map(|form| form.strip_prefix("/ui"));
    let mut words: BTreeSet<String> = forms.iter().map(String::as_str).chain(pages).filter_map(first).collect();
    assert!(words.len() > 15, "the test sees the rows: {words:?}");
    words.extend(FILES.iter().flat_map(|text| in_code(text)));
    // Pages are matched by their segments.
    let rooms = FILES[3].split_once("fn in_room").expect("the rooms").1;
    let patterns = rooms.lines().filter_map(|line| line.trim().strip_prefix("[\"")?.split_once("=>"));
    let segments = patterns.flat_map(|(pattern, _)| pattern.split([',', ']']).next().unwrap_or_default().split('|'));
    words.extend(segments.map(|segment| segment.trim().trim_matches('"').to_owned()));
    for known in ["docs", "healthz", "assets", "graphql", "openapi.json", "api", "ui", "invitations"] {
        assert!(words.contains(known), "the test does not see /{known}: {words:?}");
    }
    let free: Vec<&String> = words.iter().filter(|word| !WORDS.contains(&word.to_lowercase().as_str())).collect();
    assert!(free.is_empty(), "add these to src/people/reserved.rs: {free:?}");
}
