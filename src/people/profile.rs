//! The full record of a person: the public one, and the one for the person.
//!
//! Only the person reads their e-mail addresses, unless they show the primary one.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::email_operations;
use super::me::Me;
use super::user::{self, SimpleUser, User};
use super::{email, email_changes};
use crate::clock::Time;
use crate::db::{ByIds, Lock, Tx, by_ids, row, select};
use crate::error::{Error, Result};
use crate::journal::{self, Change};
use crate::links::Links;
use crate::name;
use crate::operation::{Caller, Cx, Patch, Path, Record, Subject};
use crate::policy::{Granted, Standing};
use crate::record::record;
use crate::scope::Scope;
use crate::site::signed_in;

record! {
    /// The public profile of a person or an organization.
    #[schemars(rename = "user")]
    pub struct PublicUser {
        /// The short record.
        #[serde(flatten)]
        pub simple: SimpleUser = SimpleUser::new(links, &stored.user),
        /// Name.
        pub name: Option<String> = stored.name,
        /// Company.
        pub company: Option<String> = stored.company,
        /// URL of their website; empty if they have none, because strict clients do not accept null here.
        pub blog: String = stored.blog.unwrap_or_default(),
        /// Location.
        pub location: Option<String> = stored.location,
        /// Public e-mail address. A person who shows none sees their primary one here.
        pub email: Option<String> = stored.public_email,
        /// Always null.
        pub hireable: Option<bool> = None,
        /// Biography.
        pub bio: Option<String> = stored.bio,
        /// Twitter username.
        pub twitter_username: Option<String> = None,
        /// Number of public repositories.
        pub public_repos: i64 = public_repos,
        /// Always 0.
        pub public_gists: i64 = 0,
        /// Always 0.
        pub followers: i64 = 0,
        /// Always 0.
        pub following: i64 = 0,
        /// Creation time of the account.
        pub created_at: Time = stored.created_at,
        /// Time of the last change of the account or its profile.
        pub updated_at: Time = stored.updated_at,
        /// Time of the suspension. Only site administrators see it; absent if the account is not suspended.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub suspended_at: Option<Time> = stored.suspended_at,
    }

    /// The record of a person with this profile and this many public repositories.
    fn new(links: &Links, stored: Profile, public_repos: i64) {}
}

record! {
    /// The caller's profile, including private fields.
    #[schemars(rename = "private-user")]
    pub struct PrivateUser {
        /// The public fields.
        #[serde(flatten)]
        pub public: PublicUser = public,
        /// Always 0.
        pub private_gists: i64 = 0,
        /// Number of private repositories.
        pub total_private_repos: i64 = private_repos,
        /// Number of private repositories.
        pub owned_private_repos: i64 = private_repos,
        /// Always 0.
        pub disk_usage: i64 = 0,
        /// Always 0.
        pub collaborators: i64 = 0,
        /// Always false, because Guildhall has no passwords.
        pub two_factor_authentication: bool = false,
        /// Plan of the account. It has no cost and no limits.
        pub plan: Plan = Plan::free(),
    }

    /// The record of a person with this many private repositories.
    fn new(public: PublicUser, private_repos: i64) {}
}

record! {
    /// The plan of an account.
    pub struct Plan {
        /// Always `free`.
        pub name: &'static str = "free",
        /// Always 0.
        pub space: i64 = 0,
        /// Always 0.
        pub collaborators: i64 = 0,
        /// Always 0.
        pub private_repos: i64 = 0,
    }

    /// The only plan.
    fn free() {}
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
        /// The primary e-mail address, if the person shows it.
        pub public_email: Option<String>,
        /// Creation time.
        pub created_at: Time,
        /// Time of the last change.
        pub updated_at: Time,
        /// The time at which the account was suspended, if it is.
        pub suspended_at: Option<Time>,
    }
}

/// The public record of the person with this identifier, and the number of their private repositories.
fn record(cx: &mut Cx, id: i64) -> Result<(PublicUser, i64)> {
    let mut stored: Profile = cx.tx.maybe(PROFILE, &[&id])?.ok_or(Error::NotFound)?;
    stored.suspended_at = stored.suspended_at.filter(|_| cx.caller.administers_site());
    let (public_repos, private_repos) = cx.tx.one(REPOS, &[&id])?;
    Ok((PublicUser::new(cx.links, stored, public_repos), private_repos))
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
    if cx.caller.scopes().grants(&[Scope::UserEmail]) {
        public.email = email::primary_of(cx.tx, me.id)?;
    }
    let modified = public.updated_at;
    Ok(Record::from(PrivateUser::new(public, private_repos)).modified(modified))
}

/// Update the caller.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Update {
    /// Name. An empty one is removed.
    #[serde(default)]
    pub name: Patch<String>,
    /// The new primary e-mail address: one of the verified ones.
    pub email: Option<String>,
}

/// Updates the caller.
pub fn update(cx: &mut Cx, me: Granted<Me>, p: Update) -> Result<Record<PrivateUser>> {
    if let Some(address) = &p.email {
        cx.refuse_impersonator()?;
        email_changes::set_primary(cx, email_operations::of(&me), address)?;
    }
    set_name(cx, me.id, &me.login, p.name)?;
    own(cx, me, Own {})
}

/// Stores a new name of a person.
pub fn set_name(cx: &mut Cx, id: i64, login: &str, name: Patch<String>) -> Result<()> {
    let before: Option<String> = cx.tx.one("SELECT name FROM users WHERE id = $1", &[&id])?;
    let sent = name.or(before.clone()).filter(|name| !name.trim().is_empty());
    let after = sent.as_deref().map(name::valid).transpose();
    let after = after.map_err(|why| Error::explained("User", "invalid", "name", why))?;
    if after == before.as_deref() {
        return Ok(());
    }
    cx.tx.run(SET_NAME, &[&id, &after, &cx.now()?.0])?;
    let facts = |name: Option<&str>| json!({ "user": login, "name": name });
    cx.record(journal::SITE, Change::new("user.update", &facts(before.as_deref()), &facts(after)))?;
    user::record_shown(cx.tx, &cx.author()?, id)
}

const SET_NAME: &str = "
    UPDATE users
    SET name = $2, updated_at = CASE WHEN updated_at > $3 THEN updated_at ELSE $3 END
    WHERE id = $1";

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
