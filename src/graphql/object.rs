//! How the compiler sees an object: the name of its type, and its fields.

use apollo_compiler::resolvers::{FieldError, ObjectValue, ResolveInfo, ResolvedValue};
use apollo_compiler::response::{GraphQLError, JsonValue, ResponseDataPathSegment};

use super::running::{Failure, Resolved, Running};
use super::value::{Args, Edge, Info, Out, Thing};
use super::{invitation, mutation, org, page, post, query, repo, team, user};

/// An object while its query runs.
pub struct Object<'r> {
    /// The query.
    pub run: &'r Running<'r>,
    /// The object.
    pub thing: Thing,
}

impl ObjectValue for Object<'_> {
    fn type_name(&self) -> &str {
        match &self.thing {
            Thing::Query => "Query",
            Thing::Org(_) => "Organization",
            Thing::Team(_) => "Team",
            Thing::User(_) => "User",
            Thing::Repo(_) => "Repository",
            Thing::Discussion(_) => "TeamDiscussion",
            Thing::Comment(_) => "TeamDiscussionComment",
            Thing::Invitation(_) => "OrganizationInvitation",
            Thing::Connection(connection) => connection.kind,
            Thing::Edge(connection, _) => connection.edge,
            Thing::Info(_) => "PageInfo",
            Thing::Limit => "RateLimit",
            Thing::Payload(payload) => &payload.kind,
        }
    }

    fn resolve_field<'a>(&'a self, info: &'a ResolveInfo<'a>) -> Result<ResolvedValue<'a>, FieldError> {
        let run = self.run;
        run.check()?;
        let (name, args) = (info.field_name(), Args(info.arguments()));
        run.write(key(info).len() + 4);
        refuse_nul(args).map_err(|failure| run.fail(failure))?;
        let value = match &self.thing {
            Thing::Query => query::field(run, name, args),
            Thing::Org(id) => org::field(run, *id, name, args),
            Thing::Team(team) => team::field(run, team, name, args),
            Thing::User(person) => user::field(run, person, name, args),
            Thing::Repo(repo) => repo::field(run, repo, name, args),
            Thing::Discussion(discussion) => post::field(run, discussion, name, args),
            Thing::Comment(comment) => post::comment_field(run, comment, name),
            Thing::Invitation(invited) => invitation::field(run, invited, name),
            Thing::Connection(connection) => page::field(connection, name),
            Thing::Edge(connection, at) => Edge::field(connection, *at, name),
            Thing::Info(connection) => Info::field(connection, name),
            Thing::Limit => query::limit(run, name),
            Thing::Payload(payload) => mutation::field(run, payload, name),
        };
        value.map(|value| resolved(run, info, value)).map_err(|failure| run.fail(failure))
    }
}

fn resolved<'a>(run: &'a Running<'a>, info: &ResolveInfo<'_>, value: Out) -> ResolvedValue<'a> {
    match value {
        Out::Leaf(leaf) => {
            run.write(length(&leaf));
            ResolvedValue::Leaf(leaf)
        }
        Out::One(thing) => ResolvedValue::Object(Box::new(Object { run, thing })),
        Out::Many(things) => {
            let things: Vec<Option<Thing>> = things
                .into_iter()
                .enumerate()
                .map(|(at, thing)| thing.map_err(|why| absent(run, info, at, why)).ok())
                .collect();
            let things = things.into_iter().take_while(|_| !run.is_stopped());
            ResolvedValue::List(Box::new(things.map(move |thing| {
                run.write(5);
                let object = |thing| ResolvedValue::Object(Box::new(Object { run, thing }) as Box<dyn ObjectValue>);
                Ok(thing.map_or_else(ResolvedValue::null, object))
            })))
        }
    }
}

/// Notes the error of an item of a list at the top. The compiler would leave out the whole list.
fn absent(run: &Running, info: &ResolveInfo<'_>, at: usize, why: Failure) {
    let FieldError { message } = run.fail(why);
    let Some(field) = info.field_selections().first() else { return };
    let mut error = GraphQLError::new(message, field.name.location(), &info.document().sources);
    error.path =
        vec![ResponseDataPathSegment::Field(field.response_key().clone()), ResponseDataPathSegment::ListIndex(at)];
    run.note(error);
}

/// The name of a field in the response.
pub fn key<'a>(info: &ResolveInfo<'a>) -> &'a str {
    info.field_selections().first().map_or(info.field_name(), |field| field.response_key().as_str())
}

/// Refuses arguments with NUL, which PostgreSQL cannot store and which no name has.
pub fn refuse_nul(args: Args) -> Resolved<()> {
    if args.0.values().any(has_nul) {
        let text = "The arguments contain a NUL character. Send them without it.".to_owned();
        return Err(Failure::Field("INVALID_ARGUMENT", text));
    }
    Ok(())
}

fn has_nul(value: &JsonValue) -> bool {
    match value {
        JsonValue::String(text) => text.as_str().contains('\0'),
        JsonValue::Array(items) => items.iter().any(has_nul),
        JsonValue::Object(fields) => fields.values().any(has_nul),
        _ => false,
    }
}

/// About how long a scalar is in JSON.
fn length(leaf: &JsonValue) -> usize {
    match leaf {
        JsonValue::String(text) => text.as_str().len() + 2,
        JsonValue::Array(items) => items.iter().map(length).sum::<usize>() + 2,
        _ => 8,
    }
}
