//! Routes visits to pages.

use super::call::Pages;
use super::layout::Shown;
use super::visit::Visit;
use super::{email, invitation, unsubscribe};
use crate::error::{Error, Result};

impl Pages<'_> {
    /// The page at a path below `/ui`, if a page answers there.
    #[must_use]
    pub fn answers(path: &str) -> bool {
        ["/emails/", "/invitations/", "/unsubscribe/"].iter().any(|room| path.starts_with(room))
    }

    /// Answers a visit to such a path.
    pub async fn answer(&self, path: &str, visit: &Visit) -> Result<Shown> {
        let (room, token) = path.trim_start_matches('/').split_once('/').unwrap_or_default();
        if token.is_empty() || token.len() > 200 || token.contains('/') {
            return Err(Error::NotFound);
        }
        match room {
            "emails" => email::answer(self, token, visit).await,
            "invitations" => invitation::answer(self, token, visit).await,
            "unsubscribe" => unsubscribe::answer(self, token, visit).await,
            _ => Err(Error::NotFound),
        }
    }
}
