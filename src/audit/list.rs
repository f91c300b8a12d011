//! The audit log over HTTP: a page of a search, and the cursors of the pages before and after it.

use schemars::JsonSchema;
use serde::Deserialize;

use super::cursor::Of;
use super::entry::{self, AuditEntry};
use super::filter::Filter;
use super::walk::{Direction, Found, Span, walk};
use super::{Journal, phrase};
use crate::error::{Error, Result};
use crate::links::segment;
use crate::operation::{Behind, Cx, since};
use crate::orgs::org::Org;
use crate::policy::Granted;
use crate::site::Site;

/// The kinds of events to return.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Include {
    /// Changes made through the REST API and the command line.
    #[default]
    Web,
    /// Git events. There are none, because Guildhall hosts no Git data.
    Git,
    /// Both.
    All,
}

/// The order of the entries.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    /// The newest first.
    #[default]
    Desc,
    /// The oldest first.
    Asc,
}

/// The parameters of a search.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Search {
    /// Terms that entries must match: `action:`, `actor:`, `user:`, `team:`, `repo:` and `created:`.
    #[schemars(extend("x-function-validates" = true))]
    pub phrase: Option<String>,
    /// The kinds of events to return.
    #[schemars(extend("default" = "web"))]
    pub include: Option<Include>,
    /// A cursor, as in the `Link` header. Only return entries after it.
    #[schemars(extend("x-function-validates" = true))]
    pub after: Option<String>,
    /// A cursor, as in the `Link` header. Only return entries before it.
    #[schemars(extend("x-function-validates" = true))]
    pub before: Option<String>,
    /// The order of the entries.
    #[schemars(extend("default" = "desc"))]
    pub order: Option<Order>,
    /// Number of results per page.
    #[schemars(range(min = 1, max = 100), extend("default" = 30))]
    pub per_page: Option<i64>,
}

/// Get the audit log of an organization. Pages have no numbers: the `Link` header leads from one to the next. A page
/// with a next page may have fewer entries than `per_page`, or none. Entries without an action, which the service
/// records for itself, are not shown; their numbers are missing.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct OfOrg {
    /// The parameters of the search.
    #[serde(flatten)]
    pub search: Search,
}

/// Reads the audit log of an organization.
pub fn of_org(cx: &mut Cx, org: Granted<Org>, p: OfOrg) -> Result<Behind<AuditEntry>> {
    let journal = Journal::of_org(cx.tx, org.id, &org.login)?;
    page(cx, &journal, (&format!("/organizations/{}/audit-log", org.id), ""), &p.search)
}

/// Get the audit log of the site: accounts, tokens, and what belongs to people. Or get that of an organization that was
/// deleted. Pages and searches are those of an organization's audit log.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct OfSite {
    /// The login that an organization had when it was deleted. If it is given, return the log of that organization.
    #[schemars(extend("x-function-validates" = true))]
    pub org: Option<String>,
    /// The parameters of the search.
    #[serde(flatten)]
    pub search: Search,
}

/// Reads the audit log of the site.
pub fn of_site(cx: &mut Cx, _: Granted<Site>, p: OfSite) -> Result<Behind<AuditEntry>> {
    let path = "/admin/audit-log";
    let Some(org) = p.org.as_deref().filter(|org| !org.is_empty()) else {
        return page(cx, &Journal::of_site(), (path, ""), &p.search);
    };
    let unknown = || invalid("org", "No organization was deleted that had this login.".to_owned());
    let journal = Journal::of_deleted(cx.tx, org)?.ok_or_else(unknown)?;
    page(cx, &journal, (path, &format!("org={}", segment(org))), &p.search)
}

/// The requested page: after a position, or before one.
#[derive(Debug, Clone, Copy)]
enum Asked {
    First,
    After(i64),
    Before(i64),
}

/// A page of a search in a journal, with the path of its pages and what their query has besides the search.
fn page(cx: &mut Cx, journal: &Journal, (path, more): (&str, &str), search: &Search) -> Result<Behind<AuditEntry>> {
    let terms = phrase::read(search.phrase()).map_err(|why| invalid("phrase", why))?;
    let bound = search.bound(more);
    let of = Of { key: &cx.site.audit_key, journal: journal.id, search: &bound };
    let asked = search.asked(of)?;
    let filter = Filter::new(cx.tx, journal, &terms)?;
    let span = Span::of(cx.tx, journal.id, &filter)?;
    let found = if search.include == Some(Include::Git) {
        Found::default()
    } else {
        search.walk(cx, journal, (span, asked), &filter)?
    };
    let link = search.links(of, asked, &found, &cx.links.api(path))?;
    Behind::linked(entry::records(cx.tx, journal, found.entries)?, link)
}

