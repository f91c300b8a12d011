//! Plants a seed: its organizations, people and tokens, in a new store.

use std::sync::Arc;

use crate::access::bootstrap;
use crate::access::token::{self, New};
use crate::clock::{self, Time};
use crate::config::Settings;
use crate::db::Tx;
use crate::error::{Error, Result};
use crate::import::seed::{Seed, SeedToken, SeedUser};
use crate::import::{Choices, Unlisted};
use crate::journal::Author;
use crate::operation::Cx;
use crate::people::{email, login, user};
use crate::plan;
use crate::server::delivering;
use crate::store::{Missing, Store};

/// Makes the store that each generation begins with. Its files are complete when this returns.
pub async fn plant(settings: &Settings, seed: Seed, now: Time, administrator: String) -> Result<()> {
    clock::repeat_randomness();
    let store = Store::open(settings, Missing::Make).await?;
    let Seed { orgs, users, tokens, .. } = seed;
    if !orgs.is_empty() {
        let choices = Choices { unlisted: Unlisted::Refuse, mail: false, owners: false };
        plan::import::run(&store.db, &store.site, now, orgs, choices, |_| {}).await?;
    }
    store.write_at(now, move |cx| people(cx, &users, &tokens, now)).await?;
    let site = Arc::clone(&store.site);
    let ensure = move |tx: &mut Tx<'_>| {
        let author = Author::program(&site.audit_key, now, "dev");
        bootstrap::ensure(tx, Some(&administrator), &author, &site.token_prefix)
    };
    store.db.write(ensure).await?;
    delivering::begin(&store.db, now).await
}

fn people(cx: &mut Cx<'_, '_>, users: &[SeedUser], tokens: &[SeedToken], now: Time) -> Result<()> {
    for user in users {
        person(cx.tx, user, now)?;
    }
    for SeedToken { place, text, login, scopes } in tokens {
        let owner = user::by_login(cx.tx, login).map_err(|error| match error {
            Error::NotFound => {
                let text = format!("no person has the login \"{login}\"; add it to `users:` or to an organization");
                Error::from(place.fault(text))
            }
            error => error,
        })?;
        let new = New {
            user: owner.id,
            kind: "personal",
            made_by: None,
            scopes: *scopes,
            note: None,
            expires_at: None,
            effective_teams: false,
            application: None,
        };
        token::create(cx.tx, &new, Some(text), &cx.site.token_prefix, now)?;
    }
    Ok(())
}

fn person(tx: &mut Tx, seed: &SeedUser, now: Time) -> Result<()> {
    let id = match user::by_login(tx, &seed.login) {
        Ok(known) => known.id,
        Err(Error::NotFound) => {
            let why = if login::is_reserved(&seed.login) {
                "this login is reserved; choose another"
            } else {
                "an organization has this login; choose another"
            };
            let taken = || seed.place.fault(why.into());
            user::create(tx, &seed.login, now)?.ok_or_else(taken)?.id
        }
        Err(error) => return Err(error),
    };
    tx.run(DESCRIBE, &[&id, &seed.name, &seed.site_admin])?;
    if let Some((place, address)) = &seed.email
        && !email::add(tx, id, address)?
    {
        return Err(place.fault("another person has this e-mail address; choose another".into()).into());
    }
    Ok(())
}

const DESCRIBE: &str = "UPDATE users SET name = $2, site_admin = $3 WHERE id = $1";
