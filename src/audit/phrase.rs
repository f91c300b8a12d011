//! The phrase of a search: terms such as `action:team.add_member -actor:olivia created:>=2026-01-01`.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};

/// The longest phrase, in bytes.
const LONGEST: usize = 1_000;

/// The most terms of a phrase.
const TERMS: usize = 20;

const MICROS: i64 = 1_000_000;

/// One term of a phrase.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Term {
    /// True if entries that match it are left out.
    pub excluded: bool,
    /// The property of entries that it compares.
    pub about: About,
}

/// The property of entries that a term compares, with the wanted value. Texts are in lower case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum About {
    /// An action, or the part of it before the dot.
    Action(String),
    /// The person who acted, or the site administrator who acted as them.
    Actor(String),
    /// The person that the entry is about.
    User(String),
    /// The team that the entry is about: its slug, alone or with the organization before it.
    Team(String),
    /// The repository that the entry is about: its name, alone or with its owner before it.
    Repo(String),
    /// The time.
    Created(Range),
}

/// A range, of times in microseconds since 1970 or of numbers; the end is not part of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Range {
    /// Its beginning.
    pub from: i64,
    /// Its end.
    pub until: i64,
}

impl Range {
    /// True if a time is in it.
    #[must_use]
    pub fn contains(self, at: i64) -> bool {
        self.from <= at && at < self.until
    }
}

/// Parses a phrase; the error is a sentence that says what is wrong with it.
pub fn read(phrase: &str) -> Result<Vec<Term>, String> {
    if phrase.len() > LONGEST {
        return Err(format!("The phrase is too long: the maximum is {LONGEST} bytes."));
    }
    let mut rest = phrase.trim_start();
    let mut terms = Vec::new();
    while !rest.is_empty() {
        let (term, behind) = first(rest)?;
        terms.push(term);
        rest = behind.trim_start();
        if terms.len() > TERMS {
            return Err(format!("The phrase has too many terms: the maximum is {TERMS}."));
        }
    }
    Ok(terms)
}

/// The first term of a text, and the text after it.
fn first(text: &str) -> Result<(Term, &str), String> {
    let (Piece { excluded, name, value, .. }, behind) = piece(text)?;
    let Some(name) = name else { return Err(format!("`{}` is not a term. {EXAMPLE}", shown(value))) };
    Ok((Term { excluded, about: about(name, value)? }, behind))
}

/// A piece of a phrase, as it was written: `-name:value`, or only some of that.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Piece<'a> {
    /// True if a dash precedes it.
    pub excluded: bool,
    /// The text before the colon, if there is one.
    pub name: Option<&'a str>,
    /// The value, without its quotation marks.
    pub value: &'a str,
    /// True if the value was in quotation marks.
    pub quoted: bool,
}

/// The first piece of a text, and the text after it.
pub fn piece(text: &str) -> Result<(Piece<'_>, &str), String> {
    let end = |text: &str| text.find(char::is_whitespace).unwrap_or(text.len());
    let (excluded, text) = text.strip_prefix('-').map_or((false, text), |text| (true, text));
    let named = text[..end(text)].split_once(':').filter(|_| !text.starts_with('"'));
    let name = named.map(|(name, _)| name);
    let value = name.map_or(text, |name| &text[name.len() + 1..]);
    let Some(inside) = value.strip_prefix('"') else {
        let (value, behind) = value.split_at(end(value));
        return Ok((Piece { excluded, name, value, quoted: false }, behind));
    };
    let (value, behind) =
        inside.split_once('"').ok_or_else(|| format!("The quotation mark in `{}` is not closed.", shown(text)))?;
    if behind.chars().next().is_some_and(|next| !next.is_whitespace()) {
        return Err(format!("There must be a space after the second quotation mark in `{}`.", shown(text)));
    }
    Ok((Piece { excluded, name, value, quoted: true }, behind))
}

const EXAMPLE: &str = "Use terms such as `action:team.add_member`, `actor:`, `user:`, `team:`, `repo:` and `created:`.";

/// Reads a term with this name and this value.
pub fn about(name: &str, value: &str) -> Result<About, String> {
    let value = value.trim().to_lowercase();
    if value.is_empty() {
        return Err(format!("`{}:` has no value.", shown(name)));
    }
    match name.to_ascii_lowercase().as_str() {
        "action" => Ok(About::Action(value)),
        "actor" => Ok(About::Actor(value)),
        "user" => Ok(About::User(value)),
        "team" => Ok(About::Team(value)),
        "repo" | "repository" => Ok(About::Repo(value)),
        "created" => range(&value, moment).map(About::Created),
        _ => Err(format!("`{}:` is not a known term. {EXAMPLE}", shown(name))),
    }
}

/// A caller's text in the form in which a message repeats it.
#[must_use]
pub fn shown(text: &str) -> String {
    text.chars().take(40).flat_map(char::escape_debug).collect()
}

