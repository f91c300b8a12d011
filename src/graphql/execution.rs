//! Carries out what is selected, and writes it as JSON: `ExecuteSelectionSet`, `ExecuteField` and `CompleteValue` of
//! GraphQL.
//!
//! The response is written from its beginning to its end. Where a value cannot be null and has an error, what was
//! written of the nearest value that can be null is taken back.

use std::rc::Rc;

use apollo_compiler::ast::Type;
use apollo_compiler::response::JsonMap;
use serde_json::Value;

use super::answer::Written;
use super::arguments::Refusal;
use super::page;
use super::prepared::Prepared;
use super::problem::Problem;
use super::running::{Failure, Running, Stop};
use super::selection::{Selected, Selecting, Selection};
use super::value::{Args, Leaf, Out, Payload, Thing};
use crate::error::{Error, Result};

/// The reason why a value is not complete.
enum Unfinished {
    /// It has an error, which is noted, and is null.
    Null,
    /// The whole query is stopped.
    Stopped(Stop),
}

type Finished = std::result::Result<(), Unfinished>;

/// A part of a path in the response.
enum Step<'p> {
    Field(&'p str),
    Item(usize),
}

/// A query while it is carried out.
struct Execution<'p, 'r> {
    prepared: &'p Prepared,
    selecting: Selecting<'p>,
    run: &'r Running<'r>,
    written: Written,
    path: Vec<Step<'p>>,
    /// The result of introspection. The compiler computes all of it at once.
    described: Option<JsonMap>,
}

/// Carries out a query.
pub fn query(prepared: &Prepared, run: &Running) -> std::result::Result<Written, Stop> {
    let mut execution = Execution::new(prepared, run);
    let done = prepared.root(&execution.selecting).map_err(Unfinished::from);
    let done = done.and_then(|root| execution.selection_set(&root, &Thing::Query));
    execution.end(done)
}

/// Shows the payload of the mutation with this name in the response.
pub fn payload(prepared: &Prepared, run: &Running, key: &str, payload: Payload) -> std::result::Result<Written, Stop> {
    let mut execution = Execution::new(prepared, run);
    let root = prepared.root(&execution.selecting).map_err(Stop::Error)?;
    let mut done = Ok(());
    if let Some(field) = root.fields.iter().find(|field| field.key == key) {
        execution.path.push(Step::Field(field.key));
        done = execution.object(field, &Thing::Payload(payload.into()));
    }
    execution.end(done)
}

impl From<Error> for Unfinished {
    fn from(error: Error) -> Self {
        Self::Stopped(Stop::Error(error))
    }
}

impl<'p, 'r> Execution<'p, 'r> {
    fn new(prepared: &'p Prepared, run: &'r Running<'r>) -> Self {
        let (selecting, written) = (prepared.selecting(), Written::default());
        Self { prepared, selecting, run, written, path: Vec::new(), described: None }
    }

    /// Returns the text that was written. If not even the root has a value, that is null.
    fn end(mut self, done: Finished) -> std::result::Result<Written, Stop> {
        match done {
            Ok(()) => Ok(self.written),
            Err(Unfinished::Stopped(stop)) => Err(stop),
            Err(Unfinished::Null) => {
                self.null(0);
                Ok(self.written)
            }
        }
    }

    /// `ExecuteSelectionSet`.
    fn selection_set(&mut self, selection: &Selection<'p>, thing: &Thing) -> Finished {
        self.written.data.push(b'{');
        for (at, field) in selection.fields.iter().enumerate() {
            if at > 0 {
                self.written.data.push(b',');
            }
            self.written.data.extend_from_slice(field.label.as_bytes());
            self.path.push(Step::Field(field.key));
            let start = self.written.data.len();
            let done = self.field(selection.kind, field, thing);
            let done = self.or_null(field.ty, start, done);
            self.path.pop();
            done?;
        }
        self.written.data.push(b'}');
        Ok(())
    }

    /// Handling field errors: a value that has one is null, or makes the value null that it belongs to.
    fn or_null(&mut self, ty: &Type, start: usize, done: Finished) -> Finished {
        match done {
            Err(Unfinished::Null) if !ty.is_non_null() => {
                self.null(start);
                Ok(())
            }
            done => done,
        }
    }

    fn null(&mut self, start: usize) {
        self.written.data.truncate(start);
        self.written.data.extend_from_slice(b"null");
    }

