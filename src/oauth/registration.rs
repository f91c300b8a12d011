//! Registering applications, which the operator does: what is checked, and what is stored.

use serde_json::{Value, json};

use super::application::{self, Application, Switches};
use super::redirect;
use crate::access::token_text;
use crate::clock;
use crate::db::Tx;
use crate::error::{Error, Result};
use crate::journal::{self, Change};
use crate::name;
use crate::operation::Cx;

/// The names that no other application may have: that of the service, and that of the application that is there from the
/// start.
const RESERVED: [&str; 2] = ["guildhall", "github cli"];

/// The most redirect URIs.
const URIS: usize = 20;

/// The most secrets: a new one, and the one that it replaces.
const SECRETS: i64 = 2;

/// The shortest secret that the operator may choose.
const SHORTEST: usize = 20;

/// The longest client ID, and the longest secret.
const LONGEST: usize = 255;

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

/// The wishes of the operator for an application.
#[derive(Debug, Clone, Default)]
pub struct Wanted {
    /// Its name.
    pub name: Option<String>,
    /// Its redirect URIs, which replace those that it has.
    pub redirect_uris: Vec<String>,
    /// A further secret.
    pub secret: Option<String>,
    /// True if a further secret is to be made.
    pub new_secret: bool,
    /// Its switches.
    pub switched: Switched,
}

/// An application that was registered or changed.
#[derive(Debug)]
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
    let name = checked_name(wanted.name.as_deref().unwrap_or_default())?;
    cx.tx.run(CREATE, &[&client_id, &name, &user, &org, &switches.public])?;
    let application = found(cx.tx, &client_id)?;
    let is_given = wanted.secret.is_some() || wanted.switched.public == Some(true);
    let wanted = Wanted { new_secret: wanted.new_secret || !is_given, ..wanted.clone() };
    let secret = store(cx, &application, &wanted)?;
    let after = facts(cx.tx, &client_id)?;
    cx.record(journal::SITE, Change::new("oauth_application.create", &json!(null), &after))?;
    Ok(Made { client_id, secret })
}

const CREATE: &str = "
    INSERT INTO applications (client_id, name, user_id, org_id, public, trusted, device_flow, effective_teams, skip_consent)
    VALUES ($1, $2, $3, $4, $5, FALSE, FALSE, FALSE, FALSE)";

/// Changes an application.
pub fn update(cx: &mut Cx, client_id: &str, wanted: &Wanted) -> Result<Made> {
    let application = found(cx.tx, client_id)?;
    let before = facts(cx.tx, client_id)?;
    let secret = store(cx, &application, wanted)?;
    let after = facts(cx.tx, client_id)?;
    cx.record(journal::SITE, Change::new("oauth_application.update", &before, &after))?;
    Ok(Made { client_id: client_id.to_owned(), secret })
}

/// Removes an application, with all that people have allowed it and with its tokens.
pub fn revoke(cx: &mut Cx, client_id: &str) -> Result<()> {
    let application = found(cx.tx, client_id)?;
    let before = facts(cx.tx, client_id)?;
    cx.tx.run("DELETE FROM applications WHERE id = $1", &[&application.id])?;
    cx.record(journal::SITE, Change::new("oauth_application.destroy", &before, &json!(null)))
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
        return Err(Error::sentence("a public application has no secret. Nothing was changed"));
    }
    if switches.public && switches.skip_consent {
        let text = "anyone can claim to be a public application, so people must be asked. Leave out --skip-consent. \
                    Nothing was changed";
        return Err(Error::sentence(text));
    }
    let name = wanted.name.as_deref().map_or(Ok(application.name.clone()), checked_name)?;
    let Switches { public, trusted, device_flow, effective_teams, skip_consent } = switches;
    cx.tx.run(STORE, &[&application.id, &name, &public, &trusted, &device_flow, &effective_teams, &skip_consent])?;
    if !effective_teams {
        cx.tx.run("UPDATE tokens SET effective_teams = FALSE WHERE application_id = $1", &[&application.id])?;
        cx.tx.run("UPDATE consents SET effective_teams = FALSE WHERE application_id = $1", &[&application.id])?;
    }
    put_uris(cx.tx, application, wanted, device_flow)?;
    put_secret(cx.tx, application, wanted, public)
}

