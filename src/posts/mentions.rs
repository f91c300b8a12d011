//! The people mentioned in a text: `@login` where people read it, not in code and not within a word (decision 37).

use crate::db::Tx;
use crate::error::Result;
use crate::people::login;

/// How many logins in one text count as mentioned.
pub const MOST: usize = 50;

/// Adds the logins that a piece of plain text mentions, each once, in lower case.
pub fn collect(text: &str, found: &mut Vec<String>) {
    let mut before = None;
    for (at, c) in text.char_indices() {
        let begins = c == '@' && before.is_none_or(|c: char| !c.is_alphanumeric() && c != '@' && c != '/');
        before = Some(c);
        if !begins || found.len() == MOST {
            continue;
        }
        let rest = &text[at + 1..];
        let end = rest.find(|c: char| !is_of_login(c)).unwrap_or(rest.len());
        // A trailing dot or dash belongs to the sentence.
        let name = login::key(rest[..end].trim_end_matches(['.', '-', '_']));
        // `@org/team` names no person, and `@name@host` is an account on another site.
        let is_person = !name.is_empty() && name.len() <= 100 && !rest[end..].starts_with(['/', '@']);
        if is_person && !found.contains(&name) {
            found.push(name);
        }
    }
}

fn is_of_login(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.')
}

/// The people of the organization who have these logins, by identifier.
pub fn people(tx: &mut Tx, org: i64, logins: &[String]) -> Result<Vec<i64>> {
    let mut people = Vec::new();
    for login in logins {
        people.extend(tx.maybe::<(i64,)>(PERSON, &[login, &org])?.map(|(id,)| id));
    }
    people.sort_unstable();
    Ok(people)
}

const PERSON: &str = "
    SELECT m.user_id FROM logins l JOIN org_members m ON m.org_id = $2 AND m.user_id = l.user_id
    WHERE l.login_key = $1 AND l.current = TRUE";

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
        assert!(mentioned("a@b.c @ @@x /@y @acme/core @a@b é@f").is_empty());
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
