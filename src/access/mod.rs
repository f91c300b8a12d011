//! Who is calling: credentials, tokens and their scopes, how often somebody may call, and how much they may create.

pub mod abuse;
pub mod authorization;
pub mod bootstrap;
pub mod credentials;
pub mod impersonation;
pub mod limit;
pub mod token;
pub mod token_text;
