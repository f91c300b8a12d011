//! The people of the tests and of `docs/permissions.txt`, and how the table answers each of them.
//!
//! The answer is a pure function of an operation's row and a persona. The order of refusals is that of decision 20. The
//! tokens have every scope, and a user in the path is another user.

use crate::operation::{Method, Operation};
use crate::policy::{Fact, Standing};
use crate::teams::visible;

/// A person with a certain standing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Persona {
    /// The first name; its initial stands for the standing.
    pub name: &'static str,
    /// The standing, in words.
    pub is: &'static str,
    /// Role in the organization.
    pub org_role: Option<&'static str>,
    /// Role in the team.
    pub team_role: Option<&'static str>,
    /// True if their requests have credentials.
    pub signed_in: bool,
    /// True if they administer the site.
    pub site_admin: bool,
}

/// All personas, in the order of the grid's columns.
pub const PERSONAS: [Persona; 7] = [
    Persona { org_role: Some("admin"), ..persona("Olivia", "owner of the organization, not on the team") },
    Persona { team_role: Some("maintainer"), ..member("Max", "maintainer of the team") },
    Persona { team_role: Some("member"), ..member("Tom", "member of the team") },
    member("Eve", "member of the organization, not on the team"),
    persona("Nina", "not a member of the organization"),
    Persona { site_admin: true, ..persona("Sam", "site administrator, not a member of the organization") },
    Persona { signed_in: false, ..persona("Anna", "anonymous, without a token") },
];

const fn persona(name: &'static str, is: &'static str) -> Persona {
    Persona { name, is, org_role: None, team_role: None, signed_in: true, site_admin: false }
}

const fn member(name: &'static str, is: &'static str) -> Persona {
    Persona { org_role: Some("member"), ..persona(name, is) }
}

/// The kind of an operation's subject, as far as the response depends on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A closed team, or something below it.
    ClosedTeam,
    /// A secret team, or something below it.
    SecretTeam,
    /// A public repository of the organization, to which the people of the team may write.
    PublicRepo,
    /// The same, but private; the organization lets its members read all of them.
    PrivateRepo,
    /// A private project of the organization, on which its members have `read`.
    Project,
    /// An organization, a person or the site.
    Other,
}

impl Kind {
    /// The possible kinds of an operation's subject, the simplest first.
    #[must_use]
    pub fn of(row: &Operation) -> &'static [Self] {
        let under = |parameter: &str| row.forms.iter().any(|form| form.contains(parameter));
        match () {
            () if under("{team_slug}") => &[Self::ClosedTeam, Self::SecretTeam],
            () if under("{repository_id}") => &[Self::PublicRepo, Self::PrivateRepo],
            () if under("{project_id}") => &[Self::Project],
            () => &[Self::Other],
        }
    }

    /// The fact without which the subject is not found.
    fn needs(self) -> Option<Fact> {
        match self {
            Self::ClosedTeam | Self::SecretTeam => Some(Fact::SeesTeam),
            Self::PublicRepo | Self::PrivateRepo => Some(Fact::ReadsRepo),
            Self::Project => Some(Fact::ReadsProject),
            Self::Other => None,
        }
    }
}

/// The result of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// The function runs.
    Authorized,
    /// 401: the caller must be authenticated.
    Unauthenticated,
    /// 403: the rule refuses.
    Refused,
    /// 404: the caller may not see the subject.
    Hidden,
}

impl Answer {
    /// The text of a cell of the grid.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Authorized => "yes",
            Self::Unauthenticated => "401",
            Self::Refused => "403",
            Self::Hidden => "404",
        }
    }
}

/// The answer of an operation to a persona; the checks are in the order of the dispatch.
#[must_use]
pub fn answer(row: &Operation, persona: &Persona, subject: Kind) -> Answer {
    if !persona.signed_in && (row.personal || row.method != Method::Get) {
        return Answer::Unauthenticated;
    }
    let standing = persona.standing(subject);
    if subject.needs().is_some_and(|fact| !standing.has(fact)) {
        return Answer::Hidden;
    }
    match row.who_may.rule.holds(standing) {
        true => Answer::Authorized,
        false if row.is_hidden_from(persona.signed_in) => Answer::Hidden,
        false if !persona.signed_in => Answer::Unauthenticated,
        false => Answer::Refused,
    }
}

impl Persona {
    /// The facts about this person and a subject of that kind, in an organization that lets members create teams and
    /// repositories. Posts are public and by another user. Any other subject below a team is a project like
    /// [`Kind::Project`].
    #[must_use]
    pub fn standing(&self, subject: Kind) -> Standing {
        let (member, owner) = (self.org_role.is_some(), self.org_role == Some("admin"));
        let standing = Standing::default()
            .with(Fact::SignedIn, self.signed_in)
            .with(Fact::SiteAdmin, self.site_admin)
            .with(Fact::AnotherUser, self.signed_in)
            .with(Fact::OrgOwner, owner)
            .with(Fact::OrgMember, member)
            .with(Fact::ReadsProject, member)
            .with(Fact::WritesProject, owner)
            .with(Fact::AdminsProject, owner)
            .with(Fact::ProjectOfOrganization, true)
            .with(Fact::ReadsRepo, member)
            .with(Fact::WritesRepo, owner || self.team_role.is_some())
            .with(Fact::AdminsRepo, owner);
        match subject {
            Kind::Other => {
                return standing.with(Fact::MembersCreateTeams, true).with(Fact::MembersCreateRepos, true);
            }
            Kind::PublicRepo | Kind::PrivateRepo => {
                return standing.with(Fact::ReadsRepo, subject == Kind::PublicRepo);
            }
            Kind::Project => return standing,
            Kind::ClosedTeam | Kind::SecretTeam => {}
        }
        let in_team = self.team_role.is_some();
        let sees = visible::sees(subject == Kind::SecretTeam, self.org_role, in_team);
        standing
            .with(Fact::TeamMember, in_team)
            .with(Fact::TeamMaintainer, self.team_role == Some("maintainer"))
            .with(Fact::SeesTeam, sees)
            .with(Fact::SeesPost, sees)
    }
}
