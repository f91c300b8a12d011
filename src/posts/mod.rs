//! The board of a team: its discussions, their comments, and the reactions to both (decisions 34 to 36).

pub mod board;
pub mod comment;
pub mod comments;
pub mod content;
pub mod discussion;
pub mod discussions;
mod html_block;
pub mod markdown;
mod measure;
pub mod mentioned;
pub mod mentions;
pub mod pins;
pub mod places;
pub mod preview;
pub mod reactable;
pub mod reaction;
pub mod reactions;
pub mod record;
pub mod recount;
pub mod sums;
pub mod text;
pub mod words;
