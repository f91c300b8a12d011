//! Settings: a flag, otherwise the environment, otherwise the TOML file, otherwise the default (decision 43).
//!
//! `a.b_c` in the file is `--a-b-c` and `GUILDHALL_A_B_C`; the names are in `table.rs`. Every value is validated before
//! anything starts, whatever command it is for.

mod file;
mod mail;
mod signin;
mod table;
mod urls;
mod value;

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use ipnet::IpNet;

use value::{
    connections, count, creators, database, days, in_memory, log_format, mebibytes, network_list, parsed, path, prefix,
    seconds, signup, url, version,
};

pub use mail::{Dkim, Mail, Security, Smtp};
pub use signin::{Oidc, Signin};
pub use table::{SETTINGS, Setting};
pub use urls::here;

/// Domains of e-mail addresses; none for all of them.
pub type Domains = Option<Vec<String>>;

/// All settings, validated.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The IP address and port to listen on.
    pub listen: SocketAddr,
    /// The directory of the embedded database, the key file and the first token.
    pub data_dir: PathBuf,
    /// The place where the data is stored.
    pub database: Database,
    /// The settings of PostgreSQL.
    pub postgres: Postgres,
    /// The base of URLs outside of responses, such as in e-mails.
    pub public_url: Option<String>,
    /// The proxies whose forwarded headers are trusted.
    pub trusted_proxies: Vec<IpNet>,
    /// The number of connections that one IP address may have; unless set, a quarter of all.
    pub connections_per_address: Option<u32>,
    /// HTTPS, when it is configured.
    pub tls: Option<Tls>,
    /// The format of the log.
    pub log_format: LogFormat,
    /// The least severe level that is logged.
    pub log_level: tracing::Level,
    /// The IP address and port of the metrics, if they are served.
    pub metrics_listen: Option<SocketAddr>,
    /// The primary limit, unless it is switched off.
    pub rate_limit: Option<RateLimit>,
    /// The limit on what a person may create.
    pub abuse_limit: AbuseLimit,
    /// The memory that requests may hold.
    pub memory: Memory,
    /// The ways in which people may sign in.
    pub signin: Signin,
    /// True if a first start makes a link that sets up the installation (decision 71).
    pub setup_link: bool,
    /// The domains at which an e-mail address makes an account for a person who was not invited.
    pub signup_domains: Domains,
    /// The people who may create an organization (decision 71).
    pub creators: Creators,
    /// True if applications need the approval of the owners of a new organization. Only the server for tests is without.
    pub applications_need_approval: bool,
    /// Days until an invitation expires.
    pub invitation_days: u32,
    /// The retention of recorded data.
    pub retention: Retention,
    /// The retries of failed deliveries.
    pub deliveries: Deliveries,
    /// True if an update of a team may leave out its name (decision 8).
    pub partial_team_update: bool,
    /// The version of GitHub Enterprise Server that `/meta` names (decision 57).
    pub enterprise_version: Option<String>,
    /// The prefix of a new token.
    pub token_prefix: String,
    /// The settings of e-mail.
    pub mail: Mail,
    /// The permissions of webhooks.
    pub webhooks: Webhooks,
}

/// The place where the data is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Database {
    /// In a file.
    Sqlite(PathBuf),
    /// On a server, by its URL.
    Postgres(String),
}

/// The settings of PostgreSQL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Postgres {
    /// Connections that serve requests.
    pub connections: usize,
    /// True if reads are served from memory while nothing has changed.
    pub shared_reads: bool,
}

/// The people who may create an organization.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Creators {
    /// Site administrators.
    Administrators,
    /// Everyone who has an account.
    Everyone,
}

/// The files of a certificate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tls {
    /// The certificate chain.
    pub certificate: PathBuf,
    /// Its private key.
    pub key: PathBuf,
}

impl Tls {
    /// The certificate chain and the private key.
    #[must_use]
    pub fn files(&self) -> (&Path, &Path) {
        (&self.certificate, &self.key)
    }
}

/// The format of the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogFormat {
    /// Lines for people.
    Text,
    /// A JSON object per line, for programs.
    Json,
}

/// Requests per hour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RateLimit {
    /// For a person.
    pub per_hour: u32,
    /// For an IP address without a token.
    pub anonymous_per_hour: u32,
}

/// The number of posts, comments and invitations together that a person may create or edit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AbuseLimit {
    /// Per minute.
    pub per_minute: u32,
    /// Per hour.
    pub per_hour: u32,
}

/// The memory that requests may hold, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Memory {
    /// Bodies and responses of all requests.
    pub in_flight: usize,
    /// The part of it for bodies.
    pub bodies: usize,
    /// The responses to one client.
    pub per_client: usize,
}

