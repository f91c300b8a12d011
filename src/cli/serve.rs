//! `guildhall serve`: the service, from its settings to its last request.

use std::io::IsTerminal;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::signal::unix::{SignalKind, signal};
use tracing::Level;

use super::settings::{ServeFlags, chosen_token};
use super::{Failure, allocator, answer, logging, reload, say, setup, systemd};
use crate::access::bootstrap;
use crate::clock::Clock;
use crate::config::{Database, Settings, Tls, here};
use crate::db::Tx;
use crate::deliver::measured::Measured;
use crate::dispatch::Service;
use crate::http::connection_limit::{ConnectionLimit, Limits};
use crate::http::metrics::Metrics;
use crate::http::probes::MetricsServer;
use crate::http::server::Server;
use crate::journal::Author;
use crate::server::{self, delivering, last_use, retention};
use crate::store::data_dir::DataDir;
use crate::store::{Missing, Store};

/// The interval at which the clock is checked against the newest entry of the journal.
const JUDGE_CLOCK_EVERY: Duration = Duration::from_secs(5);

const EXAMPLES: &str = "\
A setting is read from its flag, then from the environment, then from the settings file. Its name is the same \
everywhere: a.b_c in the file is --a-b-c and GUILDHALL_A_B_C. \
The variable GUILDHALL_ADMIN_TOKEN sets the token of the first site administrator (at least 20 characters). \
Without it, the first start creates a token and writes it to admin-token in the data directory, and a link that makes \
the first organization and its owner in the browser, which is in setup-link.

Ctrl-C or SIGTERM stops the server. Open requests get up to 10 seconds to finish. \
SIGHUP makes it read its certificate and log.level again.

Examples:
  guildhall serve
  guildhall serve --listen 0.0.0.0:8420 --data-dir /var/lib/guildhall
  guildhall serve --config /etc/guildhall.toml
  GUILDHALL_DATABASE=postgres://guildhall:secret@db/guildhall guildhall serve";

/// Start the server.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Begin with an empty database although the data directory had one before; for SQLite.
    #[arg(long)]
    new_store: bool,
    #[command(flatten)]
    flags: ServeFlags,
}

/// Runs the command.
pub async fn run(args: Args) -> Result<(), Failure> {
    let settings = args.flags.settings()?;
    settings.check_links().map_err(Failure::Usage)?;
    let chosen = chosen_token()?;
    if args.new_store && matches!(settings.database, Database::Postgres(_)) {
        let text = "--new-store is for SQLite only; an empty PostgreSQL database needs no flag";
        return Err(Failure::Usage(text.into()));
    }
    let _log = logging::start(settings.log_format, settings.log_level);
    // First, because nothing has changed yet if the port is in use.
    let sockets = Sockets::bind(&settings).await?;
    reload::on_hangup(args.flags, sockets.server.certificate().cloned())?;
    let data_dir = DataDir::open(&settings.data_dir)?;
    let lock = data_dir.lock(&settings.database)?;
    lock.note_url(&sockets.url()?)?;
    let missing = if args.new_store { Missing::BeginAnew } else { Missing::Make };
    let store = Store::open(&settings, missing).await?;
    let (is_terminal, is_chosen) = (std::io::stderr().is_terminal(), chosen.is_some());
    if let Some((text, path)) = first_administrator(&store, &data_dir, chosen).await? {
        say(&format!("the token of the first site administrator is in {}", path.display()));
        if is_terminal {
            say(&format!("token: {text}"));
        }
    }
    let url = sockets.url()?;
    let is_allowed = settings.setup_link && !is_chosen;
    let tidying = setup::begin(&store, &data_dir, &settings.links(&url), is_allowed).await?.map(|link| {
        link.say(is_terminal);
        tokio::spawn(link.tidy(store.db.clone(), data_dir))
    });
    let listening = sockets.url_at(sockets.server.address()?);
    let ready = logging::line(Level::INFO, &format!("guildhall listening on {listening}"));
    let report = || {
        systemd::notify(systemd::READY);
        answer(&ready)
    };
    serve(sockets, store, &settings, report).await?;
    if let Some(tidying) = tidying {
        tidying.abort();
    }
    Ok(())
}

