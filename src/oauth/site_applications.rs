//! All applications as site administrators see them, and the two marks that they give: `trusted` and `skip_consent`
//! (decisions 62 and 81).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::application;
use super::registration::{self, Switched, Wanted};
use crate::db::{Tx, row, select};
use crate::error::{Error, Result};
use crate::operation::{Cx, Done, List, Record};
use crate::policy::Granted;
use crate::site::Site;

/// The number of people up to which those who have allowed an application are counted.
pub const COUNTED: i64 = 10_000;

row! {
    /// An application of the site, of a person or of an organization.
    #[derive(Debug, Serialize, Deserialize, JsonSchema)]
    pub struct SiteApplication from "a" {
        /// Its client ID.
        pub client_id: String,
        /// Its name.
        pub name: String,
        /// The login of the person that it belongs to.
        pub user: Option<String> = "ou.login",
        /// The login of the organization that it belongs to.
        pub org: Option<String> = "oo.login",
        /// True if it has no secret.
        pub public: bool,
        /// True if organizations let it in without asking.
        pub trusted: bool,
        /// True if people are not asked.
        pub skip_consent: bool,
        /// The number of people who have allowed it something, up to 10,001.
        pub people: i64 = "(SELECT count(*) FROM (SELECT 1 FROM consents c WHERE c.application_id = a.id LIMIT 10001) n)",
    }
}

macro_rules! applications {
    ($end:literal) => {
        select!(SiteApplication from
            "applications a LEFT JOIN users ou ON ou.id = a.user_id LEFT JOIN orgs oo ON oo.id = a.org_id ", $end)
    };
}

/// List all applications.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct ListAll {}

/// Lists all applications, the newest first.
pub fn list(cx: &mut Cx, _: Granted<Site>, _: ListAll) -> Result<List<SiteApplication>> {
    let total: i64 = cx.tx.one("SELECT count(*) FROM applications", &[])?;
    let (limit, offset) = cx.page.sql();
    let found: Vec<SiteApplication> = cx.tx.all(ALL, &[&limit, &offset])?;
    List::of(found, total)
}

const ALL: &str = applications!("ORDER BY a.id DESC LIMIT $1 OFFSET $2");

/// An application with its redirect URIs.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Detailed {
    /// The application.
    pub of: SiteApplication,
    /// Its redirect URIs.
    pub redirect_uris: Vec<String>,
}

/// Get an application.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Get {
    /// Its client ID.
    pub client_id: String,
}

/// Gets an application.
pub fn get(cx: &mut Cx, _: Granted<Site>, p: Get) -> Result<Record<Detailed>> {
    let of: Option<SiteApplication> = cx.tx.maybe(ONE, &[&p.client_id])?;
    let of = of.ok_or(Error::NotFound)?;
    let redirect_uris = found(cx.tx, &p.client_id)?.redirect_uris(cx.tx)?;
    Ok(Detailed { of, redirect_uris }.into())
}

const ONE: &str = applications!("WHERE a.client_id = $1");

fn found(tx: &mut Tx, client_id: &str) -> Result<application::Application> {
    application::by_client_id(tx, client_id)?.ok_or(Error::NotFound)
}

/// Give an application its marks.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Mark {
    /// Its client ID.
    pub client_id: String,
    /// True if organizations let it in without asking.
    pub trusted: bool,
    /// True if people are not asked.
    pub skip_consent: bool,
}

/// Gives an application its marks. 422 if people who use a public one were not to be asked.
pub fn mark(cx: &mut Cx, _: Granted<Site>, p: Mark) -> Result<Done> {
    let application = found(cx.tx, &p.client_id)?;
    if application.switches.trusted == p.trusted && application.switches.skip_consent == p.skip_consent {
        return Ok(Done);
    }
    let switched = Switched { trusted: Some(p.trusted), skip_consent: Some(p.skip_consent), ..Switched::default() };
    let wanted = Wanted { switched, ..Wanted::default() };
    registration::change(cx, &application, &wanted).map(|_| Done)
}
