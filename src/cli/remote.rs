//! A server at a URL, for commands that run elsewhere than beside its database (decision 75).

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use tokio_rustls::rustls::crypto::ring;
use ureq::tls::{Certificate, RootCerts, TlsConfig, TlsProvider};
use ureq::{Agent, http};

use super::meter::waiting;
use super::settings::StoreFlags;
use super::{Failure, in_one_line, say};
use crate::links::segment;

/// The variable with the token.
const TOKEN: &str = "GUILDHALL_TOKEN";

/// The longest message of a server that is shown, in characters.
const MOST_SAID: usize = 16_384;

/// The beginning of the header with the token.
const BEARER: &str = "Bearer ";

const URL_HELP: &str = "URL of a server to use instead of a database. The token is in GUILDHALL_TOKEN";
const TOKEN_FILE_HELP: &str = "File with the token, instead of GUILDHALL_TOKEN";

/// The longest time of a request; a server ends one after five minutes.
const TIMEOUT: Duration = Duration::from_secs(330);

/// The largest response, in bytes.
const LARGEST: u64 = 256 << 20;

/// The flags that name a server.
#[derive(clap::Args)]
pub struct ServerFlags {
    #[arg(long, value_name = "URL", help_heading = "Server", help = URL_HELP)]
    url: Option<String>,
    #[arg(long, value_name = "FILE", requires = "url", help_heading = "Server", help = TOKEN_FILE_HELP)]
    token_file: Option<PathBuf>,
    /// The token itself. Others on this machine can see it.
    #[arg(long, value_name = "TOKEN", requires = "url", conflicts_with = "token_file", help_heading = "Server")]
    token: Option<String>,
}

impl ServerFlags {
    /// The server, if the command names one; flags of a database are refused then.
    pub fn server(&self, store: &StoreFlags) -> Result<Option<Remote>, Failure> {
        let Some(url) = &self.url else { return Ok(None) };
        if !store.is_empty() {
            return Err(Failure::Usage("--url uses a server: omit the flags that name a database".into()));
        }
        Remote::new(url, &self.secret()?).map(Some)
    }

    fn secret(&self) -> Result<String, Failure> {
        let token = match (&self.token, &self.token_file) {
            (Some(token), _) => {
                say("others on this machine can see --token; use GUILDHALL_TOKEN or --token-file");
                token.clone()
            }
            (None, Some(file)) => fs::read_to_string(file)
                .map_err(|error| Failure::Usage(format!("{}: cannot read the token: {error}", file.display())))?,
            (None, None) => std::env::var(TOKEN).unwrap_or_default(),
        };
        match token.trim() {
            "" => Err(Failure::Usage(format!("--url needs a token: set {TOKEN} or give --token-file"))),
            token if token.bytes().all(|byte| byte.is_ascii_graphic()) => Ok(token.to_owned()),
            _ => Err(Failure::Usage("the token has characters that no token has; check where it comes from".into())),
        }
    }
}

/// A server, and the token with which it is asked.
#[derive(Clone)]
pub struct Remote {
    agent: Agent,
    /// The URL without a slash at its end.
    base: String,
    authorization: String,
}

