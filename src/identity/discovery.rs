//! The metadata that a provider publishes (OpenID Connect Discovery), as far as this site uses it.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::Deserialize;
use sha2::{Digest, Sha256};

use super::request::{encoded, get};
use super::{Client, Once, Refused};
use crate::hooks::target::Target;
use crate::sender::Sender;

/// The claims that the site asks for.
const SCOPE: &str = "openid profile email";

/// The document.
#[derive(Deserialize)]
struct Document {
    issuer: String,
    authorization_endpoint: String,
    token_endpoint: String,
    jwks_uri: String,
    userinfo_endpoint: Option<String>,
    token_endpoint_auth_methods_supported: Option<Vec<String>>,
    #[serde(default)]
    authorization_response_iss_parameter_supported: bool,
}

/// The metadata of a provider, checked.
#[derive(Debug)]
pub struct Discovered {
    authorization: String,
    /// The place of the exchange of codes.
    pub token: Target,
    /// The place of the keys.
    pub keys: Target,
    /// The place of further claims, if there is one.
    pub userinfo: Option<Target>,
    /// True if this site sends its secret in the body and not as Basic credentials.
    pub posts_secret: bool,
    /// True if the provider names itself whenever it sends a person back.
    names_itself: bool,
}

/// Asks a provider for its document.
pub async fn discover(sender: &Sender, issuer: &str) -> Result<Discovered, Refused> {
    let url = format!("{}/.well-known/openid-configuration", issuer.trim_end_matches('/'));
    let place = Target::of(&url).ok_or_else(|| Refused::because("the issuer is no URL"))?;
    let body = get(sender, &place, None, "the metadata of the provider").await?;
    let document = serde_json::from_slice(&body);
    let document: Document = document.map_err(|error| Refused::because(format!("the metadata is wrong: {error}")))?;
    document.checked(issuer)
}

impl Document {
    fn checked(self, issuer: &str) -> Result<Discovered, Refused> {
        if self.issuer != issuer {
            return Err(Refused::because("the metadata names another issuer"));
        }
        let place = |url: &str| {
            let target = Target::of(url).filter(|target| is_safe(target, issuer) && !url.contains('#'));
            target.ok_or_else(|| Refused::because("the metadata names a URL without https"))
        };
        place(&self.authorization_endpoint)?;
        let methods = self.token_endpoint_auth_methods_supported;
        let accepts = |wanted: &str| methods.as_ref().is_none_or(|methods| methods.iter().any(|known| known == wanted));
        let posts_secret = !accepts("client_secret_basic");
        if posts_secret && !accepts("client_secret_post") {
            return Err(Refused::because("the provider accepts no client secret"));
        }
        Ok(Discovered {
            token: place(&self.token_endpoint)?,
            keys: place(&self.jwks_uri)?,
            userinfo: self.userinfo_endpoint.as_deref().map(place).transpose()?,
            authorization: self.authorization_endpoint,
            posts_secret,
            names_itself: self.authorization_response_iss_parameter_supported,
        })
    }
}

/// True if the connection is TLS, or if the whole provider is on this machine.
fn is_safe(target: &Target, issuer: &str) -> bool {
    let is_local = target.host == "localhost" || target.host.parse().is_ok_and(|ip: std::net::IpAddr| ip.is_loopback());
    target.https || is_local && issuer.starts_with("http:")
}

impl Discovered {
    /// The URL to which a person is sent.
    pub fn url(&self, client: &Client, state: &str, once: Once<'_>) -> String {
        let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(once.verifier));
        let query = encoded(&[
            ("response_type", "code"),
            ("client_id", &client.id),
            ("redirect_uri", &client.redirect_uri),
            ("scope", SCOPE),
            ("state", state),
            ("nonce", once.nonce),
            ("code_challenge", &challenge),
            ("code_challenge_method", "S256"),
        ]);
        let joint = if self.authorization.contains('?') { '&' } else { '?' };
        format!("{}{joint}{query}", self.authorization)
    }

    /// Refuses a person who was sent back by another provider (RFC 9207).
    pub fn check_issuer(&self, named: &str, issuer: &str) -> Result<(), Refused> {
        let is_right = if named.is_empty() { !self.names_itself } else { named == issuer };
        if is_right { Ok(()) } else { Err(Refused::because("the person was not sent back by this provider")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(issuer: &str, changes: &[(&str, serde_json::Value)]) -> Result<Discovered, Refused> {
        let mut document = serde_json::json!({
            "issuer": "https://id.example/a",
            "authorization_endpoint": "https://id.example/start?tenant=1",
            "token_endpoint": "https://id.example/token",
            "jwks_uri": "https://keys.example/",
        });
        for (name, value) in changes {
            document[*name] = value.clone();
        }
        serde_json::from_value::<Document>(document).unwrap().checked(issuer)
    }

    #[test]
    fn the_issuer_is_compared_exactly() {
        assert!(read("https://id.example/a", &[]).is_ok());
        for other in ["https://id.example/a/", "https://id.example", "https://ID.example/a", "http://id.example/a"] {
            assert!(read(other, &[]).is_err(), "{other}");
        }
    }

    #[test]
    fn every_url_has_tls() {
        for name in ["authorization_endpoint", "token_endpoint", "jwks_uri", "userinfo_endpoint"] {
            for bad in
                ["http://id.example/", "http://127.0.0.1/", "javascript:alert(1)", "https://a\"b", "", "https://a/#"]
            {
                assert!(read("https://id.example/a", &[(name, bad.into())]).is_err(), "{name}: {bad}");
            }
        }
        let local = [("issuer", "http://127.0.0.1:1".into()), ("token_endpoint", "http://[::1]:2/".into())];
        assert!(read("http://127.0.0.1:1", &local).is_ok());
        let elsewhere = [("issuer", "http://127.0.0.1:1".into()), ("token_endpoint", "http://id.example/".into())];
        assert!(read("http://127.0.0.1:1", &elsewhere).is_err());
    }

    #[test]
    fn the_secret_is_sent_as_the_provider_accepts_it() {
        let posts = |methods: &[&str]| {
            let methods = [("token_endpoint_auth_methods_supported", methods.into())];
            read("https://id.example/a", &methods).ok().map(|found| found.posts_secret)
        };
        assert_eq!(posts(&["client_secret_post", "client_secret_basic"]), Some(false));
        assert_eq!(posts(&["client_secret_post"]), Some(true));
        assert_eq!(posts(&["private_key_jwt"]), None);
    }

    #[test]
    fn a_provider_that_names_itself_always_does() {
        let issuer = "https://id.example/a";
        let silent = read(issuer, &[]).unwrap();
        let named = read(issuer, &[("authorization_response_iss_parameter_supported", true.into())]).unwrap();
        for (found, came, passes) in [
            (&silent, "", true),
            (&silent, issuer, true),
            (&silent, "x", false),
            (&named, "", false),
            (&named, issuer, true),
        ] {
            assert_eq!(found.check_issuer(came, issuer).is_ok(), passes, "{came}");
        }
    }
}
