//! The settings of e-mail (decision 46).

use std::fmt;
use std::net::IpAddr;
use std::path::PathBuf;

use hyper::Uri;
use lettre::message::Mailbox;
use percent_encoding::percent_decode_str;

use super::Given;
use super::value::{days, mebibytes, parsed, path};

/// The settings of e-mail.
#[derive(Debug, Clone)]
pub struct Mail {
    /// The mail server; without one, e-mails are saved as files.
    pub smtp: Option<Smtp>,
    /// The sender; unless set, `guildhall@` with the host of the public URL.
    pub from: Option<Mailbox>,
    /// The signature of e-mails, if they are signed.
    pub dkim: Option<Dkim>,
    /// The number of days for which files of e-mails are kept.
    pub keep_days: u32,
    /// The largest total size of the files of e-mails, in bytes.
    pub max_bytes: usize,
}

impl Default for Mail {
    fn default() -> Self {
        Self { smtp: None, from: None, dkim: None, keep_days: 30, max_bytes: 1 << 30 }
    }
}

/// A mail server.
#[derive(Clone, PartialEq, Eq)]
pub struct Smtp {
    /// Its name or IP address.
    pub host: String,
    /// Its port.
    pub port: u16,
    /// The security of the connection.
    pub tls: Security,
    /// User and password.
    pub credentials: Option<(String, String)>,
}

/// The security of the connection to a mail server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Security {
    /// TLS from the first byte.
    Tls,
    /// STARTTLS; without it, no e-mail is sent.
    StartTls,
    /// STARTTLS if the server offers it, with any certificate: the server is on this machine.
    Local,
    /// No TLS.
    Off,
}

/// A key that signs e-mails.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dkim {
    /// The file of the key: RSA as PEM (PKCS #1).
    pub key: PathBuf,
    /// The selector under which the domain publishes the key.
    pub selector: String,
}

/// Never shows the password.
impl fmt::Debug for Smtp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl fmt::Display for Smtp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = if self.tls == Security::Tls { "smtps" } else { "smtp" };
        write!(f, "{scheme}://{}:{}", self.host, self.port)
    }
}

impl Given {
    /// The settings of e-mail.
    pub(super) fn mail(&self) -> Result<Mail, String> {
        const URL: &str = "smtp://USER:PASSWORD@HOST:PORT or smtps://…, with special characters percent-encoded";
        const FROM: &str = "an e-mail address such as Acme <teams@example.org>";
        let key = self.optional("smtp.dkim_key", "a file", path)?;
        let dkim = match (key, self.optional("smtp.dkim_selector", "a name", parsed)?) {
            (Some(key), Some(selector)) => Some(Dkim { key, selector }),
            (None, None) => None,
            _ => return Err("set both `smtp.dkim_key` and `smtp.dkim_selector`, or neither".to_owned()),
        };
        Ok(Mail {
            smtp: self.optional("smtp.url", URL, smtp)?,
            from: self.optional("smtp.from", FROM, parsed)?,
            dkim,
            keep_days: self.required("mail.keep_days", "a whole number from 1 to 3650", days)?,
            max_bytes: self.required("mail.max_mib", "a whole number of MiB from 1 to 1048576", mebibytes)?,
        })
    }
}

/// Parses `smtp://user:password@host:port` or `smtps://…`.
pub(super) fn smtp(text: &str) -> Option<Smtp> {
    let uri: Uri = text.parse().ok()?;
    let authority = uri.authority()?;
    if !matches!(uri.path(), "" | "/") {
        return None;
    }
    let behind = authority.as_str().rsplit_once('@').map_or(authority.as_str(), |(_, behind)| behind);
    let given: Option<u16> = match behind.strip_prefix(authority.host())?.strip_prefix(':') {
        Some(port) => Some(port.parse().ok()?),
        None => None,
    };
    let host = authority.host().trim_start_matches('[').trim_end_matches(']').to_owned();
    let is_local = host == "localhost" || host.parse().is_ok_and(|ip: IpAddr| ip.is_loopback());
    let (tls, port) = match (uri.scheme_str()?, uri.query()) {
        ("smtps", None) => (Security::Tls, 465),
        ("smtp", None) if is_local => (Security::Local, 587),
        ("smtp", None) => (Security::StartTls, 587),
        ("smtp", Some("tls=none")) => (Security::Off, 587),
        _ => return None,
    };
    let credentials = match authority.as_str().rsplit_once('@') {
        Some((userinfo, _)) => {
            let (user, password) = userinfo.split_once(':')?;
            Some((decoded(user)?, decoded(password)?))
        }
        None => None,
    };
    (!host.is_empty()).then(|| Smtp { host, port: given.unwrap_or(port), tls, credentials })
}

fn decoded(text: &str) -> Option<String> {
    percent_decode_str(text).decode_utf8().ok().map(Into::into)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_names_server_security_and_credentials() {
        let read = |text| smtp(text).map(|smtp| (smtp.host, smtp.port, smtp.tls));
        assert_eq!(read("smtp://mail.example.com"), Some(("mail.example.com".into(), 587, Security::StartTls)));
        assert_eq!(read("smtps://mail.example.com"), Some(("mail.example.com".into(), 465, Security::Tls)));
        assert_eq!(read("smtp://127.0.0.1:2525"), Some(("127.0.0.1".into(), 2525, Security::Local)));
        assert_eq!(read("smtp://[::1]:25"), Some(("::1".into(), 25, Security::Local)));
        assert_eq!(read("smtp://mailpit:1025?tls=none"), Some(("mailpit".into(), 1025, Security::Off)));
        for bad in [
            "",
            "mail.example.com",
            "http://mail",
            "smtp://",
            "smtp://u@h",
            "smtp://h:x",
            "smtp://h:70000",
            "smtp://h/x",
            "smtp://h?tls=x",
        ] {
            assert_eq!(read(bad), None, "{bad}");
        }
    }

    #[test]
    fn a_password_is_decoded_and_never_shown() {
        let smtp = smtp("smtp://nina%40acme:p%3Ass%40@mail.example.com:25").unwrap();
        assert_eq!(smtp.credentials, Some(("nina@acme".into(), "p:ss@".into())));
        assert_eq!(format!("{smtp:?} {smtp}"), "smtp://mail.example.com:25 smtp://mail.example.com:25");
    }
}
