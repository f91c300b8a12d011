//! A model of an organization: the effect of the rules, in memory and naively.

use std::collections::BTreeMap;

use crate::properties::projects::{self, Project};
use crate::properties::repos::{self, Repos};

/// A place in [`PEOPLE`].
pub type Who = usize;

/// Everybody, by identifier. Olivia begins as owner, Nina outside.
pub const PEOPLE: [&str; 6] = ["olivia", "max", "tom", "eve", "ray", "nina"];

/// Names with their slugs; some share one.
pub const NAMES: [(&str, &str); 8] = [
    ("Core", "core"),
    ("A B", "a-b"),
    ("a-b", "a-b"),
    ("Docs", "docs"),
    ("Docs!", "docs"),
    ("éclair", "eclair"),
    ("Zed", "zed"),
    ("x", "x"),
];

/// A team that never is.
pub const NO_TEAM: i64 = 9_999;

#[derive(Debug, Clone)]
pub struct Team {
    pub name: usize,
    pub secret: bool,
    pub parent: Option<i64>,
    /// Direct members, and whether they are stored as maintainers.
    pub members: BTreeMap<Who, bool>,
    pub pending: BTreeMap<Who, bool>,
}

impl Team {
    pub fn slug(&self) -> &'static str {
        NAMES[self.name].1
    }
}

#[derive(Debug, Clone)]
pub enum Deed {
    Create { name: usize, parent: Option<i64>, secret: Option<bool> },
    Rename { team: i64, name: usize },
    Move { team: i64, parent: Option<i64> },
    Privacy { team: i64, secret: bool },
    Delete { team: i64 },
    Put { team: i64, who: Who, leads: bool },
    Remove { team: i64, who: Who },
    OrgRole { who: Who, owner: bool },
    OrgRemove { who: Who },
    Accept,
    Project(projects::Deed),
    Repo(repos::Deed),
}

#[derive(Debug, Clone)]
pub struct Act {
    pub actor: Who,
    pub deed: Deed,
}

impl Act {
    pub fn success(&self) -> u16 {
        match &self.deed {
            Deed::Project(deed) => deed.success(),
            Deed::Repo(deed) => deed.success(),
            Deed::Create { .. } => 201,
            Deed::Delete { .. } | Deed::Remove { .. } | Deed::OrgRemove { .. } => 204,
            _ => 200,
        }
    }
}

#[derive(Debug, Clone)]
pub struct Model {
    pub teams: BTreeMap<i64, Team>,
    /// Slugs that renames left, and the team that each leads to.
    pub left: BTreeMap<&'static str, i64>,
    /// Members of the organization, and whether they own it.
    pub people: BTreeMap<Who, bool>,
    /// Open invitations, and whether they make an owner.
    pub invited: BTreeMap<Who, bool>,
    pub projects: BTreeMap<i64, Project>,
    pub repos: Repos,
}

impl Model {
    /// The world of all tests: `core` with Max, who maintains it, and Tom.
    pub fn new() -> Self {
        let members = BTreeMap::from([(1, true), (2, false)]);
        let core = Team { name: 0, secret: false, parent: None, members, pending: BTreeMap::new() };
        Self {
            teams: BTreeMap::from([(1, core)]),
            left: BTreeMap::new(),
            people: (0..5).map(|who| (who, who == 0)).collect(),
            invited: BTreeMap::new(),
            projects: BTreeMap::new(),
            repos: Repos::new(),
        }
    }

    /// Any team, or one that is not there.
    pub fn nth_team(&self, pick: usize) -> i64 {
        self.teams.keys().copied().nth(pick % (self.teams.len() + 1)).unwrap_or(NO_TEAM)
    }

    pub fn owns(&self, who: Who) -> bool {
        self.people.get(&who) == Some(&true)
    }

    pub fn sees(&self, who: Who, team: i64) -> bool {
        let Some(team) = self.teams.get(&team) else { return false };
        self.owns(who) || team.members.contains_key(&who) || !team.secret && self.people.contains_key(&who)
    }

