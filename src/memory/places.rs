//! Lists in the order of their keys, for connections, whose cursors are keys and not offsets (decision 60). A page costs
//! the same wherever it is and however long the list is, unless a filter has to look at every team.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::ops::Range;
use std::sync::Arc;

use roaring::RoaringBitmap;

use super::directory::{Place, TeamList, Viewer, number, page};
use super::merged::{Team, Tree};
use super::{OrgState, Part, People, Reach, RoleFilter};

/// A list in order, of which every part can be read without the rest.
pub trait Sequence {
    /// The identity of an item, and its place in the order.
    type Position;
    /// The number of items.
    fn total(&self) -> usize;
    /// The number of items before this position, or, if `inclusive`, up to it. There need not be an item at it.
    fn before(&self, position: &Self::Position, inclusive: bool) -> usize;
    /// The positions of these items.
    fn part(&self, range: Range<usize>) -> Vec<Self::Position>;
}

/// A team's position in a list: the name that it is sorted by, and its ID.
pub type TeamPlace = (Arc<str>, i64);

/// The teams to list, of those that the viewer sees.
#[derive(Debug, Clone, Default)]
pub struct TeamFilter {
    /// Only teams without a parent.
    pub roots: bool,
    /// Only teams with one of these people as a member.
    pub people: Option<Vec<i64>>,
    /// Only secret ones, or only closed ones.
    pub secret: Option<bool>,
    /// Only teams that this person maintains, as an owner does all.
    pub led_by: Option<i64>,
    /// Only teams that this person is a member of.
    pub joined_by: Option<i64>,
    /// The person who is a member of every team above their own, too (decision 63). All others are members of the teams
    /// that they are in directly.
    pub effective: Option<i64>,
}

impl TeamFilter {
    /// True if every team passes.
    #[must_use]
    pub fn is_open(&self) -> bool {
        !self.roots && self.secret.is_none() && self.part() == Part::Teams
    }

    /// The part of the organization that must be loaded.
    #[must_use]
    pub fn part(&self) -> Part {
        let asks_members = self.people.is_some() || self.led_by.is_some() || self.joined_by.is_some();
        if asks_members { Part::Members } else { Part::Teams }
    }
}

/// Teams in order.
pub struct Teams<'a>(Source<'a>);

impl Teams<'_> {
    /// These teams, which are in order.
    #[must_use]
    pub fn of(places: Vec<TeamPlace>) -> Self {
        Self(Source::Chosen(places))
    }
}

enum Source<'a> {
    /// A list as it is kept, with the secret teams that the viewer is in.
    Kept(&'a TeamList, &'a [Place], &'a Tree),
    /// The teams that have passed a filter.
    Chosen(Vec<TeamPlace>),
}

impl Sequence for Teams<'_> {
    type Position = TeamPlace;

    fn total(&self) -> usize {
        match &self.0 {
            Source::Kept(list, extra, _) => list.length() + extra.len(),
            Source::Chosen(places) => places.len(),
        }
    }

    fn before(&self, (name, id): &TeamPlace, inclusive: bool) -> usize {
        let is_before = |own: &Arc<str>, team: i64| match (own, team).cmp(&(name, *id)) {
            Ordering::Less => true,
            Ordering::Equal => inclusive,
            Ordering::Greater => false,
        };
        match &self.0 {
            Source::Kept(list, extra, tree) => {
                let hidden =
                    |place: &Place| tree.team(place.team()).is_some_and(|own| is_before(&own.key.name, own.key.id));
                list.before(|key| is_before(&key.name, key.id)) + extra.partition_point(hidden)
            }
            Source::Chosen(places) => places.partition_point(|(name, id)| is_before(name, *id)),
        }
    }

    fn part(&self, range: Range<usize>) -> Vec<TeamPlace> {
        match &self.0 {
            Source::Kept(list, extra, tree) => {
                let (ids, _) = list.page(extra, range.start as u64, range.len() as u64);
                let teams = ids.into_iter().filter_map(|id| tree.team(id));
                teams.map(|team| (Arc::clone(&team.key.name), team.key.id)).collect()
            }
            Source::Chosen(places) => places.get(range).unwrap_or_default().to_vec(),
        }
    }
}

/// People by ID.
pub struct Users<'a>(Cow<'a, RoaringBitmap>);

