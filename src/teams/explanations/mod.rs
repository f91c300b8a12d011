//! Explanations of access: the paths that grant a person a level on a repository or a project (decision 67).
//!
//! A caller sees the paths of which they may know: those that lead through no team, those through teams that they see,
//! and all of their own. An application is shown nothing through teams of organizations that do not let it in. A level
//! is that of the strongest path that the caller sees, so that one that is hidden changes nothing. A list has the people
//! whose level is above none without counting that everyone reads what is public. Only the strongest hundred paths of a
//! person are read, because a person can be in any number of teams.

pub mod project;
pub mod repo;

use std::collections::HashMap;

use schemars::JsonSchema;
use serde::Serialize;

use crate::clock::Time;
use crate::db::{ByIds, by_ids_after, row};
use crate::error::{Error, Result};
use crate::links::Links;
use crate::operation::{Cx, List, Record};
use crate::people::user::{self, SimpleUser};

/// The kinds of paths, in the order in which paths of the same level are shown. Statements have their positions.
const KINDS: [&str; 5] = ["owner", "team", "parent_team", "collaborator", "default"];

/// The longest text that names are compared with, in characters.
const LONGEST: usize = 256;

/// A person's access to a repository or a project, and the paths that grant it.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "access")]
pub struct Access {
    /// Login of the person.
    pub login: String,
    /// Their level, which is that of the first path; `none` without a path.
    pub level: &'static str,
    /// The paths that the caller sees, the strongest first; at most 100.
    pub paths: Vec<AccessPath>,
}

/// One reason why a person has access.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "access-path")]
pub struct AccessPath {
    /// `owner`, `team`, `parent_team` (through a team below), `collaborator`, or `default` for what an organization gives
    /// its members and everyone has on what is public.
    pub kind: &'static str,
    /// The level that it gives.
    pub level: &'static str,
    /// The team that was given the level.
    pub team: Option<AccessTeam>,
    /// The person who gave the level, if that is known and they have an account.
    pub granted_by: Option<SimpleUser>,
    /// The time at which it was given, if that is known.
    pub granted_at: Option<Time>,
}

/// The team of a path.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "access-team")]
pub struct AccessTeam {
    /// ID.
    pub id: i64,
    /// Slug.
    pub slug: String,
    /// Name.
    pub name: String,
}

row! {
    /// A path as it is found.
    struct Found from "found" {
        person: i64,
        kind: i64,
        level: i64,
        granted_at: Option<Time>,
        granted_by: user::Joined = "gu.id, gu.login, gu.site_admin",
        team: Team = "found.team_id, found.slug, found.name",
    }
}

/// The columns of a team that an outer join may not find.
type Team = (Option<i64>, Option<String>, Option<String>);

impl Found {
    fn record(self, links: &Links, word: Word) -> AccessPath {
        let (id, slug, name) = self.team;
        let team = id.zip(slug).zip(name).map(|((id, slug), name)| AccessTeam { id, slug, name });
        AccessPath {
            kind: usize::try_from(self.kind).ok().and_then(|kind| KINDS.get(kind)).copied().unwrap_or("default"),
            level: word(self.level),
            team,
            granted_by: user::joined(self.granted_by).map(|user| SimpleUser::new(links, &user)),
            granted_at: self.granted_at,
        }
    }
}

/// The word for a stored level; `none` for 0.
type Word = fn(i64) -> &'static str;

/// The access to one kind of subject. `$1` is the caller, `$2` the subject, and `$3` the caller's application.
struct Statements {
    /// The number of people with the level `$4`, or any, who match `$5`, or all.
    count: &'static str,
    /// The same people from `$7` on, at most `$6`: ID and login, the strongest first.
    page: &'static str,
    /// The paths of these people, in the order in which they are shown.
    paths: &'static ByIds,
    word: Word,
}

impl Statements {
    /// The access of the person with this login to a subject.
    fn explain_one(&self, cx: &mut Cx, subject: i64, login: &str) -> Result<Record<Access>> {
        let person = user::by_login(cx.tx, login)?;
        let access = self.explain(cx, subject, vec![(person.id, person.login)])?.pop();
        access.map(Record::from).ok_or_else(|| Error::Bug("the access of a person is not there".into()))
    }

