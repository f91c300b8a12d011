//! People: their accounts and e-mail addresses, and the namespace that they share with organizations.

pub mod account;
pub mod admin;
pub mod all;
pub mod chosen;
pub mod directory;
pub mod email;
pub mod email_changes;
pub mod email_holder;
pub mod email_keys;
pub mod email_link;
pub mod email_operations;
pub mod list;
pub mod login;
pub mod mail_test;
pub mod me;
pub mod named;
pub mod names;
pub mod profile;
pub mod reserved;
pub mod user;
