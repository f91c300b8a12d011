//! The budgets of one client: a person, or the network of a caller without credentials (decision 40).

use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use foldhash::HashMap;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::Instant;
use xxhash_rust::xxh3::xxh3_128;

use super::budget::{self, Budget};
use crate::error::{Error, Result, Scarce};
use crate::limits::requests::{self, Caller};
use crate::operation::Json;
use crate::operation::json::Text;

/// The number of unread responses that a client may have.
const UNREAD: usize = 256;

/// The number of clients or texts from which entries that hold nothing are removed.
const MANY: usize = 1_024;

/// The time for which a read waits for a turn.
const TIMEOUT: Duration = Duration::from_secs(10);

/// The clients that hold something, and those that did so lately.
pub(super) struct Clients {
    by_key: Mutex<HashMap<Key, Arc<Client>>>,
    limits: ClientLimits,
}

/// The limits of a client, in bytes, and the number of its reads that may run on the store's pool at a time.
#[derive(Clone, Copy)]
pub(super) struct ClientLimits {
    pub all: usize,
    pub beyond: usize,
    pub bodies: usize,
    pub readers: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Key {
    Person(i64),
    Network(u64),
}

/// The budgets of a client.
pub(super) struct Client {
    /// Every byte of responses and bodies.
    pub all: Arc<Budget>,
    /// The bytes beyond the free part of each response and body.
    pub beyond: Arc<Budget>,
    /// Every byte of bodies.
    pub bodies: Arc<Budget>,
    /// The number of responses that are not read yet.
    pub unread: Arc<Budget>,
    readers: Arc<Semaphore>,
    /// The long texts in its responses, by their hash.
    texts: Mutex<HashMap<u128, Weak<Text>>>,
}

/// The right of a read to run on a thread of the pool. Only some of the reads of a client have it at a time.
pub struct Turn {
    _client: Arc<Client>,
    _permit: OwnedSemaphorePermit,
}

impl Clients {
    /// No client holds anything.
    pub fn new(limits: ClientLimits) -> Self {
        Self { by_key: Mutex::default(), limits }
    }

    pub fn get(&self, caller: Caller) -> Arc<Client> {
        let key = match caller {
            Caller::Person(id) => Key::Person(id),
            Caller::Address(ip) => Key::Network(requests::address_key(ip)),
        };
        let mut clients = self.by_key.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(client) = clients.get(&key) {
            return Arc::clone(client);
        }
        if clients.len() >= MANY {
            clients.retain(|_, client| !client.is_idle());
        }
        let client = Arc::new(Client::new(self.limits));
        clients.insert(key, Arc::clone(&client));
        client
    }
}

impl Client {
    fn new(limits: ClientLimits) -> Self {
        Self {
            all: Budget::new(Scarce::ClientMemory, limits.all),
            beyond: Budget::new(Scarce::ClientMemory, limits.beyond),
            bodies: Budget::new(Scarce::ClientMemory, limits.bodies),
            unread: Budget::new(Scarce::ClientResponses, UNREAD),
            readers: Arc::new(Semaphore::new(limits.readers)),
            texts: Mutex::default(),
        }
    }

    /// True if no request of the client is being served and nothing of its responses is held.
    fn is_idle(self: &Arc<Self>) -> bool {
        Arc::strong_count(self) == 1 && [&self.all, &self.unread].iter().all(|budget| budget.used() == 0)
    }

    /// Fails with the budget that has no room for another response, if there is one. One long response may be made when
    /// long ones have used up their part, because it may share its texts with them.
    fn room(&self) -> std::result::Result<(), Arc<Budget>> {
        let full = [&self.all, &self.unread].into_iter().find(|budget| !budget.has_room(1));
        let full = full.or_else(|| Some(&self.beyond).filter(|beyond| beyond.is_awaited()));
        full.map_or(Ok(()), |budget| Err(Arc::clone(budget)))
    }

    /// A turn, if the client may have another one at once.
    pub fn try_turn(self: &Arc<Self>) -> Option<Turn> {
        self.room().ok()?;
        let permit = Arc::clone(&self.readers).try_acquire_owned().ok()?;
        Some(Turn { _client: Arc::clone(self), _permit: permit })
    }

    /// Waits for room for a response, and for a turn. A read waits before it makes its response, so that it holds
    /// nothing meanwhile.
    pub async fn turn(self: Arc<Self>) -> Result<Turn> {
        let (for_room, for_turn) = (Instant::now() + budget::TIMEOUT, Instant::now() + TIMEOUT);
        budget::until(for_room, || self.room()).await?;
        let permit = tokio::time::timeout_at(for_turn, Arc::clone(&self.readers).acquire_owned()).await;
        let permit = permit.ok().and_then(std::result::Result::ok).ok_or(Error::Busy(Scarce::ClientReaders))?;
        Ok(Turn { _client: self, _permit: permit })
    }

    /// Replaces texts by equal ones that the client already holds. Returns the other texts, each once.
    pub fn share(&self, body: &mut Json) -> Vec<Arc<Text>> {
        let mut known = self.texts.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MANY {
            known.retain(|_, text| text.strong_count() > 0);
        }
        let mut new = Vec::new();
        for (_, text) in &mut body.texts {
            let hash = xxh3_128(text.text.as_bytes());
            if let Some(same) = known.get(&hash).and_then(Weak::upgrade).filter(|same| same.text == text.text) {
                *text = same;
            } else {
                known.insert(hash, Arc::downgrade(text));
                new.push(Arc::clone(text));
            }
        }
        new
    }
}
