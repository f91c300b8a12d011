//! Applications as they are stored.

use super::redirect;
use crate::access::token_text;
use crate::db::{Tx, row, select};
use crate::error::Result;

row! {
    /// An application.
    #[derive(Debug, Clone)]
    pub struct Application from "a" {
        /// ID.
        pub id: i64,
        /// The client ID that it sends.
        pub client_id: String,
        /// Its name, for people.
        pub name: String,
        /// The login of the person or the organization that it belongs to; none if it belongs to the site.
        pub owner: Option<String> = "coalesce(ou.login, oo.login)",
        /// The organization that it belongs to, if it belongs to one.
        pub org: Option<i64> = "a.org_id",
        /// Its switches.
        pub switches: Switches = Switches::COLUMNS,
    }
}

row! {
    /// The switches of an application.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub struct Switches from "a" {
        /// True if it has no secret, because it runs where it cannot keep one.
        pub public: bool,
        /// True if organizations let it in without asking.
        pub trusted: bool,
        /// True if it may sign in devices.
        pub device_flow: bool,
        /// True if the teams above a person's own are listed as theirs.
        pub effective_teams: bool,
        /// True if people are not asked.
        pub skip_consent: bool,
    }
}

macro_rules! applications {
    ($end:literal) => {
        select!(Application from
            "applications a LEFT JOIN users ou ON ou.id = a.user_id LEFT JOIN orgs oo ON oo.id = a.org_id ", $end)
    };
}

/// The application with this client ID, if there is one.
pub(super) fn by_client_id(tx: &mut Tx, client_id: &str) -> Result<Option<Application>> {
    tx.maybe(BY_CLIENT_ID, &[&client_id])
}

const BY_CLIENT_ID: &str = applications!("WHERE a.client_id = $1");

/// The application with this ID, if there is one.
pub(super) fn by_id(tx: &mut Tx, id: i64) -> Result<Option<Application>> {
    tx.maybe(BY_ID, &[&id])
}

const BY_ID: &str = applications!("WHERE a.id = $1");

/// The application with this client ID, if the person manages it: it is theirs, or of an organization that they own.
pub(super) fn managed(tx: &mut Tx, person: i64, client_id: &str) -> Result<Option<Application>> {
    tx.maybe(MANAGED, &[&client_id, &person])
}

const MANAGED: &str = applications!(
    "WHERE a.client_id = $1
       AND (a.user_id = $2 OR a.org_id IN (SELECT org_id FROM org_members WHERE user_id = $2 AND role = 'admin'))"
);

/// The applications that a person manages, by ID.
pub(super) fn all_managed(tx: &mut Tx, person: i64, limit: i64) -> Result<Vec<Application>> {
    tx.all(ALL_MANAGED, &[&person, &limit])
}

const ALL_MANAGED: &str = applications!(
    "WHERE a.id IN (SELECT id FROM applications WHERE user_id = $1
                    UNION ALL
                    SELECT of_org.id FROM org_members m JOIN applications of_org ON of_org.org_id = m.org_id
                    WHERE m.user_id = $1 AND m.role = 'admin')
     ORDER BY a.id LIMIT $2"
);

/// An application with all that is registered for it.
#[derive(Debug)]
pub struct Registered {
    /// The application.
    pub application: Application,
    /// Its redirect URIs.
    pub redirect_uris: Vec<String>,
}

/// All applications, by ID.
pub fn all(tx: &mut Tx) -> Result<Vec<Registered>> {
    let applications: Vec<Application> = tx.all(ALL, &[])?;
    let with_uris = |application: Application| {
        let redirect_uris = application.redirect_uris(tx)?;
        Ok(Registered { application, redirect_uris })
    };
    applications.into_iter().map(with_uris).collect()
}

const ALL: &str = applications!("ORDER BY a.id");

impl Application {
    /// Its redirect URIs.
    pub(super) fn redirect_uris(&self, tx: &mut Tx) -> Result<Vec<String>> {
        tx.all("SELECT uri FROM redirect_uris WHERE application_id = $1 ORDER BY uri", &[&self.id])
    }

    /// The URI to which a request that names this one leads; without one, the only one that is registered. None if the
    /// request names another one, or none where there are several.
    pub(super) fn redirect(&self, tx: &mut Tx, named: Option<&str>) -> Result<Option<String>> {
        let mut registered = self.redirect_uris(tx)?;
        Ok(match named {
            Some(named) => registered.iter().any(|uri| redirect::matches(uri, named)).then(|| named.to_owned()),
            None if registered.len() == 1 => registered.pop(),
            None => None,
        })
    }

    /// True if this is one of its secrets.
    pub(super) fn has_secret(&self, tx: &mut Tx, secret: &str) -> Result<bool> {
        tx.any(HAS_SECRET, &[&self.id, &token_text::hash(secret).as_slice()])
    }
}

const HAS_SECRET: &str = "SELECT 1 FROM application_secrets WHERE application_id = $1 AND hash = $2";
