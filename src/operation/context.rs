//! The context of an operation: the transaction, the caller, the time, and the settings.

use std::net::IpAddr;
use std::sync::Arc;

use super::params::Prepared;
use super::reply::List;
use crate::caller::{Caller, Person};
use crate::clock::{Hourly, Time};
use crate::db::{Cacheable, Tx};
use crate::error::{Error, Result};
use crate::journal::{Author, Change};
use crate::limits::creation::{self, CreationLimit};
use crate::limits::mails;
use crate::limits::requests::{self, Limiter};
use crate::limits::resources::Limiters;
use crate::links::Links;
use crate::memory::Organizations;

impl Caller {
    /// The caller whose requests the primary limit counts together: the person, or the IP address.
    #[must_use]
    pub fn counted(&self, peer: IpAddr) -> requests::Caller {
        self.person.as_ref().map_or(requests::Caller::Address(peer), |person| requests::Caller::Person(person.id))
    }
}

/// The number of results on a page of most lists, unless the client asks for another.
pub const PER_PAGE: u64 = 30;

/// The requested page of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Page {
    /// Counted from 1.
    pub number: u64,
    /// 1 to 100.
    pub per_page: u64,
}

impl Page {
    /// The number of items before the page.
    #[must_use]
    pub fn offset(self) -> u64 {
        (self.number - 1).saturating_mul(self.per_page)
    }

    /// The same for a statement, saturated at the largest number of a database.
    #[must_use]
    pub fn sql(self) -> (i64, i64) {
        let sql = |n| i64::try_from(n).unwrap_or(i64::MAX);
        (sql(self.per_page), sql(self.offset()))
    }
}

/// The settings for clients that expect something else.
#[derive(Debug, Default)]
pub struct Compat {
    /// True if an update of a team may leave out the name (decision 8).
    pub partial_team_update: bool,
    /// The time at which the log last named that setting.
    pub partial_refused: Hourly,
    /// The version of GitHub Enterprise Server that `/meta` names (decision 57).
    pub enterprise_version: Option<String>,
}

/// The way of e-mails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mails {
    /// A mail server sends them.
    AreSent,
    /// There is no mail server, so they are saved as files.
    AreFiles,
}

/// The identity provider of the site, as its rules need it (decision 61).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdentityProvider {
    /// The issuer.
    pub issuer: String,
    /// True if it may make accounts.
    pub creates: bool,
    /// True if an e-mail address that it has verified is enough to sign in to the account that has it.
    pub trusts_email: bool,
}

/// The state that all requests share: settings that rules depend on, and state in memory.
#[expect(clippy::struct_excessive_bools, reason = "these are independent of each other")]
pub struct Site {
    /// The settings for clients that expect something else.
    pub compat: Compat,
    /// The time for which an invitation is open, in seconds (decision 26).
    pub invitation_seconds: i64,
    /// The beginning of the text of a new token (decision 41).
    pub token_prefix: String,
    /// The key of the chains of the journals (decision 47).
    pub audit_key: [u8; 32],
    /// The key of entity tags (decision 43).
    pub etag_key: [u8; 192],
    /// The key that seals secrets (decision 41).
    pub seal_key: [u8; 32],
    /// True if people may sign in with a code or link in an e-mail (decision 61).
    pub signin_by_mail: bool,
    /// The domains at which an e-mail address makes an account for a person who was not invited; none for all domains
    /// (decision 71).
    pub signup_domains: Option<Vec<String>>,
    /// True if everyone may create an organization (decision 71).
    pub everyone_creates_organizations: bool,
    /// True if applications need the approval of the owners of a new organization (decision 81).
    pub applications_need_approval: bool,
    /// The way of e-mails (decision 46).
    pub mails: Mails,
    /// The site's identity provider, if people may sign in there.
    pub provider: Option<IdentityProvider>,
    /// The key of links in e-mails (decision 69).
    pub mail_key: [u8; 32],
    /// True if webhooks may skip the verification of certificates (decision 68).
    pub insecure_ssl: bool,
    /// The time for which a delivery is retried, in seconds (decision 44).
    pub retry_seconds: i64,
    /// The cached data of each organization.
    pub organizations: Organizations,
    /// The primary limits, unless they are switched off.
    pub limiters: Option<Limiters>,
    /// The limit on a person's creations (decision 39).
    pub creation_limit: CreationLimit,
    /// Counts how often each user has learned that the name of a team that they do not see is taken (decision 9).
    pub guesses: Limiter,
}

/// The differences between two equal requests: the time, the client's IP address, and the ID of the request. A cached
/// response must not depend on it.
#[derive(Debug, Clone, Copy)]
pub struct Moment<'a> {
    time: Time,
    peer: IpAddr,
    request_id: &'a str,
    concealed: bool,
}

impl<'a> Moment<'a> {
    /// The moment of a request.
    #[must_use]
    pub fn new(time: Time, peer: IpAddr, request_id: &'a str) -> Self {
        Self { time, peer, request_id, concealed: false }
    }

    /// The same moment, hidden from an operation whose response is cached.
    #[must_use]
    pub fn concealed_if(self, kept: bool) -> Self {
        Self { concealed: kept, ..self }
    }

