//! The e-mail about a discussion or a comment (decisions 37 and 69). The post and the right to see it are read again.

use super::addressee::{Addressee, Composing, addressee, named, team_page};
use super::hourly;
use super::plan::OfPost;
use crate::db::{Tx, row};
use crate::error::Result;
use crate::mail::letter::{Board, Content, Letter, Line, Post};
use crate::mail::token::{Purpose, Sent};
use crate::name;
use crate::notices::{self, Reason};

row! {
    /// The fields of a post that a letter shows.
    struct Shown {
        org_login: String,
        org_name: Option<String>,
        team: String,
        slug: String,
        title: String,
        private: bool,
        author: Option<String> => name::or_login,
        body: String,
        html: String,
        number: i64,
        comment: Option<i64>,
    }
}

/// The letter; none if the post is gone, or if its recipient may not see it or no longer wants it. The last one of the
/// hour says so.
pub(super) fn letter(tx: &mut Tx, composing: &Composing, of: &OfPost, to: i64, last: bool) -> Result<Option<Letter>> {
    let mentioned = of.mentions.contains(&to);
    let reason = if mentioned { Reason::Mention } else { Reason::Subscribed };
    if !notices::still_wanted(tx, to, of.discussion, reason)? {
        return Ok(None);
    }
    let shown: Option<Shown> = match of.comment {
        Some(comment) => tx.maybe(COMMENT, &[&of.discussion, &comment])?,
        None => tx.maybe(DISCUSSION, &[&of.discussion])?,
    };
    let Some((shown, Addressee { name, address })) = shown.zip(addressee(tx, to)?) else { return Ok(None) };
    let token = Purpose::Unsubscribe { user: to, discussion: of.discussion }
        .token(&composing.key, Sent { generation: 0, address: &address })?;
    let comment = shown.comment.map(|comment| format!("/comments/{comment}")).unwrap_or_default();
    let page = format!("{}/discussions/{}{comment}", team_page(&shown.org_login, &shown.slug), shown.number);
    let board = Board {
        org: shown.org_login.clone(),
        team: shown.slug,
        unsubscribe: composing.links.html(&format!("/unsubscribe/{token}")),
    };
    let discussion = format!("discussion/{}", of.discussion);
    let post = of.comment.map_or(discussion.clone(), |comment| format!("{discussion}/comment/{comment}"));
    // Without an identifier of its own, mail programs would drop it as the e-mail about the new post.
    let id = of.edit.map_or(post.clone(), |entry| format!("{post}/edit/{entry}"));
    let follows = (id != discussion).then_some(discussion);
    let content = Content::Post(Box::new(Post {
        author: Line::name(shown.author.as_deref().unwrap_or("A deleted account")),
        org: named(shown.org_login, shown.org_name),
        team: Line::name(&shown.team),
        title: Line::title(&shown.title),
        private: shown.private,
        comment: of.comment.is_some(),
        mentioned,
        last: last.then_some(hourly::MOST),
        body: shown.body,
        html: shown.html,
        url: composing.links.html(&page),
    }));
    Ok(Some(Letter { name, address, id, follows, board: Some(board), content }))
}

const DISCUSSION: &str = "
    SELECT o.login, o.name, t.name, t.slug, d.title, d.private, a.login, a.name, d.body, d.body_html, d.number,
           CAST(NULL AS BIGINT)
    FROM discussions d
    JOIN teams t ON t.id = d.team_id
    JOIN orgs o ON o.id = t.org_id
    LEFT JOIN users a ON a.id = d.author_id
    WHERE d.id = $1";

const COMMENT: &str = "
    SELECT o.login, o.name, t.name, t.slug, d.title, d.private, a.login, a.name, c.body, c.body_html, d.number,
           c.number
    FROM comments c
    JOIN discussions d ON d.id = c.discussion_id
    JOIN teams t ON t.id = d.team_id
    JOIN orgs o ON o.id = t.org_id
    LEFT JOIN users a ON a.id = c.author_id
    WHERE d.id = $1 AND c.id = $2";
