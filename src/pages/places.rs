//! The organizations that a page offers to let an application in (decision 81).

use serde_json::Value;

use super::form::Form;
use super::guest::{Guest, body};
use crate::error::{Error, Result};
use crate::oauth::Place;

impl Guest<'_> {
    /// The organizations that a form chooses. To let an application in needs a recent sign-in.
    pub(super) fn chosen<'p>(&self, places: &'p [Place], form: &Form) -> Result<Vec<&'p Place>> {
        let is_chosen =
            |place: &&Place| place.is_offered() && form.all("organization").any(|login| login == place.login);
        let chosen: Vec<&Place> = places.iter().filter(is_chosen).collect();
        if !self.is_recent() && chosen.iter().any(|place| place.is_owned()) {
            return Err(Error::StaleSession);
        }
        Ok(chosen)
    }

    /// Lets an application that the person has just allowed into organizations, or asks their owners.
    pub(super) async fn let_in(&self, client_id: &str, chosen: &[&Place]) -> Result<()> {
        for place in chosen {
            let operation = if place.is_owned() { "applications.approve" } else { "applications.ask" };
            let at = [("org", place.login.as_str()), ("client_id", client_id)];
            self.call::<Value>(operation, &at, body([])).await?;
        }
        Ok(())
    }
}
