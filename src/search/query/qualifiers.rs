//! The qualifiers of a search: `name:value`, each with the values that it can have.

use super::{Number, Order, Place, Query, Sort, Text, escaped, folded};
use crate::audit::phrase::{Range, moment, range, shown};

/// The qualifiers about something that a repository is or is not. Qualifiers that want something are alternatives.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Switch {
    wanted: Option<[bool; 2]>,
    excluded: [bool; 2],
}

impl Switch {
    /// Adds a qualifier for repositories that are it, or that are not.
    fn add(&mut self, excluded: bool, [is, is_not]: [bool; 2]) {
        let [already, already_not] = if excluded { &mut self.excluded } else { self.wanted.get_or_insert_default() };
        *already |= is;
        *already_not |= is_not;
    }

    /// Two flags, true to show repositories that are it, and those that are not. Without qualifiers, they have this
    /// default.
    #[must_use]
    pub fn or(self, default: [bool; 2]) -> [bool; 2] {
        let [is, is_not] = match self.wanted {
            Some(wanted) => wanted,
            None if self.excluded == [false; 2] => default,
            None => [true; 2],
        };
        [is && !self.excluded[0], is_not && !self.excluded[1]]
    }
}

const KNOWN: &str = "Use `org:`, `user:`, `repo:`, `topic:`, `in:`, `is:`, `archived:`, `fork:`, `template:`, `created:`, \
                     `forks:` and `sort:`, or put words with a colon in quotation marks.";
const FLAGS: &[(&str, [bool; 2])] = &[("true", [true, false]), ("false", [false, true])];
/// Nothing is internal here.
const PRIVACY: &[(&str, [bool; 2])] =
    &[("public", [false, true]), ("private", [true, false]), ("internal", [false, false])];
const FORKS: &[(&str, [bool; 2])] = &[("true", [true, true]), ("only", [true, false]), ("false", [false, true])];
const SORTS: &[(&str, Sort)] = &[
    ("stars", Sort::Stars),
    ("forks", Sort::Forks),
    ("help-wanted-issues", Sort::HelpWantedIssues),
    ("updated", Sort::Updated),
];
/// Stands for the caller, as an owner.
pub const ME: &str = "@me";
const PLACES: &[(&str, Place)] =
    &[("name", Place::Name), ("description", Place::Description), ("topics", Place::Topics)];

impl Query {
    /// Adds a qualifier, or the exclusion of what it matches.
    pub(super) fn qualify(&mut self, excluded: bool, name: &str, value: &str) -> Result<(), String> {
        let (name, value) = (name.to_ascii_lowercase(), value.trim());
        match name.as_str() {
            "org" | "user" | "repo" | "topic" if value.is_empty() => return Err(format!("`{name}:` has no value.")),
            "org" | "user" if value == ME => self.owners.push((excluded, ME.to_owned())),
            "org" | "user" => self.owners.push((excluded, value.trim_start_matches('@').to_owned())),
            "repo" => {
                let whole = value.split_once('/').ok_or_else(|| format!("`{}` is no OWNER/NAME.", shown(value)))?;
                self.repos.push((excluded, whole.0.to_owned(), whole.1.to_owned()));
            }
            "topic" => {
                let pattern = format!("%\"{}\"%", escaped(&folded(value)));
                self.texts.push(Text { topic: true, pattern, wanted: !excluded });
            }
            "in" if excluded => return Err("`in:` cannot be excluded.".to_owned()),
            "in" => {
                let places = value.split(',').map(|place| one_of("in", place, PLACES));
                self.places.extend(places.collect::<Result<Vec<_>, _>>()?);
            }
            "is" => self.private.add(excluded, one_of("is", value, PRIVACY)?),
            "archived" => self.archived.add(excluded, one_of("archived", value, FLAGS)?),
            "template" => self.template.add(excluded, one_of("template", value, FLAGS)?),
            "fork" => {
                let [is, is_not] = one_of("fork", value, FORKS)?;
                // To exclude forks does not exclude everything else.
                self.fork.add(excluded, [is, is_not && !(is && excluded)]);
            }
            "created" => self.numbers.push(Number { created: true, range: range(value, moment)?, wanted: !excluded }),
            "forks" => self.numbers.push(Number { created: false, range: range(value, count)?, wanted: !excluded }),
            "sort" if excluded => return Err("`sort:` cannot be excluded.".to_owned()),
            "sort" => {
                let (by, order) = match value.rsplit_once('-') {
                    Some((by, "asc")) => (by, Order::Asc),
                    Some((by, "desc")) => (by, Order::Desc),
                    _ => (value, Order::Desc),
                };
                self.sort = Some((one_of("sort", by, SORTS)?, order));
            }
            _ => return Err(format!("`{}:` is not a known qualifier. {KNOWN}", shown(&name))),
        }
        Ok(())
    }
}

/// The meaning of a value, if it is one of these.
fn one_of<T: Copy>(name: &str, value: &str, values: &[(&str, T)]) -> Result<T, String> {
    let known = values.iter().find(|(known, _)| known.eq_ignore_ascii_case(value));
    known.map(|(_, meaning)| *meaning).ok_or_else(|| {
        let known: Vec<&str> = values.iter().map(|(known, _)| *known).collect();
        format!("`{name}:{}` is not known. Use one of {}.", shown(value), known.join(", "))
    })
}

fn count(text: &str) -> Result<Range, String> {
    let wrong = |_| format!("`{}` is not a number. Use 10, with `>=`, `<=`, `>`, `<` or `..`.", shown(text));
    let count: u32 = text.parse().map_err(wrong)?;
    Ok(Range { from: i64::from(count), until: i64::from(count) + 1 })
}

#[cfg(test)]
mod tests {
    use super::super::read;

    #[test]
    fn qualifiers_that_want_something_are_alternatives() {
        let fork = |text: &str| read(text).unwrap().fork.or([false, true]);
        for (query, shown) in [
            ("", [false, true]),
            ("fork:true", [true, true]),
            ("fork:only", [true, false]),
            ("fork:false", [false, true]),
            ("-fork:true", [false, true]),
            ("-fork:only", [false, true]),
            ("NOT fork:false", [true, false]),
            ("fork:true -fork:only", [false, true]),
            ("fork:only fork:false", [true, true]),
        ] {
            assert_eq!(fork(query), shown, "{query}");
        }
        let private = |text: &str| read(text).unwrap().private.or([true; 2]);
        assert_eq!(private("is:public is:private"), [true, true]);
        assert_eq!(private("is:internal"), [false, false]);
        assert_eq!(private("-is:internal"), [true, true]);
        assert_eq!(private("-is:private"), [false, true]);
    }
}
