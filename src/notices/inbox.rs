//! The rows of inboxes: one for each person and discussion.

use super::recipients::Recipient;
use crate::clock::Time;
use crate::db::{Bind, Bulk, Tx};
use crate::error::Result;

/// Puts a post into the inboxes of these people, unread and no longer done. A mention stays the reason until the person
/// has read it. Does nothing for a post that is gone.
pub fn put(tx: &mut Tx, discussion: i64, comment: Option<i64>, recipients: &[Recipient], at: Time) -> Result<()> {
    let is_there = match comment {
        Some(comment) => tx.any(HAS_COMMENT, &[&comment, &discussion])?,
        None => tx.any("SELECT 1 FROM discussions WHERE id = $1", &[&discussion])?,
    };
    if !is_there {
        return Ok(());
    }
    let words: Vec<&str> = recipients.iter().map(|recipient| recipient.reason.word()).collect();
    let rows = recipients.iter().zip(&words).map(|(Recipient { user, .. }, reason)| -> [&dyn Bind; 7] {
        [user, &discussion, &comment, reason, &true, &false, &at.0]
    });
    let rows: Vec<[&dyn Bind; 7]> = rows.collect();
    PUT.run(tx, &rows)
}

const HAS_COMMENT: &str = "SELECT 1 FROM comments WHERE id = $1 AND discussion_id = $2";

static PUT: Bulk<7> = Bulk::new(
    "INSERT INTO notices (user_id, discussion_id, comment_id, reason, unread, done, updated_at)
     VALUES {rows}
     ON CONFLICT (user_id, discussion_id) DO UPDATE SET
         comment_id = excluded.comment_id,
         reason = CASE WHEN notices.reason = 'mention' AND notices.unread = TRUE THEN 'mention' ELSE excluded.reason END,
         unread = TRUE,
         done = FALSE,
         updated_at = CASE WHEN notices.updated_at > excluded.updated_at
                           THEN notices.updated_at ELSE excluded.updated_at END",
);
