//! Reading the audit log: the journals of organizations and of the site, for people (decision 47).
//!
//! A search walks the entries of one journal by their numbers, in steps of limited size. The subject of an entry is
//! read from its values before and after, so that entries of every release are found.

mod cursor;
pub mod entry;
pub mod filter;
pub mod list;
pub mod phrase;
pub mod subject;
pub mod walk;
pub mod words;

use crate::db::Tx;
use crate::error::Result;
use crate::journal::SITE;
use crate::orgs::settings;
use crate::people::login;

/// A journal that is read.
#[derive(Debug, Clone)]
pub struct Journal {
    /// The organization, or the site.
    pub id: i64,
    /// The login of the organization; none for the site.
    pub login: Option<String>,
    /// True if the IP addresses of clients are shown.
    pub shows_addresses: bool,
}

impl Journal {
    /// The journal of an organization, by its identifier and its login.
    pub fn of_org(tx: &mut Tx, id: i64, login: &str) -> Result<Self> {
        let shows_addresses = settings::stored(tx, id)?.audit_shows_addresses;
        Ok(Self { id, login: Some(login.to_owned()), shows_addresses })
    }

    /// The journal of the organization that had this login when it was deleted. Of several, it is the one that was deleted
    /// last. It shows no IP addresses, because no owner can want that any more.
    pub fn of_deleted(tx: &mut Tx, login: &str) -> Result<Option<Self>> {
        let found: Option<(i64, String)> = tx.maybe(DELETED, &[&login::key(login)])?;
        Ok(found.map(|(id, login)| Self { id, login: Some(login), shows_addresses: false }))
    }

    /// The journal of the site. Only callers who see every IP address anyway read it.
    #[must_use]
    pub fn of_site() -> Self {
        Self { id: SITE, login: None, shows_addresses: true }
    }
}

const DELETED: &str = "SELECT id, login FROM deleted_orgs WHERE login_key = $1 ORDER BY id DESC LIMIT 1";