    pub fn leads(&self, who: Who, team: i64) -> bool {
        self.owns(who) || self.teams.get(&team).is_some_and(|team| team.members.get(&who) == Some(&true))
    }

    /// The team and those above it.
    pub fn above(&self, team: i64) -> Vec<i64> {
        std::iter::successors(Some(team), |team| self.teams.get(team)?.parent).take(self.teams.len() + 1).collect()
    }

    pub fn children(&self, of: i64) -> impl Iterator<Item = i64> {
        self.teams.iter().filter(move |(_, team)| team.parent == Some(of)).map(|(id, _)| *id)
    }

    /// Everybody in the team or below it.
    pub fn merged(&self, of: i64) -> Vec<Who> {
        let within = self.teams.iter().filter(|(id, _)| self.above(**id).contains(&of));
        let mut people: Vec<Who> = within.flat_map(|(_, team)| team.members.keys().copied()).collect();
        people.sort_unstable();
        people.dedup();
        people
    }

    fn is_taken(&self, actor: Who, own: Option<i64>, name: usize) -> bool {
        let slug = NAMES[name].1;
        let living = self.teams.iter().any(|(id, team)| Some(*id) != own && team.slug() == slug);
        let left = self.left.get(slug).is_some_and(|team| Some(*team) != own && !self.leads(actor, *team));
        living || left
    }

    /// Every status that a refusal of this can have, or none if it must succeed.
    pub fn refusals(&self, act: &Act) -> Vec<u16> {
        let actor = act.actor;
        match act.deed {
            Deed::Project(ref deed) => deed.refusals(self, actor),
            Deed::Repo(ref deed) => deed.refusals(self, actor),
            Deed::Create { name, parent, secret } => {
                if !self.people.contains_key(&actor) {
                    return vec![403];
                }
                let mut all = self.refusals_of_parent(actor, parent, secret == Some(true));
                all.extend(self.is_taken(actor, None, name).then_some(422));
                all
            }
            Deed::Rename { team, .. }
            | Deed::Move { team, .. }
            | Deed::Privacy { team, .. }
            | Deed::Delete { team }
            | Deed::Put { team, .. }
            | Deed::Remove { team, .. } => match () {
                () if !self.sees(actor, team) => vec![404],
                () if !self.leads(actor, team) => vec![403],
                () => self.refusals_of_team(actor, team, &act.deed),
            },
            Deed::OrgRole { .. } | Deed::OrgRemove { .. } if !self.owns(actor) => vec![403],
            Deed::OrgRole { who, owner } => self.last_owner_stays(who, owner),
            Deed::OrgRemove { who } if !self.is_known(who) => vec![404],
            Deed::OrgRemove { who } => self.last_owner_stays(who, false),
            Deed::Accept if !self.is_known(actor) => vec![404],
            Deed::Accept => vec![],
        }
    }

    /// True if a user is a member of the organization or invited to it.
    fn is_known(&self, who: Who) -> bool {
        self.people.contains_key(&who) || self.invited.contains_key(&who)
    }

    pub fn last_owner_stays(&self, who: Who, stays: bool) -> Vec<u16> {
        let last = self.owns(who) && self.people.values().filter(|owner| **owner).count() == 1;
        if last && !stays { vec![422] } else { vec![] }
    }

    fn refusals_of_parent(&self, actor: Who, parent: Option<i64>, secret: bool) -> Vec<u16> {
        let Some(parent) = parent else { return vec![] };
        if !self.sees(actor, parent) {
            return vec![422];
        }
        let mut all = Vec::new();
        all.extend((secret || self.teams[&parent].secret).then_some(422));
        all.extend((!self.leads(actor, parent)).then_some(403));
        all
    }

