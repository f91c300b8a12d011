//! Entries of the audit log as lines: for people, or as JSON.

use std::io::{BufWriter, Write};

use serde_json::Value;

use crate::audit::entry::AuditEntry;
use crate::cli::{Failure, in_one_line};
use crate::clock::Time;

/// Prints each entry on a line.
pub(super) fn lines(entries: &[AuditEntry], json: bool) -> Result<(), Failure> {
    let mut out = BufWriter::new(std::io::stdout().lock());
    for entry in entries {
        if json {
            serde_json::to_writer(&mut out, entry).map_err(std::io::Error::from)?;
        } else {
            out.write_all(line(entry).as_bytes())?;
        }
        out.write_all(b"\n")?;
    }
    Ok(out.flush()?)
}

/// `2026-01-31T12:00:00Z team.add_member actor=olivia user=max …`; fields that an entry lacks are left out.
fn line(entry: &AuditEntry) -> String {
    let number = |number: Option<i64>| number.map(|number| number.to_string());
    let values = |values: &Value| (!values.is_null()).then(|| values.to_string());
    let named = [
        ("actor", Some(entry.actor.clone().unwrap_or_else(|| "-".to_owned()))),
        ("impersonator", entry.impersonator.clone()),
        ("user", entry.user.clone()),
        ("team", entry.team.clone()),
        ("repo", entry.repo.clone()),
        ("token", number(entry.token_id)),
        ("request", Some(entry.request_id.clone())),
        ("address", entry.actor_ip.clone()),
        ("before", values(&entry.before)),
        ("after", values(&entry.after)),
    ];
    let time = Time(entry.timestamp.saturating_mul(1_000)).to_string();
    let named = named.into_iter().filter_map(|(name, value)| value.map(|value| format!("{name}={value}")));
    let words: Vec<String> = [time, entry.action.clone()].into_iter().chain(named).collect();
    in_one_line(&words.join(" "))
}
