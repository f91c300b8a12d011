//! Which slug a team gets, and what becomes of the one it leaves (decisions 9 and 10).

use super::slug;
use crate::db::Tx;
use crate::error::{Error, Result};
use crate::operation::Cx;

/// How long a slug that a rename left leads to the team, and is kept for those who may change the team.
const KEPT_MICROSECONDS: i64 = 90 * 24 * 3_600 * 1_000_000;

/// The slug for a team of this name, new or renamed; `None` when nothing in the name can be transliterated.
///
/// A slug that a living team has is refused. One that a rename left is refused to whoever is neither owner nor
/// maintainer of the renamed team, for a while; when it is taken, its redirect ends.
pub fn choose(cx: &mut Cx, org: i64, team: Option<i64>, owner: bool, name: &str) -> Result<Option<String>> {
    let Some(slug) = slug::from_name(name) else { return Ok(None) };
    let own = team.unwrap_or(0);
    if cx.tx.any(TAKEN, &[&org, &slug, &own])? {
        return Err(not_unique());
    }
    let me = cx.my_id();
    let left: Option<(i64, i64, Option<String>)> = cx.tx.maybe(LEFT, &[&org, &slug, &me])?;
    if let Some((renamed, left_at, role)) = left {
        let kept = cx.now.0 < left_at + KEPT_MICROSECONDS;
        let entitled = owner || renamed == own || role.as_deref() == Some("maintainer");
        if kept && !entitled {
            return Err(not_unique());
        }
        forget(cx.tx, org, &slug)?;
    }
    Ok(Some(slug))
}

const TAKEN: &str = "SELECT id FROM teams WHERE org_id = $1 AND slug = $2 AND id <> $3";

const LEFT: &str = "
    SELECT s.team_id, s.left_at, m.role
    FROM old_slugs s LEFT JOIN team_members m ON m.team_id = s.team_id AND m.user_id = $3
    WHERE s.org_id = $1 AND s.slug = $2";

fn not_unique() -> Error {
    Error::data("Team", "Name must be unique for this org")
}

/// The slug for a team whose name gives none: `team-<id>`, with a number behind it while another team has or had that.
pub fn fall_back(tx: &mut Tx, org: i64, team: i64) -> Result<String> {
    let first = format!("team-{team}");
    let mut slug = first.clone();
    let mut number = 0;
    while tx.any(HAD, &[&org, &slug, &team])? {
        number += 1;
        slug = format!("{first}-{number}");
    }
    forget(tx, org, &slug)?;
    Ok(slug)
}

const HAD: &str = "
    SELECT id FROM teams WHERE org_id = $1 AND slug = $2 AND id <> $3
    UNION ALL SELECT team_id FROM old_slugs WHERE org_id = $1 AND slug = $2 AND team_id <> $3";

/// Remembers the slug that a team leaves, so that reads by it are led to the team.
pub fn leave(tx: &mut Tx, org: i64, team: i64, slug: &str, now: i64) -> Result<()> {
    tx.run(LEAVE, &[&org, &slug, &team, &now])?;
    Ok(())
}

const LEAVE: &str = "
    INSERT INTO old_slugs (org_id, slug, team_id, left_at) VALUES ($1, $2, $3, $4)
    ON CONFLICT (org_id, slug) DO UPDATE SET team_id = excluded.team_id, left_at = excluded.left_at";

fn forget(tx: &mut Tx, org: i64, slug: &str) -> Result<()> {
    tx.run("DELETE FROM old_slugs WHERE org_id = $1 AND slug = $2", &[&org, &slug])?;
    Ok(())
}

/// The team that a slug which a rename left still leads to.
pub fn led_to(cx: &mut Cx, org: i64, slug: &str) -> Result<Option<i64>> {
    let since = cx.now.0 - KEPT_MICROSECONDS;
    Ok(cx.tx.maybe::<(i64,)>(LED_TO, &[&org, &slug, &since])?.map(|(team,)| team))
}

const LED_TO: &str = "SELECT team_id FROM old_slugs WHERE org_id = $1 AND slug = $2 AND left_at > $3";
