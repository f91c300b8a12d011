//! Registering applications: what is checked, and what is stored, for the operator and for people.

mod naming;
mod secret;

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::application::{self, Application, Switches};
use super::redirect;
use crate::access::token_text;
use crate::clock;
use crate::db::Tx;
use crate::error::{Error, Result};
use crate::journal::{self, Change};
use crate::operation::Cx;

pub(super) use secret::{SECRETS, all as secrets};

/// The most redirect URIs.
const URIS: usize = 20;

/// The longest client ID.
const LONGEST: usize = 255;

/// The name of the record in errors.
const RESOURCE: &str = "OauthApplication";

/// The account that an application belongs to.
#[derive(Debug, Clone, Copy)]
pub enum Owner {
    /// None: it belongs to the site.
    Site,
    /// A person.
    User(i64),
    /// An organization.
    Org(i64),
}

/// Switches that are set, on or off.
#[derive(Debug, Clone, Copy, Default)]
pub struct Switched {
    /// That it has no secret.
    pub public: Option<bool>,
    /// That organizations let it in without asking.
    pub trusted: Option<bool>,
    /// That it may sign in devices.
    pub device_flow: Option<bool>,
    /// That the teams above a person's own are listed as theirs.
    pub effective_teams: Option<bool>,
    /// That people are not asked.
    pub skip_consent: Option<bool>,
}

impl Switched {
    fn or(self, previous: Switches) -> Switches {
        Switches {
            public: self.public.unwrap_or(previous.public),
            trusted: self.trusted.unwrap_or(previous.trusted),
            device_flow: self.device_flow.unwrap_or(previous.device_flow),
            effective_teams: self.effective_teams.unwrap_or(previous.effective_teams),
            skip_consent: self.skip_consent.unwrap_or(previous.skip_consent),
        }
    }
}

/// The wishes for an application.
#[derive(Debug, Clone, Default)]
pub struct Wanted {
    /// Its name.
    pub name: Option<String>,
    /// Its redirect URIs, which replace those that it has.
    pub redirect_uris: Vec<String>,
    /// True if it is to have no redirect URI.
    pub no_redirect_uri: bool,
    /// A further secret.
    pub secret: Option<String>,
    /// True if a further secret is to be made.
    pub new_secret: bool,
    /// Its switches.
    pub switched: Switched,
}

/// An application that was registered or changed.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Made {
    /// Its client ID.
    pub client_id: String,
    /// Its secret, if one was made. It is shown only now.
    pub secret: Option<String>,
}

/// Registers an application, with this client ID or one that is made.
pub fn create(cx: &mut Cx, owner: Owner, client_id: Option<&str>, wanted: &Wanted) -> Result<Made> {
    let client_id = match client_id {
        Some(id) => checked_id(cx.tx, id)?,
        None => token_text::hashed_hex(&clock::random()?)[..20].to_owned(),
    };
    let (user, org) = match owner {
        Owner::Site => (None, None),
        Owner::User(id) => (Some(id), None),
        Owner::Org(id) => (None, Some(id)),
    };
    let switches = wanted.switched.or(Switches::default());
    let name = naming::checked(wanted.name.as_deref().unwrap_or_default())?;
    cx.tx.run(CREATE, &[&client_id, &name, &user, &org, &switches.public])?;
    let application = found(cx.tx, &client_id)?;
    let is_given = wanted.secret.is_some() || wanted.switched.public == Some(true);
    let wanted = Wanted { new_secret: wanted.new_secret || !is_given, ..wanted.clone() };
    let secret = store(cx, &application, &wanted)?;
    let after = facts(cx.tx, &client_id)?;
    record(cx, &application, Change::new("oauth_application.create", &json!(null), &after))?;
    Ok(Made { client_id, secret })
}

const CREATE: &str = "
    INSERT INTO applications (client_id, name, user_id, org_id, public, trusted, device_flow, effective_teams, skip_consent)
    VALUES ($1, $2, $3, $4, $5, FALSE, FALSE, FALSE, FALSE)";

/// Changes the application with this client ID.
pub fn update(cx: &mut Cx, client_id: &str, wanted: &Wanted) -> Result<Made> {
    let application = found(cx.tx, client_id)?;
    change(cx, &application, wanted)
}

/// Changes an application.
pub(super) fn change(cx: &mut Cx, application: &Application, wanted: &Wanted) -> Result<Made> {
    let client_id = &application.client_id;
    let before = facts(cx.tx, client_id)?;
    let secret = store(cx, application, wanted)?;
    let after = facts(cx.tx, client_id)?;
    record(cx, application, Change::new("oauth_application.update", &before, &after))?;
    Ok(Made { client_id: client_id.clone(), secret })
}

/// Removes a secret of an application, which keeps another one. False if it does not have that secret.
pub(super) fn remove_secret(cx: &mut Cx, application: &Application, id: i64) -> Result<bool> {
    let before = facts(cx.tx, &application.client_id)?;
    if !secret::remove(cx.tx, application, id)? {
        return Ok(false);
    }
    let after = facts(cx.tx, &application.client_id)?;
    record(cx, application, Change::new("oauth_application.update", &before, &after))?;
    Ok(true)
}

