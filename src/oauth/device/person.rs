//! The part of the person: they type the code of a device, see what it asks for, and answer.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Device, by_user_code, hashed, read};
use crate::clock::Time;
use crate::error::{Error, Result};
use crate::limits::devices;
use crate::oauth::application::{self, Application};
use crate::oauth::consent;
use crate::oauth::place::{self, Place};
use crate::operation::{Cx, Done, Record};
use crate::policy::Granted;
use crate::signin;
use crate::site::Site;

/// Type the code of a device.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Enter {
    /// The code. Case, spaces and hyphens do not count.
    pub user_code: String,
}

/// The result of typing a code.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Entered {
    /// The device; none if no device waits with this code.
    pub device: Option<Asked>,
}

/// A device as the person sees it.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Asked {
    /// The code.
    pub user_code: String,
    /// The client ID of the application.
    pub client_id: String,
    /// Its name.
    pub name: String,
    /// The login of the person or the organization that it belongs to; null if it belongs to the site.
    pub owner: Option<String>,
    /// The scopes that it asks for.
    pub scopes: Vec<String>,
    /// True if the teams above the person's own are listed as theirs.
    pub effective_teams: bool,
    /// The organizations of the person.
    pub organizations: Vec<Place>,
    /// The number of their other organizations.
    pub more: i64,
    /// The network of the device.
    pub network: String,
    /// True if the person is in that network too.
    pub is_near: bool,
    /// The time at which the device asked.
    pub asked_at: Time,
}

/// Gets the device that waits with a code. A wrong code is counted, so it is no error: an error would undo that. What may
/// change something needs a recent sign-in.
pub fn enter(cx: &mut Cx, _: Granted<Site>, p: Enter) -> Result<Record<Entered>> {
    let wrong = || Error::explained("Device", "invalid", "user_code", "Enter the 8 letters of the code.");
    let code = read(&p.user_code).ok_or_else(wrong)?;
    let (person, network, now) = (cx.me()?.id, signin::network(cx.peer()?), cx.now()?);
    devices::refuse_guessing(cx.tx, person, &network, now)?;
    let Some((device, of)) = waiting(cx, &code)? else {
        devices::count_wrong(cx.tx, person, &network, now)?;
        return Ok(Entered { device: None }.into());
    };
    refuse_stale(cx, &device)?;
    let (organizations, more) = place::of(cx.tx, person, &of)?;
    let asked = Asked {
        user_code: code,
        client_id: of.client_id,
        name: of.name,
        owner: of.owner,
        scopes: device.scopes.names().map(str::to_owned).collect(),
        effective_teams: of.switches.effective_teams,
        organizations,
        more,
        is_near: device.network == network,
        network: device.network,
        asked_at: device.asked_at,
    };
    Ok(Entered { device: Some(asked) }.into())
}

/// Answer a device.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Answer {
    /// The code.
    pub user_code: String,
    /// True to allow it what it asks for.
    pub allow: bool,
    /// True if the page said that the teams above the person's own are listed as theirs.
    pub effective_teams: bool,
}

/// Allows a device what it asks for, or denies it. Either way no one can type its code any more.
pub fn answer(cx: &mut Cx, _: Granted<Site>, p: Answer) -> Result<Done> {
    let code = read(&p.user_code).ok_or(Error::NotFound)?;
    let (device, application) = waiting(cx, &code)?.ok_or(Error::NotFound)?;
    if !p.allow {
        cx.tx.run("UPDATE devices SET denied = TRUE WHERE id = $1", &[&device.id])?;
        return Ok(Done);
    }
    refuse_stale(cx, &device)?;
    consent::give(cx, &application, device.scopes, p.effective_teams)?;
    let session = consent::session(cx)?;
    cx.tx.run("UPDATE devices SET session_id = $2 WHERE id = $1", &[&device.id, &session])?;
    Ok(Done)
}

/// The device that waits with a code, and its application.
fn waiting(cx: &mut Cx, code: &str) -> Result<Option<(Device, Application)>> {
    let hash = hashed(&cx.site.mail_key, code)?;
    let Some(device) = by_user_code(cx.tx, &hash, cx.now()?)? else { return Ok(None) };
    let application = application::by_id(cx.tx, device.application)?;
    Ok(application.filter(|of| of.switches.device_flow).map(|of| (device, of)))
}

fn refuse_stale(cx: &Cx, device: &Device) -> Result<()> {
    if device.scopes.write() { cx.caller.refuse_stale_session(cx.now()?) } else { Ok(()) }
}
