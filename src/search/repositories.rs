//! Searching repositories: what the caller reads, compared with a query.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::found::{Found, refuse_unreachable};
use super::query::{self, COMPARISONS, ME, Number, Order, Place, Query, REACHABLE, Sort, TERMS, Text, parsed, unseen};
use super::statements::{OF_ALL, OF_NAMED, Statements};
use crate::db::Bind;
use crate::error::{Error, Result};
use crate::operation::{Cx, Paged, Path};
use crate::people::login::{self, Owner};
use crate::policy::Granted;
use crate::repos::access;
use crate::repos::record::MinimalRepository;
use crate::repos::repo::{Named, Repo, trusted};
use crate::site::Site;

/// A repository that was found.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "repo-search-result-item")]
pub struct FoundRepository {
    /// The repository.
    #[serde(flatten)]
    pub repository: MinimalRepository,
    /// Always 1.
    pub score: f64,
}

/// Search the repositories that the caller can read. The page after the first 1,000 results is refused.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Search {
    /// Words, phrases in quotation marks, and qualifiers: `org:`, `user:`, `repo:`, `topic:`, `in:`, `is:`,
    /// `archived:`, `fork:`, `template:`, `created:`, `forks:` and `sort:`. `-` or `NOT` excludes.
    /// Any other qualifier is refused, and so is `OR`.
    #[schemars(required, extend("x-function-validates" = true))]
    pub q: Option<String>,
    /// The property to sort by. The default is what `sort:` says, or else the best match: repositories that have a word as their
    /// name, then all others.
    pub sort: Option<Sort>,
    /// The order, with `sort`.
    #[schemars(extend("default" = "desc"))]
    pub order: Option<Order>,
}

/// Searches repositories.
pub fn search(cx: &mut Cx, _: Granted<Site>, p: Search) -> Result<Paged<Found<FoundRepository>>> {
    let query = parsed(p.q.as_deref().unwrap_or_default(), query::read)?;
    refuse_unreachable(cx)?;
    let found = Matches::of(cx, query)?;
    let sort = p.sort.map(|sort| (sort, p.order.unwrap_or_default()));
    let repos = if cx.page.offset() < found.total { found.page(cx, sort, cx.page.sql())? } else { Vec::new() };
    let record_of = |repo: &Repo| MinimalRepository::new(cx.links, repo, repo.level());
    let items = repos.iter().map(|repo| FoundRepository { repository: record_of(repo), score: 1.0 }).collect();
    Ok(Found::page(found.total, found.incomplete, items))
}

/// The repositories that match a query, whose pages are yet to be read.
pub struct Matches {
    statements: &'static Statements,
    params: Params,
    words: Vec<String>,
    sort: Option<(Sort, Order)>,
    /// The number of them.
    pub total: u64,
    /// True if there were too many repositories to compare each with the query.
    pub incomplete: bool,
}

impl Matches {
    /// Compares the repositories that the caller reads with a query.
    pub fn of(cx: &mut Cx, query: Query) -> Result<Self> {
        let names = Names::of(cx, &query)?;
        let statements: &'static Statements = if names.are_some { &OF_NAMED } else { &OF_ALL };
        let mut params = Params::default();
        let most = most_candidates(&query);
        params.matching(cx, &query, &names, most);
        if names.are_some {
            for ids in [names.orgs, names.every, names.people, names.repos] {
                params.list(ids, 0);
            }
        }
        let (candidates, total): (i64, i64) = cx.tx.one(&statements.count, &params.all())?;
        let (total, incomplete) = (u64::try_from(total).unwrap_or(0), candidates >= most);
        Ok(Self { statements, params, words: query.names, sort: query.sort, total, incomplete })
    }

    /// A page of them, in this order or else in that of the query, by its limit and its offset.
    pub fn page(&self, cx: &mut Cx, sort: Option<(Sort, Order)>, (limit, offset): (i64, i64)) -> Result<Vec<Repo>> {
        let sort = sort.or(self.sort);
        let mut order = Params::default();
        let sign = if matches!(sort, Some((_, Order::Asc))) { 1_i64 } else { -1 };
        let by = |wanted: Sort| if sort.is_some_and(|(by, _)| by == wanted) { sign } else { 0 };
        order.list(if sort.is_none() { self.words.clone() } else { Vec::new() }, String::new());
        order.add(by(Sort::Forks));
        order.add(by(Sort::Updated));
        // The last page that can be reached ends with the last result that can.
        order.add(limit.min(REACHABLE.cast_signed() - offset));
        order.add(offset);
        let params: Vec<&dyn Bind> = self.params.all().into_iter().chain(order.all()).collect();
        let found = cx.tx.all(&self.statements.page, &params)?;
        Repo::as_let_in(cx, found)
    }
}

