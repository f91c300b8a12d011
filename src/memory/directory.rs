//! Ordered lists of teams, sets of people by user ID, and the rows that lists show. Implements decisions 17 and 38.
//!
//! Teams are ordered by name (the key contains it in folded case, compared as bytes), then by ID. A list is one sorted
//! vector, so that every page and the exact total cost the same. A person who sees some of the secret teams gets a
//! merge of the closed list and these few. It is found by rank, and the list is never copied as a whole.

use std::hash::BuildHasher;
use std::sync::Arc;

use roaring::RoaringBitmap;

use crate::cache::Cache;
use crate::db::Cacheable;
use crate::rows::{PersonRow, TeamCounts, TeamRow};

/// The person who requests the list of teams (decision 17).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Viewer<'a> {
    /// An owner: every team.
    Everything,
    /// A member: closed teams and the secret teams that they are in, at these positions.
    ClosedAnd(&'a [Place]),
}

/// The position of a secret team among the closed ones, in the list of a person who sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    at: usize,
    team: i64,
}

/// The sort key of a team. The derived order is the order of every list of teams.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key {
    pub name: Arc<str>,
    pub id: i64,
}

/// Teams in the order of their keys, each once.
#[derive(Debug, Default)]
pub(super) struct TeamList(Vec<Key>);

impl Place {
    /// The team.
    pub(super) fn team(&self) -> i64 {
        self.team
    }
}

impl TeamList {
    pub fn reserve(&mut self, teams: usize) {
        self.0.reserve_exact(teams.saturating_sub(self.0.len()));
    }

