//! The query of a search for repositories: words, phrases and qualifiers, such as
//! `engine "two words" org:acme -topic:old`.

mod qualifiers;

pub use qualifiers::{ME, Switch};

use schemars::JsonSchema;
use serde::Deserialize;

use crate::audit::phrase::{Piece, Range, piece, shown};
use crate::error::Error;

/// The longest query, in characters.
const LONGEST: usize = 256;

/// The most words and qualifiers of a query.
pub const TERMS: usize = 16;

/// The number of results of a search that have pages.
pub const REACHABLE: u64 = 1_000;

/// The most comparisons of a search: to read a candidate counts as one, and each text and each number as one more.
pub const COMPARISONS: i64 = 30_000;

/// The property that results are sorted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Sort {
    /// The number of stars. There are none, so the order is that of IDs.
    Stars,
    /// The number of direct forks.
    Forks,
    /// The number of issues that need help. There are none, so the order is that of IDs.
    HelpWantedIssues,
    /// The time of the last change.
    Updated,
}

/// The order of what is sorted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    /// The highest first.
    #[default]
    Desc,
    /// The lowest first.
    Asc,
}

/// The most operators of a query.
const OPERATORS: usize = 5;

/// A parsed query.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Query {
    /// Words, phrases and topics; all must match.
    pub texts: Vec<Text>,
    /// The words that are searched for, in lower case: a repository with such a name is the best match.
    pub names: Vec<String>,
    /// The places where words are looked for; everywhere if it is empty.
    pub places: Vec<Place>,
    /// The owners, by login, and whether theirs are left out.
    pub owners: Vec<(bool, String)>,
    /// The repositories, by owner and name, and whether they are left out.
    pub repos: Vec<(bool, String, String)>,
    /// Times and counts; all must match.
    pub numbers: Vec<Number>,
    /// Private and public repositories.
    pub private: Switch,
    /// Archived repositories and others.
    pub archived: Switch,
    /// Forks and others.
    pub fork: Switch,
    /// Templates and others.
    pub template: Switch,
    /// The order that the query asks for.
    pub sort: Option<(Sort, Order)>,
}

/// A pattern for a text of a repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    /// True if it is about topics, not about the places of words.
    pub topic: bool,
    /// The pattern, as `LIKE` reads it.
    pub pattern: String,
    /// True if it must match; false if it must not.
    pub wanted: bool,
}

/// A range that a number of a repository must be in, or must not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Number {
    /// True if it is about the creation time, not about the number of forks.
    pub created: bool,
    /// The range.
    pub range: Range,
    /// True if it must be in the range; false if it must not.
    pub wanted: bool,
}

/// A place where words are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// In the name.
    Name,
    /// In the description.
    Description,
    /// In the topics.
    Topics,
}

/// Parses the text of a search; a blank one is refused, and so is one that is no query.
pub fn parsed<Q>(text: &str, read: fn(&str) -> Result<Q, String>) -> Result<Q, Error> {
    if text.trim().is_empty() {
        return Err(Error::field("Search", "missing", "q"));
    }
    read(text).map_err(invalid)
}

fn invalid(why: String) -> Error {
    Error::explained("Search", "invalid", "q", why)
}

/// The refusal of a query that names what does not exist, or what the caller does not see.
#[must_use]
pub fn unseen() -> Error {
    const UNSEEN: &str = "The listed users and repositories cannot be searched either because the resources do not \
                          exist or you do not have permission to view them.";
    invalid(UNSEEN.to_owned())
}

/// A sentence that says that a qualifier is not known, followed by one that says which are.
#[must_use]
pub fn unknown(name: &str, value: &str, known: &str) -> String {
    let [name, value] = [name, value].map(shown);
    format!("`{name}:{value}` is not known. {known}")
}

/// Parses a query; the error is a sentence that says what is wrong with it.
pub fn read(text: &str) -> Result<Query, String> {
    let mut query = Query::default();
    terms(text, |excluded, name, value| {
        if let Some(name) = name {
            return query.qualify(excluded, name, value);
        }
        query.word(excluded, value);
        Ok(())
    })?;
    Ok(query)
}

