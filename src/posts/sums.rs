//! The contents of reactions, and the sums of reactions that are stored with each post (decision 36).

use crate::db::{FromRow, Row};
use crate::error::Result;
use crate::words::words;

words! {
    /// The content of a reaction.
    pub enum Content {
        /// Thumbs up.
        ThumbsUp = "+1",
        /// Thumbs down.
        ThumbsDown = "-1",
        /// Laugh.
        Laugh = "laugh",
        /// Hooray.
        Hooray = "hooray",
        /// Confused.
        Confused = "confused",
        /// Heart.
        Heart = "heart",
        /// Rocket.
        Rocket = "rocket",
        /// Eyes.
        Eyes = "eyes",
    }
}

impl Content {
    /// The index of a stored value in `ALL`.
    #[must_use]
    pub fn place(stored: &str) -> usize {
        Self::WORDS.iter().position(|word| *word == stored).unwrap_or(0)
    }
}

/// The number of reactions with each content, in the order of [`Content::ALL`].
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
