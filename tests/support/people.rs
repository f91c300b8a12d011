//! The people of the tests, each as a client.

use super::client::Client;
use super::world::{ADMIN_TOKEN, World};

impl World {
    /// A client without a token.
    pub fn anonymous(&self) -> Client {
        Client::new(&self.base, None)
    }

    pub fn sam(&self) -> Client {
        Client::new(&self.base, Some(ADMIN_TOKEN))
    }

    pub fn olivia(&self) -> Client {
        self.client("olivia")
    }

    pub fn max(&self) -> Client {
        self.client("max")
    }

    pub fn tom(&self) -> Client {
        self.client("tom")
    }

    pub fn eve(&self) -> Client {
        self.client("eve")
    }

    pub fn nina(&self) -> Client {
        self.client("nina")
    }

    pub fn ray(&self) -> Client {
        self.client("ray")
    }
}
