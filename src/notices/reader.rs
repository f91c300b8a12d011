//! A discussion as its page shows it to one person: what they are notified of and why, what they may change, and their
//! own reactions (decisions 34 to 37).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::choice;
use super::reason::Reason;
use crate::db::{row, select};
use crate::error::Result;
use crate::operation::{Cx, Done, Record};
use crate::policy::{AUTHOR, Granted, MAINTAINER, OWNER};
use crate::posts::comment::Comment;
use crate::posts::discussion::Discussion;

/// The most people who are listed as taking part.
const PEOPLE: i64 = 20;

/// The most comments and reactions of which a response tells.
const MOST: i64 = 300;

/// A discussion as one person sees it.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Reader {
    /// The thread in the caller's inbox, if it is unread.
    pub unread: Option<i64>,
    /// True if the caller has muted the discussion, false if they have asked to be notified of it; null if neither.
    pub muted: Option<bool>,
    /// The reason to notify the caller if they have chosen nothing: `author`, `comment` or `subscribed`; null for none.
    pub reason: Option<String>,
    /// The e-mails about posts that the caller gets: `all`, `mentions` or `none`; `unverified` if their primary e-mail
    /// address is not verified, so that they get none yet.
    pub mail: String,
    /// True if the notifications of the team are on.
    pub notifies: bool,
    /// The logins of people who have commented, up to 20.
    pub people: Vec<String>,
    /// True if the caller may edit and delete the discussion.
    pub edits: bool,
    /// The numbers of the comments that the caller may edit and delete.
    pub edits_comments: Vec<i64>,
    /// The caller's own reactions.
    pub reactions: Vec<Given>,
}

row! {
    /// A reaction that the caller has given.
    #[derive(Debug, Serialize, Deserialize, JsonSchema)]
    pub struct Given {
        /// The number of the comment; 0 for the discussion.
        pub comment: i64,
        /// ID.
        pub id: i64,
        /// The reaction.
        pub content: String,
    }
}

row! {
    /// The choices of a person for a discussion, and what they are to it.
    struct Attention from "d" {
        thread: Option<i64> = "n.id",
        unread: bool = "coalesce(n.unread, FALSE)",
        ignored: Option<bool> = "s.ignored",
        posts: String =
            "CASE WHEN coalesce(m.posts, 'all') = 'none' OR EXISTS (SELECT 1 FROM emails e
                 WHERE e.user_id = $2 AND e.is_primary = TRUE AND e.verified = TRUE) THEN coalesce(m.posts, 'all')
             ELSE 'unverified' END",
        wrote: bool = "coalesce(d.author_id = $2, FALSE)",
        commented: bool = "EXISTS (SELECT 1 FROM comments c WHERE c.discussion_id = d.id AND c.author_id = $2)",
        is_direct: bool = "EXISTS (SELECT 1 FROM team_members tm WHERE tm.team_id = d.team_id AND tm.user_id = $2)",
        is_below: bool = "d.private = FALSE AND EXISTS (SELECT 1 FROM above WHERE above.id = d.team_id)",
    }
}

impl Attention {
    fn reason(&self) -> Option<Reason> {
        match self {
            Self { wrote: true, .. } => Some(Reason::Author),
            Self { commented: true, .. } => Some(Reason::Comment),
            Self { is_direct: true, .. } | Self { is_below: true, .. } => Some(Reason::Subscribed),
            _ => None,
        }
    }
}

/// Get a discussion as the caller sees it.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Look {
    /// The number of the first comment to tell of.
    pub first: i64,
    /// The number of the last one.
    pub last: i64,
}

/// Gets a discussion as the caller sees it.
pub fn look(cx: &mut Cx, discussion: Granted<Discussion>, p: Look) -> Result<Record<Reader>> {
    let (id, me) = (discussion.id, cx.me()?.id);
    let attention: Attention = cx.tx.one(ATTENTION, &[&id, &me])?;
    let people: Vec<(String,)> = cx.tx.all(COMMENTERS, &[&id, &PEOPLE])?;
    let manages = discussion.allows(&(MAINTAINER | OWNER));
    let edits_comments: Vec<i64> = cx.tx.all(EDITABLE, &[&id, &me, &p.first, &p.last, &manages, &MOST])?;
    Ok(Reader {
        unread: attention.thread.filter(|_| attention.unread),
        muted: attention.ignored,
        reason: attention.reason().map(|reason| reason.word().to_owned()),
        mail: attention.posts,
        notifies: discussion.team.notification_setting != "notifications_disabled",
        people: people.into_iter().map(|(login,)| login).collect(),
        edits: discussion.allows(&(AUTHOR | MAINTAINER | OWNER)),
        edits_comments,
        reactions: cx.tx.all(REACTIONS, &[&id, &me, &p.first, &p.last, &MOST])?,
    }
    .into())
}

