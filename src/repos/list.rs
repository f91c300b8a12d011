//! Lists of repositories: of an organization, of the caller, and of another account.
//!
//! Implements decisions 33 (only what the caller reads) and 38 (by id).

use schemars::JsonSchema;
use serde::Deserialize;

use super::access;
use super::record::MinimalRepository;
use super::repo::{self, Repo};
use crate::db::{Params, row, select};
use crate::error::Result;
use crate::operation::{Cx, List, let_in};
use crate::orgs::account::Account;
use crate::orgs::org::Org;
use crate::people::login::Owner;
use crate::people::me::Me;
use crate::policy::Granted;

/// The repositories to list, by their visibility.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Which {
    /// All repositories that the caller can read.
    #[default]
    All,
    /// Only public repositories.
    Public,
    /// Only private repositories.
    Private,
}

impl Which {
    /// Two flags: one is true if public repositories are listed, the other if private ones are. The caller's token may
    /// not be authorized for private ones.
    fn shows(self, cx: &Cx) -> (bool, bool) {
        (self != Self::Private, self != Self::Public && repo::trusted(cx))
    }
}

/// List the repositories of an organization that the caller can read.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct OfOrg {
    /// Filter by visibility.
    #[serde(rename = "type")]
    #[schemars(extend("default" = "all"))]
    pub which: Option<Which>,
}

/// Lists the repositories of an organization that the caller reads.
pub fn of_org(cx: &mut Cx, org: Granted<Org>, p: OfOrg) -> Result<List<MinimalRepository>> {
    of_owner(cx, Owner::Org(org.id), p.which.unwrap_or_default())
}

/// List the repositories of a person or an organization that the caller can read.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct OfAccount {}

/// Lists the repositories of a person or an organization that the caller reads.
pub fn of_account(cx: &mut Cx, account: Granted<Account>, _: OfAccount) -> Result<List<MinimalRepository>> {
    of_owner(cx, account.owner, Which::All)
}

fn of_owner(cx: &mut Cx, owner: Owner, which: Which) -> Result<List<MinimalRepository>> {
    let me = cx.my_id();
    let (public, private) = which.shows(cx);
    let every = private && access::reads_all(cx.tx, me, owner)?;
    let (granted, (limit, offset)) = (private && !every, cx.page.sql());
    let (count, list, id) = match owner {
        Owner::Org(id) => (COUNT_OF_ORG, OF_ORG, id),
        Owner::User(id) => (COUNT_OF_USER, OF_USER, id),
    };
    page(
        cx,
        (count, &[&me, &id, &public, &every, &granted]),
        (list, &[&me, &id, &public, &every, &granted, &limit, &offset]),
    )
}

/// A page of repositories with the caller's level on each, and their number on all pages.
fn page(
    cx: &mut Cx,
    count: (&'static str, Params<'_>),
    list: (&'static str, Params<'_>),
) -> Result<List<MinimalRepository>> {
    let total: i64 = cx.tx.one(count.0, count.1)?;
    let repos: Vec<Repo> = cx.tx.all(list.0, list.1)?;
    let items = repos.iter().map(|repo| MinimalRepository::new(cx.links, repo, repo.level()));
    List::of(items, total)
}

/// Counts the rows that the text selects.
macro_rules! count {
    ($ids:expr) => {
        concat!("SELECT count(*) FROM (", $ids, ") p")
    };
}

/// A page of the repositories that the text selects, by id; the last two parameters are the limit and the offset.
macro_rules! page {
    ($ids:expr, $limit:literal) => {
        select!(Repo from
            "(", $ids, " ORDER BY id ", $limit,
            ") p CROSS JOIN repos r LEFT JOIN orgs o ON o.id = r.org_id LEFT JOIN users u ON u.id = r.user_id",
            " WHERE r.id = p.id ORDER BY r.id")
    };
}

/// The repositories of an owner: public ones if `$3`, every private one if `$4`, those given to the person if `$5`.
macro_rules! of_owner {
    ($owner:literal) => {
        concat!(
            "SELECT c.id AS id FROM repos c WHERE c.",
            $owner,
            " = $2 AND c.private = FALSE AND $3 = TRUE",
            " UNION ALL SELECT c.id FROM repos c WHERE c.",
            $owner,
            " = $2 AND c.private = TRUE AND $4 = TRUE",
            " UNION ALL SELECT c.id FROM (",
            access::collaborating!(),
            " UNION ",
            access::in_teams!(),
            ") g CROSS JOIN repos c WHERE c.id = g.id AND c.",
            $owner,
            " = $2 AND c.private = TRUE AND $5 = TRUE"
        )
    };
}

