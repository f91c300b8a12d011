//! Rules with a message: what an operation requires of the caller, and what a caller reads who does not meet it.

use super::{
    AUTHOR, Fact, Granted, MAINTAINER, MAY_CREATE_REPOS, MAY_LEAVE_TEAMS, MEMBER, OWNER, REACTOR, Rule, Standing,
    THE_USER, WRITES_REPO,
};
use crate::error::{Error, Result};

/// The requirement of an operation, and the message for a caller who does not meet it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Requirement {
    /// The rule that must hold.
    pub rule: Rule,
    /// The message of the 403 if it does not hold.
    pub refusal: &'static str,
}

impl From<Rule> for Requirement {
    /// A rule without a message of its own has the one that clients know.
    fn from(rule: Rule) -> Self {
        rule.or_say("Must have admin rights to Repository.")
    }
}

impl Requirement {
    /// The only way to get a [`Granted`]: the rule holds, or the request is refused with 403 and the message.
    pub fn check<S>(&self, subject: S, standing: Standing) -> Result<Granted<S>> {
        if self.rule.holds(standing) { Ok(Granted { subject, standing }) } else { Err(self.refused()) }
    }

    /// The 403 with the message.
    #[must_use]
    pub fn refused(&self) -> Error {
        Error::Forbidden(self.refusal.into())
    }
}

/// Site administrator.
pub const SITE_ADMIN: Requirement = Rule::Is(Fact::SiteAdmin).or_say("You must be a site administrator to do this.");
/// Organization owner, who invites people.
pub const INVITES: Requirement = OWNER.or_say("You must be an admin to create an invitation to an organization.");
/// The invited user.
pub const ACCEPTS: Requirement = THE_USER.or_say("Only the invited person can accept an invitation.");
/// Organization owner, who reads the audit log.
pub const READS_AUDIT: Requirement = OWNER.or_say("You must be an organization owner to see the audit log.");
/// Write access to the repository, which shows its collaborators.
pub const SEES_COLLABORATORS: Requirement =
    WRITES_REPO.or_say("Must have push access to view repository collaborators.");
/// Write access to the repository, which shows the level of a collaborator.
pub const SEES_LEVEL: Requirement = WRITES_REPO.or_say("Must have push access to view collaborator permission.");

/// Site administrator, acting on another account: what the operation does to an account, only another site
/// administrator may do to theirs.
#[must_use]
pub fn administers_another() -> Requirement {
    (SITE_ADMIN.rule & Rule::Is(Fact::AnotherUser))
        .or_say("You must be a site administrator to do this, and another one must do it to you.")
}

/// Site administrator, or everyone if the site lets them create organizations.
#[must_use]
pub fn creates_orgs() -> Requirement {
    (SITE_ADMIN.rule | Rule::Is(Fact::EveryoneCreatesOrgs)).or_say(SITE_ADMIN.refusal)
}

/// Organization owner or team maintainer, who adds members.
#[must_use]
pub fn adds_member() -> Requirement {
    (OWNER | MAINTAINER).or_say("You must be an organization owner or team maintainer to add a team membership.")
}

/// Organization owner or team maintainer, who removes members; or the member, if members may leave teams.
#[must_use]
pub fn removes_member() -> Requirement {
    (OWNER | MAINTAINER | THE_USER & MAY_LEAVE_TEAMS)
        .or_say("You must be an organization owner or team maintainer to remove a team membership.")
}

/// Organization owner or team maintainer, who decides who joins.
#[must_use]
pub fn decides_request() -> Requirement {
    (OWNER | MAINTAINER)
        .or_say("You must be an organization owner or team maintainer to decide about a request to join the team.")
}

/// The author of a post or comment, and a user who manages the team.
#[must_use]
pub fn edits_post() -> Requirement {
    (AUTHOR | MAINTAINER | OWNER)
        .or_say("You must be the author, a team maintainer or an organization owner to do this.")
}

/// A user who manages the team; being the author is not enough.
#[must_use]
pub fn pins_post() -> Requirement {
    (MAINTAINER | OWNER).or_say("You must be a team maintainer or an organization owner to pin a post.")
}

/// The user who reacted, and a user who manages the team.
#[must_use]
pub fn removes_reaction() -> Requirement {
    (REACTOR | MAINTAINER | OWNER)
        .or_say("You must be the person who reacted, a team maintainer or an organization owner to do this.")
}

/// A member who makes their membership public.
#[must_use]
pub fn publicizes() -> Requirement {
    (MEMBER & THE_USER).or_say("Only the user can publicize their membership")
}

/// A member who conceals their membership.
#[must_use]
pub fn conceals() -> Requirement {
    (MEMBER & THE_USER).or_say("Only the user can conceal their membership")
}

/// Organization member, or the user whose membership it is.
#[must_use]
pub fn sees_membership() -> Requirement {
    (MEMBER | THE_USER).or_say("You must be a member of the organization to see its memberships.")
}

/// Organization owner, or a member if members may create repositories.
#[must_use]
pub fn creates_repos() -> Requirement {
    (OWNER | MEMBER & MAY_CREATE_REPOS).or_say(
        "You must be an organization owner, or a member of an organization that lets members create repositories.",
    )
}
