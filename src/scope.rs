//! OAuth scopes: what a token may be used for, and which scopes an operation accepts.
//!
//! Implements the scope groups and implications of section 7 of `SPEC.md`. The texts of the groups are sent as
//! `X-Accepted-OAuth-Scopes`. Decision 31: a scope that only reads never implies one that writes, and no group for a
//! write contains one, except RO: asking to join a team changes nothing that a team shows (decision 65).

mod accepted;
mod grantable;

pub use accepted::*;

use std::fmt;

/// Declares every scope with the text that clients use and the scopes that it directly implies.
macro_rules! scopes {
    ($($scope:ident $name:literal => [$($implied:ident)*];)*) => {
        /// One OAuth scope.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Scope { $(#[doc = concat!("`", $name, "`.")] $scope,)* }

        impl Scope {
            const ALL: &[Scope] = &[$(Scope::$scope,)*];

            /// The text of the scope, as in requests and headers.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Scope::$scope => $name,)* }
            }

            const fn implied(self) -> &'static [Scope] {
                match self { $(Scope::$scope => &[$(Scope::$implied,)*],)* }
            }
        }
    };
}

// Sorted by text: the headers list scopes in this order.
scopes! {
    AdminEnterprise "admin:enterprise" => [ManageBillingEnterprise ManageRunnersEnterprise ReadEnterprise];
    AdminGpgKey "admin:gpg_key" => [WriteGpgKey];
    AdminOrg "admin:org" => [WriteOrg];
    AdminOrgHook "admin:org_hook" => [];
    AdminPreReceiveHook "admin:pre_receive_hook" => [];
    AdminPublicKey "admin:public_key" => [WritePublicKey];
    AdminRepoHook "admin:repo_hook" => [WriteRepoHook];
    AdminSshSigningKey "admin:ssh_signing_key" => [WriteSshSigningKey];
    AuditLog "audit_log" => [ReadAuditLog];
    Codespace "codespace" => [CodespaceSecrets];
    CodespaceSecrets "codespace:secrets" => [];
    DeletePackages "delete:packages" => [];
    DeleteRepo "delete_repo" => [];
    Gist "gist" => [];
    ManageBillingEnterprise "manage_billing:enterprise" => [];
    ManageRunnersEnterprise "manage_runners:enterprise" => [];
    Notifications "notifications" => [];
    Project "project" => [ReadProject];
    PublicRepo "public_repo" => [];
    ReadAuditLog "read:audit_log" => [];
    ReadDiscussion "read:discussion" => [];
    ReadEnterprise "read:enterprise" => [];
    ReadGpgKey "read:gpg_key" => [];
    ReadOrg "read:org" => [];
    ReadPackages "read:packages" => [];
    ReadProject "read:project" => [];
    ReadPublicKey "read:public_key" => [];
    ReadRepoHook "read:repo_hook" => [];
    ReadSshSigningKey "read:ssh_signing_key" => [];
    ReadUser "read:user" => [];
    Repo "repo" => [PublicRepo RepoInvite RepoStatus RepoDeployment SecurityEvents];
    RepoInvite "repo:invite" => [];
    RepoStatus "repo:status" => [];
    RepoDeployment "repo_deployment" => [];
    SecurityEvents "security_events" => [];
    SiteAdmin "site_admin" => [];
    User "user" => [ReadUser UserEmail UserFollow];
    UserEmail "user:email" => [];
    UserFollow "user:follow" => [];
    Workflow "workflow" => [];
    WriteDiscussion "write:discussion" => [ReadDiscussion];
    WriteGpgKey "write:gpg_key" => [ReadGpgKey];
    WriteOrg "write:org" => [ReadOrg];
    WritePackages "write:packages" => [ReadPackages];
    WritePublicKey "write:public_key" => [ReadPublicKey];
    WriteRepoHook "write:repo_hook" => [ReadRepoHook];
    WriteSshSigningKey "write:ssh_signing_key" => [ReadSshSigningKey];
}

impl Scope {
    fn named(name: &str) -> Option<Scope> {
        Scope::ALL.binary_search_by_key(&name, |s| s.name()).ok().map(|at| Scope::ALL[at])
    }

    const fn bit(self) -> u64 {
        1 << self as u32
    }

    /// The bits of the scope and of everything that it implies, directly or indirectly.
    const fn closure(self) -> u64 {
        let (implied, mut bits, mut at) = (self.implied(), self.bit(), 0);
        while at < implied.len() {
            bits |= implied[at].closure();
            at += 1;
        }
        bits
    }
}

