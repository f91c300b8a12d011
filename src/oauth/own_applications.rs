//! The applications that a person manages on their pages: their own, and those of organizations that they own (decision
//! 62). `trusted`, `skip_consent` and a given client ID are the operator's alone.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::application::{self, Application};
use super::registration::{self, Made, Owner, SECRETS, Switched, Wanted};
use crate::db::{Lock, Tx, row, select};
use crate::error::{Error, Result};
use crate::journal::SITE;
use crate::operation::{Caller, Cx, Done, List, Path, Record, Subject};
use crate::people::login;
use crate::people::me::Me;
use crate::policy::{Granted, Standing};
use crate::site::signed_in;

/// The most applications that a person registers for themselves, and for an organization.
const MOST: i64 = 100;

/// The most applications, and the most organizations, that are listed.
const LISTED: i64 = 1_000;

/// An application that the caller manages.
#[derive(Debug)]
pub struct Own(Application);

impl Subject for Own {
    const FORMS: &'static [&'static str] = &["/user/applications/{client_id}"];
    const PERSONAL: bool = true;

    fn find(cx: &mut Cx, path: &Path) -> Result<(Self, Standing)> {
        let (person, client_id) = (cx.me()?.id, path.get("client_id").unwrap_or_default());
        let application = application::managed(cx.tx, person, client_id)?.ok_or(Error::NotFound)?;
        Ok((Self(application), signed_in(cx)))
    }

    fn locks(tx: &mut Tx, _: &Caller, path: &Path) -> Result<Vec<Lock>> {
        let application = application::by_client_id(tx, path.get("client_id").unwrap_or_default())?;
        let org = application.and_then(|application| application.org);
        Ok([SITE].into_iter().chain(org).map(Lock::Journal).collect())
    }

    fn canonical(&self) -> String {
        String::new()
    }
}

row! {
    /// An organization that a person owns.
    struct Owned from "o" {
        id: i64,
        login: String,
    }
}

fn owned(cx: &mut Cx, person: i64) -> Result<Vec<Owned>> {
    cx.tx.all(OWNED, &[&person, &LISTED])
}

const OWNED: &str = select!(Owned from
    "org_members m JOIN orgs o ON o.id = m.org_id
     WHERE m.user_id = $1 AND m.role = 'admin' ORDER BY o.login LIMIT $2");

/// An application in a list.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Listed {
    /// Its client ID.
    pub client_id: String,
    /// Its name.
    pub name: String,
    /// The login of the person or the organization that it belongs to.
    pub owner: Option<String>,
}

/// List the applications that the caller manages.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct ListOwn {}

/// Lists the applications that the caller manages, by ID.
pub fn list(cx: &mut Cx, me: Granted<Me>, _: ListOwn) -> Result<List<Listed>> {
    let applications = application::all_managed(cx.tx, me.id, LISTED)?;
    let total = i64::try_from(applications.len()).unwrap_or(LISTED);
    let listed = |of: Application| Listed { client_id: of.client_id, name: of.name, owner: of.owner };
    List::of(applications.into_iter().map(listed), total)
}

/// The accounts for which the caller may register applications.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Owners {
    /// The logins of organizations that the caller owns.
    pub organizations: Vec<String>,
}

/// Get the accounts for which the caller may register applications.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct GetOwners {}

/// Gets the accounts for which the caller may register applications, besides their own.
pub fn owners(cx: &mut Cx, me: Granted<Me>, _: GetOwners) -> Result<Record<Owners>> {
    let organizations = owned(cx, me.id)?.into_iter().map(|of| of.login).collect();
    Ok(Owners { organizations }.into())
}

/// Register an application.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Create {
    /// The login of the organization that it belongs to. Default: it belongs to the caller.
    pub org: Option<String>,
    /// Its name.
    pub name: String,
    /// Its redirect URIs.
    pub redirect_uris: Vec<String>,
    /// True if it has no secret.
    pub public: bool,
    /// True if it may sign in devices.
    pub device_flow: bool,
    /// True if the teams above a person's own are listed as theirs.
    pub effective_teams: bool,
}

