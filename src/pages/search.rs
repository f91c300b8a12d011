//! Finding a team, a person or a repository that the visitor sees (decision 78).

use askama::Template;
use serde::Deserialize;

use super::guest::{Guest, Listed};
use super::layout::{Frame, Shown};
use super::names::Names;
use crate::dispatch::FIRST;
use crate::error::Result;
use crate::operation::Page;

/// The parts, by the word in the query, each with its name.
const PARTS: [(&str, &str); 4] =
    [("", "All"), ("teams", "Teams"), ("people", "People"), ("repositories", "Repositories")];

/// The number of results of each kind on the page of all.
const FEW: u64 = 10;

/// The number of results on a page of one kind.
const MANY: u64 = 30;

/// The most words that are searched for.
const WORDS: usize = 12;

/// The longest text that is searched for, in characters.
const LONGEST: usize = 120;

/// A team that was found.
#[derive(Deserialize)]
pub(super) struct Team {
    pub name: String,
    pub slug: String,
    pub description: Option<String>,
    pub privacy: String,
    pub parent: Option<Parent>,
    pub organization: Organization,
}

#[derive(Deserialize)]
pub(super) struct Parent {
    pub name: String,
}

#[derive(Deserialize)]
pub(super) struct Organization {
    pub login: String,
}

#[derive(Deserialize)]
struct Account {
    login: String,
    #[serde(rename = "type")]
    kind: String,
}

#[derive(Deserialize)]
struct Repository {
    full_name: String,
    description: Option<String>,
    private: bool,
}

/// Answers a visit to the page.
pub(super) async fn answer(guest: &Guest<'_>) -> Result<Shown> {
    let (typed, part) = (guest.query("q"), guest.query("part"));
    let part = PARTS.iter().find(|(word, _)| *word == part).map_or("", |(word, _)| word);
    let q = quoted(&typed);
    let page = if part.is_empty() { Page { per_page: FEW, ..FIRST } } else { guest.page(MANY) };
    let is_asked = |kind: &str| !q.is_empty() && (part.is_empty() || part == kind);
    let teams = if is_asked("teams") { guest.search("search.teams", &q, page).await? } else { nothing(page) };
    let people: Listed<Account> =
        if is_asked("people") { guest.search("search.users", &q, page).await? } else { nothing(page) };
    let repositories =
        if is_asked("repositories") { guest.search("search.repos", &q, page).await? } else { nothing(page) };
    let names = Names::of(guest, people.items.iter().map(|of| of.login.as_str())).await?;
    let is_asked = !q.is_empty();
    let typed = typed.trim().to_owned();
    Shown::of(200, &Search { frame: guest.frame()?, typed, part, is_asked, teams, people, names, repositories })
}

fn nothing<T>(page: Page) -> Listed<T> {
    Listed { items: Vec::new(), total: 0, page }
}

/// The words that a person typed, as a query: each of them must be found, and none is a qualifier.
pub(super) fn quoted(typed: &str) -> String {
    let typed: String = typed.replace('"', " ").chars().take(LONGEST).collect();
    let words: Vec<String> = typed.split_whitespace().take(WORDS).map(|word| format!("\"{word}\"")).collect();
    words.join(" ")
}

#[derive(Template)]
#[template(path = "search.html")]
struct Search<'a> {
    frame: Frame,
    typed: String,
    part: &'a str,
    /// True if there is something to search for.
    is_asked: bool,
    teams: Listed<Team>,
    people: Listed<Account>,
    names: Names,
    repositories: Listed<Repository>,
}

impl Search<'_> {
    /// The query of the page of this part.
    fn of_part(&self, part: &str) -> String {
        let q = crate::links::segment(&self.typed);
        if part.is_empty() { format!("q={q}") } else { format!("q={q}&part={part}") }
    }

    /// The part of the query that keeps the search.
    fn kept(&self) -> String {
        format!("{}&", self.of_part(self.part))
    }

    /// True if nothing was found.
    fn is_empty(&self) -> bool {
        self.teams.total + self.people.total + self.repositories.total == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_typed_is_words() {
        assert_eq!(quoted("  core  org:acme -x "), "\"core\" \"org:acme\" \"-x\"");
        assert_eq!(quoted("a \"b c\" NOT"), "\"a\" \"b\" \"c\" \"NOT\"");
        assert_eq!(quoted(" \" "), "");
        assert_eq!(quoted(&"x ".repeat(500)).split(' ').count(), WORDS);
    }
}
