//! The program as an operator meets it: its commands, its settings, and what `serve` offers around the interface.

mod applications;
mod audit;
mod bad_files;
mod cli;
mod emails;
mod import;
mod import_files;
mod import_owners;
mod missing_store;
mod nouns;
mod operating;
mod packaged;
mod planning;
mod reloading;
mod remote;
mod remote_refused;
mod remote_rights;
mod restoring;
mod serving;
mod setting_up;
mod shells;
mod signing_in;
mod source_of_truth;
mod status;
mod terminal;
mod usage;
