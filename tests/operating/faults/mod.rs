//! Things that go wrong: a request, a batch, the disk, the process, the database, the network, the operator.
//!
//! Acknowledged changes are kept, refused requests have changed nothing, and the message says what to do (decisions 20,
//! 40 and 41).

mod batch;
mod beside;
mod bookkeeping;
mod clock;
mod cut;
mod delivered;
mod disk;
mod frames;
mod frozen;
mod gone;
mod killed;
mod limited;
mod mailed;
mod many_clients;
mod one_person;
pub mod program;
mod slow;
mod start;
mod stop;
mod unread;
mod unread_all;
mod watched;
mod wire;