const STORE: &str = "
    UPDATE applications
    SET name = $2, public = $3, trusted = $4, device_flow = $5, effective_teams = $6, skip_consent = $7
    WHERE id = $1";

fn put_uris(tx: &mut Tx, application: &Application, wanted: &Wanted, device_flow: bool) -> Result<()> {
    if wanted.redirect_uris.is_empty() {
        if !device_flow && application.redirect_uris(tx)?.is_empty() {
            return Err(Error::sentence("the application needs a --redirect-uri. Nothing was changed"));
        }
        return Ok(());
    }
    if wanted.redirect_uris.len() > URIS {
        return Err(Error::sentence(format!("an application has at most {URIS} redirect URIs. Nothing was changed")));
    }
    tx.run("DELETE FROM redirect_uris WHERE application_id = $1", &[&application.id])?;
    wanted.redirect_uris.iter().try_for_each(|uri| {
        redirect::check(uri).map_err(Error::sentence)?;
        tx.run(PUT_URI, &[&application.id, uri]).map(drop)
    })
}

const PUT_URI: &str = "INSERT INTO redirect_uris (application_id, uri) VALUES ($1, $2) ON CONFLICT DO NOTHING";

fn put_secret(tx: &mut Tx, application: &Application, wanted: &Wanted, public: bool) -> Result<Option<String>> {
    if public {
        tx.run("DELETE FROM application_secrets WHERE application_id = $1", &[&application.id])?;
        return Ok(None);
    }
    let made = match &wanted.secret {
        None if wanted.new_secret => Some(token_text::hashed_hex(&clock::random()?)),
        _ => None,
    };
    if let Some(secret) = wanted.secret.as_ref().or(made.as_ref()) {
        if !(SHORTEST..=LONGEST).contains(&secret.len()) || !secret.bytes().all(|byte| byte.is_ascii_graphic()) {
            let text = format!("a secret has {SHORTEST} to {LONGEST} visible ASCII characters. Nothing was changed");
            return Err(Error::sentence(text));
        }
        tx.run(PUT_SECRET, &[&application.id, &token_text::hash(secret).as_slice()])?;
        tx.run(KEEP_NEWEST, &[&application.id, &SECRETS])?;
    }
    if !tx.any("SELECT 1 FROM application_secrets WHERE application_id = $1", &[&application.id])? {
        return Err(Error::sentence("the application needs a secret: add --new-secret. Nothing was changed"));
    }
    Ok(made)
}

const PUT_SECRET: &str = "
    INSERT INTO application_secrets (application_id, hash) VALUES ($1, $2)
    ON CONFLICT (application_id, hash) DO NOTHING";

const KEEP_NEWEST: &str = "
    DELETE FROM application_secrets
    WHERE application_id = $1
      AND id NOT IN (SELECT id FROM application_secrets WHERE application_id = $1 ORDER BY id DESC LIMIT $2)";

fn checked_id(tx: &mut Tx, id: &str) -> Result<String> {
    let is_known = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
    if !(1..=LONGEST).contains(&id.len()) || !id.bytes().all(is_known) {
        let text = "a client ID has letters, digits, dots, hyphens and underscores. Nothing was changed";
        return Err(Error::sentence(text));
    }
    if application::by_client_id(tx, id)?.is_some() {
        return Err(Error::sentence(format!("{id} is the client ID of another application. Nothing was changed")));
    }
    Ok(id.to_owned())
}

fn checked_name(given: &str) -> Result<String> {
    let name = name::valid(given).map_err(|why| Error::sentence(format!("{why}. Nothing was changed")))?;
    if RESERVED.contains(&name.to_lowercase().as_str()) {
        return Err(Error::sentence(format!("no application may be called {name}. Nothing was changed")));
    }
    Ok(name.to_owned())
}

/// An application as the audit log shows it.
fn facts(tx: &mut Tx, client_id: &str) -> Result<Value> {
    let of = found(tx, client_id)?;
    let uris = of.redirect_uris(tx)?;
    let secrets: i64 = tx.one("SELECT count(*) FROM application_secrets WHERE application_id = $1", &[&of.id])?;
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
