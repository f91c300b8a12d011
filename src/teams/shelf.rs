//! The texts of teams that lists have shown, one behind the other (decision record 0023).
//!
//! A page is gathered from two texts for each team, its own and its parent's. What that costs is not the copying but
//! each place in memory that is far from the others: so there is one table and one run of bytes, and nothing else.

use std::sync::{Mutex, MutexGuard, PoisonError};

use foldhash::HashMap;

use super::team::Brief;
use crate::db::Kept;
use crate::operation::template;

/// How many bytes of text there is room for; more than that and it begins anew.
const ROOM: usize = 16 << 20;

/// From how many bases teams are shown at a time: whoever asks can make up names of hosts.
const BASES: usize = 256;

/// The texts of one reader.
#[derive(Default)]
pub(super) struct Shelf(Mutex<Texts>);

impl Kept for Shelf {
    /// It is kept empty, and bounds itself.
    fn weight(&self) -> usize {
        0
    }
}

impl Shelf {
    pub(super) fn lock(&self) -> MutexGuard<'_, Texts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The number of what addresses begin with in a text.
pub(super) type Base = usize;

/// Teams in short, written, each without its parent.
#[derive(Default)]
pub(super) struct Texts {
    bases: HashMap<Vec<u8>, Base>,
    places: HashMap<(Base, i64), Place>,
    bytes: Vec<u8>,
}

/// Where the text of a team stands, and whose text follows it in a list.
#[derive(Clone, Copy)]
struct Place {
    begin: usize,
    end: usize,
    parent: Option<i64>,
}

impl Texts {
    /// The number of a base; to be asked before each list, because it makes room.
    pub(super) fn base(&mut self, key: &[u8]) -> Base {
        if self.bytes.len() > ROOM {
            *self = Self::default();
        }
        if let Some(base) = self.bases.get(key) {
            return *base;
        }
        if self.bases.len() >= BASES {
            *self = Self::default();
        }
        let base = self.bases.len();
        self.bases.insert(key.to_vec(), base);
        base
    }

    /// Which of these teams have no text here.
    pub(super) fn missing(&self, base: Base, ids: &[i64]) -> Vec<i64> {
        ids.iter().copied().filter(|id| !self.places.contains_key(&(base, *id))).collect()
    }

    /// The parents of these teams, each once.
    pub(super) fn parents(&self, base: Base, ids: &[i64]) -> Vec<i64> {
        let mut parents: Vec<i64> = ids.iter().filter_map(|id| self.places.get(&(base, *id))?.parent).collect();
        parents.sort_unstable();
        parents.dedup();
        parents
    }

    /// Adds a team, whose text the function writes.
    pub(super) fn add(&mut self, base: Base, team: &Brief, write: impl FnOnce(&mut Vec<u8>)) {
        let begin = self.bytes.len();
        write(&mut self.bytes);
        self.places.insert((base, team.id), Place { begin, end: self.bytes.len(), parent: team.parent_id });
    }

    /// The list of these teams as JSON, each with its parent behind it: `parent` is the last member of the record.
    pub(super) fn list(&self, base: Base, ids: &[i64]) -> Vec<u8> {
        let place = |id: i64| self.places.get(&(base, id));
        let teams = ids.iter().filter_map(|id| place(*id));
        let texts: Vec<(&[u8], Option<&[u8]>)> =
            teams.map(|team| (self.text(team), team.parent.and_then(place).map(|parent| self.text(parent)))).collect();
        let length = |(team, parent): &(&[u8], Option<&[u8]>)| team.len() + parent.map_or(4, <[u8]>::len) + 11;
        template::list(&texts, texts.iter().map(length).max().unwrap_or(0), |(team, parent), json| {
            json.extend_from_slice(team.strip_suffix(b"}").unwrap_or(team));
            json.extend_from_slice(b",\"parent\":");
            json.extend_from_slice(parent.unwrap_or(b"null"));
            json.push(b'}');
        })
    }

    fn text(&self, place: &Place) -> &[u8] {
        &self.bytes[place.begin..place.end]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn team(id: i64) -> Brief {
        Brief {
            id,
            org_id: 1,
            name: String::new(),
            slug: String::new(),
            description: None,
            privacy: "closed",
            notification_setting: "notifications_enabled",
            permission: "pull",
            parent_id: None,
        }
    }

    #[test]
    fn what_is_kept_has_a_bound() {
        let mut texts = Texts::default();
        for id in 0..40 {
            let base = texts.base(b"a");
            texts.add(base, &team(id), |bytes| bytes.resize(bytes.len() + (1 << 20), b'x'));
            assert!(texts.missing(base, &[id]).is_empty());
            assert!(texts.bytes.len() <= ROOM + (1 << 20));
        }
        for n in 0..2_000_u32 {
            texts.base(&n.to_be_bytes());
            assert!(texts.bases.len() <= BASES);
        }
    }

    #[test]
    fn bases_have_texts_of_their_own() {
        let mut texts = Texts::default();
        let (one, other) = (texts.base(b"one"), texts.base(b"other"));
        assert_eq!((texts.base(b"one"), one == other), (one, false));
        texts.add(one, &team(7), |bytes| bytes.extend_from_slice(b"{1}"));
        assert_eq!(texts.missing(other, &[7]), [7]);
        texts.add(other, &team(7), |bytes| bytes.extend_from_slice(b"{2}"));
        assert_eq!(texts.list(one, &[7, 8]), b"[{1,\"parent\":null}]");
        assert_eq!(texts.list(other, &[7]), b"[{2,\"parent\":null}]");
    }
}
