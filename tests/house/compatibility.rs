//! `docs/compatibility.md` is complete, and says what `docs/compatibility.json` says, which it is made from.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use guildhall::operations::operations;
use serde_json::{Map, Value};

/// A row of the page: its first cell, the client that the column is of, and the cell.
type Cells = BTreeMap<(String, String), String>;

fn kept() -> Map<String, Value> {
    serde_json::from_str(&fs::read_to_string("docs/compatibility.json").unwrap()).unwrap()
}

fn page() -> String {
    fs::read_to_string("docs/compatibility.md").unwrap()
}

/// The names in an array of `scripts/conformance`.
fn names(array: &str) -> BTreeSet<String> {
    let script = fs::read_to_string("scripts/conformance").unwrap();
    let begin = format!("\n{array}=(");
    let rest = script.split_once(&begin).unwrap_or_else(|| panic!("no array {array}")).1;
    rest.split_once(')').unwrap().0.split_whitespace().map(str::to_owned).collect()
}

fn cells_of(line: &str) -> Vec<String> {
    let line = line.trim_start_matches('|').trim_end_matches('|');
    line.split(" | ").map(|cell| cell.trim().to_owned()).collect()
}

/// The cells of the tables with one column for each client, and the titles of the clients that have a row or a column.
fn tables() -> (Cells, BTreeSet<String>, BTreeSet<String>) {
    let (mut cells, mut summarized, mut columns) = (Cells::new(), BTreeSet::new(), BTreeSet::new());
    let mut head = Vec::new();
    for line in page().lines() {
        if !line.starts_with('|') {
            head.clear();
        } else if head.is_empty() {
            head = cells_of(line);
        } else if !line.starts_with("|---") {
            let row = cells_of(line);
            assert_eq!(row.len(), head.len(), "{line}");
            match head[0].as_str() {
                "Client" => drop(summarized.insert(row[0].clone())),
                "Operation" | "Part of the story" => {
                    let what = row[0].split(": ").next().unwrap().to_owned();
                    for (title, cell) in head.iter().zip(&row).skip(1) {
                        columns.insert(title.clone());
                        cells.insert((what.clone(), title.clone()), cell.clone());
                    }
                }
                _ => {}
            }
        }
    }
    (cells, summarized, columns)
}

fn title(client: &Value) -> String {
    client["title"].as_str().unwrap().to_owned()
}

/// The clients that work through the story of teams, with what they showed. The others are measured.
fn driven() -> Vec<Value> {
    kept().into_iter().map(|(_, client)| client).filter(|client| client["group"] != "Timed").collect()
}

#[test]
fn the_compatibility_page_has_every_client_that_can_be_driven() {
    let all: BTreeSet<String> = names("names").union(&names("timed")).cloned().collect();
    let kept = kept();
    assert_eq!(kept.keys().cloned().collect::<BTreeSet<_>>(), all, "run ./scripts/conformance");
    assert!(names("quick").is_subset(&all));
    let (_, summarized, columns) = tables();
    for client in driven() {
        assert!(summarized.contains(&title(&client)), "{} has no row", title(&client));
        assert!(client.get("why").is_some() || columns.contains(&title(&client)), "{} has no column", title(&client));
    }
    for name in names("timed") {
        let measured = format!("\n| {}: ", title(&kept[&name]));
        assert!(page().contains(&measured), "{name} has no measurement");
    }
}

#[test]
fn the_compatibility_page_names_every_operation() {
    let page = page();
    let known: BTreeSet<String> = operations().iter().map(|row| row.name.to_owned()).collect();
    let (absent, driven) = (page.split_once("\n## Not called by any of these clients\n").unwrap().1, driven());
    let called: BTreeSet<&String> =
        driven.iter().filter_map(|client| client["operations"].as_object()).flat_map(Map::keys).collect();
    let unknown: Vec<_> = called.iter().filter(|name| **name != "graphql" && !known.contains(**name)).collect();
    assert!(unknown.is_empty(), "the page names operations that do not exist: {unknown:?}");
    let (cells, ..) = tables();
    for name in &known {
        let shown = format!("`{name}`");
        let has_row = cells.keys().any(|(what, _)| *what == shown);
        assert!(has_row || !called.contains(name), "{name} is called, but has no row");
        assert_eq!(absent.contains(&shown), !called.contains(name), "{name}: run table.py write");
    }
}

#[test]
fn the_compatibility_page_says_what_the_runs_have_shown() {
    let (cells, ..) = tables();
    let mut said = 0;
    for client in driven() {
        let shown = |kind: &str| client[kind].as_object().cloned().unwrap_or_default();
        let operations = shown("operations").into_iter().map(|(name, why)| (format!("`{name}`"), why));
        for (what, why) in shown("parts").into_iter().chain(operations) {
            let wanted = if why.is_null() { "works" } else { "failed" };
            let cell = cells.get(&(what.clone(), title(&client)));
            assert!(cell.is_some_and(|cell| cell.starts_with(wanted)), "{what} of {}: {cell:?}", title(&client));
            said += 1;
        }
    }
    let filled = cells.values().filter(|cell| *cell != "–").count();
    assert_eq!(said, filled, "the page has cells that no run has shown");
}

#[test]
fn the_compatibility_page_says_which_refusals_each_library_is_shown() {
    let page = page();
    let table = page.split_once("\n## Refusals\n").unwrap().1.split_once("\n## ").unwrap().0;
    let mut rows = table.lines().filter(|line| line.starts_with("| ")).map(cells_of);
    let head = rows.next().unwrap();
    let said: BTreeMap<String, Vec<String>> = rows.map(|row| (row[0].clone(), row)).collect();
    let without = ["Programs", "Signed in"];
    let is_library = |client: &Value| !without.iter().any(|group| client["group"] == *group);
    let libraries = driven().into_iter().filter(|client| is_library(client) && client.get("why").is_none());
    for client in libraries {
        let shown = client["refusals"].as_object().unwrap_or_else(|| panic!("run {} again", title(&client)));
        assert_eq!(shown.len(), head.len() - 1, "{} has other refusals than the page", title(&client));
        let row = said.get(&title(&client)).unwrap_or_else(|| panic!("{} has no row", title(&client)));
        for (refusal, cell) in head.iter().zip(row).skip(1) {
            let wanted = shown[refusal].as_str().unwrap_or("shown");
            assert_eq!(cell, wanted, "{refusal} of {}", title(&client));
            assert_ne!(cell, "not shown", "{refusal} of {}", title(&client));
        }
    }
}
