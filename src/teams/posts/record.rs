//! Records of discussions and comments, as `github-schemas.md` gives them.

use schemars::JsonSchema;
use serde::Serialize;

use super::comment::CommentRow;
use super::discussion::DiscussionRow;
use super::reaction::Sums;
use crate::clock::Time;
use crate::links::{Links, node_id};
use crate::people::user::SimpleUser;
use crate::teams::team::Team;

/// How often each reaction was given.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "reactions")]
pub struct Rollup {
    /// Address of the list of them.
    pub url: String,
    /// All of them.
    pub total_count: i64,
    /// Thumbs up.
    #[serde(rename = "+1")]
    pub thumbs_up: i64,
    /// Thumbs down.
    #[serde(rename = "-1")]
    pub thumbs_down: i64,
    /// Laughing.
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

/// A post on the board of a team.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "team-discussion")]
pub struct TeamDiscussion {
    /// Who wrote it; null if the account is gone.
    pub author: Option<SimpleUser>,
    /// The text, Markdown.
    pub body: String,
    /// The text, HTML.
    pub body_html: String,
    /// The MD5 of the text.
    pub body_version: String,
    /// How many comments there are.
    pub comments_count: i64,
    /// Address of the comments.
    pub comments_url: String,
    /// When it was written.
    pub created_at: Time,
    /// When the text changed last.
    pub last_edited_at: Option<Time>,
    /// Address of the page.
    pub html_url: String,
    /// Identifier in GraphQL.
    pub node_id: String,
    /// Its number in the team.
    pub number: i64,
    /// Always false.
    pub pinned: bool,
    /// Whether only the team's people and owners see it.
    pub private: bool,
    /// Address of the team.
    pub team_url: String,
    /// Its title.
    pub title: String,
    /// When anything of it changed last.
    pub updated_at: Time,
    /// Address of the record, by identifier.
    pub url: String,
    /// How often each reaction was given.
    pub reactions: Rollup,
}

impl TeamDiscussion {
    /// The record of a post of this team.
    #[must_use]
    pub fn new(links: &Links, team: &Team, row: DiscussionRow) -> Self {
        let DiscussionRow { content, id, title, private, comments_count } = row;
        let team_url = links.team(team.brief.org_id, team.brief.id, "");
        let url = numbered(&team_url, "/discussions/", content.number);
        Self {
            author: content.author.map(|author| SimpleUser::new(links, &author)),
            body: content.body,
            body_html: content.body_html,
            body_version: content.body_version,
            comments_count,
            comments_url: [&url, "/comments"].concat(),
            created_at: content.created_at,
            last_edited_at: content.last_edited_at,
            html_url: page(links, team, content.number),
            node_id: node_id("TeamDiscussion", id),
            number: content.number,
            pinned: false,
            private,
            team_url,
            title,
            updated_at: content.updated_at,
            reactions: Rollup::new(&url, content.reactions),
            url,
        }
    }
}

/// A comment under a discussion.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "team-discussion-comment")]
pub struct TeamDiscussionComment {
    /// Who wrote it; null if the account is gone.
    pub author: Option<SimpleUser>,
    /// The text, Markdown.
    pub body: String,
    /// The text, HTML.
    pub body_html: String,
    /// The MD5 of the text.
    pub body_version: String,
    /// When it was written.
    pub created_at: Time,
    /// When the text changed last.
    pub last_edited_at: Option<Time>,
    /// Address of the discussion.
    pub discussion_url: String,
    /// Address of the page.
    pub html_url: String,
    /// Identifier in GraphQL.
    pub node_id: String,
    /// Its number in the discussion.
    pub number: i64,
    /// When anything of it changed last.
    pub updated_at: Time,
    /// Address of the record, by identifier.
    pub url: String,
    /// How often each reaction was given.
    pub reactions: Rollup,
}

impl TeamDiscussionComment {
    /// The record of a comment under the discussion of this number.
    #[must_use]
    pub fn new(links: &Links, team: &Team, discussion: i64, row: CommentRow) -> Self {
        let CommentRow { content, id } = row;
        let discussion_url = numbered(&links.team(team.brief.org_id, team.brief.id, ""), "/discussions/", discussion);
        let url = numbered(&discussion_url, "/comments/", content.number);
        Self {
            author: content.author.map(|author| SimpleUser::new(links, &author)),
            body: content.body,
            body_html: content.body_html,
            body_version: content.body_version,
            created_at: content.created_at,
            last_edited_at: content.last_edited_at,
            discussion_url,
            html_url: numbered(&page(links, team, discussion), "/comments/", content.number),
            node_id: node_id("TeamDiscussionComment", id),
            number: content.number,
            updated_at: content.updated_at,
            reactions: Rollup::new(&url, content.reactions),
            url,
        }
    }
}

/// The address of a discussion for people.
fn page(links: &Links, team: &Team, discussion: i64) -> String {
    let board = ["/orgs/", &team.home.login, "/teams/", &team.brief.slug].concat();
    numbered(&links.html(&board), "/discussions/", discussion)
}

fn numbered(of: &str, kind: &str, number: i64) -> String {
    [of, kind, itoa::Buffer::new().format(number)].concat()
}
