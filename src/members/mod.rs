//! Who belongs to what: memberships of organizations and of teams. Nothing else writes them; `tests/house` checks it.
//!
//! Each function does all that belongs to its change: row, count and entry of the journal. An import writes the
//! rows of many at once, and ends with one event for all.

pub mod groups;
pub mod invitations;
pub mod invited_address;
pub mod organization;
pub mod roles;
pub mod seats;
pub mod synced;
