//! Deliveries and related tasks while a server runs (decisions 26, 44, 45 and 46).

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::clock::Time;
use crate::config::Settings;
use crate::db::{Db, Tx};
use crate::deliver::mailing::Mailing;
use crate::deliver::measured::Measured;
use crate::deliver::steps::Steps;
use crate::deliver::worker::{self, Parts};
use crate::deliver::{Channels, Node, Retry};
use crate::dispatch::Service;
use crate::error::Result;
use crate::hooks;
use crate::hooks::plan::Rendering;
use crate::journal::{Author, cursors};
use crate::letters::{self, Composing};
use crate::links::Links;
use crate::mail::{self, Mailer};
use crate::members::ends;
use crate::sender::{Rules, Sender};
use crate::store::data_dir::DataDir;

/// The interval at which the worker looks for commits of other processes.
const POLL: Duration = Duration::from_secs(1);

/// The interval at which the server looks for webhooks that no delivery reaches, and for invitations and memberships that
/// are due for a reminder.
const LOOK: Duration = Duration::from_mins(1);

/// The interval at which old files of e-mails are deleted.
const SWEEP: Duration = Duration::from_hours(1);

/// A running worker.
pub struct Delivering {
    task: JoinHandle<()>,
    tasks: [JoinHandle<()>; 3],
    stop: watch::Sender<bool>,
}

impl Delivering {
    /// Lets the attempts in progress end, and stores their results.
    pub async fn stop(self) {
        self.tasks.iter().for_each(JoinHandle::abort);
        self.stop.send_replace(true);
        if self.task.await.is_err() {
            tracing::error!("the worker of deliveries panicked");
        }
    }
}

/// Starts the worker of a server. The server's URL is this one, unless the settings name another one.
pub fn start(service: &Arc<Service>, settings: &Settings, url: &str, measured: Measured) -> Result<Delivering> {
    let parts = parts(service, settings, url, measured)?;
    let mailing = Arc::clone(&parts.channels.mailing);
    say_how_mail_is_sent(settings);
    let (stop, stopped) = watch::channel(false);
    let tasks = [
        tokio::spawn(keep_switching_off(Arc::clone(service))),
        tokio::spawn(keep_reminding(Arc::clone(service))),
        tokio::spawn(sweep(Arc::clone(service), mailing)),
    ];
    Ok(Delivering { task: tokio::spawn(worker::run(parts, stopped)), tasks, stop })
}

/// The parts that the worker of a server needs.
pub fn parts(service: &Arc<Service>, settings: &Settings, url: &str, measured: Measured) -> Result<Parts> {
    let timed = Arc::clone(service);
    let now = move || timed.clock_check.check(&timed.clock).map(|()| timed.now());
    Ok(Parts {
        db: service.db.clone().for_deliveries(),
        changed: Arc::clone(&service.changed),
        now: Box::new(now),
        channels: channels(service, settings, url)?,
        key: service.site.audit_key,
        retry: Retry::new(settings.deliveries.retry_seconds, settings.deliveries.retry_days),
        node: Node { name: DataDir::at(&settings.data_dir).node()?, alone: service.db.file().is_some() },
        poll: POLL,
        pause: Duration::MAX,
        steps: Steps::default(),
        measured,
    })
}

fn say_how_mail_is_sent(settings: &Settings) {
    if let Some(smtp) = &settings.mail.smtp {
        tracing::info!("mail is sent through {smtp}");
    } else {
        let folder = settings.data_dir.join("mail/new");
        tracing::info!("mail is saved in {}, because no mail server is set (smtp.url)", folder.display());
    }
}

async fn keep_reminding(service: Arc<Service>) {
    loop {
        remind(&service).await;
        tokio::time::sleep(LOOK).await;
    }
}

/// Reminds people of invitations that are still open, and of memberships that end in a week.
pub async fn remind(service: &Service) {
    let (key, now) = (service.site.audit_key, service.now());
    let due = service.db.read(move |tx| Ok(letters::is_due(tx, now)? || ends::is_announcement_due(tx, now)?)).await;
    let remind = move |tx: &mut Tx<'_>| {
        let author = Author::program(&key, now, "reminders");
        letters::remind(tx, &author).and_then(|()| ends::announce(tx, &author))
    };
    let reminded = match due {
        Ok(true) => service.db.write(remind).await,
        Ok(false) => Ok(()),
        Err(error) => Err(error),
    };
    match reminded {
        Ok(()) => service.changed.notify_one(),
        Err(error) => tracing::debug!(%error, "cannot look for invitations and memberships that a reminder is due for"),
    }
}

/// Deletes old files of e-mails.
async fn sweep(service: Arc<Service>, mailing: Arc<Mailing>) {
    loop {
        mailing.mailer.sweep(service.now()).await;
        tokio::time::sleep(SWEEP).await;
    }
}

async fn keep_switching_off(service: Arc<Service>) {
    loop {
        tokio::time::sleep(LOOK).await;
        switch_off_failing(&service).await;
    }
}

/// Switches off webhooks that no delivery has reached for days (decision 44).
pub async fn switch_off_failing(service: &Service) {
    let (key, now) = (service.site.audit_key, service.now());
    let failing =
        service.db.write(move |tx| hooks::switch_off_failing(tx, &Author::program(&key, now, "deliveries"))).await;
    match failing {
        Ok(failing) => failing.iter().for_each(|hook| {
            tracing::warn!(
                org = hook.org_id,
                hook = hook.id,
                "switched off a webhook: no delivery got through for 3 days"
            );
        }),
        Err(error) => tracing::debug!(%error, "cannot look for failing webhooks"),
    }
}

/// Follows every journal and records that deliveries have begun on this store. At the first start, it says that nothing
/// older is delivered.
pub async fn begin(db: &Db, now: Time) -> Result<()> {
    let begins = db.write(move |tx| {
        cursors::follow_all(tx)?;
        let begun = tx.run(BEGIN, &[&now.to_string()])? == 0;
        Ok(!begun && tx.any("SELECT 1 FROM journal_heads WHERE org_id <> 0 AND entry > 0 LIMIT 1", &[])?)
    });
    if begins.await? {
        tracing::info!("deliveries begin after the newest entries of the journals; earlier changes are not delivered");
    }
    Ok(())
}

const BEGIN: &str = "
    INSERT INTO site (name, value) VALUES ('deliveries_began', $1)
    ON CONFLICT (name) DO NOTHING";

fn channels(service: &Service, settings: &Settings, url: &str) -> Result<Channels> {
    let guessed = settings.public_url.is_none();
    let url = settings.public_url.as_deref().unwrap_or(url);
    let host = url.split('/').nth(2).unwrap_or_default().to_owned();
    let (allow, insecure_ssl) = (settings.webhooks.allow.clone(), settings.webhooks.insecure_ssl);
    let links = Links { origin: url.to_owned(), api: url.to_owned() };
    let mailing = Mailing {
        db: service.db.clone().for_deliveries(),
        composing: Composing { links: links.clone(), key: service.site.mail_key },
        mailer: Mailer::new(&settings.mail, settings.data_dir.join("mail"), url, mail::TIMEOUTS)?,
    };
    Ok(Channels {
        sender: Arc::new(Sender::new(Rules { allow, insecure_ssl, host })?),
        seal_key: service.site.seal_key,
        rendering: Arc::new(Rendering { links, guessed }),
        mailing: Arc::new(mailing),
    })
}
