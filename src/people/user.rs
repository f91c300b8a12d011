//! People and their records (section 4 of `SPEC.md`).

use serde_json::json;

use super::login;
use crate::clock::Time;
use crate::db::{Tx, row, select};
use crate::error::{Error, Result};
use crate::journal::{self, Author, Change, Event, PersonFacts};
use crate::links::{Links, node_id};
use crate::operation::Cx;
use crate::record::record;
use crate::rows::Fold;

row! {
    /// A person, with the fields of a short record.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct User from "u" {
        /// ID.
        pub id: i64,
        /// Login, in its stored case.
        pub login: String,
        /// True if they administer the site.
        pub site_admin: bool,
        /// True if the account is suspended.
        pub suspended: bool,
    }
}

/// The columns `id`, `login` and `site_admin` of a person whom an outer join may not find.
pub type Joined = (Option<i64>, Option<String>, Option<bool>);

/// The person in these columns, as records show them.
#[must_use]
pub fn joined((id, login, site_admin): Joined) -> Option<User> {
    let ((id, login), site_admin) = id.zip(login).zip(site_admin)?;
    Some(User { id, login, site_admin, suspended: false })
}

impl User {
    /// The person as an event shows them.
    #[must_use]
    pub fn facts(&self) -> PersonFacts {
        PersonFacts { id: self.id, login: self.login.clone(), site_admin: self.site_admin }
    }
}

record! {
    /// Short form of a person or an organization.
    #[schemars(rename = "simple-user")]
    pub struct SimpleUser {
        /// Login.
        pub login: String = login.to_owned(),
        /// ID.
        pub id: i64 = id,
        /// GraphQL node ID.
        pub node_id: String = node_id(kind, id),
        /// URL of the avatar.
        pub avatar_url: String = links.html(&format!("/avatars/{login}")),
        /// Always empty.
        pub gravatar_id: &'static str = "",
        /// URL of the record.
        pub url: String = below(""),
        /// URL of the web page.
        pub html_url: String = links.html(&format!("/{login}")),
        /// URL of the followers.
        pub followers_url: String = below("/followers"),
        /// URL template.
        pub following_url: String = below("/following{/other_user}"),
        /// URL template.
        pub gists_url: String = below("/gists{/gist_id}"),
        /// URL template.
        pub starred_url: String = below("/starred{/owner}{/repo}"),
        /// URL of the subscriptions.
        pub subscriptions_url: String = below("/subscriptions"),
        /// URL of the organizations.
        pub organizations_url: String = below("/orgs"),
        /// URL of the repositories.
        pub repos_url: String = below("/repos"),
        /// URL template.
        pub events_url: String = below("/events{/privacy}"),
        /// URL of the received events.
        pub received_events_url: String = below("/received_events"),
        /// `User` or `Organization`.
        #[serde(rename = "type")]
        pub kind: &'static str = kind,
        /// True if the person is a site administrator.
        pub site_admin: bool = site_admin,
    }

    /// The record of a person or an organization.
    pub fn of_kind(links: &Links, kind: &'static str, id: i64, login: &str, site_admin: bool) {
        let below = |path: &str| links.api_of("/users/", login, path);
    }
}

impl SimpleUser {
    /// The record of a person.
    #[must_use]
    pub fn new(links: &Links, user: &User) -> Self {
        Self::of_kind(links, "User", user.id, &user.login, user.site_admin)
    }
}

/// The person with this login; 404 if there is none, and for an organization.
pub fn by_login(tx: &mut Tx, login: &str) -> Result<User> {
    tx.maybe(BY_LOGIN, &[&login::key(login)])?.ok_or(Error::NotFound)
}

const BY_LOGIN: &str =
    select!(User from "logins l JOIN users u ON u.id = l.user_id WHERE l.login_key = $1 AND l.current = TRUE");

/// The person with this identifier.
pub fn by_id(tx: &mut Tx, id: i64) -> Result<Option<User>> {
    tx.maybe(BY_ID, &[&id])
}

const BY_ID: &str = select!(User from "users u WHERE u.id = $1");

/// Inserts a person; `None` if another account has or had the login, or if it is reserved.
pub fn create(tx: &mut Tx, login: &str, now: Time) -> Result<Option<User>> {
    if login::is_reserved(login) { Ok(None) } else { create_any(tx, login, now) }
}

/// The same, also with a reserved login.
pub fn create_any(tx: &mut Tx, login: &str, now: Time) -> Result<Option<User>> {
    let id = tx.run_one(CREATE, &[&login, &now.0])?;
    let claimed = login::claim_any(tx, login, login::Owner::User(id))?;
    if !claimed {
        tx.run("DELETE FROM users WHERE id = $1", &[&id])?;
        return Ok(None);
    }
    Ok(Some(User { id, login: login.to_owned(), site_admin: false, suspended: false }))
}

/// Inserts a person with a login that is made from a name.
pub fn create_for(tx: &mut Tx, name: &str, now: Time) -> Result<User> {
    let id = tx.run_one(CREATE, &[&"", &now.0])?;
    let login = login::claim_for(tx, id, name)?;
    tx.run("UPDATE users SET login = $2 WHERE id = $1", &[&id, &login])?;
    Ok(User { id, login, site_admin: false, suspended: false })
}

const CREATE: &str = "INSERT INTO users (login, created_at, updated_at) VALUES ($1, $2, $2) RETURNING id";

/// Records a new account in the journal of the site, which must be locked.
pub fn announce(cx: &mut Cx, user: &User) -> Result<()> {
    let after = json!({ "id": user.id, "login": user.login, "suspended": user.suspended });
    let created = Event::UserCreated { user: user.facts() };
    cx.record(journal::SITE, Change::new("user.create", &json!(null), &after).with_event(&created))
}

/// The people with these identifiers, by id.
pub fn by_ids(tx: &mut Tx, ids: &[i64]) -> Result<Vec<User>> {
    crate::db::by_ids(tx, &BY_IDS, ids)
}

static BY_IDS: crate::db::ByIds =
    crate::db::ByIds::new(select!(User from "users u WHERE u.id IN ({ids}) ORDER BY u.id"));

/// Records in every organization of a person that their records changed.
pub fn record_shown(tx: &mut Tx, author: &Author<'_>, user: i64) -> Result<()> {
    let shown: Vec<(i64, bool, bool)> = tx.all(SHOWN, &[&user])?;
    journal::widen(tx, shown.iter().map(|(org, ..)| *org))?;
    shown.into_iter().try_for_each(|(org, owner, public)| {
        author.record(tx, org, Change::of_memory(&Fold::Person { user, owner, public }))
    })
}

const SHOWN: &str = "
    SELECT org_id, role = 'admin', is_public FROM org_members
    WHERE user_id = $1 AND role <> 'billing_manager' ORDER BY org_id";
