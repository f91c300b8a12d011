//! The full record of a person: the public one, and the one for the person.
//!
//! Only the person reads their e-mail addresses.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::email;
use super::me::Me;
use super::user::{SimpleUser, User};
use crate::clock::Time;
use crate::db::{ByIds, Lock, Tx, by_ids, row, select};
use crate::error::{Error, Result};
use crate::operation::{Caller, Cx, Path, Record, Subject};
use crate::policy::{Granted, Standing};
use crate::scope::Scope;
use crate::site::signed_in;

/// The public profile of a person or an organization.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "user")]
pub struct PublicUser {
    /// The short record.
    #[serde(flatten)]
    pub simple: SimpleUser,
    /// Name.
    pub name: Option<String>,
    /// Company.
    pub company: Option<String>,
    /// URL of their website; empty if they have none, because strict clients do not accept null here.
    pub blog: String,
    /// Location.
    pub location: Option<String>,
    /// Public e-mail address of an organization. For a person, shown only to themselves.
    pub email: Option<String>,
    /// Always null.
    pub hireable: Option<bool>,
    /// Biography.
    pub bio: Option<String>,
    /// Twitter username.
    pub twitter_username: Option<String>,
    /// Number of public repositories.
    pub public_repos: i64,
    /// Always 0.
    pub public_gists: i64,
    /// Always 0.
    pub followers: i64,
    /// Always 0.
    pub following: i64,
    /// Creation time of the account.
    pub created_at: Time,
    /// Time of the last change of the account or its profile.
    pub updated_at: Time,
}

/// The caller's profile, including private fields.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "private-user")]
pub struct PrivateUser {
    /// The public fields.
    #[serde(flatten)]
    pub public: PublicUser,
    /// Always 0.
    pub private_gists: i64,
    /// Number of private repositories.
    pub total_private_repos: i64,
    /// Number of private repositories.
    pub owned_private_repos: i64,
    /// Always 0.
    pub disk_usage: i64,
    /// Always 0.
    pub collaborators: i64,
    /// Always false, because Guildhall has no passwords.
    pub two_factor_authentication: bool,
    /// Plan of the account. It has no cost and no limits.
    pub plan: Plan,
}

/// The plan of an account.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Plan {
    /// Always `free`.
    pub name: &'static str,
    /// Always 0.
    pub space: i64,
    /// Always 0.
    pub collaborators: i64,
    /// Always 0.
    pub private_repos: i64,
}

row! {
    /// The stored profile of a person, which is public.
    #[derive(Debug, Clone)]
    pub struct Profile from "u" {
        /// The person.
        pub user: User = User::COLUMNS,
        /// Name.
        pub name: Option<String>,
        /// Company.
        pub company: Option<String>,
        /// Website.
        pub blog: Option<String>,
        /// Location.
        pub location: Option<String>,
        /// Biography.
        pub bio: Option<String>,
        /// Creation time.
        pub created_at: Time,
        /// Time of the last change.
        pub updated_at: Time,
        /// When the account was suspended, if it is.
        pub suspended_at: Option<Time>,
    }
}

/// The public record of the person with this identifier, and the number of their private repositories.
fn record(cx: &mut Cx, id: i64) -> Result<(PublicUser, i64)> {
    let stored: Profile = cx.tx.maybe(PROFILE, &[&id])?.ok_or(Error::NotFound)?;
    let (public_repos, private_repos) = cx.tx.one(REPOS, &[&id])?;
    let user = PublicUser {
        simple: SimpleUser::new(cx.links, &stored.user),
        name: stored.name,
        company: stored.company,
        blog: stored.blog.unwrap_or_default(),
        location: stored.location,
        email: None,
        hireable: None,
        bio: stored.bio,
        twitter_username: None,
        public_repos,
        public_gists: 0,
        followers: 0,
        following: 0,
        created_at: stored.created_at,
        updated_at: stored.updated_at,
    };
    Ok((user, private_repos))
}

const PROFILE: &str = select!(Profile from "users u WHERE u.id = $1");

/// The profiles of these people, by ID. Each ID must occur once.
pub fn profiles(tx: &mut Tx, ids: &[i64]) -> Result<Vec<Profile>> {
    by_ids(tx, &PROFILES, ids)
}

static PROFILES: ByIds = ByIds::new(select!(Profile from "users u WHERE u.id IN ({ids})"));

const REPOS: &str = "
    SELECT count(CASE WHEN private = FALSE THEN 1 END), count(CASE WHEN private = TRUE THEN 1 END)
    FROM repos WHERE user_id = $1";

/// The public record of a person; 404 if there is no person with this identifier.
pub fn public(cx: &mut Cx, id: i64) -> Result<PublicUser> {
    Ok(record(cx, id)?.0)
}

/// Get the caller. With the scope `user` or `user:email`, the record includes the primary e-mail address.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Own {}

/// Gets the caller.
pub fn own(cx: &mut Cx, me: Granted<Me>, _: Own) -> Result<Record<PrivateUser>> {
    let (mut public, private_repos) = record(cx, me.id)?;
    if cx.caller.token.as_ref().is_some_and(|token| token.scopes.grants(&[Scope::UserEmail])) {
        public.email = email::primary_of(cx.tx, me.id)?;
    }
    let modified = public.updated_at;
    let record = PrivateUser {
        public,
        private_gists: 0,
        total_private_repos: private_repos,
        owned_private_repos: private_repos,
        disk_usage: 0,
        collaborators: 0,
        two_factor_authentication: false,
        plan: Plan { name: "free", space: 0, collaborators: 0, private_repos: 0 },
    };
    Ok(Record::from(record).modified(modified))
}

/// A person, by identifier.
#[derive(Debug, Clone, Copy)]
pub struct Numbered(i64);

impl Subject for Numbered {
    const FORMS: &'static [&'static str] = &["/user/{account_id}"];

    fn find(cx: &mut Cx, path: &Path) -> Result<(Self, Standing)> {
        let id = path.id("account_id")?.ok_or(Error::NotFound)?;
        Ok((Self(id), signed_in(cx)))
    }

    fn locks(_: &mut Tx, _: &Caller, path: &Path) -> Result<Vec<Lock>> {
        Ok(path.id("account_id")?.map(Lock::User).into_iter().collect())
    }

    fn canonical(&self) -> String {
        format!("/user/{}", self.0)
    }
}

/// Get a person by ID. The ID does not change when the login does.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct ById {}

/// Gets a person by identifier, which stays when the login changes.
pub fn by_id(cx: &mut Cx, person: Granted<Numbered>, _: ById) -> Result<Record<PublicUser>> {
    let record = public(cx, person.0)?;
    let modified = record.updated_at;
    Ok(Record::from(record).modified(modified))
}
