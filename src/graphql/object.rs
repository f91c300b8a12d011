//! The objects of the schema: the names of their types, and the values of their fields.

use std::rc::Rc;

use super::running::{Failure, Resolved, Running};
use super::value::{Args, Edge, Info, Out, Thing};
use super::{invitation, mutation, org, page, post, query, repo, team, user};

impl Thing {
    /// The name of its type.
    pub fn kind(&self) -> &str {
        match self {
            Self::Query => "Query",
            Self::Org(_) => "Organization",
            Self::Team(_) => "Team",
            Self::User(_) => "User",
            Self::Repo(_) => "Repository",
            Self::Discussion(_) => "TeamDiscussion",
            Self::Comment(_) => "TeamDiscussionComment",
            Self::Invitation(_) => "OrganizationInvitation",
            Self::RepositoryTopic(_) => "RepositoryTopic",
            Self::Topic(_) => "Topic",
            Self::Connection(connection) => connection.kind,
            Self::Edge(connection, _) => connection.edge,
            Self::Info(_) => "PageInfo",
            Self::Limit => "RateLimit",
            Self::Payload(payload) => &payload.kind,
        }
    }

    /// The value of a field of the schema.
    pub fn field<'a>(&'a self, run: &'a Running, name: &str, args: Args) -> Resolved<Out<'a>> {
        match self {
            Self::Query => query::field(run, name, args),
            Self::Org(id) => org::field(run, *id, name, args),
            Self::Team(team) => team::field(run, team, name, args),
            Self::User(person) => user::field(run, person, name, args),
            Self::Repo(repo) => repo::field(run, repo, name, args),
            Self::Discussion(discussion) => post::field(run, discussion, name, args),
            Self::Comment(comment) => post::comment_field(run, comment, name),
            Self::Invitation(invited) => invitation::field(run, invited, name),
            Self::RepositoryTopic(topic) if name == "topic" => Ok(Out::One(Self::Topic(Rc::clone(topic)))),
            Self::Topic(topic) if name == "name" => Out::leaf(&**topic),
            Self::RepositoryTopic(_) | Self::Topic(_) => Err(Failure::unknown(self.kind(), name)),
            Self::Connection(connection) => page::field(connection, name),
            Self::Edge(connection, at) => Edge::field(connection, *at, name),
            Self::Info(connection) => Info::field(connection, name),
            Self::Limit => query::limit(run, name),
            Self::Payload(payload) => mutation::field(run, payload, name),
        }
    }
}
