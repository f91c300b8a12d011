//! `guildhall status`: the server on this machine, and its store.

mod door;
mod site;

use serde_json::json;

use super::settings::StatusFlags;
use super::table::{Column, Output};
use super::{Failure, answer, in_one_line, owner};
use door::Door;

const EXAMPLES: &str = "\
Reads the settings of the server, from its file and its environment, and asks /readyz at metrics.listen if that is set, \
otherwise where the server of the data directory listens, or at listen. The exit code is 0 if the server is ready, and 1 if it is not or does not answer. What is said about \
the store is read from the store itself, also while no server runs. It works on this machine only.

Examples:
  guildhall status
  guildhall status --config /etc/guildhall.toml
  guildhall status --json
  guildhall status --ready --listen 127.0.0.1:8420";

/// Show the server on this machine and its store, and if it is ready.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Print only one line: that the server is ready, or why not. For health checks.
    #[arg(long, conflicts_with = "json")]
    ready: bool,
    #[command(flatten)]
    output: Output,
    #[command(flatten)]
    flags: StatusFlags,
}

const FIELDS: &[Column] = &[
    ("Server", "/server"),
    ("Version", "/version"),
    ("Metrics", "/metrics"),
    ("Public URL", "/public_url"),
    ("Store", "/store/at"),
    ("Size of the store", "/store/size"),
    ("Schema", "/store/schema"),
    ("E-mail", "/mail"),
    ("Deliveries waiting", "/deliveries/waiting"),
    ("Oldest delivery", "/deliveries/oldest"),
    ("Deliveries given up", "/deliveries/dead"),
    ("Last backup", "/backup"),
];

const LIMITS: &[Column] = &[("Limit", "/name"), ("Value", "/value"), ("Unit", "/unit")];

/// Runs the command.
pub async fn run(args: Args) -> Result<(), Failure> {
    let (settings, url) = args.flags.with_url()?;
    let server = Door::at(&url).unwrap_or_else(|| Door::new(settings.listen, settings.tls.is_some()));
    let metrics = settings.metrics_listen.map(|address| Door::new(address, false));
    if args.ready {
        return ready(metrics.as_ref().unwrap_or(&server)).await.and_then(|()| answer("ready"));
    }
    owner::switch_to_owner(&settings.data_dir)?;
    let description = server.get("/openapi.json").await.map(|(_, description)| description).unwrap_or_default();
    let ready = ready(metrics.as_ref().unwrap_or(&server)).await;
    let mut shown = json!({
        "ready": ready.is_ok(),
        "server": server.to_string(),
        "version": description["info"]["version"],
        "metrics": metrics.map(|door| format!("{door}/metrics")),
    });
    site::add(&mut shown, &settings).await;
    if args.output.is_json() {
        args.output.record(&shown, FIELDS)?;
        return ready;
    }
    let shown = site::in_words(shown);
    args.output.record(&shown, FIELDS)?;
    args.output.list(shown["limits"].as_array().map_or(&[], Vec::as_slice), LIMITS, "")?;
    ready.and_then(|()| answer("ready"))
}

async fn ready(door: &Door) -> Result<(), Failure> {
    door.ready().await.map_err(|why| Failure::Failed(format!("not ready: {}", in_one_line(&why))))
}