/// Registers an application of the caller, or of an organization that they own: 404 for another one.
pub fn create(cx: &mut Cx, me: Granted<Me>, p: Create) -> Result<Record<Made, 201>> {
    let org = match &p.org {
        Some(wanted) => {
            let mut owned = owned(cx, me.id)?.into_iter();
            let found = owned.find(|of| login::key(&of.login) == login::key(wanted));
            Some(found.ok_or(Error::NotFound)?.id)
        }
        None => None,
    };
    let (owner, held): (_, i64) = match org {
        Some(org) => (Owner::Org(org), cx.tx.one(OF_ORG, &[&org])?),
        None => (Owner::User(me.id), cx.tx.one(OF_USER, &[&me.id])?),
    };
    if held >= MOST {
        return Err(Error::sentence(format!("There are {MOST} applications of this account. Delete one first.")));
    }
    let switched = Switched {
        public: Some(p.public),
        device_flow: Some(p.device_flow),
        effective_teams: Some(p.effective_teams),
        ..Switched::default()
    };
    let wanted = Wanted { name: Some(p.name), redirect_uris: p.redirect_uris, switched, ..Wanted::default() };
    let made = registration::create(cx, owner, None, &wanted)?;
    cx.count_creation()?;
    Ok(made.into())
}

const OF_ORG: &str = "SELECT count(*) FROM applications WHERE org_id = $1";
const OF_USER: &str = "SELECT count(*) FROM applications WHERE user_id = $1";

/// An application that the caller manages, without its secrets.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct OwnApplication {
    /// Its client ID.
    pub client_id: String,
    /// Its name.
    pub name: String,
    /// The login of the person or the organization that it belongs to.
    pub owner: Option<String>,
    /// Its redirect URIs.
    pub redirect_uris: Vec<String>,
    /// True if it has no secret.
    pub public: bool,
    /// True if it may sign in devices.
    pub device_flow: bool,
    /// True if the teams above a person's own are listed as theirs.
    pub effective_teams: bool,
    /// The IDs of its secrets, the oldest first.
    pub secrets: Vec<i64>,
    /// The number of people who have allowed it something.
    pub people: i64,
}

/// Get an application.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Get {}

/// Gets an application.
pub fn get(cx: &mut Cx, own: Granted<Own>, _: Get) -> Result<Record<OwnApplication>> {
    let of = &own.0;
    Ok(OwnApplication {
        client_id: of.client_id.clone(),
        name: of.name.clone(),
        owner: of.owner.clone(),
        redirect_uris: of.redirect_uris(cx.tx)?,
        public: of.switches.public,
        device_flow: of.switches.device_flow,
        effective_teams: of.switches.effective_teams,
        secrets: registration::secrets(cx.tx, of.id)?,
        people: cx.tx.one("SELECT count(*) FROM consents WHERE application_id = $1", &[&of.id])?,
    }
    .into())
}

/// Change an application.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Update {
    /// Its name.
    pub name: String,
    /// Its redirect URIs.
    pub redirect_uris: Vec<String>,
    /// True if it may sign in devices.
    pub device_flow: bool,
    /// True if the teams above a person's own are listed as theirs.
    pub effective_teams: bool,
}

/// Changes an application.
pub fn update(cx: &mut Cx, own: Granted<Own>, p: Update) -> Result<Done> {
    let switched =
        Switched { device_flow: Some(p.device_flow), effective_teams: Some(p.effective_teams), ..Switched::default() };
    let wanted = Wanted {
        name: Some(p.name),
        no_redirect_uri: p.redirect_uris.is_empty(),
        redirect_uris: p.redirect_uris,
        switched,
        ..Wanted::default()
    };
    registration::change(cx, &own.0, &wanted).map(|_| Done)
}

/// Delete an application.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Delete {}

/// Deletes an application, with all that people have allowed it and with its tokens.
pub fn delete(cx: &mut Cx, own: Granted<Own>, _: Delete) -> Result<Done> {
    registration::end(cx, &own.0).map(|()| Done)
}

/// Make a further secret of an application.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct AddSecret {}

/// Makes a further secret of an application. 422 if it has two.
pub fn add_secret(cx: &mut Cx, own: Granted<Own>, _: AddSecret) -> Result<Record<Made, 201>> {
    if registration::secrets(cx.tx, own.0.id)?.len() >= SECRETS {
        return Err(Error::sentence("It has two secrets. Remove one first."));
    }
    let wanted = Wanted { new_secret: true, ..Wanted::default() };
    registration::change(cx, &own.0, &wanted).map(Record::from)
}

/// Remove a secret of an application.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct RemoveSecret {
    /// ID of the secret.
    pub secret: i64,
}

/// Removes a secret of an application. 422 if it is the only one.
pub fn remove_secret(cx: &mut Cx, own: Granted<Own>, p: RemoveSecret) -> Result<Done> {
    if registration::remove_secret(cx, &own.0, p.secret)? { Ok(Done) } else { Err(Error::NotFound) }
}
