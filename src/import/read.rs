//! Reads the organizations of a file, up to a maximum size, and detects the format by its content (decision 50: a file
//! is read and checked completely before anything changes).

use std::fs::File;
use std::io::{Read, stdin};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::csv;
use super::cursor::Cursor;
use super::desired::Org;
use super::document;
use super::fault::{Fault, Faults};
use super::{peribolos, team_org, terraform};

/// The largest file, in bytes.
const LARGEST: u64 = 256 * 1024 * 1024;

/// The name of standard input on the command line.
const STANDARD_INPUT: &str = "-";

/// The text of a file, and the name under which messages show it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Source {
    /// The file, as it was named on the command line.
    pub file: String,
    /// Its text.
    pub text: String,
}

impl Source {
    /// The same without what is not read of Terraform state, so that it can be stored and sent.
    #[must_use]
    pub fn without_secrets(self) -> Self {
        Self { text: terraform::without_secrets(self.text), ..self }
    }
}

/// Reads the text of a file. An error is added.
pub fn source(path: &Path, faults: &Faults) -> Option<Source> {
    let (file, text) = if path == Path::new(STANDARD_INPUT) {
        ("standard input".to_owned(), limited(stdin()))
    } else {
        (path.display().to_string(), content(path))
    };
    let text = faults.keep(text.map_err(|fault| fault.in_file(&file)))?;
    Some(Source { file, text })
}

/// Reads and checks one file, and adds its errors. `org` is the login for a file that describes one organization without
/// naming it.
pub fn read(path: &Path, org: Option<&str>, faults: &Faults) -> Vec<Org> {
    source(path, faults).map(|source| parse(&source, org, faults)).unwrap_or_default()
}

/// Checks the text of a file, and adds its errors.
pub fn parse(source: &Source, org: Option<&str>, faults: &Faults) -> Vec<Org> {
    named(source, (org, true), faults)
}

/// The same, where the login is only for a file that does not name its organization.
pub fn parse_for(source: &Source, org: &str, faults: &Faults) -> Vec<Org> {
    named(source, (Some(org), false), faults)
}

fn named(source: &Source, org: (Option<&str>, bool), faults: &Faults) -> Vec<Org> {
    let own = Faults::default();
    let mut orgs = match org.0 {
        _ if !csv::is_csv(&source.file, &source.text) => orgs(&source.text, org, &own),
        Some(login) => csv::read(&source.text, login, &own).into_iter().collect(),
        None => {
            own.add(Fault::new(0, "", "CSV names no organization; give its login with --org"));
            Vec::new()
        }
    };
    for org in &mut orgs {
        org.file.clone_from(&source.file);
    }
    faults.extend(own.in_file(&source.file));
    orgs
}

fn orgs(text: &str, (org, must_be_unnamed): (Option<&str>, bool), faults: &Faults) -> Vec<Org> {
    let Some(root) = faults.keep(document::parse(text)) else { return Vec::new() };
    let top = Cursor::top(&root, faults);
    let named = top.entries().find(|(key, _)| matches!(*key, "format" | "orgs" | terraform::MARK));
    match (named, org) {
        _ if !faults.is_empty() => {}
        (Some((terraform::MARK, at)), Some(_)) if !terraform::is_json(text) => {
            at.wrong("Terraform state is JSON, and this file is not; use the one that Terraform has written");
        }
        (Some((terraform::MARK, _)), Some(login)) => return terraform::read(&top, login).into_iter().collect(),
        (Some((terraform::MARK, _)), None) => {
            top.wrong("Terraform state names no organization; give its login with --org");
        }
        (Some((_, at)), Some(_)) if must_be_unnamed => {
            at.wrong("this file names its organizations; import it without --org");
        }
        (Some(("orgs", _)), _) => return peribolos::read(&top),
        (Some(_), _) => return team_org::read(&top).into_iter().collect(),
        (None, Some(login)) => return peribolos::org(&top, login).into_iter().collect(),
        (None, None) => top.wrong(UNNAMED),
    }
    Vec::new()
}

const UNNAMED: &str = "the file names no organization. If it is the peribolos YAML of one organization, give its login \
                       with --org, or put the content below \"orgs\" and the login. A team-org/1 file has the top-level \
                       key \"format\"";

/// The text of a file.
pub(super) fn content(path: &Path) -> Result<String, Fault> {
    let file = File::open(path).map_err(unreadable)?;
    if file.metadata().map_err(unreadable)?.len() > LARGEST {
        return Err(too_large());
    }
    limited(file)
}

fn limited(file: impl Read) -> Result<String, Fault> {
    let mut bytes = Vec::new();
    file.take(LARGEST + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > LARGEST {
        return Err(too_large());
    }
    String::from_utf8(bytes).map_err(|error| {
        let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = valid.iter().fold(1, |line: u32, byte| line.saturating_add(u32::from(*byte == b'\n')));
        Fault::new(line, "", "not valid UTF-8; save the file as UTF-8")
    })
}

fn unreadable(error: std::io::Error) -> Fault {
    Fault::new(0, "", format!("cannot read the file: {error}"))
}

fn too_large() -> Fault {
    Fault::new(0, "", "the file is larger than 256 MiB; use one file per organization")
}
