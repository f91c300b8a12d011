//! `guildhall plan` and `guildhall apply`.

pub mod apply;
pub mod command;
mod desired;
mod difference;
mod print;
mod server;
