//! An organization as the records of its teams show it: its identifier and its login, the same for every caller.

use std::sync::Arc;

use crate::db::{Cacheable, MadeOf, Tx, row, select};
use crate::error::{Error, Result};

row! {
    /// The organization to which something belongs.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct OrgRef from "o" {
        /// ID.
        pub id: i64,
        /// Login, in its stored case.
        pub login: String,
    }
}

impl Cacheable for OrgRef {
    fn weight(&self) -> usize {
        size_of::<Self>() + self.login.len()
    }
}

/// The organization whose login has this key; 404 if there is none.
pub fn by_login(tx: &mut Tx, key: &str) -> Result<Arc<OrgRef>> {
    tx.found(key.as_bytes(), |tx| tx.maybe(BY_LOGIN, &[&key])?.ok_or(Error::NotFound))
}

/// Notes the organization whose login has this key, for a read that has found it on its way.
pub fn know(tx: &mut Tx, key: &str, org: OrgRef) {
    tx.insert(MadeOf::Found, key.as_bytes(), &Arc::new(org));
}

/// Asks for it ahead.
pub fn ask_ahead(tx: &mut Tx, key: &str) {
    tx.ahead(BY_LOGIN, vec![Box::new(key.to_owned())]);
}

const BY_LOGIN: &str =
    select!(OrgRef from "logins l JOIN orgs o ON o.id = l.org_id WHERE l.login_key = $1 AND l.current = TRUE");

/// The organization with this identifier; 404 if there is none.
pub fn by_id(tx: &mut Tx, id: i64) -> Result<Arc<OrgRef>> {
    // No login begins with NUL.
    let key = [&[0][..], &id.to_be_bytes()].concat();
    tx.found(&key, |tx| tx.maybe(BY_ID, &[&id])?.ok_or(Error::NotFound))
}

const BY_ID: &str = select!(OrgRef from "orgs o WHERE o.id = $1");