/// The teams of a person and the teams above them are few, unlike the teams below a team.
const ATTENTION: &str = const_str::concat!(
    "WITH RECURSIVE above (id) AS (
         SELECT team_id FROM team_members WHERE user_id = $2
         UNION
         SELECT t.parent_id FROM above JOIN teams t ON t.id = above.id WHERE t.parent_id IS NOT NULL
     ) ",
    select!(Attention from
        "discussions d
         LEFT JOIN notices n ON n.user_id = $2 AND n.discussion_id = d.id
         LEFT JOIN subscriptions s ON s.user_id = $2 AND s.discussion_id = d.id
         LEFT JOIN mail_settings m ON m.user_id = $2
         WHERE d.id = $1")
);

/// The authors are read one after the other by the index, so it costs the same in a discussion of any length.
const COMMENTERS: &str = "
    WITH RECURSIVE authors (id, place) AS (
        SELECT (SELECT min(c.author_id) FROM comments c WHERE c.discussion_id = $1), CAST(1 AS BIGINT)
        UNION ALL
        SELECT (SELECT min(c.author_id) FROM comments c WHERE c.discussion_id = $1 AND c.author_id > authors.id),
               authors.place + 1
        FROM authors WHERE authors.id IS NOT NULL AND authors.place < $2
    )
    SELECT u.login FROM authors JOIN users u ON u.id = authors.id ORDER BY authors.place";

const EDITABLE: &str = "
    SELECT number FROM comments
    WHERE discussion_id = $1 AND number >= $3 AND number <= $4 AND (author_id = $2 OR $5 = TRUE)
    ORDER BY number LIMIT $6";

const REACTIONS: &str = "
    SELECT CAST(0 AS BIGINT), r.id, r.content FROM reactions r WHERE r.discussion_id = $1 AND r.user_id = $2
    UNION ALL
    SELECT c.number, r.id, r.content
    FROM comments c JOIN reactions r ON r.comment_id = c.id AND r.user_id = $2
    WHERE c.discussion_id = $1 AND c.number >= $3 AND c.number <= $4
    LIMIT $5";

/// The choice of a person for a discussion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Choice {
    /// To be notified of everything.
    Everything,
    /// To be notified of nothing.
    Nothing,
    /// To be notified as a person without a choice.
    Default,
}

/// Choose whether to be notified of a discussion.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Choose {
    /// The new choice.
    pub choice: Choice,
}

/// Stores the choice. The same choice again changes nothing.
pub fn choose(cx: &mut Cx, discussion: Granted<Discussion>, p: Choose) -> Result<Done> {
    let subscription = (cx.me()?.id, discussion.id);
    match p.choice {
        Choice::Everything => choice::subscribe(cx.tx, subscription, false, cx.now()?)?,
        Choice::Nothing => choice::subscribe(cx.tx, subscription, true, cx.now()?)?,
        Choice::Default => choice::unsubscribe(cx.tx, subscription)?,
    }
    Ok(Done)
}

/// The place of a comment among those that are there, oldest first.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Place {
    /// The number of comments before it.
    pub before: u64,
}

/// Get the place of a comment.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Locate {}

/// Gets the place of a comment.
pub fn locate(cx: &mut Cx, comment: Granted<Comment>, _: Locate) -> Result<Record<Place>> {
    let before: i64 = cx.tx.one(BEFORE, &[&comment.discussion.id, &comment.number])?;
    Ok(Place { before: u64::try_from(before).unwrap_or_default() }.into())
}

const BEFORE: &str = "SELECT count(*) FROM comments WHERE discussion_id = $1 AND number < $2";
