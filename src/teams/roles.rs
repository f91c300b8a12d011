//! The roles of a person in a team.

use crate::clock::Time;
use crate::db::{ByIds, Tx, by_ids_after, row, select, word_of, word_or_none};
use crate::error::Result;
use crate::members::seats;
use crate::orgs::org;
use crate::people::login;
use crate::people::user::User;
use crate::words::words;

/// The stored role of a person who is directly in a team.
pub fn role_in(tx: &mut Tx, team: i64, user: i64) -> Result<Option<&'static str>> {
    tx.word(ROLE_IN, &[&team, &user], &TeamRole::WORDS)
}

words! {
    /// A person's role in a team.
    #[derive(Default)]
    pub enum TeamRole {
        /// An ordinary member.
        #[default]
        Member = "member",
        /// Can add and remove members, promote them, and edit the team's name and description.
        Maintainer = "maintainer",
    }
}

const ROLE_IN: &str = "SELECT role FROM team_members WHERE team_id = $1 AND user_id = $2";

/// The stored roles of a person in those of these teams that they are directly in.
pub fn of_person(tx: &mut Tx, user: i64, teams: &[i64]) -> Result<Vec<(i64, &'static str)>> {
    let found: Vec<InTeam> = by_ids_after(tx, &OF_PERSON, &[&user], teams)?;
    Ok(found.into_iter().map(|InTeam { team, role }| (team, role)).collect())
}

static OF_PERSON: ByIds =
    ByIds::after(1, select!(InTeam from "team_members m WHERE m.user_id = $1 AND m.team_id IN ({ids})"));

row! {
    struct InTeam from "m" {
        team: i64 = "m.team_id",
        role: &'static str => word_of(&TeamRole::WORDS),
    }
}

/// The role of a person in an organization, if they are in it, and their stored role in one of its teams with the end of
/// that membership, if they are directly in that team.
pub type Roles = (Option<&'static str>, Option<seats::Held<'static>>);

/// The roles of the person with this identifier.
pub fn roles(tx: &mut Tx, org: i64, team: i64, user: i64) -> Result<Roles> {
    Ok(tx.maybe(ROLES, &[&org, &user, &team])?.map_or((None, None), Held::roles))
}

row! {
    struct Held from "o" {
        org: Option<&'static str> = "o.role" => word_or_none(&org::ROLES),
        team: Option<&'static str> = "m.role" => word_or_none(&TeamRole::WORDS),
        expires_at: Option<Time> = "m.expires_at",
    }
}

impl Held {
    fn roles(self) -> Roles {
        (self.org, self.team.map(|role| (role, self.expires_at)))
    }
}

/// Every person in a team is in its organization.
const ROLES: &str = select!(Held from
    "org_members o LEFT JOIN team_members m ON m.team_id = $3 AND m.user_id = o.user_id
     WHERE o.org_id = $1 AND o.user_id = $2");

/// The person with this login, and their roles.
pub fn named(tx: &mut Tx, org: i64, team: i64, login: &str) -> Result<Option<(User, Roles)>> {
    let found: Option<(User, Held)> = tx.maybe(NAMED, &[&login::key(login), &org, &team])?;
    Ok(found.map(|(person, held)| (person, held.roles())))
}

const NAMED: &str = const_str::concat!(
    "SELECT ",
    User::COLUMNS,
    ", ",
    Held::COLUMNS,
    "
    FROM logins l
    JOIN users u ON u.id = l.user_id
    LEFT JOIN org_members o ON o.org_id = $2 AND o.user_id = u.id
    LEFT JOIN team_members m ON m.team_id = $3 AND m.user_id = o.user_id
    WHERE l.login_key = $1 AND l.current = TRUE"
);

/// True if a person is in a team or in any team below it.
pub fn is_at_or_below(tx: &mut Tx, team: i64, user: i64) -> Result<bool> {
    tx.any(IS_AT_OR_BELOW, &[&team, &user])
}

const IS_AT_OR_BELOW: &str = "
    SELECT x.depth
    FROM team_members m JOIN team_tree x ON x.descendant_id = m.team_id AND x.ancestor_id = $1
    WHERE m.user_id = $2
    LIMIT 1";
