//! Leases of receivers: a node sends to one only while it holds its lease, so that several nodes share the work and none
//! does what another does. Whatever changes the deliveries of a receiver locks its lease first, because what is put in
//! line depends on what is in line.

use std::time::Duration;

use super::Target;
use crate::clock::Time;
use crate::db::Tx;
use crate::error::Result;

/// How long a lease is.
pub(super) const LENGTH: Duration = Duration::from_secs(30);

/// How much of it must be left to begin an attempt. Hardly one takes longer; while one does, the lease is renewed, because
/// its delivery is still due.
pub(super) const LEAST: Duration = Duration::from_secs(12);

/// With how much left it is renewed.
pub(super) const RENEW: Duration = Duration::from_secs(20);

/// The node of this worker.
#[derive(Debug, Clone)]
pub struct Node {
    /// Its name: the same after a restart, and different from that of every other node.
    pub name: String,
    /// Whether no other node can use the store: what a lease says is of the process before then.
    pub alone: bool,
}

/// Locks the lease of a receiver, and takes or renews it if no other node has it; whether this node has it now.
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

/// Whether a lease could be claimed.
pub(super) fn is_free(tx: &mut Tx, target: Target, node: &Node, now: Time) -> Result<bool> {
    let taken = tx.any(TAKEN, &[&target.kind.word(), &target.id, &node.name, &now.0])?;
    Ok(node.alone || !taken)
}

const TAKEN: &str = "
    SELECT 1 FROM delivery_leases WHERE kind = $1 AND target_id = $2 AND node <> $3 AND until >= $4";

/// Gives up the leases of a node that stops.
pub(super) fn give_up(tx: &mut Tx, targets: &[Target], node: &Node) -> Result<()> {
    targets.iter().try_for_each(|target| tx.run(GIVE_UP, &[&target.kind.word(), &target.id, &node.name]).map(drop))
}

const GIVE_UP: &str = "DELETE FROM delivery_leases WHERE kind = $1 AND target_id = $2 AND node = $3";

/// The time that decides whether a lease has ended. On PostgreSQL it is the server's, because the clocks of nodes differ.
pub(super) fn time(tx: &mut Tx, now: Time) -> Result<Time> {
    Ok(tx.server_time()?.map_or(now, Time))
}
