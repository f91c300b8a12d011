//! SIGHUP: `guildhall serve` reads its settings again. The certificate and the level of the log may have changed; all other
//! settings count from the next start.

use tokio::signal::unix::{SignalKind, signal};

use super::settings::ServeFlags;
use super::{Failure, logging, systemd};
use crate::config::Tls;
use crate::http::certificate::Certificate;

/// From now on, a SIGHUP no longer ends the process.
pub fn on_hangup(flags: ServeFlags, certificate: Option<Certificate>) -> Result<(), Failure> {
    let mut hangups = signal(SignalKind::hangup())?;
    tokio::spawn(async move {
        while hangups.recv().await.is_some() {
            systemd::notify(systemd::RELOADING);
            let done = tokio::task::block_in_place(|| reload(&flags, certificate.as_ref()));
            if let Err(Failure::Usage(why) | Failure::Failed(why)) = done {
                tracing::error!("SIGHUP has changed nothing: {why}");
            }
            systemd::notify(systemd::READY);
        }
    });
    Ok(())
}

/// Takes over what may have changed. If something cannot be used, nothing changes.
fn reload(flags: &ServeFlags, certificate: Option<&Certificate>) -> Result<(), Failure> {
    let settings = flags.settings()?;
    match (certificate, &settings.tls) {
        (Some(used), Some(Tls { certificate, key })) => used.replace(certificate, key)?,
        (None, None) => {}
        _ => return Err(Failure::Usage("HTTPS is switched on and off by a restart only".to_owned())),
    }
    logging::set_level(settings.log_level);
    tracing::info!(log_level = %settings.log_level, "SIGHUP: certificate and log level are read again");
    Ok(())
}
