//! The list of the discussions of a team, the pinned ones and then the newest first.

use askama::Template;

use super::At;
use super::records::Line;
use crate::error::Result;
use crate::operation::Page;
use crate::pages::guest::{Listed, READS, body};
use crate::pages::layout::{Frame, Shown};
use crate::pages::names::Names;
use crate::pages::problem::Problem;
use crate::pages::team::room::{Head, Room};
use crate::posts::words::words;

/// The number of posts on a page.
const SHOWN: u64 = 20;

/// The pinned posts, which are few; they are on the first page.
const PINNED: Page = Page { number: 1, per_page: 100 };

/// The longest beginning of a text that is shown, in bytes; two lines are visible.
const BEGINNING: usize = 200;

/// The part of a text that is looked at for its beginning, in bytes.
const LOOKED_AT: usize = 1_000;

/// The sentences after a form, by the word in the query.
const DONE: [(&str, &str); 1] = [("deleted", "The post and its comments are deleted.")];

/// Answers a visit to the board.
pub(super) async fn answer(at: &At<'_>) -> Result<Shown> {
    let guest = at.guest;
    let (room, path) = (Room::enter(guest, [at.org, at.slug]).await?, at.team_path());
    if guest.has_form() {
        return guest.only_by(READS);
    }
    let posts = |pinned: bool, page| {
        let pinned = body([("pinned", pinned.into())]);
        guest.list::<Line>("teams.listDiscussionsInOrg", &path, pinned, page)
    };
    let (pinned, list) = (posts(true, PINNED).await?, posts(false, guest.page(SHOWN)).await?);
    let authors = pinned.items.iter().chain(&list.items).filter_map(|of| of.author.as_ref());
    let names = Names::of(guest, authors.map(|author| author.login.as_str())).await?;
    let writes = guest.may("teams.createDiscussionInOrg", &path).await?;
    let none = Problem::default();
    let head = Head::new(&room, "/discussions", &none, &DONE);
    Shown::of(200, &Board { frame: guest.frame()?, head, pinned, list, names, writes })
}

#[derive(Template)]
#[template(path = "board/list.html")]
struct Board<'a> {
    frame: Frame,
    head: Head<'a>,
    /// The pinned posts.
    pinned: Listed<Line>,
    /// The other posts.
    list: Listed<Line>,
    /// The names of their authors.
    names: Names,
    /// True if the visitor may write a post.
    writes: bool,
}

impl Board<'_> {
    /// The posts of the page. The pinned ones are the first on the first page.
    fn posts(&self) -> impl Iterator<Item = &Line> {
        let pinned = if self.list.page.number == 1 { self.pinned.items.as_slice() } else { &[] };
        pinned.iter().chain(&self.list.items)
    }

    /// The number of posts on all pages.
    fn total(&self) -> u64 {
        self.head.room.board.total
    }

    fn is_new(&self, post: &Line) -> bool {
        self.head.room.board.unread.contains(&post.number)
    }

    /// The first words of a post.
    #[expect(clippy::unused_self, reason = "templates call methods")]
    fn beginning(&self, post: &Line) -> String {
        beginning(&post.body_html)
    }
}

/// The beginning of a text, in words.
pub(super) fn beginning(html: &str) -> String {
    let mut text = words(&html[..html.floor_char_boundary(LOOKED_AT)]);
    if text.len() > BEGINNING {
        text.truncate(text.floor_char_boundary(BEGINNING));
        text.push('…');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::beginning;

    #[test]
    fn a_text_is_shortened_to_its_first_words() {
        assert_eq!(beginning("<p>Hello <b>you</b></p>\n<p>a &lt; b</p>"), "Hello you\na < b");
        let long = format!("<p>{}</p>", "ä".repeat(5_000));
        assert_eq!(beginning(&long), format!("{}…", "ä".repeat(100)));
        assert_eq!(beginning(&format!("<p>a</p><a href=\"{}\">b</a>", "x".repeat(5_000))), "a");
    }
}
