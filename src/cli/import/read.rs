//! Reads the organizations of a file, up to a maximum size, and detects the format by its content (decision 50: a file
//! is read and checked completely before anything changes).

use std::fs::File;
use std::io::Read;
use std::path::Path;

use super::cursor::Cursor;
use super::desired::Org;
use super::document;
use super::fault::Fault;
use super::{peribolos, team_org};

/// The largest file, in bytes.
const LARGEST: u64 = 256 * 1024 * 1024;

/// Reads and checks one file.
pub fn read(path: &Path) -> Result<Vec<Org>, Fault> {
    let file = path.display().to_string();
    let mut orgs = content(path).and_then(|text| orgs(&text)).map_err(|fault| fault.in_file(&file))?;
    for org in &mut orgs {
        org.file.clone_from(&file);
    }
    Ok(orgs)
}

fn orgs(text: &str) -> Result<Vec<Org>, Fault> {
    let root = document::parse(text)?;
    let top = Cursor::top(&root);
    let mut keys = top.entries()?.map(|(key, _)| key);
    match keys.find(|key| matches!(*key, "format" | "orgs")) {
        Some("orgs") => peribolos::read(&top),
        Some(_) => team_org::read(&top).map(|org| vec![org]),
        None => Err(top.fault(
            "unknown format; expected peribolos YAML (top-level key \"orgs\") or team-org/1 (top-level key \"format\")",
        )),
    }
}

/// The text of a file.
pub(super) fn content(path: &Path) -> Result<String, Fault> {
    let unreadable = |error: std::io::Error| Fault::new(0, "", format!("cannot read the file: {error}"));
    let file = File::open(path).map_err(unreadable)?;
    let size = file.metadata().map_err(unreadable)?.len();
    let mut bytes = Vec::new();
    if size <= LARGEST {
        file.take(LARGEST + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    }
    if size.max(bytes.len() as u64) > LARGEST {
        return Err(Fault::new(0, "", "the file is larger than 256 MiB; use one file per organization"));
    }
    String::from_utf8(bytes).map_err(|error| {
        let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = valid.iter().fold(1, |line: u32, byte| line.saturating_add(u32::from(*byte == b'\n')));
        Fault::new(line, "", "not valid UTF-8; save the file as UTF-8")
    })
}
