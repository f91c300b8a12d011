//! `guildhall export`: an organization as peribolos YAML, from which `guildhall import` creates the same organization
//! again (decision 50).
//!
//! It is read on one snapshot into the structs that an import reads from a file, and these are written out. What the
//! format cannot express is under a key `guildhall`; what that key cannot express either is listed separately.

mod lists;
pub mod operation;
mod scalar;
pub mod stored;
mod teams;
mod words;
pub mod yaml;

use crate::clock::Time;
use crate::db::Tx;
use crate::error::{Error, Result};
use crate::import::desired::Org;
use crate::people::login::{self, Owner};
use crate::rows::TeamRow;

/// An organization as a file can describe it.
#[derive(Debug, Default)]
pub struct Exported {
    /// The content of the file.
    pub org: Org,
    /// The things that the file cannot express.
    pub left_out: Vec<String>,
    /// The teams as they are stored, in the order of those of the content.
    pub teams: Vec<StoredTeam>,
}

/// A team as it is stored.
#[derive(Debug)]
pub struct StoredTeam {
    /// Its row.
    pub row: TeamRow,
    /// True if it follows groups of an identity provider.
    pub synced: bool,
}

/// Reads an organization. The error for an unknown login lists the existing ones.
pub fn export(tx: &mut Tx, login: &str, now: Time) -> Result<Exported> {
    match login::find(tx, login)? {
        Some(Owner::Org(id)) => of(tx, id, now),
        Some(Owner::User(_)) => Err(refusal(tx, &format!("{login} is a person, not an organization"))?),
        None => Err(refusal(tx, &format!("there is no organization {login}"))?),
    }
}

/// Reads the organization with this identifier.
pub fn of(tx: &mut Tx, id: i64, now: Time) -> Result<Exported> {
    let exported = stored::read(tx, id, now)?;
    teams::refuse_inexpressible(&exported.org.teams)?;
    Ok(exported)
}

/// The largest number of organizations that the error lists.
const NAMED: usize = 10;

fn refusal(tx: &mut Tx, what: &str) -> Result<Error> {
    let known: Vec<(String,)> = tx.all(KNOWN, &[])?;
    let names: Vec<&str> = known.iter().take(NAMED).map(|(login,)| login.as_str()).collect();
    let others = if known.len() > NAMED { " and others" } else { "" };
    let next = match names.as_slice() {
        [] => "this database has none; select another one with --data-dir or --database".to_owned(),
        names => {
            format!("use one of {}{others}, or select another database with --data-dir or --database", names.join(", "))
        }
    };
    Ok(Error::sentence(format!("{what}: {next}")))
}

const KNOWN: &str = "SELECT login FROM orgs ORDER BY id LIMIT 11";
