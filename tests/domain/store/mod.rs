//! What is kept: that doctor finds and mends damage to it, that a store of an older schema is brought to this one, and
//! that the state of an organization in memory is what a naive model says.

mod doctor;
mod doctor_file;
mod email_keys;
mod memory;
mod migrated;
mod older_schema;