    pub fn insert(&mut self, key: &Key) {
        // Rows are loaded in order, so the end is tried before searching.
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

    pub fn length(&self) -> usize {
        self.0.len()
    }

    /// The number of keys before a place in the order.
    pub fn before(&self, is_before: impl Fn(&Key) -> bool) -> usize {
        self.0.partition_point(is_before)
    }

    pub fn ids(&self) -> impl Iterator<Item = i64> {
        self.0.iter().map(|key| key.id)
    }

    /// The position of each of these teams in the list merged with them. They must be sorted and not contained in the
    /// list. The positions ascend, because both lists do.
    pub fn places(&self, extra: &[&Key]) -> Vec<Place> {
        let place = |(before, key): (usize, &&Key)| Place {
            at: before + self.0.partition_point(|listed| listed < *key),
            team: key.id,
        };
        extra.iter().enumerate().map(place).collect()
    }

    /// One page of this list merged with the teams at these positions, and the exact number of teams.
    pub fn page(&self, extra: &[Place], offset: u64, limit: u64) -> (Vec<i64>, u64) {
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

/// The members of the organization to list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum People {
    /// Every active member.
    All,
    /// Only owners.
    Owners,
    /// Only members who are not owners.
    NonOwners,
    /// Members whose membership is public.
    Public,
}

/// The active members of the organization: one set for each list, in the order of [`People`].
#[derive(Debug, Default)]
pub(super) struct Roster([RoaringBitmap; 4]);

impl Roster {
    pub fn put(&mut self, user: u32, owner: bool, public: bool) {
        for (people, present) in self.0.iter_mut().zip([true, owner, !owner, public]) {
            set(people, user, present);
        }
    }

    pub fn remove(&mut self, user: u32) {
        self.0.iter_mut().for_each(|people| set(people, user, false));
    }

    pub fn list(&self, which: People) -> &RoaringBitmap {
        &self.0[which as usize]
    }
}

/// A user ID as it is kept in memory, or none if it does not fit.
pub(super) fn number(user: i64) -> Option<u32> {
    u32::try_from(user).ok()
}

pub(super) fn set(people: &mut RoaringBitmap, user: u32, present: bool) {
    if present {
        people.insert(user);
    } else {
        people.remove(user);
    }
}

/// People from `offset` on, found by rank, so that the last page costs as much as the first.
pub(super) fn page(people: &RoaringBitmap, offset: u64, limit: u64) -> impl Iterator<Item = u32> {
    let first = u32::try_from(offset).ok().and_then(|offset| people.select(offset));
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    first.into_iter().flat_map(|first| people.range(first..)).take(limit)
}

/// The number of rows of a kind that are cached for an organization.
const ROWS: usize = 200_000;

/// The largest row of a team that is cached, in bytes. Descriptions may be long, and each team may have one.
const LARGEST: usize = 4_096;

/// Cached rows of an organization. A write that changes a row records a change of the team or the person, which removes
/// the row here.
#[derive(Debug)]
pub struct Rows {
    pub(super) teams: Cache<i64, Arc<TeamRow>>,
    /// The team that last had a slug, by the slug's hash. The team's row decides whether it still has that slug.
    slugs: Cache<u64, i64>,
    pub(super) counts: Cache<i64, TeamCounts>,
    pub(super) people: Cache<i64, Arc<PersonRow>>,
    hasher: foldhash::fast::RandomState,
}

impl Default for Rows {
    fn default() -> Self {
        Self {
            teams: Cache::new(ROWS),
            slugs: Cache::new(ROWS),
            counts: Cache::new(ROWS),
            people: Cache::new(ROWS),
            hasher: foldhash::fast::RandomState::default(),
        }
    }
}

impl Rows {
    /// The row of a team.
    #[must_use]
    pub fn team(&mut self, id: i64) -> Option<Arc<TeamRow>> {
        self.teams.get(&id)
    }

    /// The row of the team with this slug.
    #[must_use]
    pub fn team_by_slug(&mut self, slug: &str) -> Option<Arc<TeamRow>> {
        let id = self.slugs.get(&self.hasher.hash_one(slug))?;
        self.teams.get(&id).filter(|team| team.slug == slug)
    }

    /// Inserts the row of a team unless it is too large, and returns its ID.
    pub fn insert_team(&mut self, team: &Arc<TeamRow>) -> i64 {
        self.teams.remove(&team.id);
        if team.weight() <= LARGEST {
            let slug = self.hasher.hash_one(&team.slug);
            self.slugs.insert(slug, team.id, 1);
            self.teams.insert(team.id, Arc::clone(team), 1);
        }
        team.id
    }

    /// The counts of a team.
    #[must_use]
    pub fn counts(&mut self, team: i64) -> Option<TeamCounts> {
        self.counts.get(&team)
    }

    /// Inserts the counts of a team.
    pub fn insert_counts(&mut self, team: i64, counts: TeamCounts) {
        self.counts.insert(team, counts, 1);
    }

    /// The row of a person.
    #[must_use]
    pub fn person(&mut self, id: i64) -> Option<Arc<PersonRow>> {
        self.people.get(&id)
    }

    /// Inserts the row of a person, and returns their ID.
    pub fn insert_person(&mut self, person: &Arc<PersonRow>) -> i64 {
        self.people.insert(person.id, Arc::clone(person), 1);
        person.id
    }

    pub(super) fn reserve(&mut self, teams: usize) {
        let teams = teams.min(ROWS / 2);
        self.teams.reserve(teams);
        self.slugs.reserve(teams);
        self.counts.reserve(teams);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn team(id: i64, slug: &str, description: Option<String>) -> Arc<TeamRow> {
        Arc::new(TeamRow { id, org_id: 1, name: slug.into(), slug: slug.into(), description, ..TeamRow::default() })
    }

    #[test]
    fn a_team_is_found_by_the_slug_of_its_row_alone() {
        let mut rows = Rows::default();
        let found = |rows: &mut Rows| ["a", "b"].map(|slug| rows.team_by_slug(slug).map(|team| team.id));
        for (id, slug) in [(1, "a"), (1, "b"), (2, "a")] {
            rows.insert_team(&team(id, slug, None));
        }
        assert_eq!(found(&mut rows), [Some(2), Some(1)]);
        rows.teams.remove(&2);
        assert_eq!(found(&mut rows), [None, Some(1)]);
        rows.insert_team(&team(1, "b", Some("x".repeat(LARGEST))));
        assert_eq!((found(&mut rows), rows.team(1)), ([None, None], None), "a large row is not kept");
    }

    #[test]
    fn tables_have_a_bound() {
        let mut rows = Rows::default();
        let most = i64::try_from(ROWS).unwrap();
        for id in 0..=most {
            rows.insert_team(&team(id, &id.to_string(), None));
        }
        assert_eq!((rows.team_by_slug("0"), rows.team(0)), (None, None));
        assert_eq!(rows.team_by_slug(&most.to_string()), rows.team(most));
        assert!(rows.teams.weight() <= ROWS && rows.slugs.weight() <= ROWS);
    }
}
