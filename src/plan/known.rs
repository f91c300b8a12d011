//! The file with what the store has: the names of teams about which the file says nothing but who is on them, the logins
//! of e-mail addresses whose accounts are invited by login, and the roles of invitations about which it says nothing but
//! the teams (decisions 27 and 74).

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::invitations::key;
use super::stored::Stored;
use crate::import::desired::{Invitation, Membership, Org};
use crate::people::{email, login};

/// The file, changed only if one of its names differs.
pub fn known<'f>(file: &'f Org, stored: &Stored) -> Cow<'f, Org> {
    let mut known = Cow::Borrowed(file);
    for (nth, pair) in stored.pairs.iter().enumerate().filter(|(nth, _)| file.teams[*nth].only_people) {
        if let Some(pair) = pair {
            known.to_mut().teams[nth].name.clone_from(&stored.content.org.teams[*pair].name);
        }
    }
    let of_store = &stored.content.org.invitations;
    let by_login: HashSet<String> = of_store.iter().filter_map(|one| one.login.as_deref().map(login::key)).collect();
    let roles: HashMap<String, &'static str> = of_store.iter().map(|one| (key(one), one.role)).collect();
    for (nth, one) in file.invitations.iter().enumerate().filter(|(_, one)| one.only_teams) {
        if let Some(role) = roles.get(&key(one)) {
            known.to_mut().invitations[nth].role = role;
        }
    }
    let tied = |one: &Invitation| {
        let address = one.email.as_deref().filter(|_| one.login.is_none()).map(email::key);
        stored.tied.get(&address?).filter(|login| by_login.contains(*login)).cloned()
    };
    for (nth, login) in file.invitations.iter().enumerate().filter_map(|(nth, one)| Some((nth, tied(one)?))) {
        let org = known.to_mut();
        let (teams, line) = (std::mem::take(&mut org.invitations[nth].teams), org.invitations[nth].line);
        for (team, maintainer) in teams {
            let members = &mut org.teams[team].members;
            if !members.iter().any(|member| login::key(&member.login) == login) {
                members.push(Membership { login: login.clone(), maintainer, line });
            }
        }
        (org.invitations[nth].login, org.invitations[nth].email) = (Some(login), None);
    }
    known
}