    /// For a user who may change the team.
    fn refusals_of_team(&self, actor: Who, id: i64, deed: &Deed) -> Vec<u16> {
        let team = &self.teams[&id];
        let refused = |is: bool, status: u16| is.then_some(status).into_iter().collect();
        match *deed {
            Deed::Rename { name, .. } => refused(name != team.name && self.is_taken(actor, Some(id), name), 422),
            Deed::Move { parent, .. } if parent == team.parent => vec![],
            Deed::Move { parent, .. } => {
                let mut all = self.refusals_of_parent(actor, parent, team.secret);
                all.extend(parent.is_some_and(|parent| self.above(parent).contains(&id)).then_some(422));
                all.extend(team.parent.is_some_and(|old| !self.leads(actor, old)).then_some(403));
                all
            }
            Deed::Privacy { secret, .. } => {
                refused(secret && (team.parent.is_some() || self.children(id).next().is_some()), 422)
            }
            Deed::Delete { .. } => refused(!self.owns(actor) && self.children(id).next().is_some(), 403),
            Deed::Put { who, .. } => {
                let known = self.people.contains_key(&who) || team.pending.contains_key(&who);
                refused(!known && !self.owns(actor), 422)
            }
            _ => vec![],
        }
    }

    /// Does what is not refused; a new team has this identifier.
    pub fn carry_out(&mut self, act: &Act, id: Option<i64>) {
        match act.deed {
            Deed::Project(ref deed) => deed.carry_out(self, act.actor, id),
            Deed::Repo(ref deed) => deed.carry_out(self, act.actor, id),
            Deed::Create { name, parent, secret } => {
                let members = BTreeMap::from([(act.actor, true)]);
                let secret = secret.unwrap_or(parent.is_none());
                let team = Team { name, secret, parent, members, pending: BTreeMap::new() };
                self.left.remove(team.slug());
                self.teams.insert(id.expect("a new team has an identifier"), team);
            }
            Deed::Rename { team: id, name } => {
                let team = self.teams.get_mut(&id).expect("a team");
                let old = team.slug();
                team.name = name;
                if old != NAMES[name].1 {
                    self.left.remove(NAMES[name].1);
                    self.left.insert(old, id);
                }
            }
            Deed::Move { team, parent } => self.teams.get_mut(&team).expect("a team").parent = parent,
            Deed::Privacy { team, secret } => self.teams.get_mut(&team).expect("a team").secret = secret,
            Deed::Delete { team } => {
                let doomed: Vec<i64> =
                    self.teams.keys().copied().filter(|id| self.above(*id).contains(&team)).collect();
                self.teams.retain(|id, _| !doomed.contains(id));
                self.left.retain(|_, id| !doomed.contains(id));
                projects::forget(&mut self.projects, |id| doomed.contains(&id), None);
                self.repos.forget(|id| doomed.contains(&id), None);
            }
            Deed::Put { team, who, leads } => self.put(team, who, leads),
            Deed::Remove { team, who } => {
                let team = self.teams.get_mut(&team).expect("a team");
                if team.pending.remove(&who).is_none() {
                    team.members.remove(&who);
                }
            }
            Deed::OrgRole { who, owner } => {
                let list = if self.people.contains_key(&who) { &mut self.people } else { &mut self.invited };
                list.insert(who, owner);
            }
            Deed::OrgRemove { who } => self.leave(who),
            Deed::Accept => self.accept(act.actor),
        }
    }

    /// Ends a membership of the organization, or an invitation to it.
    pub fn leave(&mut self, who: Who) {
        if self.people.remove(&who).is_some() {
            projects::forget(&mut self.projects, |_| false, Some(who));
            self.repos.forget(|_| false, Some(who));
        }
        self.invited.remove(&who);
        for team in self.teams.values_mut() {
            team.members.remove(&who);
            team.pending.remove(&who);
        }
    }

    fn put(&mut self, team: i64, who: Who, leads: bool) {
        let team = self.teams.get_mut(&team).expect("a team");
        if self.people.contains_key(&who) {
            team.members.insert(who, leads);
        } else {
            team.pending.insert(who, leads);
            self.invited.entry(who).or_insert(false);
        }
    }

    fn accept(&mut self, who: Who) {
        let Some(owner) = self.invited.remove(&who) else { return };
        self.people.insert(who, owner);
        for team in self.teams.values_mut() {
            if let Some(leads) = team.pending.remove(&who) {
                team.members.insert(who, leads);
            }
        }
    }
}
