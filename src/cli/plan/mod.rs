//! `guildhall plan`.

pub mod command;
mod print;
