//! The deliveries to webhooks and by e-mail that wait or were given up, and trying again those that were (decision 44).

mod delivery;
mod list;

use crate::deliver::room::Shown as Delivery;
use crate::error::Result;
use crate::pages::guest::{Guest, body};
use crate::pages::undelivered::{self, Reason};

pub(super) use delivery::answer as delivery;
pub(super) use list::answer;

/// The sentence for a delivery that is not kept any more.
const GONE: &str = "This delivery is not kept any more.";

/// A delivery in words.
pub(super) trait InWords {
    /// The event with its action, such as `team.edited`.
    fn name(&self) -> String;
    /// The receiver.
    fn receiver(&self) -> String;
    /// The reason why the last attempt failed; none if there was none.
    fn reason(&self) -> Option<Reason<'_>>;
    /// True if it was given up and may be tried again with success.
    fn may_be_retried(&self) -> bool;
    /// True if it is the e-mail of an invitation.
    fn is_invitation(&self) -> bool;
}

impl InWords for Delivery {
    fn name(&self) -> String {
        match (&self.action, self.event.strip_prefix("mail.")) {
            (Some(action), _) => format!("{}.{action}", self.event),
            (None, Some(mail)) => format!("E-mail: {}", mail.replace('_', " ")),
            (None, None) => self.event.clone(),
        }
    }

    fn receiver(&self) -> String {
        match (&self.url, &self.person) {
            (Some(url), _) => url.clone(),
            (None, Some(login)) => login.clone(),
            (None, None) if self.kind == "mail" => "a person who is invited or signs in".to_owned(),
            (None, None) => "a webhook that is deleted".to_owned(),
        }
    }

    fn reason(&self) -> Option<Reason<'_>> {
        self.last_status.as_deref().map(|status| undelivered::of(&self.kind, status))
    }

    fn is_invitation(&self) -> bool {
        self.event == "mail.invitation"
    }

    fn may_be_retried(&self) -> bool {
        self.state == "dead" && (self.kind == "mail" || self.is_on)
    }
}

/// Tries a delivery again.
async fn retry(guest: &Guest<'_>, id: &str) -> Result<()> {
    let id: i64 = id.parse().map_err(|_| crate::error::Error::NotFound)?;
    guest.call::<serde_json::Value>("administration.retryDelivery", &[], body([("id", id.into())])).await.map(drop)
}
