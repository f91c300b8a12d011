//! The rules for single values: names (decision 9), logins (decision 22), levels and other words from a list.

use super::cursor::Cursor;
use super::fault::{Fault, shown};
use crate::mail::address;
use crate::name::{self, NAME_MAX};
use crate::orgs::creation::CreationType;
use crate::projects::level;
use crate::repos::level::Level;
use crate::rows::Privacy;
use crate::teams::reviews::MOST_MEMBERS;

/// The longest description, in characters.
const LONGEST_DESCRIPTION: usize = 65_535;
/// The longest login or repository name, in characters.
const LONGEST_HANDLE: usize = 100;

/// The highest number of a project.
const MOST_PROJECTS: u32 = 1_000_000_000;

/// The words for a person's role in a team, and whether the role is maintainer.
pub const TEAM_ROLES: &[(&str, bool)] = &[("maintainer", true), ("member", false)];

/// The words for privacy.
pub const PRIVACY: &[(&str, Privacy)] = &[("secret", Privacy::Secret), ("closed", Privacy::Closed)];

/// The words for the state of a project.
pub const PROJECT_STATES: &[(&str, &str)] = &[("open", "open"), ("closed", "closed")];

/// The levels that a person can have on a project.
pub const PROJECT_LEVELS: &[(&str, i64)] = &[("read", level::READ), ("write", level::WRITE), ("admin", level::ADMIN)];

/// The levels of a team on a project, and of every member; the last one removes the grant.
pub const PROJECT_GRANTS: &[(&str, i64)] =
    &[("read", level::READ), ("write", level::WRITE), ("admin", level::ADMIN), ("none", level::NONE)];

/// The role that an invitation offers.
pub const INVITED: &[(&str, &str)] = &[
    ("direct_member", "direct_member"),
    ("admin", "admin"),
    ("billing_manager", "billing_manager"),
    ("hiring_manager", "hiring_manager"),
    ("reinstate", "reinstate"),
];

/// The words for the level of members on every repository.
pub const BASE_PERMISSIONS: &[(&str, &str)] =
    &[("none", "none"), ("read", "read"), ("write", "write"), ("admin", "admin")];

/// The words for the repositories that members may create.
pub const CREATION_TYPES: &[(&str, CreationType)] =
    &[("all", CreationType::All), ("private", CreationType::Private), ("none", CreationType::None)];

/// The words for a repository's visibility, and whether it is private.
pub const VISIBILITY: &[(&str, bool)] = &[("public", false), ("private", true), ("internal", true)];

/// Levels as peribolos writes them.
pub const LEVELS: &[(&str, Level)] = &[
    ("read", Level::Pull),
    ("triage", Level::Triage),
    ("write", Level::Push),
    ("maintain", Level::Maintain),
    ("admin", Level::Admin),
];

/// Levels of a grant as peribolos writes them; the last one removes a grant.
pub const GRANT_LEVELS: &[(&str, Option<Level>)] = &[
    ("read", Some(Level::Pull)),
    ("triage", Some(Level::Triage)),
    ("write", Some(Level::Push)),
    ("maintain", Some(Level::Maintain)),
    ("admin", Some(Level::Admin)),
    ("none", None),
];

/// Levels in the words of the REST API.
pub const REST_LEVELS: &[(&str, Level)] = &[
    ("pull", Level::Pull),
    ("triage", Level::Triage),
    ("push", Level::Push),
    ("maintain", Level::Maintain),
    ("admin", Level::Admin),
];

/// The value of one of a list of words.
pub fn choice<T: Copy>(at: &Cursor, choices: &[(&str, T)]) -> Result<T, Fault> {
    let text = at.text()?;
    let found = choices.iter().find(|(word, _)| *word == text).map(|(_, value)| *value);
    found.ok_or_else(|| none_of(at, text, choices.iter().map(|(word, _)| *word)))
}

/// One of a list of words.
pub fn word(at: &Cursor, words: &[&'static str]) -> Result<&'static str, Fault> {
    let text = at.text()?;
    let found = words.iter().find(|word| **word == text).copied();
    found.ok_or_else(|| none_of(at, text, words.iter().copied()))
}

fn none_of<'w>(at: &Cursor, text: &str, words: impl Iterator<Item = &'w str>) -> Fault {
    at.fault(format!("{} is not one of {}", shown(text), words.collect::<Vec<_>>().join(", ")))
}

/// A login that an import may create.
pub fn login<'t>(at: &Cursor, text: &'t str) -> Result<&'t str, Fault> {
    handle(at, text, "login")
}

/// A repository's name.
pub fn repo_name<'t>(at: &Cursor, text: &'t str) -> Result<&'t str, Fault> {
    handle(at, text, "repository name")
}

