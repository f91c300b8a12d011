//! Forms that take away what is gone already: they lead to the list where it was, or to the nearest page above that the
//! visitor still sees. What they may not see is not told apart from what is not there.

use super::guest::{GONE, Guest};
use super::layout::Shown;
use crate::error::Result;

/// The last words of pages on which something is taken away. What they are about is named before.
const PAGES: [&str; 4] = ["delete", "remove", "outside", "leave"];

/// The values of `do` of forms that take something away.
const TAKING: [&str; 5] = ["cancel", "delete", "remove", "revoke", "take"];

/// The fields of forms that end the session or the connection that they name.
const ENDING: [&str; 2] = ["end", "untie"];

/// The words that name no page of their own: what is in them is listed above.
const WITHOUT_PAGE: [&str; 6] = ["comments", "orgs", "projects", "registered", "teams", "users"];

/// The code of the forms on the pages of registered applications.
const APPLICATIONS: &str = "/ui/settings/applications";

impl Guest<'_> {
    /// After a form of ours that takes away what is not found: the redirect to the list where it was.
    pub(super) fn lead_to_list(&self, words: &[&str]) -> Result<Option<Shown>> {
        let Some(form) = self.sent() else { return Ok(None) };
        let is_page = words.last().is_some_and(|last| PAGES.contains(last));
        let takes = TAKING.contains(&form.get("do")) || ENDING.iter().any(|name| form.has(name));
        if !is_page && !takes || !self.is_own(&self.visit.path)? && !self.is_own(APPLICATIONS)? {
            return Ok(None);
        }
        let list = match words {
            ["ui", "settings", "applications", "registered", ..] => &words[..3],
            [thing @ .., _] if is_page => above(thing),
            _ => words,
        };
        Ok(Some(self.lead_up(list)))
    }

    /// On the way up from there: the redirect from a page that is gone too; none if this is not the way.
    pub(super) fn lead_above(&self, words: &[&str]) -> Option<Shown> {
        (!self.has_form() && words.len() > 1 && self.query("done") == GONE).then(|| self.lead_up(above(words)))
    }

    fn lead_up(&self, words: &[&str]) -> Shown {
        let path = words.iter().skip(1).map(|word| ["/", &crate::links::segment(word)].concat());
        self.see(&path.collect::<String>(), GONE)
    }
}

/// The words of the page above.
fn above<'w>(words: &'w [&'w str]) -> &'w [&'w str] {
    let mut above = words.split_last().map_or(words, |(_, above)| above);
    while let [rest @ .., last] = above
        && WITHOUT_PAGE.contains(last)
    {
        above = rest;
    }
    above
}

#[cfg(test)]
mod tests {
    use super::above;

    #[test]
    fn a_page_is_above_what_it_lists() {
        let of = |path: &str| above(&path.split('/').skip(1).collect::<Vec<_>>()).join("/");
        for (path, expected) in [
            ("/ui/orgs/acme/teams/core/discussions/5/comments/7", "ui/orgs/acme/teams/core/discussions/5"),
            ("/ui/orgs/acme/teams/core/discussions", "ui/orgs/acme/teams/core"),
            ("/ui/orgs/acme/teams/core", "ui/orgs/acme"),
            ("/ui/orgs/acme/people/nina", "ui/orgs/acme/people"),
            ("/ui/orgs/acme", "ui"),
            ("/ui/nina", "ui"),
            ("/ui/admin/users/nina", "ui/admin"),
        ] {
            assert_eq!(of(path), expected);
        }
    }
}
