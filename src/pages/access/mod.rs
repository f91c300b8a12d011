//! The people who have access to a repository or a project, and the reasons (decision 67).

mod given;
mod place;
mod reasons;
mod shown;
mod taking;

use given::give;
use place::Place;
use shown::show;
use taking::take;

use super::form::Form;
use super::guest::Guest;
use super::layout::Shown;
use super::problem::Problem;
use crate::error::Result;

/// Answers a visit to the page of a repository.
pub(super) async fn repository(guest: &Guest<'_>, owner: &str, repo: &str) -> Result<Shown> {
    let place = Place::repository(guest, owner, repo).await?;
    answer(guest, &place).await
}

/// Answers a visit to the page of a project.
pub(super) async fn project(guest: &Guest<'_>, org: &str, number: &str) -> Result<Shown> {
    let place = Place::project(guest, org, number).await?;
    answer(guest, &place).await
}

async fn answer(guest: &Guest<'_>, place: &Place) -> Result<Shown> {
    let Some(form) = &guest.visit.form else {
        let query = Form::read_encoded(&guest.visit.query).unwrap_or_default();
        return match query.get("take") {
            "" => show(guest, place, &Form::default(), &Problem::default()).await,
            _ => take(guest, place, &query).await,
        };
    };
    if let Some(refusal) = guest.refuse(&guest.visit.path)? {
        return Ok(refusal);
    }
    if let Some(other) = taking::other(guest, place, form).await? {
        return Ok(other);
    }
    match give(guest, place, form).await {
        Ok(done) => Ok(guest.see(&place.at, done)),
        Err(error) => show(guest, place, form, &Problem::of(error)?).await,
    }
}