/// Removes the application with this client ID.
pub fn revoke(cx: &mut Cx, client_id: &str) -> Result<()> {
    let application = found(cx.tx, client_id)?;
    end(cx, &application)
}

/// Removes an application, with all that people have allowed it and with its tokens.
pub(super) fn end(cx: &mut Cx, application: &Application) -> Result<()> {
    let before = facts(cx.tx, &application.client_id)?;
    cx.tx.run("DELETE FROM applications WHERE id = $1", &[&application.id])?;
    record(cx, application, Change::new("oauth_application.destroy", &before, &json!(null)))
}

/// Records a change in the journal of the organization that the application belongs to, or of the site.
fn record(cx: &mut Cx, application: &Application, change: Change) -> Result<()> {
    let journal = application.org.unwrap_or(journal::SITE);
    journal::widen(cx.tx, [journal])?;
    cx.record(journal, change)
}

/// The refusal of a field.
fn invalid(field: &'static str, why: impl Into<Cow<'static, str>>) -> Error {
    Error::explained(RESOURCE, "invalid", field, why)
}

fn found(tx: &mut Tx, client_id: &str) -> Result<Application> {
    let missing = || {
        let text = "no application has this client ID. `guildhall app list` shows all. Nothing was changed";
        Error::sentence(format!("{client_id}: {text}"))
    };
    application::by_client_id(tx, client_id)?.ok_or_else(missing)
}

/// Stores what is wanted, and returns the secret if one was made.
fn store(cx: &mut Cx, application: &Application, wanted: &Wanted) -> Result<Option<String>> {
    let switches = wanted.switched.or(application.switches);
    if switches.public && (wanted.secret.is_some() || wanted.new_secret) {
        return Err(invalid("secret", "A public application has no secret."));
    }
    if switches.public && switches.skip_consent {
        return Err(invalid("skip_consent", "Anyone can claim to be a public application, so people must be asked."));
    }
    let name = wanted.name.as_deref().map_or(Ok(application.name.clone()), naming::checked)?;
    let Switches { public, trusted, device_flow, effective_teams, skip_consent } = switches;
    cx.tx.run(STORE, &[&application.id, &name, &public, &trusted, &device_flow, &effective_teams, &skip_consent])?;
    if !effective_teams {
        cx.tx.run("UPDATE tokens SET effective_teams = FALSE WHERE application_id = $1", &[&application.id])?;
        cx.tx.run("UPDATE consents SET effective_teams = FALSE WHERE application_id = $1", &[&application.id])?;
    }
    put_uris(cx.tx, application, wanted, device_flow)?;
    secret::put(cx.tx, application, wanted, public)
}

const STORE: &str = "
    UPDATE applications
    SET name = $2, public = $3, trusted = $4, device_flow = $5, effective_teams = $6, skip_consent = $7
    WHERE id = $1";

fn put_uris(tx: &mut Tx, application: &Application, wanted: &Wanted, device_flow: bool) -> Result<()> {
    let invalid = |why: String| invalid("redirect_uris", why);
    let replaces = wanted.no_redirect_uri || !wanted.redirect_uris.is_empty();
    if wanted.redirect_uris.len() > URIS {
        return Err(invalid(format!("An application has at most {URIS} redirect URIs.")));
    }
    if replaces {
        tx.run("DELETE FROM redirect_uris WHERE application_id = $1", &[&application.id])?;
    }
    wanted.redirect_uris.iter().try_for_each(|uri| {
        redirect::check(uri).map_err(invalid)?;
        tx.run(PUT_URI, &[&application.id, uri]).map(drop)
    })?;
    if !device_flow && application.redirect_uris(tx)?.is_empty() {
        return Err(invalid("An application needs a redirect URI, unless it may sign in devices.".into()));
    }
    Ok(())
}

const PUT_URI: &str = "INSERT INTO redirect_uris (application_id, uri) VALUES ($1, $2) ON CONFLICT DO NOTHING";

fn checked_id(tx: &mut Tx, id: &str) -> Result<String> {
    let is_known = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
    // Clients normalize these two away in paths.
    if matches!(id, "." | "..") || !(1..=LONGEST).contains(&id.len()) || !id.bytes().all(is_known) {
        return Err(invalid("client_id", "A client ID has letters, digits, dots, hyphens and underscores."));
    }
    if application::by_client_id(tx, id)?.is_some() {
        return Err(invalid("client_id", format!("{id} is the client ID of another application.")));
    }
    Ok(id.to_owned())
}

/// An application as the audit log shows it.
fn facts(tx: &mut Tx, client_id: &str) -> Result<Value> {
    let of = found(tx, client_id)?;
    let uris = of.redirect_uris(tx)?;
    let secrets = secrets(tx, of.id)?.len();
    let Switches { public, trusted, device_flow, effective_teams, skip_consent } = of.switches;
    Ok(json!({
        "client_id": of.client_id,
        "name": of.name,
        "owner": of.owner,
        "redirect_uris": uris,
        "secrets": secrets,
        "public": public,
        "trusted": trusted,
        "device_flow": device_flow,
        "effective_teams": effective_teams,
        "skip_consent": skip_consent,
    }))
}
