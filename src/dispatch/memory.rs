//! The memory that requests hold, from the first byte of a body to the last byte of a response: counted in bytes, for
//! the process, for all bodies, and for each client (decision 40; docs/decisions/0021-what-requests-hold.md).
//!
//! A request without enough memory waits for a second at most, and holds nothing while it waits. A text that a client
//! holds twice is stored and counted once.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use foldhash::HashMap;
use tokio::sync::Notify;
use tokio::time::Instant;
use xxhash_rust::xxh3::xxh3_128;

use crate::error::{Error, Result};
use crate::limits::requests;
use crate::operation::Json;
use crate::operation::json::Text;

/// How much of each response does not count for the client, in bytes.
const FREE: usize = 1 << 20;

/// How much of each body does not count for the client, in bytes. Nearly all bodies are shorter.
const FREE_BODY: usize = 64 << 10;

/// How long a request waits for memory.
pub const TIMEOUT: Duration = Duration::from_secs(1);

/// The number of clients or texts from which entries that hold nothing are removed.
const MANY: usize = 1_024;

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
    process: Arc<Budget>,
    bodies: Arc<Budget>,
    clients: Mutex<HashMap<Client, Weak<Budget>>>,
    per_client: usize,
    freed: Arc<Freed>,
}

/// A person, or the network of a caller without credentials.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Client {
    Person(i64),
    Network(u64),
}

/// Wakes requests that wait for memory.
#[derive(Default)]
struct Freed {
    waiting: AtomicUsize,
    notify: Notify,
}

/// A budget, and how much of it is held.
struct Budget {
    limit: usize,
    used: AtomicUsize,
    freed: Arc<Freed>,
    /// The long texts in responses to a client, by their hash.
    texts: Mutex<HashMap<u128, Weak<Text>>>,
}

/// A part of a budget, returned on drop.
pub struct Held {
    budget: Arc<Budget>,
    bytes: usize,
}

/// What a response holds besides its long texts.
#[expect(dead_code, reason = "it is held, not read")]
pub struct Holding {
    process: Held,
    client: Option<Held>,
}

/// A response for which there is not enough memory.
pub struct Need {
    client: Arc<Budget>,
    process: usize,
    beyond: usize,
}

impl Need {
    fn try_take(&self, process: &Arc<Budget>) -> Option<[Held; 2]> {
        try_take([(process, self.process, 0), (&self.client, self.beyond, 0)])
    }
}

/// Memory that is reserved for a response.
#[expect(dead_code, reason = "it is held, not read")]
pub struct Reserved([Held; 2]);

/// The memory of a request's body, which grows as the body arrives.
pub struct Room {
    memory: Arc<Memory>,
    caller: requests::Caller,
    process: Held,
    bodies: Held,
    client: Option<Held>,
}

impl Room {
    /// Waits until the body may hold this many bytes in all.
    pub async fn grow(&mut self, bytes: usize) -> Result<()> {
        let before = self.process.bytes;
        let more = bytes.saturating_sub(before);
        if more == 0 {
            return Ok(());
        }
        let beyond = bytes.saturating_sub(before.max(FREE_BODY));
        let memory = Arc::clone(&self.memory);
        if beyond > 0 && self.client.is_none() {
            self.client = Some(memory.client(self.caller).take(0));
        }
        // Nothing counts for the client yet, so it takes nothing from any budget.
        let client = Arc::clone(&self.client.as_ref().unwrap_or(&self.bodies).budget);
        let own = [&self.process, &self.bodies, self.client.as_ref().unwrap_or(&self.bodies)].map(|held| held.bytes);
        let [process, bodies, mine] = own;
        let budgets =
            || try_take([(&memory.process, more, process), (&memory.bodies, more, bodies), (&client, beyond, mine)]);
        let taken = match budgets() {
            Some(taken) => taken,
            None => memory.until(Instant::now() + TIMEOUT, budgets).await?,
        };
        let [process, bodies, client] = taken;
        self.process.add(process);
        self.bodies.add(bodies);
        if let Some(held) = &mut self.client {
            held.add(client);
        }
        Ok(())
    }
}

