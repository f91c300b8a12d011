//! Samples of what people are told of.

use super::{Sample, sample};
use crate::support::json;

/// The samples, in the order of the table.
pub fn samples() -> Vec<Sample> {
    vec![
        sample("activity.listNotificationsForAuthenticatedUser", "tom", 200)
            .query("per_page=1&all=true&participating=false&since=2025-01-31T12:00:00Z&before=2027-01-31T12:00:00Z"),
        sample("activity.markNotificationsAsRead", "tom", 205)
            .body(|_| json!({ "last_read_at": "2026-01-02T12:00:00Z", "read": true })),
        sample("activity.getThread", "tom", 200),
        sample("activity.markThreadAsRead", "tom", 205),
        sample("activity.markThreadAsDone", "tom", 204),
        sample("activity.getThreadSubscriptionForAuthenticatedUser", "tom", 200),
        sample("activity.setThreadSubscription", "tom", 200).body(|_| json!({ "ignored": true })),
        sample("activity.deleteThreadSubscription", "tom", 204),
        sample("users.getMailSettings", "tom", 200),
        sample("users.updateMailSettings", "tom", 200).body(|_| json!({ "posts": "mentions" })),
    ]
}
