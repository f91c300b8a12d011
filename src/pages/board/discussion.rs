//! The page of a discussion: the post, its comments, and what the visitor does with them.

use askama::Template;
use serde_json::Value;

use super::At;
use super::draft::Draft;
use super::entry::{Entry, room};
use super::mentions::Mentioned;
use super::records::{Comment, Post, Team};
use crate::error::{Error, Result};
use crate::notices::reader::{Place, Reader};
use crate::operation::Page;
use crate::pages::form::Form;
use crate::pages::guest::{Listed, READS, body};
use crate::pages::layout::{Frame, Shown};
use crate::pages::names::Names;
use crate::pages::problem::Problem;

/// The number of comments on a page.
const SHOWN: u64 = 15;

/// The newest comments, among which one that was sent twice is.
const NEWEST: Page = Page { number: 1, per_page: 5 };

/// The sentences after a form, by the word in the query.
const DONE: [(&str, &str); 8] = [
    ("posted", "Posted."),
    ("saved", "Saved."),
    ("deleted", "Comment deleted."),
    ("pinned", "Pinned. The board shows it first."),
    ("unpinned", "Unpinned."),
    ("everything", "You get notifications of new comments."),
    ("nothing", "Muted. You get no notifications of new comments, even if they mention you."),
    ("default", "This post follows your usual settings again."),
];

/// Answers a visit to the page.
pub(super) async fn answer(at: &At<'_>, number: &str) -> Result<Shown> {
    let Some(form) = &at.guest.visit.form else {
        return show(at, number, Draft::default()).await;
    };
    match form.get("do") {
        "preview" => show(at, number, Draft::typed(form).previewed(at).await?).await,
        "comment" => comment(at, number, Draft::typed(form)).await,
        "choose" => {
            let choice = body([("choice", form.get("choice").into())]);
            at.guest.call::<Value>("discussions.choose", &at.post_path(number), choice).await?;
            Ok(at.guest.see(&format!("{}/{number}", at.board()), form.get("choice")))
        }
        "pin" => pin(at, number, true).await,
        "unpin" => pin(at, number, false).await,
        _ => react(at, number, form).await,
    }
}

/// Leads to the page of the discussion that has a comment.
pub(super) async fn lead_to(at: &At<'_>, number: &str, comment: &str) -> Result<Shown> {
    let shown = place(at, number, comment).await?;
    if at.guest.has_form() { at.guest.only_by(READS) } else { Ok(shown) }
}

async fn place(at: &At<'_>, number: &str, comment: &str) -> Result<Shown> {
    let place: Place = at.guest.call("comments.locate", &at.comment_path(number, comment), body([])).await?;
    Ok(lead(at, number, place.before / SHOWN + 1, &format!("comment-{comment}")))
}

fn lead(at: &At<'_>, number: &str, page: u64, anchor: &str) -> Shown {
    let query = if page > 1 { format!("?page={page}") } else { String::new() };
    Shown::see(at.guest.visit.links.html_path(&format!("{}/{number}{query}#{anchor}", at.board())))
}

async fn comment(at: &At<'_>, number: &str, draft: Draft) -> Result<Shown> {
    let path = at.post_path(number);
    let order = body([("direction", "desc".into())]);
    let newest: Listed<Comment> = at.guest.list("teams.listDiscussionCommentsInOrg", &path, order, NEWEST).await?;
    let is_same = |of: &Comment| at.is_repeated(of.text.by(), of.text.created_at) && of.text.body == draft.body;
    let fields = body([("body", draft.body.clone().into())]);
    let written = match newest.items.into_iter().find(is_same) {
        Some(comment) => Ok(comment),
        None => draft.write::<Comment>(at.guest, "teams.createDiscussionCommentInOrg", &path, fields).await?,
    };
    match written {
        Ok(comment) => place(at, number, &comment.number.to_string()).await,
        Err(draft) => show(at, number, draft).await,
    }
}

/// Pins the post or unpins it.
async fn pin(at: &At<'_>, number: &str, pinned: bool) -> Result<Shown> {
    let fields = body([("pinned", pinned.into())]);
    match at.guest.call::<Value>("discussions.pin", &at.post_path(number), fields).await {
        Ok(_) => Ok(at.guest.see(&format!("{}/{number}", at.board()), if pinned { "pinned" } else { "unpinned" })),
        Err(error) => show(at, number, Draft { problem: Problem::of(error)?, ..Draft::default() }).await,
    }
}

/// Gives a reaction, or takes one back. One that is gone already is taken back.
async fn react(at: &At<'_>, number: &str, form: &Form) -> Result<Shown> {
    let comment = form.get("comment");
    let (add, remove, path) = if comment.is_empty() {
        let path = at.post_path(number).to_vec();
        ("reactions.createForTeamDiscussionInOrg", "reactions.deleteForTeamDiscussion", path)
    } else {
        let path = at.comment_path(number, comment).to_vec();
        ("reactions.createForTeamDiscussionCommentInOrg", "reactions.deleteForTeamDiscussionComment", path)
    };
    if form.has("take") {
        let path = [path, vec![("reaction_id", form.get("take"))]].concat();
        match at.guest.call::<Value>(remove, &path, body([])).await {
            Ok(_) | Err(Error::NotFound) => {}
            Err(error) => return Err(error),
        }
    } else if form.has("give") {
        at.guest.call::<Value>(add, &path, body([("content", form.get("give").into())])).await?;
    } else {
        return Err(Error::NotFound);
    }
    let page = form.get("page").parse().unwrap_or(1);
    let anchor = if comment.is_empty() { "post".to_owned() } else { format!("comment-{comment}") };
    Ok(lead(at, number, page, &anchor))
}

