//! A discussion in the inbox, as the pages that list them show it.

use std::collections::HashMap;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::guest::{Guest, INBOX, Listed, body};
use crate::name::called;

use crate::clock::Time;
use crate::error::Result;
use crate::notices::newest::Newest;
use crate::operation::Page;

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
    /// The name of the author of the newest post; none if the account was deleted.
    #[serde(skip)]
    pub by: Option<String>,
    /// True if the person has muted it.
    #[serde(skip)]
    pub muted: bool,
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
    /// The threads of a page of the inbox.
    pub async fn list(guest: &Guest<'_>, fields: Map<String, Value>, page: Page) -> Result<Listed<Self>> {
        let mut list: Listed<Self> = guest.list(INBOX, &[], fields, page).await?;
        let ids: Vec<&str> = list.items.iter().map(|thread| thread.id.as_str()).collect();
        let newest: Vec<Newest> = guest.call("inbox.newest", &[], body([("threads", ids.join(",").into())])).await?;
        let mut newest: HashMap<String, Newest> = newest.into_iter().map(|of| (of.id.to_string(), of)).collect();
        for thread in &mut list.items {
            let Some(Newest { login, name, muted, .. }) = newest.remove(&thread.id) else { continue };
            thread.by = login.map(|login| called(name.as_deref(), &login).to_owned());
            thread.muted = muted;
        }
        Ok(list)
    }

    /// The word for what the author of the newest post did.
    pub fn did(&self) -> &'static str {
        if self.newest().contains("/comments/") { "answered" } else { "wrote" }
    }

    /// The number of the discussion.
    pub fn number(&self) -> &str {
        self.newest().split('/').nth(2).unwrap_or_default()
    }

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
