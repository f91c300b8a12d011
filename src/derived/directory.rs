//! Ordered lists of teams: by name (case folded by whoever makes the key, compared as bytes), then id (decisions 38).
//!
//! A list is one sorted vector, so that every page and the exact total cost the same. Who sees only some of the secret
//! teams (decisions 17) gets a merge of the closed list and their own few, found by rank and never copied whole.

use std::sync::Arc;

/// Whose list of teams it is (decisions 17).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Viewer<'a> {
    /// An owner: every team.
    Everything,
    /// A member: closed teams and their own secret ones, at these places.
    ClosedAnd(&'a [Place]),
}

/// Where a secret team stands in the list of somebody who sees it among the closed ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    at: usize,
    team: i64,
}

/// Where a team stands in a list: the derived order is the order of every team list.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key {
    pub name: Arc<str>,
    pub id: i64,
}

/// Teams in the order of their keys, each once.
#[derive(Debug, Default)]
pub(super) struct TeamList(Vec<Key>);

impl TeamList {
    pub fn make_room(&mut self, teams: usize) {
        self.0.reserve_exact(teams.saturating_sub(self.0.len()));
    }

    pub fn insert(&mut self, key: &Key) {
        // Loads come in order of the keys: the end is tried before searching.
        if self.0.last().is_none_or(|last| last < key) {
            self.0.push(key.clone());
        } else if let Err(at) = self.0.binary_search(key) {
            self.0.insert(at, key.clone());
        }
    }

    pub fn remove(&mut self, key: &Key) {
        if let Ok(at) = self.0.binary_search(key) {
            self.0.remove(at);
        }
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn ids(&self) -> impl Iterator<Item = i64> {
        self.0.iter().map(|key| key.id)
    }

    /// One page of the list and the exact number of teams in it.
    pub fn page(&self, offset: u64, limit: u64) -> (Vec<i64>, u64) {
        self.page_with(&[], offset, limit)
    }

    /// The place of each of these teams in the list merged with them; they are sorted, and share no team with it. The
    /// places ascend, because both lists do.
    pub fn places(&self, extra: &[&Key]) -> Vec<Place> {
        let place = |(before, key): (usize, &&Key)| Place {
            at: before + self.0.partition_point(|listed| listed < *key),
            team: key.id,
        };
        extra.iter().enumerate().map(place).collect()
    }

    /// One page of this list merged with the teams of these places.
    pub fn page_with(&self, extra: &[Place], offset: u64, limit: u64) -> (Vec<i64>, u64) {
        let total = self.0.len() + extra.len();
        let start = index(offset).min(total);
        let end = start.saturating_add(index(limit)).min(total);
        let mut next = extra.partition_point(|place| place.at < start);
        let page = (start..end)
            .filter_map(|at| {
                if let Some(place) = extra.get(next).filter(|place| place.at == at) {
                    next += 1;
                    return Some(place.team);
                }
                self.0.get(at - next).map(|key| key.id)
            })
            .collect();
        (page, total as u64)
    }
}

fn index(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::{Key, TeamList};

    fn key(name: &str, id: i64) -> Key {
        Key { name: name.into(), id }
    }

    fn list(keys: &[(&str, i64)]) -> TeamList {
        let mut list = TeamList::default();
        for (name, id) in keys {
            list.insert(&key(name, *id));
        }
        list
    }

    #[test]
    fn lists_are_ordered_by_bytes_then_id_and_hold_each_team_once() {
        let mut list = list(&[("é", 1), ("b", 9), ("b", 3), ("a b", 4), ("a", 7), ("b", 3)]);
        assert_eq!(list.page(0, 10), (vec![7, 4, 3, 9, 1], 5));
        list.remove(&key("b", 3));
        list.remove(&key("b", 4));
        assert_eq!(list.page(0, 10), (vec![7, 4, 9, 1], 4));
    }

    #[test]
    fn pages_partition_the_merged_list() {
        let closed = list(&[("b", 2), ("d", 4), ("d", 6), ("f", 8)]);
        let own = [key("a", 1), key("d", 5), key("e", 7), key("g", 9)];
        let places = closed.places(&own.iter().collect::<Vec<_>>());
        let whole = [1, 2, 4, 5, 6, 7, 8, 9];
        for limit in 1..10_u64 {
            let pages = (0..10).map(|page| closed.page_with(&places, page * limit, limit));
            let (ids, totals): (Vec<_>, Vec<_>) = pages.unzip();
            assert_eq!(ids.concat(), whole);
            assert!(totals.iter().all(|total| *total == 8));
        }
    }

    #[test]
    fn a_page_past_the_end_is_empty() {
        let list = list(&[("a", 1)]);
        assert_eq!(list.page(1, 30), (vec![], 1));
        assert_eq!(list.page(u64::MAX, u64::MAX), (vec![], 1));
        assert_eq!(list.page(0, u64::MAX), (vec![1], 1));
    }
}
