//! The groups of scopes that operations accept.

use super::{Scope, Scopes};

/// The scopes that an operation accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Accepted {
    pub(super) scopes: &'static [Scope],
    header: &'static str,
    needs: Needs,
}

/// The number of accepted scopes that a token needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Needs {
    /// Any one of them.
    One,
    /// All of them.
    All,
    /// None: a token without them gets less.
    None,
}

impl Accepted {
    /// The value of `X-Accepted-OAuth-Scopes`.
    #[must_use]
    pub const fn header(&self) -> &'static str {
        self.header
    }

    /// True if a token without these scopes may be used for the operation too.
    #[must_use]
    pub fn is_optional(&self) -> bool {
        self.needs == Needs::None
    }

    /// True if a token needs all of them.
    #[must_use]
    pub fn needs_all(&self) -> bool {
        self.needs == Needs::All
    }

    /// True if a token with these scopes may be used for the operation.
    #[must_use]
    pub fn satisfied_by(&self, scopes: Scopes) -> bool {
        match self.needs {
            Needs::One => scopes.grants(self.scopes),
            Needs::All => self.scopes.iter().all(|scope| scopes.grants(&[*scope])),
            Needs::None => true,
        }
    }
}

const fn accepted(scopes: &'static [Scope], header: &'static str) -> Accepted {
    let needs = if scopes.is_empty() { Needs::None } else { Needs::One };
    Accepted { scopes, header, needs }
}

use Scope::{AdminOrg, ReadDiscussion, ReadOrg, Repo, SiteAdmin, User, WriteDiscussion, WriteOrg};

/// Changing teams, their members and their repositories.
pub const SA: Accepted = accepted(&[AdminOrg, Repo], "admin:org, repo");
/// Reading teams, and memberships of organizations; also required of a token to show concealed members.
pub const SR: Accepted =
    accepted(&[AdminOrg, ReadOrg, Repo, User, WriteOrg], "admin:org, read:org, repo, user, write:org");
/// Reading the membership of one person in a team.
pub const SM: Accepted = accepted(&[AdminOrg, ReadOrg, Repo, WriteOrg], "admin:org, read:org, repo, write:org");
/// Asking to join a team, and listing requests.
pub const RO: Accepted = accepted(&[AdminOrg, ReadOrg, WriteOrg], "admin:org, read:org, write:org");
/// Accepting the caller's own membership of an organization.
pub const AM: Accepted = accepted(&[AdminOrg, Repo, User, WriteOrg], "admin:org, repo, user, write:org");
/// Reading the members of an organization: a token without these scopes shows only public members (decision 18).
pub const MO: Accepted = Accepted { needs: Needs::None, ..accepted(&[ReadOrg, Repo, User], "read:org, repo, user") };
/// Reading discussions and comments.
pub const DR: Accepted = accepted(&[ReadDiscussion, WriteDiscussion], "read:discussion, write:discussion");
/// Writing discussions and comments.
pub const DW: Accepted = accepted(&[WriteDiscussion], "write:discussion");
/// Reading the projects of a team.
pub const PR: Accepted = accepted(&[ReadOrg, Repo], "read:org, repo");
/// Changing the projects of a team.
pub const PW: Accepted = accepted(&[Repo, WriteOrg], "repo, write:org");
/// Creating, changing and deleting repositories.
pub const REPO: Accepted = accepted(&[Repo], "repo");
/// Changing the caller's own account.
pub const USER: Accepted = accepted(&[User], "user");
/// Reading the caller's own e-mail addresses.
pub const USER_EMAIL: Accepted = accepted(&[User, Scope::UserEmail], "user, user:email");
/// Reading the e-mail address of a person by GraphQL (decision 60).
pub const EMAIL_FIELD: Accepted = accepted(&[Scope::UserEmail, Scope::ReadUser], "user:email, read:user");
/// Administering the site.
pub const SITE_ADMIN: Accepted = accepted(&[SiteAdmin], "site_admin");
/// Reading the audit log of an organization.
pub const AUDIT: Accepted = accepted(&[AdminOrg, Scope::ReadAuditLog], "admin:org, read:audit_log");
/// Administering an organization.
pub const ADMIN_ORG: Accepted = accepted(&[AdminOrg], "admin:org");
/// Reading and changing everything of an organization at once, from a file and as a file (decision 75).
pub const WHOLE_ORG: Accepted = Accepted { needs: Needs::All, ..accepted(&[AdminOrg, Repo], "admin:org, repo") };
/// Managing the webhooks of an organization.
pub const HOOKS: Accepted = accepted(&[Scope::AdminOrgHook], "admin:org_hook");
/// Reading and changing the caller's own inbox.
pub const NOTIFICATIONS: Accepted = accepted(&[Scope::Notifications, Repo], "notifications, repo");
/// No scope is needed.
pub const NONE: Accepted = accepted(&[], "");
