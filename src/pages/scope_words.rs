//! Scopes in plain words, as the pages for applications and tokens show them.

/// A scope in plain words.
#[derive(Debug)]
pub(super) struct Word {
    /// The scope.
    pub scope: &'static str,
    /// The permission, in words that follow "It will be able to".
    pub can: &'static str,
    /// True if it can do harm.
    pub is_strong: bool,
}

const fn word(scope: &'static str, can: &'static str) -> Word {
    Word { scope, can, is_strong: false }
}

const fn strong(scope: &'static str, can: &'static str) -> Word {
    Word { scope, can, is_strong: true }
}

/// The scopes that something here uses, the strongest first.
const WORDS: &[Word] = &[
    strong("site_admin", "Administer this site: people, organizations and all tokens"),
    strong(
        "admin:org",
        "Run your organizations as you can: change owners, members, teams and settings, and delete teams",
    ),
    strong("admin:org_hook", "Have everything that happens in organizations that you own sent to other servers"),
    strong(
        "repo",
        "Change repositories, teams and their members as you can, and delete repositories that you administer",
    ),
    word("write:org", "See your organizations and teams, and change the projects of teams"),
    word("read:org", "See your organizations and teams, and who is on them"),
    word("user", "Change your profile and e-mail addresses, see your teams, and accept memberships for you"),
    word("user:email", "See your e-mail addresses"),
    word("read:user", "See e-mail addresses that people show to you"),
    word("write:discussion", "Read and write posts on boards that you can see"),
    word("read:discussion", "Read posts on boards that you can see"),
    word("notifications", "See your notifications, and mark them as read"),
    word("audit_log", "Read the audit log of organizations that you own"),
    word("read:audit_log", "Read the audit log of organizations that you own"),
];

/// These scopes in words, and those that nothing here uses.
pub(super) fn of(scopes: &[String]) -> (Vec<&'static Word>, Vec<&str>) {
    let known = |scope: &String| WORDS.iter().any(|word| word.scope == scope);
    let words = WORDS.iter().filter(|word| scopes.iter().any(|scope| scope == word.scope)).collect();
    (words, scopes.iter().filter(|scope| !known(scope)).map(String::as_str).collect())
}

/// Sentences about what these scopes permit.
pub(super) fn sentences(scopes: &[String]) -> String {
    let (words, useless) = of(scopes);
    let mut sentences: Vec<String> = words.into_iter().map(|word| format!("{}.", word.can)).collect();
    if sentences.is_empty() {
        sentences.push("See what everyone can see.".to_owned());
    }
    if !useless.is_empty() {
        sentences.push(format!("Nothing here uses {}.", useless.join(", ")));
    }
    sentences.join(" ")
}

/// The scopes that a person may choose for a token, the weakest first: those that operations accept by this name.
pub(super) fn offered(is_site_admin: bool) -> Vec<&'static Word> {
    let is_offered = |word: &&Word| match word.scope {
        "audit_log" | "read:user" => false,
        "site_admin" => is_site_admin,
        _ => true,
    };
    WORDS.iter().rev().filter(is_offered).collect()
}

#[cfg(test)]
mod tests {
    use super::{of, sentences};

    #[test]
    fn the_strongest_come_first_and_useless_ones_apart() {
        let scopes = ["gist", "read:org", "repo"].map(str::to_owned);
        let (words, useless) = of(&scopes);
        assert_eq!(
            words.iter().map(|word| (word.scope, word.is_strong)).collect::<Vec<_>>(),
            [("repo", true), ("read:org", false)]
        );
        assert_eq!(useless, ["gist"]);
        assert_eq!(sentences(&["gist".to_owned()]), "See what everyone can see. Nothing here uses gist.");
    }
}
