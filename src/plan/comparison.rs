//! The comparison of a file with the store: what each part of it has found, and the order of all changes.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::stored::Stored;
use super::{Action, Change, Flag, Flags, Item, Kind, MOST_OVER_HTTP, Plan};
use crate::import::desired::{Org, Role};
use crate::import::fault::Faults;
use crate::people::login;

/// A comparison in progress.
pub struct Comparison<'a> {
    /// The desired state.
    pub file: &'a Org,
    /// The state of the store.
    pub stored: &'a Stored,
    /// The flags of the command.
    pub flags: Flags,
    /// The login of the owner who asks over HTTP, who can do only what operations do; none for commands.
    pub owner: Option<&'a str>,
    /// The mistakes that only a comparison finds.
    pub faults: &'a Faults,
    /// The roles in the organization after the plan, by login key.
    pub roles: HashMap<String, Role>,
    /// The people and invitations that the plan removes: login keys, and keys of e-mail addresses.
    pub removed: HashSet<String>,
    /// The people whom the plan invites because they are on a team, by login key.
    pub outsiders: HashSet<String>,
    /// The teams of the store that the plan removes.
    pub removed_teams: HashSet<usize>,
    /// The people to whom the file gives a level on a repository, by login key.
    pub collaborators: HashSet<String>,
    /// The roles that open invitations offer after the plan, by login key.
    pub offered: HashMap<String, &'static str>,
    /// The number that the next new project gets.
    pub next_project: i64,
    /// The projects of the file that cannot be created.
    pub skipped_projects: HashSet<i64>,
    /// The number of changes that may still be kept. A plan with more is refused.
    room: usize,
    /// Additions and changes, in order.
    changes: Vec<Change>,
    /// Removals, in the reverse of their order: what contains others goes last.
    removals: Vec<Change>,
    /// Changes that are carried out after all removals.
    late: Vec<Change>,
    /// Items that stay.
    not_in_file: Vec<Item>,
    /// The parts that cannot be carried out.
    pub skipped: Vec<String>,
}

/// The place of a subject: its kind, its team, and its name.
pub type At<'s> = (Kind, Option<&'s str>, &'s str);

impl<'a> Comparison<'a> {
    /// Begins.
    pub fn new(
        (file, stored): (&'a Org, &'a Stored),
        flags: Flags,
        owner: Option<&'a str>,
        faults: &'a Faults,
    ) -> Self {
        let invitations = stored.content.org.invitations.iter();
        let offered = invitations.filter_map(|open| Some((login::key(open.login.as_deref()?), open.role))).collect();
        Self {
            file,
            stored,
            flags,
            owner,
            faults,
            collaborators: file.collaborators.iter().map(|wanted| login::key(&wanted.login)).collect(),
            offered,
            next_project: stored.last_project + 1,
            skipped_projects: HashSet::new(),
            roles: HashMap::new(),
            removed: HashSet::new(),
            outsiders: HashSet::new(),
            removed_teams: HashSet::new(),
            room: owner.map_or(usize::MAX, |_| MOST_OVER_HTTP + 1),
            changes: Vec::new(),
            removals: Vec::new(),
            late: Vec::new(),
            not_in_file: Vec::new(),
            skipped: Vec::new(),
        }
    }

    /// Compares everything. Each part may use what those before it have found.
    pub fn plan(mut self) -> Plan {
        self.settings();
        self.accounts();
        self.people();
        self.repositories();
        self.collaborators();
        self.projects();
        self.teams();
        self.invitations();
        self.seats();
        self.grants();
        self.security_managers();
        let guarded = self.guarded(&self.removals);
        let people = self.file.people.iter().chain(&self.stored.content.org.people);
        let inviter = people.into_iter().find(|person| person.role == Role::Admin).map(|owner| owner.login.clone());
        self.removals.reverse();
        self.changes.append(&mut self.removals);
        self.changes.append(&mut self.late);
        Plan {
            org: if self.stored.exists { self.stored.content.org.login.clone() } else { self.file.login.clone() },
            file: self.file.file.clone(),
            changes: self.changes,
            not_in_file: self.not_in_file,
            skipped: self.skipped,
            not_kept: self.file.not_kept.iter().cloned().collect(),
            guarded,
            inviter,
        }
    }

