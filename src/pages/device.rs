//! The page on which a person connects a device (decision 62): they type the code that it shows, see what it asks for, and
//! answer. The code is always typed: no address carries it, so that a link alone leads no one to the button.

use askama::Template;
use serde_json::Value;

use super::form::Form;
use super::guest::{Guest, body};
use super::layout::{Frame, Shown};
use super::problem::Problem;
use super::scope_words::{self, Word};
use crate::error::{Error, Result};
use crate::oauth::{Asked, Entered};

/// The path below the base URL.
const PATH: &str = "/login/device";

/// The field of the form for the code.
const FIELD: &str = "user_code";

const UNKNOWN: &str = "No device waits with this code. Compare it with the device: it works for 15 minutes, and once.";

/// Answers a visit to the page.
pub(super) async fn answer(guest: &Guest<'_>) -> Result<Shown> {
    let Some(person) = &guest.person else { return Err(Error::Unauthenticated) };
    let Some(form) = &guest.visit.form else {
        let (connected, refused) = ("You can close this page and go back to the device.", "You can close this page.");
        return match guest.visit.query.as_str() {
            "done=connected" => guest.message(200, "The device is connected", &[connected]),
            "done=refused" => guest.message(200, "The device is not connected", &[refused]),
            _ => ask(guest, "", &Problem::default()),
        };
    };
    if form.has("answer") {
        return decide(guest, form).await;
    }
    if let Some(refusal) = guest.refuse(PATH)? {
        return Ok(refusal);
    }
    let typed = form.get(FIELD);
    let v = match guest.call("device.enter", &[], body([(FIELD, typed.into())])).await {
        Ok(Entered { device: Some(asked) }) => asked,
        Ok(Entered { device: None }) => {
            let problem = Problem::at(FIELD, UNKNOWN);
            return ask(guest, typed, &problem);
        }
        Err(error) => return ask(guest, typed, &Problem::of(error)?),
    };
    let (code, minutes) =
        (guest.code(&page(&v.user_code))?, (guest.service.now().seconds() - v.asked_at.seconds()) / 60);
    let (can, useless) = scope_words::of(&v.scopes);
    Shown::of(200, &Confirm { frame: guest.frame()?, code, v: &v, login: &person.login, can, useless, minutes })
}

/// The page whose form answers the device with this code. Only the page that shows a device has its form.
fn page(user_code: &str) -> String {
    [PATH, "/", user_code].concat()
}

async fn decide(guest: &Guest<'_>, form: &Form) -> Result<Shown> {
    let user_code = form.get(FIELD);
    if let Some(refusal) = guest.refuse(&page(user_code))? {
        return Ok(refusal);
    }
    let allow = form.get("answer") == "allow";
    let asked = if allow && form.has("organization") {
        let Entered { device } = guest.call("device.enter", &[], body([(FIELD, user_code.into())])).await?;
        let Some(asked) = device else { return gone(guest) };
        Some(asked)
    } else {
        None
    };
    let chosen = asked.as_ref().map(|asked| guest.chosen(&asked.organizations, form)).transpose()?.unwrap_or_default();
    let effective = form.get("teams") == "effective";
    let fields = body([(FIELD, user_code.into()), ("allow", allow.into()), ("effective_teams", effective.into())]);
    match guest.call::<Value>("device.answer", &[], fields).await {
        Err(Error::NotFound) => gone(guest),
        answered => {
            answered?;
            if let Some(asked) = &asked {
                guest.let_in(&asked.client_id, &chosen).await?;
            }
            let done = if allow { "?done=connected" } else { "?done=refused" };
            Ok(Shown::see([guest.visit.links.prefix(), PATH, done].concat()))
        }
    }
}

/// The page after a device that waits no more was answered.
fn gone(guest: &Guest<'_>) -> Result<Shown> {
    ask(guest, "", &Problem::at("", UNKNOWN))
}

fn ask(guest: &Guest<'_>, typed: &str, problem: &Problem) -> Result<Shown> {
    Shown::of(problem.status(), &Ask { frame: guest.frame()?, code: guest.code(PATH)?, typed, problem })
}

#[derive(Template)]
#[template(path = "login/device.html")]
struct Ask<'a> {
    frame: Frame,
    code: String,
    typed: &'a str,
    problem: &'a Problem,
}

#[derive(Template)]
#[template(path = "login/device_confirm.html")]
struct Confirm<'a> {
    frame: Frame,
    code: String,
    v: &'a Asked,
    login: &'a str,
    can: Vec<&'static Word>,
    /// The scopes that nothing here uses.
    useless: Vec<&'a str>,
    /// The minutes since the device asked.
    minutes: i64,
}
