//! `guildhall dev`: a server for tests. It is the whole service, started from a seed. `/_guildhall` resets it, sets its
//! clock, injects faults, and shows what it has received and sent (docs/decisions/0030).

mod control;
pub mod current;
mod deliveries;
mod fault_answers;
mod fault_list;
mod faults;
pub mod gate;
pub mod generation;
pub mod guard;
mod mail;
pub mod plant;
mod refusal;
mod requests;
pub mod root;
mod time;

/// The prefix of the paths that control the server.
const PREFIX: &str = "/_guildhall";

/// The part of a path after the prefix of those that control the server, if it begins with it.
fn below_prefix(path: &str) -> Option<&str> {
    path.strip_prefix(PREFIX).filter(|rest| rest.is_empty() || rest.starts_with('/'))
}
