//! The caller's choice of e-mails about posts.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::choice;
use crate::error::Result;
use crate::operation::{Cx, Record};
use crate::people::me::Me;
use crate::policy::Granted;

/// The e-mails about posts that a person gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Posts {
    /// All of them.
    All,
    /// Those about posts that mention the person.
    Mentions,
    /// None.
    None,
}

/// The mail setting of a person.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "mail-settings")]
pub struct MailSettings {
    /// The e-mails about posts that the person gets: `all`, `mentions` or `none`.
    pub posts: String,
}

/// Get the caller's choice of e-mails about posts.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Get {}

/// Gets the setting.
pub fn get(cx: &mut Cx, me: Granted<Me>, _: Get) -> Result<Record<MailSettings>> {
    let stored: Option<String> = cx.tx.maybe("SELECT posts FROM mail_settings WHERE user_id = $1", &[&me.id])?;
    let posts = stored.unwrap_or_else(|| "all".to_owned());
    Ok(MailSettings { posts }.into())
}

/// Set the caller's choice of e-mails about posts. Invitations are always sent.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Update {
    /// The e-mails about posts to send to the caller.
    pub posts: Posts,
}

/// Stores the setting.
pub fn update(cx: &mut Cx, me: Granted<Me>, p: Update) -> Result<Record<MailSettings>> {
    let posts = match p.posts {
        Posts::All => "all",
        Posts::Mentions => "mentions",
        Posts::None => "none",
    };
    choice::set_mail(cx.tx, me.id, posts)?;
    Ok(MailSettings { posts: posts.to_owned() }.into())
}
