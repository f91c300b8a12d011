//! Complete lists in the order of their keys, for connections, whose cursors are keys and not offsets (decision 60).

use std::sync::Arc;

use super::OrgState;
use super::directory::{Place, TeamList, Viewer, number};

/// A team's position in a list: the name that it is sorted by, and its ID.
pub type TeamPlace = (Arc<str>, i64);

/// Which of the teams that the viewer sees are listed.
#[derive(Debug, Clone, Default)]
pub struct TeamFilter {
    /// Only teams without a parent.
    pub roots: bool,
    /// Only teams with one of these people as a direct member.
    pub people: Option<Vec<i64>>,
}

impl OrgState {
    /// The teams that the viewer sees, in order.
    #[must_use]
    pub fn every_team(&self, viewer: Viewer<'_>, filter: &TeamFilter) -> Vec<TeamPlace> {
        let (list, extra) = match viewer {
            Viewer::Everything => (&self.all, &[][..]),
            Viewer::ClosedAnd(own) => (&self.closed, own),
        };
        self.positions(list, extra, filter)
    }

    /// The teams below a team, in order: its children, or all of its descendants.
    #[must_use]
    pub fn every_child(&self, team: i64, immediate: bool, filter: &TeamFilter) -> Vec<TeamPlace> {
        let (mut found, mut open) = (Vec::new(), vec![team]);
        while let Some(children) = open.pop().map(|team| self.tree.children(team)) {
            let Some(children) = children else { continue };
            let below = self.positions(children, &[], filter);
            if !immediate {
                open.extend(children.ids());
            }
            found.extend(below);
        }
        found.sort_unstable();
        found
    }

    /// Whether a person is an owner of the organization.
    #[must_use]
    pub fn is_owner(&self, user: i64) -> bool {
        number(user).is_some_and(|user| self.people.list(super::People::Owners).contains(user))
    }

    /// Whether a person maintains a team, as an owner does every team that they are in.
    #[must_use]
    pub fn leads(&self, team: i64, user: i64) -> bool {
        let Some(number) = number(user) else { return false };
        self.is_owner(user) || self.tree.team(team).is_some_and(|team| team.maintained_by(number))
    }

    fn positions(&self, list: &TeamList, extra: &[Place], filter: &TeamFilter) -> Vec<TeamPlace> {
        let people: Option<Vec<u32>> =
            filter.people.as_ref().map(|people| people.iter().filter_map(|user| number(*user)).collect());
        let (ids, _) = list.page(extra, 0, u64::MAX);
        let teams = ids.into_iter().filter_map(|id| self.tree.team(id));
        let wanted = teams.filter(|team| {
            (!filter.roots || !team.has_parent())
                && people.as_ref().is_none_or(|people| people.iter().any(|user| team.has(*user)))
        });
        wanted.map(|team| (Arc::clone(&team.key.name), team.key.id)).collect()
    }
}
