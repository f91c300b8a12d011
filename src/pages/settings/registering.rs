//! The page on which a person registers an application, for themselves or for an organization that they own (decision 62).

use askama::Template;

use super::application::{self, Filled};
use super::applications::AT;
use super::{Room, page};
use crate::error::{Error, Result};
use crate::oauth::Made;
use crate::oauth::own_applications::Owners;
use crate::pages::form::Form;
use crate::pages::guest::{Guest, body};
use crate::pages::layout::{Frame, Shown};
use crate::pages::problem::Problem;

/// The most organizations that the form lists. For more of them, it has a field that offers as many.
const MANY: usize = 20;

/// Answers a visit to the page. The response to its form has the secret, which is shown only now.
pub(super) async fn answer(guest: &Guest<'_>) -> Result<Shown> {
    let Some(form) = &guest.visit.form else { return show(guest, &Form::default(), None).await };
    if let Some(refusal) = guest.refuse(&page(AT))? {
        return Ok(refusal);
    }
    let mut fields = Filled::typed(form).fields();
    fields.insert("public".to_owned(), (form.get("kind") == "public").into());
    let org = Some(form.get("owner").trim()).filter(|org| !org.is_empty());
    fields.insert("org".to_owned(), org.into());
    match guest.call::<Made>("ownApplications.create", &[], fields).await {
        Ok(Made { client_id, secret }) => {
            application::show(guest, application::found(guest, &client_id).await?, None, None, secret)
        }
        Err(Error::NotFound) => {
            let owner: String = form.get("owner").chars().take(100).collect();
            show(guest, form, Some(Problem::at("owner", format!("You own no organization named “{owner}”.")))).await
        }
        Err(error) => show(guest, form, Some(Problem::of(error)?)).await,
    }
}

async fn show(guest: &Guest<'_>, typed: &Form, problem: Option<Problem>) -> Result<Shown> {
    let Owners { organizations } = guest.call("ownApplications.owners", &[], body([])).await?;
    let (room, filled) = (Room::new(guest, AT, problem)?, Filled::typed(typed));
    let (owner, is_public) = (typed.get("owner"), typed.get("kind") == "public");
    let login = (!guest.is_recent()).then(|| guest.login_from_here());
    Shown::of(room.status(), &New { frame: guest.frame()?, room, filled, owner, is_public, organizations, login })
}

#[derive(Template)]
#[template(path = "settings/application_new.html")]
struct New<'a> {
    frame: Frame,
    room: Room,
    filled: Filled,
    /// The login of the chosen organization; empty for the person.
    owner: &'a str,
    is_public: bool,
    /// The logins of organizations that the person owns.
    organizations: Vec<String>,
    /// The path of the page to sign in, if a recent sign-in is needed first.
    login: Option<String>,
}

impl New<'_> {
    /// True if there are more organizations than a list shows.
    fn are_many(&self) -> bool {
        self.organizations.len() > MANY
    }
}
