//! The settings of signing in (decision 61).

use std::net::IpAddr;
use std::path::PathBuf;

use hyper::Uri;

use super::Given;
use super::value::{parsed, path, url};

/// The ways in which people may sign in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signin {
    /// True if they may with a code or link in an e-mail.
    pub by_mail: bool,
    /// The identity provider, if there is one and they may sign in there.
    pub provider: Option<Oidc>,
}

/// The site's identity provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Oidc {
    /// The issuer, exactly as the provider names itself.
    pub issuer: String,
    /// The ID that the provider gave to this site.
    pub client_id: String,
    /// The file of the secret that the provider gave to this site.
    pub client_secret_file: PathBuf,
    /// True if the provider may make accounts.
    pub creates: bool,
    /// True if an e-mail address that the provider has verified is enough to sign in to the account that has it.
    pub trusts_email: bool,
    /// The URL to which the provider sends people back.
    pub redirect_uri: String,
}

impl Given {
    /// Validates the settings of signing in.
    pub(super) fn signin(&self) -> Result<Signin, String> {
        const ISSUER: &str = "an https URL such as https://id.example.org";
        const METHODS: &str = "mail, provider, or both, separated by commas";
        let (by_mail, by_provider) = self.required("signin.methods", METHODS, methods)?;
        let creates = self.required("signin.oidc.accounts", "existing or create", accounts)?;
        let trusts_email = self.required("signin.oidc.trust_email", "true or false", parsed)?;
        let issuer = self.optional("signin.oidc.issuer", ISSUER, issuer)?;
        let client_id = self.optional("signin.oidc.client_id", "the ID that the provider gave to this site", parsed)?;
        let file = self.optional("signin.oidc.client_secret_file", "a file", path)?;
        let provider = match (issuer, client_id, file) {
            (Some(issuer), Some(client_id), Some(client_secret_file)) => {
                let public_url = self.optional("public_url", "a URL", url)?;
                let public_url = public_url.ok_or_else(|| {
                    "`signin.oidc.issuer` is set, but `public_url` is not, to which the provider sends people back; set it \
                     to the URL that people use"
                        .to_owned()
                })?;
                let redirect_uri = back_to(&public_url);
                Some(Oidc { issuer, client_id, client_secret_file, creates, trusts_email, redirect_uri })
            }
            (None, None, None) => None,
            _ => {
                return Err("set all of `signin.oidc.issuer`, `signin.oidc.client_id` and \
                            `signin.oidc.client_secret_file`, or none of them"
                    .to_owned());
            }
        };
        Ok(Signin { by_mail, provider: provider.filter(|_| by_provider) })
    }
}

/// The path of that URL below the public one.
const BACK: &str = "/login/provider/callback";

/// The URL to which a provider sends people back, below the public URL of the site.
fn back_to(public_url: &str) -> String {
    format!("{public_url}{BACK}")
}

/// True if mail, and true if a provider is among the ways to sign in.
fn methods(text: &str) -> Option<(bool, bool)> {
    let methods: Vec<&str> = text.split(',').map(str::trim).collect();
    let is_known = methods.iter().all(|method| matches!(*method, "mail" | "provider"));
    is_known.then(|| (methods.contains(&"mail"), methods.contains(&"provider")))
}

/// The URL of a provider: with https, or on this machine. It is kept as it is, because it is compared exactly.
fn issuer(text: &str) -> Option<String> {
    let uri: Uri = text.parse().ok()?;
    let host = uri.host()?.trim_start_matches('[').trim_end_matches(']');
    let is_local = host == "localhost" || host.parse().is_ok_and(|ip: IpAddr| ip.is_loopback());
    let is_safe = text.starts_with("https://") || is_local;
    (is_safe && url(text).is_some()).then(|| text.to_owned())
}

/// True if the provider may make accounts.
fn accounts(text: &str) -> Option<bool> {
    match text {
        "existing" => Some(false),
        "create" => Some(true),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::issuer;

    #[test]
    fn a_provider_has_tls_or_is_on_this_machine() {
        for good in [
            "https://id.example",
            "https://id.example/a/",
            "http://localhost:1",
            "http://127.0.0.1:1/x",
            "http://[::1]:1",
        ] {
            assert_eq!(issuer(good).as_deref(), Some(good));
        }
        for bad in [
            "",
            "id.example",
            "http://id.example",
            "http://10.0.0.1",
            "ftp://id.example",
            "https://",
            "https://u@id.example",
            "https://id.example?a",
            "https://id.example#a",
        ] {
            assert_eq!(issuer(bad), None, "{bad}");
        }
    }
}
