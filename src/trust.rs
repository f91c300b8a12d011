//! TLS to other servers, whose certificates are verified by the root certificates of the system.

use std::sync::Arc;

use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

use crate::error::{Error, Result};

/// TLS that verifies the server's certificate.
pub fn verified() -> Result<ClientConfig> {
    let mut roots = RootCertStore::empty();
    for certificate in rustls_native_certs::load_native_certs().certs {
        if let Err(error) = roots.add(certificate) {
            tracing::warn!(%error, "ignoring an unusable root certificate of the system");
        }
    }
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|e| Error::Bug(e.to_string()))?;
    Ok(config.with_root_certificates(roots).with_no_client_auth())
}
