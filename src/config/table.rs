//! The table of settings: one row each, from which flags, variables, keys of the file and help are read off.

/// A setting.
#[derive(Debug, Clone, Copy)]
pub struct Setting {
    /// Its key in the file.
    pub name: &'static str,
    /// What stands for its value in help.
    pub value: &'static str,
    /// What it is when nobody sets it; none where that means "off" or depends on others.
    pub default: Option<&'static str>,
    /// A sentence for the operator.
    pub help: &'static str,
    /// Whether every command that touches the database has a flag for it, or only `serve`.
    pub store: bool,
}

impl Setting {
    /// The name of its flag, without the dashes in front: `a-b-c` for `a.b_c`.
    #[must_use]
    pub fn flag(&self) -> String {
        self.name.replace(['.', '_'], "-")
    }

    /// The name of its environment variable: `GUILDHALL_A_B_C` for `a.b_c`.
    #[must_use]
    pub fn variable(&self) -> String {
        format!("GUILDHALL_{}", self.name.replace('.', "_").to_ascii_uppercase())
    }
}

/// The setting of this name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Setting> {
    SETTINGS.iter().find(|setting| setting.name == name)
}

/// The name that is most like this one.
#[must_use]
pub fn nearest(name: &str) -> &'static str {
    let likeness = |setting: &&Setting| strsim::normalized_damerau_levenshtein(name, setting.name);
    let nearest = SETTINGS.iter().max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
    nearest.map_or("listen", |setting| setting.name)
}

const fn setting(
    name: &'static str,
    value: &'static str,
    default: Option<&'static str>,
    help: &'static str,
) -> Setting {
    Setting { name, value, default, help, store: false }
}

const fn store(name: &'static str, value: &'static str, default: Option<&'static str>, help: &'static str) -> Setting {
    Setting { name, value, default, help, store: true }
}

/// Every setting.
#[rustfmt::skip]
pub const SETTINGS: &[Setting] = &[
    setting("listen", "ADDRESS", Some("127.0.0.1:8420"),
        "Address and port to listen on; port 0 takes any free one."),
    store("data_dir", "FOLDER", Some("./guildhall-data"),
        "Folder for the embedded database, the key file and the first token."),
    store("database", "ADDRESS", None,
        "Where the data is: sqlite:PATH or postgres://USER:PASSWORD@HOST/NAME. Unless set, the file guildhall.db in \
         the data directory."),
    setting("public_url", "URL", None,
        "Base address in what leaves the service by other ways than answers. Unless set, the listening address."),
    setting("trusted_proxies", "NETWORKS", None,
        "Networks of proxies whose forwarded headers are believed, such as 10.0.0.0/8, separated by commas. Unless \
         set, none."),
    setting("tls.certificate", "FILE", None,
        "Certificate chain (PEM). With tls.key, callers are served by HTTPS."),
    setting("tls.key", "FILE", None,
        "Private key of the certificate (PEM)."),
    setting("log.format", "FORMAT", Some("text"),
        "How the log is written: text or json."),
    setting("log.level", "LEVEL", Some("info"),
        "How much is logged: error, warn, info, debug or trace."),
    setting("metrics.listen", "ADDRESS", None,
        "Address and port of its own for metrics in the Prometheus format, at /metrics. Unless set, off."),
    setting("rate_limit.enabled", "BOOLEAN", Some("true"),
        "Whether the calls of each person and address are limited."),
    setting("rate_limit.per_hour", "COUNT", Some("5000"),
        "Calls of a person in an hour."),
    setting("rate_limit.anonymous_per_hour", "COUNT", Some("60"),
        "Calls of an address without a token in an hour."),
    setting("abuse_limit.per_minute", "COUNT", Some("80"),
        "Posts, comments and invitations together that a person may create in a minute."),
    setting("abuse_limit.per_hour", "COUNT", Some("500"),
        "The same in an hour."),
    setting("invitations.expire_days", "DAYS", Some("7"),
        "Days until an invitation expires."),
    setting("compat.partial_team_update", "BOOLEAN", Some("false"),
        "Whether an update of a team may leave out its name."),
    setting("tokens.prefix", "TEXT", Some("ghp_"),
        "What the text of a new token begins with."),
];
