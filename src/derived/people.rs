//! Sets of people by user id: those of the organization, and what all sets of people share (decisions 38).

use roaring::RoaringBitmap;

/// Which people of the organization are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum People {
    /// Every active member.
    All,
    /// Only owners.
    Owners,
    /// Only members who are not owners.
    NonOwners,
    /// Members who show their membership.
    Public,
}

/// The active members of the organization, one set for each list of them.
#[derive(Debug, Default)]
pub(super) struct Roster {
    everybody: RoaringBitmap,
    owners: RoaringBitmap,
    non_owners: RoaringBitmap,
    public: RoaringBitmap,
}

impl Roster {
    pub fn put(&mut self, user: u32, owner: bool, public: bool) {
        self.everybody.insert(user);
        set(&mut self.owners, user, owner);
        set(&mut self.non_owners, user, !owner);
        set(&mut self.public, user, public);
    }

    pub fn remove(&mut self, user: u32) {
        for people in [&mut self.everybody, &mut self.owners, &mut self.non_owners, &mut self.public] {
            people.remove(user);
        }
    }

    pub fn owners(&self) -> &RoaringBitmap {
        &self.owners
    }

    pub fn page(&self, which: People, offset: u64, limit: u64) -> (Vec<i64>, u64) {
        let found = match which {
            People::All => &self.everybody,
            People::Owners => &self.owners,
            People::NonOwners => &self.non_owners,
            People::Public => &self.public,
        };
        (page(found, offset, limit).map(i64::from).collect(), found.len())
    }
}

/// A user id as it is kept; none if it is not one of our sequence.
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

/// People from `offset` on, found by rank: the last page costs what the first does.
pub(super) fn page(people: &RoaringBitmap, offset: u64, limit: u64) -> impl Iterator<Item = u32> {
    let first = u32::try_from(offset).ok().and_then(|offset| people.select(offset));
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    first.into_iter().flat_map(|first| people.range(first..)).take(limit)
}