    /// The access of these people to a subject, in their order.
    fn explain(&self, cx: &mut Cx, subject: i64, people: Vec<(i64, String)>) -> Result<Vec<Access>> {
        let ids: Vec<i64> = people.iter().map(|(id, _)| *id).collect();
        let before = (cx.my_id(), cx.caller.application());
        let found: Vec<Found> = by_ids_after(cx.tx, self.paths, &[&before.0, &subject, &before.1], &ids)?;
        let mut of: HashMap<i64, Vec<Found>> = HashMap::new();
        for path in found {
            of.entry(path.person).or_default().push(path);
        }
        let access = |(id, login): (i64, String)| {
            let paths = of.remove(&id).unwrap_or_default();
            let level = (self.word)(paths.first().map_or(0, |path| path.level));
            let paths = paths.into_iter().map(|path| path.record(cx.links, self.word)).collect();
            Access { login, level, paths }
        };
        Ok(people.into_iter().map(access).collect())
    }

    /// A page of the people who have access to a subject.
    fn list(&self, cx: &mut Cx, subject: i64, level: Option<i64>, q: Option<&str>) -> Result<List<Access>> {
        let q = folded(q)?;
        let (me, application) = (cx.my_id(), cx.caller.application());
        let total: i64 = cx.tx.one(self.count, &[&me, &subject, &application, &level, &q])?;
        let (limit, offset) = cx.page.sql();
        let page = cx.tx.all(self.page, &[&me, &subject, &application, &level, &q, &limit, &offset])?;
        List::of(self.explain(cx, subject, page)?, total)
    }
}

/// The text that logins and names are searched for; none if it is blank.
fn folded(q: Option<&str>) -> Result<Option<String>> {
    let q = q.map(str::trim).unwrap_or_default();
    if q.chars().count() > LONGEST {
        let message = format!("q is longer than {LONGEST} characters");
        return Err(Error::explained("Access", "invalid", "q", message));
    }
    Ok((!q.is_empty()).then(|| q.to_ascii_lowercase()))
}

/// True if the caller `$1` knows of a path of `mt` that leads through the team `t`.
macro_rules! is_known {
    () => {
        concat!(
            "(mt.user_id = $1 OR ",
            $crate::teams::visible::is_seen!(),
            ") AND ",
            $crate::operation::let_in!("t.org_id", "$3")
        )
    };
}
use is_known;

/// The statements that count and list the people whom this one ranks, with one row for each of the ways in which they
/// have a level.
macro_rules! ranked {
    ($ways:expr, $columns:literal, $end:literal) => {
        const_str::concat!(
            "SELECT ",
            $columns,
            " FROM (SELECT way.user_id AS person, max(way.level) AS level FROM (",
            $ways,
            ") way GROUP BY way.user_id HAVING max(way.level) > 0) ranked CROSS JOIN searched_people sp
             WHERE sp.id = ranked.person AND (CAST($4 AS BIGINT) IS NULL OR ranked.level = $4)
               AND (CAST($5 AS TEXT) IS NULL OR replace(sp.login_text, $5, '') <> sp.login_text
                    OR replace(sp.name_text, $5, '') <> sp.name_text)",
            $end
        )
    };
}
use ranked;

/// The statement that reads the strongest hundred paths of each person, in their order, from these ways: a row for each
/// way in which a person has a level. What leads through the same team is one path, and so is what has the same kind and
/// leads through none. Only one of these ways says who gave the level: the role `security_manager` was not granted by a
/// person.
macro_rules! paths {
    ($ways:expr) => {
        const_str::concat!(
            "SELECT ",
            Found::COLUMNS,
            " FROM (SELECT path.person, path.kind, path.level, path.team_id, path.granted_by, path.granted_at, t.slug, t.name,
                    row_number() OVER (PARTITION BY path.person ORDER BY path.level DESC, path.kind, t.name_key, t.id) AS place
             FROM (SELECT way.person, min(way.kind) AS kind, max(way.level) AS level, way.team_id,
                          max(way.granted_by) AS granted_by, max(way.granted_at) AS granted_at
                   FROM (",
            $ways,
            ") way
                   WHERE way.level > 0
                   GROUP BY way.person, way.team_id, CASE WHEN way.team_id IS NULL THEN way.kind END) path
             LEFT JOIN teams t ON t.id = path.team_id) found
             LEFT JOIN users gu ON gu.id = found.granted_by
             WHERE found.place <= 100 ORDER BY found.person, found.place"
        )
    };
}
use paths;
