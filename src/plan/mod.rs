//! Plans: the differences between an organization of a file, which is the desired state, and the store, in the order in
//! which they are carried out (decision 74).
//!
//! A plan is data: it names teams, people and repositories, and contains no identifier of the store. There is one
//! planner. It reads the organization with the statements of the export, each for the whole organization, so that the
//! number of statements does not depend on the number of teams or people.

mod accounts;
pub mod apply;
pub mod carry_out;
mod collaborators;
mod comparison;
mod grants;
mod guards;
pub mod import;
mod invitations;
mod known;
mod people;
mod projects;
mod report;
mod repos;
pub mod saved;
mod seats;
mod settings;
mod stored;
mod teams;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::clock::Time;
use crate::db::Tx;
use crate::error::{Error, Result};
use crate::import::desired::Org;
use crate::import::fault::Faults;
use crate::import::{Choices, Unlisted};
use comparison::Comparison;
use stored::Stored;

/// The changes that only a flag of the command allows.
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Flags {
    /// True if that goes which the store has and a list of the file does not.
    pub prune: bool,
    /// True if people may become owners, be invited as owners, and stop being owners.
    pub owners: bool,
    /// True if people are invited who are on a team of the file and not in the organization.
    pub invite: bool,
    /// True if accounts are made for logins that no account has.
    pub create_accounts: bool,
}

/// The flag that a change needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum Flag {
    /// `--owners`.
    Owners,
    /// `--invite`.
    Invite,
    /// `--create-accounts`.
    CreateAccounts,
}

impl Flag {
    /// The flag as it is typed.
    #[must_use]
    pub fn typed(self) -> &'static str {
        match self {
            Self::Owners => "--owners",
            Self::Invite => "--invite",
            Self::CreateAccounts => "--create-accounts",
        }
    }
}

/// The effect of a change on its subject.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum Action {
    /// It is new.
    Add,
    /// It is another one afterwards.
    Change,
    /// It is gone afterwards.
    Remove,
}

/// The kind of a subject.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum Kind {
    /// The organization itself.
    Organization,
    /// A person's account.
    Account,
    /// A field of the profile or a setting of the organization.
    Setting,
    /// A person in the organization; the value is the role.
    Member,
    /// A member whose membership is public.
    PublicMember,
    /// A person or a team with the role `security_manager`.
    SecurityManager,
    /// A repository; the values are its settings.
    Repository,
    /// A former name of a repository, which redirects to it; the value is the repository.
    FormerRepositoryName,
    /// A person's level on a repository. The subject is `REPOSITORY/LOGIN`.
    Collaborator,
    /// A project. The subject is its number; the values are its settings.
    Project,
    /// A person's level on a project. The subject is `NUMBER/LOGIN`.
    ProjectCollaborator,
    /// A team; the values are its settings.
    Team,
    /// A former name of a team, which redirects to it.
    FormerTeamName,
    /// An open invitation; the value is the role that it offers.
    Invitation,
    /// A membership of a team, which may be pending; the value is the role.
    TeamMember,
    /// A team's level on a repository.
    Grant,
    /// A team's level on a project. The subject is its number.
    ProjectGrant,
}

/// Something that the store has and the file does not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub struct Item {
    /// Its kind.
    pub kind: Kind,
    /// The name of its team.
    pub team: Option<String>,
    /// Its name.
    pub subject: String,
    /// Its value in the store; null if it has none.
    pub value: Value,
}

/// One change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub struct Change {
    /// The effect on the subject.
    pub action: Action,
    /// The kind of the subject.
    pub kind: Kind,
    /// The name that the team has after the change, if it is a change of a team.
    pub team: Option<String>,
    /// The name of the subject in its kind, and in its team.
    pub subject: String,
    /// The value before; null if there is none. Of settings, those that change. Of a team that goes, `child_teams` and
    /// `posts`: the numbers of teams below it, and of discussions and comments in all of them, that go with it.
    pub before: Value,
    /// The value after; null if there is none. Of settings, those that change.
    pub after: Value,
    /// The flag without which nothing of the plan is carried out.
    pub blocked_by: Option<Flag>,
}

