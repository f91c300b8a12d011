//! What a row of the table is: an operation, the subject it is under, its parameters and its reply.

mod context;
mod fit;
pub mod json;
mod params;
mod reply;
mod request_id;
mod row;
mod shape;
mod since;
mod subject;
pub mod template;

pub use crate::caller::{Caller, Person, Token};
pub use context::{Cx, Moment, Page, Site};
pub use json::Json;
pub use params::{Call, Illegible, Patch, Path, Prepared};
pub use reply::{
    Accepted, Created, Done, Empty, Ensured, Linked, List, Listed, Maybe, OnRequest, Record, Rendered, Reply, ReplyDoc,
    Reset, Written, WrittenRecord,
};
pub use request_id::RequestId;
pub use row::{RawOperation, Seen, delete, get, operation, patch, post, put, raw, seen};
pub use shape::{Field, Place, Shape};
pub use since::{Behind, Part, Since};
pub use subject::Subject;

use crate::db::{Lock, Tx};
use crate::error::{Error, Result};
use crate::policy::Requirement;
use crate::scope::Accepted as Scopes;

/// The verbs of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Method {
    /// Reads.
    Get,
    /// Puts in place.
    Put,
    /// Creates.
    Post,
    /// Changes in part.
    Patch,
    /// Removes.
    Delete,
}

impl Method {
    /// As it stands in a request.
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

/// How far a call is carried out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Only as far as the policy, on a snapshot, before the body of a write is read.
    Authorize,
    /// To its end.
    Serve,
}

/// What makes the costly part of a call, if the call brings what it takes.
type Prepare = fn(&Call) -> Option<Prepared>;

type Run = dyn Fn(&Operation, &mut Cx, &Call, Stage) -> Result<Option<Rendered>> + Send + Sync;

/// A row of the table.
pub struct Operation {
    /// The name that clients know, for example `teams.create`.
    pub name: &'static str,
    /// The verb.
    pub method: Method,
    /// Every route.
    pub forms: Vec<String>,
    /// The scopes of which a token needs one.
    pub scopes: Scopes,
    /// Who may, and what a caller reads who may not.
    pub who_may: Requirement,
    /// Whether it needs credentials even to be told that something does not exist.
    pub personal: bool,
    /// Its parameters.
    pub params: Shape,
    /// Its reply, for documents.
    pub reply: ReplyDoc,
    /// Parameters that a setting makes optional for clients that send partial bodies (decision 8).
    pub partial: bool,
    /// Whether the primary limit does not count it (decision 39).
    pub free: bool,
    /// What it needs to know of who calls, if it is a write.
    needs: Needs,
    /// The parameters of the path on which alone the policy's verdict depends, if that is so.
    pub authorized_by: &'static [&'static str],
    /// What its answer depends on, besides the request and the caller.
    depends_on: DependsOn,
    /// What refuses it where the members follow an identity provider, if it is a manual change of members.
    manual_change: Option<fn() -> Error>,
    /// What callers are told who may not.
    refuses: Refuses,
    /// What is made of a call between its body and its transaction, if anything.
    prepare: Option<Prepare>,
    /// Locks of the subject.
    pub locks: fn(&mut Tx, &Caller, &Path) -> Result<Vec<Lock>>,
    /// What the subject asks ahead.
    pub ask_ahead: fn(&mut Tx, i64, &Path) -> Result<()>,
    run: Box<Run>,
}

/// What a write needs to know of who calls.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Needs {
    /// A person.
    Credentials,
    /// Nothing but the token in its path.
    Link,
}

/// What callers are told who may not.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Refuses {
    /// That they may not.
    Openly,
    /// That there is nothing.
    AsAbsent,
}

/// What an answer depends on.
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
    /// Carries the operation out: finds the subject, asks the policy, reads the parameters, calls.
    pub fn run(&self, cx: &mut Cx, call: &Call, stage: Stage) -> Result<Option<Rendered>> {
        (self.run)(self, cx, call, stage)
    }

    /// Makes the costly part of a call whose body has been read: once, and before it waits for the writer, which would
    /// let everybody wait for it.
    pub fn prepare(&self, call: &Call) {
        if let Some(prepared) = self.prepare.and_then(|prepare| prepare(call)) {
            call.prepared.get_or_init(|| prepared);
        }
    }

    /// With a part that is made before the transaction.
    #[must_use]
    pub fn preparing(mut self, prepare: Prepare) -> Self {
        self.prepare = Some(prepare);
        self
    }

    /// Declares that the answer depends on the time or on the client's IP address, so that it is not kept.
    #[must_use]
    pub fn timed(mut self) -> Self {
        self.depends_on = DependsOn::Moment;
        self
    }

    /// Declares that the answer depends only on the data of the subject's organization, and on what every request looks
    /// up: it is kept while other organizations change.
    #[must_use]
    pub fn of_organization(mut self) -> Self {
        self.depends_on = DependsOn::Organization;
        self
    }

    /// Whether its answer is kept for the same request on the same snapshot.
    #[must_use]
    pub fn is_cacheable(&self) -> bool {
        self.method == Method::Get && self.depends_on != DependsOn::Moment
    }

    /// With unknown members of the body refused (decision 7); these further ones are known and ignored.
    #[must_use]
    pub fn permitting_only(mut self, further: &'static [&'static str]) -> Self {
        self.params.permit_only(further);
        self
    }

    /// With required parameters that `compat.partial_team_update` makes optional.
    #[must_use]
    pub fn partial_if_set(mut self) -> Self {
        self.partial = true;
        self
    }

    /// As a manual change of members, refused like this where they follow an identity provider (decision 48).
    #[must_use]
    pub fn manual_change(mut self, refusal: fn() -> Error) -> Self {
        self.manual_change = Some(refusal);
        self
    }

    /// As something that is not there for callers who may not, whatever they lack: 404 in place of 401 and 403.
    #[must_use]
    pub fn hidden(mut self) -> Self {
        self.refuses = Refuses::AsAbsent;
        self
    }

    /// Whether it is not there for callers who may not.
    #[must_use]
    pub fn is_hidden(&self) -> bool {
        self.refuses == Refuses::AsAbsent
    }

    /// Without being counted by the primary limit.
    #[must_use]
    pub fn free(mut self) -> Self {
        self.free = true;
        self
    }

    /// With no credentials but the token in its path, by which its subject is found (decision 69).
    #[must_use]
    pub fn by_link(mut self) -> Self {
        self.needs = Needs::Link;
        self
    }

    /// Whether callers without credentials get as far as the subject.
    #[must_use]
    pub fn admits_anonymous(&self) -> bool {
        self.needs == Needs::Link || self.method == Method::Get && !self.personal
    }

    /// Whether it is about teams, which callers without credentials are told nothing of (decision 19).
    #[must_use]
    pub fn is_of_teams(&self) -> bool {
        self.name.starts_with("teams.")
    }

    /// Whether the reply is a list.
    #[must_use]
    pub fn is_list(&self) -> bool {
        self.reply.list
    }

    /// Whether the reply is a list whose pages have numbers.
    #[must_use]
    pub fn has_pages(&self) -> bool {
        self.reply.numbered
    }
}
