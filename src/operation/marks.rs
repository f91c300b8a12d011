//! The marks of a row: what the table appends to it.

use super::{DependsOn, Needs, Operation, Prepare, PrepareOnPool, Refuses};
use crate::error::Error;
use crate::limits::resources::Resource;

impl Operation {
    /// Adds a part that is prepared on a snapshot before the transaction, on a thread that may take its time.
    #[must_use]
    pub fn on_pool(mut self, prepare: PrepareOnPool) -> Self {
        self.prepare_on_pool = Some(prepare);
        self
    }

    /// Adds a part that is prepared before the transaction.
    #[must_use]
    pub fn preparing(mut self, prepare: Prepare) -> Self {
        self.prepare = Some(prepare);
        self
    }

    /// Declares that the response depends on the time or on the client's IP address, so that it is not cached.
    #[must_use]
    pub fn timed(mut self) -> Self {
        self.depends_on = DependsOn::Moment;
        self
    }

    /// Declares that the response depends only on the data of the subject's organization, and on what every request
    /// looks up. It stays cached while other organizations change.
    #[must_use]
    pub fn of_organization(mut self) -> Self {
        self.depends_on = DependsOn::Organization;
        self
    }

    /// Refuses unknown fields of the body (decision 7), except these, which are known and ignored.
    #[must_use]
    pub fn permitting_only(mut self, further: &'static [&'static str]) -> Self {
        self.params.permit_only(further);
        self
    }

    /// Refuses unknown names in the body and the query, except these, which are ignored.
    #[must_use]
    pub fn strict(mut self, further: &'static [&'static str]) -> Self {
        self.params.permit_only(further);
        self.params.permit_only_in_query(further);
        self
    }

    /// Takes a file as its body, and its parameters from the query.
    #[must_use]
    pub fn of_file(mut self) -> Self {
        self.reads_file = true;
        self.params.take_from_query();
        self
    }

    /// Declares that it refuses with 409 when things are no longer as the client knows them.
    #[must_use]
    pub fn differing(mut self) -> Self {
        self.may_differ = true;
        self
    }

    /// Makes required parameters optional under `compat.partial_team_update`.
    #[must_use]
    pub fn partial_if_set(mut self) -> Self {
        self.partial = true;
        self
    }

    /// Marks a manual change of members, which gets this error where members follow an identity provider (decision 48).
    #[must_use]
    pub fn manual_change(mut self, refusal: fn() -> Error) -> Self {
        self.manual_change = Some(refusal);
        self
    }

    /// Accepts the list of this parameter, or one value of it, as the whole body.
    #[must_use]
    pub fn or_only(mut self, parameter: &'static str) -> Self {
        self.alone = Some(parameter);
        self
    }

    /// Hides the operation from callers who may not run it, whatever they lack: 404 instead of 401 and 403.
    #[must_use]
    pub fn hidden(mut self) -> Self {
        self.refuses = Refuses::AsAbsent;
        self
    }

    /// Hides the operation from callers without credentials who may not run it: 404 instead of 401 (decision 19). Below
    /// a team nothing else is needed, because they do not see the team.
    #[must_use]
    pub fn hidden_from_anonymous(mut self) -> Self {
        self.refuses = Refuses::AnonymousAsAbsent;
        self
    }

    /// Gives its list pages of 100 results instead of 30 (decision 67).
    #[must_use]
    pub fn pages_of_100(mut self) -> Self {
        self.per_page = 100;
        self
    }

    /// Exempts it from the primary limit.
    #[must_use]
    pub fn free(mut self) -> Self {
        self.free = true;
        self
    }

    /// Requires a recent sign-in of a session (decision 61).
    #[must_use]
    pub fn recent(mut self) -> Self {
        self.recent = true;
        self
    }

    /// Counts it as a search.
    #[must_use]
    pub fn search(mut self) -> Self {
        self.resource = Resource::Search;
        self
    }

    /// Counts it as a visit to a page.
    #[must_use]
    pub fn page(mut self) -> Self {
        self.resource = Resource::Page;
        self
    }

    /// Counts it as a request of an application.
    #[must_use]
    pub fn of_application(mut self) -> Self {
        self.resource = Resource::Application;
        self
    }

    /// Requires no credentials except the token in its path, which names its subject (decision 69).
    #[must_use]
    pub fn by_link(mut self) -> Self {
        self.needs = Needs::Link;
        self
    }
}
