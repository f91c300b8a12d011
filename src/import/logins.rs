//! The logins that an organization's file names, and their owners in the store (decision 22).

use std::collections::{HashMap, HashSet};

use super::desired::Org;
use crate::db::{ByIds, Joined, Tx, by_ids, row, select};
use crate::error::Result;
use crate::people::login;

/// The first mention of a person in a file.
pub struct Named<'f> {
    /// The login in the form in which logins are compared.
    pub key: String,
    /// The login as it is written.
    pub login: &'f str,
    /// The line.
    pub line: u32,
    /// The keys of the path.
    pub place: &'f str,
}

/// All people that the file names, each once.
pub fn named(org: &Org) -> Vec<Named<'_>> {
    let people = org.people.iter().map(|person| (&person.login, person.line, &org.key));
    let members = org.teams.iter().flat_map(|team| team.members.iter().map(|m| (&m.login, m.line, &team.key)));
    let collaborators = org.collaborators.iter().map(|c| (&c.login, c.line, &org.key));
    let creators = org.projects.iter().filter_map(|p| Some((p.creator.as_ref()?, p.line, &p.key)));
    let of_projects = org.projects.iter().flat_map(|p| p.collaborators.iter().map(|c| (&c.login, c.line, &p.key)));
    let invited = org.invitations.iter().filter_map(|i| Some((i.login.as_ref()?, i.line, &i.key)));
    let all = people.chain(members).chain(collaborators).chain(creators).chain(of_projects).chain(invited);
    let (mut written, mut seen, mut named) = (HashSet::new(), HashSet::new(), Vec::new());
    // Most people are named several times, and in the same way.
    for (login, line, place) in all.filter(|(login, ..)| written.insert(login.as_str())) {
        let key = login::key(login);
        if seen.insert(key.clone()) {
            named.push(Named { key, login, line, place });
        }
    }
    named
}

row! {
    /// The current or former owner of a login.
    pub struct Holder from "l" {
        key: String = "l.login_key",
        /// True if it is still their login.
        pub current: bool,
        /// The organization.
        pub org: Option<i64> = "l.org_id",
        /// The person.
        pub account: Option<Account> = Account::COLUMNS,
    }
}

row! {
    /// A person's account.
    #[derive(Debug, Clone)]
    pub struct Account from "u" {
        /// Identifier.
        pub id: i64,
        /// The login, in its stored case.
        pub login: String,
        /// True if the account is suspended.
        pub suspended: bool,
    }
}

/// The owners of these logins, by key.
pub fn holders(tx: &mut Tx, keys: &[&str]) -> Result<HashMap<String, Holder>> {
    let found: Vec<Holder> = by_ids(tx, &HOLDERS, keys)?;
    Ok(found.into_iter().map(|holder| (holder.key.clone(), holder)).collect())
}

static HOLDERS: ByIds = ByIds::new(select!(Holder from
    "logins l LEFT JOIN users u ON u.id = l.user_id
     WHERE l.login_key IN ({ids})
     ORDER BY l.login_key"));

impl Joined for Account {}

/// The organization and the people of a file that the store has already.
pub struct Known {
    /// The organization, if it exists.
    pub org: Option<i64>,
    /// The people who have accounts, by login key.
    pub accounts: HashMap<String, Account>,
}
