//! The JSON text of teams that lists have shown, one fragment for each team and base URL (docs/decisions/0023).
//!
//! No statement runs in this file, so the lock is held for as long as it takes to copy some bytes.

use std::sync::{Mutex, MutexGuard, PoisonError};

use foldhash::HashMap;

use crate::db::Cacheable;
use crate::operation::template;

/// The bytes of all fragments. Those that were not used for longest are dropped.
const ROOM: usize = 16 << 20;

/// The number of base URLs for which there are fragments.
const URLS: usize = 256;

/// The number of those that one person can add, because clients can make up host names. Lists for more are written without
/// fragments.
const URLS_PER_PERSON: usize = 4;

/// The fragments of all organizations. They are in two generations: what is used moves to the younger one.
#[derive(Default)]
pub(super) struct Fragments(Mutex<State>);

#[derive(Default)]
struct State {
    young: Generation,
    old: Generation,
    last: usize,
}

/// Fragments one after another. A page is gathered from two fragments for each team, its own and its parent's. The cost
/// is not the copying but each access to a distant place in memory. That is why there is one table and one run of bytes.
#[derive(Default)]
struct Generation {
    /// The number of each base URL, and the person who was the first to use it.
    urls: HashMap<Vec<u8>, (Url, i64)>,
    spans: HashMap<(Url, i64), Span>,
    bytes: Vec<u8>,
}

/// The number of a base URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Url(usize);

/// The place of the fragment of a team, and the team whose fragment follows it in a list.
#[derive(Clone, Copy)]
struct Span {
    begin: usize,
    end: usize,
    parent: Option<i64>,
}

/// The fragment of a team that was just written.
pub(super) struct Fragment {
    pub team: i64,
    pub parent: Option<i64>,
    pub json: Vec<u8>,
}

impl Cacheable for Fragments {
    /// It is inserted empty, and limits its own size.
    fn weight(&self) -> usize {
        0
    }
}

impl Fragments {
    /// The number of a base URL, unless this person has added too many.
    pub fn url(&self, key: &[u8], person: i64) -> Option<Url> {
        self.state().url(key, person)
    }

    /// The teams without a fragment.
    pub fn missing(&self, url: Url, teams: &[i64]) -> Vec<i64> {
        let mut state = self.state();
        let mut missing: Vec<i64> = teams.iter().copied().filter(|team| !state.has(url, *team)).collect();
        missing.sort_unstable();
        missing.dedup();
        missing
    }

    /// The parents of these teams that have no fragment.
    pub fn missing_parents(&self, url: Url, teams: &[i64]) -> Vec<i64> {
        let parents: Vec<i64> = {
            let state = self.state();
            let parent = |team: &i64| state.young.spans.get(&(url, *team))?.parent;
            teams.iter().filter_map(parent).collect()
        };
        self.missing(url, &parents)
    }

    /// Inserts fragments.
    pub fn insert(&self, url: Url, fragments: &[Fragment]) {
        let mut state = self.state();
        for Fragment { team, parent, json } in fragments {
            state.add((url, *team), *parent, json);
        }
    }

