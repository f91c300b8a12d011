//! What people react to, and the statements on reactions to it (decision 36).

use serde_json::Value;

use super::sums::Content;
use crate::operation::Subject;

/// Something that people react to.
pub trait Reactable: Subject {
    /// Every form of the path of one reaction to it.
    const REACTION_FORMS: &'static [&'static str];
    /// Its statements.
    const STATEMENTS: &'static Statements;

    /// Its identifier.
    fn id(&self) -> i64;
    /// The organization that it is in.
    fn org(&self) -> i64;
    /// What the audit says of it.
    fn facts(&self) -> Value;
}

/// The statements on reactions to one kind of thing.
pub struct Statements {
    /// How often each was given.
    pub sums: &'static str,
    /// A page of all, by id.
    pub list: &'static str,
    /// A page of those that say one thing, by id.
    pub list_of: &'static str,
    /// One.
    pub get: &'static str,
    /// The one that a person gave, saying this.
    pub given: &'static str,
    /// Gives one.
    pub add: &'static str,
    /// Counts so many more, one statement for each that there is.
    pub count: [&'static str; Content::ALL.len()],
}

/// The statements for a table and the column of `reactions` that leads to it.
macro_rules! statements {
    ($table:literal, $column:literal) => {
        Statements {
            sums: concat!(
                "SELECT thumbs_up, thumbs_down, laugh, hooray, confused, heart, rocket, eyes FROM ",
                $table,
                " WHERE id = $1"
            ),
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
        concat!(
            "SELECT r.id, r.content, r.created_at, u.id, u.login, u.site_admin ",
            "FROM reactions r LEFT JOIN users u ON u.id = r.user_id WHERE r.", $column, " = $1", $rest
        )
    };
    (@count $table:literal, $sum:literal) => {
        concat!("UPDATE ", $table, " SET ", $sum, " = ", $sum, " + $2 WHERE id = $1")
    };
}
pub(super) use statements;
