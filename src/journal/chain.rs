//! The chain of a journal. Each entry has a keyed hash over the entry and the previous hash, so that `guildhall doctor`
//! finds entries that were changed, removed or inserted. Implements decision 47.

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use crate::db::{Bind, Bulk, Tx, row, select};
use crate::error::{Error, Result};
use crate::rows::Folded;

/// The format of entries that come from the audit log before there was a journal.
const AUDIT: i64 = 1;

/// The current format, which hashes every column.
const PRESENT: i64 = 2;

/// Length of a hash, in bytes.
pub const HASH: usize = 32;

row! {
    /// An entry as it is stored.
    #[derive(Debug, Clone)]
    pub struct Entry from "j" {
        /// The organization that the journal belongs to, or the site.
        pub org: i64 = "j.org_id",
        /// Number in the journal, from 1.
        pub entry: i64,
        /// Time of the change.
        pub at: i64,
        /// The columns that memory folds.
        pub folded: Folded = Folded::COLUMNS,
        /// The person who made the change.
        pub actor_id: Option<i64>,
        /// That person's login.
        pub actor_login: Option<String>,
        /// The site administrator who acted as them.
        pub impersonator_login: Option<String>,
        /// The token that was used.
        pub token_id: Option<i64>,
        /// The request.
        pub request_id: String,
        /// The client's IP address.
        pub remote_address: Option<String>,
        /// The name of the action, or none if the audit log does not show the entry.
        pub action: Option<String>,
        /// The values before, as JSON.
        pub before: Option<String>,
        /// The values after, as JSON.
        pub after: Option<String>,
        /// The keyed hash of the event.
        pub facts_hash: Option<Vec<u8>>,
        /// The format, which says how the entry is hashed.
        pub format: i64,
        /// The keyed hash over the entry and the previous hash.
        pub hash: Vec<u8>,
    }
}

impl Entry {
    /// Chains the entry to the one with this hash.
    pub(super) fn seal(&mut self, previous: &[u8], key: &[u8; 32]) -> Result<()> {
        self.format = PRESENT;
        self.hash = self.sealed(previous, key)?;
        Ok(())
    }

    /// The hash that this entry must have if it follows the one with this hash.
    pub fn sealed(&self, previous: &[u8], key: &[u8; 32]) -> Result<Vec<u8>> {
        let mut hash = Hash::new(key)?;
        if self.format == AUDIT {
            self.add_as_audit(&mut hash);
        } else {
            self.add(&mut hash);
        }
        hash.0.update(previous);
        Ok(hash.finish())
    }

    fn add_as_audit(&self, hash: &mut Hash) {
        for number in [self.org, self.entry, self.at, self.token_id.unwrap_or(0)] {
            hash.0.update(&number.to_le_bytes());
        }
        let of = |text: &Option<String>| text.clone().unwrap_or_default();
        let (action, before, after) = (of(&self.action), of(&self.before), of(&self.after));
        let (actor, impersonator) = (of(&self.actor_login), of(&self.impersonator_login));
        for text in [&action, &actor, &impersonator, &self.request_id, &before, &after] {
            hash.bytes(text.as_bytes());
        }
    }

    /// No journal has a negative ID, so no entry of the old format begins like this.
    fn add(&self, hash: &mut Hash) {
        let folded = &self.folded;
        let flag = |flag: Option<bool>| flag.map(i64::from);
        let numbers = [self.actor_id, self.token_id, folded.team, folded.user, folded.parent];
        for number in [-self.format, self.org, self.entry, self.at] {
            hash.0.update(&number.to_le_bytes());
        }
        for number in numbers.into_iter().chain([flag(folded.flag), flag(folded.other_flag)]) {
            hash.maybe(number.map(i64::to_le_bytes).as_ref().map(<[u8; 8]>::as_slice));
        }
        hash.bytes(folded.kind.as_bytes());
        hash.bytes(self.request_id.as_bytes());
        let texts = [&self.actor_login, &self.impersonator_login, &self.remote_address, &folded.name_key];
        for text in texts.into_iter().chain([&self.action, &self.before, &self.after]) {
            hash.maybe(text.as_deref().map(str::as_bytes));
        }
        hash.maybe(self.facts_hash.as_deref());
    }
}

/// The keyed hash of an entry's event.
pub fn of_facts(key: &[u8; 32], (org, entry): (i64, i64), event: &str, facts: &str) -> Result<Vec<u8>> {
    let mut hash = Hash::new(key)?;
    for part in [b"facts", &org.to_le_bytes()[..], &entry.to_le_bytes(), event.as_bytes(), facts.as_bytes()] {
        hash.bytes(part);
    }
    Ok(hash.finish())
}

