//! Signing in as the person whom the provider has named: with the account that is connected with them, with the account of
//! a verified e-mail address if the operator trusts the provider's, or with a new account if the provider may make accounts.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{AtProvider, tie};
use crate::db::{row, select};
use crate::error::{Error, Result};
use crate::mail::address;
use crate::name;
use crate::operation::{Cx, IdentityProvider, Record};
use crate::people::chosen::as_person;
use crate::people::email;
use crate::people::user::{self, User};
use crate::policy::Granted;
use crate::signin::begin::start;

/// Sign in as a person whom the provider has named.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Enter {
    /// The identifier of the person at the provider.
    pub subject: String,
    /// Name.
    pub name: Option<String>,
    /// The name with which the person signs in there.
    pub username: Option<String>,
    /// E-mail address.
    pub email: Option<String>,
    /// True if the provider has verified the e-mail address.
    pub email_verified: bool,
    /// The `User-Agent` header of the browser.
    pub agent: String,
}

/// The session that began.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Entered {
    /// Its token.
    pub session: String,
}

/// Begins a session of the person. 404 if no account is connected with them and none may be made; 403 if the account is
/// suspended.
pub fn enter(cx: &mut Cx, visitor: Granted<AtProvider>, p: Enter) -> Result<Record<Entered>> {
    let provider = cx.site.provider.as_ref().ok_or(Error::NotFound)?;
    let person = match tie::holder(cx.tx, &provider.issuer, &p.subject)? {
        Some(person) => person,
        None => newcomer(cx, provider, &p)?,
    };
    if person.suspended {
        return Err(Error::Suspended);
    }
    let session = start(cx, &person, "provider", (&visitor.browser, &p.agent))?;
    Ok(Entered { session }.into())
}

/// The account of a person who comes for the first time.
fn newcomer(cx: &mut Cx, provider: &IdentityProvider, p: &Enter) -> Result<User> {
    let address = p.email.as_deref().and_then(address::read);
    let proved = address.as_deref().filter(|_| p.email_verified && provider.trusts_email);
    let holder: Option<Holder> = match proved {
        Some(address) => cx.tx.maybe(HOLDER, &[&email::key(address), &provider.issuer])?,
        None => None,
    };
    let (person, by) = match holder {
        Some(Holder { person, is_tied: false }) if !person.site_admin && !person.suspended => (person, "email"),
        None if provider.creates => (create(cx, p, (address.as_deref(), proved.is_some()))?, "create"),
        _ => return Err(Error::NotFound),
    };
    tie::create(cx, &person, (&provider.issuer, &p.subject), by)?;
    Ok(person)
}

row! {
    /// The account that has verified an e-mail address.
    struct Holder from "u" {
        person: User = User::COLUMNS,
        /// True if it is connected with another person at the provider, who had the e-mail address before.
        is_tied: bool = "EXISTS (SELECT 1 FROM provider_ties t WHERE t.user_id = u.id AND t.issuer = $2)",
    }
}

const HOLDER: &str = select!(Holder from
    "emails e JOIN users u ON u.id = e.user_id WHERE e.email_key = $1 AND e.verified = TRUE");

/// Makes an account, with a login that is made as for provisioned people. An e-mail address that is not proved reserves
/// nothing.
fn create(cx: &mut Cx, p: &Enter, (address, is_proved): (Option<&str>, bool)) -> Result<User> {
    let wanted = [&p.username, &p.email, &p.name].into_iter().flatten().next();
    let person = user::create_for(cx.tx, wanted.map_or("", String::as_str), cx.now()?)?;
    if let Some(name) = p.name.as_deref().and_then(|name| name::valid(name).ok()) {
        cx.tx.run("UPDATE users SET name = $2 WHERE id = $1", &[&person.id, &name])?;
    }
    match address {
        Some(address) if is_proved => email::add(cx.tx, person.id, address).map(drop)?,
        Some(address) => email::add_unverified(cx.tx, person.id, address).map(drop)?,
        None => {}
    }
    as_person(cx, &person, |cx| user::announce(cx, &person))?;
    Ok(person)
}