const COUNT_OF_ORG: &str = count!(of_owner!("org_id"));
const COUNT_OF_USER: &str = count!(of_owner!("user_id"));
const OF_ORG: &str = page!(of_owner!("org_id"), "LIMIT $6 OFFSET $7");
const OF_USER: &str = page!(of_owner!("user_id"), "LIMIT $6 OFFSET $7");

row! {
    /// The place of a repository in the lists of its owner's repositories.
    #[derive(Debug, Clone)]
    pub struct RepoPlace from "r" {
        /// ID.
        pub id: i64,
        /// The name, as names are compared.
        pub name_key: String,
        /// Creation time.
        pub created_at: i64,
        /// Time of the last change.
        pub updated_at: i64,
        /// True if it is archived.
        pub archived: bool,
        /// True if it is a fork.
        pub fork: bool = "r.fork_of IS NOT NULL",
    }
}

/// The repositories of an owner that the caller reads, in no order: the same as the list of them.
pub fn every(cx: &mut Cx, owner: Owner, which: Which) -> Result<Vec<RepoPlace>> {
    let me = cx.my_id();
    let (public, private) = which.shows(cx);
    let all = private && access::reads_all(cx.tx, me, owner)?;
    let granted = private && !all;
    let (sql, id) = match owner {
        Owner::Org(id) => (EVERY_OF_ORG, id),
        Owner::User(id) => (EVERY_OF_USER, id),
    };
    cx.tx.all(sql, &[&me, &id, &public, &all, &granted])
}

macro_rules! every {
    ($ids:expr) => {
        select!(RepoPlace from "(", $ids, ") p CROSS JOIN repos r WHERE r.id = p.id")
    };
}

const EVERY_OF_ORG: &str = every!(of_owner!("org_id"));
const EVERY_OF_USER: &str = every!(of_owner!("user_id"));

/// List the repositories that the caller owns, collaborates on, or can read as an organization member.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct OfCaller {
    /// Filter by visibility.
    #[schemars(extend("default" = "all"))]
    pub visibility: Option<Which>,
    /// Filter by how the caller has access: a comma-separated list of `owner`, `collaborator` and
    /// `organization_member`.
    #[schemars(extend("default" = "owner,collaborator,organization_member"))]
    pub affiliation: Option<String>,
}

/// Lists the repositories that the caller has.
pub fn of_caller(cx: &mut Cx, me: Granted<Me>, p: OfCaller) -> Result<List<MinimalRepository>> {
    let (public, private) = p.visibility.unwrap_or_default().shows(cx);
    let [owned, given, member] = affiliations(p.affiliation.as_deref());
    let (application, (limit, offset)) = (cx.caller.application(), cx.page.sql());
    page(
        cx,
        (COUNT_OF_CALLER, &[&me.id, &public, &private, &owned, &given, &member, &application]),
        (OF_CALLER, &[&me.id, &public, &private, &owned, &given, &member, &application, &limit, &offset]),
    )
}

/// Three flags, true to list the caller's own repositories, those that they collaborate on, and those of organizations.
/// With an unknown word, all are true.
fn affiliations(text: Option<&str>) -> [bool; 3] {
    const WORDS: [&str; 3] = ["owner", "collaborator", "organization_member"];
    let asked: Vec<&str> = text.map(|text| text.split(',').map(str::trim).collect()).unwrap_or_default();
    if asked.is_empty() || asked.iter().any(|word| !WORDS.contains(word)) {
        return [true; 3];
    }
    WORDS.map(|word| asked.contains(&word))
}

macro_rules! of_caller {
    () => {
        concat!(
            "SELECT c.id AS id FROM (SELECT own.id AS id FROM repos own WHERE own.user_id = $1 AND $4 = TRUE",
            " UNION SELECT x.id FROM (",
            access::collaborating!(),
            ") x WHERE $5 = TRUE UNION SELECT x.id FROM (",
            access::in_teams!(),
            " UNION ",
            access::in_orgs!(),
            ") x WHERE $6 = TRUE) g CROSS JOIN repos c WHERE c.id = g.id",
            " AND (c.private = FALSE AND $2 = TRUE OR c.private = TRUE AND $3 = TRUE) AND (c.org_id IS NULL OR ",
            let_in!("c.org_id", "$7"),
            ")"
        )
    };
}

/// The repositories that the caller has in one of these ways, in no order: the same as the list of them.
pub fn every_of_caller(cx: &mut Cx, which: Which, [owned, given, member]: [bool; 3]) -> Result<Vec<RepoPlace>> {
    let (public, private) = which.shows(cx);
    let application = cx.caller.application();
    cx.tx.all(EVERY_OF_CALLER, &[&cx.my_id(), &public, &private, &owned, &given, &member, &application])
}

const EVERY_OF_CALLER: &str = every!(of_caller!());
const COUNT_OF_CALLER: &str = count!(of_caller!());
const OF_CALLER: &str = page!(of_caller!(), "LIMIT $8 OFFSET $9");
