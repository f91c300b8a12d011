//! The filters of the audit log: a form, and the phrase of the search that it makes.

use jiff::civil::Date;

use crate::links::segment;
use crate::pages::guest::Guest;
use crate::pages::organization::holder::At;
use crate::teams::slug;

/// Kinds of changes, by the beginning of their actions, each with its name.
pub(super) type Kinds = &'static [(&'static str, &'static str)];

const OF_ORGANIZATIONS: Kinds = &[
    ("", "Everything"),
    ("org", "People, roles and settings"),
    ("team", "Teams and their access"),
    ("repo", "Repositories"),
    ("project", "Projects"),
    ("hook", "Webhooks"),
    ("organization_role", "Security managers"),
    ("scim", "The identity provider"),
    ("user", "Accounts"),
    ("oauth_application", "Applications"),
];

const OF_THE_SITE: Kinds = &[
    ("", "Everything"),
    ("user", "Accounts and administrators"),
    ("session", "Sessions, and acting for people"),
    ("oauth_access", "Tokens"),
    ("oauth_application", "Applications"),
    ("oauth_authorization", "What people allow applications"),
    ("provider_tie", "Accounts at the identity provider"),
    ("org", "Organizations"),
    ("repo", "Repositories of people"),
    ("hook", "Webhooks of the site"),
    ("delivery", "Deliveries"),
];

/// The kinds of an organization's log, or of the site's.
pub(super) const fn kinds(of_organization: bool) -> Kinds {
    if of_organization { OF_ORGANIZATIONS } else { OF_THE_SITE }
}

/// The longest value of a filter, in characters.
const LONGEST: usize = 100;

/// The values of the form.
pub(super) struct Filters {
    pub kind: String,
    pub actor: String,
    pub user: String,
    pub team: String,
    pub repo: String,
    pub from: String,
    pub until: String,
    /// The login of an organization that was deleted, whose log is shown instead of the site's; empty for that of the site.
    pub org: String,
}

impl Filters {
    /// The filters in the query of the visit.
    pub fn read(guest: &Guest<'_>, at: At<'_>) -> Self {
        let text = |name: &str| guest.query(name).replace('"', "").trim().chars().take(LONGEST).collect::<String>();
        let day = |name: &str| text(name).parse::<Date>().map(|day| day.to_string()).unwrap_or_default();
        let (kind, org) = (text("kind"), text("org"));
        let of_organization = matches!(at, At::Organization(_)) || !org.is_empty();
        let known = kinds(of_organization).iter().find(|(word, _)| *word == kind);
        Self {
            kind: known.map_or("", |(word, _)| word).to_owned(),
            org: if matches!(at, At::Site) { org } else { String::new() },
            actor: text("actor"),
            user: text("user"),
            team: text("team"),
            repo: text("repo"),
            from: day("from"),
            until: day("until"),
        }
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.phrase().is_empty() && self.org.is_empty()
    }

    /// The filters besides the days, by their fields.
    fn named(&self) -> [(&'static str, &str); 5] {
        let Self { kind, actor, user, team, repo, .. } = self;
        [("kind", kind), ("actor", actor), ("user", user), ("team", team), ("repo", repo)]
    }

    /// The phrase of the search.
    pub fn phrase(&self) -> String {
        let term = |name| if name == "kind" { "action" } else { name };
        let terms = self.named().into_iter().filter(|(_, value)| !value.is_empty());
        let of_team = self.team_slug();
        let said = |name, value| if name == "team" { of_team.clone() } else { String::from(value) };
        let terms = terms.map(|(name, value)| format!("{}:\"{}\"", term(name), said(name, value)));
        let days = match (self.from.as_str(), self.until.as_str()) {
            ("", "") => None,
            (from, "") => Some(format!("created:>={from}")),
            ("", until) => Some(format!("created:<={until}")),
            (from, until) => Some(format!("created:{from}..{until}")),
        };
        terms.chain(days).collect::<Vec<_>>().join(" ")
    }

    /// The slug of the team whose name, slug or address was typed.
    pub fn team_slug(&self) -> String {
        let last = self.team.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
        slug::from_name(last).unwrap_or_else(|| last.to_owned())
    }

    /// The query of the page with these filters; `&` at the end if there are any.
    pub fn query(&self) -> String {
        let more = [("from", self.from.as_str()), ("until", self.until.as_str()), ("org", self.org.as_str())];
        let pairs = self.named().into_iter().chain(more).filter(|(_, value)| !value.is_empty());
        let pairs: Vec<String> = pairs.map(|(name, value)| format!("{name}={}&", segment(value))).collect();
        pairs.concat()
    }
}
