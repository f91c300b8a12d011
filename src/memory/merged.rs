//! Merged members: the people of a team and of all teams below it, each once, by user ID. Implements decision 23.
//!
//! The direct members of a team without children are its merged members, so it needs no set of its own. For a team with
//! children, the merged set is computed at the first request and then updated by each change. Nothing here recurses, so
//! the depth of the tree is unlimited. Parent links never form a cycle, because `put_team` drops one that would.

use std::borrow::Cow;
use std::iter::successors;

use foldhash::{HashMap, HashSet};
use roaring::{MultiOps, RoaringBitmap};
use schemars::JsonSchema;
use serde::Deserialize;

use super::directory::{Key, TeamList, page, set};

/// The role of the listed people in the requested team (decision 23).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RoleFilter {
    /// Everyone.
    #[default]
    All,
    /// Only people who are neither maintainers nor owners.
    Member,
    /// Only maintainers of this team, and owners.
    Maintainer,
}

/// The people that a list shows, by where they are members (decision 23).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Reach {
    /// Members of the team and its child teams.
    #[default]
    All,
    /// Only direct members.
    Immediate,
    /// Only members of child teams.
    ChildTeam,
}

/// One person in a list of members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemberEntry {
    /// User.
    pub user: i64,
    /// True if the person is only in teams below it and not in the team itself.
    pub inherited: bool,
}

/// A page of members by user ID.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemberPage {
    /// The people of this page.
    pub entries: Vec<MemberEntry>,
    /// The exact number of people on all pages.
    pub total: u64,
}

/// A team as it is stored, with nothing inherited.
#[derive(Debug)]
pub(super) struct Team {
    pub key: Key,
    pub secret: bool,
    parent: Option<i64>,
    direct: RoaringBitmap,
    maintainers: RoaringBitmap,
}

impl Team {
    fn new(key: Key) -> Self {
        Self { key, secret: false, parent: None, direct: RoaringBitmap::new(), maintainers: RoaringBitmap::new() }
    }

    pub fn has_parent(&self) -> bool {
        self.parent.is_some()
    }

    pub fn has(&self, user: u32) -> bool {
        self.direct.contains(user)
    }

    pub fn maintained_by(&self, user: u32) -> bool {
        self.maintainers.contains(user)
    }
}

/// The teams of the organization, their links and their members.
///
/// Links are by ID and may point to a team that is not loaded yet, so rows can come in any order.
#[derive(Debug, Default)]
pub(super) struct Tree {
    teams: HashMap<i64, Team>,
    children: HashMap<i64, TeamList>,
    merged: HashMap<i64, RoaringBitmap>,
}

impl Tree {
    pub fn reserve(&mut self, teams: usize) {
        self.teams.reserve(teams.saturating_sub(self.teams.len()));
    }

    pub fn team(&self, team: i64) -> Option<&Team> {
        self.teams.get(&team)
    }

    pub fn children(&self, team: i64) -> Option<&TeamList> {
        self.children.get(&team)
    }

    /// Creates a team, or changes its name, parent or privacy.
    pub fn put_team(&mut self, key: Key, parent: Option<i64>, secret: bool) {
        let id = key.id;
        let parent = parent.filter(|parent| !self.is_below(*parent, id));
        let team = self.teams.entry(id).or_insert_with(|| Team::new(key.clone()));
        let before = team.parent;
        unlist(&mut self.children, before, &team.key);
        if let Some(parent) = parent {
            self.children.entry(parent).or_default().insert(&key);
        }
        (team.key, team.parent, team.secret) = (key, parent, secret);
        if before != parent {
            self.carry(id, before, parent);
        }
    }

    /// Removes the team and its members. The merged members of its parent are computed again when needed.
    pub fn remove_team(&mut self, id: i64) {
        let Some(team) = self.teams.remove(&id) else { return };
        unlist(&mut self.children, team.parent, &team.key);
        self.merged.remove(&id);
        self.carry(id, team.parent, None);
    }

    /// Adds or changes a direct membership. A team that is not loaded has no members.
    pub fn put_member(&mut self, id: i64, user: u32, maintainer: bool) {
        let Some(team) = self.teams.get_mut(&id) else { return };
        set(&mut team.maintainers, user, maintainer);
        if !team.direct.insert(user) || self.merged.is_empty() {
            return;
        }
        let mut next = Some(id);
        while let Some(id) = next {
            // A person who was already in the team is in every set above it.
            if self.merged.get_mut(&id).is_some_and(|merged| !merged.insert(user)) {
                return;
            }
            next = self.teams.get(&id).and_then(|team| team.parent);
        }
    }

    /// Removes a direct membership.
    pub fn remove_member(&mut self, id: i64, user: u32) {
        let Some(team) = self.teams.get_mut(&id) else { return };
        team.maintainers.remove(user);
        if !team.direct.remove(user) || self.merged.is_empty() {
            return;
        }
        let path: Vec<i64> = self.path(Some(id)).collect();
        let Some(top) = path.iter().rposition(|id| self.merged.contains_key(id)) else { return };
        let mut below = None;
        for id in path.into_iter().take(top + 1) {
            if self.still_has(id, user, below) {
                return;
            }
            if let Some(merged) = self.merged.get_mut(&id) {
                merged.remove(user);
            }
            below = Some(id);
        }
    }

