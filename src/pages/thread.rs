//! A discussion in the inbox, as the pages that list them show it.

use serde::Deserialize;

use crate::clock::Time;

/// A discussion that the person was notified of.
#[derive(Deserialize)]
pub(super) struct Thread {
    pub id: String,
    pub organization: Organization,
    pub team: Team,
    pub subject: Subject,
    reason: String,
    pub unread: bool,
    pub updated_at: Time,
}

#[derive(Deserialize)]
pub(super) struct Organization {
    pub login: String,
}

#[derive(Deserialize)]
pub(super) struct Team {
    pub name: String,
    pub slug: String,
}

#[derive(Deserialize)]
pub(super) struct Subject {
    pub title: String,
    latest_comment_url: String,
}

impl Thread {
    /// The path of the newest post below that of the team.
    pub fn newest(&self) -> &str {
        let url = &self.subject.latest_comment_url;
        url.find("/discussions/").map_or("", |at| &url[at..])
    }

    /// True if it mentions the person.
    pub fn mentions(&self) -> bool {
        self.reason == "mention"
    }

    /// The reason why it is here.
    pub fn why(&self) -> &'static str {
        match self.reason.as_str() {
            "author" => "You wrote it",
            "comment" => "You took part",
            "manual" => "You asked to be told",
            "mention" => "Mentions you",
            _ => "You are on this team, or on one below it",
        }
    }
}
