//! The settings as flags: generated from the table of `config`, so that no name is written twice.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::{Arg, ArgAction, ArgMatches, Command};

use super::{Failure, owner};
use crate::access::bootstrap;
use crate::config::{Given, SETTINGS, Setting, Settings};
use crate::store::data_dir::DataDir;
use crate::store::{Missing, Store};

const CONFIG: &str = "config";

/// The commands that take flags of settings: all that use the database, `serve`, `dev`, and `status`.
const STORE: u8 = 0;
const SERVE: u8 = 1;
const DEV: u8 = 2;
const STATUS: u8 = 3;

/// Settings that `dev` does not use: its data is its own, and it has no metrics.
const NOT_OF_DEV: [&str; 5] =
    ["data_dir", "database", "postgres.connections", "postgres.shared_reads", "metrics.listen"];

/// Settings that `status` has flags for: where the server listens, and where its data is.
const OF_STATUS: [&str; 6] = ["listen", "tls.certificate", "tls.key", "metrics.listen", "data_dir", "database"];

/// The flags of the settings that one of them uses.
#[derive(Debug, Clone)]
pub struct Flags<const TAKER: u8> {
    config: Option<PathBuf>,
    given: BTreeMap<&'static str, String>,
}

/// Flags of the settings that say where the data is.
pub type StoreFlags = Flags<STORE>;

/// Flags of all settings.
pub type ServeFlags = Flags<SERVE>;

/// Flags of the settings of `dev`.
pub type DevFlags = Flags<DEV>;

/// Flags of the settings of `status`.
pub type StatusFlags = Flags<STATUS>;

impl StoreFlags {
    /// True if no flag names a database.
    pub fn is_empty(&self) -> bool {
        self.config.is_none() && self.given.is_empty()
    }

    /// The database that these flags name, which must exist.
    pub async fn store(&self) -> Result<Store, Failure> {
        Ok(Store::open(&self.settings()?, Missing::Refuse).await?)
    }
}

/// The operator's token for the first site administrator; an unsuitable one is a usage error.
pub fn chosen_token() -> Result<Option<String>, Failure> {
    let chosen = std::env::var("GUILDHALL_ADMIN_TOKEN").ok().filter(|text| !text.is_empty());
    if let Some(text) = &chosen {
        bootstrap::check(text).map_err(|error| Failure::Usage(error.to_string()))?;
    }
    Ok(chosen)
}

impl<const TAKER: u8> Flags<TAKER> {
    /// The settings from these flags, the environment, and the file; a wrong one is a usage error. A command that uses
    /// the database gets them as the owner of the data directory.
    pub fn settings(&self) -> Result<Settings, Failure> {
        let settings = self.given()?.settings().map_err(Failure::Usage)?;
        if TAKER == STORE {
            owner::switch_to_owner(&settings.data_dir)?;
        }
        Ok(settings)
    }

    /// The settings, and the URL of the server on this machine: a running server has told it, unless a flag says where it
    /// listens.
    pub fn with_url(&self) -> Result<(Settings, String), Failure> {
        let settings = self.settings()?;
        let told = if self.given.contains_key("listen") { None } else { DataDir::at(&settings.data_dir).url() };
        let url = told.unwrap_or_else(|| settings.local_url());
        Ok((settings, url))
    }

    /// The settings as they were given, not validated yet.
    pub fn given(&self) -> Result<Given, Failure> {
        let variable = |name: &str| std::env::var(name).ok();
        let config = self.config.clone().or_else(|| variable("GUILDHALL_CONFIG").map(PathBuf::from));
        let config = config.filter(|path| !path.as_os_str().is_empty());
        let given = Given::collect(|setting| self.given.get(setting.name).cloned(), variable, config.as_deref());
        given.map_err(Failure::Usage)
    }

    fn has(setting: &Setting) -> bool {
        match TAKER {
            STORE => setting.store,
            DEV => !NOT_OF_DEV.contains(&setting.name),
            STATUS => OF_STATUS.contains(&setting.name),
            _ => true,
        }
    }
}

impl<const TAKER: u8> clap::Args for Flags<TAKER> {
    fn augment_args(command: Command) -> Command {
        let config = Arg::new(CONFIG)
            .long(CONFIG)
            .value_name("FILE")
            .value_parser(clap::value_parser!(PathBuf))
            .help("Settings file (TOML). There is no default file. [env: GUILDHALL_CONFIG]");
        let command = command.arg(config.help_heading(heading("config")));
        SETTINGS.iter().filter(|setting| Self::has(setting)).fold(command, |command, setting| command.arg(arg(setting)))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

fn arg(setting: &Setting) -> Arg {
    let default = setting.default.map(|default| format!("[default: {default}] ")).unwrap_or_default();
    let help = format!("{} {default}[env: {}] [file: {}]", setting.help, setting.variable(), setting.name);
    let arg = Arg::new(setting.name).long(setting.flag()).value_name(setting.value).action(ArgAction::Set);
    arg.help(help).help_heading(heading(setting.name))
}

/// The heading of a setting in `--help`, by the table of the file in which it is.
fn heading(name: &str) -> &'static str {
    let (table, _) = name.split_once('.').unwrap_or((name, ""));
    match table {
        "config" | "data_dir" | "database" | "postgres" | "audit" | "retention" => "Configuration and data",
        "listen" | "public_url" | "trusted_proxies" | "tls" | "http" => "Network",
        "log" | "metrics" => "Logs and metrics",
        "memory" | "rate_limit" | "abuse_limit" => "Limits",
        "webhooks" | "deliveries" => "Webhooks",
        "smtp" | "mail" => "Mail",
        "signin" | "setup" => "Signing in",
        "organizations" | "invitations" | "compat" | "tokens" => "Teams, invitations and tokens",
        _ => "Other settings",
    }
}

impl<const TAKER: u8> clap::FromArgMatches for Flags<TAKER> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let text = |name| matches.get_one::<String>(name).cloned();
        let settings = SETTINGS.iter().filter(|setting| Self::has(setting));
        Ok(Self {
            config: matches.get_one::<PathBuf>(CONFIG).cloned(),
            given: settings.filter_map(|setting| Some((setting.name, text(setting.name)?))).collect(),
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
