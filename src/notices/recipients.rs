//! The people who are notified of a post (decision 37): the members of the team and of its descendants, or only the
//! team's direct members if the post is private; people who took part or requested notifications; and people and the
//! members of teams whom the post mentions. Of an edited post, only people whom the edit mentions. A person is never
//! notified if they wrote the post, may not see it, ignore the discussion, or are suspended.

use std::collections::BTreeSet;

use super::reason::Reason;
use crate::clock::Time;
use crate::db::{Tx, row};
use crate::error::Result;

/// The team `$1` and all teams below it.
macro_rules! tree {
    () => {
        "tree (id) AS (
             SELECT CAST($1 AS BIGINT) UNION SELECT below.id FROM tree JOIN teams below ON below.parent_id = tree.id
         )"
    };
}

/// The fields of a post that decide who is notified of it.
#[derive(Debug, Clone, Copy)]
pub struct Post<'a> {
    /// The team that it belongs to.
    pub team: i64,
    /// The discussion.
    pub discussion: i64,
    /// True if only the team's direct members and owners see it.
    pub private: bool,
    /// True if the post is new. Of an edited one, only the people whom the edit mentions are notified.
    pub is_new: bool,
    /// The author and the person who wrote this text, unless their accounts are gone.
    pub writers: [Option<i64>; 2],
    /// The people that it mentions.
    pub mentions: &'a [i64],
    /// The teams that it mentions.
    pub mentioned_teams: &'a [i64],
}

/// A person who is notified.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Recipient {
    /// The person.
    pub user: i64,
    /// The reason why they are notified.
    pub reason: Reason,
    /// True if they also get an e-mail: they want it, and have a verified primary e-mail address.
    pub mail: bool,
    /// The number of e-mails about posts of the team that were queued for them since the given time.
    pub mailed: i64,
}

/// Some of the people who are notified of a post.
#[derive(Debug, Default)]
pub struct Page {
    /// These people, by identifier.
    pub recipients: Vec<Recipient>,
    /// The last person who was looked at, if there may be more.
    pub next: Option<i64>,
}

row! {
    /// A person who may be notified, with what decides whether and how.
    struct Candidate {
        user: i64,
        /// True if they see the discussion, do not ignore it, and may sign in.
        eligible: bool,
        /// The reason why they are notified unless they are mentioned.
        reason: Reason => reason,
        posts: String,
        has_address: bool,
        mailed: i64,
    }
}

/// The reason to notify a person who wrote the discussion, commented on it, or requested notifications.
fn reason((wrote, commented, asked): (bool, bool, bool)) -> Reason {
    match (wrote, commented, asked) {
        (true, _, _) => Reason::Author,
        (_, true, _) => Reason::Comment,
        (_, _, true) => Reason::Manual,
        _ => Reason::Subscribed,
    }
}

impl Candidate {
    fn recipient(&self, mentioned: &BTreeSet<i64>) -> Recipient {
        let reason = if mentioned.contains(&self.user) { Reason::Mention } else { self.reason };
        let mail = self.has_address && wants(&self.posts, reason);
        Recipient { user: self.user, reason, mail, mailed: self.mailed }
    }
}

/// True if a person with this setting wants an e-mail for this reason.
fn wants(posts: &str, reason: Reason) -> bool {
    posts == "all" || posts == "mentions" && reason == Reason::Mention
}

/// Looks at the next people after this one, up to the limit, and returns those who are notified of a post. Their e-mails
/// are counted since this time. The calling code has checked that notifications of the team are on.
pub fn recipients(tx: &mut Tx, org: i64, post: &Post<'_>, since: Time, (after, limit): (i64, i64)) -> Result<Page> {
    let Post { team, discussion, private, is_new, writers, mentions, mentioned_teams } = *post;
    let statement = if private { OF_PRIVATE } else { OF_PUBLIC };
    let mut found: Vec<Candidate> =
        if is_new { tx.all(statement, &[&team, &after, &discussion, &limit, &since.0])? } else { Vec::new() };
    let is_full = |count: usize| i64::try_from(count).is_ok_and(|count| count >= limit);
    let mut next = found.last().filter(|_| is_full(found.len())).map(|last| last.user);
    let mut mentioned: BTreeSet<i64> = mentions.iter().copied().filter(|user| *user > after).collect();
    for team in mentioned_teams {
        let members: Vec<i64> = tx.all(MEMBERS, &[team, &after, &limit])?;
        let last = members.last().filter(|_| is_full(members.len())).copied();
        next = next.into_iter().chain(last).min();
        mentioned.extend(members);
    }
    // What is beyond is found again by the next step.
    let until = next.unwrap_or(i64::MAX);
    found.retain(|candidate| candidate.user <= until);
    mentioned.retain(|user| *user <= until);
    let known: BTreeSet<i64> = found.iter().map(|candidate| candidate.user).collect();
    for user in mentioned.difference(&known) {
        found.extend(one(tx, discussion, *user, since)?);
    }
    tracing::trace!(org, discussion, after, count = found.len(), "people who may be notified of a post");
    found.sort_unstable_by_key(|candidate| candidate.user);
    let notified = found.iter().filter(|candidate| candidate.eligible && !writers.contains(&Some(candidate.user)));
    Ok(Page { recipients: notified.map(|candidate| candidate.recipient(&mentioned)).collect(), next })
}

