//! Scopes in plain words, as the pages for applications and tokens show them.

/// A scope in plain words.
#[derive(Debug)]
pub(super) struct Word {
    /// The scope.
    pub scope: &'static str,
    /// The permission, in words that follow "It will be able to".
    pub can: &'static str,
    /// The same about the token of another person.
    pub lets_them: &'static str,
    /// True if it can do harm.
    pub is_strong: bool,
}

const fn word(scope: &'static str, can: &'static str, lets_them: &'static str) -> Word {
    Word { scope, can, lets_them, is_strong: false }
}

const fn strong(scope: &'static str, can: &'static str, lets_them: &'static str) -> Word {
    Word { scope, can, lets_them, is_strong: true }
}

/// The scopes that something here uses, the strongest first.
const WORDS: &[Word] = &[
    strong(
        "site_admin",
        "Administer this site: people, organizations and all tokens",
        "Administer this site: people, organizations and all tokens",
    ),
    strong(
        "admin:org",
        "Run your organizations as you can: change owners, members, teams and settings, and delete teams",
        "Run their organizations as they can: change owners, members, teams and settings, and delete teams",
    ),
    strong(
        "admin:org_hook",
        "Have everything that happens in organizations that you own sent to other servers",
        "Have everything that happens in organizations that they own sent to other servers",
    ),
    strong(
        "repo",
        "Change repositories, teams and their members as you can, and delete repositories that you administer",
        "Change repositories, teams and their members as they can, and delete repositories that they administer",
    ),
    word(
        "write:org",
        "See your organizations and teams, and change the projects of teams",
        "See their organizations and teams, and change the projects of teams",
    ),
    word(
        "read:org",
        "See your organizations and teams, and who is on them",
        "See their organizations and teams, and who is on them",
    ),
    word(
        "user",
        "Change your profile and e-mail addresses, see your teams, and accept memberships for you",
        "Change their profile and e-mail addresses, see their teams, and accept memberships for them",
    ),
    word("user:email", "See your e-mail addresses", "See their e-mail addresses"),
    word("read:user", "See e-mail addresses that people show to you", "See e-mail addresses that people show to them"),
    word(
        "write:discussion",
        "Read and write posts on boards that you can see",
        "Read and write posts on boards that they can see",
    ),
    word("read:discussion", "Read posts on boards that you can see", "Read posts on boards that they can see"),
    word(
        "notifications",
        "See your notifications, and mark them as read",
        "See their notifications, and mark them as read",
    ),
    word("audit_log", READS_AUDIT.0, READS_AUDIT.1),
    word("read:audit_log", READS_AUDIT.0, READS_AUDIT.1),
];

/// The permission to read audit logs, which has two names.
const READS_AUDIT: (&str, &str) =
    ("Read the audit log of organizations that you own", "Read the audit log of organizations that they own");

/// These scopes in words, and those that nothing here uses.
pub(super) fn of(scopes: &[String]) -> (Vec<&'static Word>, Vec<&str>) {
    let known = |scope: &String| WORDS.iter().any(|word| word.scope == scope);
    let words = WORDS.iter().filter(|word| scopes.iter().any(|scope| scope == word.scope)).collect();
    (words, scopes.iter().filter(|scope| !known(scope)).map(String::as_str).collect())
}

/// Sentences about what these scopes permit a program of the visitor.
pub(super) fn sentences(scopes: &[String]) -> String {
    said(scopes, |word| word.can)
}

/// Sentences about what these scopes permit a program of another person.
pub(super) fn sentences_about(scopes: &[String]) -> String {
    said(scopes, |word| word.lets_them)
}

fn said(scopes: &[String], permission: impl Fn(&Word) -> &'static str) -> String {
    let (words, useless) = of(scopes);
    let mut sentences: Vec<String> = words.into_iter().map(|word| format!("{}.", permission(word))).collect();
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
    use super::{WORDS, of, sentences, sentences_about};

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
    #[test]
    fn words_about_another_person_do_not_speak_to_the_reader() {
        for word in WORDS {
            let has_you =
                |text: &str| text.split(|c: char| !c.is_alphabetic()).any(|word| matches!(word, "you" | "your"));
            assert!(!has_you(word.lets_them), "{}", word.lets_them);
            assert_eq!(has_you(word.can), word.can != word.lets_them, "{}", word.can);
        }
        assert_eq!(sentences_about(&["user:email".to_owned()]), "See their e-mail addresses.");
    }
}
