//! The primary limits, by what is asked for (decision 39). "Off" means that there are no [`Limiters`].

use super::requests::{Caller, Limiter};

const HOUR: i64 = 3600;

const MINUTE: i64 = 60;

/// The searches that a person may send in a minute, and an IP address without credentials.
pub(super) const SEARCHES: (u32, u32) = (30, 10);

/// The points that a person may spend on queries of GraphQL in an hour (decision 60).
pub(super) const POINTS: u32 = 5_000;

/// The pages that signed-out visitors of one network may load in an hour.
pub(super) const PAGES: u32 = 300;

/// The requests that applications may send from one network in an hour, for themselves and not for a person.
pub(super) const OF_APPLICATIONS: u32 = 5_000;

/// A kind of request that has a limit of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Resource {
    /// A request of REST.
    Core,
    /// A search.
    Search,
    /// A query of GraphQL.
    Graphql,
    /// A visit to a page (decision 61).
    Page,
    /// A request of an application for itself (decision 62).
    Application,
}

impl Resource {
    /// The resource that counts it for this caller: a page that a signed-in person visits costs a request of REST.
    #[must_use]
    pub fn counted_for(self, who: Caller) -> Self {
        match (self, who) {
            (Self::Page, Caller::Person(_)) => Self::Core,
            (resource, _) => resource,
        }
    }

    /// Its name in headers.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Core => "core",
            Self::Search => "search",
            Self::Graphql => "graphql",
            Self::Page => "pages",
            Self::Application => "applications",
        }
    }
}

/// The limiter of each resource.
pub struct Limiters {
    core: Limiter,
    search: Limiter,
    graphql: Limiter,
    pages: Limiter,
    applications: Limiter,
}

impl Limiters {
    /// Limiters that allow a person and an anonymous IP address this many requests in an hour, and count about
    /// `capacity` addresses separately at a time.
    #[must_use]
    pub fn new(per_person: u32, per_address: u32, capacity: usize) -> Self {
        Self {
            core: Limiter::lasting(HOUR, per_person, per_address, capacity),
            search: Limiter::lasting(MINUTE, SEARCHES.0, SEARCHES.1, capacity),
            graphql: Limiter::lasting(HOUR, POINTS, 0, 0),
            pages: Limiter::lasting(HOUR, 0, PAGES, capacity),
            applications: Limiter::lasting(HOUR, 0, OF_APPLICATIONS, capacity),
        }
    }

    /// The limiter of a resource.
    #[must_use]
    pub fn of(&self, resource: Resource) -> &Limiter {
        match resource {
            Resource::Core => &self.core,
            Resource::Search => &self.search,
            Resource::Graphql => &self.graphql,
            Resource::Page => &self.pages,
            Resource::Application => &self.applications,
        }
    }
}
