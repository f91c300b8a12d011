//! Certificates are verified, unless the hook and the site say otherwise.

use std::sync::Arc;

use guildhall::hooks::Job;
use guildhall::sender::{Attempt, Rules, Sender};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};

use crate::sender::{GUID, hook, local};

/// A certificate that no root of the system has signed.
fn acceptor() -> TlsAcceptor {
    let file = |name: &str| format!("{}/tests/tls/{name}", env!("CARGO_MANIFEST_DIR"));
    let certificate = CertificateDer::from_pem_file(file("certificate.pem")).expect("a certificate");
    let key = PrivateKeyDer::from_pem_file(file("key.pem")).expect("a key");
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("versions")
        .with_no_client_auth()
        .with_single_cert(vec![certificate], key)
        .expect("a pair");
    TlsAcceptor::from(Arc::new(config))
}

fn deliver(by_hook: bool, by_site: bool) -> Attempt {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    runtime.expect("a runtime").block_on(async {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a socket");
        let url = format!("https://{}/", listener.local_addr().expect("an address"));
        tokio::spawn(async move {
            let (stream, _) = listener.accept().await.expect("a connection");
            let Ok(mut stream) = acceptor().accept(stream).await else { return };
            drop(stream.read(&mut [0; 4_096]).await);
            drop(stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi").await);
            drop(stream.shutdown().await);
        });
        let sender = Sender::new(Rules { insecure_ssl: by_site, ..local() }).expect("a sender");
        sender.send(&Job { insecure_ssl: by_hook, ..hook(&url) }, GUID, "team", "{}").await
    })
}

#[test]
fn a_certificate_that_is_not_trusted_is_a_failure() {
    for (by_hook, by_site) in [(false, false), (true, false), (false, true)] {
        let attempt = deliver(by_hook, by_site);
        assert_eq!((attempt.ok, attempt.status.as_str()), (false, "failed to establish TLS"));
        assert_eq!(attempt.status_code, 0);
    }
}

#[test]
fn it_is_accepted_if_the_hook_and_the_site_say_so() {
    let attempt = deliver(true, true);
    assert_eq!((attempt.ok, attempt.response_body.as_deref()), (true, Some("hi")), "{}", attempt.status);
}
