//! Routes visits to pages.

use super::guest::Guest;
use super::layout::Shown;
use super::{
    acting, applications, authorize, device, email, home, invitation, new_organization, provider, settings, setup,
    sign_in, sign_in_link, sign_out, unsubscribe,
};
use crate::error::{Error, Result};

/// The longest token in a path.
const LONGEST: usize = 200;

/// The first words of paths below `/ui` that show no record. What pages load is answered before, if it is there.
const ROOMS: &[&str] =
    &["admin", "assets", "avatars", "emails", "invitations", "organizations", "settings", "setup", "unsubscribe"];

impl Guest<'_> {
    /// True if a page answers at a path below the base URL. Any other path below `/ui` shows a record.
    #[must_use]
    pub fn answers(path: &str) -> bool {
        let mut words = path.split('/').skip(1);
        match (words.next(), words.next()) {
            (Some("login"), _) => true,
            (Some("ui"), Some("")) => words.next().is_none(),
            (Some("ui"), Some("orgs")) => words.nth(1) == Some("applications") && words.next().is_none(),
            (Some("ui"), first) => first.is_none_or(|first| ROOMS.contains(&first)),
            _ => false,
        }
    }

    /// Answers a visit to such a path.
    pub async fn answer(&self) -> Result<Shown> {
        let words: Vec<&str> = self.visit.path.split('/').skip(1).collect();
        let shown = match words[..] {
            ["login"] => sign_in::address(self).await,
            ["login", "code"] => sign_in::code(self).await,
            ["login", "link", token] if is_token(token) => sign_in_link::answer(self, token).await,
            ["login", "provider"] => provider::begin(self).await,
            ["login", "provider", "callback"] => provider::back(self).await,
            ["login", "out"] => sign_out::answer(self).await,
            ["login", "own"] => acting::stop(self).await,
            ["login", "device"] => device::answer(self).await,
            ["login", "oauth", "authorize"] => authorize::answer(self).await,
            ["ui"] | ["ui", ""] => home::answer(self).await,
            ["ui", "organizations", "new"] => new_organization::answer(self).await,
            ["ui", "admin", "users", login, "act"] if is_token(login) => acting::start(self, login).await,
            ["ui", "orgs", org, "applications"] if is_token(org) => applications::answer(self, org).await,
            ["ui", "settings", ref below @ ..] => settings::answer(self, below).await,
            ["ui", "setup", token] if is_token(token) => setup::answer(self, token).await,
            ["ui", "emails", token] if is_token(token) => email::answer(self, token).await,
            ["ui", "invitations", token] if is_token(token) => invitation::answer(self, token).await,
            ["ui", "unsubscribe", token] if is_token(token) => unsubscribe::answer(self, token).await,
            _ => Err(Error::NotFound),
        };
        let mut shown = match shown {
            Err(Error::Unauthenticated) => self.lead_to_login(),
            Err(Error::StaleSession) => sign_in::confirm(self)?,
            shown => shown?,
        };
        if words[0] == "login" && shown.location.is_none() && shown.source.is_none() {
            shown.source = self.waiting_source().await;
        }
        let shown = self.leading_on(shown).await?;
        Ok(self.with_cookie(shown))
    }
}

fn is_token(text: &str) -> bool {
    (1..=LONGEST).contains(&text.len())
}
