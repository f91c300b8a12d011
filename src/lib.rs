//! Guildhall: teams inside organizations, their members and what they may do, behind the interface that GitHub
//! clients already speak. `ARCHITECTURE.md` shows the life of a request; read `operations.rs` next.

pub mod access;
pub mod audit;
pub mod cli;
pub mod clock;
pub mod config;
pub mod db;
pub mod deliver;
pub mod dispatch;
pub mod error;
pub mod hooks;
pub mod http;
pub mod invited;
pub mod journal;
pub mod letters;
pub mod links;
pub mod mail;
pub mod members;
pub mod memory;
pub mod notices;
pub mod operation;
pub mod operations;
pub mod orgs;
pub mod pages;
pub mod people;
pub mod policy;
pub mod posts;
pub mod rows;
pub mod scope;
pub mod sender;
pub mod site;
pub mod sync;
pub mod teams;
pub mod trust;
