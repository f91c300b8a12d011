//! The site's identity provider, of which Guildhall is a client (decision 61): OpenID Connect Core and Discovery, by the
//! code flow with PKCE. What a provider says is used only after it was verified.
//!
//! All of this happens outside of transactions. A provider that is slow or down keeps no one waiting but the person who
//! signs in there.

mod cache;
mod discovery;
mod exchange;
mod id_token;
mod keys;
mod request;

use std::fmt;
use std::sync::Arc;

use ipnet::{IpNet, Ipv4Net, Ipv6Net};
use serde::Serialize;

use crate::clock::Time;
use crate::error::Result;
use crate::sender::{Rules, Sender};

use cache::Cache;
use discovery::Discovered;
use exchange::Tokens;
use id_token::{Expected, IdToken};
use keys::Keys;

/// The time for which the metadata and the keys of a provider are kept, in seconds.
const KEPT: i64 = 60 * 60;

/// The shortest time between two requests for the same metadata or keys, in seconds.
const PAUSE: i64 = 10;

/// The longest word for an error of a provider.
const LONGEST_WORD: usize = 100;

/// The reason why a provider could not be used, or was not believed. It is for the log.
#[derive(Debug, Clone)]
pub struct Refused(String);

impl Refused {
    fn because(why: impl Into<String>) -> Self {
        Self(why.into())
    }

    /// The word for an error that a provider has sent, without what cannot be part of a word.
    fn said(why: &str, error: &str) -> Self {
        let word: String = error.chars().filter(char::is_ascii_graphic).take(LONGEST_WORD).collect();
        Self(format!("{why} {word}"))
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// This site as a client of its provider.
#[derive(Clone)]
pub struct Client {
    /// The issuer, exactly as the provider names itself.
    pub issuer: String,
    /// The ID that the provider gave to this site.
    pub id: String,
    /// The secret that the provider gave to this site.
    pub secret: String,
    /// The URL to which the provider sends people back.
    pub redirect_uri: String,
}

/// The values that only this sign-in has.
#[derive(Debug, Clone, Copy)]
pub struct Once<'a> {
    /// The text that the ID token has to repeat.
    pub nonce: &'a str,
    /// The secret of PKCE.
    pub verifier: &'a str,
}

/// The parameters with which the provider has sent the person back. Each is empty if it is not there.
#[derive(Debug, Clone, Copy)]
pub struct Returned<'a> {
    /// The word for the error.
    pub error: &'a str,
    /// The code.
    pub code: &'a str,
    /// The issuer (RFC 9207).
    pub issuer: &'a str,
}

/// The claims of the provider about a person.
#[derive(Debug, Default, Serialize)]
pub struct Claims {
    /// The identifier of the person, which the provider never gives to another one.
    pub subject: String,
    /// Name.
    pub name: Option<String>,
    /// The name with which the person signs in there.
    pub username: Option<String>,
    /// E-mail address.
    pub email: Option<String>,
    /// True if the provider has verified the e-mail address.
    pub email_verified: bool,
}

/// The site's identity provider.
pub struct Provider {
    client: Client,
    /// True if the site asks for more than who a person is.
    wants_profile: bool,
    sender: Sender,
    discovered: Cache<Discovered>,
    keys: Cache<Keys>,
}

impl Provider {
    /// A provider that was not asked for anything yet. An operator may have it in a private network, so all IP addresses
    /// are allowed.
    pub fn new(client: Client, wants_profile: bool) -> Result<Self> {
        let allow = vec![IpNet::from(Ipv4Net::default()), IpNet::from(Ipv6Net::default())];
        let sender = Sender::new(Rules { allow, ..Rules::default() })?;
        Ok(Self { client, wants_profile, sender, discovered: Cache::default(), keys: Cache::default() })
    }

    /// The issuer.
    #[must_use]
    pub fn issuer(&self) -> &str {
        &self.client.issuer
    }

    /// The host name of the issuer, as people see it.
    #[must_use]
    pub fn host(&self) -> &str {
        host(&self.client.issuer)
    }

    /// The URL to which a person is sent, for this state and these values.
    pub async fn url(&self, now: Time, state: &str, once: Once<'_>) -> std::result::Result<String, Refused> {
        Ok(self.discover(now).await?.url(&self.client, state, once))
    }

    /// Exchanges the code that a person came back with. Returns what the provider says about them.
    pub async fn identify(
        &self,
        now: Time,
        returned: Returned<'_>,
        once: Once<'_>,
    ) -> std::result::Result<Claims, Refused> {
        if !returned.error.is_empty() {
            return Err(Refused::said("the provider has sent the person back with the error", returned.error));
        }
        let there = self.discover(now).await?;
        there.check_issuer(returned.issuer, &self.client.issuer)?;
        let Tokens { id_token, access_token } =
            exchange::tokens(&self.sender, &there, &self.client, (returned.code, once.verifier)).await?;
        let token = IdToken::read(&id_token)?;
        self.verify(now, &there, &token).await?;
        let (issuer, client) = (&self.client.issuer, &self.client.id);
        let expected = Expected { issuer, client, nonce: once.nonce, access_token: access_token.as_deref(), now };
        let claims = token.claims(&expected)?;
        match (&there.userinfo, access_token) {
            (Some(userinfo), Some(access_token)) if self.wants_profile && claims.email.is_none() => {
                exchange::userinfo(&self.sender, userinfo, &access_token, claims).await
            }
            _ => Ok(claims),
        }
    }

    /// Verifies the signature of an ID token. Keys that the token does not know are asked for again.
    async fn verify(&self, now: Time, there: &Discovered, token: &IdToken<'_>) -> std::result::Result<(), Refused> {
        for oldest in [KEPT, PAUSE] {
            let keys = self.keys.get(now, oldest, async || exchange::keys(&self.sender, &there.keys).await).await?;
            if let Some(key) = keys.find(token.algorithm, token.key_id.as_deref()) {
                return token.verify(key);
            }
        }
        Err(Refused::because("the ID token is signed with a key that the provider does not publish"))
    }

    async fn discover(&self, now: Time) -> std::result::Result<Arc<Discovered>, Refused> {
        let fetch = async || discovery::discover(&self.sender, &self.client.issuer).await;
        self.discovered.get(now, KEPT, fetch).await
    }
}

/// The host of an issuer.
#[must_use]
pub fn host(issuer: &str) -> &str {
    issuer.split('/').nth(2).unwrap_or(issuer)
}
