//! A person's level of access to a repository: the one definition, for checks, for lists and for the policy (decisions
//! 30, 31 and 33).
//!
//! The highest of these levels counts: that of the owner of a personal repository; that of an owner of its
//! organization; the level that the organization gives all its members; the person's own level as a collaborator; the
//! grants of every team that the person is in and of the teams above it; that such a team, or the person, has the role
//! `security_manager`, with which they read every repository of the organization (the view `reading_teams` and the table
//! `user_security_managers`); and, for a public repository, that it can be read without a grant. Billing managers are not
//! members.
//!
//! `level` starts from a repository and a person, and `people` from a repository. The other texts start from the person
//! `$1` and find repositories, for lists.

use crate::db::Tx;
use crate::error::Result;
use crate::people::login::Owner;

/// The rank that the organization `ao` gives its member `am` on all its repositories.
macro_rules! of_member {
    () => {
        "CASE
            WHEN am.role = 'billing_manager' THEN 0
            WHEN am.role = 'admin' THEN 5
            WHEN ao.default_repository_permission = 'admin' THEN 5
            WHEN ao.default_repository_permission = 'write' THEN 3
            WHEN ao.default_repository_permission = 'read' THEN 1
            ELSE 0 END"
    };
}
pub(crate) use of_member;

/// True if this person is in this team or in a team below it.
macro_rules! in_team {
    ($person:literal, $team:literal) => {
        concat!(
            "EXISTS (SELECT 1 FROM team_members mt CROSS JOIN team_tree ab
                     WHERE mt.user_id = ",
            $person,
            " AND ab.ancestor_id = ",
            $team,
            " AND ab.descendant_id = mt.team_id)"
        )
    };
}
pub(crate) use in_team;

/// The ranks that this person has on the repository `r` of a statement, except the one that every caller has on it.
macro_rules! ranks {
    ($person:literal) => {
        concat!(
            "SELECT CASE WHEN r.user_id = ",
            $person,
            " THEN 5 ELSE 0 END AS level
                UNION ALL SELECT ",
            $crate::repos::access::of_member!(),
            " FROM org_members am CROSS JOIN orgs ao
                WHERE am.org_id = r.org_id AND am.user_id = ",
            $person,
            " AND ao.id = am.org_id
                UNION ALL SELECT ac.level FROM repo_collaborators ac WHERE ac.repo_id = r.id AND ac.user_id = ",
            $person,
            "
                UNION ALL SELECT ag.level FROM team_repos ag
                WHERE ag.repo_id = r.id AND ",
            $crate::repos::access::in_team!($person, "ag.team_id"),
            "
                UNION ALL SELECT 1 FROM reading_teams rt JOIN team_members rm ON rm.team_id = rt.team_id
                WHERE rt.org_id = r.org_id AND rm.user_id = ",
            $person,
            "
                UNION ALL SELECT 1 FROM user_security_managers sp WHERE sp.org_id = r.org_id AND sp.user_id = ",
            $person
        )
    };
}
pub(crate) use ranks;

/// The rank of this person on the repository `r` of a statement: 0 for no access, 1 pull to 5 admin.
macro_rules! level_of {
    ($person:literal) => {
        concat!(
            "(SELECT max(a.level) FROM (
                SELECT CASE WHEN r.private = FALSE THEN 1 ELSE 0 END AS level
                UNION ALL ",
            $crate::repos::access::ranks!($person),
            ") a)"
        )
    };
}
pub(crate) use level_of;

/// The rank of the person `$1` on the repository `r` of a statement.
macro_rules! level {
    () => {
        $crate::repos::access::level_of!("$1")
    };
}
pub(crate) use level;

/// True if the repository `r` of a statement is shown to the person `$1`. The first parameter is true if the person's
/// token may be used for private repositories; the other is the application that it is of, if it is of one.
macro_rules! readable {
    ($trusted:literal, $application:literal) => {
        concat!(
            "(r.private = FALSE OR ",
            $trusted,
            " = TRUE AND ",
            $crate::repos::access::level!(),
            " > 0 AND (r.org_id IS NULL OR ",
            $crate::operation::let_in!("r.org_id", $application),
            "))"
        )
    };
}
pub(crate) use readable;