/// The most repositories that this search compares with its query, so that it takes about 50 ms of processor time.
fn most_candidates(query: &Query) -> i64 {
    COMPARISONS / i64::try_from(1 + query.texts.len() + query.numbers.len()).unwrap_or(COMPARISONS)
}

/// The owners and repositories of a query, by ID.
#[derive(Default)]
struct Names {
    /// True if the query wants any.
    are_some: bool,
    orgs: Vec<i64>,
    /// Those of the organizations of which the caller reads every repository.
    every: Vec<i64>,
    people: Vec<i64>,
    repos: Vec<i64>,
    /// The owners that are left out. People have negative IDs.
    without: Vec<i64>,
    without_repos: Vec<i64>,
}

impl Names {
    /// Looks them up. What does not exist is refused in the same way as what the caller does not see.
    fn of(cx: &mut Cx, query: &Query) -> Result<Self> {
        let mut names = Self::default();
        for (excluded, login) in &query.owners {
            let owner = match login.as_str() {
                ME => cx.caller.person.as_ref().map(|person| Owner::User(person.id)),
                login => login::find(cx.tx, login)?,
            };
            let owner = owner.ok_or_else(unseen)?;
            match (owner, *excluded) {
                (Owner::Org(id), true) => names.without.push(id),
                (Owner::User(id), true) => names.without.push(-id),
                (Owner::User(id), false) => names.people.push(id),
                (Owner::Org(id), false) => {
                    names.orgs.push(id);
                    if cx.toward(id, |cx| access::reads_all(cx.tx, cx.my_id(), owner))? {
                        names.every.push(id);
                    }
                }
            }
        }
        for (excluded, owner, name) in &query.repos {
            let path = Path(vec![("owner".into(), owner.clone()), ("repo".into(), name.clone())]);
            let (Named::Now(repo) | Named::Formerly(repo)) = match Repo::named_toward(cx, &path) {
                Err(Error::NotFound) => return Err(unseen()),
                other => other?,
            };
            if *excluded { &mut names.without_repos } else { &mut names.repos }.push(repo.id);
        }
        names.are_some = !(names.orgs.is_empty() && names.people.is_empty() && names.repos.is_empty());
        Ok(names)
    }
}

/// The parameters of a statement, in its order.
#[derive(Default)]
struct Params(Vec<Box<dyn Bind>>);

impl Params {
    fn add(&mut self, value: impl Bind + 'static) {
        self.0.push(Box::new(value));
    }

    /// A list of as many values as a query can have.
    fn list<T: Bind + Clone + 'static>(&mut self, values: Vec<T>, none: T) {
        values.into_iter().chain(std::iter::repeat(none)).take(TERMS).for_each(|value| self.add(value));
    }

    fn all(&self) -> Vec<&dyn Bind> {
        self.0.iter().map(|value| &**value).collect()
    }

    /// The caller, and what repositories are compared with.
    fn matching(&mut self, cx: &Cx, query: &Query, names: &Names, most: i64) {
        let [private, public] = query.private.or([true; 2]);
        self.add(cx.my_id());
        self.add(public);
        self.add(private && trusted(cx));
        self.add(most);
        self.add(cx.caller.application());
        for shown in [query.archived.or([true; 2]), query.fork.or([false, true]), query.template.or([true; 2])] {
            self.add(shown[0]);
            self.add(shown[1]);
        }
        self.list(names.without.clone(), 0);
        self.list(names.without_repos.clone(), 0);
        for place in [Place::Name, Place::Description, Place::Topics] {
            self.add(query.places.is_empty() || query.places.contains(&place));
        }
        let texts = || query.texts.iter();
        self.add(query.texts.is_empty());
        self.list(texts().map(|text: &Text| text.topic).collect(), false);
        self.list(texts().map(|text| Some(text.pattern.clone())).collect(), None);
        self.list(texts().map(|text| text.wanted).collect(), true);
        let numbers = || query.numbers.iter();
        self.add(query.numbers.is_empty());
        self.list(numbers().map(|number: &Number| number.created).collect(), false);
        self.list(numbers().map(|number| Some(number.range.from)).collect(), None);
        self.list(numbers().map(|number| Some(number.range.until)).collect(), None);
        self.list(numbers().map(|number| number.wanted).collect(), true);
    }
}
