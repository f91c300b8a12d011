//! Searching accounts: people and organizations whose login or name contains the words of a query.
//!
//! Names have no index for that, so as many accounts are read as a search may compare.

use std::cmp::Reverse;
use std::collections::HashMap;

use schemars::JsonSchema;
use serde::Deserialize;

use super::query::{Order, parsed, terms, unknown, unseen};
use super::words::Words;
use crate::clock::Time;
use crate::db::{ByIds, by_ids, row, select};
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
    words: Words,
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
            (None, _) => self.words.add(excluded, value),
            (Some("type" | "in" | "org"), _) if excluded => {
                return Err("`type:`, `in:` and `org:` cannot be excluded.".to_owned());
            }
            (Some("type"), "user" | "users") => self.kinds = either(self.kinds, [true, false]),
            (Some("type"), "org" | "orgs" | "organization") => self.kinds = either(self.kinds, [false, true]),
            (Some("in"), "login") => self.places = either(self.places, [true, false]),
            (Some("in"), "name") => self.places = either(self.places, [false, true]),
            (Some("org"), login) if !login.is_empty() && self.org.is_none() => self.org = Some(login.to_owned()),
            (Some(name), value) => {
                return Err(unknown(name, value, KNOWN));
            }
        }
        Ok(())
    }

    /// None if an account does not match; true if a word is its whole login, which makes it one of the best matches.
    fn compare(&self, account: &Account) -> Option<bool> {
        let [in_logins, in_names] = self.places.unwrap_or([true; 2]);
        let login = account.login.to_lowercase();
        let name = account.name.as_deref().unwrap_or_default().to_lowercase();
        let texts =
            [(in_logins, &login), (in_names, &name)].map(|(is_place, text)| if is_place { text.as_str() } else { "" });
        self.words.match_any(&texts).then(|| self.words.name(&[&login]))
    }

    /// The most people and the most organizations that are read.
    fn most(&self) -> usize {
        self.words.most() / 2
    }
}

row! {
    /// A person or an organization, as a search reads it.
    struct Account from "a" {
        id: i64,
        login: String,
        name: Option<String>,
        created_at: Time,
    }
}

/// The property to sort accounts by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Sort {
    /// The number of followers. There are none, so the order is that of IDs, people first.
    Followers,
    /// The number of public repositories.
    Repositories,
    /// The time at which the account was made.
    Joined,
}

/// The accounts that match a query.
pub struct Matches {
    /// The accounts, in order.
    pub accounts: Vec<Owner>,
    /// True if there were too many accounts to compare each with the query.
    pub incomplete: bool,
}

/// An account that matches.
struct Match {
    account: Owner,
    /// False if a word is its whole login.
    partial: bool,
    joined: Time,
}

/// The accounts that match a query, in this order or else the best first. Suspended people are found by site
/// administrators only.
pub fn search(cx: &mut Cx, text: &str, sort: Option<(Sort, Order)>) -> Result<Matches> {
    let query = parsed(text, Query::read)?;
    let [people, orgs] = query.kinds.unwrap_or([true, query.org.is_none()]);
    let most = query.most();
    let people = if people { self::people(cx, &query)? } else { Vec::new() };
    let orgs: Vec<Account> = if orgs && query.org.is_none() {
        cx.tx.all(ORGS, &[&0_i64, &i64::try_from(most).unwrap_or(i64::MAX)])?
    } else {
        Vec::new()
    };
    let incomplete = people.len().max(orgs.len()) >= most;
    let compare = |one: &Account, account: Owner| {
        query.compare(one).map(|whole| Match { account, partial: !whole, joined: one.created_at })
    };
    let people = people.iter().filter_map(|one| compare(one, Owner::User(one.id)));
    let orgs = orgs.iter().filter_map(|one| compare(one, Owner::Org(one.id)));
    let mut found: Vec<Match> = people.chain(orgs).collect();
    order(cx, &mut found, sort)?;
    Ok(Matches { accounts: found.into_iter().map(|one| one.account).collect(), incomplete })
}

/// Sorts accounts that match. Among equal ones, people come first, and otherwise the lowest ID.
fn order(cx: &mut Cx, found: &mut [Match], sort: Option<(Sort, Order)>) -> Result<()> {
    let Some((sort, order)) = sort else {
        found.sort_by_key(|one| one.partial);
        return Ok(());
    };
    let keys: HashMap<Owner, i64> = match sort {
        Sort::Followers => return Ok(()),
        Sort::Joined => found.iter().map(|one| (one.account, one.joined.0)).collect(),
        Sort::Repositories => public_repos(cx, found)?,
    };
    let key = |one: &Match| keys.get(&one.account).copied().unwrap_or_default();
    match order {
        Order::Desc => found.sort_by_key(|one| Reverse(key(one))),
        Order::Asc => found.sort_by_key(key),
    }
    Ok(())
}

/// The numbers of public repositories of these accounts, for those that have any.
fn public_repos(cx: &mut Cx, found: &[Match]) -> Result<HashMap<Owner, i64>> {
    let people = found.iter().filter_map(|one| if let Owner::User(id) = one.account { Some(id) } else { None });
    let counts: Vec<(i64, i64)> = by_ids(cx.tx, &REPOS_OF_PEOPLE, &people.collect::<Vec<_>>())?;
    let mut all: HashMap<Owner, i64> = counts.into_iter().map(|(id, count)| (Owner::User(id), count)).collect();
    let orgs = found.iter().filter_map(|one| if let Owner::Org(id) = one.account { Some(id) } else { None });
    let counts: Vec<(i64, i64)> = by_ids(cx.tx, &REPOS_OF_ORGS, &orgs.collect::<Vec<_>>())?;
    all.extend(counts.into_iter().map(|(id, count)| (Owner::Org(id), count)));
    Ok(all)
}

static REPOS_OF_PEOPLE: ByIds =
    ByIds::new("SELECT user_id, count(*) FROM repos WHERE user_id IN ({ids}) AND private = FALSE GROUP BY user_id");
static REPOS_OF_ORGS: ByIds = ByIds::new("SELECT id, public_repos FROM orgs WHERE id IN ({ids})");

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
    let account = |one: profile::Profile| Account {
        id: one.user.id,
        login: one.user.login,
        name: one.name,
        created_at: one.created_at,
    };
    Ok(profiles.into_iter().map(account).collect())
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
        assert!(query.words.match_any(&["ada", "lovelace"]) && !query.words.match_any(&["ada love lace"]));
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
