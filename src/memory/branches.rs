//! Parts of the tree of teams with their numbers of people, for pages: the first teams, and as many below them as there
//! is room for.

use super::directory::{People, TeamList, Viewer, number};
use super::places::{Sequence, TeamFilter};
use super::{OrgState, Reach, RoleFilter};

/// A team in a part of the tree.
#[derive(Debug, PartialEq, Eq)]
pub struct Branch {
    /// The team.
    pub team: i64,
    /// The number of people of the team and of those below it.
    pub people: u64,
    /// The number of its child teams.
    pub children: u64,
    /// True if the person maintains it; none if they are not directly in it.
    pub leads: Option<bool>,
    /// All of its child teams, or none if there is no room for them.
    pub below: Vec<Branch>,
}

/// The room for a part of the tree.
#[derive(Debug, Clone, Copy)]
pub struct Room {
    /// The most teams.
    pub teams: usize,
    /// The most levels.
    pub levels: usize,
}

/// A team that there is room for, and the position of its parent.
struct Found {
    team: i64,
    above: Option<usize>,
    level: usize,
}

impl OrgState {
    /// One page of the teams without a parent that the viewer sees, with the teams below them, and the number of teams
    /// on all pages. Upper levels get room first. Secret teams are neither below a team nor above one.
    pub fn branches(
        &mut self,
        (viewer, user): (Viewer<'_>, i64),
        (offset, limit): (u64, u64),
        room: Room,
    ) -> (Vec<Branch>, u64) {
        let roots = self.teams(viewer, &TeamFilter { roots: true, ..TeamFilter::default() });
        let total = roots.total();
        let index = |number: u64| usize::try_from(number).unwrap_or(total).min(total);
        let page = roots.part(index(offset)..index(offset.saturating_add(limit)));
        let found = self.with_room(page.into_iter().map(|(_, team)| team), room);
        (self.nested(found, user), total as u64)
    }

    /// These teams and those below them, level by level.
    fn with_room(&self, tops: impl Iterator<Item = i64>, room: Room) -> Vec<Found> {
        let mut found: Vec<Found> = tops.map(|team| Found { team, above: None, level: 1 }).collect();
        let mut next = 0;
        while let Some(&Found { team, level, .. }) = found.get(next) {
            let left = room.teams.saturating_sub(found.len());
            let children = self.tree.children(team).filter(|all| level < room.levels && all.length() <= left);
            let children = children.into_iter().flat_map(TeamList::ids);
            found.extend(children.map(|team| Found { team, above: Some(next), level: level + 1 }));
            next += 1;
        }
        found
    }

    /// The same teams, each within its parent.
    fn nested(&mut self, mut found: Vec<Found>, user: i64) -> Vec<Branch> {
        let mut branches: Vec<Branch> = found.iter().map(|of| self.branch(of.team, user)).collect();
        let mut tops = Vec::new();
        // Each comes after its parent.
        while let (Some(mut branch), Some(of)) = (branches.pop(), found.pop()) {
            branch.below.reverse();
            let list = of.above.and_then(|above| branches.get_mut(above)).map_or(&mut tops, |above| &mut above.below);
            list.push(branch);
        }
        tops.reverse();
        tops
    }

    fn branch(&mut self, team: i64, user: i64) -> Branch {
        let leads = self.tree.team(team).zip(number(user)).and_then(|(own, user)| {
            let is_owner = self.people.list(People::Owners).contains(user);
            own.has(user).then(|| is_owner || own.maintained_by(user))
        });
        let people = self.members_page(team, RoleFilter::All, Reach::All, 0, 0).total;
        let children = self.tree.children(team).map_or(0, TeamList::length) as u64;
        Branch { team, people, children, leads, below: Vec::new() }
    }
}
