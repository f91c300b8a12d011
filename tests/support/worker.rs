//! The worker of deliveries of a server of the tests.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use guildhall::config;
use guildhall::deliver::mailing::Mailing;
use guildhall::deliver::measured::Measured;
use guildhall::deliver::steps::Steps;
use guildhall::deliver::{Channels, Node, Retry, worker};
use guildhall::hooks::plan::Rendering;
use guildhall::http::edge::Edge;
use guildhall::letters::Composing;
use guildhall::links::Links;
use guildhall::mail::{Mailer, Timeouts};
use guildhall::sender::{Rules, Sender};

/// The manner in which a worker delivers.
pub struct Delivering {
    /// The mail server; without one, mails are files.
    pub smtp: Option<config::Smtp>,
    /// The timeouts of the mail server.
    pub timeouts: Timeouts,
    /// The interval at which the worker looks for what other processes have committed.
    pub poll: Duration,
}

/// A worker that delivers for this server.
pub fn parts(edge: &Edge, base: &str, folder: &Path, how: Delivering) -> worker::Parts {
    let Delivering { smtp, timeouts, poll } = how;
    let service = Arc::clone(&edge.service);
    let rules = Rules { allow: vec!["127.0.0.0/8".parse().expect("a network")], ..Rules::default() };
    let links = Links { origin: base.to_owned(), api: base.to_owned() };
    let mailing = Mailing {
        db: service.db.clone(),
        composing: Composing { links: links.clone(), key: service.site.mail_key },
        mailer: Mailer::new(&config::Mail { smtp, ..config::Mail::default() }, folder.to_owned(), base, timeouts)
            .expect("a mailer"),
    };
    let name = u128::from_le_bytes(guildhall::clock::random().expect("a number")).to_string();
    worker::Parts {
        db: service.db.clone(),
        changed: Arc::clone(&service.changed),
        channels: Channels {
            sender: Arc::new(Sender::new(rules).expect("a sender")),
            seal_key: service.site.seal_key,
            rendering: Arc::new(Rendering { links: links.clone(), guessed: false }),
            mailing: Arc::new(mailing),
        },
        key: service.site.audit_key,
        retry: Retry::new(5, 3),
        node: Node { name, alone: false },
        poll,
        pause: Duration::MAX,
        steps: Steps::default(),
        measured: Measured::default(),
        now: Box::new(move || Ok(service.now())),
    }
}