/// The number of days for which recorded data is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retention {
    /// Entries of the audit log, and with them of the journals.
    pub audit_days: u32,
    /// The facts in these entries, from which events for receivers are made.
    pub facts_days: u32,
    /// Events that were sent, with their deliveries.
    pub deliveries_days: u32,
    /// Deliveries that were given up.
    pub dead_letters_days: u32,
}

/// The retries of failed deliveries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deliveries {
    /// The delay after the first failure, in seconds.
    pub retry_seconds: u32,
    /// The number of days for which they are retried.
    pub retry_days: u32,
}

/// The permissions of webhooks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Webhooks {
    /// Networks that they may reach although they are not public.
    pub allow: Vec<IpNet>,
    /// True if they may skip the verification of certificates.
    pub insecure_ssl: bool,
}

/// The values that were set, and where, before they are validated.
#[derive(Debug, Default)]
pub struct Given(BTreeMap<&'static str, Value>);

#[derive(Debug)]
struct Value {
    text: String,
    /// The place in messages: `--listen`, `GUILDHALL_LISTEN`, `guildhall.toml:3: listen`.
    place: String,
}

impl Given {
    /// Collects the settings: flags take precedence over the environment, and the environment over the file. An empty
    /// variable counts as not set.
    pub fn collect(
        flags: impl Fn(&Setting) -> Option<String>,
        environment: impl Fn(&str) -> Option<String>,
        file: Option<&Path>,
    ) -> Result<Self, String> {
        let mut given = Self::default();
        if let Some(path) = file {
            let content = std::fs::read_to_string(path)
                .map_err(|error| format!("cannot read the settings file {}: {error}", path.display()))?;
            given.add_file(&path.display().to_string(), &content)?;
        }
        for setting in SETTINGS {
            let variable = setting.variable();
            if let Some(text) = flags(setting) {
                given.0.insert(setting.name, Value { text, place: format!("--{}", setting.flag()) });
            } else if let Some(text) = environment(&variable).filter(|text| !text.is_empty()) {
                given.0.insert(setting.name, Value { text, place: variable });
            }
        }
        Ok(given)
    }

    fn add_file(&mut self, file: &str, content: &str) -> Result<(), String> {
        for found in file::read(file, content)? {
            let place = format!("{file}:{}: {}", found.line, found.name);
            self.0.insert(found.name, Value { text: found.text, place });
        }
        Ok(())
    }

    /// The same with another default for one setting.
    #[must_use]
    pub fn or(mut self, name: &'static str, default: &str) -> Self {
        self.0.entry(name).or_insert_with(|| Value { text: default.to_owned(), place: name.to_owned() });
        self
    }

    /// Validates what was set and adds the defaults.
    pub fn settings(&self) -> Result<Settings, String> {
        const SOCKET: &str = "an IP address and a port, such as 127.0.0.1:8420 or [::]:443";
        const BOOLEAN: &str = "true or false";
        const COUNT: &str = "a whole number from 1 to 4294967295";
        const SECONDS: &str = "a whole number from 1 to 3600";
        const DAYS: &str = "a whole number from 1 to 3650";
        let data_dir = self.required("data_dir", "a directory", path)?;
        let limit = RateLimit {
            per_hour: self.required("rate_limit.per_hour", COUNT, count)?,
            anonymous_per_hour: self.required("rate_limit.anonymous_per_hour", COUNT, count)?,
        };
        let prefixes = "2 to 20 letters, digits and underscores, ending in an underscore";
        let networks = "IP addresses and networks such as 10.0.0.0/8 or 2001:db8::/32, separated by commas";
        let (formats, signups) = ("text or json", "invited, anyone, or domains such as example.org");
        Ok(Settings {
            listen: self.required("listen", SOCKET, parsed)?,
            database: self.database()?.unwrap_or_else(|| Database::Sqlite(data_dir.join("guildhall.db"))),
            data_dir,
            postgres: Postgres {
                connections: self.required("postgres.connections", "a whole number from 2 to 500", connections)?,
                shared_reads: self.required("postgres.shared_reads", BOOLEAN, parsed)?,
            },
            public_url: self.optional("public_url", "a URL such as https://teams.example.org", url)?,
            trusted_proxies: self.optional("trusted_proxies", networks, network_list)?.unwrap_or_default(),
            connections_per_address: self.optional("http.connections_per_address", COUNT, count)?,
            tls: self.tls()?,
            log_format: self.required("log.format", formats, log_format)?,
            log_level: self.required("log.level", "error, warn, info, debug or trace", parsed)?,
            metrics_listen: self.optional("metrics.listen", SOCKET, parsed)?,
            rate_limit: self.required("rate_limit.enabled", BOOLEAN, parsed::<bool>)?.then_some(limit),
            abuse_limit: AbuseLimit {
                per_minute: self.required("abuse_limit.per_minute", COUNT, count)?,
                per_hour: self.required("abuse_limit.per_hour", COUNT, count)?,
            },
            memory: self.memory()?,
            signin: self.signin()?,
            setup_link: self.required("setup.link", BOOLEAN, parsed)?,
            signup_domains: self.required("signin.signup", signups, signup)?,
            creators: self.required("organizations.create", "administrators or everyone", creators)?,
            applications_need_approval: true,
            invitation_days: self.required("invitations.expire_days", DAYS, days)?,
            retention: Retention {
                audit_days: self.required("audit.retention_days", DAYS, days)?,
                facts_days: self.required("retention.facts_days", DAYS, days)?,
                deliveries_days: self.required("retention.deliveries_days", DAYS, days)?,
                dead_letters_days: self.required("retention.dead_letters_days", DAYS, days)?,
            },
            deliveries: Deliveries {
                retry_seconds: self.required("deliveries.retry_seconds", SECONDS, seconds)?,
                retry_days: self.required("deliveries.retry_days", DAYS, days)?,
            },
            partial_team_update: self.required("compat.partial_team_update", BOOLEAN, parsed)?,
            enterprise_version: self.optional("compat.enterprise_version", "three numbers, such as 3.14.0", version)?,
            token_prefix: self.required("tokens.prefix", prefixes, prefix)?,
            mail: self.mail()?,
            webhooks: Webhooks {
                allow: self.optional("webhooks.allow", networks, network_list)?.unwrap_or_default(),
                insecure_ssl: self.required("webhooks.insecure_ssl", BOOLEAN, parsed)?,
            },
        })
    }

    fn database(&self) -> Result<Option<Database>, String> {
        const ALLOWED: &str = "sqlite:PATH or postgres://USER:PASSWORD@HOST/NAME";
        match self.0.get("database") {
            Some(Value { text, place }) if in_memory(text) => Err(format!(
                "{place}: `{text}` is an in-memory database, which Guildhall does not support; name a file, such as \
                 sqlite:/var/lib/guildhall/guildhall.db"
            )),
            _ => self.optional("database", ALLOWED, database),
        }
    }

    fn memory(&self) -> Result<Memory, String> {
        const SIZE: &str = "a whole number of MiB from 1 to 1048576";
        let memory = Memory {
            in_flight: self.required("memory.in_flight_mib", SIZE, mebibytes)?,
            bodies: self.required("memory.bodies_mib", SIZE, mebibytes)?,
            per_client: self.required("memory.per_client_mib", SIZE, mebibytes)?,
        };
        if memory.bodies.max(memory.per_client) > memory.in_flight {
            return Err(
                "`memory.in_flight_mib` is the sum of all; set it at least as high as `memory.bodies_mib` and \
                        `memory.per_client_mib`"
                    .to_owned(),
            );
        }
        Ok(memory)
    }

    fn tls(&self) -> Result<Option<Tls>, String> {
        let certificate = self.optional("tls.certificate", "a file", path)?;
        match (certificate, self.optional("tls.key", "a file", path)?) {
            (Some(certificate), Some(key)) => Ok(Some(Tls { certificate, key })),
            (None, None) => Ok(None),
            (Some(_), None) => Err("`tls.certificate` is set, but `tls.key` is not; set both or neither".to_owned()),
            (None, Some(_)) => Err("`tls.key` is set, but `tls.certificate` is not; set both or neither".to_owned()),
        }
    }

    fn required<T>(&self, name: &str, allowed: &str, read: impl Fn(&str) -> Option<T>) -> Result<T, String> {
        let default = table::find(name).and_then(|setting| setting.default);
        match self.optional(name, allowed, &read)? {
            Some(value) => Ok(value),
            None => default.and_then(read).ok_or_else(|| format!("`{name}` has no value; use {allowed}")),
        }
    }

    fn optional<T>(&self, name: &str, allowed: &str, read: impl Fn(&str) -> Option<T>) -> Result<Option<T>, String> {
        let Some(value) = self.0.get(name) else { return Ok(None) };
        let refused = || match name {
            // They may contain a password.
            "database" | "smtp.url" => format!("{}: invalid value; use {allowed}", value.place),
            _ => format!("{}: `{}` is not allowed; use {allowed}", value.place, value.text),
        };
        read(value.text.trim()).map(Some).ok_or_else(refused)
    }
}

#[cfg(test)]
mod tests;
