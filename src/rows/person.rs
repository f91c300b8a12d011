//! A person, as lists show them.

use crate::db::row;

row! {
    /// A person, as lists show them.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct PersonRow from "u" {
        /// ID.
        pub id: i64,
        /// Login, in its stored case.
        pub login: String,
        /// True if they administer the site.
        pub site_admin: bool,
    }
}
