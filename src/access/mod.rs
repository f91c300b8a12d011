//! Accounts that send requests: credentials, tokens, and acting as another person.

pub mod authorization;
pub mod bootstrap;
pub mod credentials;
pub mod impersonation;
mod last_use;
pub mod operator;
pub mod own_tokens;
pub mod session;
pub mod site_tokens;
pub mod token;
pub mod token_text;
pub mod used;
