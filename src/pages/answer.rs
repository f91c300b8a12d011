//! Routes visits to pages.

use percent_encoding::percent_decode_str;

use super::guest::{Guest, READS};
use super::layout::Shown;
use super::{
    access, acting, admin, authorize, device, email, home, inbox, invitation, new_organization, organization, person,
    provider, search, settings, setup, sign_in, sign_in_link, sign_out, unsubscribe,
};
use crate::error::{Error, Result};

/// The methods of a page with forms.
const READS_AND_FORMS: &str = "GET, HEAD, POST";

/// The path of the picture of the site.
pub const ICON_PATH: &str = "/favicon.ico";

/// True if a path below the base URL is for people.
#[must_use]
pub fn is_page(path: &str) -> bool {
    path == ICON_PATH || matches!(path.split('/').nth(1), Some("ui" | "login"))
}

impl Guest<'_> {
    /// Answers a visit.
    pub async fn answer(&self) -> Result<Shown> {
        let words = words(&self.visit.path)?;
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        if let Some(shown) = self.without_slash(&words) {
            return Ok(shown);
        }
        let shown = match words[..] {
            ["login", ref below @ ..] => self.at_login(below).await,
            ["ui", ref below @ ..] => self.in_room(below).await,
            _ => Err(Error::NotFound),
        };
        let mut shown = match shown {
            Err(Error::Unauthenticated) => self.signed_out_here()?,
            Err(Error::StaleSession) => sign_in::confirm(self)?,
            Err(error @ (Error::NotFound | Error::Absent(_))) => {
                let up = self.lead_to_list(&words)?.or_else(|| self.lead_above(&words));
                up.ok_or(error)?
            }
            Err(Error::Moved { to, .. }) => self.lead_to_moved(&words, &to).await?,
            shown => shown?,
        };
        if words[0] == "login" && shown.location.is_none() && shown.source.is_none() {
            shown.source = self.waiting_source().await;
        }
        let shown = self.leading_on(shown).await?;
        Ok(self.with_cookie(shown))
    }

    /// The way to sign in. What a person wrote stays on the page until they have.
    fn signed_out_here(&self) -> Result<Shown> {
        let text = "Sign in in another tab, then send what you wrote.";
        Ok(self.unusable(&self.visit.path, "You are signed out", text)?.unwrap_or_else(|| self.lead_to_login()))
    }

    /// The redirect to the same page without slashes at the end of its path, if it has any. It says nothing about the page.
    fn without_slash(&self, words: &[&str]) -> Option<Shown> {
        let has_one = words.ends_with(&[""]) && *words != ["ui", ""] && !self.has_form();
        let query = if self.visit.query.is_empty() { String::new() } else { format!("?{}", self.visit.query) };
        let path = self.visit.path.trim_end_matches('/');
        has_one.then(|| Shown::see([self.visit.links.prefix(), path, &query].concat()))
    }

    /// The pages of signing in.
    async fn at_login(&self, below: &[&str]) -> Result<Shown> {
        if self.visit.has_other_verb() {
            return Err(Error::NotFound);
        }
        match *below {
            [] => sign_in::address(self).await,
            ["code"] => sign_in::code(self).await,
            ["link", token] => sign_in_link::answer(self, token).await,
            ["provider"] => provider::begin(self).await,
            ["provider", "callback"] => provider::back(self).await,
            ["out"] => sign_out::answer(self).await,
            ["own"] => acting::stop(self).await,
            ["device"] => device::answer(self).await,
            ["oauth", "authorize"] => authorize::answer(self).await,
            _ => Err(Error::NotFound),
        }
    }

    /// The rooms. Some links in e-mails lead a person there who is not signed in.
    async fn in_room(&self, below: &[&str]) -> Result<Shown> {
        match *below {
            ["setup" | "invitations" | "unsubscribe" | "emails", _] if self.visit.has_other_verb() => {
                return Err(Error::NotFound);
            }
            ["setup", token] => return setup::answer(self, token).await,
            ["invitations", token] => return invitation::answer(self, token).await,
            ["unsubscribe", token] => return unsubscribe::answer(self, token).await,
            ["assets" | "avatars" | "docs" | "invitations" | "setup" | "unsubscribe", ..] => {
                return Err(Error::NotFound);
            }
            _ if !self.is_signed_in() && self.visit.has_other_verb() => return Err(Error::NotFound),
            _ if !self.is_signed_in() => return Err(Error::Unauthenticated),
            _ => {}
        }
        let shown = match *below {
            ["admin", ref below @ ..] => admin::answer(self, below).await,
            ["emails", token] => return email::answer(self, token).await,
            [] | [""] => home::answer(self).await,
            ["notifications"] => inbox::answer(self).await,
            ["notifications", "count"] => inbox::count(self),
            ["organizations", "new"] => new_organization::answer(self).await,
            ["orgs", org, ref below @ ..] => organization::answer(self, org, below).await,
            ["search"] => search::answer(self).await,
            ["settings", ref below @ ..] => settings::answer(self, below).await,
            [login] => person::answer(self, login).await,
            [owner, repo] => access::repository(self, owner, repo).await,
            _ => Err(Error::NotFound),
        };
        // The room that a form leads to may show a token once. Where another site leads to, it may have put a guess into
        // the address.
        let compresses = !self.has_form() && !self.visit.is_foreign;
        let shown = Shown { compresses, ..shown? };
        match *below {
            _ if shown.status != 200 => Ok(shown),
            [_] | ["notifications", "count"] | ["orgs", _] if self.has_form() => self.only_by(READS),
            _ if self.visit.has_other_verb() => self.only_by(READS_AND_FORMS),
            _ => Ok(shown),
        }
    }
}

/// The words of a path, decoded. The length of an address bounds them (decision 61).
fn words(path: &str) -> Result<Vec<String>> {
    let decoded = |word: &str| percent_decode_str(word).decode_utf8().ok().map(String::from);
    let is_word = |word: &String| !word.contains('\0');
    path.split('/').skip(1).map(|word| decoded(word).filter(is_word).ok_or(Error::NotFound)).collect()
}