    /// `ExecuteField`.
    fn field(&mut self, kind: &str, field: &Selected<'p>, thing: &Thing) -> Finished {
        let run = self.run;
        if let Err(failure) = run.check(self.written.len()) {
            return Err(self.fail(field, failure));
        }
        let args = match &field.arguments {
            Ok(args) => Args(args),
            Err(refusal) => return Err(self.refuse(field, refusal.clone())),
        };
        match field.name.as_str() {
            "__typename" => self.leaf(field, kind.into()),
            "__schema" | "__type" => self.describe(field),
            name => match thing.field(run, name, args) {
                Ok(value) => self.complete(field, args, value),
                Err(failure) => Err(self.fail(field, failure)),
            },
        }
    }

    /// `CompleteValue`.
    fn complete(&mut self, field: &Selected<'p>, args: Args, value: Out) -> Finished {
        match value {
            Out::Nothing => match page::nothing(field.ty, field.name, args) {
                Ok(value) => self.complete(field, args, value),
                Err(failure) => Err(self.fail(field, failure)),
            },
            Out::Null if field.ty.is_non_null() => {
                let text = format!("non-null type {} resolved to null", field.ty);
                Err(self.refuse(field, (None, text)))
            }
            Out::Null => {
                self.written.data.extend_from_slice(b"null");
                Ok(())
            }
            Out::Leaf(leaf) => self.leaf(field, leaf),
            Out::One(thing) => self.object(field, &thing),
            Out::Many(things) => {
                let (length, mut things) = (things.len(), things.into_iter());
                self.list(field, length, |this, _| match things.next() {
                    Some(Ok(thing)) => this.object(field, &thing),
                    Some(Err(failure)) => Err(this.fail(field, failure)),
                    None => Err(Unfinished::Null),
                })
            }
            Out::Nodes(connection) => self.list(field, connection.edges.len(), |this, at| {
                connection.edges.get(at).map_or(Err(Unfinished::Null), |edge| this.object(field, &edge.node))
            }),
            Out::Edges(connection) => self.list(field, connection.edges.len(), |this, at| {
                this.object(field, &Thing::Edge(Rc::clone(connection), at))
            }),
        }
    }

    fn object(&mut self, field: &Selected<'p>, thing: &Thing) -> Finished {
        let selection = self.selecting.below(field, thing.kind())?;
        self.selection_set(&selection, thing)
    }

    fn list(
        &mut self,
        field: &Selected<'p>,
        length: usize,
        mut item: impl FnMut(&mut Self, usize) -> Finished,
    ) -> Finished {
        self.written.data.push(b'[');
        for at in 0..length {
            if at > 0 {
                self.written.data.push(b',');
            }
            self.path.push(Step::Item(at));
            let start = self.written.data.len();
            let done = item(self, at);
            let done = self.or_null(field.ty.item_type(), start, done);
            self.path.pop();
            done?;
        }
        self.written.data.push(b']');
        Ok(())
    }

    /// Result coercion. Numbers are `Int`, which has 32 bits.
    fn leaf(&mut self, field: &Selected<'p>, leaf: Leaf) -> Finished {
        match leaf {
            Leaf::Number(number) if i32::try_from(number).is_err() => {
                return Err(self.refuse(field, (None, format!("{number} does not fit into 32 bits"))));
            }
            Leaf::Number(number) => {
                self.written.data.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
            }
            Leaf::Flag(flag) => self.written.data.extend_from_slice(if flag { b"true" } else { b"false" }),
            Leaf::Text(text) => self.json(&text)?,
        }
        Ok(())
    }

    fn json(&mut self, value: &impl serde::Serialize) -> Result<()> {
        serde_json::to_writer(&mut self.written.data, value).map_err(|error| Error::Bug(error.to_string()))
    }

    /// A field of introspection, as the compiler answers it. How much that may be is counted before.
    fn describe(&mut self, field: &Selected<'p>) -> Finished {
        if self.described.is_none() {
            self.described = Some(self.prepared.describe()?);
        }
        let value = self.described.as_ref().and_then(|described| described.get(field.key.as_str())).cloned();
        Ok(self.json(&value)?)
    }

    /// The end of a value without one.
    fn fail(&mut self, field: &Selected<'p>, failure: Failure) -> Unfinished {
        match failure {
            Failure::Field(kind, message) => self.refuse(field, (Some(kind), message)),
            Failure::Whole(error) => Unfinished::Stopped(Stop::Error(error)),
            Failure::TooMuch => Unfinished::Stopped(Stop::TooMuch),
        }
    }

    /// Notes the error of a field, whose place in the response and in the document is known.
    fn refuse(&mut self, field: &Selected<'p>, (kind, message): Refusal) -> Unfinished {
        let path = self.path.iter().map(|step| match step {
            Step::Field(name) => Value::from(*name),
            Step::Item(at) => Value::from(*at),
        });
        let locations = self.selecting.locations(field);
        self.written.note(Problem::of_field(kind, message, path.collect(), locations));
        Unfinished::Null
    }
}