    /// The flag, if the command does not have it.
    pub fn needs(&self, flag: Flag) -> Option<Flag> {
        let given = match flag {
            // A new organization takes its owners from its file.
            Flag::Owners => self.flags.owners || !self.stored.exists,
            Flag::Invite => self.flags.invite,
            Flag::CreateAccounts => self.flags.create_accounts,
        };
        (!given).then_some(flag)
    }

    /// The subject is new.
    pub fn add(&mut self, at: At<'_>, after: impl Into<Value>, blocked_by: Option<Flag>) {
        let change = change(Action::Add, at, (Value::Null, after.into()), blocked_by);
        keep(&mut self.changes, &mut self.room, change);
    }

    /// The subject is new after all removals.
    pub fn add_late(&mut self, at: At<'_>, after: impl Into<Value>) {
        keep(&mut self.late, &mut self.room, change(Action::Add, at, (Value::Null, after.into()), None));
    }

    /// The subject has another value after all removals.
    pub fn change_late(&mut self, at: At<'_>, values: (Value, Value)) {
        keep(&mut self.late, &mut self.room, change(Action::Change, at, values, None));
    }

    /// The subject has another value.
    pub fn change(
        &mut self,
        at: At<'_>,
        (before, after): (impl Into<Value>, impl Into<Value>),
        blocked_by: Option<Flag>,
    ) {
        let change = change(Action::Change, at, (before.into(), after.into()), blocked_by);
        keep(&mut self.changes, &mut self.room, change);
    }

    /// The file says that the subject goes.
    pub fn remove(&mut self, at: At<'_>, before: impl Into<Value>) {
        keep(&mut self.removals, &mut self.room, change(Action::Remove, at, (before.into(), Value::Null), None));
    }

    /// The file does not have the subject, and stays silent about it unless it has the list in which it would be.
    /// Returns true if the plan removes it.
    pub fn beyond(&mut self, at: At<'_>, value: impl Into<Value>, is_listed: bool, needs: Option<Flag>) -> bool {
        if self.flags.prune && is_listed {
            let blocked_by = needs.and_then(|flag| self.needs(flag));
            let change = change(Action::Remove, at, (value.into(), Value::Null), blocked_by);
            keep(&mut self.removals, &mut self.room, change);
            return true;
        }
        self.stays(at, value);
        false
    }

    /// The file does not have the subject, which no plan removes, or not with these flags.
    pub fn stays(&mut self, (kind, team, subject): At<'_>, value: impl Into<Value>) {
        let (team, subject) = (team.map(str::to_owned), subject.to_owned());
        self.not_in_file.push(Item { kind, team, subject, value: value.into() });
    }

    /// The subject of the last removal has another value instead.
    pub fn last_removal_gives(&mut self, after: &str) {
        if let Some(last) = self.removals.last_mut() {
            last.after = after.into();
        }
    }

    /// A part of the file that cannot be carried out.
    pub fn skip(&mut self, why: impl Into<String>) {
        self.skipped.push(why.into());
    }
}

fn keep(list: &mut Vec<Change>, room: &mut usize, change: Change) {
    if *room > 0 {
        *room -= 1;
        list.push(change);
    }
}

fn change(
    action: Action,
    (kind, team, subject): At<'_>,
    (before, after): (Value, Value),
    blocked_by: Option<Flag>,
) -> Change {
    let (team, subject) = (team.map(str::to_owned), subject.to_owned());
    Change { action, kind, team, subject, before, after, blocked_by }
}

/// True if the role makes a member.
pub fn is_member(role: Option<&Role>) -> bool {
    matches!(role, Some(Role::Admin | Role::Member))
}
