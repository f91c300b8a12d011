//! A server behind its socket: what answers requests, and what it does besides.

pub mod delivering;
pub mod last_use;
pub mod retention;

use std::sync::Arc;

use crate::clock::Clock;
use crate::config::{Oidc, Settings};
use crate::dispatch::Limits;
use crate::error::{Error, Result};
use crate::http::assemble::{self, Parts};
use crate::http::edge::Edge;
use crate::http::metrics::Metrics;
use crate::identity::{Client, Provider};
use crate::instruments::Instruments;
use crate::store::{Store, site};

/// Makes the edge, which answers requests from a store.
pub fn edge(store: Store, settings: &Settings, metrics: Option<Arc<Metrics>>, clock: Clock) -> Result<Arc<Edge>> {
    let provider = settings.signin.provider.as_ref().map(provider).transpose()?;
    let parts = Parts {
        site: site(settings, &store.key)?,
        clock,
        trusted_proxies: settings.trusted_proxies.clone(),
        public_url: settings.public_url.clone(),
        provider,
        instruments: Instruments::new(settings),
        metrics,
        memory: Limits {
            process: settings.memory.in_flight,
            bodies: settings.memory.bodies,
            client: settings.memory.per_client,
        },
    };
    assemble::edge(store.db, parts)
}

/// The site's identity provider. Its secret is read when the server starts.
fn provider(settings: &Oidc) -> Result<Provider> {
    let path = settings.client_secret_file.display();
    let unusable = |why: &str| {
        Error::Unavailable(format!("`signin.oidc.client_secret_file` is {path}, which {why}; write the secret there"))
    };
    let secret = std::fs::read_to_string(&settings.client_secret_file);
    let secret = secret.map_err(|error| unusable(&format!("cannot be read ({error})")))?.trim().to_owned();
    if secret.is_empty() {
        return Err(unusable("is empty"));
    }
    let (issuer, id, redirect_uri) =
        (settings.issuer.clone(), settings.client_id.clone(), settings.redirect_uri.clone());
    Provider::new(Client { issuer, id, secret, redirect_uri }, settings.creates || settings.trusts_email)
}
