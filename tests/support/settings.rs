//! The settings of a world of the tests.

use std::time::Duration;

use guildhall::config::{self, Creators};
use guildhall::db::Options;
use guildhall::dispatch;
use guildhall::doctor::Bounds;
use guildhall::http::timeouts;
use guildhall::mail;
use guildhall::operation::{Compat, IdentityProvider};

use super::database;

/// The differences of a world from the usual one.
pub struct Settings {
    pub compat: Compat,
    pub limits: Option<(u32, u32)>,
    /// The number of things that a person may create in a minute and in an hour.
    pub creation_limit: (u32, u32),
    pub trusted_proxies: Vec<&'static str>,
    pub public_url: Option<&'static str>,
    /// The number of connections that there may be, in all and from an IP address outside `trusted_proxies`.
    pub connections: Option<(usize, usize)>,
    /// The times for which its clients may be silent.
    pub timeouts: timeouts::Limits,
    /// The time that an invitation is open, in seconds.
    pub invitation_seconds: i64,
    pub signin_by_mail: bool,
    pub signup_domains: Option<Vec<String>>,
    pub creators: Creators,
    /// The identity provider at which people may sign in.
    pub provider: Option<IdentityProvider>,
    /// True if webhooks may skip the verification of certificates.
    pub insecure_ssl: bool,
    /// The memory that requests may hold.
    pub memory: dispatch::Limits,
    /// True if a worker delivers to webhooks on this machine.
    pub delivers: bool,
    /// The mail server of that worker; without one, mails are files.
    pub smtp: Option<config::Smtp>,
    /// The timeouts of that mail server.
    pub mail_timeouts: mail::Timeouts,
    /// The interval at which that worker looks for what other processes have committed.
    pub poll: Duration,
    /// The options of the store.
    pub store: Options,
    /// The bounds of the checks of its pages.
    pub checks: Bounds,
}

impl Default for Settings {
    fn default() -> Self {
        let (limits, creation_limit) = (Some((1_000_000, 1_000_000)), (1_000_000, 1_000_000));
        Self {
            compat: Compat::default(),
            limits,
            creation_limit,
            trusted_proxies: Vec::new(),
            public_url: None,
            connections: None,
            timeouts: timeouts::LIMITS,
            invitation_seconds: 7 * 86_400,
            signin_by_mail: true,
            signup_domains: Some(Vec::new()),
            creators: Creators::Administrators,
            provider: None,
            insecure_ssl: false,
            memory: dispatch::Limits::default(),
            delivers: false,
            smtp: None,
            mail_timeouts: mail::TIMEOUTS,
            poll: Duration::from_millis(20),
            store: database::options(),
            checks: Bounds::NONE,
        }
    }
}
