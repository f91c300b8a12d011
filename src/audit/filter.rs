//! The entries that match a search: its terms, with the names in them looked up. Terms with the same name are
//! alternatives, except for times; terms with different names must all match.

use super::Journal;
use super::phrase::{About, Range, Term};
use super::subject::{Subject, Thing};
use crate::db::Tx;
use crate::error::Result;
use crate::journal::chain::Entry;
use crate::people::login;

/// The terms of a search.
#[derive(Debug)]
pub struct Filter {
    tests: Vec<(bool, Test)>,
    /// The range of times that contains every matching entry.
    pub range: Range,
}

/// A term whose names have been looked up.
#[derive(Debug)]
enum Test {
    Action(String),
    Actor { id: Option<i64>, logins: Vec<String> },
    User(Vec<String>),
    Team(Named),
    Repo(Named),
    Created(Range),
}

/// A team or a repository, by its current name or by the name that it had then.
#[derive(Debug)]
struct Named {
    id: Option<i64>,
    /// The name in lower case; for a repository, including its owner.
    name: String,
}

impl Filter {
    /// The filter of these terms for a journal.
    pub fn new(tx: &mut Tx, journal: &Journal, terms: &[Term]) -> Result<Self> {
        let mut tests = Vec::with_capacity(terms.len());
        for Term { excluded, about } in terms {
            tests.push((*excluded, Test::new(tx, journal, about)?));
        }
        let times = terms.iter().filter(|term| !term.excluded).filter_map(Term::time);
        let range = times.fold(Range { from: i64::MIN, until: i64::MAX }, |all, time| Range {
            from: all.from.max(time.from),
            until: all.until.min(time.until),
        });
        Ok(Self { tests, range })
    }

    /// True if an entry matches.
    #[must_use]
    pub fn admits(&self, entry: &Entry) -> bool {
        let mut subject = None;
        let mut holds = |test: &Test| match test.of_entry(entry) {
            Some(holds) => holds,
            None => test.of_subject(subject.get_or_insert_with(|| Subject::of_entry(entry))),
        };
        let mut wanted = [None; KINDS];
        for (excluded, test) in &self.tests {
            let Some(kind) = test.kind().filter(|_| !excluded) else {
                if holds(test) == *excluded {
                    return false;
                }
                continue;
            };
            // An entry that matches one alternative need not match another.
            if wanted[kind] != Some(true) {
                wanted[kind] = Some(holds(test));
            }
        }
        !wanted.contains(&Some(false))
    }
}

impl Term {
    fn time(&self) -> Option<Range> {
        if let About::Created(range) = self.about { Some(range) } else { None }
    }
}

/// The number of kinds of terms that can be alternatives.
const KINDS: usize = 5;

impl Test {
    fn new(tx: &mut Tx, journal: &Journal, about: &About) -> Result<Self> {
        Ok(match about {
            About::Action(action) => Self::Action(action.clone()),
            About::Actor(name) => {
                let (id, logins) = person(tx, name)?;
                Self::Actor { id, logins }
            }
            About::User(name) => Self::User(person(tx, name)?.1),
            About::Team(name) => Self::Team(team(tx, journal, name)?),
            About::Repo(name) => Self::Repo(repo(tx, journal, name)?),
            About::Created(range) => Self::Created(*range),
        })
    }

    /// The index of its name, unless all terms with that name must match.
    fn kind(&self) -> Option<usize> {
        match self {
            Self::Action(_) => Some(0),
            Self::Actor { .. } => Some(1),
            Self::User(_) => Some(2),
            Self::Team(_) => Some(3),
            Self::Repo(_) => Some(4),
            Self::Created(_) => None,
        }
    }

    /// True if the columns of an entry match; none if its subject must be read to decide that.
    fn of_entry(&self, entry: &Entry) -> Option<bool> {
        match self {
            Self::Action(wanted) => {
                let action = entry.action.as_deref().unwrap_or_default();
                Some(action.strip_prefix(wanted.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('.')))
            }
            Self::Actor { id, logins } => {
                let named = |name: &Option<String>| name.as_deref().is_some_and(|name| is_one_of(name, logins));
                Some(
                    id.is_some() && *id == entry.actor_id
                        || named(&entry.actor_login)
                        || named(&entry.impersonator_login),
                )
            }
            Self::Created(range) => Some(range.contains(entry.at)),
            Self::User(_) | Self::Team(_) | Self::Repo(_) => None,
        }
    }

    fn of_subject(&self, subject: &Subject) -> bool {
        match self {
            Self::User(logins) => subject.users.iter().any(|user| is_one_of(user, logins)),
            Self::Team(team) => team.is(&subject.team),
            Self::Repo(repo) => repo.is(&subject.repo),
            Self::Action(_) | Self::Actor { .. } | Self::Created(_) => false,
        }
    }
}

impl Named {
    fn is(&self, thing: &Thing) -> bool {
        let mut names = thing.names.iter();
        names.any(|name| name.to_lowercase() == self.name) || self.id.is_some() && self.id == thing.id
    }
}

fn is_one_of(name: &str, logins: &[String]) -> bool {
    logins.iter().any(|login| login.eq_ignore_ascii_case(name))
}

/// The ID of the user with this login, and all logins that they have or had. If no user has it, only the login itself.
fn person(tx: &mut Tx, name: &str) -> Result<(Option<i64>, Vec<String>)> {
    let key = login::key(name.strip_prefix('@').unwrap_or(name));
    let known: Vec<(i64, String)> = tx.all(LOGINS, &[&key])?;
    let id = known.first().map(|(id, _)| *id);
    let former = known.into_iter().map(|(_, login)| login).filter(|login| *login != key);
    let logins = former.chain([key.clone()]).collect();
    Ok((id, logins))
}

const LOGINS: &str = "
    SELECT other.user_id, other.login_key FROM logins l JOIN logins other ON other.user_id = l.user_id
    WHERE l.login_key = $1 AND l.current = TRUE ORDER BY other.login_key";

/// `core` or `acme/core`. A team of another organization matches nothing.
fn team(tx: &mut Tx, journal: &Journal, name: &str) -> Result<Named> {
    let org = journal.login.as_deref().unwrap_or_default().to_lowercase();
    let slug = match name.trim_start_matches('@').split_once('/') {
        Some((owner, slug)) if owner == org => slug,
        Some(_) => "",
        None => name,
    };
    let id: Option<i64> = tx.maybe(TEAM, &[&journal.id, &slug])?;
    Ok(Named { id, name: slug.to_owned() })
}

const TEAM: &str = "SELECT id FROM teams WHERE org_id = $1 AND slug = $2";

/// `web` or `acme/web`; in the journal of the site always with the owner.
fn repo(tx: &mut Tx, journal: &Journal, name: &str) -> Result<Named> {
    let org = journal.login.as_deref().unwrap_or_default().to_lowercase();
    let (owner, repo) = name.split_once('/').unwrap_or((org.as_str(), name));
    let id: Option<i64> = if owner == org { tx.maybe(REPO, &[&journal.id, &repo])? } else { None };
    Ok(Named { id, name: format!("{owner}/{repo}") })
}

const REPO: &str = "SELECT id FROM repos WHERE org_id = $1 AND name_key = $2";
