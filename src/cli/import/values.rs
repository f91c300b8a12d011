//! The rules for single values: names (decisions 9), logins (decisions 22), levels and other words from a list.

use super::cursor::Cursor;
use super::desired::{Level, Privacy};
use super::fault::{Fault, shown};

/// The most characters of a name.
const LONGEST_NAME: usize = 255;
/// The most characters of a description.
const LONGEST_DESCRIPTION: usize = 65_535;
/// The most characters of a login or of a repository's name.
const LONGEST_HANDLE: usize = 100;

/// The words for privacy.
pub const PRIVACY: &[(&str, Privacy)] = &[("secret", Privacy::Secret), ("closed", Privacy::Closed)];

/// The words for what members may do with every repository.
pub const BASE_PERMISSIONS: &[(&str, &str)] =
    &[("none", "none"), ("read", "read"), ("write", "write"), ("admin", "admin")];

/// Words for a repository's visibility, and whether it makes the repository private.
pub const VISIBILITY: &[(&str, bool)] = &[("public", false), ("private", true), ("internal", true)];

/// Levels as peribolos writes them.
pub const LEVELS: &[(&str, Level)] = &[
    ("read", Level::Read),
    ("triage", Level::Triage),
    ("write", Level::Write),
    ("maintain", Level::Maintain),
    ("admin", Level::Admin),
];

/// Levels of a grant as peribolos writes them; the last one takes a grant away.
pub const GRANT_LEVELS: &[(&str, Option<Level>)] = &[
    ("read", Some(Level::Read)),
    ("triage", Some(Level::Triage)),
    ("write", Some(Level::Write)),
    ("maintain", Some(Level::Maintain)),
    ("admin", Some(Level::Admin)),
    ("none", None),
];

/// Levels in REST words.
pub const REST_LEVELS: &[(&str, Level)] = &[
    ("pull", Level::Read),
    ("triage", Level::Triage),
    ("push", Level::Write),
    ("maintain", Level::Maintain),
    ("admin", Level::Admin),
];

/// One of a list of words.
pub fn choice<T: Copy>(at: &Cursor, choices: &[(&str, T)]) -> Result<T, Fault> {
    let text = at.text()?;
    choices.iter().find(|(word, _)| *word == text).map(|(_, value)| *value).ok_or_else(|| {
        let words: Vec<&str> = choices.iter().map(|(word, _)| *word).collect();
        at.fault(format!("{} is not one of {}", shown(text), words.join(", ")))
    })
}

/// A login as imports may bring it.
pub fn login<'t>(at: &Cursor, text: &'t str) -> Result<&'t str, Fault> {
    if is_handle(text) {
        return Ok(text);
    }
    Err(at.fault(format!(
        "{} is not a login; use 1 to {LONGEST_HANDLE} letters, digits, \".\", \"_\" or \"-\"",
        shown(text)
    )))
}

/// A repository's name.
pub fn repo_name<'t>(at: &Cursor, text: &'t str) -> Result<&'t str, Fault> {
    if is_handle(text) && text != "." && text != ".." {
        return Ok(text);
    }
    Err(at.fault(format!(
        "{} is not a repository's name; use 1 to {LONGEST_HANDLE} letters, digits, \".\", \"_\" or \"-\"",
        shown(text)
    )))
}

/// A team's name, trimmed.
pub fn team_name<'t>(at: &Cursor, text: &'t str) -> Result<&'t str, Fault> {
    let name = text.trim();
    if name.is_empty() {
        return Err(at.fault("a team's name is blank; give it 1 to 255 characters"));
    }
    limited(at, name, LONGEST_NAME)
}

/// A short text of a profile, trimmed; none when it is blank.
pub fn short(at: &Cursor) -> Result<Option<String>, Fault> {
    let text = limited(at, at.text()?.trim(), LONGEST_NAME)?;
    Ok((!text.is_empty()).then(|| text.to_owned()))
}

/// A description, as written.
pub fn description(at: &Cursor) -> Result<String, Fault> {
    limited(at, at.text()?, LONGEST_DESCRIPTION).map(str::to_owned)
}

fn limited<'t>(at: &Cursor, text: &'t str, most: usize) -> Result<&'t str, Fault> {
    if text.contains('\0') {
        return Err(at.fault("a text cannot contain NUL characters"));
    }
    let length = text.chars().count();
    if length <= most {
        return Ok(text);
    }
    Err(at.fault(format!("{length} characters are too many; at most {most} are possible")))
}

fn is_handle(text: &str) -> bool {
    (1..=LONGEST_HANDLE).contains(&text.len())
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-'))
}
