//! The table of settings: one row for each, from which flags, variables, keys of the file and help are generated.

/// A setting.
#[derive(Debug, Clone, Copy)]
pub struct Setting {
    /// Its key in the file.
    pub name: &'static str,
    /// The placeholder for its value in help.
    pub value: &'static str,
    /// The value if it is not set; `None` where that means "off" or depends on other settings.
    pub default: Option<&'static str>,
    /// A sentence for the operator.
    pub help: &'static str,
    /// True if every command that uses the database has a flag for it; otherwise only `serve` has one.
    pub store: bool,
}

impl Setting {
    /// The name of its flag, without the leading dashes: `a-b-c` for `a.b_c`.
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

/// The name that is most similar to this one.
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

/// All settings.
#[rustfmt::skip]
pub const SETTINGS: &[Setting] = &[
    setting("listen", "ADDRESS", Some("127.0.0.1:8420"),
        "IP address and port to listen on. Port 0 picks a free port."),
    store("data_dir", "DIR", Some("./guildhall-data"),
        "Directory for the embedded database, the key file and the first token."),
    store("database", "URL", None,
        "Database: sqlite:PATH or postgres://USER:PASSWORD@HOST/NAME. Default: the file guildhall.db in the data \
         directory."),
    setting("postgres.connections", "COUNT", Some("16"),
        "Connections to PostgreSQL that serve requests, 2 to 500. One more proves that reads from memory are fresh."),
    setting("postgres.shared_reads", "BOOLEAN", Some("true"),
        "Serve reads from memory while PostgreSQL proves that nothing has changed. Switch it off behind a connection \
         pooler that shares connections between transactions."),
    setting("public_url", "URL", None,
        "Public URL of this server, used in links it sends. Default: the URL it listens on."),
    setting("trusted_proxies", "NETWORKS", None,
        "IP addresses and networks of proxies whose forwarded headers are trusted, such as 10.0.0.0/8, separated by \
         commas. Default: none."),
    setting("http.connections_per_address", "COUNT", None,
        "Open connections of one IP address, or of one /64 network of IPv6. Loopback and trusted proxies have no limit. \
         Default: a quarter of all connections."),
    setting("tls.certificate", "FILE", None,
        "Certificate chain (PEM). Together with tls.key, it turns on HTTPS."),
    setting("tls.key", "FILE", None,
        "Private key of the certificate (PEM)."),
    setting("log.format", "FORMAT", Some("text"),
        "Format of the log: text, or json for one JSON object per line."),
    setting("log.level", "LEVEL", Some("info"),
        "Level of the log: error, warn, info, debug or trace."),
    setting("metrics.listen", "ADDRESS", None,
        "Separate IP address and port for Prometheus metrics, served at /metrics. Default: off."),
    setting("rate_limit.enabled", "BOOLEAN", Some("true"),
        "Limit the number of requests."),
    setting("rate_limit.per_hour", "COUNT", Some("5000"),
        "Requests per hour for each person."),
    setting("rate_limit.anonymous_per_hour", "COUNT", Some("60"),
        "Requests per hour for each IP address without a token."),
    setting("abuse_limit.per_minute", "COUNT", Some("80"),
        "Posts, comments and invitations that each person may create or edit per minute."),
    setting("abuse_limit.per_hour", "COUNT", Some("500"),
        "Posts, comments and invitations that each person may create or edit per hour."),
    setting("memory.in_flight_mib", "MIB", Some("192"),
        "Memory that unfinished requests and unread answers may hold, in MiB; more of them wait for a second, then get \
         503."),
    setting("memory.bodies_mib", "MIB", Some("64"),
        "Part of that memory that request bodies may hold."),
    setting("memory.per_client_mib", "MIB", Some("8"),
        "Part of that memory that the answers to one person, or to one IP address without a token, may hold; the first \
         MiB of each answer does not count."),
    setting("signin.methods", "METHODS", Some("mail,provider"),
        "Ways in which people may sign in: mail, with a code or link in an e-mail, and provider, at an identity provider, \
         separated by commas. A link of `guildhall user sign-in` always works."),
    setting("setup.link", "BOOLEAN", Some("true"),
        "Make a link at the first start, with which the operator creates the first organization and its owner in the \
         browser. It is in setup-link in the data directory."),
    setting("signin.signup", "WHO", Some("invited"),
        "People who may make an account for themselves, with a code in an e-mail: invited for none but those who are \
         invited, anyone, or domains such as example.org, separated by commas. A person with an e-mail address at exactly \
         one of these domains may make one."),
    setting("organizations.create", "WHO", Some("administrators"),
        "People who may create an organization, whose owner they become: administrators of the site, or everyone."),
    setting("signin.oidc.issuer", "URL", None,
        "Identity provider for signing in with OpenID Connect: its issuer, exactly as the provider names itself. Needs \
         public_url, signin.oidc.client_id and signin.oidc.client_secret_file. Default: none."),
    setting("signin.oidc.client_id", "ID", None,
        "Client ID that the provider gave to this site. Its redirect URI there is /login/provider/callback below \
         public_url."),
    setting("signin.oidc.client_secret_file", "FILE", None,
        "File with the client secret that the provider gave to this site."),
    setting("signin.oidc.accounts", "MANNER", Some("existing"),
        "Who may sign in at the provider: existing, people whose account is connected with it, or create, everyone there; \
         an account is made for those who have none."),
    setting("signin.oidc.trust_email", "BOOLEAN", Some("false"),
        "Let an e-mail address that the provider has verified sign in to the account that has it, unless that is a site \
         administrator's."),
    setting("invitations.expire_days", "DAYS", Some("7"),
        "Days until an invitation expires."),
    setting("audit.retention_days", "DAYS", Some("365"),
        "Days that entries of the audit log are kept."),
    setting("retention.facts_days", "DAYS", Some("30"),
        "Days that the details of events are kept, at most as long as the audit log."),
    setting("retention.deliveries_days", "DAYS", Some("30"),
        "Days that events and their deliveries are kept after they were sent."),
    setting("retention.dead_letters_days", "DAYS", Some("90"),
        "Days that deliveries are kept after they were given up."),
    setting("deliveries.retry_seconds", "SECONDS", Some("5"),
        "Seconds until a failed delivery is tried again for the first time. The delay doubles each time, up to an hour."),
    setting("deliveries.retry_days", "DAYS", Some("3"),
        "Days that a failed delivery is tried again."),
    setting("smtp.url", "URL", None,
        "Mail server: smtp://USER:PASSWORD@HOST:PORT with STARTTLS, or smtps:// with TLS. Needs public_url. Default: none; \
         each mail is saved as a file in mail/new in the data directory."),
    setting("smtp.from", "ADDRESS", None,
        "Sender of mails, such as Acme <teams@example.org>. Default: guildhall@ and the host of the public URL."),
    setting("smtp.dkim_key", "FILE", None,
        "Private RSA key (PEM) that signs mails for the domain of the sender (DKIM)."),
    setting("smtp.dkim_selector", "NAME", None,
        "Selector under which the domain publishes that key."),
    setting("mail.keep_days", "DAYS", Some("30"),
        "Days that mails saved as files are kept."),
    setting("mail.max_mib", "MIB", Some("1024"),
        "Size of all mails saved as files, in MiB. If they have more, the oldest mails about posts are deleted."),
    setting("compat.partial_team_update", "BOOLEAN", Some("false"),
        "Accept updates of a team that leave out its name. `dev` and `demo` accept them by default."),
    setting("compat.enterprise_version", "VERSION", None,
        "Version of GitHub Enterprise Server, such as 3.14.0, that /meta names for clients that look for one. Default: \
         none."),
    setting("tokens.prefix", "TEXT", Some("ghp_"),
        "Prefix of new tokens."),
    setting("webhooks.allow", "NETWORKS", None,
        "IP addresses and networks that webhooks may reach although they are not public, separated by commas."),
    setting("webhooks.insecure_ssl", "BOOLEAN", Some("false"),
        "Let webhooks skip the verification of certificates."),
];