    /// Removes every direct membership of the person.
    pub fn remove_person(&mut self, user: u32) {
        let theirs = self.teams.iter().filter(|(_, team)| team.direct.contains(user));
        let theirs: Vec<i64> = theirs.map(|(id, _)| *id).collect();
        for team in theirs {
            self.remove_member(team, user);
        }
    }

    /// One page of the team's members and their exact number. `owners` are maintainers wherever they are members.
    pub fn members(
        &mut self,
        id: i64,
        owners: &RoaringBitmap,
        (role, reach): (RoleFilter, Reach),
        (offset, limit): (u64, u64),
    ) -> MemberPage {
        self.keep_merged(id);
        let Some(team) = self.teams.get(&id) else { return MemberPage::default() };
        let found = self.reached(id, owners, (role, reach));
        let entry = |user| MemberEntry { user: i64::from(user), inherited: !team.direct.contains(user) };
        MemberPage { entries: page(&found, offset, limit).map(entry).collect(), total: found.len() }
    }

    /// The team's members with this role whom this reaches.
    pub fn reached(
        &self,
        id: i64,
        owners: &RoaringBitmap,
        (role, reach): (RoleFilter, Reach),
    ) -> Cow<'_, RoaringBitmap> {
        let Some(team) = self.teams.get(&id) else { return Cow::default() };
        let merged = self.merged(id);
        let reached = match reach {
            Reach::All => merged,
            Reach::Immediate => Cow::Borrowed(&team.direct),
            Reach::ChildTeam => Cow::Owned(&*merged - &team.direct),
        };
        let leading = || &team.maintainers | (owners & &*reached);
        match role {
            RoleFilter::All => reached,
            RoleFilter::Maintainer => Cow::Owned(&*reached & leading()),
            RoleFilter::Member => Cow::Owned(&*reached - leading()),
        }
    }

    /// The teams that a person is in, and those above them.
    pub fn teams_of(&self, user: u32) -> HashSet<i64> {
        let own = self.teams.values().filter(|team| team.direct.contains(user));
        own.flat_map(|team| self.path(Some(team.key.id))).collect()
    }

    /// Computes the merged set of a team with children, unless it is cached.
    pub fn keep_merged(&mut self, id: i64) {
        if self.teams.contains_key(&id) && self.children.contains_key(&id) && !self.merged.contains_key(&id) {
            let merged = self.merged(id).into_owned();
            self.merged.insert(id, merged);
        }
    }

    /// The merged members of a team: a cached set, its direct members, or a set that is computed now.
    fn merged(&self, id: i64) -> Cow<'_, RoaringBitmap> {
        let parts: Vec<&RoaringBitmap> = self.parts(vec![id]).collect();
        match parts[..] {
            [only] => Cow::Borrowed(only),
            _ => Cow::Owned(parts.union()),
        }
    }

    /// Sets whose union is the merged members of the given teams: cached sets where they exist, and direct members
    /// elsewhere.
    fn parts(&self, mut ids: Vec<i64>) -> impl Iterator<Item = &RoaringBitmap> {
        std::iter::from_fn(move || {
            loop {
                let id = ids.pop()?;
                if let Some(merged) = self.merged.get(&id) {
                    return Some(merged);
                }
                ids.extend(self.children.get(&id).into_iter().flat_map(TeamList::ids));
                if let Some(team) = self.teams.get(&id) {
                    return Some(&team.direct);
                }
            }
        })
    }

    /// True if the person is in the team or below it, ignoring the child `except`.
    fn still_has(&self, id: i64, user: u32, except: Option<i64>) -> bool {
        let children = self.children.get(&id).into_iter().flat_map(TeamList::ids);
        self.teams.get(&id).is_some_and(|team| team.direct.contains(user))
            || self.parts(children.filter(|child| Some(*child) != except).collect()).any(|part| part.contains(user))
    }

    /// Updates the cached sets above a team after its parent changed. Teams above both places have the same people as
    /// before. Those above the new place get more. Those above the old place are computed again when needed.
    fn carry(&mut self, id: i64, from: Option<i64>, to: Option<i64>) {
        if self.merged.is_empty() {
            return;
        }
        let mut left: Vec<i64> = self.path(from).collect();
        let mut joined: Vec<i64> = self.path(to).collect();
        while left.last().is_some_and(|shared| joined.last() == Some(shared)) {
            left.pop();
            joined.pop();
        }
        for id in left {
            self.merged.remove(&id);
        }
        joined.retain(|id| self.merged.contains_key(id));
        if joined.is_empty() {
            return;
        }
        let people = self.merged(id).into_owned();
        for id in joined {
            if let Some(merged) = self.merged.get_mut(&id) {
                *merged |= &people;
            }
        }
    }

    /// A team and those above it, upwards. The last may be one that is not loaded.
    fn path(&self, from: Option<i64>) -> impl Iterator<Item = i64> {
        successors(from, |id| self.teams.get(id)?.parent)
    }

    /// True if `id` is `top` or below it. A team without children has nothing below it, which makes loading fast.
    fn is_below(&self, id: i64, top: i64) -> bool {
        id == top || self.children.contains_key(&top) && self.path(Some(id)).any(|above| above == top)
    }
}

fn unlist(children: &mut HashMap<i64, TeamList>, parent: Option<i64>, key: &Key) {
    let Some(parent) = parent else { return };
    if let Some(list) = children.get_mut(&parent) {
        list.remove(key);
        if list.is_empty() {
            children.remove(&parent);
        }
    }
}