    /// The list of these teams as JSON, each with its parent at the end, because `parent` is the last field of the
    /// record. None if a fragment is missing.
    pub fn list(&self, url: Url, teams: &[i64]) -> Option<Vec<u8>> {
        let mut state = self.state();
        if let Some(written) = state.young.list(url, teams) {
            return Some(written);
        }
        // Those that were not used lately.
        for team in teams {
            if !state.has(url, *team) {
                return None;
            }
            let parent = state.young.spans.get(&(url, *team)).and_then(|span| span.parent);
            if parent.is_some_and(|parent| !state.has(url, parent)) {
                return None;
            }
        }
        state.young.list(url, teams)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn url(&mut self, key: &[u8], person: i64) -> Option<Url> {
        if let Some((url, _)) = self.young.urls.get(key) {
            return Some(*url);
        }
        let known = self.old.urls.get(key).copied();
        let own = self.young.urls.values().filter(|(_, by)| *by == person);
        if known.is_none() && own.count() >= URLS_PER_PERSON {
            return None;
        }
        let (url, by) = known.unwrap_or((Url(self.last), person));
        self.last += 1;
        if self.young.urls.len() >= URLS / 2 {
            self.age();
        }
        self.young.urls.insert(key.to_owned(), (url, by));
        Some(url)
    }

    /// True if there is a fragment for this team, which counts as used.
    fn has(&mut self, url: Url, team: i64) -> bool {
        if self.young.spans.contains_key(&(url, team)) {
            return true;
        }
        let Some(Span { begin, end, parent }) = self.old.spans.get(&(url, team)).copied() else { return false };
        let json = self.old.bytes[begin..end].to_vec();
        self.add((url, team), parent, &json);
        true
    }

    fn add(&mut self, key: (Url, i64), parent: Option<i64>, json: &[u8]) {
        if self.young.bytes.len() + json.len() > ROOM / 2 {
            self.age();
        }
        let begin = self.young.bytes.len();
        self.young.bytes.extend_from_slice(json);
        self.young.spans.insert(key, Span { begin, end: self.young.bytes.len(), parent });
    }

    fn age(&mut self) {
        self.old = std::mem::take(&mut self.young);
    }
}

impl Generation {
    fn list(&self, url: Url, teams: &[i64]) -> Option<Vec<u8>> {
        let text = |span: &Span| &self.bytes[span.begin..span.end];
        let parent = |span: &Span| match span.parent {
            Some(parent) => self.spans.get(&(url, parent)).map(text),
            None => Some(&b"null"[..]),
        };
        let pair = |team: &i64| self.spans.get(&(url, *team)).and_then(|span| Some((text(span), parent(span)?)));
        let texts = teams.iter().map(pair).collect::<Option<Vec<_>>>()?;
        let length = texts.iter().map(|(team, parent)| team.len() + parent.len() + 11).max();
        Some(template::list(&texts, length.unwrap_or(0), |(team, parent), json| {
            json.extend_from_slice(team.strip_suffix(b"}").unwrap_or(team));
            json.extend_from_slice(b",\"parent\":");
            json.extend_from_slice(parent);
            json.push(b'}');
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fragment(team: i64, length: usize) -> Fragment {
        Fragment { team, parent: None, json: [b"{", &b" ".repeat(length)[..], b"}"].concat() }
    }

    fn size(fragments: &Fragments) -> (usize, usize) {
        let state = fragments.state();
        let urls = [&state.young, &state.old].map(|generation| generation.urls.len()).iter().sum();
        (state.young.bytes.len() + state.old.bytes.len(), urls)
    }

    #[test]
    fn what_is_kept_has_a_bound_and_what_is_used_stays() {
        let fragments = Fragments::default();
        let own = fragments.url(b"http://own", 1).unwrap();
        fragments.insert(own, &[fragment(0, 10)]);
        for team in 1..2_000 {
            let url = fragments.url(format!("http://{team}").as_bytes(), team).unwrap();
            fragments.insert(url, &[fragment(team, 100_000)]);
            assert!(fragments.list(url, &[team]).is_some());
            assert_eq!(fragments.url(b"http://own", 1), Some(own));
            assert!(fragments.list(own, &[0]).is_some(), "it was used after each of the others");
            let (bytes, urls) = size(&fragments);
            assert!(bytes <= ROOM && urls <= URLS, "{bytes} bytes, {urls} URLs");
        }
    }

    #[test]
    fn one_person_adds_few_urls_and_displaces_none() {
        let fragments = Fragments::default();
        let own = fragments.url(b"http://own", 1).unwrap();
        let made_up = (0..1_000).filter(|n| fragments.url(format!("http://{n}").as_bytes(), 2).is_some());
        assert_eq!(made_up.count(), URLS_PER_PERSON);
        assert_eq!(fragments.url(b"http://own", 3), Some(own));
        assert!(fragments.url(b"http://other", 3).is_some());
    }
}