/// A request.
pub struct Request {
    /// The verb.
    pub method: &'static str,
    /// The path below the URL of the server.
    pub path: String,
    /// The media type of the body, and the body.
    pub body: Option<(&'static str, String)>,
}

/// A response.
pub struct Answer {
    /// The status.
    pub status: u16,
    /// The text.
    pub text: String,
    /// True if it is a page of a list, and there is one after it.
    pub has_more: bool,
}

/// The reason why there is no response.
pub struct Unanswered {
    /// The reason in words.
    pub why: String,
    /// True if the server may have received the request.
    pub sent: bool,
}

impl Remote {
    fn new(url: &str, token: &str) -> Result<Self, Failure> {
        let wrong =
            |why: &str| Failure::Usage(format!("--url: {why}. Use a URL such as https://guildhall.example.com"));
        let base = url.trim_end_matches('/').to_owned();
        let parsed: http::Uri = base.parse().map_err(|_| wrong("this is no URL"))?;
        let authority = parsed.authority().ok_or_else(|| wrong("this is no URL"))?;
        if authority.as_str().contains('@') {
            return Err(wrong("a URL with a user or a password is not used"));
        }
        match parsed.scheme_str() {
            _ if parsed.query().is_some() => return Err(wrong("the URL of a server has no query")),
            Some("https") => {}
            Some("http") if is_loopback(authority.host()) => {}
            Some("http") => say("the token is sent without TLS, so that others on the way can read it; use https"),
            _ => return Err(wrong("only http and https are used")),
        }
        let authorization = format!("{BEARER}{token}");
        Ok(Self { agent: agent(), base, authorization })
    }

    /// The URL of the server.
    #[must_use]
    pub fn base(&self) -> &str {
        &self.base
    }

    /// The path of an organization, with a query.
    #[must_use]
    pub fn of_org(org: &str, below: &str, query: &[(&str, String)]) -> String {
        let pairs: Vec<String> = query.iter().map(|(name, value)| format!("{name}={}", segment(value))).collect();
        let query = if pairs.is_empty() { String::new() } else { format!("?{}", pairs.join("&")) };
        format!("/orgs/{}{below}{query}", segment(org))
    }

    /// Sends a request. A redirect is a response. A terminal shows if it takes longer than a second.
    pub async fn send(&self, request: Request) -> Result<Answer, Unanswered> {
        let remote = self.clone();
        let exchange = tokio::task::spawn_blocking(move || remote.without_token(remote.exchange(request)));
        let sent = waiting(&format!("waiting for {}", self.base), exchange).await;
        sent.unwrap_or_else(|_| Err(Unanswered { why: "the request ended early".into(), sent: true }))
    }

    /// The result of a request without the token, which a server may repeat, so that no message shows it.
    fn without_token(&self, result: Result<Answer, Unanswered>) -> Result<Answer, Unanswered> {
        let token = self.authorization.trim_start_matches(BEARER);
        let hide = |text: String| if text.contains(token) { text.replace(token, "[token]") } else { text };
        // JSON can write a character as an escape.
        let plain = |text: String| {
            let escaped = if text.contains('\\') { serde_json::from_str::<Value>(&text).ok() } else { None };
            escaped.map_or(text, |value| value.to_string())
        };
        result
            .map(|answer| Answer { text: hide(plain(answer.text)), ..answer })
            .map_err(|unanswered| Unanswered { why: hide(unanswered.why), ..unanswered })
    }

    fn exchange(&self, request: Request) -> Result<Answer, Unanswered> {
        let Request { method, path, body } = request;
        let address = format!("{}{path}", self.base);
        let head = http::Request::builder().method(method).uri(&address);
        let head = head.header("Authorization", &self.authorization).header("Accept", "application/json");
        let answered = match body {
            Some((media, text)) => head.header("Content-Type", media).body(text).map(|sent| self.agent.run(sent)),
            None => head.body(()).map(|sent| self.agent.run(sent)),
        };
        let unusable = |_| Unanswered { why: format!("{} is no usable URL", self.base), sent: false };
        let mut answered = answered.map_err(unusable)?.map_err(|error| self.unanswered(&error))?;
        let status = answered.status().as_u16();
        let location = answered.headers().get("location").and_then(|to| to.to_str().ok()).map(str::to_owned);
        if (300..400).contains(&status) {
            let to = location.map_or_else(String::new, |to| format!(" to {}", in_one_line(&to)));
            let why = format!("{} redirects{to}; give the URL of the server itself", self.base);
            return Err(Unanswered { why, sent: false });
        }
        let link = answered.headers().get("link").and_then(|link| link.to_str().ok());
        let has_more = link.is_some_and(|link| link.contains("rel=\"next\""));
        let is_ours = answered.headers().contains_key("x-github-request-id");
        let text = answered.body_mut().with_config().limit(LARGEST).read_to_string();
        let text = text.map_err(|error| self.unanswered(&error))?;
        if status < 500 && !is_ours {
            let why = format!("{} does not answer like a Guildhall server ({status}); check --url", self.base);
            return Err(Unanswered { why, sent: true });
        }
        Ok(Answer { status, text, has_more })
    }

