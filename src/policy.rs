//! The vocabulary of the table of operations: facts about a caller and a subject, rules made of them, and the evidence
//! that a rule held. Rules are pure functions of booleans; the rows of `operations.rs` are written with them.
//!
//! Implements the "Caller requirement" column of the specification and decisions 12, 17, 18 and 29 to 32.

mod requirement;

use std::fmt;
use std::ops::{BitAnd, BitOr, Deref};

pub use requirement::{
    ACCEPTS, INVITES, READS_AUDIT, Requirement, SEES_COLLABORATORS, SEES_LEVEL, SITE_ADMIN, adds_member,
    administers_another, conceals, creates_orgs, creates_repos, decides_request, edits_post, pins_post, publicizes,
    removes_member, removes_reaction, sees_membership,
};

/// One thing that can be true of a caller and a subject.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Fact {
    /// The request carries valid credentials.
    SignedIn,
    /// The caller administers the site, and the token has the scope for it.
    SiteAdmin,
    /// The site lets everyone create organizations.
    EveryoneCreatesOrgs,
    /// The caller is an active owner of the organization.
    OrgOwner,
    /// The caller is an active member of the organization (owners are).
    OrgMember,
    /// The caller sees the members who conceal their membership (decision 18).
    SeesConcealed,
    /// The organization is on the enterprise plan.
    Enterprise,
    /// The organization lets its members create teams.
    MembersCreateTeams,
    /// The organization lets its members create repositories.
    MembersCreateRepos,
    /// The organization lets its members leave teams.
    MembersLeaveTeams,
    /// The caller reads the repository.
    ReadsRepo,
    /// The caller writes to the repository.
    WritesRepo,
    /// The caller administers the repository.
    AdminsRepo,
    /// The caller maintains the team.
    TeamMaintainer,
    /// The caller is a direct active member of the team.
    TeamMember,
    /// The team is visible to the caller.
    SeesTeam,
    /// The caller can read the project.
    ReadsProject,
    /// The caller can change the project.
    WritesProject,
    /// The caller administers the project.
    AdminsProject,
    /// The project belongs to the organization of the team.
    ProjectOfOrganization,
    /// The post is visible to the caller.
    SeesPost,
    /// The caller wrote the post or the comment.
    Author,
    /// The caller gave the reaction.
    Reactor,
    /// The path names the caller.
    TheUser,
    /// The path names another user than the caller.
    AnotherUser,
}

/// Every fact with its wording, in the order of the generated documents.
pub const FACTS: &[(Fact, &str)] = &[
    (Fact::SignedIn, "signed in"),
    (Fact::SiteAdmin, "site administrator"),
    (Fact::EveryoneCreatesOrgs, "everyone may create organizations"),
    (Fact::OrgOwner, "organization owner"),
    (Fact::OrgMember, "organization member"),
    (Fact::SeesConcealed, "able to see concealed members"),
    (Fact::Enterprise, "the enterprise plan"),
    (Fact::MembersCreateTeams, "members may create teams"),
    (Fact::MembersCreateRepos, "members may create repositories"),
    (Fact::MembersLeaveTeams, "members may leave teams"),
    (Fact::ReadsRepo, "read access to the repository"),
    (Fact::WritesRepo, "write access to the repository"),
    (Fact::AdminsRepo, "admin access to the repository"),
    (Fact::TeamMaintainer, "team maintainer"),
    (Fact::TeamMember, "team member"),
    (Fact::SeesTeam, "able to see the team"),
    (Fact::ReadsProject, "read access to the project"),
    (Fact::WritesProject, "write access to the project"),
    (Fact::AdminsProject, "admin access to the project"),
    (Fact::ProjectOfOrganization, "project of the same organization"),
    (Fact::SeesPost, "able to see the post"),
    (Fact::Author, "author"),
    (Fact::Reactor, "person who reacted"),
    (Fact::TheUser, "the person themselves"),
    (Fact::AnotherUser, "another person than the one named"),
];

