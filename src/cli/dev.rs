//! `guildhall dev`: its arguments and settings.

use std::path::PathBuf;
use std::sync::Arc;

use hyper::header::HeaderValue;
use tracing::Level;

use super::serve::{self, Sockets};
use super::settings::{DevFlags, chosen_token};
use super::{Failure, answer, logging};
use crate::clock::Time;
use crate::config::{Database, Settings};
use crate::dev::current::Current;
use crate::dev::gate::Gate;
use crate::dev::generation::Plan;
use crate::dev::guard::{self, Guard};
use crate::dev::plant;
use crate::dev::root::Root;
use crate::http::connection_limit::{ConnectionLimit, Limits};
use crate::import::seed::{self, Seed};

/// The token of the site administrator unless `GUILDHALL_ADMIN_TOKEN` has another.
const ADMINISTRATOR: &str = "guildhall-dev-site-admin";

/// Webhooks may also be sent to these networks, where the tests are.
const RECEIVERS: [&str; 2] = ["127.0.0.0/8", "::1/128"];

const EXAMPLES: &str = "\
The seed is a file for `guildhall import` (peribolos YAML) with more keys at its top:
  tokens:  {my-token: {login: olivia, scopes: [repo, \"admin:org\"]}}   (8 to 255 ASCII characters)
  users:   {olivia: {name: Olivia, email: olivia@example.com, site_admin: true}}
  now:     2026-01-01T00:00:00Z   the time at which the clock starts (this one by default)
  frozen:  true                   whether the clock starts frozen
There is always a site administrator with the token guildhall-dev-site-admin.

Send JSON with Content-Type: application/json. GET /_guildhall lists these paths:
  POST /_guildhall/reset       go back to the seed, with the same IDs, times, tokens and request IDs
  POST /_guildhall/clock       {\"advance\":\"8d\"}, {\"now\":\"2030-01-01T00:00:00Z\"}, {\"frozen\":true}
  PUT  /_guildhall/faults      {\"faults\":[{\"operation\":\"teams.list\",\"name\":\"bad_gateway\"}]}
                               keys: operation, or path (such as /orgs/*/teams) and method; name,
                               status, headers, body, delay_ms, count, probability, seed
                               names: rate_limited, secondary_rate_limit, bad_gateway, timeout,
                               drop, slow
  GET  /_guildhall/requests    the last 10,000 requests
  GET  /_guildhall/deliveries  what was sent to webhooks; IP addresses of loopback are allowed
  GET  /_guildhall/mail        the e-mails

The data is in memory, or in the empty directory of --data-dir, and is deleted when the server stops.

Examples:
  guildhall dev
  guildhall dev --seed seed.yaml --listen 127.0.0.1:0
  curl -X POST -H 'Content-Type: application/json' http://127.0.0.1:8420/_guildhall/reset";

/// Start a server for tests: with a seed, reset, clock and faults.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// File with the organizations, people and tokens to begin with.
    #[arg(long, value_name = "FILE")]
    seed: Option<PathBuf>,
    /// Empty directory for the data, which is deleted at the end. Default: the data is in memory.
    #[arg(long, value_name = "DIR")]
    data_dir: Option<PathBuf>,
    /// Allow --listen with an IP address that other machines can reach.
    #[arg(long)]
    allow_remote: bool,
    /// Host name, besides those of loopback, that clients use for the server. Can be given several times.
    #[arg(long, value_name = "HOST")]
    control_host: Vec<String>,
    /// Origin of web pages that may use the API: scheme, host and port. Can be given several times.
    #[arg(long, value_name = "ORIGIN", value_parser = guard::origin)]
    cors_origin: Vec<HeaderValue>,
    #[command(flatten)]
    flags: DevFlags,
}

/// Runs the command.
pub async fn run(args: Args) -> Result<(), Failure> {
    let settings = settings(&args)?;
    let administrator = chosen_token()?.unwrap_or_else(|| ADMINISTRATOR.to_owned());
    let seed = args.seed.as_deref().map_or(Ok(Seed::default()), seed::read);
    let seed = seed.map_err(|fault| Failure::Failed(fault.to_string()))?;
    let _log = logging::start(settings.log_format, settings.log_level);
    let sockets = Sockets::bind(&settings).await?;
    let stop = serve::stopped()?;
    let root = Arc::new(Root::open(args.data_dir.as_deref())?);
    let url = sockets.url()?;
    let start = seed.now.unwrap_or(START);
    let plan = Plan { frozen: seed.frozen, start, url: url.clone(), root, settings };
    plant::plant(&plan.root.seed(&plan.settings), seed, start, administrator).await?;
    let limits = Limits::of_process(plan.settings.connections_per_address, &plan.settings.trusted_proxies);
    let current = Arc::new(Current::begin(plan).await?);
    let gate = Arc::new(Gate::new(Arc::clone(&current), Guard::new(args.control_host, args.cors_origin)));
    answer(&logging::line(Level::INFO, &format!("guildhall listening on {url}")))?;
    sockets.server.run(gate, ConnectionLimit::new(limits, None), stop).await;
    if let Err(error) = current.end().await {
        tracing::warn!(%error, "the server stops without closing its database");
    }
    tracing::info!("stopped");
    Ok(())
}

/// 2026-01-01T00:00:00Z.
const START: Time = Time(1_767_225_600_000_000);

/// The settings, if they are fit for a server that deletes its data.
fn settings(args: &Args) -> Result<Settings, Failure> {
    let given = args.flags.given()?.or("compat.partial_team_update", "true");
    let mut settings = given.settings().map_err(Failure::Usage)?;
    let refused = |text: &str| Err(Failure::Usage(text.to_owned()));
    match &settings.database {
        Database::Postgres(_) => {
            return refused(
                "`guildhall dev` keeps its data in memory and does not use PostgreSQL; leave out `database`",
            );
        }
        Database::Sqlite(path) if *path != settings.data_dir.join("guildhall.db") => {
            return refused("`guildhall dev` has a database of its own; leave out `database`");
        }
        Database::Sqlite(_) => {}
    }
    if !settings.listen.ip().is_loopback() && !args.allow_remote {
        return refused(
            "--listen: other machines could reach this IP address; use one of loopback such as 127.0.0.1, or add \
             --allow-remote",
        );
    }
    if settings.metrics_listen.is_some() {
        return refused("`guildhall dev` has no metrics; leave out `metrics.listen`");
    }
    settings.webhooks.allow.extend(RECEIVERS.iter().filter_map(|network| network.parse::<ipnet::IpNet>().ok()));
    settings.applications_need_approval = false;
    Ok(settings)
}
