//! A person as site administrators see them: memberships, addresses and sessions, and what can be done to the account.

use askama::Template;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::question::Question;
use crate::error::{Error, Result};
use crate::links::segment;
use crate::name::called;
use crate::pages::form::Form;
use crate::pages::guest::{Guest, Listed, body};
use crate::pages::layout::{Frame, Shown};
use crate::pages::problem::{Checked, Problem};
use crate::people::account::{Account, Address, COUNTED, Membership};
use crate::signin::ShownSession;

/// The number of memberships on a page.
const MOST: u64 = 20;

/// The longest reason of a suspension, in characters.
const LONGEST_REASON: usize = 255;

/// The sentences after a form, by the word in the query.
const DONE: [(&str, &str); 12] = [
    ("created", "The account is there. The person signs in with their e-mail address."),
    (
        "created-alone",
        "The account is there. To sign in, the person needs an e-mail address, which you can add here, or a link \
                       from the operator (guildhall user sign-in).",
    ),
    ("suspend", "Suspended. They are signed out everywhere, and their tokens have stopped."),
    ("unsuspend", "They can sign in again, and their tokens work again."),
    ("promote", "They administer the site now."),
    ("demote", "They do not administer the site any more."),
    ("sessions", "They are signed out everywhere."),
    ("tokens", "All their tokens are revoked."),
    ("rename", "The account has its new login. The old one stays reserved."),
    ("add", "The address is added. It counts as verified."),
    ("ask", "The address is added. It gets an e-mail with a link that verifies it."),
    ("remove", "The address is removed."),
];

/// Answers a visit to the page.
pub(super) async fn answer(guest: &Guest<'_>, login: &str) -> Result<Shown> {
    let of: Account = guest.call("administration.person", &[("username", login)], body([])).await?;
    let Some(form) = &guest.visit.form else { return look(guest, &of).await };
    if let Some(refusal) = guest.refuse(&guest.visit.path)? {
        return Ok(refusal);
    }
    let question = Question::find(form.get("do"));
    let mut problem = Problem::of_other(form, of.id).unwrap_or_default();
    if problem.is_none() {
        problem = match carry_out(guest, &of, form, question).await {
            Ok(Ok(shown)) => return Ok(shown),
            Ok(Err(problem)) => problem,
            Err(Error::Forbidden(text)) => Problem::forbidden("", &text),
            Err(error) => {
                let fields = if question.is_some() { &[][..] } else { &[("login", "login"), ("email", "email")] };
                Problem::of(error)?.on(fields)
            }
        };
    }
    match question {
        Some(question) => question.show(guest, &of, problem),
        None => show(guest, &of, (form, problem)).await,
    }
}

async fn look(guest: &Guest<'_>, of: &Account) -> Result<Shown> {
    if let Some(question) = Question::find(&guest.query("ask")) {
        if question.is_for_others() && !guest.may("enterpriseAdmin.suspendUser", &[("username", &of.login)]).await? {
            return Err(Error::NotFound);
        }
        return question.show(guest, of, Problem::default());
    }
    show(guest, of, (&Form::default(), Problem::default())).await
}

/// Does what a form asks for, and leads to the page that says so.
async fn carry_out(
    guest: &Guest<'_>,
    of: &Account,
    form: &Form,
    question: Option<&Question>,
) -> Result<Checked<Shown>> {
    let (operation, fields, done) = match asked(of, form, question)? {
        Ok(asked) => asked,
        Err(problem) => return Ok(Err(problem)),
    };
    guest.call::<Value>(operation, &[("username", &of.login)], fields).await?;
    if done == "delete" {
        return Ok(Ok(guest.see("/admin/people", "deleted")));
    }
    let mut login = of.login.clone();
    if done == "rename" {
        let now: Named = guest.call("users.getById", &[("account_id", &of.id.to_string())], body([])).await?;
        login = now.login;
    }
    Ok(Ok(guest.see(&format!("/admin/users/{}", segment(&login)), done)))
}

/// An account, as far as its address needs it.
#[derive(Deserialize)]
struct Named {
    login: String,
}

/// An operation with the fields of its body, and the word for what it does.
type Asked<'a> = (&'a str, Map<String, Value>, &'a str);

