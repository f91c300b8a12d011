//! The rows that a query has looked up, so that it looks nothing up twice.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::together::Together;
use crate::orgs::org::Org;
use crate::orgs::record::Profile as OrgProfile;
use crate::people::profile::Profile;
use crate::policy::Standing;
use crate::repos::list::RepoPlace;
use crate::repos::repo::Repo;
use crate::teams::team::SeenTeam;

/// The repositories of a team, each with the level that the team is granted, as a rank.
pub type Granted = Vec<(RepoPlace, Option<i64>)>;

/// Everything that a query has looked up.
#[derive(Default)]
pub struct Known {
    /// Organizations, with the caller's standing.
    pub orgs: Together<(Org, Standing)>,
    /// The profiles of organizations.
    pub org_profiles: Together<OrgProfile>,
    /// The profiles of people.
    pub profiles: Together<Profile>,
    /// The organizations of people.
    pub orgs_of_people: Together<Vec<i64>>,
    /// Teams above others.
    pub parents: Together<SeenTeam>,
    /// The caller's stored roles in teams.
    pub roles: Together<Option<&'static str>>,
    /// The repositories of teams.
    pub granted: Together<Granted>,
    /// Repositories.
    pub repos: Together<Repo>,
    /// True for repositories that have vulnerability alerts.
    pub alerts: Together<bool>,
}

impl Known {
    /// Notes that these organizations are on one page.
    pub fn list_orgs(&self, ids: &Rc<[i64]>) {
        self.orgs.list(ids);
        self.org_profiles.list(ids);
    }

    /// Notes that these people are on one page.
    pub fn list_people(&self, ids: &Rc<[i64]>) {
        self.profiles.list(ids);
        self.orgs_of_people.list(ids);
    }

    /// Notes that these repositories are on one page.
    pub fn list_repos(&self, repos: &[Rc<Repo>]) {
        let parents: BTreeSet<i64> = repos.iter().filter_map(|repo| repo.fork_of).collect();
        self.repos.list(&parents.into_iter().collect());
        self.alerts.list(&repos.iter().map(|repo| repo.id).collect());
    }

    /// Notes that these teams are on one page.
    pub fn list_teams(&self, teams: &[SeenTeam]) {
        let ids: Rc<[i64]> = teams.iter().map(|team| team.id).collect();
        self.roles.list(&ids);
        self.granted.list(&ids);
        self.parents.list(&teams.iter().filter_map(|team| team.parent_id).collect());
    }
}
