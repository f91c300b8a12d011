//! Chooses the slug of a team, and handles the slug that a renamed team had before (decisions 9 and 10). Only requests
//! of members of the organization come here.

use super::visible::sees;
use crate::db::Tx;
use crate::error::{Error, Result};
use crate::limits::guesses;
use crate::operation::Cx;

/// The time for which a previous slug redirects to the team and is reserved for those who may change the team.
const KEPT_MICROSECONDS: i64 = 90 * 24 * 3_600 * 1_000_000;

/// Returns this slug for a new or renamed team, if the team may have it.
///
/// The slug of an existing team is refused. The previous slug of a renamed team is refused for a while to callers who
/// neither own nor maintain that team; when it is taken, its redirect ends. A caller who has hit too many teams that
/// they do not see is refused every name for a minute, even a free one.
pub fn choose(cx: &mut Cx, org: i64, team: Option<i64>, owner: bool, slug: String) -> Result<String> {
    match holder(cx, org, team, owner, &slug)? {
        Some(Holder { secret, role }) if sees(secret, Some(my_role(owner)), role.is_some()) => Err(not_unique()),
        holder => {
            if !owner {
                guesses::refuse_guessing(&cx.site.guesses, cx.my_id(), cx.now()?)?;
            }
            if holder.is_some() {
                return Err(Error::Disclosing(Box::new(not_unique())));
            }
            forget(cx.tx, org, &slug)?;
            Ok(slug)
        }
    }
}

fn my_role(owner: bool) -> &'static str {
    if owner { "admin" } else { "member" }
}

/// A team for which a slug is reserved: it has the slug, or had it until recently.
struct Holder {
    secret: bool,
    /// The caller's role in this team.
    role: Option<String>,
}

fn holder(cx: &mut Cx, org: i64, team: Option<i64>, owner: bool, slug: &str) -> Result<Option<Holder>> {
    let (own, me) = (team.unwrap_or(0), cx.my_id());
    let holder = |(secret, role)| Holder { secret, role };
    if let Some(living) = cx.tx.maybe(LIVING, &[&org, &slug, &own, &me])? {
        return Ok(Some(holder(living)));
    }
    let since = cx.now()?.0 - KEPT_MICROSECONDS;
    let renamed = cx.tx.maybe(RENAMED, &[&org, &slug, &own, &me, &since])?.map(holder);
    Ok(renamed.filter(|holder| !owner && holder.role.as_deref() != Some("maintainer")))
}

const LIVING: &str = "
    SELECT t.privacy = 'secret', m.role
    FROM teams t LEFT JOIN team_members m ON m.team_id = t.id AND m.user_id = $4
    WHERE t.org_id = $1 AND t.slug = $2 AND t.id <> $3";

const RENAMED: &str = "
    SELECT t.privacy = 'secret', m.role
    FROM old_slugs s
    JOIN teams t ON t.id = s.team_id
    LEFT JOIN team_members m ON m.team_id = s.team_id AND m.user_id = $4
    WHERE s.org_id = $1 AND s.slug = $2 AND s.team_id <> $3 AND s.left_at > $5";

fn not_unique() -> Error {
    Error::data("Team", "Name must be unique for this org").at("name")
}

/// The slug of a team whose name yields none.
#[must_use]
pub fn numbered(team: i64) -> String {
    format!("team-{team}")
}

/// Inserts a team with this slug, or, if its name yields none, with the slug of its identifier.
///
/// An identifier is skipped if another team has or had its slug, as if another organization had used it. If the slug
/// differed only in this case, it would disclose a team that the caller may not see.
pub fn insert(
    tx: &mut Tx,
    org: i64,
    slug: Option<String>,
    mut row: impl FnMut(&mut Tx, &str) -> Result<i64>,
) -> Result<i64> {
    if let Some(slug) = slug {
        return row(tx, &slug);
    }
    loop {
        let id = row(tx, "")?;
        if settle(tx, org, id)? {
            return Ok(id);
        }
    }
}

/// Gives a new team the slug of its identifier. If another team has or had that slug, the new team is deleted again.
pub fn settle(tx: &mut Tx, org: i64, team: i64) -> Result<bool> {
    let settled = number(tx, org, team)?.is_some();
    if !settled {
        tx.run("DELETE FROM teams WHERE id = $1", &[&team])?;
    }
    Ok(settled)
}

/// Gives a team the slug of its identifier, unless another team has or had it.
pub fn number(tx: &mut Tx, org: i64, team: i64) -> Result<Option<String>> {
    let slug = numbered(team);
    if tx.any(HAD, &[&org, &slug, &team])? {
        return Ok(None);
    }
    forget(tx, org, &slug)?;
    tx.run("UPDATE teams SET slug = $2 WHERE id = $1", &[&team, &slug])?;
    Ok(Some(slug))
}

const HAD: &str = "
    SELECT id FROM teams WHERE org_id = $1 AND slug = $2 AND id <> $3
    UNION ALL SELECT team_id FROM old_slugs WHERE org_id = $1 AND slug = $2 AND team_id <> $3";

/// Stores the previous slug of a team, so that reads by it are redirected to the team.
pub fn leave(tx: &mut Tx, org: i64, team: i64, slug: &str, now: i64) -> Result<()> {
    tx.run(LEAVE, &[&org, &slug, &team, &now])?;
    Ok(())
}

const LEAVE: &str = "
    INSERT INTO old_slugs (org_id, slug, team_id, left_at) VALUES ($1, $2, $3, $4)
    ON CONFLICT (org_id, slug) DO UPDATE SET team_id = excluded.team_id, left_at = excluded.left_at";

/// The renamed teams of an organization, each with every previous slug that still redirects to it, sorted by slug.
pub fn left_by(tx: &mut Tx, org: i64, now: i64) -> Result<Vec<(i64, String)>> {
    tx.all(LEFT_BY, &[&org, &(now - KEPT_MICROSECONDS)])
}

const LEFT_BY: &str = "SELECT team_id, slug FROM old_slugs WHERE org_id = $1 AND left_at > $2 ORDER BY slug";

fn forget(tx: &mut Tx, org: i64, slug: &str) -> Result<()> {
    tx.run("DELETE FROM old_slugs WHERE org_id = $1 AND slug = $2", &[&org, &slug])?;
    Ok(())
}

/// The team that a previous slug still redirects to.
pub fn led_to(cx: &mut Cx, org: i64, slug: &str) -> Result<Option<i64>> {
    let since = cx.time_of_refusal().0 - KEPT_MICROSECONDS;
    cx.tx.maybe(LED_TO, &[&org, &slug, &since])
}

const LED_TO: &str = "SELECT team_id FROM old_slugs WHERE org_id = $1 AND slug = $2 AND left_at > $3";