/// The callers who may do something, as data that can be evaluated, printed and enumerated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rule {
    /// Every caller who can find the subject.
    Anyone,
    /// One fact.
    Is(Fact),
    /// Every one of these.
    All(Vec<Rule>),
    /// Any one of these.
    Any(Vec<Rule>),
}

/// Every caller who can find the subject; one that they cannot see is not found.
pub const ANYONE: Rule = Rule::Anyone;
/// A caller with credentials.
pub const SIGNED_IN: Rule = Rule::Is(Fact::SignedIn);
/// Organization owner.
pub const OWNER: Rule = Rule::Is(Fact::OrgOwner);
/// Active member of the organization.
pub const MEMBER: Rule = Rule::Is(Fact::OrgMember);
/// The organization is on the enterprise plan.
pub const ENTERPRISE: Rule = Rule::Is(Fact::Enterprise);
/// A caller who sees the members who conceal their membership.
pub const SEES_CONCEALED: Rule = Rule::Is(Fact::SeesConcealed);
/// The organization does not restrict the creation of teams to owners (behavior rule 6).
pub const MAY_CREATE: Rule = Rule::Is(Fact::MembersCreateTeams);
/// Read access to the repository.
pub const READS_REPO: Rule = Rule::Is(Fact::ReadsRepo);
/// Write access to the repository.
pub const WRITES_REPO: Rule = Rule::Is(Fact::WritesRepo);
/// Admin access to the repository.
pub const ADMINS_REPO: Rule = Rule::Is(Fact::AdminsRepo);
/// The organization does not restrict the creation of repositories to owners.
pub const MAY_CREATE_REPOS: Rule = Rule::Is(Fact::MembersCreateRepos);
/// The organization does not restrict leaving a team to owners and maintainers (decision 66).
pub const MAY_LEAVE_TEAMS: Rule = Rule::Is(Fact::MembersLeaveTeams);
/// Team maintainer.
pub const MAINTAINER: Rule = Rule::Is(Fact::TeamMaintainer);
/// Able to see the team: members of the organization see a closed one, its own members and owners see a secret one.
pub const SEES_TEAM: Rule = Rule::Is(Fact::SeesTeam);
/// Read access to the project.
pub const READS_PROJECT: Rule = Rule::Is(Fact::ReadsProject);
/// Write access to the project.
pub const WRITES_PROJECT: Rule = Rule::Is(Fact::WritesProject);
/// Admin access to the project.
pub const ADMINS_PROJECT: Rule = Rule::Is(Fact::AdminsProject);
/// The project belongs to the organization of the team.
pub const OF_SAME_ORG: Rule = Rule::Is(Fact::ProjectOfOrganization);
/// Able to see the post: a public one for callers who see the team, a private one for its direct members and owners.
pub const SEES_POST: Rule = Rule::Is(Fact::SeesPost);
/// The author of the post or comment.
pub const AUTHOR: Rule = Rule::Is(Fact::Author);
/// The user who gave the reaction.
pub const REACTOR: Rule = Rule::Is(Fact::Reactor);
/// The user that the path names.
pub const THE_USER: Rule = Rule::Is(Fact::TheUser);

/// Organization owner or team maintainer; otherwise an organization member needs read access to both team and project,
/// or admin access to the project.
#[must_use]
pub fn removes_project() -> Rule {
    OWNER | MAINTAINER | MEMBER & (SEES_TEAM & READS_PROJECT | ADMINS_PROJECT)
}

/// Able to see, and to create, the private posts of a team.
#[must_use]
pub fn sees_private_posts() -> Rule {
    Rule::Is(Fact::TeamMember) | OWNER
}

impl BitOr for Rule {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        match self {
            Self::Any(mut rules) => {
                rules.push(other);
                Self::Any(rules)
            }
            rule => Self::Any(vec![rule, other]),
        }
    }
}

impl BitAnd for Rule {
    type Output = Self;
    fn bitand(self, other: Self) -> Self {
        match self {
            Self::All(mut rules) => {
                rules.push(other);
                Self::All(rules)
            }
            rule => Self::All(vec![rule, other]),
        }
    }
}

