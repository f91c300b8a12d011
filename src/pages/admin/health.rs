//! The checks of doctor, what runs here, and a test of e-mail (decisions 46 and 61).

use std::sync::Arc;

use askama::Template;
use serde::Deserialize;

use crate::error::{Error, Result};
use crate::instruments::{Checked, Finding};
use crate::pages::form::Form;
use crate::pages::guest::{Guest, body};
use crate::pages::layout::{Frame, Shown};
use crate::pages::problem::Problem;
use crate::people::mail_test::Counted;
use crate::site::overview::Overview;

/// The most notes on the page.
const NOTES: usize = 20;

/// The sentence for checks that run already.
const RUNNING: &str = "The checks are running already. Load this page in a moment to see what they find.";

/// The result of what was just done: true if it went well, and a sentence.
type Done = (bool, String);

/// Answers a visit to the page.
pub(super) async fn answer(guest: &Guest<'_>) -> Result<Shown> {
    let Some(form) = &guest.visit.form else { return show(guest, Problem::default(), None).await };
    if let Some(refusal) = guest.refuse(&guest.visit.path)? {
        return Ok(refusal);
    }
    match form.get("do") {
        "check" => {
            // The answer shows the result: another node would not know it.
            let is_run = guest.instruments.checks.run(guest.service).await?;
            let done = if is_run { "The checks are done.".to_owned() } else { RUNNING.to_owned() };
            show(guest, Problem::default(), Some((is_run, done))).await
        }
        "mail" => match send(guest, form).await {
            Ok(done) => show(guest, Problem::default(), Some(done)).await,
            Err(error) => show(guest, Problem::of(error)?.on(&[("email", "email")]), None).await,
        },
        _ => Err(Error::NotFound),
    }
}

/// Sends a test to the e-mail address in a form, after it was counted.
async fn send(guest: &Guest<'_>, form: &Form) -> Result<Done> {
    let fields = body([("email", form.get("email").into())]);
    let Counted { address } = guest.call("administration.testMail", &[], fields).await?;
    let mail = &guest.instruments.mail;
    let sent = match mail.send(address.clone(), guest.service.now()).await {
        Ok(sent) => sent,
        Err(Error::Unavailable(why)) => return Ok((false, format!("The test was not sent: {why}."))),
        Err(error) => return Err(error),
    };
    Ok(match (sent.ok, mail.server()) {
        (true, Some(_)) => (true, format!("The mail server took the test for {address}. It said: {}", sent.status)),
        (true, None) => (true, format!("The test for {address} is saved as a file, because no mail server is set.")),
        (false, _) => (false, format!("The test was not sent: {}", sent.status)),
    })
}

/// The primary e-mail address of the visitor; empty if they have none.
async fn own_address(guest: &Guest<'_>) -> Result<String> {
    #[derive(Deserialize)]
    struct Email {
        email: String,
        primary: bool,
    }
    let held: Vec<Email> = guest.call("users.listEmailsForAuthenticated", &[], body([])).await?;
    Ok(held.into_iter().find(|held| held.primary).map(|held| held.email).unwrap_or_default())
}

async fn show(guest: &Guest<'_>, problem: Problem, done: Option<Done>) -> Result<Shown> {
    let about: Overview = guest.call("administration.look", &[], body([])).await?;
    let typed =
        guest.visit.form.as_ref().filter(|form| form.get("do") == "mail").map(|form| form.get("email").to_owned());
    let address = match typed {
        Some(typed) => typed,
        None => own_address(guest).await?,
    };
    let (frame, status, checked) = (guest.frame()?, problem.status(), guest.instruments.checks.last());
    let server = guest.instruments.mail.server();
    Shown::of(status, &Health { frame, problem, done, about, address, server, checked })
}

#[derive(Template)]
#[template(path = "admin/health.html")]
struct Health {
    frame: Frame,
    problem: Problem,
    done: Option<Done>,
    about: Overview,
    /// The e-mail address in the form.
    address: String,
    /// The mail server; none if e-mails are files.
    server: Option<String>,
    checked: Option<Arc<Checked>>,
}

/// A check as the page shows it.
struct Line<'a> {
    name: &'static str,
    rows: usize,
    is_whole: bool,
    findings: &'a [Finding],
}

impl Health {
    /// The checks, those that found something first.
    fn lines(&self) -> Vec<Line<'_>> {
        let Some(checked) = &self.checked else { return Vec::new() };
        let mut rest = checked.report.findings.as_slice();
        let mut lines = Vec::with_capacity(checked.report.checks.len());
        for check in &checked.report.checks {
            let (findings, others) = rest.split_at(check.findings.min(rest.len()));
            rest = others;
            lines.push(Line { name: check.name, rows: check.rows, is_whole: check.is_whole, findings });
        }
        lines.sort_by_key(|line| (line.findings.is_empty(), line.is_whole));
        lines
    }

    /// A text as words and code: true for what is between backticks.
    #[expect(clippy::unused_self, reason = "templates call methods")]
    fn pieces<'a>(&self, text: &'a str) -> impl Iterator<Item = (bool, &'a str)> {
        text.split('`').enumerate().map(|(number, piece)| (number % 2 == 1, piece))
    }

    /// The notes of the checks.
    fn notes(&self) -> Vec<&str> {
        let notes = self.checked.iter().flat_map(|checked| &checked.report.notes);
        notes.map(String::as_str).take(NOTES).collect()
    }
}
