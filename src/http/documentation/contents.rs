//! The contents: all operations by area, which can be searched, and the topics that concern all of them.

use askama::Template;

use super::using::parts;
use super::{Links, html, rendered};
use crate::error::Result;
use crate::http::openapi;
use crate::http::query;
use crate::http::reference::{ABSENT, TOPICS};
use crate::operation::Operation;
use crate::operations::operations;

/// The longest text that is searched for, in characters.
const LONGEST: usize = 120;

#[derive(Template)]
#[template(path = "docs/contents.html")]
struct Contents<'a> {
    links: Links,
    typed: &'a str,
    /// The number of operations that are listed.
    found: usize,
    areas: Vec<Area>,
    /// The topics: anchor and title.
    topics: Vec<(&'static str, &'static str)>,
    topic_texts: String,
    absent_text: String,
    absent: Vec<Entry>,
}

struct Area {
    name: &'static str,
    about: &'static str,
    entries: Vec<Entry>,
}

/// An operation in a list.
struct Entry {
    name: &'static str,
    summary: String,
    method: &'static str,
    path: String,
}

/// The text that a query searches for.
pub(super) fn typed(query: &str) -> Option<String> {
    let (_, value) = query::pairs(query).find(|(key, _)| key == "q")?;
    Some(value.ok()?.trim().chars().take(LONGEST).collect())
}

/// The contents, or the operations in which each word of a text occurs.
pub(super) fn page(typed: &str) -> Result<String> {
    let rows = operations();
    let words = typed.to_lowercase();
    let words: Vec<&str> = words.split_whitespace().collect();
    let mut areas = Vec::new();
    for (name, about) in openapi::areas(&rows) {
        let of_area = rows.iter().filter(|row| openapi::area(row) == name);
        let entries: Vec<Entry> = of_area.map(entry).filter(|entry| entry.has(&words)).collect();
        if !entries.is_empty() {
            areas.push(Area { name, about, entries });
        }
    }
    rendered(&Contents {
        links: Links::OF_CONTENTS,
        typed,
        found: areas.iter().map(|area| area.entries.len()).sum(),
        areas,
        topics: parts(TOPICS),
        topic_texts: html(TOPICS),
        absent_text: html(ABSENT),
        absent: rows.iter().filter(|row| row.absent).map(entry).collect(),
    })
}

fn entry(row: &Operation) -> Entry {
    Entry {
        name: row.name,
        summary: openapi::summary(row).replace('`', ""),
        method: row.method.name(),
        path: openapi::path(&row.forms[0]).to_owned(),
    }
}

impl Entry {
    fn has(&self, words: &[&str]) -> bool {
        let text = [self.name, &self.summary, self.method, &self.path].join(" ").to_lowercase();
        words.iter().all(|word| text.contains(word))
    }
}
