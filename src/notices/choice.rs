//! The choices of a user: for a discussion, and for e-mails.

use crate::clock::Time;
use crate::db::Tx;
use crate::error::Result;

/// Stores whether a person wants to be notified of a discussion, or ignores it. The time of the first choice stays.
pub(super) fn subscribe(tx: &mut Tx, (user, discussion): (i64, i64), ignored: bool, at: Time) -> Result<()> {
    tx.run(SUBSCRIBE, &[&user, &discussion, &ignored, &at.0]).map(drop)
}

const SUBSCRIBE: &str = "
    INSERT INTO subscriptions (user_id, discussion_id, ignored, created_at) VALUES ($1, $2, $3, $4)
    ON CONFLICT (user_id, discussion_id) DO UPDATE SET ignored = excluded.ignored";

/// Deletes the choice of a person for a discussion.
pub(super) fn unsubscribe(tx: &mut Tx, (user, discussion): (i64, i64)) -> Result<()> {
    tx.run("DELETE FROM subscriptions WHERE user_id = $1 AND discussion_id = $2", &[&user, &discussion]).map(drop)
}

/// Sets which e-mails about posts a person gets: `all`, `mentions` or `none`.
pub(super) fn set_mail(tx: &mut Tx, user: i64, posts: &str) -> Result<()> {
    tx.run(SET_MAIL, &[&user, &posts]).map(drop)
}

const SET_MAIL: &str = "
    INSERT INTO mail_settings (user_id, posts) VALUES ($1, $2)
    ON CONFLICT (user_id) DO UPDATE SET posts = excluded.posts";
