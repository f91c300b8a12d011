//! Invitations to organizations: a pending membership of the organization, and of the teams that the invitation
//! includes.

pub mod ending;
pub mod invitation;
pub mod invited_address;
mod lapsed;
mod open;

pub use lapsed::{EXPIRED, close, fail_expired};
pub use open::{
    Invitee, Open, addressee, all_open_of, invite, membership_role, open, open_for, open_of, open_to, put_teams,
    refuse_suspended, remove_seat, remove_team, seat, send, set_role, set_seat, suspension,
};