impl Rule {
    /// The rule with a message of its own for callers who do not meet it.
    #[must_use]
    pub const fn or_say(self, refusal: &'static str) -> Requirement {
        Requirement { rule: self, refusal }
    }

    /// True if the rule holds for a caller with this standing.
    #[must_use]
    pub fn holds(&self, standing: Standing) -> bool {
        match self {
            Self::Anyone => true,
            Self::Is(fact) => standing.has(*fact),
            Self::All(rules) => rules.iter().all(|rule| rule.holds(standing)),
            Self::Any(rules) => rules.iter().any(|rule| rule.holds(standing)),
        }
    }
}

impl fmt::Display for Rule {
    /// Writes the rule in English, as the specification words it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let join = |f: &mut fmt::Formatter<'_>, rules: &[Self], word: &str| {
            rules.iter().enumerate().try_for_each(|(i, rule)| {
                if i > 0 {
                    f.write_str(word)?;
                }
                match rule {
                    Self::Any(_) => write!(f, "({rule})"),
                    rule => rule.fmt(f),
                }
            })
        };
        match self {
            Self::Anyone => f.write_str("anyone who can see it"),
            Self::Is(fact) => f.write_str(FACTS.iter().find(|(f, _)| f == fact).map_or("", |(_, words)| words)),
            Self::All(rules) => join(f, rules, " and "),
            Self::Any(rules) => join(f, rules, " or "),
        }
    }
}

/// The facts that are true of a caller and a subject, loaded when the subject is found.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Standing(u32);

impl Standing {
    /// The same standing with one more fact, if it is true.
    #[must_use]
    pub fn with(self, fact: Fact, holds: bool) -> Self {
        if holds { Self(self.0 | 1 << fact as u32) } else { self }
    }

    /// The same standing without a fact that was about something else.
    #[must_use]
    pub fn without(self, fact: Fact) -> Self {
        Self(self.0 & !(1 << fact as u32))
    }

    /// True if the fact is true.
    #[must_use]
    pub fn has(self, fact: Fact) -> bool {
        self.0 & (1 << fact as u32) != 0
    }
}

/// A subject that was found, with the evidence that the caller may run the operation. Only [`Requirement::check`] makes
/// one.
#[derive(Debug)]
pub struct Granted<S> {
    subject: S,
    standing: Standing,
}

impl<S> Granted<S> {
    /// True if another rule holds for the same caller and subject, where more is required than the operation's rule.
    #[must_use]
    pub fn allows(&self, rule: &Rule) -> bool {
        rule.holds(self.standing)
    }
}

impl<S> Deref for Granted<S> {
    type Target = S;
    fn deref(&self) -> &S {
        &self.subject
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_read_as_the_specification_words_them() {
        assert_eq!((OWNER | MAINTAINER).to_string(), "organization owner or team maintainer");
        let create = OWNER | MEMBER & MAY_CREATE;
        assert_eq!(create.to_string(), "organization owner or organization member and members may create teams");
        assert_eq!(
            (MEMBER & (SEES_TEAM | OWNER)).to_string(),
            "organization member and (able to see the team or organization owner)"
        );
    }

    #[test]
    fn who_removes_a_project_is_worded_as_specified() {
        assert_eq!(
            removes_project().to_string(),
            "organization owner or team maintainer or organization member and \
             (able to see the team and read access to the project or admin access to the project)"
        );
    }

    #[test]
    fn a_rule_holds_by_its_facts_alone() {
        let rule = OWNER | MEMBER & MAY_CREATE;
        let member = Standing::default().with(Fact::OrgMember, true);
        assert!(!rule.holds(member));
        assert!(rule.holds(member.with(Fact::MembersCreateTeams, true)));
        assert!(rule.holds(Standing::default().with(Fact::OrgOwner, true)));
        assert!(rule.or_say("no").check((), member).is_err());
    }
}
