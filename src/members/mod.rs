//! Memberships of organizations and teams. No other module writes them; `tests/house` checks this.
//!
//! Each function makes its change completely: the row, the count and the journal entry. An import writes many rows at
//! once and ends with one event for all of them.

pub mod affiliation;
pub mod counts;
pub mod end_time;
pub mod ends;
pub mod groups;
pub mod invitations;
pub mod join_requests;
pub mod levels;
pub mod organization;
pub mod roles;
pub mod seats;
pub mod security_managers;
pub mod synced;
