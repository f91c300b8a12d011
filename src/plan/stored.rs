//! The stored organization, as a plan compares it with a file.

use std::collections::{HashMap, HashSet};

use super::{Flags, MOST_OVER_HTTP, too_many};
use crate::clock::Time;
use crate::db::Tx;
use crate::error::{Error, Result};
use crate::export::{Exported, stored};
use crate::import::desired::Org;
use crate::import::fault::Faults;
use crate::import::logins::Account;
use crate::import::{Choices, check, matching};
use crate::members::invitations::invited_address;
use crate::orgs::settings::{self, OrgSettings};
use crate::people::user::User;
use crate::people::{email, login};

/// The stored organization; one that does not exist yet has nothing.
pub struct Stored {
    /// True if it exists.
    pub exists: bool,
    /// Its content, as a file describes it.
    pub content: Exported,
    /// Its profile and settings.
    pub settings: OrgSettings,
    /// The people of the file who have accounts, also those whom it names by an e-mail address, by login key.
    pub accounts: HashMap<String, Account>,
    /// For each team of the file, the index of its team in the content.
    pub pairs: Vec<Option<usize>>,
    /// The members whose accounts are suspended, by login key.
    pub suspended: HashSet<String>,
    /// The number of the newest project.
    pub last_project: i64,
    /// The numbers of posts of the teams that have any, by the identifier of the team: discussions and comments. They are
    /// read only for a plan that may remove teams.
    pub posts: HashMap<i64, i64>,
    /// Invited e-mail addresses of the file that belong to an account, with its login, by the key of the address.
    pub tied: HashMap<String, String>,
}

impl Stored {
    /// Checks the file against the store and reads the organization. An error names file, line and key. `finds_accounts` is
    /// false if the caller may learn of an e-mail address only that it is one of a member, as by inviting it.
    pub fn read(
        tx: &mut Tx,
        file: &Org,
        (choices, flags): (Choices, Flags),
        now: Time,
        finds_accounts: bool,
    ) -> Result<Self> {
        let faults = Faults::default();
        let known = check::store(tx, file, choices, now, &faults)?;
        if !faults.is_empty() {
            return Err(Error::from(faults));
        }
        let (mut content, mut settings) = (Exported::default(), OrgSettings::usual());
        let (mut suspended, mut by_address, mut accounts) = (HashSet::new(), HashMap::new(), known.accounts);
        let (mut last_project, mut posts) = (0, HashMap::new());
        if let Some(org) = known.org {
            content = stored::read(tx, org, now)?;
            settings = settings::stored(tx, org)?;
            suspended =
                tx.all::<(String,)>(SUSPENDED, &[&org])?.into_iter().map(|(login,)| login::key(&login)).collect();
            let members: HashSet<String> = content.org.people.iter().map(|one| login::key(&one.login)).collect();
            let most = if finds_accounts { usize::MAX } else { MOST_OVER_HTTP };
            for (address, person) in tied(tx, org, file, &content.org, most)? {
                let User { id, login, suspended, .. } = person;
                let key = login::key(&login);
                if !finds_accounts && !members.contains(&key) {
                    continue;
                }
                by_address.insert(address, key.clone());
                accounts.entry(key).or_insert(Account { id, login, suspended });
            }
            last_project = tx.one::<(i64,)>(LAST_PROJECT, &[&org])?.0;
            if flags.prune {
                posts = tx.all(POSTS, &[&org])?.into_iter().collect();
            }
        }
        let rows: Vec<_> = content.teams.iter().map(|team| team.row.clone()).collect();
        let pairs = matching::pair(file, &rows)?;
        let (exists, tied) = (known.org.is_some(), by_address);
        Ok(Self { exists, content, settings, accounts, pairs, suspended, last_project, posts, tied })
    }

    /// True if the account that the file names exists and is suspended.
    pub fn is_suspended(&self, key: &str) -> bool {
        self.accounts.get(key).is_some_and(|account| account.suspended)
    }
}

const SUSPENDED: &str = "
    SELECT u.login FROM org_members m JOIN users u ON u.id = m.user_id WHERE m.org_id = $1 AND u.suspended = TRUE";

const LAST_PROJECT: &str = "SELECT last_project_number FROM orgs WHERE id = $1";

const POSTS: &str = "
    SELECT t.id, count(*) + CAST(sum(d.comments_count) AS BIGINT)
    FROM teams t JOIN discussions d ON d.team_id = t.id WHERE t.org_id = $1 GROUP BY t.id";

/// The accounts of e-mail addresses that the file invites and the store has not invited. There is one statement for each
/// such address, so that more than these are refused.
fn tied(tx: &mut Tx, org: i64, file: &Org, stored: &Org, most: usize) -> Result<HashMap<String, User>> {
    let addresses = |of: &Org| -> HashSet<String> {
        let addressed = of.invitations.iter().filter(|invitation| invitation.login.is_none());
        addressed.filter_map(|invitation| invitation.email.as_deref().map(email::key)).collect()
    };
    let known = addresses(stored);
    let mut new = addresses(file);
    new.retain(|address| !known.contains(address));
    if new.len() > most {
        return Err(too_many());
    }
    let mut tied = HashMap::new();
    for address in new {
        if let Some(person) = invited_address::account_of(tx, org, &address)? {
            tied.insert(address, person);
        }
    }
    Ok(tied)
}
