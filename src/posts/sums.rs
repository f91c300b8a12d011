//! What a reaction can express, and the sums of reactions that are stored with each post (decision 36).

use schemars::JsonSchema;
use serde::Deserialize;

use crate::db::{FromRow, Row};
use crate::error::Result;

/// What a reaction can express.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Content {
    /// Thumbs up.
    #[serde(rename = "+1")]
    ThumbsUp,
    /// Thumbs down.
    #[serde(rename = "-1")]
    ThumbsDown,
    /// Laugh.
    Laugh,
    /// Hooray.
    Hooray,
    /// Confused.
    Confused,
    /// Heart.
    Heart,
    /// Rocket.
    Rocket,
    /// Eyes.
    Eyes,
}

impl Content {
    /// Every reaction and its stored value, in the order of the columns.
    pub const ALL: [(Self, &'static str); 8] = [
        (Self::ThumbsUp, "+1"),
        (Self::ThumbsDown, "-1"),
        (Self::Laugh, "laugh"),
        (Self::Hooray, "hooray"),
        (Self::Confused, "confused"),
        (Self::Heart, "heart"),
        (Self::Rocket, "rocket"),
        (Self::Eyes, "eyes"),
    ];

    /// The value as it is stored.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        Self::ALL[self as usize].1
    }

    /// The index of a stored value in `ALL`.
    #[must_use]
    pub fn place(stored: &str) -> usize {
        Self::ALL.iter().position(|(_, text)| *text == stored).unwrap_or(0)
    }
}

/// How often each reaction was given, in the order of [`Content::ALL`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sums(pub [i64; Content::ALL.len()]);

impl Sums {
    /// The columns of a post `p`.
    pub const COLUMNS: &'static str =
        "p.thumbs_up, p.thumbs_down, p.laugh, p.hooray, p.confused, p.heart, p.rocket, p.eyes";

    /// The total of all sums.
    #[must_use]
    pub fn total(self) -> i64 {
        self.0.iter().sum()
    }
}

impl FromRow for Sums {
    fn from_row(row: &Row<'_>) -> Result<Self> {
        let mut sums = Self::default();
        for sum in &mut sums.0 {
            *sum = row.read()?;
        }
        Ok(sums)
    }
}
