//! Looking things up for resolvers: each one once, and for all objects of a page together.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::known::Granted;
use super::running::Running;
use crate::error::{Error, Result};
use crate::orgs;
use crate::orgs::org::Org;
use crate::orgs::record::{self, Profile as OrgProfile};
use crate::people::profile::{self, Profile};
use crate::policy::Standing;
use crate::repos::alerts;
use crate::repos::repo::Repo;
use crate::teams::places;
use crate::teams::repos;
use crate::teams::roles;
use crate::teams::team::{SeenTeam, Team};

impl Running<'_> {
    /// An organization with the caller's standing.
    pub fn org(&self, id: i64) -> Result<Rc<(Org, Standing)>> {
        let load = |ids: &[i64]| {
            self.look(|cx| {
                let found = Org::by_ids(cx, ids)?;
                let standing = |org: &Org| org.standing(cx);
                Ok(found
                    .into_iter()
                    .map(|org| (org.id, standing(&org), org))
                    .map(|(id, to, org)| (id, (org, to)))
                    .collect())
            })
        };
        self.known.orgs.get(id, load)?.ok_or(Error::NotFound)
    }

    /// The profile of an organization.
    pub fn org_profile(&self, id: i64) -> Result<Rc<OrgProfile>> {
        let load = |ids: &[i64]| by_id(self.look(|cx| record::profiles(cx.tx, ids)), |found| found.id);
        self.known.org_profiles.get(id, load)?.ok_or(Error::NotFound)
    }

    /// The profile of a person.
    pub fn profile(&self, id: i64) -> Result<Rc<Profile>> {
        let load = |ids: &[i64]| by_id(self.look(|cx| profile::profiles(cx.tx, ids)), |found| found.user.id);
        self.known.profiles.get(id, load)?.ok_or(Error::NotFound)
    }

    /// The organizations of a person that the caller may know of, by ID.
    pub fn orgs_of(&self, user: i64) -> Result<Rc<Vec<i64>>> {
        let load = |ids: &[i64]| {
            let found = self.look(|cx| orgs::list::every(cx, ids))?;
            let of = |user: i64| found.iter().filter(|(of, _)| *of == user).map(|(_, org)| *org).collect();
            Ok(ids.iter().map(|user| (*user, of(*user))).collect())
        };
        self.known.orgs_of_people.get(user, load)?.ok_or(Error::NotFound)
    }

    /// The team above a team.
    pub fn parent(&self, team: &SeenTeam) -> Result<Option<SeenTeam>> {
        let Some(parent) = team.parent_id else { return Ok(None) };
        let org = self.org(team.org_id)?;
        let load = |ids: &[i64]| by_id(self.look(|cx| places::rows(cx, &org.0, ids)), |found| found.id);
        Ok(self.known.parents.get(parent, load)?.map(|found| SeenTeam::clone(&found)))
    }

    /// A team with the caller's standing to it.
    pub fn with_standing(&self, team: &SeenTeam) -> Result<(Team, Standing)> {
        let org = self.org(team.org_id)?;
        let load = |ids: &[i64]| {
            let found = self.look(|cx| roles::of_person(cx.tx, cx.my_id(), ids))?;
            let role = |team: i64| found.iter().find(|(of, _)| *of == team).map(|(_, role)| *role);
            Ok(ids.iter().map(|team| (*team, role(*team))).collect())
        };
        let role = match org.0.my_role {
            Some("member") => self.known.roles.get(team.id, load)?.and_then(|role| *role),
            _ => None,
        };
        self.look(|cx| Ok(Team::with_roles(cx, team.clone(), (org.0.my_role, role))))
    }

    /// The repositories of a team that the caller can read. `shown` returns those of a team's that will be shown.
    pub fn granted(&self, team: i64, shown: impl Fn(i64, &Granted) -> Vec<i64>) -> Result<Rc<Granted>> {
        let load = |teams: &[i64]| {
            let mut found: Vec<(i64, Granted)> = teams.iter().map(|team| (*team, Vec::new())).collect();
            for one in self.look(|cx| repos::every(cx, teams))? {
                if let Some((_, granted)) = found.iter_mut().find(|(team, _)| *team == one.team) {
                    granted.push((one.place, Some(one.level)));
                }
            }
            let shown: BTreeSet<i64> = found.iter().flat_map(|(team, granted)| shown(*team, granted)).collect();
            self.repos(&Vec::from_iter(shown))?;
            Ok(found)
        };
        self.known.granted.get(team, load)?.ok_or(Error::NotFound)
    }

    /// The repositories with these identifiers.
    pub fn repos(&self, ids: &[i64]) -> Result<Vec<Rc<Repo>>> {
        let load = |ids: &[i64]| by_id(self.look(|cx| Repo::by_ids(cx, ids)), |found| found.id);
        self.known.repos.all(ids, load)
    }

    /// The repository that a repository was forked from, if the caller may see it.
    pub fn fork_parent(&self, repo: &Repo) -> Result<Option<Rc<Repo>>> {
        let Some(parent) = repo.fork_of else { return Ok(None) };
        let load = |ids: &[i64]| by_id(self.look(|cx| Repo::by_ids(cx, ids)), |found| found.id);
        let parent = self.known.repos.get(parent, load)?;
        self.look(|cx| Ok(parent.filter(|parent| parent.may_be_shown(cx))))
    }

    /// True if a repository has vulnerability alerts.
    pub fn alerts(&self, repo: i64) -> Result<bool> {
        let load = |ids: &[i64]| self.look(|cx| alerts::enabled_of(cx.tx, ids));
        Ok(self.known.alerts.get(repo, load)?.is_some_and(|enabled| *enabled))
    }
}

fn by_id<V>(found: Result<Vec<V>>, id: impl Fn(&V) -> i64) -> Result<Vec<(i64, V)>> {
    Ok(found?.into_iter().map(|value| (id(&value), value)).collect())
}
