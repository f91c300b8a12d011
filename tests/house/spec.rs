//! Parses `SPEC.md`: its tables, by the grammar that each of them specifies.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

const TEXT: &str = include_str!("../../SPEC.md");

/// A table: the names of its columns, and its rows.
struct Table {
    columns: Vec<&'static str>,
    rows: Vec<Vec<&'static str>>,
}

impl Table {
    fn has(&self, columns: &[&str]) -> bool {
        self.columns == columns
    }
}

fn cells(line: &'static str) -> Vec<&'static str> {
    line.trim().trim_matches('|').split('|').map(str::trim).collect()
}

fn tables() -> Vec<Table> {
    let mut tables: Vec<Table> = Vec::new();
    let mut inside = false;
    for line in TEXT.lines() {
        match (line.starts_with('|'), inside) {
            (true, false) => tables.push(Table { columns: cells(line), rows: Vec::new() }),
            (true, true) => tables.last_mut().unwrap().rows.push(cells(line)),
            (false, _) => {}
        }
        inside = line.starts_with('|');
    }
    for table in &mut tables {
        assert!(table.rows.remove(0)[0].starts_with("---"), "a table begins with its columns: {:?}", table.columns);
        for row in &table.rows {
            assert_eq!(row.len(), table.columns.len(), "a row has as many cells as there are columns: {row:?}");
        }
    }
    tables
}

/// The rows of the tables with these columns, of which there is at least one.
fn rows(columns: &[&str]) -> Vec<Vec<&'static str>> {
    let rows: Vec<_> = tables().into_iter().filter(|table| table.has(columns)).flat_map(|table| table.rows).collect();
    assert!(!rows.is_empty(), "SPEC.md has no table with the columns {columns:?}");
    rows
}

