//! Accounts by login: people and organizations, which share one namespace.
//!
//! Implements decisions 18 (profiles are public) and 22 (a former login names no account).

use super::record;
use crate::db::{Lock, Tx, row, select};
use crate::error::{Error, Result};
use crate::operation::{Caller, Cx, Path, Record, Subject};
use crate::people::login::{self, Owner};
use crate::people::profile::{self, PublicUser};
use crate::people::user::SimpleUser;
use crate::policy::{Granted, Standing};
use crate::site::signed_in;
use schemars::JsonSchema;
use serde::Deserialize;

/// A person or an organization that a path names.
#[derive(Debug, Clone)]
pub struct Account {
    /// The identifier of the person or the organization.
    pub owner: Owner,
    login: String,
}

impl Subject for Account {
    const FORMS: &'static [&'static str] = &["/users/{username}"];

    fn find(cx: &mut Cx, path: &Path) -> Result<(Self, Standing)> {
        let login = path.get("username").unwrap_or_default();
        let owner = login::find(cx.tx, login)?.ok_or(Error::NotFound)?;
        Ok((Self { owner, login: login.to_owned() }, signed_in(cx)))
    }

    fn locks(_: &mut Tx, _: &Caller, _: &Path) -> Result<Vec<Lock>> {
        // No operation below it writes; those that write use `people::named`.
        Ok(Vec::new())
    }

    fn organizations(&self) -> Vec<i64> {
        if let Owner::Org(id) = self.owner { vec![id] } else { Vec::new() }
    }

    fn canonical(&self) -> String {
        format!("/users/{}", self.login)
    }
}

/// Get a person or an organization by login.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Get {}

/// Gets a person or an organization by login.
pub fn get(cx: &mut Cx, account: Granted<Account>, _: Get) -> Result<Record<PublicUser>> {
    let record = match account.owner {
        Owner::User(id) => profile::public(cx, id),
        Owner::Org(id) => as_user(cx, id),
    }?;
    let modified = record.updated_at;
    Ok(Record::from(record).modified(modified))
}

/// An organization in the form of a person's record.
fn as_user(cx: &mut Cx, id: i64) -> Result<PublicUser> {
    let org = record::profile(cx.tx, id)?;
    Ok(PublicUser {
        simple: SimpleUser::of_kind(cx.links, "Organization", org.id, &org.login, false),
        name: Some(org.name.unwrap_or_default()),
        company: org.company,
        blog: org.blog.unwrap_or_default(),
        location: org.location,
        email: org.email,
        hireable: None,
        bio: None,
        twitter_username: org.twitter_username,
        public_repos: org.public_repos,
        public_gists: 0,
        followers: 0,
        following: 0,
        created_at: org.created_at,
        updated_at: org.updated_at,
        suspended_at: None,
    })
}

row! {
    /// The data that the picture of an account shows.
    #[derive(Debug)]
    pub struct Pictured from "o" {
        /// ID.
        pub id: i64 = "coalesce(o.id, u.id)",
        /// Login, in its stored case.
        pub login: String = "coalesce(o.login, u.login)",
        /// Name, if it has one.
        pub name: Option<String> = "coalesce(o.name, u.name)",
        /// True if it is an organization.
        pub is_organization: bool = "o.id IS NOT NULL",
    }
}

/// The account with this login; 404 if there is none.
pub fn pictured(tx: &mut Tx, login: &str) -> Result<Pictured> {
    tx.maybe(PICTURED, &[&login::key(login)])?.ok_or(Error::NotFound)
}

const PICTURED: &str = select!(Pictured from
    "logins l
     LEFT JOIN orgs o ON o.id = l.org_id
     LEFT JOIN users u ON u.id = l.user_id
     WHERE l.login_key = $1 AND l.current = TRUE");
