//! The people and teams mentioned in a text: `@login` or `@org/team` where people read it, not in code and not within a
//! word (decision 37).

use std::ops::Range;

use crate::people::login;

/// The largest number of people and teams that count as mentioned in one text.
pub const MOST: usize = 50;

/// The longest name of a person that counts, in bytes. Slugs may be longer.
const LONGEST: usize = 255;

/// Adds the logins and teams that a piece of plain text mentions, each once, in lower case: `max`, `acme/core`.
pub fn collect(text: &str, found: &mut Vec<String>) {
    for (_, name) in places(text) {
        if found.len() == MOST {
            return;
        }
        if !found.contains(&name) {
            found.push(name);
        }
    }
}

/// The mentions in a piece of plain text: the place of each, and the login or team in lower case.
pub fn places(text: &str) -> impl Iterator<Item = (Range<usize>, String)> {
    let mut before = None;
    text.char_indices().filter_map(move |(at, c)| {
        let begins = c == '@' && before.is_none_or(|c: char| !c.is_alphanumeric() && c != '@' && c != '/');
        before = Some(c);
        if !begins {
            return None;
        }
        let (name, rest) = split(&text[at + 1..]);
        let (slug, rest) = rest.strip_prefix('/').map_or(("", rest), split);
        // `@name@host` is an account on another site, and a longer path names neither a person nor a team.
        if name.is_empty() || rest.starts_with(['/', '@']) {
            return None;
        }
        let key = login::key(name);
        let end = at + 1 + name.len();
        Some(if slug.is_empty() {
            (at..end, key)
        } else {
            (at..end + 1 + slug.len(), format!("{key}/{}", login::key(slug)))
        })
    })
}

/// Splits a text behind the name that it begins with. A trailing dot or dash belongs to the sentence, and a name that
/// is too long is none.
fn split(text: &str) -> (&str, &str) {
    let end = text.find(|c: char| !is_of_name(c)).unwrap_or(text.len());
    let name = text[..end].trim_end_matches(['.', '-', '_']);
    (if name.len() <= LONGEST { name } else { "" }, &text[end..])
}

fn is_of_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mentioned(text: &str) -> Vec<String> {
        let mut found = Vec::new();
        collect(text, &mut found);
        found
    }

    #[test]
    fn a_mention_is_a_login_behind_an_at_sign_that_begins_a_word() {
        assert_eq!(mentioned("@max, @Tom-T. (@eve) @max"), ["max", "tom-t", "eve"]);
        assert!(mentioned("a@b.c @ @@x /@y @a@b é@f").is_empty());
    }

    #[test]
    fn a_team_is_mentioned_with_its_organization() {
        assert_eq!(mentioned("@acme/core, (@Acme/Web_2.) @acme/core and @acme/"), ["acme/core", "acme/web_2", "acme"]);
        assert!(mentioned("x@acme/core @acme/core/web @acme/core@b.c").is_empty());
    }

    #[test]
    fn a_mention_has_a_place() {
        let text = "é @Max. (@acme/Core_2-) @acme/";
        let found: Vec<_> = places(text).map(|(at, name)| (&text[at], name)).collect();
        let expected = [("@Max", "max"), ("@acme/Core_2", "acme/core_2"), ("@acme", "acme")];
        assert_eq!(found, expected.map(|(text, name)| (text, name.to_owned())));
    }

    #[test]
    fn a_text_mentions_no_more_than_counts() {
        use std::fmt::Write;
        let mut text = String::new();
        for n in 0..1_000 {
            write!(text, "@a{n} ").unwrap();
        }
        assert_eq!(mentioned(&text).len(), MOST);
    }
}
