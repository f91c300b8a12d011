//! `guildhall audit`: the audit log of an organization or of the site, for the operator (decision 47).

pub mod command;
mod names;
mod print;
