//! Memberships of teams. A pending membership, which an invitation brings, equals an active one.

use std::collections::HashMap;

use super::Kind;
use super::comparison::{Comparison, is_member};
use super::invitations::{BILLING, subject};
use crate::import::desired::{Org, Role, Team};
use crate::import::fault::shown;
use crate::people::{email, login};

/// A membership of a team: the login or e-mail address as it is written, and whether as maintainer.
type Seat = (String, bool);

impl Comparison<'_> {
    /// Compares the people of all teams.
    pub(super) fn seats(&mut self) {
        let stored = self.stored;
        let pending = by_team(&stored.content.org);
        let invited = by_team(self.file);
        for (index, team) in self.file.teams.iter().enumerate() {
            let pair = stored.pairs[index];
            if pair.is_some_and(|pair| stored.content.teams[pair].synced) {
                self.synced(team);
                continue;
            }
            let mut left: HashMap<String, Seat> = HashMap::new();
            if let Some(pair) = pair {
                let of_team = &stored.content.org.teams[pair].members;
                left.extend(of_team.iter().map(|had| (login::key(&had.login), (had.login.clone(), had.maintainer))));
                left.extend(pending.get(&pair).into_iter().flatten().cloned());
            }
            for member in &team.members {
                let key = login::key(&member.login);
                if self.removed.contains(&key) {
                    self.leaves(team, &member.login, member.line);
                } else if let Some(seat) = left.remove(&key) {
                    self.seat(team, &key, (self.login(&key, &seat.0), member.maintainer), Some(seat.1));
                } else if self.may_join(team, &key, &member.login) {
                    self.seat(team, &key, (self.login(&key, &member.login), member.maintainer), None);
                }
            }
            for (key, seat) in invited.get(&index).into_iter().flatten() {
                let had = left.remove(key).map(|(_, maintainer)| maintainer);
                // Those who have accepted the invitation keep the seat that it gave them.
                if let Some(login) = stored.tied.get(key) {
                    left.remove(login);
                }
                if self.offered.get(key) == Some(&BILLING) {
                    self.bills(team, &seat.0);
                } else if had.is_some() || !self.is_member_by_address(key) {
                    self.seat(team, key, seat.clone(), had);
                }
            }
            self.left_seats(team, left);
        }
    }

    /// The members of a team that follows a provider are managed by the provider (decision 48).
    fn synced(&mut self, team: &Team) {
        if !team.members.is_empty() {
            let team = shown(&team.name);
            self.skip(format!("team {team} follows an identity provider, which manages its members"));
        }
    }

    /// Owners compare as maintainers.
    fn seat(&mut self, team: &Team, key: &str, (login, maintainer): Seat, had: Option<bool>) {
        let at = (Kind::TeamMember, Some(team.name.as_str()), login.as_str());
        match had {
            Some(had) if had == maintainer || self.roles.get(key) == Some(&Role::Admin) => {}
            Some(had) => self.change(at, (word(had), word(maintainer)), None),
            None => self.add(at, word(maintainer), None),
        }
    }

    fn may_join(&mut self, team: &Team, key: &str, login: &str) -> bool {
        if self.stored.is_suspended(key) {
            self.skip(format!("{login} is suspended and cannot be added to team {}", shown(&team.name)));
            return false;
        }
        let is_offered = self.offered.get(key).is_some_and(|role| *role != BILLING);
        if is_member(self.roles.get(key)) || is_offered || self.may_be_invited(key) {
            return true;
        }
        self.bills(team, login);
        false
    }

    fn bills(&mut self, team: &Team, who: &str) {
        let name = shown(&team.name);
        self.skip(format!("{who} is a billing manager, and cannot be on team {name} unless listed as a member"));
    }

    fn is_member_by_address(&self, key: &str) -> bool {
        self.stored.tied.get(key).is_some_and(|login| is_member(self.roles.get(login)))
    }

    /// A file that removes a person from the organization and keeps them on a team contradicts itself.
    fn leaves(&mut self, team: &Team, login: &str, line: u32) {
        let message = format!(
            "{} is on this team, but no list of the organization has them, so that --prune would remove them. List them \
             under the members, or take them off the team",
            shown(login)
        );
        self.faults.add(self.file.fault(line, &team.key, message));
    }

    fn left_seats(&mut self, team: &Team, left: HashMap<String, Seat>) {
        let mut left: Vec<(String, Seat)> = left.into_iter().collect();
        left.sort_unstable();
        for (key, (login, maintainer)) in left {
            // A person who leaves, or is no longer invited, leaves every team.
            if self.removed.contains(&key) {
                continue;
            }
            let is_listed = if login.contains('@') {
                self.file.lists.contains("invitations")
            } else {
                team.lists.contains(if maintainer { "maintainers" } else { "members" })
            };
            self.beyond((Kind::TeamMember, Some(&team.name), &login), word(maintainer), is_listed, None);
        }
    }
}

/// The pending memberships of invitations to e-mail addresses, by team.
fn by_team(org: &Org) -> HashMap<usize, Vec<(String, Seat)>> {
    let mut pending: HashMap<usize, Vec<(String, Seat)>> = HashMap::new();
    for invitation in org.invitations.iter().filter(|invitation| invitation.login.is_none()) {
        for (team, maintainer) in &invitation.teams {
            let address = subject(invitation).to_owned();
            pending.entry(*team).or_default().push((email::key(&address), (address, *maintainer)));
        }
    }
    pending
}

fn word(maintainer: bool) -> &'static str {
    if maintainer { "maintainer" } else { "member" }
}