/// The bits that each scope implies without its own, by the index of the scope, computed once because every request
/// needs them.
const IMPLIED: [u64; Scope::ALL.len()] = {
    let (mut all, mut at) = ([0; Scope::ALL.len()], 0);
    while at < all.len() {
        all[at] = Scope::ALL[at].closure() & !Scope::ALL[at].bit();
        at += 1;
    }
    all
};

/// The scopes of a token, including implied ones.
///
/// The bits follow the list above and change with it, so store the text of [`Scopes::header`] instead.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Scopes(u64);

impl Scopes {
    /// All scopes.
    pub const ALL: Self = Self(u64::MAX >> (64 - Scope::ALL.len()));

    /// Parses scopes separated by commas or whitespace, as stored or as typed.
    pub fn parse(text: &str) -> Result<Scopes, UnknownScope> {
        let names = text.split(|c: char| c == ',' || c.is_whitespace());
        Scopes::from_names(names.filter(|name| !name.is_empty()))
    }

    /// Parses scopes given one by one, as in the field `scopes` of a body.
    pub fn from_names<N: AsRef<str>>(names: impl IntoIterator<Item = N>) -> Result<Scopes, UnknownScope> {
        names.into_iter().try_fold(Scopes::default(), |set, name| {
            let name = name.as_ref();
            let scope = Scope::named(name).ok_or_else(|| UnknownScope::new(name))?;
            Ok(Scopes(set.0 | scope.bit() | IMPLIED[scope as usize]))
        })
    }

    /// True if the token has any one of these scopes, directly or by implication.
    #[must_use]
    pub fn grants(self, any_of: &[Scope]) -> bool {
        any_of.iter().any(|s| self.0 & s.bit() != 0)
    }

    /// The scopes in order, without those that another scope of the token implies.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        let held = |bits: u64| (0..IMPLIED.len()).filter(move |at| bits >> at & 1 == 1);
        let implied = held(self.0).fold(0, |bits, at| bits | IMPLIED[at]);
        held(self.0 & !implied).map(|at| Scope::ALL[at].name())
    }

    /// The value of `X-OAuth-Scopes`, which is also the text to store.
    #[must_use]
    pub fn header(self) -> String {
        self.names().fold(String::with_capacity(64), |mut list, name| {
            if !list.is_empty() {
                list.push_str(", ");
            }
            list.push_str(name);
            list
        })
    }
}

impl fmt::Debug for Scopes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Scopes").field(&self.header()).finish()
    }
}

/// A name that is not a scope, and the scope that was probably meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownScope {
    /// The given name, cut to 64 characters.
    pub name: String,
    /// The most similar scope, if any is similar enough.
    pub nearest: Option<&'static str>,
}

impl UnknownScope {
    fn new(name: &str) -> UnknownScope {
        // The name is cut first, because comparing is quadratic and the name comes from a client.
        let name: String = name.chars().take(64).collect();
        let similarity = |s: &Scope| strsim::normalized_damerau_levenshtein(&name, s.name());
        let nearest = Scope::ALL.iter().max_by(|a, b| similarity(a).total_cmp(&similarity(b)));
        let nearest = nearest.filter(|s| similarity(s) >= 0.5).map(|s| s.name());
        UnknownScope { name, nearest }
    }
}

impl fmt::Display for UnknownScope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not a scope.", self.name)?;
        if let Some(nearest) = self.nearest {
            return write!(f, " Did you mean `{nearest}`?");
        }
        let known: Vec<_> = Scope::ALL.iter().map(|s| s.name()).collect();
        write!(f, " Use any of: {}.", known.join(", "))
    }
}

impl std::error::Error for UnknownScope {}

#[cfg(test)]
mod tests {
    use super::Scope::{AdminOrg, ReadOrg, Repo};
    use super::*;

    const GROUPS: &[Accepted] = &[
        SA,
        SR,
        SM,
        RO,
        AM,
        MO,
        DR,
        DW,
        PR,
        PW,
        REPO,
        USER,
        USER_EMAIL,
        EMAIL_FIELD,
        SITE_ADMIN,
        AUDIT,
        ADMIN_ORG,
        WHOLE_ORG,
        HOOKS,
        NOTIFICATIONS,
        NONE,
    ];

    fn scopes(text: &str) -> Scopes {
        Scopes::parse(text).unwrap()
    }

    #[test]
    fn the_list_is_sorted_and_fits_the_bits() {
        assert!(Scope::ALL.is_sorted_by(|a, b| a.name() < b.name()));
        assert!(Scope::ALL.len() <= 64);
    }

