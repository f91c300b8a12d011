//! The settings as flags: read off the table of `config`, so that no name is written twice.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::{Arg, ArgAction, ArgMatches, Command};

use super::Failure;
use crate::config::{Given, SETTINGS, Setting, Settings};

const CONFIG: &str = "config";

/// The flags of `serve`, or those that every command takes which touches the database.
#[derive(Debug, Clone)]
pub struct Flags<const SERVE: bool> {
    config: Option<PathBuf>,
    given: BTreeMap<&'static str, String>,
}

/// Flags of the settings that say where the data is.
pub type StoreFlags = Flags<false>;

/// Flags of all settings.
pub type ServeFlags = Flags<true>;

impl<const SERVE: bool> Flags<SERVE> {
    /// The settings by these flags, the environment, and the file; a wrong one is wrong usage.
    pub fn settings(&self) -> Result<Settings, Failure> {
        let variable = |name: &str| std::env::var(name).ok();
        let config = self.config.clone().or_else(|| variable("GUILDHALL_CONFIG").map(PathBuf::from));
        let config = config.filter(|path| !path.as_os_str().is_empty());
        let given = Given::collect(|setting| self.given.get(setting.name).cloned(), variable, config.as_deref());
        given.and_then(|given| given.settings()).map_err(Failure::Usage)
    }

    fn has(setting: &Setting) -> bool {
        SERVE || setting.store
    }
}

impl<const SERVE: bool> clap::Args for Flags<SERVE> {
    fn augment_args(command: Command) -> Command {
        let config = Arg::new(CONFIG)
            .long(CONFIG)
            .value_name("FILE")
            .value_parser(clap::value_parser!(PathBuf))
            .help("Settings file (TOML); only the one that is named is read [env: GUILDHALL_CONFIG]");
        let command = command.next_help_heading("Settings").arg(config);
        SETTINGS.iter().filter(|setting| Self::has(setting)).fold(command, |command, setting| command.arg(arg(setting)))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

fn arg(setting: &Setting) -> Arg {
    let default = setting.default.map(|default| format!("[default: {default}] ")).unwrap_or_default();
    let help = format!("{} {default}[env: {}] [file: {}]", setting.help, setting.variable(), setting.name);
    Arg::new(setting.name).long(setting.flag()).value_name(setting.value).action(ArgAction::Set).help(help)
}

impl<const SERVE: bool> clap::FromArgMatches for Flags<SERVE> {
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