/// The numbers of changes by their effect.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub struct Summary {
    /// Subjects that are new.
    pub add: usize,
    /// Subjects that are different.
    pub change: usize,
    /// Subjects that are gone.
    pub remove: usize,
}

impl Summary {
    /// The numbers of these changes.
    #[must_use]
    pub fn of<'c>(changes: impl IntoIterator<Item = &'c Change>) -> Self {
        changes.into_iter().fold(Self::default(), |mut sum, change| {
            match change.action {
                Action::Add => sum.add += 1,
                Action::Change => sum.change += 1,
                Action::Remove => sum.remove += 1,
            }
            sum
        })
    }
}

/// The numbers that guards look at.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub struct Guarded {
    /// Memberships and grants in the store.
    pub held: usize,
    /// Those of them that the plan removes, also with a team, a person or a repository.
    pub removed: usize,
    /// Owners after the plan whose accounts are not suspended.
    pub owners: usize,
}

/// The differences of one organization.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub struct Plan {
    /// The login of the organization.
    pub org: String,
    /// The file, as it was named.
    pub file: String,
    /// The changes, in the order in which they are carried out.
    pub changes: Vec<Change>,
    /// The items that stay although the file does not have them.
    pub not_in_file: Vec<Item>,
    /// The parts of the file that cannot be carried out, each with the reason.
    pub skipped: Vec<String>,
    /// Keys of the file whose values are not stored.
    pub not_kept: Vec<String>,
    /// The numbers that guards look at.
    pub guarded: Guarded,
    /// The first owner in the file, or else in the store, who invites if no person carries out the plan.
    #[serde(skip)]
    pub inviter: Option<String>,
}

/// The choices with which a file is checked: a plan shows what an import refuses.
const LENIENT: Choices = Choices { unlisted: Unlisted::Invite, mail: false, owners: true };

/// Compares an organization of a file with the store. An error names file, line and key.
pub fn of(tx: &mut Tx, file: &Org, flags: Flags, now: Time) -> Result<Plan> {
    checked(tx, file, LENIENT, flags, now)
}

/// The same for a file that is refused unless it fits these choices.
fn checked(tx: &mut Tx, file: &Org, choices: Choices, flags: Flags, now: Time) -> Result<Plan> {
    let stored = Stored::read(tx, file, (choices, flags), now, true)?;
    compare(file, &stored, flags, None)
}

/// The largest number of changes of a plan over HTTP.
pub const MOST_OVER_HTTP: usize = 2_000;

/// The same for an owner with this login who asks over HTTP (decision 75). Only changes that operations make are planned:
/// people are invited, and what no operation does is skipped. An e-mail address stays an address. More than
/// [`MOST_OVER_HTTP`] changes are refused.
pub fn of_owner(tx: &mut Tx, file: &Org, flags: Flags, now: Time, owner: &str) -> Result<Plan> {
    let stored = Stored::read(tx, file, (LENIENT, flags), now, false)?;
    let plan = compare(file, &stored, flags, Some(owner))?;
    if plan.changes.len() > MOST_OVER_HTTP { Err(too_many()) } else { Ok(plan) }
}

fn compare(file: &Org, stored: &Stored, flags: Flags, owner: Option<&str>) -> Result<Plan> {
    let faults = Faults::default();
    let plan = Comparison::new((&known::known(file, stored), stored), flags, owner, &faults).plan();
    if faults.is_empty() { Ok(plan) } else { Err(Error::from(faults)) }
}

fn too_many() -> Error {
    Error::sentence(format!(
        "The plan has more than {MOST_OVER_HTTP} changes, which is the most over HTTP. Run the command on the server: \
         guildhall plan, guildhall apply."
    ))
}