    #[test]
    fn normalised_set_drops_what_is_implied_and_sorts_the_rest() {
        assert_eq!(scopes("repo,admin:org").header(), "admin:org, repo");
        let all = "read:org write:org admin:org, user:email user repo:status repo";
        assert_eq!(scopes(all).header(), "admin:org, repo, user");
        assert_eq!(scopes("read:org repo:status").header(), "read:org, repo:status");
        assert_eq!(scopes(" , ").header(), "");
        assert_eq!(scopes("write:org"), scopes("write:org, read:org"));
    }

    #[test]
    fn stored_text_reads_back_as_the_same_set() {
        for scope in Scope::ALL {
            let one = scopes(scope.name());
            assert_eq!(one.header(), scope.name());
            assert_eq!(scopes(&scopes(&format!("{},gist", scope.name())).header()).0, one.0 | Scope::Gist.bit());
        }
        let every = Scopes::from_names(Scope::ALL.iter().map(|s| s.name())).unwrap();
        assert_eq!(scopes(&every.header()), every);
        assert!(!every.header().contains("read:"));
    }

    #[test]
    fn implication_goes_down_the_chain_and_never_up() {
        assert!(scopes("admin:org").grants(&[ReadOrg]));
        assert!(scopes("user").grants(&[Scope::UserFollow]));
        assert!(scopes("admin:enterprise").grants(&[Scope::ReadEnterprise]));
        assert!(!scopes("read:org write:org").grants(&[AdminOrg]));
        assert!(!scopes("admin:org").grants(&[Scope::AdminOrgHook]));
        assert!(!scopes("public_repo").grants(&[Repo]));
        assert!(!scopes("repo").grants(&[]));
    }

    #[test]
    fn unknown_names_come_with_the_nearest_scope() {
        let error = Scopes::parse("repo, admin_org").unwrap_err();
        assert_eq!((error.name.as_str(), error.nearest), ("admin_org", Some("admin:org")));
        assert_eq!(error.to_string(), "`admin_org` is not a scope. Did you mean `admin:org`?");
        assert_eq!(Scopes::from_names(["Repo"]).unwrap_err().nearest, Some("repo"));
        assert_eq!(Scopes::from_names(["repo, user"]).unwrap_err().name, "repo, user");
        let far = Scopes::from_names(["ß".repeat(1_000_000)]).unwrap_err();
        assert_eq!((far.name.chars().count(), far.nearest), (64, None));
        assert!(far.to_string().contains("Use any of: admin:enterprise, "));
        assert_eq!(Scopes::from_names([""]).unwrap_err().nearest, None);
    }

    #[test]
    fn header_of_a_group_lists_exactly_what_it_accepts() {
        for group in GROUPS {
            let names: Vec<_> = group.scopes.iter().map(|s| s.name()).collect();
            assert_eq!(group.header(), names.join(", "));
        }
    }

    #[test]
    fn any_one_scope_satisfies_a_group() {
        assert!(SA.satisfied_by(scopes("repo")) && SA.satisfied_by(scopes("gist admin:org")));
        assert!(SR.satisfied_by(scopes("user")) && !SM.satisfied_by(scopes("user")));
        assert!(!SR.satisfied_by(scopes("read:user public_repo")));
        assert!(DR.satisfied_by(scopes("write:discussion")));
        assert!(PR.satisfied_by(scopes("admin:org")) && PW.satisfied_by(scopes("admin:org")));
        assert!(USER_EMAIL.satisfied_by(scopes("user:email")));
        assert!(["user", "read:user", "user:email"].iter().all(|held| EMAIL_FIELD.satisfied_by(scopes(held))));
        assert!(!SITE_ADMIN.satisfied_by(scopes("admin:org, admin:enterprise, repo, user")));
        for group in GROUPS {
            assert_eq!(group.satisfied_by(Scopes::default()), [NONE, MO].contains(group));
        }
    }

    #[test]
    fn the_group_for_a_whole_organization_needs_both_scopes() {
        assert!(WHOLE_ORG.satisfied_by(scopes("admin:org, repo, gist")));
        assert!(!["admin:org", "repo", "write:org, repo"].iter().any(|held| WHOLE_ORG.satisfied_by(scopes(held))));
    }

    #[test]
    fn no_write_is_allowed_by_scopes_that_only_read() {
        let reading = Scope::ALL.iter().map(|s| s.name()).filter(|n| n.starts_with("read:"));
        let reading = Scopes::from_names(reading.chain(["user:email"])).unwrap();
        for write in [SA, AM, DW, PW, REPO, USER, SITE_ADMIN, ADMIN_ORG, WHOLE_ORG, HOOKS] {
            assert!(!write.satisfied_by(reading), "{}", write.header());
        }
        for read in [SR, SM, DR, PR, USER_EMAIL, EMAIL_FIELD, AUDIT] {
            assert!(read.satisfied_by(reading), "{}", read.header());
        }
    }
}
