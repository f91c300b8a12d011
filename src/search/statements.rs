//! The statements of a search for repositories. Their text is the same for every query, because each has room for as
//! many words and qualifiers as a query can have.
//!
//! The candidates come first: repositories that the caller reads, of the owners that the query names or of all. Only
//! some of them are compared with the rest of the query, so that a search takes limited time.

use std::sync::LazyLock;

use super::query::TERMS;
use crate::operation::let_in;
use crate::repos::access;
use crate::repos::repo::Repo;

/// The two statements of a search.
pub struct Statements {
    /// The number of candidates, and the number of those that match.
    pub count: String,
    /// A page of those that match.
    pub page: String,
}

/// For all repositories that the caller reads.
pub static OF_ALL: LazyLock<Statements> = LazyLock::new(|| Statements::new(false));

/// For those of the owners that the query names, and for those that it names themselves.
pub static OF_NAMED: LazyLock<Statements> = LazyLock::new(|| Statements::new(true));

/// Gives out the numbers of parameters, in the order in which they are passed.
struct Numbers(usize);

impl Numbers {
    fn one(&mut self) -> String {
        self.0 += 1;
        format!("${}", self.0)
    }

    /// As many as a query has terms.
    fn list(&mut self) -> Vec<String> {
        (0..TERMS).map(|_| self.one()).collect()
    }
}

impl Statements {
    /// `$1` is the caller; public repositories are candidates if `$2`, private ones if `$3`; there are at most `$4`. `$5` is
    /// the caller's application, if there is one.
    fn new(of_owners: bool) -> Self {
        let mut numbers = Numbers(5);
        let matching = matching(&mut numbers);
        let candidates = if of_owners { of_named(&mut numbers) } else { of_all() };
        let from = format!(
            "FROM (SELECT c.id AS id FROM ({candidates}) c ORDER BY c.id LIMIT $4) p \
             CROSS JOIN repos r CROSS JOIN searched_repos s WHERE r.id = p.id AND s.id = p.id"
        );
        let count =
            format!("SELECT count(*), coalesce(CAST(sum(CASE WHEN {matching} THEN 1 ELSE 0 END) AS BIGINT), 0) {from}");
        let names = numbers.list().join(", ");
        let [forks, updated, limit, offset] = [(); 4].map(|()| numbers.one());
        let page = format!(
            "SELECT {} FROM (SELECT r.id AS id, CASE WHEN r.name_key IN ({names}) THEN 0 ELSE 1 END AS named, \
             r.forks_count * {forks} + r.updated_at * {updated} AS sorted {from} AND {matching} \
             ORDER BY named, sorted, id LIMIT {limit} OFFSET {offset}) m \
             CROSS JOIN repos r LEFT JOIN orgs o ON o.id = r.org_id LEFT JOIN users u ON u.id = r.user_id \
             WHERE r.id = m.id ORDER BY m.named, m.sorted, m.id",
            Repo::COLUMNS,
        );
        Self { count, page }
    }
}

/// True if the repository `r`, with its texts `s`, matches.
fn matching(numbers: &mut Numbers) -> String {
    let mut all: Vec<String> = ["r.archived = TRUE", "r.fork_of IS NOT NULL", "r.is_template = TRUE"]
        .map(|is| format!("({is} AND {} = TRUE OR NOT ({is}) AND {} = TRUE)", numbers.one(), numbers.one()))
        .into();
    all.push(format!("coalesce(r.org_id, -r.user_id) NOT IN ({})", numbers.list().join(", ")));
    all.push(format!("r.id NOT IN ({})", numbers.list().join(", ")));
    let places = ["s.name", "s.description", "s.topics"]
        .map(|place| format!("CASE WHEN {} = TRUE THEN {place} ELSE '' END", numbers.one()));
    all.push(texts(numbers, &places.join(" || '\"' || ")));
    all.push(ranges(numbers));
    all.join(" AND ")
}

