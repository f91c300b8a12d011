//! `guildhall doctor --mend`: recomputes what is counted or derived from other rows, and nothing else.

use std::collections::{BTreeSet, HashMap};

use crate::clock::Time;
use crate::db::{Bind, Bulk, Db, Lock, Tx};
use crate::error::Result;
use crate::journal::{self, Author, Change};
use crate::posts::recount::recount;
use crate::teams::counters;

/// Repairs the numbers of forks, then every organization in a transaction of its own. Returns a line for each repair.
/// What memory must reload is recorded with this key and at this time.
pub async fn mend(db: &Db, key: [u8; 32], now: Time) -> Result<Vec<String>> {
    let mut mended = Vec::new();
    if db.write(counters::recount_forks).await? > 0 {
        mended.push("recounted the forks of repositories".to_owned());
    }
    let mut after = 0;
    while let Some((id, login)) = db.read(move |tx| tx.maybe::<(i64, String)>(NEXT, &[&after])).await? {
        after = id;
        let what = db.write(move |tx| organization(tx, id, &Author::program(&key, now, "doctor"))).await?;
        mended.extend(what.into_iter().map(|what| format!("{login}: {what}")));
    }
    Ok(mended)
}

const NEXT: &str = "SELECT id, login FROM orgs WHERE id > $1 ORDER BY id LIMIT 1";

fn organization(tx: &mut Tx<'_>, org: i64, author: &Author<'_>) -> Result<Vec<&'static str>> {
    let mut mended = Vec::new();
    if tx.run(NEW_HEAD, &[&org])? > 0 {
        mended.push("made the head of its journal anew");
    }
    journal::lock(tx, &[Lock::Journal(org)])?;
    if counters::recount(tx, org)? > 0 {
        mended.push("recounted members and repositories");
    }
    if recount(tx, org)? > 0 {
        mended.push("recounted posts, comments and reactions");
    }
    if grow(tx, org)? {
        mended.push("rebuilt the table of ancestors");
    }
    if !mended.is_empty() {
        author.record(tx, org, Change::reload())?;
    }
    Ok(mended)
}

/// From the newest entry. The hash of trimmed entries is lost.
const NEW_HEAD: &str = "
    INSERT INTO journal_heads (org_id, entry, hash, first_entry, trimmed)
    SELECT o.id, coalesce(e.entry, 0), e.hash, 1, 0
    FROM orgs o
    LEFT JOIN journal_heads h ON h.org_id = o.id
    LEFT JOIN journal e ON e.org_id = o.id AND e.entry = (SELECT max(j.entry) FROM journal j WHERE j.org_id = o.id)
    WHERE o.id = $1 AND h.org_id IS NULL";

type Rows = BTreeSet<(i64, i64, i64)>;

/// Rebuilds the table of ancestors from the parents, and returns whether it differed. If the parents form a cycle,
/// nothing is changed.
fn grow(tx: &mut Tx<'_>, org: i64) -> Result<bool> {
    let parents: Vec<(i64, Option<i64>)> = tx.all(PARENTS, &[&org])?;
    let is: Vec<(i64, i64, i64)> = tx.all(TREE, &[&org])?;
    let Some(wanted) = closure(&parents.into_iter().collect()) else { return Ok(false) };
    if wanted == is.into_iter().collect() {
        return Ok(false);
    }
    tx.run(CLEAR, &[&org])?;
    let rows: Vec<[&dyn Bind; 3]> =
        wanted.iter().map(|(ancestor, team, depth)| [ancestor as &dyn Bind, team, depth]).collect();
    GROW.run(tx, &rows)?;
    Ok(true)
}

const PARENTS: &str = "SELECT id, parent_id FROM teams WHERE org_id = $1 ORDER BY id";

const TREE: &str = "
    SELECT up.ancestor_id, up.descendant_id, up.depth FROM teams t JOIN team_tree up ON up.descendant_id = t.id
    WHERE t.org_id = $1 ORDER BY up.descendant_id, up.ancestor_id";

const CLEAR: &str = "DELETE FROM team_tree WHERE descendant_id IN (SELECT id FROM teams WHERE org_id = $1)";

static GROW: Bulk<3> = Bulk::new("INSERT INTO team_tree (ancestor_id, descendant_id, depth) VALUES {rows}");

fn closure(parents: &HashMap<i64, Option<i64>>) -> Option<Rows> {
    let longest = i64::try_from(parents.len()).ok()?;
    let mut rows = Rows::new();
    for team in parents.keys() {
        let mut depth = 0;
        let mut at = Some(*team);
        while let Some(ancestor) = at {
            if depth == longest {
                return None;
            }
            rows.insert((ancestor, *team, depth));
            depth += 1;
            at = parents.get(&ancestor).copied().flatten();
        }
    }
    Some(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_gives_every_ancestor_and_a_circle_none() {
        let rows = closure(&HashMap::from([(1, None), (2, Some(1)), (3, Some(2))])).unwrap();
        assert_eq!(rows, Rows::from([(1, 1, 0), (1, 2, 1), (1, 3, 2), (2, 2, 0), (2, 3, 1), (3, 3, 0)]));
        assert!(closure(&HashMap::from([(1, Some(2)), (2, Some(1)), (3, None)])).is_none());
    }
}