/// The next members of a team and of all teams below it.
const MEMBERS: &str = concat!(
    "WITH RECURSIVE ",
    tree!(),
    " SELECT DISTINCT tm.user_id FROM tree JOIN team_members tm ON tm.team_id = tree.id
      WHERE tm.user_id > $2 ORDER BY tm.user_id LIMIT $3"
);

/// True if a person should still be sent an e-mail about a discussion: they see it, do not ignore it, and want the
/// e-mail.
pub fn still_wanted(tx: &mut Tx, user: i64, discussion: i64, reason: Reason) -> Result<bool> {
    let candidate = one(tx, discussion, user, NEVER)?;
    Ok(candidate
        .is_some_and(|candidate| candidate.eligible && candidate.has_address && wants(&candidate.posts, reason)))
}

/// A time since which no e-mail was queued.
const NEVER: Time = Time(i64::MAX);

/// A person, as a candidate for notifications of a discussion.
fn one(tx: &mut Tx, discussion: i64, user: i64, since: Time) -> Result<Option<Candidate>> {
    tx.maybe(ONE, &[&discussion, &user, &since.0])
}

/// The condition that the person `u` sees the discussion `d` of the team `t`, as in `teams::visible` and decision 34.
macro_rules! sees {
    () => {
        "EXISTS (SELECT 1 FROM org_members om
                 WHERE om.org_id = t.org_id AND om.user_id = u.id
                   AND (om.role = 'admin' OR om.role = 'member' AND
                        (t.privacy = 'closed' AND d.private = FALSE OR EXISTS
                         (SELECT 1 FROM team_members own WHERE own.team_id = t.id AND own.user_id = u.id))))"
    };
}

pub(super) use sees;

/// Selects [`Candidate`]s for a discussion `d`: the people `p`, with what decides whether and how they are notified. The
/// order key of an e-mail is the person.
macro_rules! candidates {
    ($people:expr, $discussion:literal, $since:literal, $commented:literal) => {
        concat!(
            $people,
            " SELECT u.id,
                     u.suspended = FALSE AND ",
            sees!(),
            " AND NOT EXISTS (SELECT 1 FROM subscriptions i
                              WHERE i.discussion_id = d.id AND i.user_id = u.id AND i.ignored = TRUE),
                     coalesce(d.author_id = u.id, FALSE),
                     ",
            $commented,
            ",
                     EXISTS (SELECT 1 FROM subscriptions s
                             WHERE s.discussion_id = d.id AND s.user_id = u.id AND s.ignored = FALSE),
                     coalesce(m.posts, 'all'),
                     EXISTS (SELECT 1 FROM emails e
                             WHERE e.user_id = u.id AND e.is_primary = TRUE AND e.verified = TRUE),
                     (SELECT count(*) FROM deliveries queued
                      WHERE queued.order_key = u.id AND queued.team_id = d.team_id AND queued.created_at > ",
            $since,
            ")
              FROM people p
              JOIN users u ON u.id = p.id
              JOIN discussions d ON d.id = ",
            $discussion,
            " JOIN teams t ON t.id = d.team_id
              LEFT JOIN mail_settings m ON m.user_id = u.id
              ORDER BY u.id"
        )
    };
}

/// The candidates of a step: these people, and those after the person `$2` who took part in the discussion `$3` or
/// requested notifications of it. Only the first `$4` by identifier are looked at further, so a step costs the same in
/// a team of any size. The authors of comments are read one after the other by the index, so it costs the same in a
/// discussion of any length. Looking for the comments of each person does not: PostgreSQL may read all comments for that.
macro_rules! first_people {
    ($members:literal) => {
        concat!(
            "authors (id) AS (
                 SELECT (SELECT min(c.author_id) FROM comments c WHERE c.discussion_id = $3 AND c.author_id > $2)
                 UNION ALL
                 SELECT (SELECT min(c.author_id) FROM comments c
                         WHERE c.discussion_id = $3 AND c.author_id > before.id)
                 FROM authors before WHERE before.id IS NOT NULL
             ), first_authors (id) AS (
                 SELECT a.id FROM authors a WHERE a.id IS NOT NULL LIMIT $4
             ), people (id) AS (",
            $members,
            " UNION SELECT a.author_id FROM discussions a WHERE a.id = $3 AND a.author_id > $2
              UNION SELECT w.id FROM first_authors w
              UNION SELECT s.user_id FROM subscriptions s
                    WHERE s.discussion_id = $3 AND s.ignored = FALSE AND s.user_id > $2
              ORDER BY 1 LIMIT $4)"
        )
    };
}

const OF_PUBLIC: &str = candidates!(
    concat!(
        "WITH RECURSIVE ",
        tree!(),
        ", ",
        first_people!("SELECT tm.user_id FROM tree JOIN team_members tm ON tm.team_id = tree.id WHERE tm.user_id > $2")
    ),
    "$3",
    "$5",
    "u.id IN (SELECT w.id FROM first_authors w)"
);

const OF_PRIVATE: &str = candidates!(
    concat!(
        "WITH RECURSIVE ",
        first_people!("SELECT tm.user_id FROM team_members tm WHERE tm.team_id = $1 AND tm.user_id > $2")
    ),
    "$3",
    "$5",
    "u.id IN (SELECT w.id FROM first_authors w)"
);

/// The reason does not depend on comments here: the person is mentioned, or the reason is known.
const ONE: &str = candidates!("WITH people (id) AS (SELECT CAST($2 AS BIGINT))", "$1", "$3", "FALSE");
