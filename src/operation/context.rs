//! What an operation works with: the transaction, the caller, the time, and what the site is set to.

use std::net::IpAddr;
use std::sync::Arc;

use super::params::Prepared;
use super::reply::Written;
use crate::caller::{Caller, Person};
use crate::clock::Time;
use crate::db::{Cacheable, Tx};
use crate::error::{Error, Result};
use crate::journal::{Author, Change};
use crate::limits::creation::{self, CreationLimit};
use crate::limits::requests::{self, Limiter};
use crate::links::Links;
use crate::memory::Organizations;

impl Caller {
    /// Whose calls the primary limit counts together: the person's, or those of the address.
    #[must_use]
    pub fn counted(&self, peer: IpAddr) -> requests::Caller {
        self.person.as_ref().map_or(requests::Caller::Address(peer), |person| requests::Caller::Person(person.id))
    }
}

/// Which page of a list is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Page {
    /// Counted from 1.
    pub number: u64,
    /// 1 to 100.
    pub per_page: u64,
}

impl Page {
    /// How many items stand before the page.
    #[must_use]
    pub fn offset(self) -> u64 {
        (self.number - 1).saturating_mul(self.per_page)
    }

    /// The same for a statement, saturated at what a database counts to.
    #[must_use]
    pub fn sql(self) -> (i64, i64) {
        let sql = |n| i64::try_from(n).unwrap_or(i64::MAX);
        (sql(self.per_page), sql(self.offset()))
    }
}

/// What is the same for every request: settings that rules depend on, and state in memory.
pub struct Site {
    /// Whether an update of a team may leave out the name (decision 8).
    pub partial_team_update: bool,
    /// How long an invitation is open, in seconds (decision 26).
    pub invitation_seconds: i64,
    /// How the text of a new token begins (decision 41).
    pub token_prefix: String,
    /// The key of the chains of the journals (decision 47).
    pub audit_key: [u8; 32],
    /// The key that seals secrets (decision 41).
    pub seal_key: [u8; 32],
    /// The key of links in mails (decision 69).
    pub mail_key: [u8; 32],
    /// Whether hooks may skip the verification of certificates (decision 68).
    pub insecure_ssl: bool,
    /// How long a delivery is tried again, in seconds (decision 44).
    pub retry_seconds: i64,
    /// What is kept in memory of each organization.
    pub organizations: Organizations,
    /// The primary limit, unless it is switched off.
    pub limiter: Option<Limiter>,
    /// What a person may create (decision 39).
    pub creation_limit: CreationLimit,
    /// How often each user was told that a team they do not see has a name (decision 9).
    pub guesses: Limiter,
}

/// What differs between two requests that ask for the same: when, from where, and the request's id. An answer that is
/// kept must not depend on it.
#[derive(Debug, Clone, Copy)]
pub struct Moment<'a> {
    time: Time,
    peer: IpAddr,
    request_id: &'a str,
    concealed: bool,
}

impl<'a> Moment<'a> {
    /// The moment of a call.
    #[must_use]
    pub fn new(time: Time, peer: IpAddr, request_id: &'a str) -> Self {
        Self { time, peer, request_id, concealed: false }
    }

    /// The same moment, hidden from an operation whose answer is kept.
    #[must_use]
    pub fn concealed_if(self, kept: bool) -> Self {
        Self { concealed: kept, ..self }
    }

    /// Time, IP address of the client, and the request's id.
    pub fn seen(&self) -> Result<(Time, IpAddr, &'a str)> {
        if self.concealed {
            return Err(Error::Bug("a read whose answer is kept depends on when, or from where, it is asked".into()));
        }
        Ok((self.time, self.peer, self.request_id))
    }
}

