//! The name that pages show for an organization or a person.

/// The name, or the login if there is none.
pub(super) fn called<'a>(name: Option<&'a str>, login: &'a str) -> &'a str {
    name.filter(|name| !name.trim().is_empty()).unwrap_or(login)
}
