//! Turning off e-mails about posts with the link in one of them, without signing in (decisions 37, 61 and 69).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::choice;
use crate::db::{Lock, Tx, row, select};
use crate::error::{Error, Result};
use crate::mail::token::{self, Purpose, Sent};
use crate::operation::{Caller, Cx, Done, Path, Record, Subject};
use crate::policy::{Granted, Standing};

row! {
    /// A person and a discussion that a link names.
    #[derive(Debug, Clone)]
    pub struct Unsubscribing from "u" {
        user: i64 = "u.id",
        discussion: i64 = "CAST($2 AS BIGINT)",
        address: String = "e.email",
        posts: String = "coalesce(m.posts, 'all')",
        ignored: bool = "EXISTS (SELECT 1 FROM subscriptions s
                         WHERE s.user_id = u.id AND s.discussion_id = $2 AND s.ignored = TRUE)",
    }
}

const FIND: &str = select!(Unsubscribing from
    "users u
     JOIN emails e ON e.user_id = u.id AND e.is_primary = TRUE
     LEFT JOIN mail_settings m ON m.user_id = u.id
     WHERE u.id = $1 ORDER BY e.id LIMIT 1");

impl Subject for Unsubscribing {
    const FORMS: &'static [&'static str] = &["/ui/unsubscribe/{token}"];

    fn find(cx: &mut Cx, path: &Path) -> Result<(Self, Standing)> {
        let token = path.get("token").unwrap_or_default();
        let Some(purpose @ Purpose::Unsubscribe { user, discussion }) = token::claimed_discussion(token) else {
            return Err(Error::NotFound);
        };
        let found: Self = cx.tx.maybe(FIND, &[&user, &discussion])?.ok_or(Error::NotFound)?;
        let sent = Sent { generation: 0, address: &found.address };
        if !purpose.is_proved(&cx.site.mail_key, sent, token)? {
            return Err(Error::NotFound);
        }
        Ok((Self { discussion, ..found }, Standing::default()))
    }

    fn locks(_: &mut Tx, _: &Caller, path: &Path) -> Result<Vec<Lock>> {
        let claimed = token::claimed_discussion(path.get("token").unwrap_or_default());
        Ok(match claimed {
            Some(Purpose::Unsubscribe { user, .. }) => vec![Lock::User(user)],
            _ => Vec::new(),
        })
    }

    fn canonical(&self) -> String {
        String::new()
    }
}

/// The current choice.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Chosen {
    /// The e-mail address that e-mails go to.
    pub address: String,
    /// The e-mails about posts that are sent: `all`, `mentions` or `none`.
    pub posts: String,
    /// True if the discussion is muted.
    pub ignored: bool,
}

/// Get the current choice.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Look {}

/// Gets the current choice, and changes nothing.
pub fn look(_: &mut Cx, of: Granted<Unsubscribing>, _: Look) -> Result<Record<Chosen>> {
    Ok(Chosen { address: of.address.clone(), posts: of.posts.clone(), ignored: of.ignored }.into())
}

/// The choices of a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Choice {
    /// No more notifications of this discussion.
    Discussion,
    /// Only e-mails about posts that mention the person.
    Mentions,
    /// No e-mails about posts.
    None,
    /// All e-mails about posts, and about this discussion.
    All,
}

/// Choose which e-mails are sent.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Choose {
    /// The new choice.
    pub choice: Choice,
}

/// Stores the choice. The same choice again changes nothing.
pub fn choose(cx: &mut Cx, of: Granted<Unsubscribing>, p: Choose) -> Result<Done> {
    let is_there = cx.tx.any("SELECT 1 FROM discussions WHERE id = $1", &[&of.discussion])?;
    let subscription = (of.user, of.discussion);
    match p.choice {
        Choice::Discussion if is_there => choice::subscribe(cx.tx, subscription, true, cx.now()?)?,
        Choice::Discussion => {}
        Choice::Mentions => choice::set_mail(cx.tx, of.user, "mentions")?,
        Choice::None => choice::set_mail(cx.tx, of.user, "none")?,
        Choice::All => {
            choice::set_mail(cx.tx, of.user, "all")?;
            if of.ignored {
                choice::unsubscribe(cx.tx, subscription)?;
            }
        }
    }
    Ok(Done)
}
