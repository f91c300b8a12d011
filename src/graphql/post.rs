//! The fields of posts on the boards of teams, and of comments on them.

use super::board;
use super::person;
use super::posted::{Comment, Discussion, Kind, Page, is_mine};
use super::running::{Failure, Resolved, Running};
use super::value::{Args, Out, Thing};
use crate::links::node_id;
use crate::people::user::User;
use crate::posts::places::Head;
use crate::posts::record::{comment_page, page};
use crate::posts::words::words;

/// A field of a discussion.
pub fn field<'a>(run: &Running, discussion: &'a Discussion, name: &str, args: Args) -> Resolved<Out<'a>> {
    let Discussion { row, page } = discussion;
    match name {
        "title" => Out::leaf(&row.title),
        "isPrivate" => Out::leaf(row.private),
        "isPinned" => Out::leaf(row.pinned),
        "viewerCanPin" => Out::leaf(page.lets_pin(run)),
        "team" => Ok(Out::One(Thing::Team(page.team.clone()))),
        "comments" => board::comments(run, discussion, args),
        "id" => Out::leaf(node_id("TeamDiscussion", row.head.id)),
        "url" => Out::leaf(run.links.html(&self::page(&page.team, row.head.number))),
        "resourcePath" => Out::leaf(run.links.html_path(&self::page(&page.team, row.head.number))),
        _ => content(run, page, &row.head, Kind::Discussion, name),
    }
}

/// A field of a comment.
pub fn comment_field<'a>(run: &Running, comment: &'a Comment, name: &str) -> Resolved<Out<'a>> {
    let Comment { row, discussion, page } = comment;
    let path = || comment_page(&page.team, discussion.row.head.number, row.number);
    match name {
        "discussion" => Ok(Out::One(Thing::Discussion(discussion.clone()))),
        "id" => Out::leaf(node_id("TeamDiscussionComment", row.id)),
        "url" => Out::leaf(run.links.html(&path())),
        "resourcePath" => Out::leaf(run.links.html_path(&path())),
        _ => content(run, page, row, Kind::Comment, name),
    }
}

/// A field that both have.
fn content<'a>(run: &Running, page: &Page, head: &'a Head, kind: Kind, name: &str) -> Resolved<Out<'a>> {
    let texts = || page.texts(run, kind, head.id);
    match name {
        "databaseId" => Out::database_id(head.id),
        "number" => Out::leaf(head.number),
        "body" => Out::leaf(texts()?.body.clone()),
        "bodyHTML" => Out::leaf(texts()?.html.clone()),
        "bodyText" => Out::leaf(words(&texts()?.html)),
        "bodyVersion" => Out::leaf(&head.version),
        "author" => Out::one(head.author.as_ref().map(|author| one(run, page, author))),
        "editor" => Out::one(head.editor.as_ref().map(|editor| one(run, page, editor))),
        "createdAt" | "publishedAt" => Out::leaf(head.created_at.to_string()),
        "updatedAt" => Out::leaf(head.updated_at.to_string()),
        "lastEditedAt" => Out::maybe(head.last_edited_at.map(|time| time.to_string())),
        "viewerDidAuthor" => Out::leaf(is_mine(run, head)),
        // A caller who may do one may do the other.
        "viewerCanUpdate" | "viewerCanDelete" => Out::leaf(page.lets_edit(run, kind, head)),
        _ => Err(Failure::unknown("a post", name)),
    }
}

/// An author or editor, who is on the page.
fn one(run: &Running, page: &Page, user: &User) -> Thing {
    run.known.list_people(&page.people);
    person::one(user)
}