/// Reads the words and qualifiers of a text: whether each is excluded, the name before its colon, and its value.
pub fn terms(text: &str, mut add: impl FnMut(bool, Option<&str>, &str) -> Result<(), String>) -> Result<(), String> {
    if text.chars().count() > LONGEST {
        return Err(format!("The search is longer than {LONGEST} characters."));
    }
    let (mut rest, mut negated, mut terms, mut operators) = (text.trim_start(), false, 0, 0);
    while !rest.is_empty() {
        let (found, behind) = piece(rest)?;
        rest = behind.trim_start();
        match found {
            Piece { excluded: false, name: None, value: operator @ ("AND" | "OR" | "NOT"), quoted: false } => {
                operators += 1;
                if operators > OPERATORS {
                    return Err(format!("The search has more than {OPERATORS} AND, OR and NOT operators."));
                }
                if operator == "OR" {
                    return Err("`OR` is not supported. Search for each alternative by itself.".to_owned());
                }
                negated |= operator == "NOT";
                continue;
            }
            Piece { name, value, excluded, .. } => add(excluded || negated, name, value)?,
        }
        negated = false;
        terms += 1;
        if terms > TERMS {
            return Err(format!("The search has too many words and qualifiers: the maximum is {TERMS}."));
        }
    }
    if negated { Err("`NOT` must be followed by what it excludes.".to_owned()) } else { Ok(()) }
}

impl Query {
    /// A lone dash, or nothing in quotation marks, is not a word.
    fn word(&mut self, excluded: bool, value: &str) {
        let word = folded(value);
        if word.trim().is_empty() {
            return;
        }
        self.texts.push(Text { topic: false, pattern: format!("%{}%", escaped(&word)), wanted: !excluded });
        if !excluded {
            self.names.push(word);
        }
    }
}

/// A word as texts are compared. A quotation mark separates the texts of a repository, so no word has one.
fn folded(value: &str) -> String {
    value.replace('"', "").to_ascii_lowercase()
}

/// A text as part of a pattern for `LIKE`.
fn escaped(text: &str) -> String {
    let mut pattern = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, '%' | '_' | '\\') {
            pattern.push('\\');
        }
        pattern.push(c);
    }
    pattern
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(topic: bool, pattern: &str, wanted: bool) -> Text {
        Text { topic, pattern: pattern.to_owned(), wanted }
    }

    #[test]
    fn words_phrases_and_topics_are_patterns() {
        let query = read(r#"Engine -"Two Words" topic:Rust NOT old AND 100%_\ - """#).unwrap();
        let expected = [
            text(false, "%engine%", true),
            text(false, "%two words%", false),
            text(true, "%\"rust\"%", true),
            text(false, "%old%", false),
            text(false, r"%100\%\_\\%", true),
        ];
        assert_eq!(query.texts, expected);
        assert_eq!(query.names, ["engine", r"100%_\"]);
        assert_eq!(read(r#"a"b" "NOT""#).unwrap().names, ["ab", "not"]);
    }

    #[test]
    fn what_is_no_query_is_refused_with_what_to_do() {
        for (query, why) in [
            ("stars:>5", "`stars:` is not a known qualifier. Use `org:`"),
            (":x", "`:` is not a known qualifier."),
            ("a OR b", "`OR` is not supported."),
            ("a NOT", "`NOT` must be followed"),
            ("AND AND AND AND AND AND a", "more than 5 AND, OR and NOT"),
            ("org:", "`org:` has no value."),
            ("repo:web", "`web` is no OWNER/NAME."),
            ("is:sponsorable", "`is:sponsorable` is not known. Use one of public, private, internal."),
            ("in:readme", "`in:readme` is not known."),
            ("-in:name", "`in:` cannot be excluded."),
            ("archived:yes", "Use one of true, false."),
            ("fork:maybe", "Use one of true, only, false."),
            ("created:yesterday", "`yesterday` is not a date."),
            ("forks:many", "`many` is not a number."),
            ("\"a", "is not closed."),
            ("org:\"a\"b", "must be a space"),
        ] {
            let error = read(query).unwrap_err();
            assert!(error.contains(why), "{query}: {error}");
        }
        assert!(read(&"ä".repeat(LONGEST)).is_ok());
        assert!(read(&"ä".repeat(LONGEST + 1)).unwrap_err().contains("longer than 256"));
        assert!(read(&"x ".repeat(TERMS)).is_ok());
        assert!(read(&"x ".repeat(TERMS + 1)).unwrap_err().contains("too many words"));
    }
}
