//! The limits that settings change, with the values that a server runs with.

use crate::config::{SETTINGS, Settings};

/// A limit that a setting changes.
#[derive(Debug, Clone)]
pub struct InForce {
    /// The name of the setting.
    pub name: &'static str,
    /// A sentence about it.
    pub help: &'static str,
    /// Its value; none if there is no such limit.
    pub value: Option<u64>,
    /// The unit of the value.
    pub unit: &'static str,
}

/// The limits in force.
#[must_use]
pub fn in_force(settings: &Settings) -> Vec<InForce> {
    let (rate, abuse, memory) = (settings.rate_limit, settings.abuse_limit, settings.memory);
    let (kept, tries, mail) = (settings.retention, settings.deliveries, &settings.mail);
    let mib = |bytes: usize| u64::try_from(bytes >> 20).ok();
    let some = |number: u32| Some(u64::from(number));
    let (requests, creations) = ("requests in an hour", "posts, comments and invitations");
    [
        ("rate_limit.per_hour", rate.and_then(|rate| some(rate.per_hour)), requests),
        ("rate_limit.anonymous_per_hour", rate.and_then(|rate| some(rate.anonymous_per_hour)), requests),
        ("abuse_limit.per_minute", some(abuse.per_minute), creations),
        ("abuse_limit.per_hour", some(abuse.per_hour), creations),
        ("memory.in_flight_mib", mib(memory.in_flight), "MiB"),
        ("memory.bodies_mib", mib(memory.bodies), "MiB"),
        ("memory.per_client_mib", mib(memory.per_client), "MiB"),
        ("invitations.expire_days", some(settings.invitation_days), "days"),
        ("deliveries.retry_seconds", some(tries.retry_seconds), "seconds"),
        ("deliveries.retry_days", some(tries.retry_days), "days"),
        ("audit.retention_days", some(kept.audit_days), "days"),
        ("retention.facts_days", some(kept.facts_days), "days"),
        ("retention.deliveries_days", some(kept.deliveries_days), "days"),
        ("retention.dead_letters_days", some(kept.dead_letters_days), "days"),
        ("mail.keep_days", some(mail.keep_days), "days"),
        ("mail.max_mib", mib(mail.max_bytes), "MiB"),
    ]
    .into_iter()
    .map(|(name, value, unit)| {
        let help = SETTINGS.iter().find(|setting| setting.name == name).map_or("", |setting| setting.help);
        InForce { name, help, value, unit }
    })
    .collect()
}