    fn unanswered(&self, error: &ureq::Error) -> Unanswered {
        let refused = |error: &std::io::Error| error.kind() == std::io::ErrorKind::ConnectionRefused;
        let sent = match error {
            ureq::Error::HostNotFound
            | ureq::Error::ConnectionFailed
            | ureq::Error::Tls(_)
            | ureq::Error::Rustls(_) => false,
            ureq::Error::Io(error) => !refused(error) && error.kind() != std::io::ErrorKind::InvalidData,
            _ => true,
        };
        let told = error.to_string();
        let why = match self.base.strip_prefix("https://") {
            // What rustls calls an answer that is not TLS.
            Some(rest) if told.contains("InvalidContentType") => {
                format!("{} does not speak TLS; if it is a server without a certificate, use http://{rest}", self.base)
            }
            _ => format!("{} cannot be reached: {}", self.base, in_one_line(&told)),
        };
        Unanswered { why, sent }
    }
}

impl Answer {
    /// The message of a refusal.
    #[must_use]
    pub fn message(&self) -> String {
        let body: Value = serde_json::from_str(&self.text).unwrap_or_default();
        match body["message"].as_str() {
            Some(message) => message.chars().take(MOST_SAID).collect(),
            None => format!("the server answered {}", self.status),
        }
    }

    /// The message for a token that the server does not know.
    #[must_use]
    pub fn unknown_token(base: &str) -> String {
        format!("{base} does not know the token: it is wrong, expired or revoked. Use another one")
    }

    /// The failure that a refusal of a request about this organization is.
    #[must_use]
    pub fn failure(&self, org: &str, base: &str) -> Failure {
        Failure::Failed(match self.status {
            401 => Self::unknown_token(base),
            404 => format!(
                "there is no organization {org} at {base}, or the token may not see it: it needs an owner and the scopes \
                 admin:org and repo. Run the command on the server to load a new organization"
            ),
            413 => format!("{} Run the command on the server", self.message()),
            _ => self.message(),
        })
    }
}

/// True if what is sent to the host does not leave the machine.
fn is_loopback(host: &str) -> bool {
    let address = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost" || address.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

fn agent() -> Agent {
    let roots: Vec<_> = rustls_native_certs::load_native_certs().certs;
    let roots: Vec<Certificate<'static>> = roots.iter().map(|root| Certificate::from_der(root).to_owned()).collect();
    let tls = TlsConfig::builder()
        .provider(TlsProvider::Rustls)
        .unversioned_rustls_crypto_provider(Arc::new(ring::default_provider()))
        .root_certs(RootCerts::from(roots))
        .build();
    let config = Agent::config_builder()
        .http_status_as_error(false)
        .max_redirects(0)
        .max_redirects_will_error(false)
        .user_agent(concat!("guildhall/", env!("CARGO_PKG_VERSION")))
        .timeout_global(Some(TIMEOUT))
        .tls_config(tls)
        .build();
    config.into()
}

#[cfg(test)]
mod tests {
    use super::is_loopback;

    #[test]
    fn loopback_is_this_machine() {
        assert!(["localhost", "127.0.0.1", "127.9.9.9", "[::1]"].iter().all(|host| is_loopback(host)));
        assert!(
            !["example.com", "10.0.0.1", "localhost.example.com", "[::2]", ""].iter().any(|host| is_loopback(host))
        );
    }
}
