//! All that the database holds, as text, to see whether anything changed.

use std::sync::OnceLock;

use super::World;
use super::database::Database;

/// What two worlds that went through the same requests still do not share.
const OF_THIS_WORLD: [&str; 4] = ["request_id", "hash", "last_eight", "applied_at"];

/// Every row of every table.
pub fn everything(world: &World) -> String {
    static STATEMENTS: OnceLock<Vec<&str>> = OnceLock::new();
    read(world, STATEMENTS.get_or_init(|| statements(&[])))
}

/// The same without what is random, to compare two worlds.
pub fn comparable(world: &World) -> String {
    static STATEMENTS: OnceLock<Vec<&str>> = OnceLock::new();
    read(world, STATEMENTS.get_or_init(|| statements(&OF_THIS_WORLD)))
}

/// The lines that are in only one of two dumps.
pub fn difference(before: &str, after: &str) -> String {
    let only = |sign: &str, of: &str, other: &str| -> Vec<String> {
        let known: std::collections::HashSet<&str> = other.lines().collect();
        of.lines().filter(|line| !known.contains(line)).map(|line| format!("{sign} {line}")).collect()
    };
    [only("-", before, after), only("+", after, before)].concat().join("\n")
}

fn read(world: &World, statements: &'static [&'static str]) -> String {
    let lines = world.block_on(world.db.read(move |tx| {
        let mut lines = Vec::new();
        for statement in statements {
            lines.extend(tx.all::<(String,)>(statement, &[])?);
        }
        Ok(lines)
    }));
    lines.expect("the tables can be read").into_iter().map(|line| line.0 + "\n").collect()
}

/// One statement a table that makes a line of text of each row.
fn statements(without: &[&str]) -> Vec<&'static str> {
    let schema = concat!(env!("CARGO_MANIFEST_DIR"), "/schema");
    let mut files: Vec<_> = std::fs::read_dir(schema).expect("schema/").map(|f| f.expect("a file").path()).collect();
    files.sort();
    let sql: String = files.iter().map(|file| std::fs::read_to_string(file).expect("a migration")).collect();
    let tables = sql.split("CREATE TABLE ").skip(1).map(|text| {
        let (name, rest) = text.split_once(" (").expect("a table");
        let body = rest.split("\n);").next().expect("its columns");
        let columns = body.lines().filter_map(|line| column(line.trim())).filter(|(name, _)| !without.contains(name));
        let texts: Vec<String> = columns.map(|(name, kind)| text_of(name, kind)).collect();
        let statement = format!("SELECT '{name}: ' || {} FROM {name} ORDER BY 1", texts.join(" || ' | ' || "));
        &*Box::leak(statement.into_boxed_str())
    });
    let tables: Vec<&str> = tables.collect();
    assert!(tables.len() > 15, "the tables of the schema are found");
    tables
}

/// A column's name and type; nothing for constraints and comments.
fn column(line: &str) -> Option<(&str, &str)> {
    let (name, rest) = line.split_once(' ')?;
    let is_name = name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
    is_name.then(|| (name, rest.split([' ', ',']).next().unwrap_or_default()))
}

fn text_of(name: &str, kind: &str) -> String {
    let text = match (kind, Database::is_postgres()) {
        ("{bytes}", true) => format!("encode({name}, 'hex')"),
        ("{bytes}", false) => format!("hex({name})"),
        _ => format!("CAST({name} AS TEXT)"),
    };
    format!("coalesce({text}, '-')")
}
