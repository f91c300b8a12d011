//! What a person may do with a repository: the one definition, for checks, for lists and for the policy
//! (decisions 30, 31 and 33).
//!
//! The highest counts of: being the owner of a personal repository; being an owner of its organization; what the
//! organization lets all members do; one's own level as a collaborator; the grants of every team that one is in, those
//! of the teams above included; and, for a public repository, that everybody reads it. Billing managers are no members.

/// The rank of the person `$1` on the repository `r` of a statement: 0 for no access, 1 pull to 5 admin.
macro_rules! level {
    () => {
        "(SELECT max(a.level) FROM (
            SELECT CASE WHEN r.private = FALSE THEN 1 ELSE 0 END AS level
            UNION ALL SELECT CASE WHEN r.user_id = $1 THEN 5 ELSE 0 END
            UNION ALL
            SELECT CASE
                WHEN am.role = 'admin' THEN 5
                WHEN ao.default_repository_permission = 'admin' THEN 5
                WHEN ao.default_repository_permission = 'write' THEN 3
                WHEN ao.default_repository_permission = 'read' THEN 1
                ELSE 0 END
            FROM org_members am CROSS JOIN orgs ao
            WHERE am.org_id = r.org_id AND am.user_id = $1 AND am.role <> 'billing_manager' AND ao.id = am.org_id
            UNION ALL
            SELECT ac.level FROM repo_collaborators ac WHERE ac.repo_id = r.id AND ac.user_id = $1
            UNION ALL
            SELECT ag.level FROM team_repos ag
            WHERE ag.repo_id = r.id AND EXISTS
                (SELECT 1 FROM team_members at CROSS JOIN team_tree ab
                 WHERE at.user_id = $1 AND ab.ancestor_id = ag.team_id AND ab.descendant_id = at.team_id)
        ) a)"
    };
}
pub(crate) use level;