/// All people with a rank on the repository `$1`, except the one that every caller has on it: those with the rank `$2`,
/// or all if it is null. It takes one pass over everything that gives ranks, however many people and teams there are.
macro_rules! people {
    () => {
        concat!(
            "SELECT ranked.user_id AS person FROM (
                SELECT ac.user_id, ac.level FROM repo_collaborators ac WHERE ac.repo_id = $1
                UNION ALL SELECT ar.user_id, 5 FROM repos ar WHERE ar.id = $1 AND ar.user_id IS NOT NULL
                UNION ALL SELECT mt.user_id, ag.level
                FROM team_repos ag CROSS JOIN team_tree ab CROSS JOIN team_members mt
                WHERE ag.repo_id = $1 AND ab.ancestor_id = ag.team_id AND mt.team_id = ab.descendant_id
                UNION ALL SELECT mt.user_id, 1
                FROM repos ar CROSS JOIN reading_teams rt CROSS JOIN team_members mt
                WHERE ar.id = $1 AND rt.org_id = ar.org_id AND mt.team_id = rt.team_id
                UNION ALL SELECT sp.user_id, 1 FROM repos ar CROSS JOIN user_security_managers sp
                WHERE ar.id = $1 AND sp.org_id = ar.org_id
                UNION ALL SELECT am.user_id, ",
            $crate::repos::access::of_member!(),
            " FROM repos ar CROSS JOIN orgs ao CROSS JOIN org_members am
                WHERE ar.id = $1 AND ao.id = ar.org_id AND am.org_id = ao.id
            ) ranked GROUP BY ranked.user_id
            HAVING max(ranked.level) > 0 AND (CAST($2 AS BIGINT) IS NULL OR max(ranked.level) = $2)"
        )
    };
}
pub(crate) use people;

/// The repositories on which the person `$1` has a level as a collaborator.
macro_rules! collaborating {
    () => {
        "SELECT ac.repo_id AS id FROM repo_collaborators ac WHERE ac.user_id = $1"
    };
}
pub(crate) use collaborating;

/// The repositories that are granted to the teams of the person `$1` and to the teams above them.
macro_rules! in_teams {
    () => {
        "SELECT ag.repo_id AS id FROM team_members mt CROSS JOIN team_tree ab CROSS JOIN team_repos ag
         WHERE mt.user_id = $1 AND ab.descendant_id = mt.team_id AND ag.team_id = ab.ancestor_id"
    };
}
pub(crate) use in_teams;

/// The repositories of the organizations that let the person `$1` read all their repositories.
macro_rules! in_orgs {
    () => {
        concat!(
            "SELECT ar.id AS id FROM org_members am CROSS JOIN orgs ao CROSS JOIN repos ar
             WHERE am.user_id = $1 AND ao.id = am.org_id AND ar.org_id = am.org_id AND ",
            $crate::repos::access::of_member!(),
            " > 0
             UNION ALL SELECT ar.id FROM team_members mt CROSS JOIN reading_teams rt CROSS JOIN repos ar
             WHERE mt.user_id = $1 AND rt.team_id = mt.team_id AND ar.org_id = rt.org_id
             UNION ALL SELECT ar.id FROM user_security_managers sp CROSS JOIN repos ar
             WHERE sp.user_id = $1 AND ar.org_id = sp.org_id"
        )
    };
}
pub(crate) use in_orgs;

/// True if a person was given a level on a repository, which does not count that every caller reads a public one.
pub fn is_given(tx: &mut Tx, person: i64, repo: i64) -> Result<bool> {
    tx.any(IS_GIVEN, &[&person, &repo])
}

const IS_GIVEN: &str =
    concat!("SELECT r.id FROM repos r WHERE r.id = $2 AND (SELECT max(a.level) FROM (", ranks!("$1"), ") a) > 0");

/// True if a person reads every repository of an owner, including private ones.
pub fn reads_all(tx: &mut Tx, person: i64, owner: Owner) -> Result<bool> {
    match owner {
        Owner::Org(org) => tx.any(READS_ALL, &[&person, &org]),
        Owner::User(user) => Ok(user == person),
    }
}

const READS_ALL: &str = concat!(
    "SELECT ao.id FROM org_members am CROSS JOIN orgs ao WHERE am.org_id = $2 AND am.user_id = $1",
    " AND ao.id = am.org_id AND ",
    of_member!(),
    " > 0 UNION ALL SELECT rt.org_id FROM reading_teams rt JOIN team_members rm ON rm.team_id = rt.team_id",
    " WHERE rt.org_id = $2 AND rm.user_id = $1 UNION ALL SELECT sp.org_id FROM user_security_managers sp",
    " WHERE sp.org_id = $2 AND sp.user_id = $1"
);