impl Search {
    fn phrase(&self) -> &str {
        self.phrase.as_deref().unwrap_or_default().trim()
    }

    /// The query of this search without a cursor, beginning with this.
    fn bound(&self, more: &str) -> String {
        let mut query = Vec::new();
        if !more.is_empty() {
            query.push(more.to_owned());
        }
        if !self.phrase().is_empty() {
            query.push(format!("phrase={}", segment(self.phrase())));
        }
        match self.include {
            None | Some(Include::Web) => {}
            Some(Include::Git) => query.push("include=git".to_owned()),
            Some(Include::All) => query.push("include=all".to_owned()),
        }
        if self.order == Some(Order::Asc) {
            query.push("order=asc".to_owned());
        }
        query.join("&")
    }

    fn asked(&self, of: Of) -> Result<Asked> {
        let place = |name: &'static str, text: &Option<String>| {
            let Some(text) = text.as_deref().filter(|text| !text.is_empty()) else { return Ok(None) };
            of.read(text)?.map(Some).ok_or_else(|| invalid(name, FOREIGN.to_owned()))
        };
        match (place("after", &self.after)?, place("before", &self.before)?) {
            (None, None) => Ok(Asked::First),
            (Some(place), None) => Ok(Asked::After(place)),
            (None, Some(place)) => Ok(Asked::Before(place)),
            (Some(_), Some(_)) => Err(invalid("before", "Use either `after` or `before`.".to_owned())),
        }
    }

    /// The entries of the page, in its order.
    fn walk(&self, cx: &mut Cx, journal: &Journal, (span, asked): (Span, Asked), filter: &Filter) -> Result<Found> {
        let ascends = self.order == Some(Order::Asc);
        let span = match asked {
            Asked::First => span,
            Asked::After(place) | Asked::Before(place) if ascends == matches!(asked, Asked::After(_)) => {
                span.behind(place)
            }
            Asked::After(place) | Asked::Before(place) => span.up_to(place),
        };
        let backwards = matches!(asked, Asked::Before(_));
        let to = if ascends == backwards { Direction::Older } else { Direction::Newer };
        let wanted = usize::try_from(since::per_page(self.per_page)).unwrap_or(1);
        let mut found = walk(cx.tx, (journal.id, span), to, filter, wanted)?;
        if backwards {
            found.entries.reverse();
        }
        Ok(found)
    }

    /// The `Link` header.
    fn links(&self, of: Of, asked: Asked, found: &Found, url: &str) -> Result<Option<String>> {
        let ascends = self.order == Some(Order::Asc);
        // The walk ends at the older or at the newer end of the rest.
        let end = |span: Span, newer: bool| if newer { span.after } else { span.through };
        let (previous, next) = match asked {
            Asked::First => (None, found.rest.map(|rest| end(rest, ascends))),
            Asked::After(place) => (Some(place), found.rest.map(|rest| end(rest, ascends))),
            Asked::Before(place) => (found.rest.map(|rest| end(rest, !ascends)), Some(place)),
        };
        let first = [of.search.to_owned(), format!("per_page={}", since::per_page(self.per_page))];
        let query = first.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("&");
        let mut links = Vec::new();
        for (name, place, rel) in [("after", next, "next"), ("before", previous, "prev")] {
            if let Some(place) = place {
                links.push(format!("<{url}?{query}&{name}={}>; rel=\"{rel}\"", of.write(place)?));
            }
        }
        if !matches!(asked, Asked::First) {
            links.push(format!("<{url}?{query}>; rel=\"first\""));
        }
        Ok((!links.is_empty()).then(|| links.join(", ")))
    }
}

const FOREIGN: &str = "The cursor does not belong to this audit log and search. Begin without a cursor, and follow the \
                       `Link` header.";

fn invalid(field: &'static str, message: String) -> Error {
    Error::explained("AuditLog", "invalid", field, message)
}
