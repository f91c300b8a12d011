//! Repositories: records that belong to an organization or a person and can be granted (decisions 30, 31 and 33).

pub mod access;
mod addresses;
pub mod granting;
pub mod level;
pub mod record;
pub mod repo;

/// The form in which names of repositories are compared: without case.
#[must_use]
pub fn name_key(name: &str) -> String {
    name.to_lowercase()
}
