//! The stored data: doctor finds and repairs damage to it, a store of an older schema is brought to this one, and the
//! state of an organization in memory is what a naive model says.

mod doctor;
mod doctor_file;
mod email_keys;
mod memory;
mod migrated;
mod older_schema;