impl Memory {
    /// Nothing is held yet.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        let freed = Arc::<Freed>::default();
        Self {
            process: Budget::new(limits.process, &freed),
            bodies: Budget::new(limits.bodies, &freed),
            clients: Mutex::default(),
            per_client: limits.client,
            freed,
        }
    }

    /// Waits until there is memory for one more request.
    pub async fn admit(&self) -> Result<()> {
        if self.process.has_room() {
            return Ok(());
        }
        self.until(Instant::now() + TIMEOUT, || self.process.has_room().then_some(())).await
    }

    /// Holds the response to a write. The write is committed, so its response is sent in any case.
    pub fn hold(&self, body: &Json) -> Holding {
        Holding { process: self.process.take(body.weight()), client: None }
    }

    /// Holds the response to a read, unless there is not enough memory.
    pub fn try_hold(&self, caller: requests::Caller, body: &mut Json) -> std::result::Result<Holding, Need> {
        let weight = body.weight();
        if weight <= FREE {
            return Ok(Holding { process: self.process.take(weight), client: None });
        }
        let client = self.client(caller);
        let new = client.share(body);
        let weight = body.frame.len() + new.iter().map(|text| text.text.len()).sum::<usize>();
        let need = Need { client, process: weight, beyond: weight.saturating_sub(FREE) };
        let Some([mut process, mut beyond]) = need.try_take(&self.process) else { return Err(need) };
        let mut free = FREE.saturating_sub(body.frame.len());
        for text in new {
            let length = text.text.len();
            let held = [process.part(length), beyond.part(length.saturating_sub(free))];
            free = free.saturating_sub(length);
            drop(text.held.set(Box::new(held)));
        }
        Ok(Holding { process, client: Some(beyond) })
    }

    /// Waits until there is memory for a response, and reserves it until the response is computed again.
    pub async fn reserve(&self, need: Need, deadline: Instant) -> Result<Reserved> {
        self.until(deadline, || need.try_take(&self.process)).await.map(Reserved)
    }

    /// Memory for a body, which grows as the body arrives.
    pub fn room(self: &Arc<Self>, caller: requests::Caller) -> Room {
        let [process, bodies] = [&self.process, &self.bodies].map(|budget| budget.take(0));
        Room { memory: Arc::clone(self), caller, process, bodies, client: None }
    }

    fn client(&self, caller: requests::Caller) -> Arc<Budget> {
        let key = match caller {
            requests::Caller::Person(id) => Client::Person(id),
            requests::Caller::Address(ip) => Client::Network(requests::address_key(ip)),
        };
        let mut clients = lock(&self.clients);
        if let Some(client) = clients.get(&key).and_then(Weak::upgrade) {
            return client;
        }
        if clients.len() >= MANY {
            clients.retain(|_, client| client.strong_count() > 0);
        }
        let client = Budget::new(self.per_client, &self.freed);
        clients.insert(key, Arc::downgrade(&client));
        client
    }

    async fn until<T>(&self, deadline: Instant, mut attempt: impl FnMut() -> Option<T>) -> Result<T> {
        let _waiting = Waiting::begin(&self.freed);
        loop {
            let mut freed = std::pin::pin!(self.freed.notify.notified());
            freed.as_mut().enable();
            if let Some(done) = attempt() {
                return Ok(done);
            }
            tokio::time::timeout_at(deadline, freed).await.map_err(|_| Error::Busy)?;
        }
    }
}

impl Budget {
    fn new(limit: usize, freed: &Arc<Freed>) -> Arc<Self> {
        let (used, texts) = (AtomicUsize::new(0), Mutex::default());
        Arc::new(Self { limit, used, freed: Arc::clone(freed), texts })
    }

    fn has_room(&self) -> bool {
        self.used.load(Ordering::SeqCst) < self.limit
    }

    fn take(self: &Arc<Self>, bytes: usize) -> Held {
        self.used.fetch_add(bytes, Ordering::SeqCst);
        Held { budget: Arc::clone(self), bytes }
    }

    /// An amount that is larger than the whole budget is granted as soon as nothing but the holder's own part is held.
    fn add(&self, bytes: usize, own: usize) -> bool {
        let fits = |used: usize| (bytes == 0 || used == own || used + bytes <= self.limit).then_some(used + bytes);
        self.used.fetch_update(Ordering::SeqCst, Ordering::SeqCst, fits).is_ok()
    }

    /// Replaces texts by equal ones that the client already holds. Returns the other texts, each once.
    fn share(&self, body: &mut Json) -> Vec<Arc<Text>> {
        let mut known = lock(&self.texts);
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

/// Takes a part of each of these budgets, besides what is already held, or nothing at all. A failed attempt wakes none
/// of the waiting requests.
fn try_take<const N: usize>(parts: [(&Arc<Budget>, usize, usize); N]) -> Option<[Held; N]> {
    for (at, (budget, bytes, own)) in parts.iter().enumerate() {
        if !budget.add(*bytes, *own) {
            for (budget, bytes, _) in &parts[..at] {
                budget.used.fetch_sub(*bytes, Ordering::SeqCst);
            }
            return None;
        }
    }
    Some(parts.map(|(budget, bytes, _)| Held { budget: Arc::clone(budget), bytes }))
}

impl Held {
    /// Splits off a part of this, at most all of it.
    fn part(&mut self, bytes: usize) -> Self {
        let bytes = bytes.min(self.bytes);
        self.bytes -= bytes;
        Self { budget: Arc::clone(&self.budget), bytes }
    }

    fn add(&mut self, mut other: Self) {
        self.bytes += std::mem::take(&mut other.bytes);
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        if self.bytes > 0 {
            self.budget.used.fetch_sub(self.bytes, Ordering::SeqCst);
            let freed = &self.budget.freed;
            if freed.waiting.load(Ordering::SeqCst) > 0 {
                freed.notify.notify_waiters();
            }
        }
    }
}

/// A request that waits for memory.
struct Waiting<'a>(&'a Freed);

impl<'a> Waiting<'a> {
    fn begin(freed: &'a Freed) -> Self {
        freed.waiting.fetch_add(1, Ordering::SeqCst);
        Self(freed)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.waiting.fetch_sub(1, Ordering::SeqCst);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
