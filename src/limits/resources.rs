//! The primary limits, by what is asked for (decision 39). "Off" means that there are no [`Limiters`].

use super::requests::Limiter;

const HOUR: i64 = 3600;

const MINUTE: i64 = 60;

/// The searches that a person may send in a minute, and an IP address without credentials.
const SEARCHES: (u32, u32) = (30, 10);

/// The points that a person may spend on queries of GraphQL in an hour (decision 60).
const POINTS: u32 = 5_000;

/// A kind of request that has a limit of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Resource {
    /// A request of REST.
    Core,
    /// A search.
    Search,
    /// A query of GraphQL.
    Graphql,
}

impl Resource {
    /// Its name in headers.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Core => "core",
            Self::Search => "search",
            Self::Graphql => "graphql",
        }
    }
}

/// The limiter of each resource.
pub struct Limiters {
    core: Limiter,
    search: Limiter,
    graphql: Limiter,
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
        }
    }

    /// The limiter of a resource.
    #[must_use]
    pub fn of(&self, resource: Resource) -> &Limiter {
        match resource {
            Resource::Core => &self.core,
            Resource::Search => &self.search,
            Resource::Graphql => &self.graphql,
        }
    }
}