/// The operation that a form asks for.
fn asked<'a>(of: &Account, form: &Form, question: Option<&'a Question>) -> Result<Checked<Asked<'a>>> {
    let wrong = |field, text: String| Ok(Err(Problem::at(field, text)));
    let [login, email, reason] = ["login", "email", "reason"].map(|field| form.get(field).trim());
    Ok(Ok(match form.get("do") {
        "rename" if login.is_empty() => return wrong("login", "Enter a login.".into()),
        "rename" => ("enterpriseAdmin.updateUsernameForUser", body([("login", login.into())]), "rename"),
        "add" if email.is_empty() => return wrong("email", "Enter an e-mail address.".into()),
        "add" => {
            let verified = form.get("verified") == "on";
            let fields = body([("emails", json!([email])), ("verified", verified.into())]);
            ("enterpriseAdmin.addEmailsForUser", fields, if verified { "add" } else { "ask" })
        }
        "remove" => ("enterpriseAdmin.deleteEmailsForUser", body([("emails", json!([email]))]), "remove"),
        "unsuspend" => ("enterpriseAdmin.unsuspendUser", body([]), "unsuspend"),
        "delete" if !login.eq_ignore_ascii_case(&of.login) => {
            return wrong("login", format!("Enter {} to delete it.", of.login));
        }
        "suspend" if reason.chars().count() > LONGEST_REASON => {
            return wrong("reason", format!("Use at most {LONGEST_REASON} characters."));
        }
        word => {
            let question = question.ok_or(Error::NotFound)?;
            let has_reason = word == "suspend" && !reason.is_empty();
            let fields = if has_reason { body([("reason", reason.into())]) } else { body([]) };
            (question.operation, fields, question.word)
        }
    }))
}

async fn show(guest: &Guest<'_>, of: &Account, (typed, problem): (&Form, Problem)) -> Result<Shown> {
    let at = [("username", of.login.as_str())];
    let removed = guest.query("remove");
    let page = Person {
        is_other: guest.may("enterpriseAdmin.suspendUser", &at).await?,
        memberships: guest.list("administration.memberships", &at, body([]), guest.page(MOST)).await?,
        sessions: guest.call("administration.sessions", &at, body([])).await?,
        removed: of.addresses.iter().find(|address| address.email == removed && is_removable(of, address)),
        confirm: (!guest.is_recent()).then(|| guest.login_from_here()),
        done: if problem.is_none() { guest.done(&DONE) } else { "" },
        frame: guest.frame()?,
        of,
        typed,
        problem,
    };
    Shown::of(page.problem.status(), &page)
}

/// True if an address may be removed: a verified one needs another beside it.
fn is_removable(of: &Account, address: &Address) -> bool {
    !address.verified || of.addresses.iter().filter(|of| of.verified).count() > 1
}

#[derive(Template)]
#[template(path = "admin/person.html")]
struct Person<'a> {
    frame: Frame,
    of: &'a Account,
    /// True if it is another person than the visitor, so that they may be locked out.
    is_other: bool,
    memberships: Listed<Membership>,
    sessions: Vec<ShownSession>,
    /// The address that the page asks about before it is removed.
    removed: Option<&'a Address>,
    /// The path of the page to sign in, if a recent sign-in is needed before an address is added.
    confirm: Option<String>,
    /// A sentence about what was just done; empty if nothing was.
    done: &'a str,
    /// The form that comes back with a problem.
    typed: &'a Form,
    problem: Problem,
}

impl Person<'_> {
    /// The name, or the login if there is none.
    fn called(&self) -> &str {
        called(self.of.name.as_deref(), &self.of.login)
    }

    /// True if the visitor may act for the person.
    fn is_actable(&self) -> bool {
        self.is_other && !self.of.site_admin && !self.of.suspended
    }

    fn is_removable(&self, address: &Address) -> bool {
        is_removable(self.of, address)
    }

    /// A number that is counted up to a bound.
    #[expect(
        clippy::unused_self,
        clippy::trivially_copy_pass_by_ref,
        reason = "templates call methods with references"
    )]
    fn count(&self, number: &i64) -> String {
        if *number < COUNTED { number.to_string() } else { format!("{COUNTED} or more") }
    }

    /// An address in a query.
    #[expect(clippy::unused_self, reason = "templates call methods")]
    fn encoded(&self, address: &Address) -> String {
        segment(&address.email)
    }
}
