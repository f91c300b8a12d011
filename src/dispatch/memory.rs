//! The memory that requests hold, from the first byte of a body to the last byte of a response: counted in bytes, for
//! the process, for all bodies, and for each client (decision 40; docs/decisions/0021-what-requests-hold.md).
//!
//! A request without enough memory waits for a second at most, and holds nothing while it waits. A text that a client
//! holds twice is stored and counted once. When long responses have filled what they may fill, a reserve is left for
//! short ones.

use std::sync::Arc;

use tokio::time::Instant;

use super::budget::{self, Budget, Held, Part, try_take};
use super::client::{Client, ClientLimits, Clients, Turn};
use crate::error::{Result, Scarce};
use crate::limits::requests::Caller;
use crate::operation::Json;

/// The part of each response that does not count for `memory.per_client_mib`, in bytes.
const FREE: usize = 1 << 20;

/// The part of each body that does not count for it, in bytes. Nearly all bodies are shorter.
const FREE_BODY: usize = 64 << 10;

/// The longest response or body that may use the reserve, in bytes.
const SHORT: usize = 16 << 10;

/// The part of the process's budget that is kept for short responses and bodies: an eighth.
const RESERVE: usize = 8;

/// The part of the process's budgets that one client may hold: a quarter.
const SHARE: usize = 4;

/// The budgets, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The memory that all requests hold.
    pub process: usize,
    /// The part of it that the bodies of requests hold.
    pub bodies: usize,
    /// The memory that a client holds, without the free part of each response and body.
    pub client: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { process: 192 << 20, bodies: 64 << 20, client: 8 << 20 }
    }
}

/// The budgets, and how much of each is held.
pub struct Memory {
    /// For requests of any length.
    process: Arc<Budget>,
    /// For short ones, when there is no room for others.
    reserve: Arc<Budget>,
    bodies: Arc<Budget>,
    clients: Clients,
}

/// The memory that a response holds besides its long texts: bytes of the process and of the client, those beyond the free
/// part, and one unread response.
#[expect(dead_code, reason = "it is held, not read")]
pub struct Holding([Held; 4]);

/// A response for which there is not enough memory.
pub struct Need {
    client: Arc<Client>,
    bytes: usize,
    beyond: usize,
}

/// Memory that is reserved for a response.
#[expect(dead_code, reason = "it is held, not read")]
pub struct Reserved([Held; 4]);

/// The memory of a request's body, which grows as the body arrives.
pub struct Room {
    _client: Arc<Client>,
    /// Parts of the process, its reserve and all bodies; of the client, its bodies, and what is beyond the free part.
    parts: [Held; 6],
    bytes: usize,
}

impl Room {
    /// Waits until the body may hold this many bytes in all.
    pub async fn grow(&mut self, bytes: usize) -> Result<()> {
        let more = bytes.saturating_sub(self.bytes);
        if more == 0 {
            return Ok(());
        }
        let beyond = bytes.saturating_sub(self.bytes.max(FREE_BODY));
        let parts = &self.parts;
        let take = |[process, reserve]: [usize; 2]| {
            let amounts = [process, reserve, more, more, more, beyond];
            try_take(std::array::from_fn::<_, 6, _>(|at| parts[at].more(amounts[at])))
        };
        let attempt = || match take([more, 0]) {
            Err(_) if bytes <= SHORT => take([0, more]),
            taken => taken,
        };
        let taken = budget::until(Instant::now() + budget::TIMEOUT, attempt).await?;
        self.parts.iter_mut().zip(taken).for_each(|(held, taken)| held.add(taken));
        self.bytes = bytes;
        Ok(())
    }
}

