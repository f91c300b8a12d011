//! Leases of receivers: a node sends to a receiver only while it holds the lease, so that several nodes share the work
//! and none repeats the work of another. Code that changes the deliveries of a receiver locks its lease first, because
//! what is queued depends on what is in the queue.

use std::time::Duration;

use super::Target;
use crate::clock::Time;
use crate::db::Tx;
use crate::error::Result;

/// The duration of a lease.
pub(super) const LENGTH: Duration = Duration::from_secs(30);

/// The time that must be left of a lease to begin an attempt. Attempts hardly ever take longer; while one does, the
/// lease is renewed, because its delivery is still due.
pub(super) const LEAST: Duration = Duration::from_secs(12);

/// A lease is renewed when this much time is left.
pub(super) const RENEW: Duration = Duration::from_secs(20);

/// The node of this worker.
#[derive(Debug, Clone)]
pub struct Node {
    /// Its name: the same after a restart, and different from that of every other node.
    pub name: String,
    /// True if no other node can use the store, so that an existing lease belongs to a previous process of this node.
    pub alone: bool,
}

/// Locks the lease of a receiver, and takes or renews it unless another node holds it. Returns whether this node holds
/// it now.
pub(super) fn claim(tx: &mut Tx, target: Target, node: &Node, now: Time) -> Result<bool> {
    let until = now.plus_seconds(i64::try_from(LENGTH.as_secs()).unwrap_or_default());
    let taken = tx.run(CLAIM, &[&target.kind.word(), &target.id, &node.name, &until.0, &now.0, &node.alone])?;
    Ok(taken > 0)
}

const CLAIM: &str = "
    INSERT INTO delivery_leases (kind, target_id, node, until) VALUES ($1, $2, $3, $4)
    ON CONFLICT (kind, target_id) DO UPDATE SET node = excluded.node, until = excluded.until
    WHERE delivery_leases.node = $3 OR delivery_leases.until < $5 OR $6 = TRUE";

/// Locks the lease of a receiver, whichever node has it.
pub(super) fn lock(tx: &mut Tx, target: Target) -> Result<()> {
    tx.run(LOCK, &[&target.kind.word(), &target.id]).map(drop)
}

const LOCK: &str = "
    INSERT INTO delivery_leases (kind, target_id, node, until) VALUES ($1, $2, '', 0)
    ON CONFLICT (kind, target_id) DO UPDATE SET until = delivery_leases.until";

/// True if a lease could be claimed.
pub(super) fn is_free(tx: &mut Tx, target: Target, node: &Node, now: Time) -> Result<bool> {
    let taken = tx.any(TAKEN, &[&target.kind.word(), &target.id, &node.name, &now.0])?;
    Ok(node.alone || !taken)
}

const TAKEN: &str = "
    SELECT 1 FROM delivery_leases WHERE kind = $1 AND target_id = $2 AND node <> $3 AND until >= $4";

/// Releases the leases of a node that stops.
pub(super) fn give_up(tx: &mut Tx, targets: &[Target], node: &Node) -> Result<()> {
    targets.iter().try_for_each(|target| tx.run(GIVE_UP, &[&target.kind.word(), &target.id, &node.name]).map(drop))
}

const GIVE_UP: &str = "DELETE FROM delivery_leases WHERE kind = $1 AND target_id = $2 AND node = $3";

/// The time that decides whether a lease has ended. On PostgreSQL it is that of the database server, because the clocks
/// of nodes differ.
pub(super) fn time(tx: &mut Tx, now: Time) -> Result<Time> {
    Ok(tx.server_time()?.map_or(now, Time))
}
