//! A row of the table: an operation, its subject, its parameters and its reply.

mod approval;
mod context;
mod fit;
pub mod json;
mod marks;
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
pub use reply::{Behind, Done, Either, JSON, List, Paged, Record, Redirect, Rendered, Reply, ReplyDoc, YAML, Yaml};
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

/// The part of a request that takes long, on a snapshot.
type PrepareOnPool = fn(&Operation, &mut Cx, &Call) -> Result<Prepared>;

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
    /// True if its body is a file, which is not parsed as JSON, and may be larger.
    pub reads_file: bool,
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
    /// The function that prepares it on a thread that may take its time, if it has one.
    prepare_on_pool: Option<PrepareOnPool>,
    /// True if it refuses with 409 when things are no longer as the client knows them.
    pub may_differ: bool,
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

    /// True if a part of it is prepared on a thread that may take its time.
    #[must_use]
    pub fn prepares_on_pool(&self) -> bool {
        self.prepare_on_pool.is_some()
    }

    /// Prepares a part of a request whose body has been read, on a snapshot that the transaction may not trust.
    pub fn prepare_on_pool(&self, cx: &mut Cx, call: &Call) -> Result<()> {
        if let Some(prepare) = self.prepare_on_pool {
            let prepared = prepare(self, cx, call)?;
            call.prepared.get_or_init(|| prepared);
        }
        Ok(())
    }

    /// True if its response is cached for the same request on the same snapshot.
    #[must_use]
    pub fn is_cacheable(&self) -> bool {
        self.method == Method::Get && self.depends_on != DependsOn::Moment
    }

    /// True if the request lacks parameters that `compat.partial_team_update` makes optional.
    #[must_use]
    pub fn is_partial(&self, call: &Call) -> bool {
        self.partial && self.params.lacks_required(call)
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
