//! GraphQL: the same data as the operations of the table, for clients that use GraphQL.
//!
//! Implements decision 60. `schema.graphql`, `boards.graphql` and `mutations.graphql` are what is offered. A query is
//! scanned, parsed and counted before anything is looked up, and runs on one snapshot, on a thread that may take its
//! time. Resolvers find what they show through the same functions as the operations, so what a caller sees cannot
//! differ. Mutations are operations.

mod answer;
mod arguments;
mod board;
mod cached;
mod count;
mod documents;
mod execution;
mod invitation;
mod known;
mod lookup;
mod members;
mod mutation;
mod node;
mod object;
mod org;
mod page;
mod person;
mod post;
mod posted;
mod prepared;
mod problem;
mod query;
mod record;
mod repo;
mod rules;
mod run;
mod running;
mod scan;
mod scopes;
mod search;
mod selection;
mod team;
mod together;
mod user;
mod value;

pub use rules::Rules;
pub use run::{Answered, Asked, answer, caller, rules};
