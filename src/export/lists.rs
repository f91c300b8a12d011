//! Lists by key: names and levels in the order of names, and invitations.

use std::collections::HashMap;
use std::hash::Hash;

use super::words::known;
use crate::clock::Time;
use crate::db::{FromRow, Tx, row, select};
use crate::error::Result;
use crate::import::desired::{Invitation, Membership, Org};
use crate::import::values;
use crate::people::login;

/// Names with a number, grouped by the first column of a statement about an organization; each list is sorted by name.
pub fn by_key<K: FromRow + Eq + Hash>(
    tx: &mut Tx,
    sql: &'static str,
    org: i64,
) -> Result<HashMap<K, Vec<(String, i64)>>> {
    let mut lists = grouped(tx.all::<(K, (String, i64))>(sql, &[&org])?);
    for list in lists.values_mut() {
        list.sort_by_cached_key(|(name, _)| (name.to_lowercase(), name.clone()));
    }
    Ok(lists)
}

/// Values by key, each list in the order in which its values come.
pub fn grouped<K: Eq + Hash, V>(pairs: impl IntoIterator<Item = (K, V)>) -> HashMap<K, Vec<V>> {
    let mut groups: HashMap<K, Vec<V>> = HashMap::new();
    for (key, value) in pairs {
        groups.entry(key).or_default().push(value);
    }
    groups
}

row! {
    struct Open from "i" {
        id: i64,
        login: Option<String> = "u.login",
        email: Option<String>,
        role: String,
    }
}

/// Adds the open invitations. The teams of an invited person are those that name them; an invitation to an e-mail
/// address names its teams. `index` maps the store's teams to those of the file.
pub fn invitations(tx: &mut Tx, id: i64, now: Time, index: &HashMap<i64, usize>, org: &mut Org) -> Result<()> {
    let open: Vec<Open> = tx.all(OPEN, &[&id, &now.0])?;
    let brought: Vec<(i64, i64, bool)> = tx.all(BROUGHT, &[&id, &now.0])?;
    let of_file = |(invitation, team, maintainer)| Some((invitation, (*index.get(&team)?, maintainer)));
    let mut teams = grouped(brought.into_iter().filter_map(of_file));
    for Open { id, login, email, role } in open {
        let mut teams = teams.remove(&id).unwrap_or_default();
        teams.sort_unstable();
        if let Some(login) = &login {
            for (team, maintainer) in teams.drain(..) {
                org.teams[team].members.push(Membership { login: login.clone(), maintainer, line: 0 });
            }
        }
        let role = known(&role, values::INVITED)?;
        org.invitations.push(Invitation { login, email, role, teams, ..Invitation::default() });
    }
    for team in &mut org.teams {
        team.members.sort_by_cached_key(|member| (!member.maintainer, login::key(&member.login)));
    }
    let name = |invitation: &Invitation| invitation.login.clone().or_else(|| invitation.email.clone());
    org.invitations.sort_by_cached_key(|invitation| name(invitation).map(|name| name.to_lowercase()));
    Ok(())
}

const OPEN: &str = select!(Open from
    "invitations i LEFT JOIN users u ON u.id = i.user_id
     WHERE i.org_id = $1 AND i.failed_at IS NULL AND i.expires_at > $2 ORDER BY i.id");

const BROUGHT: &str = "
    SELECT b.invitation_id, b.team_id, b.role = 'maintainer'
    FROM invitations i JOIN invitation_teams b ON b.invitation_id = i.id
    WHERE i.org_id = $1 AND i.failed_at IS NULL AND i.expires_at > $2";
