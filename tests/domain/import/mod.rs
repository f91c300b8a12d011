//! `guildhall import`: reading files, what an import does to a store, and what the interface shows afterwards
//! (decisions 9 to 11, 21, 22, 25 to 29, 32, 33 and 50).

mod announced;
mod extension;
mod faults;
mod files;
mod names;
mod rules;
mod served;
mod stored;
