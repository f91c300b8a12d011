//! The names of people, for pages whose records have logins alone.

use std::collections::{BTreeSet, HashMap};

use super::guest::{Guest, body};
use crate::error::Result;
use crate::name::called;
use crate::people::names::NamedPerson;

/// The most people whose names a page looks up.
const MOST: usize = 100;

/// The names of people, by login.
#[derive(Default)]
pub(super) struct Names(HashMap<String, String>);

impl Names {
    /// The names of the people with these logins.
    pub async fn of<'a>(guest: &Guest<'_>, logins: impl Iterator<Item = &'a str>) -> Result<Self> {
        let logins: Vec<&str> = logins.collect::<BTreeSet<_>>().into_iter().take(MOST).collect();
        if logins.is_empty() {
            return Ok(Self::default());
        }
        let named: Vec<NamedPerson> =
            guest.call("people.names", &[], body([("logins", logins.join(",").into())])).await?;
        Ok(Self(named.into_iter().map(|of| (of.login, of.name)).collect()))
    }

    /// The name of a person, or the login if there is none.
    pub fn called<'a>(&'a self, login: &'a str) -> &'a str {
        called(self.0.get(login).map(String::as_str), login)
    }

    /// True if a person has a name, so that the login is shown too.
    pub fn has(&self, login: &str) -> bool {
        self.called(login) != login
    }
}
