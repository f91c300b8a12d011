//! Searching teams: those that the caller sees, in all organizations, compared with a query (decision 78).
//!
//! Everything that a search shows or counts is something that the caller can list as well.

use std::collections::HashMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::lookup;
use super::record::{TeamShort, TeamSimple};
use super::visible::is_seen;
use crate::db::{by_ids, row, select};
use crate::error::Result;
use crate::operation::{Cx, Paged, let_in};
use crate::orgs::record::{self, OrganizationSimple};
use crate::people::login::{self, Owner};
use crate::policy::Granted;
use crate::rows::TeamRow;
use crate::search::found::{Found, part, refuse_unreachable};
use crate::search::query::{ME, parsed, terms, unknown, unseen};
use crate::search::words::Words;
use crate::site::Site;

/// A team that was found.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "team-search-result-item")]
pub struct FoundTeam {
    /// The team.
    #[serde(flatten)]
    pub team: TeamShort,
    /// Its organization.
    pub organization: OrganizationSimple,
    /// Always 1.
    pub score: f64,
}

/// Search the teams that the caller sees. The page after the first 1,000 results is refused.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Search {
    /// Words and phrases in quotation marks, which are looked for in names, slugs and the first 350 characters of
    /// descriptions, and the qualifiers `org:`, `member:` (a login, or `@me`), for direct members, and `parent:`, a slug.
    /// `-` or `NOT` excludes a word. Any other qualifier is refused, and so is `OR`.
    #[schemars(required, extend("x-function-validates" = true))]
    pub q: Option<String>,
}

/// Searches teams. The best match, a team with a word as its name or slug, comes first, then the order of names.
pub fn search(cx: &mut Cx, _: Granted<Site>, p: Search) -> Result<Paged<Found<FoundTeam>>> {
    let query = parsed(p.q.as_deref().unwrap_or_default(), Query::read)?;
    refuse_unreachable(cx)?;
    let candidates = candidates(cx, &query)?;
    let incomplete = candidates.len() >= query.words.most();
    let mut found: Vec<_> = candidates.into_iter().filter_map(|team| query.compare(team)).collect();
    found.sort_unstable();
    let total = u64::try_from(found.len()).unwrap_or(u64::MAX);
    let page: Vec<i64> = part(cx, &found).iter().map(|(_, _, id)| *id).collect();
    Ok(Found::page(total, incomplete, records(cx, &page)?))
}

/// The words and qualifiers of a query.
#[derive(Debug, Default, PartialEq, Eq)]
struct Query {
    words: Words,
    org: Option<String>,
    member: Option<String>,
    parent: Option<String>,
}

const KNOWN: &str = "Use `org:`, `member:` and `parent:`, each once, or put words with a colon in quotation marks.";

impl Query {
    fn read(text: &str) -> std::result::Result<Self, String> {
        let mut query = Self::default();
        terms(text, |excluded, name, value| query.add(excluded, name, value))?;
        Ok(query)
    }

    fn add(&mut self, excluded: bool, name: Option<&str>, value: &str) -> std::result::Result<(), String> {
        let Some(name) = name else {
            self.words.add(excluded, value);
            return Ok(());
        };
        let place = match name.to_ascii_lowercase().as_str() {
            "org" => Some(&mut self.org),
            "member" => Some(&mut self.member),
            "parent" => Some(&mut self.parent),
            _ => None,
        };
        match place {
            Some(_) if excluded => Err("`org:`, `member:` and `parent:` cannot be excluded.".to_owned()),
            Some(place @ None) if !value.trim().is_empty() => {
                *place = Some(value.trim().to_lowercase());
                Ok(())
            }
            _ => Err(unknown(name, value, KNOWN)),
        }
    }

    /// The rank of a team that matches: false for the best matches, its name, and its ID.
    fn compare(&self, team: Candidate) -> Option<(bool, String, i64)> {
        let [name, slug, description] = [team.name, team.slug, team.description].map(|text| text.to_lowercase());
        let matches = self.words.match_any(&[&name, &slug, &description]);
        matches.then(|| (!self.words.name(&[&name, &slug]), name, team.id))
    }
}

row! {
    /// A team, as a search reads it.
    struct Candidate from "t" {
        id: i64,
        name: String,
        slug: String,
        description: String = "coalesce(substr(t.description, 1, 350), '')",
    }
}

