//! Records of discussions and comments (section 4 of `SPEC.md`).

use schemars::JsonSchema;
use serde::Serialize;

use super::comment::CommentRow;
use super::discussion::DiscussionRow;
use super::sums::Sums;
use crate::clock::Time;
use crate::links::{Links, node_id};
use crate::operation::json::Long;
use crate::people::user::SimpleUser;
use crate::record::record;
use crate::teams::team::{SeenTeam, Team};

/// Number of reactions of each kind.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "reactions")]
pub struct Rollup {
    /// URL of the list of reactions.
    pub url: String,
    /// Number of all reactions.
    pub total_count: i64,
    /// Thumbs up.
    #[serde(rename = "+1")]
    pub thumbs_up: i64,
    /// Thumbs down.
    #[serde(rename = "-1")]
    pub thumbs_down: i64,
    /// Laugh.
    pub laugh: i64,
    /// Hooray.
    pub hooray: i64,
    /// Confused.
    pub confused: i64,
    /// Heart.
    pub heart: i64,
    /// Rocket.
    pub rocket: i64,
    /// Eyes.
    pub eyes: i64,
}

impl Rollup {
    fn new(of: &str, sums: Sums) -> Self {
        let Sums([thumbs_up, thumbs_down, laugh, hooray, confused, heart, rocket, eyes]) = sums;
        let url = [of, "/reactions"].concat();
        let total_count = sums.total();
        Self { url, total_count, thumbs_up, thumbs_down, laugh, hooray, confused, heart, rocket, eyes }
    }
}

record! {
    /// A discussion of a team.
    #[schemars(rename = "team-discussion")]
    pub struct TeamDiscussion {
        /// The author; null if the account was deleted.
        pub author: Option<SimpleUser> = content.author.map(|author| SimpleUser::new(links, &author)),
        /// Text, in Markdown.
        pub body: Long = Long(content.body),
        /// Text, rendered as HTML.
        pub body_html: Long = Long(content.body_html),
        /// MD5 hash of the text.
        pub body_version: String = content.body_version,
        /// Number of comments.
        pub comments_count: i64 = comments_count,
        /// URL of the comments.
        pub comments_url: String = [&url, "/comments"].concat(),
        /// Creation time.
        pub created_at: Time = content.created_at,
        /// Time of the last change of the text.
        pub last_edited_at: Option<Time> = content.last_edited_at,
        /// URL of the web page.
        pub html_url: String = links.html(&page(team, content.number)),
        /// GraphQL node ID.
        pub node_id: String = node_id("TeamDiscussion", id),
        /// Number in the team.
        pub number: i64 = content.number,
        /// True if it is pinned, so that the page of the board shows it first.
        pub pinned: bool = pinned,
        /// True if only the team's members and owners can see it.
        pub private: bool = private,
        /// URL of the team.
        pub team_url: String = team_url,
        /// Its title.
        pub title: String = title,
        /// Time of the last change.
        pub updated_at: Time = content.updated_at,
        /// URL of the record, by ID.
        pub url: String = url,
        /// Number of reactions of each kind.
        pub reactions: Rollup = reactions,
    }

    /// The record of a post of this team.
    pub fn new(links: &Links, team: &Team, row: DiscussionRow) {
        let DiscussionRow { content, id, title, private, pinned, comments_count } = row;
        let team_url = links.team(team.org_id, team.id, "");
        let url = numbered(&team_url, "/discussions/", content.number);
        let reactions = Rollup::new(&url, content.reactions);
    }
}

record! {
    /// A comment on a discussion.
    #[schemars(rename = "team-discussion-comment")]
    pub struct TeamDiscussionComment {
        /// The author; null if the account was deleted.
        pub author: Option<SimpleUser> = content.author.map(|author| SimpleUser::new(links, &author)),
        /// Text, in Markdown.
        pub body: Long = Long(content.body),
        /// Text, rendered as HTML.
        pub body_html: Long = Long(content.body_html),
        /// MD5 hash of the text.
        pub body_version: String = content.body_version,
        /// Creation time.
        pub created_at: Time = content.created_at,
        /// Time of the last change of the text.
        pub last_edited_at: Option<Time> = content.last_edited_at,
        /// URL of the discussion.
        pub discussion_url: String = discussion_url,
        /// URL of the web page.
        pub html_url: String = links.html(&comment_page(team, discussion, content.number)),
        /// GraphQL node ID.
        pub node_id: String = node_id("TeamDiscussionComment", id),
        /// Number in the discussion.
        pub number: i64 = content.number,
        /// Time of the last change.
        pub updated_at: Time = content.updated_at,
        /// URL of the record, by ID.
        pub url: String = url,
        /// Number of reactions of each kind.
        pub reactions: Rollup = reactions,
    }

    /// The record of a comment in the discussion with this number.
    pub fn new(links: &Links, team: &Team, discussion: i64, row: CommentRow) {
        let CommentRow { content, id } = row;
        let discussion_url = numbered(&links.team(team.org_id, team.id, ""), "/discussions/", discussion);
        let url = numbered(&discussion_url, "/comments/", content.number);
        let reactions = Rollup::new(&url, content.reactions);
    }
}

/// The path of a discussion's web page.
#[must_use]
pub fn page(team: &SeenTeam, discussion: i64) -> String {
    let board = ["/orgs/", &team.org.login, "/teams/", &team.slug].concat();
    numbered(&board, "/discussions/", discussion)
}

/// The path of the web page of a comment.
#[must_use]
pub fn comment_page(team: &SeenTeam, discussion: i64, comment: i64) -> String {
    numbered(&page(team, discussion), "/comments/", comment)
}

fn numbered(of: &str, kind: &str, number: i64) -> String {
    [of, kind, itoa::Buffer::new().format(number)].concat()
}