/// A range: a point, one after `>=`, `>`, `<=` or `<`, or two with `..` between them, of which `*` is none.
pub fn range(text: &str, point: impl Fn(&str) -> Result<Range, String>) -> Result<Range, String> {
    const ALWAYS: Range = Range { from: i64::MIN, until: i64::MAX };
    if let Some((from, until)) = text.split_once("..") {
        let from = if from == "*" { ALWAYS } else { point(from)? };
        let until = if until == "*" { ALWAYS } else { point(until)? };
        return Ok(Range { from: from.from, until: until.until });
    }
    for (sign, range) in [
        (">=", (|at| Range { from: at.from, ..ALWAYS }) as fn(Range) -> Range),
        ("<=", |at| Range { until: at.until, ..ALWAYS }),
        (">", |at| Range { from: at.until, ..ALWAYS }),
        ("<", |at| Range { until: at.from, ..ALWAYS }),
    ] {
        if let Some(text) = text.strip_prefix(sign) {
            return point(text).map(range);
        }
    }
    point(text)
}

/// The range of a day or of a second.
pub fn moment(text: &str) -> Result<Range, String> {
    let wrong = || {
        let text = shown(text);
        format!("`{text}` is not a date. Use 2026-01-31 or 2026-01-31T12:00:00Z, with `>=`, `<=`, `>`, `<` or `..`.")
    };
    let text = text.to_ascii_uppercase();
    let (from, seconds) = match text.parse::<Date>() {
        Ok(date) if text.len() == 10 => {
            let day = |date: Date| TimeZone::UTC.to_timestamp(date.at(0, 0, 0, 0)).map_err(|_| wrong());
            date.checked_add(1.day()).map_err(|_| wrong())?;
            (day(date)?, 24 * 60 * 60)
        }
        _ => (text.parse::<Timestamp>().map_err(|_| wrong())?, 1),
    };
    let from = from.as_second().saturating_mul(MICROS);
    Ok(Range { from, until: from.saturating_add(seconds * MICROS) })
}

#[cfg(test)]
mod tests {
    use super::{About, LONGEST, Range, TERMS, read};

    const DAY: i64 = 86_400_000_000;
    /// The first of January 2026.
    const NEW_YEAR: i64 = 1_767_225_600_000_000;

    fn one(phrase: &str) -> About {
        let terms = read(phrase).unwrap();
        assert_eq!((terms.len(), terms[0].excluded), (1, false), "{phrase}");
        terms[0].about.clone()
    }

    #[test]
    fn terms_are_read() {
        assert_eq!(one("action:Team.Add_Member"), About::Action("team.add_member".into()));
        assert_eq!(one("  actor:max "), About::Actor("max".into()));
        assert_eq!(one("repository:acme/web"), one("repo:\"acme/web\""));
        let terms = read("-user:tom team:acme/core").unwrap();
        assert_eq!(terms.iter().map(|term| term.excluded).collect::<Vec<_>>(), [true, false]);
        assert_eq!(read(" \t").unwrap(), []);
    }

    #[test]
    fn times_are_read() {
        let day = Range { from: NEW_YEAR, until: NEW_YEAR + DAY };
        let second = Range { from: NEW_YEAR, until: NEW_YEAR + 1_000_000 };
        for (text, from, until) in [
            ("2026-01-01", day.from, day.until),
            ("2026-01-01T00:00:00Z", second.from, second.until),
            ("2026-01-01t01:00:00+01:00", second.from, second.until),
            (">=2026-01-01", day.from, i64::MAX),
            (">2026-01-01", day.until, i64::MAX),
            ("<2026-01-01", i64::MIN, day.from),
            ("<=2026-01-01", i64::MIN, day.until),
            ("2026-01-01..2026-01-02", day.from, day.until + DAY),
            ("*..2026-01-01", i64::MIN, day.until),
            ("2026-01-01..*", day.from, i64::MAX),
        ] {
            assert_eq!(one(&format!("created:{text}")), About::Created(Range { from, until }), "{text}");
        }
    }

    #[test]
    fn what_is_no_phrase_is_refused_with_what_to_do() {
        for (phrase, why) in [
            ("max", "`max` is not a term."),
            ("-", "`` is not a term."),
            ("actor:", "`actor:` has no value."),
            ("actor:\"\"", "`actor:` has no value."),
            ("colour:red", "`colour:` is not a known term."),
            (":x", "`:` is not a known term."),
            ("user:\"max", "is not closed."),
            ("user:\"max\"team:core", "must be a space"),
            ("created:yesterday", "`yesterday` is not a date."),
            ("created:2026-02-30", "is not a date."),
            ("created:2026-01-01..", "is not a date."),
            ("created:>", "is not a date."),
            ("created:9999-12-31", "is not a date."),
            ("created:2026-01-01T25:00:00Z", "is not a date."),
            ("a\u{7}b", "`a\\u{7}b` is not a term."),
        ] {
            let error = read(phrase).unwrap_err();
            assert!(error.contains(why), "{phrase}: {error}");
        }
        assert!(read(&"actor:x ".repeat(TERMS)).is_ok());
        assert!(read(&"actor:x ".repeat(TERMS + 1)).unwrap_err().contains("too many terms"));
        assert!(read(&" ".repeat(LONGEST + 1)).unwrap_err().contains("too long"));
    }
}
