//! The scopes that a person can grant to an application (decision 62).

use super::{Scope, Scopes};

/// The scopes that no application gets, with what they imply: administering the site.
const NEVER: u64 = Scope::SiteAdmin.closure() | Scope::AdminEnterprise.closure();

/// The scopes with which nothing can be changed.
const READING: &[Scope] = &[
    Scope::ReadAuditLog,
    Scope::ReadDiscussion,
    Scope::ReadEnterprise,
    Scope::ReadGpgKey,
    Scope::ReadOrg,
    Scope::ReadPackages,
    Scope::ReadProject,
    Scope::ReadPublicKey,
    Scope::ReadRepoHook,
    Scope::ReadSshSigningKey,
    Scope::ReadUser,
    Scope::UserEmail,
];

impl Scopes {
    /// The scopes that an application asks for, separated by commas or whitespace. Unknown ones do not count, nor do those
    /// that no application gets.
    #[must_use]
    pub fn grantable(text: &str) -> Self {
        let names = text.split(|c: char| c == ',' || c.is_whitespace());
        Self(names.filter_map(Scope::named).fold(0, |bits, scope| bits | scope.closure()) & !NEVER)
    }

    /// True if all of these are among them.
    #[must_use]
    pub fn cover(self, others: Self) -> bool {
        others.0 & !self.0 == 0
    }

    /// True if something can be changed with one of these.
    #[must_use]
    pub fn write(self) -> bool {
        !Self(READING.iter().fold(0, |bits, scope| bits | scope.bit())).cover(self)
    }

    /// These and those.
    #[must_use]
    pub fn and(self, others: Self) -> Self {
        Self(self.0 | others.0)
    }
}

#[cfg(test)]
mod tests {
    use super::Scopes;

    fn granted(text: &str) -> String {
        Scopes::grantable(text).header()
    }

    #[test]
    fn spaces_and_commas_separate_and_unknown_scopes_do_not_count() {
        assert_eq!(granted("repo,read:org  gist openid\tx"), "gist, read:org, repo");
        assert_eq!(granted(""), "");
        assert_eq!(granted("openid profile email offline_access"), "");
    }

    #[test]
    fn what_administers_the_site_is_never_granted() {
        assert_eq!(granted("site_admin admin:enterprise read:enterprise manage_billing:enterprise"), "");
        assert_eq!(granted("admin:org admin:org_hook site_admin"), "admin:org, admin:org_hook");
    }

    #[test]
    fn a_scope_writes_unless_it_only_reads() {
        for text in ["", "read:org", "read:user user:email", "read:audit_log,read:discussion"] {
            assert!(!Scopes::grantable(text).write(), "{text}");
        }
        for text in ["repo", "gist", "user", "notifications", "read:org write:discussion", "admin:org", "user:follow"] {
            assert!(Scopes::grantable(text).write(), "{text}");
        }
    }

    #[test]
    fn implied_scopes_are_covered() {
        let held = Scopes::grantable("admin:org");
        assert!(held.cover(Scopes::grantable("read:org")) && !held.cover(Scopes::grantable("repo")));
        assert!(held.and(Scopes::grantable("repo")).cover(Scopes::grantable("repo read:org")));
    }
}