fn handle<'t>(at: &Cursor, text: &'t str, what: &str) -> Result<&'t str, Fault> {
    if is_handle(text) {
        return Ok(text);
    }
    let form = format!("use 1 to {LONGEST_HANDLE} letters, digits, \".\", \"_\" or \"-\"");
    Err(at.fault(format!("{} is not a valid {what}; {form}", shown(text))))
}

/// A team's name, trimmed.
pub fn team_name<'t>(at: &Cursor, text: &'t str) -> Result<&'t str, Fault> {
    let trimmed = within(at, text.trim(), NAME_MAX)?;
    if trimmed.is_empty() {
        return Err(at.fault("the name of the team is blank; use 1 to 255 characters"));
    }
    can_be_shown(at, trimmed).map(|()| trimmed)
}

/// The name of an organization or a person, trimmed; none if it is blank.
pub fn name(at: &Cursor) -> Result<Option<String>, Fault> {
    let name = within(at, at.text()?.trim(), NAME_MAX)?;
    can_be_shown(at, name)?;
    Ok((!name.is_empty()).then(|| name.to_owned()))
}

fn can_be_shown(at: &Cursor, name: &str) -> Result<(), Fault> {
    if name::can_be_shown(name) {
        return Ok(());
    }
    let why = "contains characters that cannot be shown; remove line breaks, tabs and invisible characters";
    Err(at.fault(format!("the name {name:?} {why}")))
}

/// A short text of a profile, trimmed; none if it is blank.
pub fn short(at: &Cursor) -> Result<Option<String>, Fault> {
    let text = limited(at, at.text()?.trim(), NAME_MAX)?;
    Ok((!text.is_empty()).then(|| text.to_owned()))
}

/// An e-mail address of the profile; none if it is blank.
pub fn profile_address(at: &Cursor) -> Result<Option<String>, Fault> {
    let text = short(at)?;
    match &text {
        Some(text) => address::read(text).map(Some).ok_or_else(|| no_address(at, text)),
        None => Ok(None),
    }
}

/// Reads the e-mail address of a person.
pub fn address(at: &Cursor) -> Result<String, Fault> {
    let text = at.text()?.trim();
    address::read(text).ok_or_else(|| no_address(at, text))
}

fn no_address(at: &Cursor, text: &str) -> Fault {
    at.fault(format!("{} is not a valid e-mail address; use the form name@example.com", shown(text)))
}

/// One line, as written.
pub fn line(at: &Cursor) -> Result<String, Fault> {
    limited(at, at.text()?, NAME_MAX).map(str::to_owned)
}

/// A project's name, trimmed.
pub fn project_name(at: &Cursor) -> Result<String, Fault> {
    name(at)?.ok_or_else(|| at.fault("the name of the project is blank; use 1 to 255 characters"))
}

/// A project's number, from the key of the project.
pub fn project_number(at: &Cursor, key: &str) -> Result<i64, Fault> {
    let number = key.parse::<u32>().ok().filter(|number| (1..=MOST_PROJECTS).contains(number));
    number.map(i64::from).ok_or_else(|| {
        let range = format!("use a whole number from 1 to {MOST_PROJECTS}");
        at.fault(format!("{} is not a valid project number; {range}", shown(key)))
    })
}

/// The ID of a team.
pub fn id(at: &Cursor) -> Result<i64, Fault> {
    let id = i64::try_from(at.number()?).ok().filter(|id| *id > 0);
    id.ok_or_else(|| at.fault("expected the ID of a team, a whole number from 1"))
}

/// Reads the number of people of a team that a request for a review is delegated to.
pub fn reviewers(at: &Cursor) -> Result<i64, Fault> {
    let number = i64::try_from(at.number()?).ok().filter(|number| (1..=MOST_MEMBERS).contains(number));
    number.ok_or_else(|| at.fault(format!("a request for a review is delegated to 1 to {MOST_MEMBERS} people")))
}

/// A description, as written.
pub fn description(at: &Cursor) -> Result<String, Fault> {
    limited(at, at.text()?, LONGEST_DESCRIPTION).map(str::to_owned)
}

fn limited<'t>(at: &Cursor, text: &'t str, most: usize) -> Result<&'t str, Fault> {
    if text.contains('\0') {
        return Err(at.fault("NUL characters are not allowed"));
    }
    within(at, text, most)
}

fn within<'t>(at: &Cursor, text: &'t str, most: usize) -> Result<&'t str, Fault> {
    let length = text.chars().count();
    if length <= most {
        return Ok(text);
    }
    Err(at.fault(format!("{length} characters are too many; the maximum is {most}")))
}

/// Clients normalize `.` and `..` away in URLs, so such names would be unreachable.
fn is_handle(text: &str) -> bool {
    !matches!(text, "." | "..")
        && (1..=LONGEST_HANDLE).contains(&text.len())
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-'))
}
