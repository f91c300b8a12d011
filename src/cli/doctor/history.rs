//! The file itself, the migrations, and the chains of audit entries (decision 47).

use super::{Finding, RESTORE, STEP};
use crate::db::{self, Db, Tx};
use crate::error::Result;
use crate::events::audit;

/// What the engine says of its file, and whether all migrations are there.
pub(super) fn store(tx: &mut Tx<'_>) -> Result<Vec<Finding>> {
    let mut findings: Vec<Finding> = tx.damage()?.into_iter().map(|line| Finding::new(line, RESTORE)).collect();
    let numbers: Vec<(i64,)> = tx.all("SELECT number FROM migrations ORDER BY number", &[])?;
    if !db::migrations().eq(numbers.into_iter().map(|(number,)| number)) {
        findings.push(Finding::new("migrations are missing among those that were applied", RESTORE));
    }
    Ok(findings)
}

/// Every entry of every chain follows the one before it and has the hash that it must have.
pub(super) async fn audit(db: &Db, key: [u8; 32]) -> Result<Vec<Finding>> {
    let mut findings = Vec::new();
    let mut after = None;
    while let Some(org) = db.read(move |tx| next_chain(tx, after)).await? {
        findings.extend(chain(db, org, key).await?);
        after = Some(org);
    }
    Ok(findings)
}

fn next_chain(tx: &mut Tx<'_>, after: Option<i64>) -> Result<Option<i64>> {
    let found: Option<(i64,)> = tx.maybe(NEXT_CHAIN, &[&after.unwrap_or(-1)])?;
    Ok(found.map(|(org,)| org))
}

const NEXT_CHAIN: &str = "SELECT org_id FROM audit WHERE org_id > $1 ORDER BY org_id LIMIT 1";

/// One chain, up to its first broken entry: behind it nothing can be said.
async fn chain(db: &Db, org: i64, key: [u8; 32]) -> Result<Option<Finding>> {
    let (mut number, mut previous) = (0, Vec::new());
    loop {
        let entries = db.read(move |tx| audit::entries(tx, org, number, STEP)).await?;
        if entries.is_empty() {
            return Ok(None);
        }
        for entry in entries {
            number += 1;
            let genuine = entry.entry == number && entry.hash == entry.sealed(org, &previous, &key)?;
            if !genuine {
                let wrong = if entry.entry == number { "was not written by this service" } else { "is missing" };
                let chain = if org == audit::SITE { "the site".into() } else { format!("organization {org}") };
                let way = "find out who can write to the database and has its key files; the entries before it are \
                           genuine";
                return Ok(Some(Finding::new(format!("entry {number} of the audit of {chain} {wrong}"), way)));
            }
            previous = entry.hash;
        }
    }
}
