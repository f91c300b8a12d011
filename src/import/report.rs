//! The result of an import: created, changed, skipped and why, and what the store has beyond the files (decision 50).

use std::collections::BTreeMap;
use std::fmt;

use serde::{Serialize, Serializer};

/// The kinds of rows that an import creates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// The organization itself.
    Organization,
    /// A person's account.
    Account,
    /// A person's membership in the organization.
    Member,
    /// A repository.
    Repository,
    /// A person's level on a repository.
    Collaborator,
    /// A team.
    Team,
    /// A former name, which redirects to its team or its repository.
    FormerName,
    /// A direct membership of a team.
    Membership,
    /// An invitation to the organization, with teams.
    Invitation,
    /// A team's level on a repository.
    Grant,
    /// A project.
    Project,
    /// A person's level on a project.
    ProjectCollaborator,
    /// A team's level on a project.
    ProjectGrant,
    /// The role of a team or a person that is a security manager.
    SecurityManager,
}

impl Kind {
    /// Its name, in singular and plural.
    #[must_use]
    pub fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::Organization => ("organization", "organizations"),
            Self::Account => ("account", "accounts"),
            Self::Member => ("member", "members"),
            Self::Repository => ("repository", "repositories"),
            Self::Collaborator => ("collaborator", "collaborators"),
            Self::Team => ("team", "teams"),
            Self::FormerName => ("former name", "former names"),
            Self::Membership => ("membership", "memberships"),
            Self::Invitation => ("invitation", "invitations"),
            Self::Grant => ("grant", "grants"),
            Self::Project => ("project", "projects"),
            Self::ProjectCollaborator => ("project collaborator", "project collaborators"),
            Self::ProjectGrant => ("project grant", "project grants"),
            Self::SecurityManager => ("security manager", "security managers"),
        }
    }
}

impl Serialize for Kind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.names().1.replace(' ', "_"))
    }
}

/// The result of an import for one organization.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct OrgReport {
    /// The organization's login.
    pub login: String,
    /// The number of new rows of each kind.
    pub created: BTreeMap<Kind, u64>,
    /// The changes of existing rows.
    pub changed: Vec<String>,
    /// The items that were left out, each with the reason.
    pub skipped: Vec<String>,
    /// New invitations.
    pub invited: Vec<String>,
    /// True if the invitations are sent by e-mail.
    #[serde(skip)]
    pub mail: bool,
    /// Keys of the file whose values are not stored.
    pub not_kept: Vec<String>,
    /// The items that the store has and the file does not; they are not changed.
    #[serde(rename = "not_in_file")]
    pub beyond: Vec<String>,
}

impl OrgReport {
    /// Counts what was created.
    pub fn created(&mut self, kind: Kind, count: usize) {
        if count > 0 {
            *self.created.entry(kind).or_default() += count as u64;
        }
    }

    /// True if anything was created or changed.
    #[must_use]
    pub fn has_changes(&self) -> bool {
        !self.created.is_empty() || !self.changed.is_empty()
    }
}

/// The result of an import.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Report {
    /// One report for each organization, in the order of the files.
    #[serde(rename = "organizations")]
    pub orgs: Vec<OrgReport>,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.orgs.iter().try_for_each(|org| writeln!(f, "{org}"))?;
        let mut all = BTreeMap::new();
        for (kind, count) in self.orgs.iter().flat_map(|org| &org.created) {
            *all.entry(*kind).or_default() += count;
        }
        let sum = |of: fn(&OrgReport) -> usize| self.orgs.iter().map(of).sum();
        let changed = sum(|org| org.changed.len());
        write!(f, "Total: {}", summary(&all, changed))?;
        write!(f, "; {} skipped", sum(|org| org.skipped.len()))?;
        write!(f, "; {} not in the files", sum(|org| org.beyond.len()))
    }
}

impl fmt::Display for OrgReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.login, summary(&self.created, self.changed.len()))?;
        let lists = [
            ("changed", &self.changed),
            (if self.mail { "invited by e-mail" } else { "invited (no e-mail is sent)" }, &self.invited),
            ("skipped", &self.skipped),
            ("not in the file, left unchanged", &self.beyond),
        ];
        for (what, lines) in lists {
            lines.iter().try_for_each(|line| write!(f, "\n  {what}: {line}"))?;
        }
        if self.not_kept.is_empty() { Ok(()) } else { write!(f, "\n  not kept: {}", self.not_kept.join(", ")) }
    }
}

fn summary(created: &BTreeMap<Kind, u64>, changed: usize) -> String {
    let mut parts: Vec<String> = created.iter().map(|(kind, count)| counted(*kind, *count)).collect();
    if let Some(first) = parts.first_mut() {
        first.insert_str(0, "created ");
    }
    match changed {
        0 if parts.is_empty() => return "nothing to change".to_owned(),
        0 => {}
        1 => parts.push("1 change".to_owned()),
        n => parts.push(format!("{n} changes")),
    }
    parts.join(", ")
}

fn counted(kind: Kind, count: u64) -> String {
    let (one, many) = kind.names();
    format!("{count} {}", if count == 1 { one } else { many })
}
