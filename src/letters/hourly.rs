//! The limit of e-mails about posts: a person gets so many an hour about those of one team (decision 37).

use std::collections::HashMap;

use crate::clock::Time;
use crate::notices::Recipient;

/// The number of e-mails that a person gets in an hour about the posts of a team. The last one says that there may be
/// more posts.
pub const MOST: i64 = 20;

/// The e-mails about posts that were planned and are not stored yet, for each team and person.
#[derive(Debug)]
pub struct Hourly {
    /// The beginning of the hour.
    pub(super) since: Time,
    planned: HashMap<(i64, i64), i64>,
}

/// The e-mail that a recipient gets about a post.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Turn {
    Mail,
    /// The last e-mail of the hour.
    Last,
    /// No e-mail: the post is only in the inbox.
    Inbox,
}

impl Hourly {
    /// The hour that ends now.
    #[must_use]
    pub fn until(now: Time) -> Self {
        Self { since: now.plus_seconds(-60 * 60), planned: HashMap::new() }
    }

    /// Counts an e-mail to a recipient about a post of this team, unless it would be one too many.
    pub(super) fn take(&mut self, team: i64, recipient: &Recipient) -> Turn {
        let planned = self.planned.entry((team, recipient.user)).or_default();
        let nth = recipient.mailed + *planned + 1;
        if nth > MOST {
            return Turn::Inbox;
        }
        *planned += 1;
        if nth == MOST { Turn::Last } else { Turn::Mail }
    }
}
