//! The things that people react to, and the statements on reactions to them (decision 36).

use serde_json::Value;

use super::sums::Content;
use crate::clock::Time;
use crate::db::row;
use crate::operation::Subject;
use crate::people::user::{self, User};

/// Something that people react to.
pub trait Reactable: Subject {
    /// Every form of the path of a reaction to it.
    const REACTION_FORMS: &'static [&'static str];
    /// Its statements.
    const STATEMENTS: &'static Statements;

    /// Its identifier.
    fn id(&self) -> i64;
    /// The organization that it is in.
    fn org(&self) -> i64;
    /// The value for the audit log.
    fn facts(&self) -> Value;
}

row! {
    /// A reaction as it is stored.
    #[derive(Debug)]
    pub struct ReactionRow from "r" {
        /// ID.
        pub id: i64,
        /// The reaction.
        pub content: String,
        /// Creation time.
        pub created_at: Time,
        /// The user who gave it, unless the account is gone.
        pub user: Option<User> = "u.id, u.login, u.site_admin" => user::joined,
    }
}

/// The statements on reactions to one kind of thing.
pub struct Statements {
    /// Sums the reactions by their content.
    pub sums: &'static str,
    /// Selects a page of all reactions, by id.
    pub list: &'static str,
    /// Selects a page of the reactions with one content, by id.
    pub list_of: &'static str,
    /// Selects one reaction.
    pub get: &'static str,
    /// Selects the reaction of a person with this content.
    pub given: &'static str,
    /// Inserts a reaction.
    pub add: &'static str,
    /// Adds to a count: one statement for each content.
    pub count: [&'static str; Content::ALL.len()],
}

/// The statements for a table and the column of `reactions` that refers to it.
macro_rules! statements {
    ($table:literal, $column:literal) => {
        Statements {
            sums: const_str::concat!("SELECT ", $crate::posts::sums::Sums::COLUMNS, " FROM ", $table, " p WHERE p.id = $1"),
            list: statements!(@rows $column, " ORDER BY r.id LIMIT $2 OFFSET $3"),
            list_of: statements!(@rows $column, " AND r.content = $4 ORDER BY r.id LIMIT $2 OFFSET $3"),
            get: statements!(@rows $column, " AND r.id = $2"),
            given: statements!(@rows $column, " AND r.user_id = $2 AND r.content = $3"),
            add: concat!(
                "INSERT INTO reactions (", $column, ", user_id, content, created_at) VALUES ($1, $2, $3, $4)"
            ),
            count: [
                statements!(@count $table, "thumbs_up"),
                statements!(@count $table, "thumbs_down"),
                statements!(@count $table, "laugh"),
                statements!(@count $table, "hooray"),
                statements!(@count $table, "confused"),
                statements!(@count $table, "heart"),
                statements!(@count $table, "rocket"),
                statements!(@count $table, "eyes"),
            ],
        }
    };
    (@rows $column:literal, $rest:literal) => {
        const_str::concat!(
            "SELECT ",
            $crate::posts::reactable::ReactionRow::COLUMNS,
            " FROM reactions r LEFT JOIN users u ON u.id = r.user_id WHERE r.", $column, " = $1", $rest
        )
    };
    (@count $table:literal, $sum:literal) => {
        concat!("UPDATE ", $table, " SET ", $sum, " = ", $sum, " + $2 WHERE id = $1")
    };
}
pub(super) use statements;