/// The context of one call.
pub struct Cx<'a, 'c> {
    /// The transaction.
    pub tx: &'a mut Tx<'c>,
    /// Who is calling.
    pub caller: &'a Caller,
    /// When, from where and in which request.
    pub moment: Moment<'a>,
    /// How addresses in the answer begin.
    pub links: &'a Links,
    /// The page of a list.
    pub page: Page,
    /// Whether a check of a repository is to answer with the record (behavior rule 2).
    pub repository_record: bool,
    /// What was made of the call before the transaction.
    pub prepared: Option<&'a Prepared>,
    /// Settings and state in memory.
    pub site: &'a Site,
}

impl<'a> Cx<'a, '_> {
    /// The person who calls; 401 without credentials.
    pub fn me(&self) -> Result<&'a Person> {
        self.caller.person.as_ref().ok_or(Error::Unauthenticated)
    }

    /// The time. A read that depends on it says so in the table.
    pub fn now(&self) -> Result<Time> {
        self.moment.seen().map(|(time, ..)| time)
    }

    /// The client's IP address. A read that depends on it says so in the table.
    pub fn peer(&self) -> Result<IpAddr> {
        self.moment.seen().map(|(_, peer, _)| peer)
    }

    /// The time, for what ends in an error: errors are never kept.
    #[must_use]
    pub fn time_of_refusal(&self) -> Time {
        self.moment.time
    }

    /// What the row made of the call before the transaction.
    pub fn prepared<T: 'static>(&self) -> Result<&'a T> {
        let prepared = self.prepared.and_then(|prepared| prepared.downcast_ref());
        prepared.ok_or_else(|| Error::Bug("a call was carried out unprepared".into()))
    }

    /// What the function makes, kept for every call that asks for a `T` by the same key in the same snapshot (decision record
    /// 0023). The key holds all of the caller and the request that it depends on. An operation that sees the moment keeps
    /// nothing.
    pub fn cached<T: Cacheable>(&mut self, key: &[u8], make: impl FnOnce(&mut Self) -> Result<T>) -> Result<Arc<T>> {
        if let Some(kept) = self.tx.get_cached(key) {
            return Ok(kept);
        }
        let answer = Arc::new(make(self)?);
        if self.moment.concealed {
            self.tx.insert(self.tx.is_made_of(), key, &answer);
        }
        Ok(answer)
    }

    /// A page of a list that is the same for every caller, made once in a snapshot. The key says which list; the page
    /// and how addresses begin are added to it.
    pub fn cached_page<T: 'static>(
        &mut self,
        list: &[i64],
        make: impl FnOnce(&mut Self) -> Result<Written<T>>,
    ) -> Result<Written<T>> {
        let mut key = Vec::with_capacity(128);
        let (limit, offset) = self.page.sql();
        list.iter().chain(&[limit, offset]).for_each(|number| key.extend_from_slice(&number.to_be_bytes()));
        self.links.push_key(&mut key);
        Ok(Written::clone(&*self.cached(&key, make)?))
    }

    /// The ID of the caller; 0, which no user has, without credentials.
    #[must_use]
    pub fn my_id(&self) -> i64 {
        self.caller.person.as_ref().map_or(0, |person| person.id)
    }

    /// Records a change in the journal of an organization or of the site, which the operation's row must name.
    pub fn record(&mut self, org: i64, change: Change) -> Result<()> {
        self.author()?.record(self.tx, org, change)
    }

    /// The author of this call's changes.
    pub fn author(&self) -> Result<Author<'a>> {
        let (at, peer, request_id) = self.moment.seen()?;
        let (person, token) = (self.caller.person.as_ref(), self.caller.token.as_ref());
        Ok(Author { key: &self.site.audit_key, at, request_id, person, token, peer: Some(peer) })
    }

    /// Counts one post, comment or invitation of the caller, or an edit, or refuses it. Called when nothing else refuses
    /// the call any more (decision 20). What a command of the operator creates is not counted.
    pub fn count_creation(&mut self) -> Result<()> {
        let Some(person) = &self.caller.person else { return Ok(()) };
        let now = self.now()?;
        creation::count(self.tx, person.id, self.site.creation_limit, now)
    }
}