/// The sockets that the server listens on.
pub struct Sockets {
    /// The server.
    pub server: Server,
    metrics: Option<MetricsServer>,
}

impl Sockets {
    /// Binds the IP addresses and ports to listen on.
    pub async fn bind(settings: &Settings) -> Result<Self, Failure> {
        let server = Server::bind(settings.listen, settings.tls.as_ref().map(Tls::files)).await?;
        let metrics = match settings.metrics_listen {
            Some(address) => Some(MetricsServer::bind(address).await?),
            None => None,
        };
        Ok(Self { server, metrics })
    }

    /// The URL of the server on this machine.
    pub fn url(&self) -> Result<String, Failure> {
        Ok(self.url_at(here(self.server.address()?)))
    }

    fn url_at(&self, address: SocketAddr) -> String {
        let scheme = if self.server.certificate().is_some() { "https" } else { "http" };
        format!("{scheme}://{address}")
    }
}

/// Serves until the process is stopped.
pub async fn serve(
    sockets: Sockets,
    store: Store,
    settings: &Settings,
    ready: impl FnOnce() -> Result<(), Failure>,
) -> Result<(), Failure> {
    let url = sockets.url()?;
    let Sockets { server, metrics } = sockets;
    if let Some(metrics) = &metrics {
        tracing::info!("serving metrics on http://{}/metrics", metrics.address()?);
    }
    let measured = Measured::default();
    let counted = metrics.is_some().then(|| Metrics::new(&store.db, &measured, Clock::System.now(), logging::dropped));
    let edge = server::edge(store, settings, counted.map(Arc::new), Clock::System)?;
    if let (Some(server), Some(metrics)) = (metrics, &edge.metrics) {
        server.start(Arc::clone(metrics), Arc::clone(&edge.service))?;
    }
    let limits = Limits::of_process(settings.connections_per_address, &settings.trusted_proxies);
    let connections = ConnectionLimit::new(limits, edge.metrics.clone());
    let stop = stopped()?;
    let service = Arc::clone(&edge.service);
    service.check_clock().await?;
    delivering::begin(&service.db, service.now()).await?;
    let judging = tokio::spawn(check_clock(Arc::clone(&service)));
    let noting = tokio::spawn(last_use::keep_storing(Arc::clone(&service)));
    let trimming = tokio::spawn(retention::trim(Arc::clone(&service), settings.retention, retention::SCHEDULE));
    let delivering = delivering::start(&service, settings, &url, measured)?;
    let giving_back = tokio::spawn(allocator::give_back(service.db.clone()));
    ready()?;
    server.run(edge, connections, stop).await;
    delivering.stop().await;
    giving_back.abort();
    trimming.abort();
    noting.abort();
    judging.abort();
    last_use::store(&service).await;
    tracing::info!("stopped");
    Ok(())
}

/// Waits until the process is told to stop.
pub fn stopped() -> Result<impl Future<Output = ()>, Failure> {
    let (mut interrupt, mut terminate) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {},
            _ = terminate.recv() => {},
        }
        systemd::notify(systemd::STOPPING);
        tracing::info!("stopping; finishing open requests (up to 10 s)");
    })
}

/// Ensures that there is a site administrator (decision 42). Returns a new token, if one was created, and its file.
pub async fn first_administrator(
    store: &Store,
    data_dir: &DataDir,
    chosen: Option<String>,
) -> Result<Option<(String, PathBuf)>, Failure> {
    let (site, now) = (Arc::clone(&store.site), Clock::System.now());
    let ensure = move |tx: &mut Tx<'_>| {
        let author = Author::program(&site.audit_key, now, "serve");
        bootstrap::ensure(tx, chosen.as_deref(), &author, &site.token_prefix)
    };
    let found = store.db.write(ensure).await?;
    let Some(text) = found.minted else { return Ok(None) };
    let path = data_dir.write_admin_token(&text)?;
    Ok(Some((text, path)))
}

async fn check_clock(service: Arc<Service>) {
    loop {
        tokio::time::sleep(JUDGE_CLOCK_EVERY).await;
        // While the store cannot be reached, the last result of the check remains valid.
        if let Err(error) = service.check_clock().await {
            tracing::debug!(%error, "the clock could not be checked");
        }
    }
}
