//! The flags that say where a command works.

use super::Api;
use super::local::Local;
use super::server::Server;
use crate::cli::Failure;
use crate::cli::remote::ServerFlags;
use crate::cli::settings::StoreFlags;

/// The flags of commands that call operations.
#[derive(clap::Args)]
pub struct ApiFlags {
    #[command(flatten)]
    server: ServerFlags,
    #[command(flatten)]
    store: StoreFlags,
}

impl ApiFlags {
    /// The place where the command works.
    pub async fn open(&self) -> Result<Api, Failure> {
        match self.server.server(&self.store)? {
            Some(remote) => Ok(Api::Server(Server::new(remote))),
            None => Ok(Api::Local(Local::open(&self.store.settings()?).await?.into())),
        }
    }
}