/// The teams that are compared with the words of a query, by ID: those that the caller sees.
fn candidates(cx: &mut Cx, query: &Query) -> Result<Vec<Candidate>> {
    let account = |cx: &mut Cx, login: &Option<String>| match login.as_deref() {
        None => Ok(None),
        Some(ME) => Ok(Some(Owner::User(cx.my_id()))),
        Some(login) => login::find(cx.tx, login)?.ok_or_else(unseen).map(Some),
    };
    let org = match account(cx, &query.org)? {
        None => None,
        Some(Owner::Org(id)) => Some(id),
        Some(Owner::User(_)) => return Err(unseen()),
    };
    let member = match account(cx, &query.member)? {
        None => None,
        Some(Owner::User(id)) => Some(id),
        Some(Owner::Org(_)) => return Err(unseen()),
    };
    let most = i64::try_from(query.words.most()).unwrap_or(i64::MAX);
    cx.tx.all(CANDIDATES, &[&cx.my_id(), &cx.caller.application(), &org, &member, &query.parent, &most])
}

const CANDIDATES: &str = select!(Candidate from
    "teams t
     WHERE t.org_id IN (SELECT mine.org_id FROM org_members mine WHERE mine.user_id = $1) AND ",
    is_seen!(), " AND ", let_in!("t.org_id", "$2"), "
     AND (CAST($3 AS BIGINT) IS NULL OR t.org_id = $3)
     AND (CAST($4 AS BIGINT) IS NULL
          OR EXISTS (SELECT 1 FROM team_members m WHERE m.team_id = t.id AND m.user_id = $4))
     AND (CAST($5 AS TEXT) IS NULL OR EXISTS (SELECT 1 FROM teams p WHERE p.id = t.parent_id AND p.slug = $5))
     ORDER BY t.id LIMIT $6");

/// The records of these teams, in their order.
fn records(cx: &mut Cx, ids: &[i64]) -> Result<Vec<FoundTeam>> {
    let teams: HashMap<i64, TeamRow> = rows(cx, ids)?;
    let mut parents: Vec<i64> = teams.values().filter_map(|team| team.parent_id).collect();
    let mut orgs: Vec<i64> = teams.values().map(|team| team.org_id).collect();
    for list in [&mut parents, &mut orgs] {
        list.sort_unstable();
        list.dedup();
    }
    let parents = rows(cx, &parents)?;
    let orgs: HashMap<i64, record::Profile> =
        record::profiles(cx.tx, &orgs)?.into_iter().map(|org| (org.id, org)).collect();
    let record = |id: &i64| {
        let team = teams.get(id)?.clone();
        let org = orgs.get(&team.org_id)?;
        let simple = |team: TeamRow| TeamSimple::new(cx.links, &org.login, team);
        let parent = team.parent_id.and_then(|parent| parents.get(&parent)).cloned().map(simple);
        let organization = OrganizationSimple::new(cx.links, org.id, &org.login, org.description.clone());
        Some(FoundTeam { team: TeamShort { team: simple(team), parent }, organization, score: 1.0 })
    };
    Ok(ids.iter().filter_map(record).collect())
}

fn rows(cx: &mut Cx, ids: &[i64]) -> Result<HashMap<i64, TeamRow>> {
    let rows: Vec<TeamRow> = by_ids(cx.tx, &lookup::BY_IDS, ids)?;
    Ok(rows.into_iter().map(|team| (team.id, team)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_has_words_and_qualifiers() {
        let query = Query::read(r#"Core -"old ones" ORG:Acme member:Nina parent:platform"#).unwrap();
        let expected = [query.org, query.member, query.parent].map(Option::unwrap);
        assert_eq!(expected, ["acme", "nina", "platform"]);
        for (text, why) in [
            ("repos:>5", "`repos:>5` is not known. Use `org:`"),
            ("org:", "`org:` is not known."),
            ("org:a org:b", "`org:b` is not known. Use `org:`, `member:` and `parent:`, each once"),
            ("-member:nina", "cannot be excluded"),
            ("a OR b", "`OR` is not supported."),
        ] {
            let error = Query::read(text).unwrap_err();
            assert!(error.contains(why), "{text}: {error}");
        }
    }
}
