//! A notice as the API shows it: a thread, which is a discussion that the person was notified of. A thread that the
//! person may no longer see is not found.

use schemars::JsonSchema;
use serde::Serialize;

use crate::clock::Time;
use crate::db::{Lock, Tx, row};
use crate::error::{Error, Result};
use crate::links::{Links, node_id};
use crate::operation::{Caller, Cx, Path, Subject};
use crate::orgs::record::OrganizationSimple;
use crate::policy::Standing;
use crate::site::signed_in;

/// A discussion that the caller was notified of.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "thread")]
pub struct ThreadRecord {
    /// ID.
    pub id: String,
    /// Always null: discussions belong to teams.
    pub repository: Option<()>,
    /// The organization.
    pub organization: OrganizationSimple,
    /// The team on whose board the discussion is.
    pub team: ThreadTeam,
    /// The discussion, and the last thing that happened in it.
    pub subject: ThreadSubject,
    /// Reason why the caller was notified: `author`, `comment`, `manual`, `mention` or `subscribed`.
    pub reason: String,
    /// True if the caller has not read it yet.
    pub unread: bool,
    /// Time of the newest post that the caller was notified of.
    pub updated_at: Time,
    /// Time at which the caller read it last; null if never.
    pub last_read_at: Option<Time>,
    /// URL of the record.
    pub url: String,
    /// URL of the subscription.
    pub subscription_url: String,
}

/// A team, as far as a thread names it.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ThreadTeam {
    /// ID.
    pub id: i64,
    /// GraphQL node ID.
    pub node_id: String,
    /// Name.
    pub name: String,
    /// Slug.
    pub slug: String,
    /// URL of the record.
    pub url: String,
}

/// The discussion that a thread is about.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ThreadSubject {
    /// Title of the discussion.
    pub title: String,
    /// URL of the discussion.
    pub url: String,
    /// URL of the newest comment that the caller was notified of; of the discussion if there is none.
    pub latest_comment_url: String,
    /// Always `TeamDiscussion`.
    #[serde(rename = "type")]
    pub kind: &'static str,
}

row! {
    /// A notice with what its record shows.
    #[derive(Debug, Clone)]
    pub struct Thread from "n" {
        /// ID.
        pub id: i64,
        /// The discussion.
        pub discussion: i64 = "n.discussion_id",
        /// The reason why the person was notified.
        pub reason: String,
        unread: bool,
        updated_at: Time,
        last_read_at: Option<Time>,
        title: String = "d.title",
        number: i64 = "d.number",
        comment: Option<i64> = "c.number",
        team: (i64, String, String) = "t.id, t.name, t.slug",
        org: (i64, String, Option<String>) = "o.id, o.login, o.description",
    }
}

/// The tables of a [`Thread`], for the notices `n` that their people still see.
macro_rules! seen {
    ($where:literal) => {
        concat!(
            " FROM notices n
              JOIN users u ON u.id = n.user_id
              JOIN discussions d ON d.id = n.discussion_id
              JOIN teams t ON t.id = d.team_id
              JOIN orgs o ON o.id = t.org_id
              LEFT JOIN comments c ON c.id = n.comment_id
              WHERE ",
            $where,
            " AND ",
            $crate::notices::recipients::sees!()
        )
    };
}
pub(super) use seen;

impl Thread {
    /// Its record.
    #[must_use]
    pub fn record(self, links: &Links) -> ThreadRecord {
        let (team, name, slug) = self.team;
        let (org, login, description) = self.org;
        let url = links.team(org, team, "");
        let discussion = format!("{url}/discussions/{}", self.number);
        let latest = self.comment.map_or_else(|| discussion.clone(), |n| format!("{discussion}/comments/{n}"));
        let thread = links.api(&format!("/notifications/threads/{}", self.id));
        ThreadRecord {
            id: self.id.to_string(),
            repository: None,
            organization: OrganizationSimple::new(links, org, &login, description),
            team: ThreadTeam { id: team, node_id: node_id("Team", team), name, slug, url },
            subject: ThreadSubject {
                title: self.title,
                url: discussion,
                latest_comment_url: latest,
                kind: "TeamDiscussion",
            },
            reason: self.reason,
            unread: self.unread,
            updated_at: self.updated_at,
            last_read_at: self.last_read_at,
            subscription_url: format!("{thread}/subscription"),
            url: thread,
        }
    }
}

const BY_ID: &str = const_str::concat!("SELECT ", Thread::COLUMNS, seen!("n.id = $1 AND n.user_id = $2"));

impl Subject for Thread {
    const FORMS: &'static [&'static str] = &["/notifications/threads/{thread_id}"];
    const PERSONAL: bool = true;

    fn find(cx: &mut Cx, path: &Path) -> Result<(Self, Standing)> {
        let id = path.id("thread_id")?.ok_or(Error::NotFound)?;
        cx.me()?;
        let found = cx.tx.maybe(BY_ID, &[&id, &cx.my_id()])?.ok_or(Error::NotFound)?;
        Ok((found, signed_in(cx)))
    }

    fn locks(_: &mut Tx, caller: &Caller, _: &Path) -> Result<Vec<Lock>> {
        Ok(caller.person.iter().map(|person| Lock::User(person.id)).collect())
    }

    fn organizations(&self) -> Vec<i64> {
        vec![self.org.0]
    }

    fn canonical(&self) -> String {
        format!("/notifications/threads/{}", self.id)
    }
}
