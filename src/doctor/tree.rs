//! The table of ancestors: exactly what follows from the parents of teams (decision 11).

use std::collections::{BTreeSet, HashMap, HashSet};

use super::{MEND, Step};
use crate::db::Tx;
use crate::error::Result;

/// A team's ancestors are itself and, one step further away, those of its parent.
pub(super) fn tree(tx: &mut Tx<'_>, step: &mut Step) -> Result<()> {
    let teams = step.rows::<(Option<i64>,)>(tx, TEAMS)?;
    let has = ancestors(tx.all(OWN, &[&step.after, &step.upto])?);
    let mut above = ancestors(tx.all(ABOVE, &[&step.after, &step.upto])?);
    let none = BTreeSet::new();
    for (team, _) in teams {
        let mut wanted = above.remove(&team).unwrap_or_default();
        wanted.insert((team, 0));
        if wanted == *has.get(&team).unwrap_or(&none) {
            continue;
        }
        if is_below_itself(tx, team)? {
            step.found(format!("team {team} is an ancestor of itself"), "remove it from its parent");
        } else {
            step.found(format!("the ancestors of team {team} do not match its parents"), MEND);
        }
    }
    Ok(())
}

fn ancestors(rows: Vec<(i64, i64, i64)>) -> HashMap<i64, BTreeSet<(i64, i64)>> {
    let mut ancestors: HashMap<i64, BTreeSet<(i64, i64)>> = HashMap::new();
    for (team, ancestor, depth) in rows {
        ancestors.entry(team).or_default().insert((ancestor, depth));
    }
    ancestors
}

const TEAMS: &str = "SELECT id, parent_id FROM teams WHERE id > $1 ORDER BY id LIMIT $2";

const OWN: &str = "
    SELECT descendant_id, ancestor_id, depth FROM team_tree
    WHERE descendant_id > $1 AND descendant_id <= $2 ORDER BY descendant_id, ancestor_id";

const ABOVE: &str = "
    SELECT t.id, up.ancestor_id, up.depth + 1 FROM teams t JOIN team_tree up ON up.descendant_id = t.parent_id
    WHERE t.id > $1 AND t.id <= $2 ORDER BY t.id, up.ancestor_id";

fn is_below_itself(tx: &mut Tx<'_>, team: i64) -> Result<bool> {
    let mut seen = HashSet::from([team]);
    let mut at = team;
    while let Some((Some(parent),)) = tx.maybe::<(Option<i64>,)>(PARENT, &[&at])? {
        if !seen.insert(parent) {
            return Ok(parent == team);
        }
        at = parent;
    }
    Ok(false)
}

const PARENT: &str = "SELECT parent_id FROM teams WHERE id = $1";