/// The texts in backticks in a cell.
pub fn literals(cell: &'static str) -> Vec<&'static str> {
    cell.split('`').skip(1).step_by(2).collect()
}

fn literal(cell: &'static str) -> &'static str {
    literals(cell).first().copied().unwrap_or_else(|| panic!("there is no literal in {cell:?}"))
}

/// An operation of section 8.
pub struct Operation {
    pub name: &'static str,
    pub method: &'static str,
    pub forms: Vec<String>,
    pub statuses: Vec<u16>,
    /// The record of the response, and whether the response is a list of them.
    pub record: Option<(&'static str, bool)>,
    pub scopes: String,
}

/// The operations that are implemented.
pub fn operations() -> Vec<Operation> {
    let (groups, missing) = (groups(), not_built("operation"));
    let columns = [
        "#",
        "Operation",
        "Method",
        "Slug form",
        "Identifier form",
        "Legacy form",
        "Success",
        "Record",
        "Caller",
        "Scopes",
    ];
    let all = rows(&columns).into_iter().map(|row| Operation {
        name: literal(row[1]),
        method: row[2],
        forms: forms(&row[3..6]),
        statuses: row[6].split(" or ").map(|status| status.parse().unwrap()).collect(),
        record: match row[7].strip_prefix("list of ") {
            Some(record) => Some((record, true)),
            None => Some((row[7], false)).filter(|(record, _)| *record != "-"),
        },
        scopes: groups[row[9]].clone(),
    });
    all.filter(|operation| !missing.contains_key(operation.name)).collect()
}

/// The forms that a row lists, and the fourth one that every path of a team has.
fn forms(cells: &[&'static str]) -> Vec<String> {
    let named: Vec<&str> = cells.iter().flat_map(|cell| literals(cell)).collect();
    let fourth = named.first().filter(|form| form.starts_with("/orgs/{org}/teams/{team_slug}"));
    let fourth = fourth.map(|form| form.replacen("/orgs/{org}", "/organizations/{org_id}", 1));
    let mut forms: Vec<String> = named.into_iter().map(str::to_owned).chain(fourth).collect();
    forms.sort();
    forms
}

/// The header text of each scope group.
fn groups() -> BTreeMap<&'static str, String> {
    rows(&["Group", "Scopes"]).into_iter().map(|row| (row[0], literals(row[1]).join(", "))).collect()
}

/// The parameters of paths, and the type of each.
pub fn path_parameters() -> BTreeMap<&'static str, &'static str> {
    rows(&["Path parameter", "Type", "Names"]).into_iter().map(|row| (literal(row[0]), literal(row[1]))).collect()
}

/// A parameter of section 9.
#[derive(Debug, PartialEq, Eq)]
pub struct Parameter {
    pub place: String,
    pub types: Vec<String>,
    pub required: bool,
    pub default: Option<String>,
    pub allowed: Allowed,
}

/// The values that a parameter can have.
#[derive(Debug, PartialEq, Eq)]
pub enum Allowed {
    Anything,
    Of(Vec<String>),
    Range { from: i64, to: Option<i64> },
    Characters { from: i64, to: Option<i64> },
}

/// The parameters of an operation, by name. Null counts as absent, so types do not list it.
pub fn parameters(operation: &str) -> BTreeMap<String, Parameter> {
    let columns = ["Operation", "Parameter", "In", "Type", "Required", "Default", "Allowed"];
    let rows = rows(&columns).into_iter().filter(|row| literal(row[0]) == operation);
    rows.map(|row| (literal(row[1]).to_owned(), parameter(&row))).collect()
}

fn parameter(row: &[&'static str]) -> Parameter {
    let mut types: Vec<String> = row[3].replace("array of ", "").split(" or ").map(str::to_owned).collect();
    types.retain(|name| name != "null");
    if row[3].starts_with("array of ") {
        types.push("array".into());
    }
    types.sort();
    Parameter {
        place: row[2].to_owned(),
        types,
        required: row[4] == "yes",
        default: literals(row[5]).first().map(|text| (*text).to_owned()),
        allowed: allowed(row[6]),
    }
}

fn allowed(cell: &'static str) -> Allowed {
    let values = literals(cell);
    let Some((from, to)) = values.first().and_then(|value| value.split_once("..")) else {
        let mut values: Vec<String> = values.into_iter().map(str::to_owned).collect();
        values.sort();
        return if values.is_empty() { Allowed::Anything } else { Allowed::Of(values) };
    };
    let (from, to) = (from.parse().unwrap(), to.parse().ok());
    if cell.ends_with("characters") { Allowed::Characters { from, to } } else { Allowed::Range { from, to } }
}

/// True if null has a meaning for this parameter in section 9.
pub fn null_says_something(operation: &str, name: &str) -> bool {
    let columns = ["Operation", "Parameter", "In", "Type", "Required", "Default", "Allowed"];
    rows(&columns).iter().any(|row| {
        (literal(row[0]), literal(row[1])) == (operation, name) && row[3].ends_with("or null") && row[5] == "unchanged"
    })
}

/// The fields of each record of section 4, in order, and whether each may be null or absent.
pub fn records() -> BTreeMap<&'static str, Vec<(&'static str, bool)>> {
    let rows: BTreeMap<_, _> = rows(&["Record", "Fields"]).into_iter().map(|row| (row[0], literal(row[1]))).collect();
    rows.keys().map(|name| (*name, fields(name, &rows))).collect()
}

fn fields(name: &str, rows: &BTreeMap<&'static str, &'static str>) -> Vec<(&'static str, bool)> {
    let one = |field: &'static str| match (field.strip_prefix('+'), field.strip_suffix(['?', '*'])) {
        (Some(included), _) if rows.contains_key(included) => fields(included, rows),
        (_, Some(nullable)) => vec![(nullable, true)],
        _ => vec![(field, false)],
    };
    rows[name].split(' ').flat_map(one).collect()
}

/// The prefix of each section of numbered rules, and its numbers.
pub fn sections() -> Vec<(&'static str, BTreeSet<u32>)> {
    let range = |text: &str| -> RangeInclusive<u32> {
        let (first, last) = text.split_once("..").unwrap();
        first.parse().unwrap()..=last.parse().unwrap()
    };
    let numbers = |cell| literals(cell).into_iter().flat_map(range).collect();
    let rows = rows(&["Section", "Prefix", "Numbers"]);
    rows.iter().filter(|row| row[2] != "-").map(|row| (literal(row[1]), numbers(row[2]))).collect()
}

/// The prefix of each section without numbered rules.
pub fn unnumbered() -> Vec<&'static str> {
    let rows = rows(&["Section", "Prefix", "Numbers"]);
    rows.iter().filter(|row| row[2] == "-").map(|row| literal(row[1])).collect()
}

/// The entries of section 16 of one kind, and whether each is missing completely.
pub fn not_built(kind: &str) -> BTreeMap<&'static str, bool> {
    let rows = rows(&["Kind", "Entry", "Extent", "Missing"]).into_iter().filter(|row| row[0] == kind);
    rows.map(|row| (literal(row[1]), row[2] == "all")).collect()
}
