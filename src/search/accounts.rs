//! Searching accounts: people and organizations whose login or name contains the words of a query.
//!
//! Names have no index for that, so as many accounts are read as a search may compare.

use super::query::{COMPARISONS, parsed, terms, unseen};
use crate::audit::phrase::shown;
use crate::db::{row, select};
use crate::error::Result;
use crate::memory::{OrgState, Part, People, Sequence};
use crate::operation::Cx;
use crate::orgs::org::Org;
use crate::people::login::{self, Owner};
use crate::people::profile;
use crate::policy::{SEES_CONCEALED, SITE_ADMIN};
use crate::site::signed_in;

/// The words and qualifiers of a query.
#[derive(Debug, Default, PartialEq, Eq)]
struct Query {
    /// Words in lower case; true if the word is excluded.
    words: Vec<(bool, String)>,
    /// True for people if they are wanted, and for organizations.
    kinds: Option<[bool; 2]>,
    /// True for logins if words are looked for in them, and for names.
    places: Option<[bool; 2]>,
    /// The login of the organization whose members are wanted.
    org: Option<String>,
}

const KNOWN: &str = "Use `type:`, `in:` and `org:`, or put words with a colon in quotation marks.";

impl Query {
    fn read(text: &str) -> std::result::Result<Self, String> {
        let mut query = Self::default();
        terms(text, |excluded, name, value| query.add(excluded, name, value))?;
        Ok(query)
    }

    fn add(&mut self, excluded: bool, name: Option<&str>, value: &str) -> std::result::Result<(), String> {
        let either = |known: Option<[bool; 2]>, more: [bool; 2]| {
            let [first, second] = known.unwrap_or_default();
            Some([first || more[0], second || more[1]])
        };
        let word = value.trim().to_lowercase();
        match (name.map(str::to_ascii_lowercase).as_deref(), word.as_str()) {
            (None, "") => {}
            (None, _) => self.words.push((excluded, word)),
            (Some("type" | "in" | "org"), _) if excluded => {
                return Err("`type:`, `in:` and `org:` cannot be excluded.".to_owned());
            }
            (Some("type"), "user" | "users") => self.kinds = either(self.kinds, [true, false]),
            (Some("type"), "org" | "orgs" | "organization") => self.kinds = either(self.kinds, [false, true]),
            (Some("in"), "login") => self.places = either(self.places, [true, false]),
            (Some("in"), "name") => self.places = either(self.places, [false, true]),
            (Some("org"), login) if !login.is_empty() && self.org.is_none() => self.org = Some(login.to_owned()),
            (Some(name), value) => {
                let [name, value] = [name, value].map(shown);
                return Err(format!("`{name}:{value}` is not known. {KNOWN}"));
            }
        }
        Ok(())
    }

    /// None if an account does not match; true if a word is its whole login, which makes it one of the best matches.
    fn compare(&self, account: &Account) -> Option<bool> {
        let [in_logins, in_names] = self.places.unwrap_or([true; 2]);
        let login = account.login.to_lowercase();
        let name = account.name.as_deref().unwrap_or_default().to_lowercase();
        let has = |word: &String| in_logins && login.contains(word) || in_names && name.contains(word);
        let matches = self.words.iter().all(|(excluded, word)| has(word) != *excluded);
        matches.then(|| self.words.iter().any(|(excluded, word)| !excluded && *word == login))
    }

    /// The most people and the most organizations that are read.
    fn most(&self) -> usize {
        usize::try_from(COMPARISONS).unwrap_or_default() / 2 / (1 + self.words.len())
    }
}

row! {
    /// A person or an organization, as a search reads it.
    struct Account from "a" {
        id: i64,
        login: String,
        name: Option<String>,
    }
}

/// The accounts that match a query, the best first. Suspended people are found by site administrators only.
pub fn search(cx: &mut Cx, text: &str) -> Result<Vec<Owner>> {
    let query = parsed(text, Query::read)?;
    let [people, orgs] = query.kinds.unwrap_or([true, query.org.is_none()]);
    let mut found = Vec::new();
    if people {
        let accounts = self::people(cx, &query)?;
        let matching = accounts.iter().filter_map(|one| Some((!query.compare(one)?, Owner::User(one.id))));
        found.extend(matching);
    }
    if orgs && query.org.is_none() {
        let most = i64::try_from(query.most()).unwrap_or(i64::MAX);
        let accounts: Vec<Account> = cx.tx.all(ORGS, &[&0_i64, &most])?;
        found.extend(accounts.iter().filter_map(|one| Some((!query.compare(one)?, Owner::Org(one.id)))));
    }
    found.sort_by_key(|(is_partial, _)| *is_partial);
    Ok(found.into_iter().map(|(_, account)| account).collect())
}

/// The people that are compared with a query, by ID.
fn people(cx: &mut Cx, query: &Query) -> Result<Vec<Account>> {
    let sees_suspended = SITE_ADMIN.rule.holds(signed_in(cx));
    let Some(org) = &query.org else {
        let most = i64::try_from(query.most()).unwrap_or(i64::MAX);
        return cx.tx.all(PEOPLE, &[&0_i64, &most, &sees_suspended]);
    };
    let ids = members(cx, org, query.most())?;
    let mut profiles = profile::profiles(cx.tx, &ids)?;
    profiles.retain(|one| sees_suspended || !one.user.suspended);
    profiles.sort_unstable_by_key(|one| one.user.id);
    Ok(profiles.into_iter().map(|one| Account { id: one.user.id, login: one.user.login, name: one.name }).collect())
}

const PEOPLE: &str = select!(Account from
    "users a
     WHERE a.id > $1 AND (a.suspended = FALSE OR $3 = TRUE) ORDER BY a.id LIMIT $2");
const ORGS: &str = select!(Account from "orgs a WHERE a.id > $1 ORDER BY a.id LIMIT $2");

/// The members of an organization that the caller sees.
fn members(cx: &mut Cx, login: &str, most: usize) -> Result<Vec<i64>> {
    let Some(Owner::Org(id)) = login::find(cx.tx, login)? else { return Err(unseen()) };
    let org = Org::by_ids(cx, &[id])?.pop().ok_or_else(unseen)?;
    let which = if SEES_CONCEALED.holds(org.standing(cx)) { People::All } else { People::Public };
    let first = |state: &mut OrgState| {
        let users = state.users(which);
        users.part(0..users.total().min(most))
    };
    cx.site.organizations.ask(cx.tx, (id, org.version), Part::People, first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_has_words_and_qualifiers() {
        let query = Query::read(r#"Ada -"Love Lace" type:USER in:name org:Acme"#).unwrap();
        assert_eq!(query.words, [(false, "ada".to_owned()), (true, "love lace".to_owned())]);
        assert_eq!((query.kinds, query.places), (Some([true, false]), Some([false, true])));
        assert_eq!(query.org.as_deref(), Some("acme"));
        for (text, why) in [
            ("repos:>5", "`repos:>5` is not known. Use `type:`"),
            ("type:bot", "`type:bot` is not known."),
            ("org:", "`org:` is not known."),
            ("-type:user", "cannot be excluded"),
            ("a OR b", "`OR` is not supported."),
        ] {
            let error = Query::read(text).unwrap_err();
            assert!(error.contains(why), "{text}: {error}");
        }
    }
}