    /// The time, the IP address of the client, and the ID of the request.
    pub fn seen(&self) -> Result<(Time, IpAddr, &'a str)> {
        if self.concealed {
            return Err(Error::Bug("a read whose answer is kept depends on when, or from where, it is asked".into()));
        }
        Ok((self.time, self.peer, self.request_id))
    }
}

/// The context of one request.
pub struct Cx<'a, 'c> {
    /// The transaction.
    pub tx: &'a mut Tx<'c>,
    /// The caller.
    pub caller: &'a Caller,
    /// The time, the IP address and the ID of the request.
    pub moment: Moment<'a>,
    /// The beginning of URLs in the response.
    pub links: &'a Links,
    /// The page of a list.
    pub page: Page,
    /// The data that was prepared before the transaction.
    pub prepared: Option<&'a Prepared>,
    /// Settings and state in memory.
    pub site: &'a Site,
    /// True if people who are invited get e-mails.
    pub mails: bool,
    /// The person who invites if the caller is not a person.
    pub inviter: Option<i64>,
}

impl<'a, 'c> Cx<'a, 'c> {
    /// The context of work that no request of the API asked for, or not by itself: nothing was prepared, and a list has
    /// pages of 100.
    pub fn new(tx: &'a mut Tx<'c>, caller: &'a Caller, moment: Moment<'a>, links: &'a Links, site: &'a Site) -> Self {
        let page = Page { number: 1, per_page: 100 };
        Self { tx, caller, moment, links, page, prepared: None, site, mails: true, inviter: None }
    }

    /// The person who is the caller; 401 without credentials.
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

    /// The time, for use in errors: errors are never cached.
    #[must_use]
    pub fn time_of_refusal(&self) -> Time {
        self.moment.time
    }

    /// The data that the row prepared before the transaction.
    pub fn prepared<T: 'static>(&self) -> Result<&'a T> {
        let prepared = self.prepared.and_then(|prepared| prepared.downcast_ref());
        prepared.ok_or_else(|| Error::Bug("a call was carried out unprepared".into()))
    }

    /// The result of the function, cached for every request that needs a `T` with the same key in the same snapshot
    /// (docs/decisions/0023). The key contains everything about the caller and the request that the result depends on.
    /// An operation that reads the moment caches nothing.
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

    /// A page of a list that is the same for every caller, built once per snapshot. The key names the list; the page
    /// and the base of URLs are added to it.
    pub fn cached_page<T: 'static>(
        &mut self,
        list: &[i64],
        make: impl FnOnce(&mut Self) -> Result<List<T>>,
    ) -> Result<List<T>> {
        let mut key = Vec::with_capacity(128);
        let (limit, offset) = self.page.sql();
        list.iter().chain(&[limit, offset]).for_each(|number| key.extend_from_slice(&number.to_be_bytes()));
        self.links.push_key(&mut key);
        Ok(List::clone(&*self.cached(&key, make)?))
    }

    /// The ID of the caller; without credentials, and for one who counts as an outsider, 0, which no user has.
    #[must_use]
    pub fn my_id(&self) -> i64 {
        self.caller.person.as_ref().filter(|_| !self.caller.is_outsider).map_or(0, |person| person.id)
    }

    /// The person who gives a level with this request, and the time (decision 67). The operator is not a person.
    pub fn granting(&self) -> Result<(Option<i64>, i64)> {
        Ok((self.caller.actor().map(|person| person.id), self.now()?.0))
    }

    /// Refuses a session without a recent sign-in, where the need depends on the data; otherwise the operation's row says
    /// it.
    pub fn refuse_stale_session(&self) -> Result<()> {
        self.caller.refuse_stale_session(self.now()?)
    }

    /// Refuses a site administrator who acts as another person: with an e-mail address or a token of their own, they could
    /// act as that person later.
    pub fn refuse_impersonator(&self) -> Result<()> {
        if self.caller.impersonator().is_some() {
            let text = "A site administrator who acts as a person makes no tokens for them, and changes their e-mail \
                        addresses under their own name: /admin/users/{username}/emails.";
            return Err(Error::Forbidden(text.into()));
        }
        Ok(())
    }

    /// Records a change in the journal of an organization or of the site, which the operation's row must name.
    pub fn record(&mut self, org: i64, change: Change) -> Result<()> {
        self.author()?.record(self.tx, org, change)
    }

    /// The author of the changes of this request.
    pub fn author(&self) -> Result<Author<'a>> {
        let (at, peer, request_id) = self.moment.seen()?;
        let (person, token) = (self.caller.actor(), self.caller.token.as_ref());
        let impersonator = self.caller.impersonator().map(|login| &**login);
        Ok(Author { key: &self.site.audit_key, at, request_id, person, token, impersonator, peer: Some(peer) })
    }

    /// Counts one post, comment, invitation or edit of the caller, or refuses it. It is called when nothing else can
    /// refuse the request any more (decision 20). What an operator creates with a command is not counted.
    pub fn count_creation(&mut self) -> Result<()> {
        let Some(person) = self.caller.actor() else { return Ok(()) };
        let now = self.now()?;
        creation::count(self.tx, person.id, self.site.creation_limit, now)
    }

    /// Counts one e-mail with a link to the address with this hash, for this person, or refuses it. The same holds.
    pub fn count_mail(&mut self, address: &str, person: i64) -> Result<()> {
        if self.caller.actor().is_none() {
            return Ok(());
        }
        let now = self.now()?;
        mails::count(self.tx, address, person, now)
    }
}