async fn show(at: &At<'_>, number: &str, draft: Draft) -> Result<Shown> {
    let (guest, path) = (at.guest, at.post_path(number));
    let post: Post = guest.call("teams.getDiscussionInOrg", &path, body([])).await?;
    let team = at.team().await?;
    let order = body([("direction", "asc".into())]);
    let list: Listed<Comment> = guest.list("teams.listDiscussionCommentsInOrg", &path, order, page(at)).await?;
    let shown = [list.items.first(), list.items.last()].map(|of| of.map_or(0, |comment| comment.number));
    let reader = at.reader(number, shown).await?;
    let authors = list.items.iter().filter_map(|comment| comment.text.by()).chain(post.text.by());
    let names = Names::of(guest, authors.chain(reader.people.iter().map(String::as_str))).await?;
    let texts = [&post.text].into_iter().chain(list.items.iter().map(|comment| &comment.text));
    let mentioned = Mentioned::of(at, texts.map(|text| text.body_html.as_str())).await?;
    let comments = guest.may("teams.createDiscussionCommentInOrg", &path).await?;
    let pins = guest.may("discussions.pin", &path).await?;
    let mut frame = guest.frame()?;
    if mark_as_read(at, &reader).await? {
        frame.unread = frame.unread.saturating_sub(1);
    }
    let status = draft.problem.status();
    let whole = guest.query("whole").parse().unwrap_or_default();
    let done = if guest.has_form() { "" } else { guest.done(&DONE) };
    let page = Discussion { frame, team, post, list, reader, names, mentioned, comments, pins, draft, whole, done };
    Shown::of(status, &page)
}

/// The page that is shown: that of the query, or of the form that comes back.
fn page(at: &At<'_>) -> Page {
    let number = at.guest.visit.form.as_ref().and_then(|form| form.get("page").parse().ok());
    match number.filter(|number| *number > 0) {
        Some(number) => Page { number, per_page: SHOWN },
        None => at.guest.page(SHOWN),
    }
}

/// Marks the discussion as read in the visitor's inbox; true if it was unread. An administrator who acts for a person
/// leaves their inbox as it is.
async fn mark_as_read(at: &At<'_>, reader: &Reader) -> Result<bool> {
    let acts = at.guest.person.as_ref().is_some_and(|person| person.impersonator.is_some());
    let shows = !acts && !at.guest.visit.has_other_verb();
    let Some(thread) = reader.unread.filter(|_| shows) else { return Ok(false) };
    let thread = thread.to_string();
    match at.guest.call::<Value>("activity.markThreadAsRead", &[("thread_id", &thread)], body([])).await {
        // A store that cannot save anything still shows what is in it.
        Ok(_) | Err(Error::NotFound | Error::Unavailable(_)) => Ok(true),
        Err(error) => Err(error),
    }
}

#[derive(Template)]
#[template(path = "board/discussion.html")]
struct Discussion {
    frame: Frame,
    team: Team,
    post: Post,
    list: Listed<Comment>,
    reader: Reader,
    /// The names of those who take part.
    names: Names,
    mentioned: Mentioned,
    /// True if the visitor may comment.
    comments: bool,
    /// True if the visitor may pin the post and unpin it.
    pins: bool,
    draft: Draft,
    /// The number of the comment that is shown whole, however long it is; 0 for none.
    whole: i64,
    /// A sentence about what was just done; empty if nothing was.
    done: &'static str,
}

impl Discussion {
    fn entry(&self) -> Entry<'_> {
        Entry::of_post(&self.post, &self.reader, self.whole).linked(&self.mentioned)
    }

    fn entries(&self) -> impl Iterator<Item = Entry<'_>> {
        let room = room(&self.list.items);
        let entry = move |comment| Entry::of_comment(comment, &self.reader, (self.whole, room));
        self.list.items.iter().map(move |comment| entry(comment).linked(&self.mentioned))
    }

    /// The path of the discussion on the host.
    fn here(&self) -> &str {
        &self.frame.here
    }

    /// The address of a comment that is shown whole.
    fn whole(&self, entry: &Entry<'_>) -> String {
        let number = entry.number;
        format!("{}?page={}&whole={number}#{}", self.frame.here, self.list.page.number, entry.anchor())
    }

    /// The people who take part, the author of the post first.
    fn people(&self) -> Vec<&str> {
        let author = self.post.text.by();
        let others = self.reader.people.iter().map(String::as_str).filter(|login| Some(*login) != author);
        author.into_iter().chain(others).collect()
    }

    /// True if the visitor is told about new comments.
    fn is_told(&self) -> bool {
        let Reader { muted, reason, notifies, .. } = &self.reader;
        *notifies && (*muted == Some(false) || muted.is_none() && reason.is_some())
    }

    /// The reason why the visitor is told about new comments, or is not.
    fn why(&self) -> &'static str {
        let Reader { muted, reason, notifies, .. } = &self.reader;
        match (muted, reason.as_deref()) {
            _ if !notifies => "The notifications of this team are switched off.",
            (Some(true), _) => "You muted this post.",
            (_, Some("author")) => "Because you wrote the post.",
            (_, Some("comment")) => "Because you took part.",
            (_, Some(_)) => "Because you are on this team, or on one below it.",
            (Some(false), None) => "Because you asked for it.",
            (None, None) => "You are not on this team. You are still told when you are mentioned.",
        }
    }

    /// The way in which the visitor is told.
    fn ways(&self) -> &'static str {
        match self.reader.mail.as_str() {
            "none" => "They come to your inbox.",
            "mentions" => "They come to your inbox, and by e-mail if they mention you.",
            "unverified" => "They come to your inbox, and by e-mail once your address is verified.",
            _ => "They come to your inbox and by e-mail.",
        }
    }
}
