//! A row of the table: an operation, its subject, its parameters and its reply.

mod approval;
mod context;
mod fit;
pub mod json;
mod params;
mod reply;
mod request_id;
mod row;
pub mod settings;
mod shape;
pub mod since;
mod subject;
pub mod template;
mod unseen;

pub use crate::caller::{Application, Caller, Person, Session, Token};
pub(crate) use approval::let_in;
pub use context::{Compat, Cx, IdentityProvider, Mails, Moment, PER_PAGE, Page, Site};
pub use json::Json;
pub use params::{Call, Illegible, Patch, Path, Prepared};
pub use reply::{Behind, Done, Either, List, Paged, Record, Redirect, Rendered, Reply, ReplyDoc};
pub use request_id::RequestId;
pub use row::{RawOperation, Seen, delete, get, lacking, patch, post, put, raw, seen};
pub use shape::{Field, Place, Shape};
pub use since::Part;
pub use subject::Subject;

use crate::db::{Lock, Tx};
use crate::error::{Error, Result};
use crate::limits::resources::Resource;
use crate::policy::Requirement;
use crate::scope::Accepted as Scopes;

/// The verbs of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Method {
    /// Reads.
    Get,
    /// Creates or replaces.
    Put,
    /// Creates.
    Post,
    /// Updates in part.
    Patch,
    /// Removes.
    Delete,
}

impl Method {
    /// As it is written in a request.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Put => "PUT",
            Self::Post => "POST",
            Self::Patch => "PATCH",
            Self::Delete => "DELETE",
        }
    }
}

/// The stage up to which a request is carried out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Only as far as the policy, on a snapshot, before the body of a write is read.
    Authorize,
    /// Completely.
    Serve,
}

/// The costly part of a request, if the request has what it needs.
type Prepare = fn(&Call) -> Option<Prepared>;

type Run = dyn Fn(&Operation, &mut Cx, &Call, Stage) -> Result<Option<Rendered>> + Send + Sync;

/// A row of the table.
#[expect(clippy::struct_excessive_bools, reason = "these are independent of each other")]
pub struct Operation {
    /// The name that clients know, for example `teams.create`.
    pub name: &'static str,
    /// The verb.
    pub method: Method,
    /// All its paths.
    pub forms: Vec<String>,
    /// The number of its last paths that are deprecated.
    legacy_forms: usize,
    /// The scopes; a token needs one of them.
    pub scopes: Scopes,
    /// The requirement for running it, and the message for callers who do not meet it.
    pub who_may: Requirement,
    /// True if it requires credentials even to answer that something does not exist.
    pub personal: bool,
    /// Its parameters.
    pub params: Shape,
    /// Its reply, for documents.
    pub reply: ReplyDoc,
    /// Parameters that a setting makes optional for clients that send partial bodies (decision 8).
    pub partial: bool,
    /// The parameter whose list, or one value of it, clients may send as the whole body.
    pub alone: Option<&'static str>,
    /// The number of results on a page of its list, unless the client asks for another (decision 38).
    pub per_page: u64,
    /// The resource whose primary limit it counts against (decision 39).
    pub resource: Resource,
    /// True if the primary limit does not count it.
    pub free: bool,
    /// True if a session needs a recent sign-in for it (decision 61).
    pub recent: bool,
    /// True if the service does not have what its path names: every read gets the same response, and every write 404.
    pub absent: bool,
    /// The identification of the caller that it requires, if it is a write.
    needs: Needs,
    /// The parameters of the path that alone determine authorization, if that is so.
    pub authorized_by: &'static [&'static str],
    /// The data that its response depends on, besides the request and the caller.
    depends_on: DependsOn,
    /// The error if the members follow an identity provider, for a manual change of members.
    manual_change: Option<fn() -> Error>,
    /// The response to callers who may not run it.
    refuses: Refuses,
    /// The function that prepares it between its body and its transaction, if it has one.
    prepare: Option<Prepare>,
    /// The locks of the subject.
    pub locks: fn(&mut Tx, &Caller, &Path) -> Result<Vec<Lock>>,
    /// Sends ahead the statements of the subject.
    pub ask_ahead: fn(&mut Tx, i64, &Path) -> Result<()>,
    run: Box<Run>,
}

/// The identification of the caller that a write requires.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Needs {
    /// A person.
    Credentials,
    /// Only the token in its path.
    Link,
}

/// The response to callers who may not run an operation.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Refuses {
    /// They learn that they may not.
    Openly,
    /// Without credentials they get 404, as if the subject did not exist.
    AnonymousAsAbsent,
    /// They get 404, as if the subject did not exist.
    AsAbsent,
}

/// The data that a response depends on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum DependsOn {
    /// Only the data.
    Data,
    /// Only on the data of the subject's organization, and on what every request looks up.
    Organization,
    /// Also the time or the client's IP address.
    Moment,
}

impl Operation {
    /// Carries out the operation: looks up the subject, checks the policy, reads the parameters, runs the function.
    pub fn run(&self, cx: &mut Cx, call: &Call, stage: Stage) -> Result<Option<Rendered>> {
        (self.run)(self, cx, call, stage)
    }

    /// Does the costly part of a request whose body has been read. It runs once, and before the request waits for the
    /// writer: in the writer, all other requests would wait for it.
    pub fn prepare(&self, call: &Call) {
        if let Some(prepared) = self.prepare.and_then(|prepare| prepare(call)) {
            call.prepared.get_or_init(|| prepared);
        }
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

    /// True if its response is cached for the same request on the same snapshot.
    #[must_use]
    pub fn is_cacheable(&self) -> bool {
        self.method == Method::Get && self.depends_on != DependsOn::Moment
    }

    /// Refuses unknown fields of the body (decision 7), except these, which are known and ignored.
    #[must_use]
    pub fn permitting_only(mut self, further: &'static [&'static str]) -> Self {
        self.params.permit_only(further);
        self
    }

    /// Makes required parameters optional under `compat.partial_team_update`.
    #[must_use]
    pub fn partial_if_set(mut self) -> Self {
        self.partial = true;
        self
    }

    /// True if the request lacks parameters that `compat.partial_team_update` makes optional.
    #[must_use]
    pub fn is_partial(&self, call: &Call) -> bool {
        self.partial && self.params.lacks_required(call)
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

    /// True if it is hidden from callers who may not run it.
    #[must_use]
    pub fn is_hidden(&self) -> bool {
        self.refuses == Refuses::AsAbsent
    }

    /// True if it is hidden from callers who may not run it and have credentials, or have none.
    #[must_use]
    pub fn is_hidden_from(&self, signed_in: bool) -> bool {
        self.is_hidden() || !signed_in && self.refuses == Refuses::AnonymousAsAbsent
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

    /// True if requests without credentials get as far as the subject.
    #[must_use]
    pub fn admits_anonymous(&self) -> bool {
        self.needs == Needs::Link || self.method == Method::Get && !self.personal
    }

    /// True if the path at this place in the list is deprecated.
    #[must_use]
    pub fn is_legacy(&self, form: usize) -> bool {
        form + self.legacy_forms >= self.forms.len()
    }

    /// True if the reply is a list.
    #[must_use]
    pub fn is_list(&self) -> bool {
        self.reply.list
    }

    /// True if the reply is a list whose pages have numbers.
    #[must_use]
    pub fn has_pages(&self) -> bool {
        self.reply.numbered
    }
}
