//! The access of a person to a repository or a project, with the reasons for it.

use serde::Deserialize;

use crate::clock::Time;

/// A person's access.
#[derive(Deserialize)]
pub(super) struct Access {
    pub login: String,
    pub level: String,
    pub paths: Vec<Path>,
}

impl Access {
    /// True if the person was added by hand.
    pub fn is_single(&self) -> bool {
        self.paths.iter().any(|path| path.kind == "collaborator")
    }
}

/// A reason for it.
#[derive(Deserialize)]
pub(super) struct Path {
    pub kind: String,
    pub level: String,
    pub team: Option<Team>,
    pub granted_by: Option<Person>,
    pub granted_at: Option<Time>,
}

#[derive(Deserialize)]
pub(super) struct Team {
    pub slug: String,
    pub name: String,
}

#[derive(Deserialize)]
pub(super) struct Person {
    pub login: String,
}
