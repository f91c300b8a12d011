//! Mail (decisions 46 and 69): what is sent, and how.

pub mod letter;
pub mod token;
