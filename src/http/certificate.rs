//! The certificate of HTTPS. It can be replaced while the server runs, because certificates expire.

use std::path::Path;
use std::sync::{Arc, PoisonError, RwLock};

use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};

use crate::error::{Error, Result};

/// The certificate that new connections get.
#[derive(Clone)]
pub struct Certificate(Arc<RwLock<TlsAcceptor>>);

impl Certificate {
    /// Reads it and its private key.
    pub fn read(certificate: &Path, key: &Path) -> Result<Self> {
        Ok(Self(Arc::new(RwLock::new(acceptor(certificate, key)?))))
    }

    /// Replaces it by what these files have now. Open connections keep the previous one, and so do all if the files cannot
    /// be used.
    pub fn replace(&self, certificate: &Path, key: &Path) -> Result<()> {
        for path in [certificate, key] {
            // A pipe could keep this waiting for ever, and the server from stopping.
            if std::fs::metadata(path).is_ok_and(|found| !found.is_file()) {
                return Err(Error::Unavailable(format!("cannot use {} for TLS: it is not a file", path.display())));
            }
        }
        let next = acceptor(certificate, key)?;
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = next;
        Ok(())
    }

    /// Accepts a connection with it.
    pub(super) fn acceptor(&self) -> TlsAcceptor {
        self.0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

fn acceptor(certificate: &Path, key: &Path) -> Result<TlsAcceptor> {
    let unusable = |path: &Path, error: &dyn std::fmt::Display| {
        Error::Unavailable(format!("cannot use {} for TLS: {error}", path.display()))
    };
    let certificates: Vec<_> = CertificateDer::pem_file_iter(certificate)
        .and_then(Iterator::collect)
        .map_err(|e| unusable(certificate, &e))?;
    let secret = PrivateKeyDer::from_pem_file(key).map_err(|e| unusable(key, &e))?;
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = rustls::ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|e| Error::Bug(e.to_string()))?
        .with_no_client_auth()
        .with_single_cert(certificates, secret)
        .map_err(|e| unusable(certificate, &e))?;
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(TlsAcceptor::from(Arc::new(config)))
}
