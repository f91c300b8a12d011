//! The tokens of a person, with their scopes in plain words (decisions 41 and 61).

use askama::Template;
use serde_json::{Value, json};

use super::{Confirm, Room, page, see};
use crate::access::own_tokens::{Made, OwnToken};
use crate::clock::Time;
use crate::error::{Error, Result};
use crate::pages::form::Form;
use crate::pages::guest::{Guest, Listed, body};
use crate::pages::layout::{Frame, Shown};
use crate::pages::problem::Problem;
use crate::pages::scope_words::{self, Word};

const AT: &str = "/tokens";

/// The choices for the time after which a token expires, in days.
const DAYS: [(&str, &str); 5] =
    [("7", "7 days"), ("30", "30 days"), ("90", "90 days"), ("365", "1 year"), ("", "It does not expire")];

/// The number of tokens on a page.
const MOST: u64 = 20;

/// Answers a visit to the room.
pub(super) async fn answer(guest: &Guest<'_>) -> Result<Shown> {
    let Some(form) = &guest.visit.form else {
        return match guest.query("revoke").as_str() {
            "" => show(guest, &Form::default(), None, None).await,
            id => confirm(guest, id).await,
        };
    };
    if let Some(refusal) = guest.refuse(&page(AT))? {
        return Ok(refusal);
    }
    match form.get("do") {
        "make" => make(guest, form).await,
        "revoke" => {
            let token: i64 = form.get("token").parse().map_err(|_| Error::NotFound)?;
            guest.call::<Value>("tokens.revoke", &[], body([("token", token.into())])).await?;
            Ok(see(guest, AT, "revoked"))
        }
        _ => Err(Error::NotFound),
    }
}

/// Makes a token. The response has its text, which is shown only now.
async fn make(guest: &Guest<'_>, form: &Form) -> Result<Shown> {
    let scopes: Vec<&str> = form.all("scope").collect();
    let days = match form.get("days") {
        "" => Value::Null,
        days => days.parse::<i64>().map_err(|_| Error::NotFound)?.into(),
    };
    let fields = body([("note", form.get("note").into()), ("scopes", json!(scopes)), ("days", days)]);
    match guest.call::<Made>("tokens.create", &[], fields).await {
        Ok(made) => show(guest, &Form::default(), None, Some(made)).await,
        Err(error) => show(guest, form, Some(Problem::of(error)?), None).await,
    }
}

async fn tokens(guest: &Guest<'_>) -> Result<Vec<OwnToken>> {
    guest.call("tokens.list", &[], body([])).await
}

/// The page that asks before a token is revoked.
async fn confirm(guest: &Guest<'_>, id: &str) -> Result<Shown> {
    let found = tokens(guest).await?.into_iter().find(|token| token.personal && token.id.to_string() == id);
    let found = found.ok_or(Error::NotFound)?;
    let name = named(&found);
    let text = if found.of_application {
        "It stops working at once. The application keeps what you have allowed it, and may get another token. To end that \
         too, revoke the application under Applications."
    } else {
        "Programs that use it stop working at once. This cannot be undone."
    };
    let page = Confirm {
        frame: guest.frame()?,
        room: Room::new(guest, AT, None)?,
        to: AT,
        question: format!("Revoke {name}?"),
        text,
        named: ("token", id),
        button: ("revoke", format!("Revoke {name}")),
    };
    Shown::of(200, &page)
}

/// The name of a token for people.
fn named(token: &OwnToken) -> String {
    if token.note.is_empty() { format!("Token …{}", token.last_eight) } else { token.note.clone() }
}

async fn show(guest: &Guest<'_>, typed: &Form, problem: Option<Problem>, made: Option<Made>) -> Result<Shown> {
    let tokens = Listed::part(tokens(guest).await?, guest.page(MOST));
    let room = Room::new(guest, AT, problem)?;
    let is_admin = guest.person.as_ref().is_some_and(|person| person.site_admin);
    let offered = scope_words::offered(is_admin);
    let login = (!guest.is_recent()).then(|| guest.login_from_here());
    Shown::of(
        room.status(),
        &TokensPage { frame: guest.frame()?, room, tokens, made, typed, offered, login, now: guest.service.now() },
    )
}

#[derive(Template)]
#[template(path = "settings/tokens.html")]
struct TokensPage<'a> {
    frame: Frame,
    room: Room,
    tokens: Listed<OwnToken>,
    /// The token that was just made.
    made: Option<Made>,
    /// The text that was typed, if it was refused.
    typed: &'a Form,
    /// The scopes to choose from.
    offered: Vec<&'static Word>,
    /// The path of the page to sign in, if a recent sign-in is needed before a token is made.
    login: Option<String>,
    now: Time,
}

impl TokensPage<'_> {
    #[expect(clippy::unused_self, reason = "templates call methods")]
    fn words(&self, token: &OwnToken) -> String {
        scope_words::sentences(&token.scopes)
    }

    #[expect(clippy::unused_self, reason = "templates call methods")]
    fn named(&self, token: &OwnToken) -> String {
        named(token)
    }

    /// True if it was just made.
    fn is_new(&self, token: &OwnToken) -> bool {
        self.made.as_ref().is_some_and(|made| made.id == token.id)
    }

    /// True if a scope was chosen.
    fn is_chosen(&self, scope: &str) -> bool {
        self.typed.all("scope").any(|chosen| chosen == scope)
    }

    /// The chosen time after which it expires.
    fn days(&self) -> &str {
        if self.typed.get("do").is_empty() { "90" } else { self.typed.get("days") }
    }

    fn has_expired(&self, token: &OwnToken) -> bool {
        token.expires_at.is_some_and(|at| at <= self.now)
    }
}
