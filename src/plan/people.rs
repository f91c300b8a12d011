//! Owners, members and billing managers, public memberships, and people with the role `security_manager`.

use std::collections::{HashMap, HashSet};

use serde_json::json;

use super::comparison::{Comparison, is_member};
use super::{Flag, Kind};
use crate::import::desired::{Person, Role};
use crate::import::fault::shown;
use crate::people::login;

impl Comparison<'_> {
    /// Compares the people of the organization. New people come before new roles, and owners before others, so that the
    /// organization never lacks an owner on the way.
    pub(super) fn people(&mut self) {
        let stored: HashMap<String, &Person> = by_key(&self.stored.content.org.people);
        self.roles = stored.iter().map(|(key, person)| (key.clone(), person.role)).collect();
        let mut people: Vec<&Person> = self.file.people.iter().collect();
        people.sort_by_key(|person| {
            let is_new = !stored.contains_key(&login::key(&person.login));
            (!is_new, person.role != Role::Admin)
        });
        for person in people {
            let key = login::key(&person.login);
            self.person(person, &key, stored.get(&key).copied());
        }
        self.left_people();
        self.keeps_an_owner(&stored);
        self.public_members(&stored);
    }

    /// Refuses to take ownership from the last active owner.
    fn keeps_an_owner(&mut self, stored: &HashMap<String, &Person>) {
        let active = |key: &str| !self.stored.suspended.contains(key);
        if !stored.iter().any(|(key, person)| person.role == Role::Admin && active(key)) || self.owners() > 0 {
            return;
        }
        let file = self.file;
        let demoted = file.people.iter().find(|person| {
            let was = stored.get(&login::key(&person.login));
            was.is_some_and(|was| was.role == Role::Admin) && person.role != Role::Admin
        });
        let (who, line) = demoted.map_or((None, file.line), |person| (Some(&person.login), person.line));
        let who = who.map(|login| format!("{} would no longer be an owner, and ", shown(login))).unwrap_or_default();
        let message = format!("{who}the organization would have no active owner; add one to \"admins\"");
        self.faults.add(file.fault(line, &file.key, message));
    }

    /// The number of owners after the plan whose accounts are not suspended.
    pub(super) fn owners(&self) -> usize {
        let active = |key: &str| !self.stored.suspended.contains(key) && !self.stored.is_suspended(key);
        self.roles.iter().filter(|(key, role)| **role == Role::Admin && active(key)).count()
    }

    fn person(&mut self, person: &Person, key: &str, stored: Option<&Person>) {
        let (login, role) = (self.login(key, &person.login), person.role);
        let at = (Kind::Member, None, login.as_str());
        match stored {
            Some(was) if was.role == role => return,
            Some(was) if role == Role::BillingManager => {
                return self.skip(format!("{login} remains {}", was.role.wording()));
            }
            Some(was) if self.owner.is_some() && was.role == Role::BillingManager => {
                return self.invite_person(&login, key, role);
            }
            Some(was) => {
                let concerns_owners = was.role == Role::Admin || role == Role::Admin;
                let blocked_by = if concerns_owners { self.needs(Flag::Owners) } else { None };
                self.change(at, (was.role.word(), role.word()), blocked_by);
            }
            None if self.stored.is_suspended(key) => {
                return self.skip(format!("{login}: the account is suspended and cannot be added"));
            }
            None if self.owner.is_some() => return self.invite_person(&login, key, role),
            None => {
                let blocked_by = if role == Role::Admin { self.needs(Flag::Owners) } else { None };
                self.add(at, role.word(), blocked_by);
            }
        }
        self.roles.insert(key.to_owned(), role);
    }

    /// The people whom the file neither lists nor invites: those who have accepted an invitation stay.
    fn left_people(&mut self) {
        let mut named: HashSet<String> = self.file.people.iter().map(|person| login::key(&person.login)).collect();
        named.extend(self.file.invitations.iter().map(|invitation| self.invited(invitation)));
        for person in &self.stored.content.org.people {
            let key = login::key(&person.login);
            if named.contains(&key) {
                continue;
            }
            let (list, flag) = match person.role {
                Role::Admin => ("admins", Some(Flag::Owners)),
                Role::Member => ("members", None),
                Role::BillingManager => ("billing_managers", None),
            };
            let is_listed = self.file.lists.contains(list);
            if self.beyond((Kind::Member, None, &person.login), person.role.word(), is_listed, flag) {
                if self.keeps_a_level(&key) {
                    self.last_removal_gives("outside_collaborator");
                }
                self.roles.remove(&key);
                self.removed.insert(key);
            }
        }
    }

    fn public_members(&mut self, stored: &HashMap<String, &Person>) {
        let mut named = HashSet::new();
        for person in self.file.people.iter().filter(|person| person.public) {
            let key = login::key(&person.login);
            if is_member(self.roles.get(&key)) && !stored.get(&key).is_some_and(|was| was.public) {
                let login = self.login(&key, &person.login);
                if self.decides_for(&key, &login) {
                    self.add((Kind::PublicMember, None, &login), true, None);
                }
            }
            named.insert(key);
        }
        let is_listed = self.file.lists.contains("public_members");
        for person in &self.stored.content.org.people {
            let key = login::key(&person.login);
            let is_public = person.public && person.role != Role::BillingManager;
            let goes = is_public && !named.contains(&key) && !self.removed.contains(&key) && is_listed;
            if goes && (!self.flags.prune || self.decides_for(&key, &person.login)) {
                self.beyond((Kind::PublicMember, None, &person.login), true, is_listed, None);
            }
        }
    }

    /// True if the membership of this person may be made public or private: over HTTP, by that person alone.
    fn decides_for(&mut self, key: &str, login: &str) -> bool {
        let others = self.owner.is_some_and(|owner| login::key(owner) != key);
        if others {
            self.skip(format!("{login}: only they make their membership public or private over HTTP"));
        }
        !others
    }

    /// Compares the people and teams with the role. It comes last, because teams must exist.
    pub(super) fn security_managers(&mut self) {
        let stored = by_key(&self.stored.content.org.people);
        for person in self.file.people.iter().filter(|person| person.security_manager) {
            let key = login::key(&person.login);
            let has_it = stored.get(&key).is_some_and(|was| was.security_manager);
            if has_it || !is_member(self.roles.get(&key)) {
                continue;
            }
            let login = self.login(&key, &person.login);
            if self.stored.is_suspended(&key) {
                self.skip(format!("{login}: the account is suspended and cannot become a security manager"));
            } else {
                self.add((Kind::SecurityManager, None, &login), json!(true), None);
            }
        }
        let named: HashSet<String> =
            self.file.people.iter().filter(|p| p.security_manager).map(|p| login::key(&p.login)).collect();
        let is_listed = self.file.lists.contains("security_managers");
        for person in self.stored.content.org.people.iter().filter(|person| person.security_manager) {
            let key = login::key(&person.login);
            if !named.contains(&key) && !self.removed.contains(&key) {
                self.beyond((Kind::SecurityManager, None, &person.login), true, is_listed, None);
            }
        }
        self.security_manager_teams();
    }

    fn security_manager_teams(&mut self) {
        for (team, pair) in self.file.teams.iter().zip(&self.stored.pairs) {
            let has_it = pair.is_some_and(|index| self.stored.content.org.teams[index].security_manager == Some(true));
            let at = (Kind::SecurityManager, Some(team.name.as_str()), team.name.as_str());
            match (has_it, team.security_manager) {
                (false, Some(true)) => self.add(at, true, None),
                (true, Some(false)) => self.remove(at, true),
                (true, None) => drop(self.beyond(at, true, false, None)),
                _ => {}
            }
        }
    }
}

fn by_key(people: &[Person]) -> HashMap<String, &Person> {
    people.iter().map(|person| (login::key(&person.login), person)).collect()
}
