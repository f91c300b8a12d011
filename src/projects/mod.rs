//! Projects of organizations: records that can be granted to people and teams (decisions 30, 32 and 33).

pub mod collaborators;
pub mod create;
pub mod delete;
pub mod level;
pub mod list;
pub mod project;
pub mod update;
