//! The tokens of all people, and looking up one that was found. The text of a found token is hashed at once: it is not shown
//! again, stored, or put into an address.

use askama::Template;
use serde_json::Value;

use crate::access::site_tokens::SiteToken;
use crate::access::token_text;
use crate::error::{Error, Result};
use crate::pages::guest::{Guest, body};
use crate::pages::layout::{Frame, Shown};
use crate::pages::problem::Problem;
use crate::pages::scope_words;

/// The path of the list, where found tokens are pasted.
pub(in crate::pages) const LIST: &str = "/ui/admin/tokens";

/// The number of tokens on a page.
const MOST: usize = 30;

/// The sentences after a form, by the word in the query.
const DONE: [(&str, &str); 1] = [("revoked", "The token is revoked. It does not work any more.")];

/// Answers a visit to the list.
pub(super) async fn answer(guest: &Guest<'_>) -> Result<Shown> {
    let Some(form) = &guest.visit.form else { return show(guest, Problem::default()).await };
    if let Some(refusal) = guest.refuse(LIST)? {
        return Ok(refusal);
    }
    if form.get("do") != "find" {
        return Err(Error::NotFound);
    }
    match find(guest, form.get("token")).await? {
        Ok(id) => Ok(guest.see(&format!("/admin/tokens/{id}"), "found")),
        Err(problem) => show(guest, problem).await,
    }
}

/// The ID of the token with this text, which may follow a word such as `Bearer`.
async fn find(guest: &Guest<'_>, text: &str) -> Result<std::result::Result<i64, Problem>> {
    let Some(text) = text.split_whitespace().next_back() else {
        return Ok(Err(Problem::at("token", "Paste a token.")));
    };
    let hash = token_text::hashed_hex(&token_text::hash(text));
    match guest.call::<SiteToken>("administration.findToken", &[], body([("hashed_token", hash.into())])).await {
        Ok(found) => Ok(Ok(found.id)),
        Err(Error::NotFound) => {
            let text = "No token here has this text. It is revoked already, or it is of another site, or a part is missing. Secrets of applications and sessions are not looked up here.";
            Ok(Err(Problem::at("token", text)))
        }
        Err(error) => Err(error),
    }
}

async fn show(guest: &Guest<'_>, mut problem: Problem) -> Result<Shown> {
    let person: String = guest.query("person").trim().chars().take(100).collect();
    let before = guest.query("before").parse().ok().filter(|id: &i64| *id > 0);
    let mut fields = body([("before", before.unwrap_or(i64::MAX).into()), ("per_page", (MOST + 1).into())]);
    if !person.is_empty() {
        fields.insert("username".to_owned(), person.as_str().into());
    }
    let mut list: Vec<SiteToken> = match guest.call("administration.tokens", &[], fields).await {
        Err(Error::NotFound) => {
            problem = problem.and(Problem::at("person", "No person here has this login."));
            Vec::new()
        }
        list => list?,
    };
    let has_more = list.len() > MOST;
    list.truncate(MOST);
    let older = list.last().map(|last| last.id).filter(|_| has_more);
    let done = if problem.is_none() { guest.done(&DONE) } else { "" };
    let (status, frame) = (problem.status(), guest.frame()?);
    Shown::of(status, &Tokens { frame, problem, done, person, list, is_later: before.is_some(), older })
}

/// Answers a visit to the page of a token, which asks whether it is revoked.
pub(super) async fn token(guest: &Guest<'_>, id: &str) -> Result<Shown> {
    let number: i64 = id.parse().map_err(|_| Error::NotFound)?;
    let of: SiteToken = guest.call("administration.token", &[], body([("id", number.into())])).await?;
    let Some(form) = &guest.visit.form else {
        let is_found = guest.query("done") == "found";
        return Shown::of(200, &TokenPage { frame: guest.frame()?, of, is_found });
    };
    if let Some(refusal) = guest.refuse(&guest.visit.path)? {
        return Ok(refusal);
    }
    if form.get("do") != "revoke" {
        return Err(Error::NotFound);
    }
    guest.call::<Value>("enterpriseAdmin.deletePersonalAccessToken", &[("token_id", id)], body([])).await?;
    Ok(guest.see("/admin/tokens", "revoked"))
}

#[derive(Template)]
#[template(path = "admin/tokens.html")]
struct Tokens {
    frame: Frame,
    problem: Problem,
    /// A sentence about what was just done; empty if nothing was.
    done: &'static str,
    /// The login of the person whose tokens are looked for; empty for all.
    person: String,
    list: Vec<SiteToken>,
    /// True if the page is not the first one.
    is_later: bool,
    /// The token before which the next page begins.
    older: Option<i64>,
}

impl Tokens {
    #[expect(clippy::unused_self, reason = "templates call methods")]
    fn named(&self, of: &SiteToken) -> String {
        named(of)
    }

    fn has_expired(&self, of: &SiteToken) -> bool {
        of.expires_at.is_some_and(|at| at <= self.frame.now)
    }

    #[expect(clippy::unused_self, reason = "templates call methods")]
    fn words(&self, of: &SiteToken) -> String {
        scope_words::sentences_about(&of.scopes)
    }
}

#[derive(Template)]
#[template(path = "admin/token.html")]
struct TokenPage {
    frame: Frame,
    of: SiteToken,
    /// True if its text was just looked up.
    is_found: bool,
}

impl TokenPage {
    fn named(&self) -> String {
        named(&self.of)
    }

    fn words(&self) -> String {
        scope_words::sentences_about(&self.of.scopes)
    }

    /// The programs that use it.
    fn kind(&self) -> &'static str {
        match self.of.kind.as_str() {
            "oauth" => "An application that they have allowed",
            "impersonation" => "A site administrator who acts for them",
            "bootstrap" => "The operator, since the first start",
            _ => "Their own programs",
        }
    }
}

/// The name of a token for people.
fn named(of: &SiteToken) -> String {
    let name = of.application.as_ref().or(of.note.as_ref()).filter(|name| !name.trim().is_empty());
    name.map_or_else(|| format!("Token …{}", of.last_eight), Clone::clone)
}
