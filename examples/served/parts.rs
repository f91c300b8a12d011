//! The settings of a measured server: no limit is ever reached, and every run has the same keys.

use std::path::PathBuf;

use guildhall::clock::Clock;
use guildhall::config::Mail;
use guildhall::dispatch;
use guildhall::doctor::Bounds;
use guildhall::http::assemble::Parts;
use guildhall::instruments::{Checks, Instruments};
use guildhall::limits::creation::CreationLimit;
use guildhall::limits::requests::Limiter;
use guildhall::limits::resources::Limiters;
use guildhall::mail::trial::Trial;
use guildhall::memory::Organizations;
use guildhall::operation::{Compat, Mails, Site};

/// A limit that no run reaches.
const OUT_OF_REACH: u32 = 1_000_000_000;

/// Counts requests, which is part of the work.
pub fn limiters() -> Limiters {
    Limiters::new(OUT_OF_REACH, OUT_OF_REACH, 1)
}

/// The parts of a server besides its database.
pub fn parts(limiters: Option<Limiters>) -> Parts {
    let site = Site {
        compat: Compat::default(),
        invitation_seconds: 604_800,
        token_prefix: "ghp_".into(),
        audit_key: [7; 32],
        etag_key: [7; 192],
        seal_key: [8; 32],
        mail_key: [9; 32],
        signin_by_mail: true,
        signup_domains: Some(Vec::new()),
        mails: Mails::AreFiles,
        everyone_creates_organizations: false,
        applications_need_approval: true,
        provider: None,
        insecure_ssl: false,
        retry_seconds: 3 * 86_400,
        organizations: Organizations::default(),
        limiters,
        creation_limit: CreationLimit { per_minute: OUT_OF_REACH, per_hour: OUT_OF_REACH },
        guesses: Limiter::of_persons(OUT_OF_REACH),
    };
    let instruments = Instruments {
        checks: Checks::new(PathBuf::new(), Bounds::NONE),
        mail: Trial { settings: Mail::default(), folder: PathBuf::new(), origin: String::new() },
        limits: Vec::new(),
    };
    Parts {
        site,
        clock: Clock::System,
        trusted_proxies: Vec::new(),
        public_url: None,
        provider: None,
        instruments,
        metrics: None,
        memory: dispatch::Limits::default(),
    }
}