impl Sequence for Users<'_> {
    type Position = i64;

    fn total(&self) -> usize {
        usize::try_from(self.0.len()).unwrap_or(usize::MAX)
    }

    fn before(&self, user: &i64, inclusive: bool) -> usize {
        // Below every ID, nothing comes; above every ID that fits, everything does.
        let last = if inclusive { *user } else { user.saturating_sub(1) };
        let rank = match u32::try_from(last) {
            Ok(last) => self.0.rank(last),
            Err(_) if last < 0 => 0,
            Err(_) => self.0.len(),
        };
        usize::try_from(rank).unwrap_or(usize::MAX)
    }

    fn part(&self, range: Range<usize>) -> Vec<i64> {
        page(&self.0, range.start as u64, range.len() as u64).map(i64::from).collect()
    }
}

impl OrgState {
    /// The teams that the viewer sees.
    #[must_use]
    pub fn teams<'a>(&'a self, viewer: Viewer<'a>, filter: &TeamFilter) -> Teams<'a> {
        let (list, extra) = match viewer {
            Viewer::Everything => (&self.all, &[][..]),
            Viewer::ClosedAnd(own) => (&self.closed, own),
        };
        if filter.is_open() {
            return Teams(Source::Kept(list, extra, &self.tree));
        }
        let (ids, _) = list.page(extra, 0, u64::MAX);
        Teams(Source::Chosen(self.chosen(ids.into_iter(), filter)))
    }

    /// The teams below a team: its children, or all of its descendants.
    #[must_use]
    pub fn teams_below(&self, team: i64, immediate: bool, filter: &TeamFilter) -> Teams<'_> {
        let children = self.tree.children(team);
        if let Some(children) = children.filter(|_| immediate && filter.is_open()) {
            return Teams(Source::Kept(children, &[], &self.tree));
        }
        let (mut found, mut open) = (Vec::new(), vec![team]);
        while let Some(team) = open.pop() {
            let children = self.tree.children(team).into_iter().flat_map(TeamList::ids);
            let first = found.len();
            found.extend(children);
            if !immediate {
                open.extend(&found[first..]);
            }
        }
        let mut chosen = self.chosen(found.into_iter(), filter);
        chosen.sort_unstable();
        Teams(Source::Chosen(chosen))
    }

    /// The people of a team.
    pub fn members(&mut self, team: i64, role: RoleFilter, reach: Reach) -> Users<'_> {
        self.tree.keep_merged(team);
        Users(self.tree.reached(team, self.people.list(People::Owners), (role, reach)))
    }

    /// The people of the organization.
    #[must_use]
    pub fn users(&self, which: People) -> Users<'_> {
        Users(Cow::Borrowed(self.people.list(which)))
    }

    /// True if a person is an owner of the organization.
    #[must_use]
    pub fn is_owner(&self, user: i64) -> bool {
        number(user).is_some_and(|user| self.people.list(People::Owners).contains(user))
    }

    /// True if a person maintains a team, as an owner does every team that they are in.
    #[must_use]
    pub fn leads(&self, team: i64, user: i64) -> bool {
        let Some(number) = number(user) else { return false };
        self.is_owner(user) || self.tree.team(team).is_some_and(|team| team.maintained_by(number))
    }

    fn chosen(&self, ids: impl Iterator<Item = i64>, filter: &TeamFilter) -> Vec<TeamPlace> {
        let above = filter.effective.and_then(number).map(|user| self.tree.teams_of(user)).unwrap_or_default();
        let has = |team: &Team, user: i64| match filter.effective {
            Some(effective) if effective == user => above.contains(&team.key.id),
            _ => number(user).is_some_and(|user| team.has(user)),
        };
        let wanted = ids.filter_map(|id| self.tree.team(id)).filter(|team| {
            (!filter.roots || !team.has_parent())
                && filter.secret.is_none_or(|secret| secret == team.secret)
                && filter.led_by.is_none_or(|user| self.leads(team.key.id, user))
                && filter.joined_by.is_none_or(|user| has(team, user))
                && filter.people.as_ref().is_none_or(|people| people.iter().any(|user| has(team, *user)))
        });
        wanted.map(|team| (Arc::clone(&team.key.name), team.key.id)).collect()
    }
}
