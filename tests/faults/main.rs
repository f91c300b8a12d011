//! Things that go wrong: a request, a batch, the disk, the process, the database, the network, the operator.
//!
//! What was acknowledged is kept, what was refused has changed nothing, and the message says what to do
//! (house section 16, decisions 20, 40 and 41).

#![expect(clippy::expect_used, clippy::panic, reason = "a test fails by panicking, in its helpers too")]

#[path = "../support/mod.rs"]
mod support;

#[path = "../nodes/history.rs"]
mod history;
#[expect(dead_code, reason = "nothing is cut here")]
#[path = "../nodes/proxy.rs"]
mod proxy;
#[path = "../nodes/registers.rs"]
mod registers;

mod batch;
mod beside;
mod bookkeeping;
mod clock;
mod crowd;
mod cut;
mod delivered;
mod disk;
mod failover;
mod frames;
mod frozen;
mod gone;
mod killed;
mod limited;
mod mailed;
mod program;
mod slow;
mod start;
mod stop;
mod unread;
mod unread_all;
mod watched;
mod wire;
