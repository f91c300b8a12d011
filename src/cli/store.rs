//! The database as commands open it: with the key of the data directory, and a context to change things in.

use std::net::{IpAddr, Ipv4Addr};
use std::path::Path;
use std::sync::Arc;

use super::data_dir::{DataDir, Key, private};
use crate::access::limit::{Limiter, Pace};
use crate::clock::{self, Clock, Now};
use crate::config::{Database, Settings};
use crate::db::{Address, Db, Tx};
use crate::derived::Cache;
use crate::error::{Error, Result};
use crate::links::Links;
use crate::operation::{Caller, Cx, Page, Site};

/// Where commands come from.
const LOCAL: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

/// Addresses without a token that the limit tells apart.
const ADDRESSES: usize = 100_000;

/// How often in a minute a person may be told that a team which they do not see has a name.
const GUESSES_PER_MINUTE: u32 = 20;

/// Whether a command makes a database that is not there yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Missing {
    /// It does.
    Make,
    /// It needs what is in one.
    Refuse,
}

/// An open database.
pub struct Store {
    /// The two doors.
    pub db: Db,
    /// The secret of the installation.
    pub key: Key,
    /// What rules depend on.
    pub site: Arc<Site>,
}

impl Store {
    /// Opens the database of the settings, brings it to this program's schema, and checks that the key is its own.
    pub async fn open(settings: &Settings, missing: Missing) -> Result<Self> {
        let absent = absent_file(&settings.database);
        if let Some(path) = absent
            && missing == Missing::Refuse
        {
            return Err(Error::Unavailable(format!(
                "there is no database at {}; name its folder with --data-dir, or make one with `guildhall serve` or \
                 `guildhall import`",
                path.display()
            )));
        }
        let key = DataDir::open(&settings.data_dir)?.key()?;
        if let Some(path) = absent {
            // SQLite would make a file that others can read.
            private(path)?;
        }
        let db = Db::open(&address(&settings.database)).await?;
        recognize(&db, key.check()?).await?;
        let site = Arc::new(site(settings, &key)?);
        Ok(Self { db, key, site })
    }

    /// Changes something in one transaction, on behalf of nobody: whoever runs the service.
    pub async fn write<R, F>(&self, mut work: F) -> Result<R>
    where
        R: Send + 'static,
        F: FnMut(&mut Cx<'_, '_>) -> Result<R> + Send + 'static,
    {
        let site = Arc::clone(&self.site);
        let request_id = format!("cli-{:016x}", u64::from_le_bytes(clock::random()?));
        let now = Clock::System.now();
        let links = Links { origin: String::new(), api: String::new() };
        self.db
            .write(move |tx| {
                let caller = Caller::default();
                let page = Page { number: 1, per_page: 100 };
                let (links, request_id, site) = (&links, request_id.as_str(), site.as_ref());
                let repository_record = false;
                work(&mut Cx {
                    tx,
                    caller: &caller,
                    peer: LOCAL,
                    now: Now::new(now),
                    links,
                    page,
                    repository_record,
                    request_id,
                    site,
                })
            })
            .await
    }
}

fn address(database: &Database) -> Address {
    match database {
        Database::Sqlite(path) => Address::Sqlite(path.clone()),
        Database::Postgres(url) => Address::Postgres(url.clone()),
    }
}

/// The file that the database is to have and has not yet; one that cannot be looked at is no such file.
fn absent_file(database: &Database) -> Option<&Path> {
    match database {
        Database::Sqlite(path) if matches!(path.try_exists(), Ok(false)) => Some(path),
        _ => None,
    }
}

/// What rules and answers depend on, by the settings.
pub fn site(settings: &Settings, key: &Key) -> Result<Site> {
    Ok(Site {
        partial_team_update: settings.partial_team_update,
        invitation_seconds: i64::from(settings.invitation_days) * 24 * 60 * 60,
        token_prefix: settings.token_prefix.clone(),
        audit_key: key.audit()?,
        derived: Cache::default(),
        pace: Pace { per_minute: settings.abuse_limit.per_minute, per_hour: settings.abuse_limit.per_hour },
        guesses: Limiter::of_persons(GUESSES_PER_MINUTE),
        limiter: settings.rate_limit.map(|l| Limiter::new(l.per_hour, l.anonymous_per_hour, ADDRESSES)),
    })
}

/// Refuses a key that is not the one with which the database was begun: the audit would not fit together.
async fn recognize(db: &Db, check: String) -> Result<()> {
    let mut known = db.read(known_key).await?;
    if known.is_none() {
        let check = check.clone();
        let remembered = db.write(move |tx| {
            tx.run(REMEMBER, &[&check])?;
            known_key(tx)
        });
        known = remembered.await?;
    }
    if known == Some(check) {
        return Ok(());
    }
    Err(Error::Unavailable(
        "the database was begun with another key file: put the copy of its `guildhall.key` back into the data \
         directory (every node needs the same one). If it is lost, delete the row `key_check` from the table `site`; \
         what the audit holds until then can no longer be verified"
            .into(),
    ))
}

fn known_key(tx: &mut Tx) -> Result<Option<String>> {
    let row: Option<(String,)> = tx.maybe("SELECT value FROM site WHERE name = 'key_check'", &[])?;
    Ok(row.map(|(value,)| value))
}

const REMEMBER: &str = "
    INSERT INTO site (name, value) VALUES ('key_check', $1)
    ON CONFLICT (name) DO NOTHING";