impl Need {
    fn try_take(&self, memory: &Memory) -> std::result::Result<[Held; 4], Arc<Budget>> {
        let Client { all, beyond, unread, .. } = &*self.client;
        let own = [Part::of(all, self.bytes), Part::of(beyond, self.beyond), Part::of(unread, 1)];
        let of = |process| try_take([Part::of(process, self.bytes), own[0], own[1], own[2]]);
        match of(&memory.process) {
            Err(full) if Arc::ptr_eq(&full, &memory.process) && self.bytes <= SHORT => of(&memory.reserve),
            taken => taken,
        }
    }
}

impl Memory {
    /// Nothing is held yet. This many reads of a client may run on the store's pool at a time.
    #[must_use]
    pub fn new(limits: Limits, readers: usize) -> Self {
        let reserve = limits.process / RESERVE;
        let (all, bodies) = (limits.process / SHARE, limits.bodies / SHARE);
        let of_client = ClientLimits { all, beyond: limits.client, bodies, readers };
        Self {
            process: Budget::new(Scarce::Memory, limits.process - reserve),
            reserve: Budget::new(Scarce::Memory, reserve),
            bodies: Budget::new(Scarce::Memory, limits.bodies),
            clients: Clients::new(of_client),
        }
    }

    /// True if there is memory for another short request.
    #[must_use]
    pub fn has_room(&self) -> bool {
        self.process.has_room(SHORT) || self.reserve.has_room(SHORT)
    }

    /// Waits until there is memory for one more request.
    pub async fn admit(&self) -> Result<()> {
        let room = || if self.has_room() { Ok(()) } else { Err(Arc::clone(&self.reserve)) };
        if self.has_room() {
            return Ok(());
        }
        budget::until(Instant::now() + budget::TIMEOUT, room).await
    }

    /// The client that a request counts for.
    pub(super) fn client(&self, caller: Caller) -> Arc<Client> {
        self.clients.get(caller)
    }

    /// Waits for a turn on the store's pool for a request of this client.
    pub async fn turn(&self, caller: Caller) -> Result<Turn> {
        self.client(caller).turn().await
    }

    /// Holds a response that is sent in any case, such as that to a write, which is committed.
    pub fn hold(&self, caller: Caller, body: &Json) -> Holding {
        let (client, bytes) = (self.client(caller), body.weight());
        let beyond = bytes.saturating_sub(FREE);
        Holding([self.process.take(bytes), client.all.take(bytes), client.beyond.take(beyond), client.unread.take(1)])
    }

    /// Holds the response to a read, unless there is not enough memory.
    pub fn try_hold(&self, caller: Caller, body: &mut Json) -> std::result::Result<Holding, Need> {
        let (client, mut bytes, mut new) = (self.client(caller), body.weight(), Vec::new());
        if bytes > FREE {
            new = client.share(body);
            bytes = body.frame.len() + new.iter().map(|text| text.text.len()).sum::<usize>();
        }
        let need = Need { client, bytes, beyond: bytes.saturating_sub(FREE) };
        let Ok(mut held) = need.try_take(self) else { return Err(need) };
        let mut free = FREE.saturating_sub(body.frame.len());
        for text in new {
            let length = text.text.len();
            let [process, all, beyond, _] = &mut held;
            let parts = [process.part(length), all.part(length), beyond.part(length.saturating_sub(free))];
            free = free.saturating_sub(length);
            drop(text.held.set(Box::new(parts)));
        }
        Ok(Holding(held))
    }

    /// Waits until there is memory for a response, and reserves it until the response is computed again.
    pub async fn reserve(&self, need: Need, deadline: Instant) -> Result<Reserved> {
        budget::until(deadline, || need.try_take(self)).await.map(Reserved)
    }

    /// Memory for a body, which grows as the body arrives.
    pub fn room(&self, caller: Caller) -> Room {
        let client = self.client(caller);
        let budgets = [&self.process, &self.reserve, &self.bodies, &client.all, &client.bodies, &client.beyond];
        let parts = budgets.map(|budget| budget.take(0));
        Room { _client: client, parts, bytes: 0 }
    }
}
