//! The people with access to a repository, and the reasons (decision 67). `repos::access` defines the levels.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{Access, Found, LONGEST, Statements, is_known, paths, ranked};
use crate::db::ByIds;
use crate::error::Result;
use crate::operation::{Cx, List, Record};
use crate::policy::Granted;
use crate::repos::access::of_member;
use crate::repos::level::Level;
use crate::repos::repo::Repo;

/// Get a person's effective permission on a repository, with the paths that grant it. The caller sees only the paths
/// through teams that they see, and all of their own. Only the strongest 100 are shown.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Explain {
    /// Login of the person.
    pub username: String,
}

/// Explains the access of a person.
pub fn explain(cx: &mut Cx, repo: Granted<Repo>, p: Explain) -> Result<Record<Access>> {
    STATEMENTS.explain_one(cx, repo.id, &p.username)
}

/// List the people who have access to a repository, the strongest first, each with the paths that grant it. The access
/// that everyone has to a public repository does not count. Paths through teams that the caller does not see are left out,
/// and so are people who have no other. Only the strongest 100 paths of a person are shown.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct ListThem {
    /// Return only people with this level.
    #[schemars(extend("enum" = ["pull", "triage", "push", "maintain", "admin"]))]
    pub level: Option<String>,
    /// Return only people whose login or name contains this text.
    #[schemars(length(max = LONGEST), extend("x-function-validates" = true))]
    pub q: Option<String>,
}

/// Lists who has access.
pub fn list(cx: &mut Cx, repo: Granted<Repo>, p: ListThem) -> Result<List<Access>> {
    let level = p.level.as_deref().and_then(Level::of).map(Level::rank);
    STATEMENTS.list(cx, repo.id, level, p.q.as_deref())
}

/// One row for each way in which a person has a level on the repository `$2`, except that everyone reads a public one.
macro_rules! ways {
    () => {
        concat!(
            "SELECT ac.user_id, ac.level FROM repo_collaborators ac WHERE ac.repo_id = $2
             UNION ALL SELECT ar.user_id, 5 FROM repos ar WHERE ar.id = $2 AND ar.user_id IS NOT NULL
             UNION ALL SELECT am.user_id, ",
            of_member!(),
            " FROM repos ar CROSS JOIN orgs ao CROSS JOIN org_members am
             WHERE ar.id = $2 AND ao.id = ar.org_id AND am.org_id = ao.id
             UNION ALL SELECT us.user_id, 1 FROM repos ar CROSS JOIN user_security_managers us
             WHERE ar.id = $2 AND us.org_id = ar.org_id
             UNION ALL SELECT mt.user_id, ag.level
             FROM team_repos ag CROSS JOIN teams t CROSS JOIN team_tree ab CROSS JOIN team_members mt
             WHERE ag.repo_id = $2 AND t.id = ag.team_id AND ab.ancestor_id = ag.team_id AND mt.team_id = ab.descendant_id
               AND ",
            is_known!(),
            " UNION ALL SELECT mt.user_id, 1
             FROM repos ar CROSS JOIN reading_teams rt CROSS JOIN teams t CROSS JOIN team_members mt
             WHERE ar.id = $2 AND rt.org_id = ar.org_id AND t.id = rt.given_to AND mt.team_id = rt.team_id AND ",
            is_known!()
        )
    };
}

static STATEMENTS: Statements = Statements {
    count: ranked!(ways!(), "count(*)", ""),
    page: ranked!(ways!(), "sp.id, sp.login", " ORDER BY ranked.level DESC, sp.id LIMIT $6 OFFSET $7"),
    paths: &PATHS,
    word: |rank| Level::of_rank(rank).map_or("none", Level::word),
};

/// The paths of people on the repository `$2`. The role `security_manager` leads through the team to which it
/// was given, or is what the organization gives the person.
static PATHS: ByIds = ByIds::after(
    3,
    paths!(concat!(
        "SELECT ar.user_id AS person, CAST(0 AS BIGINT) AS kind, CAST(5 AS BIGINT) AS level, CAST(NULL AS BIGINT) AS team_id,
                CAST(NULL AS BIGINT) AS granted_by, CAST(NULL AS BIGINT) AS granted_at
         FROM repos ar WHERE ar.id = $2 AND ar.user_id IN ({ids})
         UNION ALL SELECT am.user_id, CASE WHEN am.role = 'admin' THEN 0 ELSE 4 END, ",
        of_member!(),
        ", NULL, NULL, NULL FROM repos ar CROSS JOIN orgs ao CROSS JOIN org_members am
         WHERE ar.id = $2 AND ao.id = ar.org_id AND am.org_id = ao.id AND am.user_id IN ({ids})
         UNION ALL SELECT us.user_id, 4, 1, NULL, NULL, NULL FROM repos ar CROSS JOIN user_security_managers us
         WHERE ar.id = $2 AND us.org_id = ar.org_id AND us.user_id IN ({ids})
         UNION ALL SELECT ru.id, 4, 1, NULL, NULL, NULL FROM repos ar CROSS JOIN users ru
         WHERE ar.id = $2 AND ar.private = FALSE AND ru.id IN ({ids})
         UNION ALL SELECT ac.user_id, 3, ac.level, NULL, ac.granted_by, ac.granted_at FROM repo_collaborators ac
         WHERE ac.repo_id = $2 AND ac.user_id IN ({ids})
         UNION ALL SELECT mt.user_id, CASE WHEN ab.depth = 0 THEN 1 ELSE 2 END, ag.level, t.id, ag.granted_by,
                ag.granted_at
         FROM team_members mt CROSS JOIN team_tree ab CROSS JOIN team_repos ag CROSS JOIN teams t
         WHERE mt.user_id IN ({ids}) AND ab.descendant_id = mt.team_id AND ag.team_id = ab.ancestor_id
           AND ag.repo_id = $2 AND t.id = ag.team_id AND ",
        is_known!(),
        " UNION ALL SELECT mt.user_id, CASE WHEN rt.depth = 0 THEN 1 ELSE 2 END, 1, t.id, NULL, NULL
         FROM team_members mt CROSS JOIN reading_teams rt CROSS JOIN repos ar CROSS JOIN teams t
         WHERE mt.user_id IN ({ids}) AND rt.team_id = mt.team_id AND ar.id = $2 AND ar.org_id = rt.org_id
           AND t.id = rt.given_to AND ",
        is_known!()
    )),
);
