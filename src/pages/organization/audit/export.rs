//! The entries of the audit log that the filters let through, as a file.

use serde_json::{Value, json};

use super::filters::Filters;
use super::{At, Entry, read};
use crate::error::{Error, Result};
use crate::pages::guest::Guest;
use crate::pages::layout::Shown;

/// The most entries of a file, so that one visit takes bounded time and memory.
const MOST: usize = 5_000;

/// The number of entries that are read at a time.
const PART: u64 = 100;

/// Answers a visit to the file: JSON, or CSV for spreadsheets.
pub(in crate::pages) async fn answer(guest: &Guest<'_>, at: At<'_>) -> Result<Shown> {
    if guest.has_form() {
        return Err(Error::NotFound);
    }
    let filters = Filters::read(guest, at);
    let (mut entries, mut cursor) = (Vec::new(), None);
    loop {
        let part = read(guest, at, &filters, cursor, PART).await?;
        entries.extend(part.entries);
        match part.older {
            Some(older) if entries.len() < MOST => cursor = Some(("after", older)),
            _ => break,
        }
    }
    entries.truncate(MOST);
    match guest.query("as").as_str() {
        "json" => Ok(Shown::file(as_json(&entries), "application/json", "audit-log.json".to_owned())),
        "csv" => Ok(Shown::file(as_csv(&entries), "text/csv; charset=utf-8", "audit-log.csv".to_owned())),
        _ => Err(Error::NotFound),
    }
}

fn as_json(entries: &[Entry]) -> String {
    let records: Vec<Value> = entries.iter().map(|of| {
        json!({
            "entry": of.number, "created_at": of.at().to_string(), "action": of.action, "actor": of.actor,
            "impersonator": of.impersonator, "actor_ip": of.actor_ip, "user": of.user, "team": of.team, "repo": of.repo,
            "request_id": of.request_id, "before": of.before, "after": of.after,
        })
    }).collect();
    Value::Array(records).to_string()
}

fn as_csv(entries: &[Entry]) -> String {
    let mut text =
        "Entry,Time,Action,Actor,Site administrator,IP address,Person,Team,Repository,Request,Before,After\r\n"
            .to_owned();
    for of in entries {
        let optional = |value: &Option<String>| value.clone().unwrap_or_default();
        let values = |value: &Value| if value.is_null() { String::new() } else { value.to_string() };
        let cells = [
            of.number.to_string(),
            of.at().to_string(),
            of.action.clone(),
            optional(&of.actor),
            optional(&of.impersonator),
            optional(&of.actor_ip),
            optional(&of.user),
            optional(&of.team),
            optional(&of.repo),
            of.request_id.clone(),
            values(&of.before),
            values(&of.after),
        ];
        text.push_str(&cells.map(|cell| quoted(&cell)).join(","));
        text.push_str("\r\n");
    }
    text
}

/// A cell. A spreadsheet runs what begins like a formula, so that begins with an apostrophe.
fn quoted(cell: &str) -> String {
    let is_formula = cell.starts_with(['=', '+', '-', '@', '\t', '\r']);
    format!("\"{}{}\"", if is_formula { "'" } else { "" }, cell.replace('"', "\"\""))
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn cells_are_quoted_and_are_no_formulas() {
        let cells = ["plain", "a \"b\", c", "=1+1", "@x", ""].map(quoted);
        assert_eq!(cells, ["\"plain\"", "\"a \"\"b\"\", c\"", "\"'=1+1\"", "\"'@x\"", "\"\""]);
    }
}
