//! The reports of a server to systemd, in a unit with `Type=notify`.

use std::os::unix::net::UnixDatagram;

/// The server accepts connections, for the first time or after a reload.
pub const READY: &str = "READY=1";

/// The server reads its settings again.
pub const RELOADING: &str = "RELOADING=1";

/// The server finishes open requests.
pub const STOPPING: &str = "STOPPING=1";

/// Reports a state, if the process was started by systemd: `NOTIFY_SOCKET` is the path of its socket.
pub fn notify(state: &str) {
    let Some(socket) = std::env::var_os("NOTIFY_SOCKET") else { return };
    if let Err(error) = UnixDatagram::unbound().and_then(|from| from.send_to(state.as_bytes(), socket)) {
        tracing::warn!(%error, "cannot report {state} to systemd");
    }
}