/// The keyed hash over what a head stores about the trimmed entries: their number and the hash of the last one.
pub fn of_trimmed(key: &[u8; 32], org: i64, trimmed: i64, last: &[u8]) -> Result<Vec<u8>> {
    let mut hash = Hash::new(key)?;
    for part in [b"trimmed", &org.to_le_bytes()[..], &trimmed.to_le_bytes(), last] {
        hash.bytes(part);
    }
    Ok(hash.finish())
}

/// The keyed hash over a position in a journal and the search that its cursor belongs to.
pub fn of_cursor(key: &[u8; 32], org: i64, search: &str, place: i64) -> Result<Vec<u8>> {
    let mut hash = Hash::new(key)?;
    for part in [b"cursor", &org.to_le_bytes()[..], &place.to_le_bytes(), search.as_bytes()] {
        hash.bytes(part);
    }
    Ok(hash.finish())
}

/// The keyed hash from which the ID of an event is made. It is the same each time the event is expanded.
pub fn of_delivery(key: &[u8; 32], (org, entry): (i64, i64), part: i64) -> Result<Vec<u8>> {
    let mut hash = Hash::new(key)?;
    for bytes in [b"delivery", &org.to_le_bytes()[..], &entry.to_le_bytes(), &part.to_le_bytes()] {
        hash.bytes(bytes);
    }
    Ok(hash.finish())
}

/// The keyed hash of an e-mail address in the form in which addresses are compared, in hexadecimal digits. The audit log
/// shows it instead of the address.
pub fn of_address(key: &[u8; 32], compared: &str) -> Result<String> {
    let mut hash = Hash::new(key)?;
    for part in [b"address", compared.as_bytes()] {
        hash.bytes(part);
    }
    Ok(hash
        .finish()
        .iter()
        .flat_map(|byte| [byte >> 4, byte & 0x0f])
        .filter_map(|digit| char::from_digit(digit.into(), 16))
        .collect())
}

struct Hash(Hmac<Sha256>);

impl Hash {
    fn new(key: &[u8; 32]) -> Result<Self> {
        Hmac::new_from_slice(key).map(Self).map_err(|e| Error::Bug(e.to_string()))
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.0.update(&(bytes.len() as u64).to_le_bytes());
        self.0.update(bytes);
    }

    fn maybe(&mut self, bytes: Option<&[u8]>) {
        self.0.update(&[u8::from(bytes.is_some())]);
        self.bytes(bytes.unwrap_or_default());
    }

    fn finish(self) -> Vec<u8> {
        self.0.finalize().into_bytes().to_vec()
    }
}

/// The values of an entry as it is appended.
pub(super) fn columns(entry: &Entry) -> [&dyn Bind; 22] {
    let folded = &entry.folded;
    [
        &entry.org,
        &entry.entry,
        &entry.at,
        &folded.kind,
        &folded.team,
        &folded.user,
        &folded.parent,
        &folded.name_key,
        &folded.flag,
        &folded.other_flag,
        &entry.actor_id,
        &entry.actor_login,
        &entry.impersonator_login,
        &entry.token_id,
        &entry.request_id,
        &entry.remote_address,
        &entry.action,
        &entry.before,
        &entry.after,
        &entry.facts_hash,
        &entry.format,
        &entry.hash,
    ]
}

/// Appends entries.
pub(super) static APPEND: Bulk<22> = Bulk::new(
    "INSERT INTO journal (org_id, entry, at, kind, team_id, user_id, parent_id, name_key, flag, other_flag, actor_id,
                          actor_login, impersonator_login, token_id, request_id, remote_address, action, before, after,
                          facts_hash, format, hash)
     VALUES {rows}",
);

/// The entries of a journal after this one, in order, to verify them.
pub fn entries(tx: &mut Tx, org: i64, after: i64, limit: i64) -> Result<Vec<Entry>> {
    tx.all(ENTRIES, &[&org, &after, &limit])
}

/// The entries of a journal that the audit log shows, after the first number and up to the second, in order.
pub fn audited(tx: &mut Tx, org: i64, after: i64, through: i64) -> Result<Vec<Entry>> {
    tx.all(AUDITED, &[&org, &after, &through])
}

macro_rules! entries {
    ($end:literal) => {
        select!(Entry from "journal j WHERE j.org_id = $1 AND j.entry > $2", $end)
    };
}

const ENTRIES: &str = entries!(" ORDER BY entry LIMIT $3");
const AUDITED: &str = entries!(" AND entry <= $3 AND action IS NOT NULL ORDER BY entry");

/// The events of the same entries: number, event and facts.
pub fn facts(tx: &mut Tx, org: i64, after: i64, limit: i64) -> Result<Vec<(i64, String, String)>> {
    tx.all(TOLD, &[&org, &after, &(after + limit)])
}

const TOLD: &str = "
    SELECT entry, event, facts FROM journal_facts WHERE org_id = $1 AND entry > $2 AND entry <= $3 ORDER BY entry";
