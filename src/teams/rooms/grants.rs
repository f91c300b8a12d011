//! The repositories and projects of a team, with the team that has each level.

use std::collections::HashMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::TeamLink;
use crate::db::{ByIds, by_ids_after, row};
use crate::error::Result;
use crate::operation::{Cx, List};
use crate::policy::Granted;
use crate::projects::level as project_level;
use crate::projects::project::Project;
use crate::repos::level::Level;
use crate::teams::team::Team;
use crate::teams::{projects, repos};

/// A repository or project of a team in a list.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct RoomGrant {
    /// ID.
    pub id: i64,
    /// The path of its page below the pages.
    pub path: String,
    /// Full name of a repository, or name of a project.
    pub name: String,
    /// The level of the team.
    pub level: String,
    /// The level that the team itself was given, if it was.
    pub own: Option<String>,
    /// The nearest team above it that was given the highest level, if one was.
    pub from: Option<TeamLink>,
    /// The highest level that teams above it were given.
    pub inherited: Option<String>,
    /// True if the caller administers it.
    pub administers: bool,
}

row! {
    /// A level that a team or a team above it was given.
    struct Given {
        of: i64,
        level: i64,
        depth: i64,
        team: TeamLink,
    }
}

/// The grants to the team and to the teams above it, the highest level first, by what it is for.
type AllGiven = HashMap<i64, Vec<Given>>;

/// List the repositories of a team that the caller reads, by ID.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Repositories {
    /// ID of the only one to list.
    pub id: Option<i64>,
}

/// Lists the repositories of a page.
pub fn repositories(cx: &mut Cx, team: Granted<Team>, p: Repositories) -> Result<List<RoomGrant>> {
    let (total, page) = match p.id {
        Some(id) => (1, repos::one(cx, team.id, id)?),
        None => (repos::count(cx, team.id)?, repos::page(cx, team.id)?),
    };
    let ids: Vec<i64> = page.iter().map(|(repo, _)| repo.id).collect();
    let mut given = given(cx, &REPOS, team.id, &ids)?;
    let name = |rank: i64| Level::of_rank(rank).map_or("none", Level::role_name);
    let grant = |(repo, level): &(crate::repos::repo::Repo, i64)| {
        let full = repo.full_name();
        RoomGrant::new((repo.id, format!("/{full}"), full), *level, given.remove(&repo.id), name)
            .administered(repo.level() >= Some(Level::Admin))
    };
    List::of(page.iter().map(grant).collect::<Vec<_>>(), total)
}

/// List the projects of a team that the caller reads, by ID.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Projects {
    /// ID of the only one to list.
    pub id: Option<i64>,
}

/// Lists the projects of a page.
pub fn projects(cx: &mut Cx, team: Granted<Team>, p: Projects) -> Result<List<RoomGrant>> {
    let (total, page) = match p.id {
        Some(id) => (1, projects::one_with_role(cx, team.id, id)?),
        None => (projects::count(cx, team.id)?, projects::page_with_role(cx, team.id)?),
    };
    let ids: Vec<i64> = page.iter().map(|(project, ..)| project.id).collect();
    let mut given = given(cx, &PROJECTS, team.id, &ids)?;
    let grant = |(project, level, administers): (Project, i64, bool)| {
        let path = format!("/orgs/{}/projects/{}", project.org_login, project.number);
        let given = given.remove(&project.id);
        RoomGrant::new((project.id, path, project.name), level, given, project_level::word).administered(administers)
    };
    List::of(page.into_iter().map(grant).collect::<Vec<_>>(), total)
}

impl RoomGrant {
    fn new(
        (id, path, name): (i64, String, String),
        level: i64,
        given: Option<Vec<Given>>,
        word: impl Fn(i64) -> &'static str,
    ) -> Self {
        let given = given.unwrap_or_default();
        let own = given.iter().find(|given| given.depth == 0).map(|own| word(own.level).to_owned());
        let above = given.into_iter().find(|given| given.depth > 0);
        let inherited = above.as_ref().map(|above| word(above.level).to_owned());
        let level = word(level).to_owned();
        Self { id, path, name, level, own, from: above.map(|above| above.team), inherited, administers: false }
    }

    fn administered(self, administers: bool) -> Self {
        Self { administers, ..self }
    }
}

fn given(cx: &mut Cx, statement: &'static ByIds, team: i64, ids: &[i64]) -> Result<AllGiven> {
    let mut all = AllGiven::new();
    for given in by_ids_after::<Given>(cx.tx, statement, &[&team], ids)? {
        all.entry(given.of).or_default().push(given);
    }
    Ok(all)
}

macro_rules! given {
    ($table:literal, $of:literal) => {
        concat!(
            "SELECT g.",
            $of,
            ", g.level, x.depth, t.name, t.slug FROM team_tree x CROSS JOIN ",
            $table,
            " g CROSS JOIN teams t
             WHERE x.descendant_id = $1 AND g.team_id = x.ancestor_id AND g.",
            $of,
            " IN ({ids}) AND t.id = g.team_id ORDER BY g.level DESC, x.depth"
        )
    };
}

static REPOS: ByIds = ByIds::after(1, given!("team_repos", "repo_id"));

static PROJECTS: ByIds = ByIds::after(1, given!("team_projects", "project_id"));