/// The condition that every text matches. An empty place has no pattern; the first parameter says that all are empty.
fn texts(numbers: &mut Numbers, places: &str) -> String {
    let none = numbers.one();
    let (topic, pattern, wanted) = (numbers.list(), numbers.list(), numbers.list());
    let each = (0..TERMS).map(|n| {
        let (topic, pattern, wanted) = (&topic[n], &pattern[n], &wanted[n]);
        format!(
            "(CAST({pattern} AS TEXT) IS NULL \
             OR (CASE WHEN {topic} = TRUE THEN s.topics ELSE {places} END LIKE {pattern} ESCAPE '\\') = {wanted})"
        )
    });
    format!("({none} = TRUE OR {})", each.collect::<Vec<_>>().join(" AND "))
}

/// The condition that every number is in its range, or outside if the query wants that.
fn ranges(numbers: &mut Numbers) -> String {
    let none = numbers.one();
    let (created, from, until, wanted) = (numbers.list(), numbers.list(), numbers.list(), numbers.list());
    let each = (0..TERMS).map(|n| {
        let (from, until, wanted) = (&from[n], &until[n], &wanted[n]);
        let number = format!("CASE WHEN {} = TRUE THEN r.created_at ELSE r.forks_count END", created[n]);
        format!("(CAST({from} AS BIGINT) IS NULL OR ({number} >= {from} AND {number} < {until}) = {wanted})")
    });
    format!("({none} = TRUE OR {})", each.collect::<Vec<_>>().join(" AND "))
}

/// True if the repository `x` belongs to no organization, or to one that lets the caller's application in.
macro_rules! is_let_in {
    () => {
        concat!("(x.org_id IS NULL OR ", let_in!("x.org_id", "$5"), ")")
    };
}

/// Public repositories, and the private ones that the caller has.
fn of_all() -> String {
    let given = [access::collaborating!(), access::in_teams!(), access::in_orgs!()].join(" UNION ");
    [
        "SELECT id FROM (SELECT id FROM repos WHERE private = FALSE AND $2 = TRUE ORDER BY id LIMIT $4) v".to_owned(),
        "SELECT id FROM repos WHERE user_id = $1 AND private = TRUE AND $3 = TRUE".to_owned(),
        format!(
            "SELECT x.id FROM ({given}) g CROSS JOIN repos x WHERE x.id = g.id AND x.private = TRUE AND $3 = TRUE AND {}",
            is_let_in!()
        ),
    ]
    .join(" UNION ")
}

/// Public repositories of organizations and people, and the private ones that the caller has of them; of some
/// organizations, every private one. Named repositories are those that the caller was found to read.
fn of_named(numbers: &mut Numbers) -> String {
    let [orgs, every, people, repos] = [(); 4].map(|()| numbers.list().join(", "));
    let given = [access::collaborating!(), access::in_teams!()].join(" UNION ");
    [
        format!("SELECT id FROM repos WHERE org_id IN ({orgs}) AND private = FALSE AND $2 = TRUE"),
        format!("SELECT id FROM repos WHERE org_id IN ({every}) AND private = TRUE AND $3 = TRUE"),
        format!("SELECT id FROM repos WHERE user_id IN ({people}) AND private = FALSE AND $2 = TRUE"),
        format!("SELECT id FROM repos WHERE user_id IN ({people}) AND user_id = $1 AND private = TRUE AND $3 = TRUE"),
        format!(
            "SELECT x.id FROM ({given}) g CROSS JOIN repos x WHERE x.id = g.id AND x.private = TRUE AND $3 = TRUE \
             AND (x.org_id IN ({orgs}) OR x.user_id IN ({people})) AND {}",
            is_let_in!()
        ),
        format!(
            "SELECT id FROM repos WHERE id IN ({repos}) \
             AND (private = FALSE AND $2 = TRUE OR private = TRUE AND $3 = TRUE)"
        ),
    ]
    .join(" UNION ")
}
