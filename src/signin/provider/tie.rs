//! The connections of accounts with the provider: making, listing and removing them. All of it is in the audit log, which
//! does not show whom the provider means.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::AtProvider;
use crate::clock::Time;
use crate::db::{Tx, row, select};
use crate::error::{Error, Result};
use crate::journal::{self, Change};
use crate::operation::{Cx, Done, List};
use crate::people::chosen::as_person;
use crate::people::me::Me;
use crate::people::user::{self, User};
use crate::policy::Granted;

row! {
    /// A connection of an account with an identity provider.
    #[derive(Debug, Serialize, Deserialize, JsonSchema)]
    pub struct Tied from "t" {
        /// ID.
        pub id: i64,
        /// The issuer.
        pub issuer: String,
        /// The time at which the account was connected.
        pub tied_at: Time,
    }
}

/// The account that is connected with this person at a provider.
pub(super) fn holder(tx: &mut Tx, issuer: &str, subject: &str) -> Result<Option<User>> {
    tx.maybe(HOLDER, &[&issuer, &subject])
}

const HOLDER: &str = select!(User from
    "provider_ties t JOIN users u ON u.id = t.user_id WHERE t.issuer = $1 AND t.subject = $2");

/// Connects an account. `by` says for the audit log what allowed it.
pub(super) fn create(cx: &mut Cx, person: &User, (issuer, subject): (&str, &str), by: &str) -> Result<()> {
    let id: i64 = cx.tx.run_one(CREATE, &[&person.id, &issuer, &subject, &cx.now()?.0])?;
    let after = json!({ "id": id, "user": person.login, "issuer": issuer, "by": by });
    as_person(cx, person, |cx| cx.record(journal::SITE, Change::new("provider_tie.create", &json!(null), &after)))
}

const CREATE: &str = "
    INSERT INTO provider_ties (user_id, issuer, subject, tied_at) VALUES ($1, $2, $3, $4) RETURNING id";

/// Connect the caller's account.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Tie {
    /// The identifier of the person at the provider.
    pub subject: String,
}

/// Connects the caller's account with the person whom the provider has named. 422 if either is connected with another.
pub fn tie(cx: &mut Cx, _: Granted<AtProvider>, p: Tie) -> Result<Done> {
    let provider = cx.site.provider.as_ref().ok_or(Error::NotFound)?;
    let me = user::by_id(cx.tx, cx.me()?.id)?.ok_or(Error::NotFound)?;
    match holder(cx.tx, &provider.issuer, &p.subject)? {
        Some(holder) if holder.id == me.id => return Ok(Done),
        Some(_) => return Err(Error::sentence("Another account is connected with you at the identity provider.")),
        None => {}
    }
    if cx.tx.any("SELECT 1 FROM provider_ties WHERE user_id = $1 AND issuer = $2", &[&me.id, &provider.issuer])? {
        let text = "Your account is connected with another person at the identity provider. Disconnect it first.";
        return Err(Error::sentence(text));
    }
    create(cx, &me, (&provider.issuer, &p.subject), "settings")?;
    Ok(Done)
}

/// List the connections of the caller's account.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Ties {}

/// Lists the connections of the caller's account, also those with providers that the site had before.
pub fn list(cx: &mut Cx, me: Granted<Me>, _: Ties) -> Result<List<Tied>> {
    let ties: Vec<Tied> = cx.tx.all(LIST, &[&me.id])?;
    let total = i64::try_from(ties.len()).unwrap_or(i64::MAX);
    List::of(ties, total)
}

const LIST: &str = select!(Tied from "provider_ties t WHERE t.user_id = $1 ORDER BY t.id");

/// Remove a connection of the caller's account.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Untie {
    /// ID of the connection.
    pub id: i64,
}

/// Removes a connection of the caller's account. Sessions go on.
pub fn untie(cx: &mut Cx, me: Granted<Me>, p: Untie) -> Result<Done> {
    let issuer: Option<String> = cx.tx.maybe(ISSUER, &[&p.id, &me.id])?;
    let issuer = issuer.ok_or(Error::NotFound)?;
    cx.tx.run("DELETE FROM provider_ties WHERE id = $1", &[&p.id])?;
    let before = json!({ "id": p.id, "user": me.login, "issuer": issuer });
    cx.record(journal::SITE, Change::new("provider_tie.destroy", &before, &json!(null)))?;
    Ok(Done)
}

const ISSUER: &str = "SELECT issuer FROM provider_ties WHERE id = $1 AND user_id = $2";
