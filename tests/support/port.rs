//! A port on which nothing listens yet, and nothing else of this machine can.

use std::net::{SocketAddr, TcpListener};

use socket2::{Domain, Socket, Type};

/// A port that is taken. Connections to it are refused.
pub struct Port(Socket);

impl Port {
    pub fn take() -> Self {
        let socket = Socket::new(Domain::IPV4, Type::STREAM, None).expect("a socket");
        socket.bind(&SocketAddr::from(([127, 0, 0, 1], 0)).into()).expect("a port");
        Self(socket)
    }

    pub fn address(&self) -> SocketAddr {
        self.0.local_addr().ok().and_then(|address| address.as_socket()).expect("an address")
    }

    /// Begins to listen.
    pub fn listen(self) -> TcpListener {
        self.0.listen(16).expect("to listen");
        self.0.into()
    }
}
