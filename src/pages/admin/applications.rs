//! All applications, and the two marks that site administrators give them (decisions 62 and 81).

use askama::Template;
use serde_json::{Value, json};

use crate::error::{Error, Result};
use crate::links::segment;
use crate::oauth::site_applications::{COUNTED, Detailed, SiteApplication};
use crate::pages::form::Form;
use crate::pages::guest::{Guest, Listed, body};
use crate::pages::layout::{Frame, Shown};
use crate::pages::problem::Problem;
use crate::posts::text;

/// The number of applications on a page.
const MOST: u64 = 30;

/// The sentences after a form, by the word in the query.
const DONE: [(&str, &str); 1] = [("saved", "Saved.")];

/// The sentence for an application that has changed while its form was open.
const CHANGED: &str = "The marks were changed after you opened this page. They are shown as they are now.";

/// Answers a visit to the list.
pub(super) async fn answer(guest: &Guest<'_>) -> Result<Shown> {
    if guest.has_form() {
        return Err(Error::NotFound);
    }
    let list: Listed<SiteApplication> =
        guest.list("administration.applications", &[], body([]), guest.page(MOST)).await?;
    Shown::of(200, &Applications { frame: guest.frame()?, list })
}

/// Answers a visit to the page of an application.
pub(super) async fn application(guest: &Guest<'_>, client_id: &str) -> Result<Shown> {
    let found: Detailed =
        guest.call("administration.application", &[], body([("client_id", client_id.into())])).await?;
    let Some(form) = &guest.visit.form else { return show(guest, found, Problem::default()) };
    if let Some(refusal) = guest.refuse(&guest.visit.path)? {
        return Ok(refusal);
    }
    if form.get("do") != "mark" {
        return Err(Error::NotFound);
    }
    let (trusted, skip_consent) = (form.get("trusted") == "on", form.get("skip_consent") == "on");
    let is_stale = form.get("version") != version(&found.of);
    if is_stale && (trusted, skip_consent) != (found.of.trusted, found.of.skip_consent) {
        return show(guest, found, Problem::at("", CHANGED));
    }
    let fields = [("client_id", client_id.into()), ("trusted", trusted.into()), ("skip_consent", skip_consent.into())];
    match guest.call::<Value>("administration.markApplication", &[], body(fields)).await {
        Ok(_) => Ok(guest.see(&format!("/admin/applications/{}", segment(client_id)), "saved")),
        Err(error) => show(guest, typed(found, form), Problem::of(error)?.on(&[("skip_consent", "skip_consent")])),
    }
}

/// The application with the marks that were chosen.
fn typed(found: Detailed, form: &Form) -> Detailed {
    let (trusted, skip_consent) = (form.get("trusted") == "on", form.get("skip_consent") == "on");
    Detailed { of: SiteApplication { trusted, skip_consent, ..found.of }, ..found }
}

/// The version of the marks that a form shows.
fn version(of: &SiteApplication) -> String {
    text::version(&json!([of.client_id, of.trusted, of.skip_consent]).to_string())
}

fn show(guest: &Guest<'_>, found: Detailed, problem: Problem) -> Result<Shown> {
    let login = (!guest.is_recent()).then(|| guest.login_from_here());
    let done = if problem.is_none() { guest.done(&DONE) } else { "" };
    let (frame, status, version) = (guest.frame()?, problem.status(), version(&found.of));
    let Detailed { of, redirect_uris } = found;
    Shown::of(status, &ApplicationPage { frame, problem, done, of, redirect_uris, version, login })
}

/// The number of people who have allowed an application something, in words.
fn people(of: &SiteApplication) -> String {
    if of.people > COUNTED { format!("more than {COUNTED} people") } else { crate::pages::count::people(&of.people) }
}

#[derive(Template)]
#[template(path = "admin/applications.html")]
struct Applications {
    frame: Frame,
    list: Listed<SiteApplication>,
}

impl Applications {
    #[expect(clippy::unused_self, reason = "templates call methods")]
    fn people(&self, of: &SiteApplication) -> String {
        people(of)
    }
}

#[derive(Template)]
#[template(path = "admin/application.html")]
struct ApplicationPage {
    frame: Frame,
    problem: Problem,
    /// A sentence about what was just done; empty if nothing was.
    done: &'static str,
    of: SiteApplication,
    redirect_uris: Vec<String>,
    /// The version of the marks that the form shows.
    version: String,
    /// The path of the page to sign in, if a recent sign-in is needed before anything is changed.
    login: Option<String>,
}

impl ApplicationPage {
    fn people(&self) -> String {
        people(&self.of)
    }
}
