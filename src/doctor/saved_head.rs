//! Heads of journals that were saved elsewhere: the journal must still have the same entry (decision 47). A person who
//! can write to the database and has the key files could rebuild a whole chain. A head that they cannot change reveals
//! that.

use super::Finding;
use crate::audit::entry::hexadecimal;
use crate::db::Tx;
use crate::error::{Error, Result};
use crate::journal::{self, chain};
use crate::orgs::org_ref;
use crate::people::login;

/// The name of the site in a head; no login contains this character.
pub const SITE: &str = "@site";

/// A head, as `guildhall audit` printed it: `acme:1234:9af3…`.
#[derive(Debug, Clone)]
pub struct SavedHead {
    name: String,
    entry: i64,
    hash: String,
}

/// Parses a head.
pub fn read(text: &str) -> std::result::Result<SavedHead, String> {
    let mut parts = text.split(':');
    let kept = (|| {
        let (name, entry, hash) = (parts.next()?, parts.next()?.parse::<i64>().ok()?, parts.next()?);
        let fits = hash.len() == 2 * chain::HASH && hash.bytes().all(|digit| digit.is_ascii_hexdigit());
        let whole = fits && !name.is_empty() && entry > 0 && parts.next().is_none();
        whole.then(|| SavedHead { name: name.to_owned(), entry, hash: hash.to_ascii_lowercase() })
    })();
    kept.ok_or_else(|| "use a head as `guildhall audit` prints it: ORG:ENTRY:HASH".to_owned())
}

/// The finding about a journal, given a saved head.
pub fn check(tx: &mut Tx, kept: &SavedHead) -> Result<Option<Finding>> {
    const ANEW: &str = "find out who can write to the database and has its key files; the log was written anew";
    const LATER: &str = "check a head that was kept later";
    let SavedHead { name, entry, hash } = kept;
    let Some(org) = journal_of(tx, name)? else {
        return Ok(Some(Finding::new(format!("{name} has no audit log"), "check the login in the head")));
    };
    let same = |found: &[u8]| hexadecimal(found) == *hash;
    let found: Option<(Vec<u8>,)> = tx.maybe(HASH, &[&org, entry])?;
    if let Some((found,)) = found {
        let what = || format!("entry {entry} of the audit log of {name} is not the one that was kept");
        return Ok((!same(&found)).then(|| Finding::new(what(), ANEW)));
    }
    let trimmed: Option<(i64, Option<Vec<u8>>)> = tx.maybe(TRIMMED, &[&org])?;
    let (trimmed, sealed) = trimmed.unwrap_or_default();
    if *entry > trimmed {
        let what = format!("the audit log of {name} ends before entry {entry}, which was kept");
        return Ok(Some(Finding::new(what, ANEW)));
    }
    let last = sealed.unwrap_or_default();
    if *entry == trimmed && last.get(..chain::HASH).is_some_and(same) {
        return Ok(None);
    }
    let what = format!("entry {entry} of the audit log of {name} is too old to be compared with the one that was kept");
    Ok(Some(Finding::new(what, LATER)))
}

const HASH: &str = "SELECT hash FROM journal WHERE org_id = $1 AND entry = $2";

const TRIMMED: &str = "SELECT trimmed, trimmed_hash FROM journal_heads WHERE org_id = $1";

fn journal_of(tx: &mut Tx, name: &str) -> Result<Option<i64>> {
    if name == SITE {
        return Ok(Some(journal::SITE));
    }
    match org_ref::by_login(tx, &login::key(name)) {
        Ok(org) => Ok(Some(org.id)),
        Err(Error::NotFound) => Ok(None),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn a_head_is_read_as_it_is_printed() {
        let hash = "0f".repeat(32);
        assert_eq!(read(&format!("acme:12:{}", hash.to_uppercase())).map(|kept| kept.hash), Ok(hash.clone()));
        assert!(read(&format!("@site:1:{hash}")).is_ok());
        for wrong in ["", "acme", "acme:12", ":1:", "acme:x:", "acme:12:0f", "acme:0:", "acme:1:"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
        assert!(read(&format!("acme:1:{hash}:")).is_err() && read(&format!(":1:{hash}")).is_err());
    }
}
