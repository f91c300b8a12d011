//! Teams and their members: names, descriptions, privacy, counters, membership, roles (decisions 9 to 11, 16, 17 and 28).

use super::{MEND, RESTORE, Step};
use crate::db::{Tx, row};
use crate::error::Result;
use crate::name;
use crate::teams::attributes::DESCRIPTION_MAX;
use crate::teams::slug;

row! {
    struct Team from "t" {
        name: String,
        name_key: String,
        slug: String,
        secret: bool = "t.privacy = 'secret'",
        /// True if it has a parent and the parent is secret.
        is_below_secret: Option<bool> = "p.privacy = 'secret'",
        /// True if its parent is in another organization.
        is_below_foreign: Option<bool> = "p.org_id <> t.org_id",
        counted_members: i64 = "coalesce(c.members, -1)",
        members: i64 = "(SELECT count(*) FROM team_members m WHERE m.team_id = t.id)",
        counted_repos: i64 = "coalesce(c.repos, -1)",
        repos: i64 = "(SELECT count(*) FROM team_repos g WHERE g.team_id = t.id)",
    }
}

/// Checks each team, also against its parent.
pub(super) fn teams(tx: &mut Tx<'_>, step: &mut Step) -> Result<()> {
    for (id, team) in step.rows::<Team>(tx, TEAMS)? {
        check(step, id, &team);
    }
    let most = i64::try_from(DESCRIPTION_MAX).unwrap_or(i64::MAX);
    for (id, length) in tx.all::<(i64, i64)>(LONG_DESCRIPTIONS, &[&step.after, &step.upto, &most])? {
        let what = format!("team {id} has a description of {length} characters; the maximum is {most}");
        step.found(what, "shorten the description");
    }
    Ok(())
}

const TEAMS: &str = const_str::concat!(
    "SELECT t.id, ",
    Team::COLUMNS,
    "
    FROM teams t LEFT JOIN team_counts c ON c.team_id = t.id LEFT JOIN teams p ON p.id = t.parent_id
    WHERE t.id > $1 ORDER BY t.id LIMIT $2"
);

const LONG_DESCRIPTIONS: &str = "
    SELECT id, CAST(length(description) AS BIGINT) FROM teams
    WHERE id > $1 AND id <= $2 AND CAST(length(description) AS BIGINT) > $3 ORDER BY id";

fn check(step: &mut Step, id: i64, team: &Team) {
    let called = format!("team {id} ({:?})", team.name);
    let mut found = |is: bool, what: String, mend| {
        if is {
            step.found(format!("{called} {what}"), mend);
        }
    };
    let counters = [("members", team.counted_members, team.members), ("repositories", team.counted_repos, team.repos)];
    for (what, says, has) in counters {
        found(says != has, format!("has a count of {says} {what}, but has {has}"), MEND);
    }
    let visible = name::can_be_shown(&team.name);
    found(!visible, "has characters in its name that cannot be shown".into(), "rename the team without them");
    let rename = "rename the team and rename it back";
    found(!slug_fits(id, team), format!("has the slug {:?}, which does not match its name", team.slug), rename);
    found(team.name_key != slug::name_key(&team.name), "is sorted by a name other than its own".into(), rename);
    if let Some((is_below_secret, is_below_foreign)) = team.is_below_secret.zip(team.is_below_foreign) {
        found(team.secret, "is secret and has a parent".into(), "make it closed, or remove it from its parent");
        found(is_below_secret, "is below a secret team".into(), "make the parent closed, or remove the team from it");
        found(is_below_foreign, "is below a team of another organization".into(), RESTORE);
    }
}

fn slug_fits(id: i64, team: &Team) -> bool {
    if let Some(slug) = slug::from_name(&team.name) {
        return team.slug == slug;
    }
    let number = team.slug.strip_prefix(&format!("team-{id}"));
    let number = number.map(|rest| rest.strip_prefix('-').unwrap_or(rest));
    number.is_some_and(|number| number.bytes().all(|b| b.is_ascii_digit()))
}

/// Every member of a team is a member of its organization.
pub(super) fn members(tx: &mut Tx<'_>, step: &mut Step) -> Result<()> {
    step.ids(tx, IDS)?;
    let way = "remove the person from the team, or make them a member of the organization";
    step.each(tx, STRANGERS, way, |(team, login): (i64, String)| {
        format!("{login} is on team {team}, but is not an active member of its organization")
    })
}

const IDS: &str = "SELECT id FROM teams WHERE id > $1 ORDER BY id LIMIT $2";

const STRANGERS: &str = "
    SELECT t.id, u.login
    FROM teams t
    JOIN team_members m ON m.team_id = t.id
    JOIN users u ON u.id = m.user_id
    LEFT JOIN org_members o ON o.org_id = t.org_id AND o.user_id = m.user_id
    WHERE t.id > $1 AND t.id <= $2 AND (o.role IS NULL OR o.role = 'billing_manager')
    ORDER BY t.id, u.login";

/// An old slug is not in use, and redirects to a team of its organization.
pub(super) fn old_slugs(tx: &mut Tx<'_>, step: &mut Step) -> Result<()> {
    step.ids(tx, IDS)?;
    step.each(tx, LIVING, "rename that team and rename it back", |(team, slug): (i64, String)| {
        format!("the old slug {slug:?} is also the slug of team {team}")
    })?;
    step.each(tx, FOREIGN, RESTORE, |(team, slug): (i64, String)| {
        format!("the old slug {slug:?} redirects to team {team} of another organization")
    })
}

const LIVING: &str = "
    SELECT t.id, s.slug FROM teams t JOIN old_slugs s ON s.org_id = t.org_id AND s.slug = t.slug
    WHERE t.id > $1 AND t.id <= $2 ORDER BY t.id";

const FOREIGN: &str = "
    SELECT t.id, s.slug FROM teams t JOIN old_slugs s ON s.team_id = t.id
    WHERE t.id > $1 AND t.id <= $2 AND s.org_id <> t.org_id ORDER BY t.id, s.slug";

/// A team has roles in its own organization only.
pub(super) fn roles(tx: &mut Tx<'_>, step: &mut Step) -> Result<()> {
    step.ids(tx, IDS)?;
    step.each(tx, FOREIGN_ROLES, "take the role `security_manager` from the team", |(team, login): (i64, String)| {
        format!("team {team} is a security manager of {login}, which is not its organization")
    })
}

const FOREIGN_ROLES: &str = "
    SELECT t.id, o.login
    FROM teams t
    JOIN security_managers sm ON sm.team_id = t.id
    JOIN orgs o ON o.id = sm.org_id
    WHERE t.id > $1 AND t.id <= $2 AND sm.org_id <> t.org_id ORDER BY t.id, o.login";
