//! The people with access to a project, and the reasons (decision 67). `projects::project` defines the levels.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{Access, Found, LONGEST, Statements, is_known, paths, ranked};
use crate::db::ByIds;
use crate::error::Result;
use crate::operation::{Cx, List, Record};
use crate::policy::Granted;
use crate::projects::level::{Level, word};
use crate::projects::project::Project;

/// Get a person's effective permission on a project, with the paths that grant it. The caller sees only the paths
/// through teams that they see, and all of their own. Only the strongest 100 are shown.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Explain {
    /// Login of the person.
    pub username: String,
}

/// Explains the access of a person.
pub fn explain(cx: &mut Cx, project: Granted<Project>, p: Explain) -> Result<Record<Access>> {
    STATEMENTS.explain_one(cx, project.id, &p.username)
}

/// List the people who have access to a project, the strongest first, each with the paths that grant it. The access
/// that everyone has to a public project does not count. Paths through teams that the caller does not see are left out,
/// and so are people who have no other. Only the strongest 100 paths of a person are shown.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct ListThem {
    /// Return only people with this level.
    #[schemars(extend("enum" = ["read", "write", "admin"]))]
    pub level: Option<String>,
    /// Return only people whose login or name contains this text.
    #[schemars(length(max = LONGEST), extend("x-function-validates" = true))]
    pub q: Option<String>,
}

/// Lists who has access.
pub fn list(cx: &mut Cx, project: Granted<Project>, p: ListThem) -> Result<List<Access>> {
    let level = p.level.as_deref().and_then(Level::of).map(Level::rank);
    STATEMENTS.list(cx, project.id, level, p.q.as_deref())
}

/// One row for each way in which a person has a level on the project `$2`, except that everyone reads a public one.
macro_rules! ways {
    () => {
        concat!(
            "SELECT ac.user_id, ac.level FROM project_collaborators ac WHERE ac.project_id = $2
             UNION ALL SELECT am.user_id, CASE WHEN am.role = 'admin' THEN 3 ELSE ap.organization_level END
             FROM projects ap CROSS JOIN org_members am
             WHERE ap.id = $2 AND am.org_id = ap.org_id AND am.role <> 'billing_manager'
             UNION ALL SELECT mt.user_id, ag.level
             FROM team_projects ag CROSS JOIN teams t CROSS JOIN team_tree ab CROSS JOIN team_members mt
             WHERE ag.project_id = $2 AND t.id = ag.team_id AND ab.ancestor_id = ag.team_id
               AND mt.team_id = ab.descendant_id AND ",
            is_known!()
        )
    };
}

static STATEMENTS: Statements = Statements {
    count: ranked!(ways!(), "count(*)", ""),
    page: ranked!(ways!(), "sp.id, sp.login", " ORDER BY ranked.level DESC, sp.id LIMIT $6 OFFSET $7"),
    paths: &PATHS,
    word,
};

/// The paths of people on the project `$2`.
static PATHS: ByIds = ByIds::after(
    3,
    paths!(concat!(
        "SELECT ac.user_id AS person, CAST(3 AS BIGINT) AS kind, ac.level AS level, CAST(NULL AS BIGINT) AS team_id, ac.granted_by,
                ac.granted_at
         FROM project_collaborators ac WHERE ac.project_id = $2 AND ac.user_id IN ({ids})
         UNION ALL SELECT am.user_id, CASE WHEN am.role = 'admin' THEN 0 ELSE 4 END,
                CASE WHEN am.role = 'admin' THEN 3 ELSE ap.organization_level END, NULL, NULL, NULL
         FROM projects ap CROSS JOIN org_members am
         WHERE ap.id = $2 AND am.org_id = ap.org_id AND am.role <> 'billing_manager' AND am.user_id IN ({ids})
         UNION ALL SELECT ru.id, 4, 1, NULL, NULL, NULL FROM projects ap CROSS JOIN users ru
         WHERE ap.id = $2 AND ap.private = FALSE AND ru.id IN ({ids})
         UNION ALL SELECT mt.user_id, CASE WHEN ab.depth = 0 THEN 1 ELSE 2 END, ag.level, t.id, ag.granted_by,
                ag.granted_at
         FROM team_members mt CROSS JOIN team_tree ab CROSS JOIN team_projects ag CROSS JOIN teams t
         WHERE mt.user_id IN ({ids}) AND ab.descendant_id = mt.team_id AND ag.team_id = ab.ancestor_id
           AND ag.project_id = $2 AND t.id = ag.team_id AND ",
        is_known!()
    )),
);
