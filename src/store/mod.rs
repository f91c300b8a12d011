//! The database as commands open it: with the key of the data directory, and a context for changes.

pub mod data_dir;
pub mod files;

use std::net::{IpAddr, Ipv4Addr};
use std::path::Path;
use std::sync::Arc;

use crate::clock::{self, Clock, Time};
use crate::config::{Creators, Database, Postgres, Settings};
use crate::db::{Address, Db, Lock, Options, Tx};
use crate::error::{Error, Result};
use crate::journal;
use crate::journal::clock::{self as clock_check, ClockCheck};
use crate::limits::creation::CreationLimit;
use crate::limits::requests::Limiter;
use crate::limits::resources::Limiters;
use crate::links::Links;
use crate::memory::Organizations;
use crate::operation::{Caller, Compat, Cx, IdentityProvider, Mails, Moment, Site};
use crate::people::email_keys;
use data_dir::{DataDir, Key, private};
use files::absent_file;

/// The IP address of commands.
const LOCAL: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

/// The number of IP addresses without a token that the limit distinguishes.
const ADDRESSES: usize = 100_000;

/// The number of times per minute that a person may learn that the name of a team that they do not see is taken.
const GUESSES_PER_MINUTE: u32 = 20;

/// Tells if a command creates what does not exist yet: the database, its schema, the key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Missing {
    /// It does, except for a database that existed before and is gone.
    Make,
    /// It does, even then.
    BeginAnew,
    /// It needs what exists, and does not change it.
    Refuse,
}

/// An open database.
pub struct Store {
    /// The database.
    pub db: Db,
    /// The secret of the installation.
    pub key: Key,
    /// The settings and state that rules depend on.
    pub site: Arc<Site>,
}

impl Store {
    /// Opens the database of the settings and checks that the key is its own.
    pub async fn open(settings: &Settings, missing: Missing) -> Result<Self> {
        let (db, key) = match missing {
            Missing::Make | Missing::BeginAnew => begin(settings, missing).await?,
            Missing::Refuse => present(settings).await?,
        };
        let site = Arc::new(site(settings, &key)?);
        Ok(Self { db, key, site })
    }

    /// Opens the database of the settings and changes nothing; nothing if none was ever begun in the data directory.
    pub async fn find(settings: &Settings) -> Result<Option<Self>> {
        match DataDir::at(&settings.data_dir).present_key()? {
            Some(_) => Self::open(settings, Missing::Refuse).await.map(Some),
            None => Ok(None),
        }
    }

    /// The time; an error if the clock cannot be right.
    pub async fn now(&self) -> Result<Time> {
        let check = self.clock_check().await?;
        check.check(&Clock::System)?;
        Ok(check.now(&Clock::System))
    }

    /// A check of the clock against the journal.
    pub async fn clock_check(&self) -> Result<ClockCheck> {
        let check = ClockCheck::default();
        let seen = self.db.read(clock_check::see).await?;
        check.note(check.known(), &seen, &Clock::System);
        Ok(check)
    }

    /// Changes something in one transaction, on behalf of the operator.
    pub async fn write<R, F>(&self, work: F) -> Result<R>
    where
        R: Send + 'static,
        F: FnMut(&mut Cx<'_, '_>) -> Result<R> + Send + 'static,
    {
        self.write_at(self.now().await?, work).await
    }

    /// The same with a given time.
    pub async fn write_at<R, F>(&self, now: Time, mut work: F) -> Result<R>
    where
        R: Send + 'static,
        F: FnMut(&mut Cx<'_, '_>) -> Result<R> + Send + 'static,
    {
        let site = Arc::clone(&self.site);
        let request_id = format!("cli-{:016x}", u64::from_le_bytes(clock::random()?));
        self.db
            .write(move |tx| {
                journal::lock(tx, &[Lock::Journal(journal::SITE)])?;
                let (caller, moment) = (Caller::default(), Moment::new(now, LOCAL, &request_id));
                work(&mut Cx::new(tx, &caller, moment, &Links::default(), &site))
            })
            .await
    }
}

/// A database with its key, each created if it does not exist, with this program's schema.
async fn begin(settings: &Settings, missing: Missing) -> Result<(Db, Key)> {
    let data_dir = DataDir::open(&settings.data_dir)?;
    // An invalid key file must not create a database.
    data_dir.present_key()?;
    if let Database::Sqlite(path) = &settings.database
        && absent_file(path)
    {
        if missing != Missing::BeginAnew && data_dir.had_database() {
            return Err(data_dir.lost_database(path));
        }
        // SQLite would create a file that other users can read.
        private(path)?;
    }
    let db = Db::open_with(&address(&settings.database), options(settings)).await?;
    if db.read(email_keys::are_old).await? {
        db.write(email_keys::renew).await?;
    }
    let known = db.read(known_key).await?;
    if known.is_some() && data_dir.present_key()?.is_none() {
        // A new key would be refused from then on, and would hide the loss of the old one.
        return Err(data_dir.lacks_key());
    }
    let key = data_dir.key()?;
    let check = key.check()?;
    let known = match known {
        Some(known) => known,
        None => remember(&db, check.clone()).await?,
    };
    recognize(&known, &check, &settings.data_dir)?;
    if let Database::Sqlite(path) = &settings.database {
        data_dir.note_database(path)?;
    }
    Ok((db, key))
}

