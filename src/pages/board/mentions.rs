//! Mentions in texts as links to people and teams (decision 37). Only those that the visitor sees become links, so that a
//! link says nothing that the visitor may not know.

use std::cell::Cell;
use std::fmt::Write;

use super::At;
use crate::error::Result;
use crate::links::segment;
use crate::pages::guest::body;
use crate::posts::mentions::{MOST, places};

/// The most links on a page, and the longest name of one, in bytes: together they bound what links add to a page.
const LINKS: usize = 50;
const LONGEST: usize = 100;

/// The elements whose texts mention no one.
const WITHOUT: [&str; 3] = ["a", "code", "pre"];

/// The names that are mentioned on a page and that the visitor sees.
pub(super) struct Mentioned {
    /// The path before those of pages.
    base: String,
    /// Logins and teams such as `acme/core`, in lower case.
    names: Vec<String>,
    /// The number of further links.
    left: Cell<usize>,
}

impl Mentioned {
    /// The names in these texts of safe HTML.
    pub async fn of<'t>(at: &At<'_>, texts: impl Iterator<Item = &'t str>) -> Result<Self> {
        let mut names: Vec<String> = Vec::new();
        for (_, name) in texts.flat_map(pieces).filter(|(_, mentions)| *mentions).flat_map(|(text, _)| places(text)) {
            if names.len() < MOST && name.len() <= LONGEST && !names.contains(&name) {
                names.push(name);
            }
        }
        if !names.is_empty() {
            let fields = body([("names", names.join(",").into())]);
            names = at.guest.call("boards.mentioned", &at.team_path(), fields).await?;
        }
        Ok(Self { base: at.guest.visit.links.html_path(""), names, left: Cell::new(LINKS) })
    }

    /// A text of safe HTML with links.
    pub fn linked(&self, html: &str) -> String {
        let mut linked = String::with_capacity(html.len());
        for (piece, mentions) in pieces(html) {
            let mut written = 0;
            for (place, name) in places(piece).filter(|_| mentions) {
                if self.left.get() == 0 || !self.names.contains(&name) {
                    continue;
                }
                self.left.set(self.left.get() - 1);
                linked.push_str(&piece[written..place.start]);
                written = place.end;
                // Writing to a text does not fail.
                let _ = write!(linked, "<a href=\"{}{}\">{}</a>", self.base, path(&name), &piece[place]);
            }
            linked.push_str(&piece[written..]);
        }
        linked
    }
}

/// The path of a person or a team below `/ui`.
fn path(name: &str) -> String {
    match name.split_once('/') {
        Some((org, slug)) => format!("/orgs/{}/teams/{}", segment(org), segment(slug)),
        None => format!("/{}", segment(name)),
    }
}

/// The tags and texts of safe HTML, each with true for a text that may mention people and teams.
fn pieces(html: &str) -> impl Iterator<Item = (&str, bool)> {
    let (mut rest, mut inside) = (html, 0_usize);
    std::iter::from_fn(move || {
        let is_tag = rest.starts_with('<');
        let end = if is_tag { rest.find('>').map(|at| at + 1) } else { rest.find('<') };
        let (piece, after) = rest.split_at(end.unwrap_or(rest.len()));
        rest = after;
        if is_tag {
            let name = piece.trim_start_matches(['<', '/']).split([' ', '>']).next().unwrap_or_default();
            match (WITHOUT.contains(&name), piece.starts_with("</")) {
                (true, false) => inside += 1,
                (true, true) => inside = inside.saturating_sub(1),
                _ => {}
            }
        }
        (!piece.is_empty()).then_some((piece, !is_tag && inside == 0))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_outside_of_code_and_links_become_links() {
        let names = ["max", "acme/core"].map(str::to_owned).to_vec();
        let of = Mentioned { base: "/x/ui".to_owned(), names, left: Cell::new(3) };
        let link = |path: &str, text: &str| format!("<a href=\"/x/ui/{path}\">{text}</a>");
        for (html, linked) in [
            (
                "<p>Hi @Max, &lt;@max&gt;</p>",
                format!("<p>Hi {}, &lt;{}&gt;</p>", link("max", "@Max"), link("max", "@max")),
            ),
            ("<p><code>@max</code> <a href=\"https://e.org/@max\">@max</a> a@max @eve</p>", String::new()),
            ("<pre><code>@max\n</code></pre>", String::new()),
            ("<p><em>@acme/core</em>.</p>", format!("<p><em>{}</em>.</p>", link("orgs/acme/teams/core", "@acme/core"))),
            // There are no further links.
            ("<p>@max</p>", String::new()),
        ] {
            assert_eq!(of.linked(html), if linked.is_empty() { html } else { &linked });
        }
    }
}
