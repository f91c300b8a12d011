//! All that the database holds, as text, to see whether anything changed.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use super::World;
use super::database::Database;

/// The columns that differ between two worlds that went through the same requests.
const OF_THIS_WORLD: [&str; 6] = ["request_id", "hash", "last_eight", "applied_at", "secret", "credentials"];

/// Every row of every table.
pub fn everything(world: &World) -> String {
    static STATEMENT: OnceLock<String> = OnceLock::new();
    read(world, STATEMENT.get_or_init(|| statement(world, &[])))
}

/// The same without what is random, to compare two worlds.
pub fn comparable(world: &World) -> String {
    static STATEMENT: OnceLock<String> = OnceLock::new();
    read(world, STATEMENT.get_or_init(|| statement(world, &OF_THIS_WORLD)))
}

/// The lines that are in only one of two dumps.
pub fn difference(before: &str, after: &str) -> String {
    let only = |sign: &str, of: &str, other: &str| -> Vec<String> {
        let known: std::collections::HashSet<&str> = other.lines().collect();
        of.lines().filter(|line| !known.contains(line)).map(|line| format!("{sign} {line}")).collect()
    };
    [only("-", before, after), only("+", after, before)].concat().join("\n")
}

fn read(world: &World, statement: &'static str) -> String {
    let lines = world.block_on(world.db.read(move |tx| tx.all::<(String,)>(statement, &[])));
    lines.expect("the tables can be read").into_iter().map(|line| line.0 + "\n").collect()
}

/// The statement that makes a line of text of each row of each table. One for all: some tests read everything thousands of
/// times.
fn statement(world: &World, without: &[&str]) -> String {
    // The database says what it holds: the files of the schema may be newer than the program that made it.
    let columns: Vec<(String, String, String)> = world.rows(if Database::is_postgres() { POSTGRES } else { SQLITE });
    let mut tables: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (table, column, kind) in columns {
        let texts = tables.entry(table).or_default();
        if !without.contains(&column.as_str()) {
            texts.push(text_of(&column, &kind));
        }
    }
    assert!(tables.len() > 15, "the tables are found");
    let lines = |(name, texts): (&String, &Vec<String>)| {
        format!("SELECT '{name}: ' || {} FROM {name}", texts.join(" || ' | ' || "))
    };
    let all: Vec<String> = tables.iter().map(lines).collect();
    all.join(" UNION ALL ") + " ORDER BY 1"
}

const POSTGRES: &str = "
    SELECT CAST(table_name AS TEXT), CAST(column_name AS TEXT), CAST(data_type AS TEXT)
    FROM information_schema.columns
    WHERE table_schema = current_schema()
    ORDER BY table_name, ordinal_position";

const SQLITE: &str = "
    SELECT t.name, c.name, c.type
    FROM sqlite_master t, pragma_table_info(t.name) c
    WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%'
    ORDER BY t.name, c.cid";

fn text_of(column: &str, kind: &str) -> String {
    let text = match kind {
        "bytea" => format!("encode({column}, 'hex')"),
        "BLOB" => format!("hex({column})"),
        _ => format!("CAST({column} AS TEXT)"),
    };
    format!("coalesce({text}, '-')")
}
