//! `guildhall plan` and `guildhall apply`.

pub mod apply;
pub mod command;
mod desired;
mod print;
