//! The limits that no setting changes, for operators to read.

use super::windows::{DAY, HOUR};
use super::{devices, mails, resources};

/// The largest body of a request, in bytes.
pub const LARGEST_BODY: usize = 1 << 20;

/// The largest body that is a file of an organization, in bytes (decision 75).
pub const LARGEST_FILE: usize = 8 << 20;

/// A limit that no setting changes.
#[derive(Debug, Clone, Copy)]
pub struct Fixed {
    /// The thing that it limits, in words.
    pub what: &'static str,
    /// The most of it.
    pub most: i64,
    /// The unit, such as `in an hour`.
    pub unit: &'static str,
}

/// All of them.
#[must_use]
pub fn all() -> Vec<Fixed> {
    let one = |what, most, unit| Fixed { what, most, unit };
    let windows = |what, windows: &[(i64, i64)]| -> Vec<Fixed> {
        windows.iter().map(|(lasts, most)| one(what, *most, named(*lasts))).collect()
    };
    let kibibytes = |bytes: usize| i64::try_from(bytes / 1024).unwrap_or(i64::MAX);
    let (per_hour, per_minute) = ("in an hour", "in a minute");
    let mut all = vec![
        one("Largest body of a request", kibibytes(LARGEST_BODY), "KiB"),
        one("Largest file of an organization in a request", kibibytes(LARGEST_FILE), "KiB"),
        one("Searches by a person", resources::SEARCHES.0.into(), per_minute),
        one("Searches from an IP address without a token", resources::SEARCHES.1.into(), per_minute),
        one("Points of GraphQL for a person", resources::POINTS.into(), per_hour),
        one("Pages for signed-out visitors of a network", resources::PAGES.into(), per_hour),
        one("Requests of applications from a network", resources::OF_APPLICATIONS.into(), per_hour),
    ];
    all.extend(windows("E-mails with a link to one address", &mails::TO_ADDRESS));
    all.extend(windows("E-mails with a link that one person asks for", &mails::BY_PERSON));
    all.extend(windows("Device codes that a network asks for", &devices::ASKED));
    all.extend(windows("Wrong device codes by one person", &devices::WRONG_BY_PERSON));
    all.extend(windows("Wrong device codes from a network", &devices::WRONG_FROM_NETWORK));
    all
}

/// The name of a window that lasts this long.
fn named(lasts: i64) -> &'static str {
    match lasts {
        HOUR => "in an hour",
        DAY => "in a day",
        _ => "in a window",
    }
}