/// A database with its key, both unchanged.
async fn present(settings: &Settings) -> Result<(Db, Key)> {
    let data_dir = DataDir::at(&settings.data_dir);
    if let Database::Sqlite(path) = &settings.database
        && absent_file(path)
    {
        return Err(if data_dir.had_database() { data_dir.lost_database(path) } else { no_database(path) });
    }
    let db = Db::open_present(&address(&settings.database)).await?;
    let key = data_dir.present_key()?.ok_or_else(|| data_dir.lacks_key())?;
    if let Some(known) = db.read(known_key).await? {
        recognize(&known, &key.check()?, &settings.data_dir)?;
    }
    Ok((db, key))
}

fn options(settings: &Settings) -> Options {
    let Postgres { connections, shared_reads } = settings.postgres;
    Options { connections, shared_reads, ..Options::default() }
}

fn address(database: &Database) -> Address {
    match database {
        Database::Sqlite(path) => Address::Sqlite(path.clone()),
        Database::Postgres(url) => Address::Postgres(url.clone()),
    }
}

/// The error if a command needs a database and finds none.
pub fn no_database(path: &Path) -> Error {
    Error::Unavailable(format!(
        "there is no database at {}; choose its directory with --data-dir, or create one with `guildhall serve` or \
         `guildhall import`",
        path.display()
    ))
}

/// The settings and state that rules and responses depend on.
pub fn site(settings: &Settings, key: &Key) -> Result<Site> {
    Ok(Site {
        compat: Compat {
            partial_team_update: settings.partial_team_update,
            enterprise_version: settings.enterprise_version.clone(),
            ..Compat::default()
        },
        invitation_seconds: i64::from(settings.invitation_days) * 24 * 60 * 60,
        token_prefix: settings.token_prefix.clone(),
        audit_key: key.audit()?,
        etag_key: key.etag()?,
        seal_key: key.seal()?,
        mail_key: key.mail()?,
        signin_by_mail: settings.signin.by_mail,
        signup_domains: settings.signup_domains.clone(),
        everyone_creates_organizations: settings.creators == Creators::Everyone,
        applications_need_approval: settings.applications_need_approval,
        mails: if settings.mail.smtp.is_some() { Mails::AreSent } else { Mails::AreFiles },
        provider: settings.signin.provider.as_ref().map(|provider| IdentityProvider {
            issuer: provider.issuer.clone(),
            creates: provider.creates,
            trusts_email: provider.trusts_email,
        }),
        insecure_ssl: settings.webhooks.insecure_ssl,
        retry_seconds: i64::from(settings.deliveries.retry_days) * 24 * 60 * 60,
        organizations: Organizations::default(),
        creation_limit: CreationLimit {
            per_minute: settings.abuse_limit.per_minute,
            per_hour: settings.abuse_limit.per_hour,
        },
        guesses: Limiter::of_persons(GUESSES_PER_MINUTE),
        limiters: settings.rate_limit.map(|l| Limiters::new(l.per_hour, l.anonymous_per_hour, ADDRESSES)),
    })
}

/// Refuses a key other than the one with which the database was created: the audit chain would not match.
fn recognize(known: &str, check: &str, data_dir: &Path) -> Result<()> {
    if known == check {
        return Ok(());
    }
    Err(Error::Unavailable(format!(
        "this database belongs to a different `guildhall.key`. Copy the key from a running node or your backup to {}. \
         If it is lost, delete the row `key_check` from the table `site`; the audit log up to then can no longer be \
         verified, and the secrets of webhooks must be set again",
        data_dir.display()
    )))
}

fn known_key(tx: &mut Tx) -> Result<Option<String>> {
    let row: Option<(String,)> = tx.maybe("SELECT value FROM site WHERE name = 'key_check'", &[])?;
    Ok(row.map(|(value,)| value))
}

/// Marks a database as created with a key. Returns the mark, which may be that of another process.
async fn remember(db: &Db, check: String) -> Result<String> {
    let remembered = db.write(move |tx| {
        tx.run(REMEMBER, &[&check])?;
        known_key(tx)
    });
    remembered.await?.ok_or_else(|| Error::Bug("the check value of the key was not stored".into()))
}

const REMEMBER: &str = "
    INSERT INTO site (name, value) VALUES ('key_check', $1)
    ON CONFLICT (name) DO NOTHING";
