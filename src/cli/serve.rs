//! `guildhall serve`: the service, from its settings to its last request.

use std::io::IsTerminal;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::signal::unix::{SignalKind, signal};

use super::data_dir::DataDir;
use super::settings::ServeFlags;
use super::store::{Missing, Store, site};
use super::{Failure, answer, logging, say};
use crate::access::{bootstrap, token};
use crate::clock::Clock;
use crate::config::{Settings, Tls};
use crate::dispatch::Service;
use crate::http::assemble::{self, Parts};
use crate::http::edge::Edge;
use crate::http::metrics::Metrics;
use crate::http::server::{MetricsServer, Server};

/// How often it is written down when tokens were last used (decision 41).
const LAST_USE_EVERY: Duration = Duration::from_mins(1);

const EXAMPLES: &str = "\
A setting comes from its flag, else from the environment, else from the file, else it has its default.
The names are the same everywhere: a.b_c in the file is --a-b-c and GUILDHALL_A_B_C.
GUILDHALL_ADMIN_TOKEN, which is no setting, is the token of the first site administrator (at least 20
characters). Without it one is made at the first start, and written to admin-token in the data directory.

Ctrl-C or SIGTERM stops the server: requests that have begun are finished, for at most 10 seconds.

Examples:
  guildhall serve
  guildhall serve --listen 0.0.0.0:8420 --data-dir /var/lib/guildhall
  guildhall serve --config /etc/guildhall.toml
  GUILDHALL_DATABASE=postgres://guildhall:secret@db/guildhall guildhall serve";

/// Serve the interface.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    flags: ServeFlags,
}

/// Runs the command.
pub async fn run(args: Args) -> Result<(), Failure> {
    let settings = args.flags.settings()?;
    let chosen = chosen_token()?;
    logging::start(settings.log_format, settings.log_level);
    // First, because a taken port leaves everything as it is.
    let sockets = Sockets::bind(&settings).await?;
    let data_dir = DataDir::open(&settings.data_dir)?;
    let _lock = data_dir.lock()?;
    let store = Store::open(&settings, Missing::Make).await?;
    if let Some((text, path)) = first_administrator(&store, &data_dir, chosen).await? {
        say(&format!("a token of the first site administrator is in {}", path.display()));
        if std::io::stderr().is_terminal() {
            say(&format!("it is {text}"));
        }
    }
    let url = sockets.url()?;
    if settings.public_url.is_none() {
        tracing::warn!("public_url is not set; addresses in what leaves the service by other ways begin with {url}");
    }
    let ready = format!("guildhall listening on {url}");
    serve(sockets, store, &settings, || answer(&ready)).await
}

/// The token that the operator chose for the first site administrator; an unsuitable one is wrong usage.
fn chosen_token() -> Result<Option<String>, Failure> {
    let chosen = std::env::var("GUILDHALL_ADMIN_TOKEN").ok().filter(|text| !text.is_empty());
    if let Some(text) = &chosen {
        bootstrap::check(text).map_err(|error| Failure::Usage(error.to_string()))?;
    }
    Ok(chosen)
}

/// What the server listens on.
pub struct Sockets {
    server: Server,
    tls: bool,
    metrics: Option<MetricsServer>,
}

impl Sockets {
    /// Takes the addresses to listen on.
    pub async fn bind(settings: &Settings) -> Result<Self, Failure> {
        let tls = settings.tls.as_ref().map(|Tls { certificate, key }| (certificate.as_path(), key.as_path()));
        let server = Server::bind(settings.listen, tls).await?;
        let metrics = match settings.metrics_listen {
            Some(address) => Some(MetricsServer::bind(address).await?),
            None => None,
        };
        Ok(Self { server, tls: settings.tls.is_some(), metrics })
    }

    /// The address by which the server is reached from this machine.
    pub fn url(&self) -> Result<String, Failure> {
        let address: SocketAddr = self.server.address()?;
        let scheme = if self.tls { "https" } else { "http" };
        Ok(format!("{scheme}://{address}"))
    }
}

/// Serves until the process is told to stop.
pub async fn serve(
    Sockets { server, metrics, .. }: Sockets,
    store: Store,
    settings: &Settings,
    ready: impl FnOnce() -> Result<(), Failure>,
) -> Result<(), Failure> {
    if let Some(metrics) = &metrics {
        tracing::info!("metrics on http://{}/metrics", metrics.address()?);
    }
    let edge = edge(store, settings, metrics)?;
    let (mut interrupt, mut terminate) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
    let stop = async move {
        tokio::select! {
            _ = interrupt.recv() => {},
            _ = terminate.recv() => {},
        }
        tracing::info!("stopping; requests that have begun are finished");
    };
    let service = Arc::clone(&edge.service);
    let noting = tokio::spawn(note_last_use(Arc::clone(&service)));
    ready()?;
    server.run(edge, stop).await;
    noting.abort();
    write_last_use(&service).await;
    tracing::info!("stopped");
    Ok(())
}

fn edge(store: Store, settings: &Settings, metrics: Option<MetricsServer>) -> Result<Arc<Edge>, Failure> {
    let metrics = metrics.map(|server| {
        let metrics = Arc::<Metrics>::default();
        tokio::spawn(server.run(Arc::clone(&metrics)));
        metrics
    });
    let parts = Parts {
        site: site(settings, &store.key)?,
        clock: Clock::System,
        trusted_proxies: settings.trusted_proxies.clone(),
        etag_key: store.key.etag()?,
        metrics,
    };
    Ok(assemble::edge(store.db, parts)?)
}

/// Sees to it that there is a site administrator (decision 42); a token that was made for them, and its file.
pub async fn first_administrator(
    store: &Store,
    data_dir: &DataDir,
    chosen: Option<String>,
) -> Result<Option<(String, PathBuf)>, Failure> {
    let prefix = store.site.token_prefix.clone();
    let now = Clock::System.now();
    let found = store.db.write(move |tx| bootstrap::ensure(tx, chosen.as_deref(), now, &prefix)).await?;
    let Some(text) = found.minted else { return Ok(None) };
    let path = data_dir.write_admin_token(&text)?;
    Ok(Some((text, path)))
}

async fn note_last_use(service: Arc<Service>) {
    loop {
        tokio::time::sleep(LAST_USE_EVERY).await;
        write_last_use(&service).await;
    }
}

async fn write_last_use(service: &Service) {
    let used = service.used_tokens.take();
    if used.is_empty() {
        return;
    }
    if let Err(error) = service.db.write(move |tx| token::touch(tx, &used)).await {
        tracing::warn!(%error, "it was not written down when tokens were last used");
    }
}
