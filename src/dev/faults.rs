//! Faults: what happens to a request before it is carried out, or instead.

use std::borrow::Cow;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use hyper::Method;
use hyper::header::{HeaderMap, HeaderValue};
use percent_encoding::percent_decode_str;
use serde_json::{Value, json};

/// The named faults.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ready {
    /// 403, as after too many requests in an hour.
    RateLimited,
    /// 403, as after too much content in a minute.
    SecondaryRateLimit,
    /// 502, as from a proxy.
    BadGateway,
    /// 504, as from a proxy, after a delay.
    Timeout,
    /// The connection is closed without a response.
    Drop,
    /// The response comes after a delay.
    Slow,
}

impl Ready {
    /// The name of each.
    pub const ALL: [(&str, Self); 6] = [
        ("rate_limited", Self::RateLimited),
        ("secondary_rate_limit", Self::SecondaryRateLimit),
        ("bad_gateway", Self::BadGateway),
        ("timeout", Self::Timeout),
        ("drop", Self::Drop),
        ("slow", Self::Slow),
    ];

    /// The delay if the fault sets none.
    pub fn delay(self) -> Duration {
        match self {
            Self::Timeout => Duration::from_secs(5),
            Self::Slow => Duration::from_secs(2),
            _ => Duration::ZERO,
        }
    }
}

/// The requests that a fault applies to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// Those of an operation, by its name.
    Operation(&'static str),
    /// Those with a path, and with this method if there is one.
    Path(Option<Method>, Vec<Segment>),
}

/// A segment of the path of a fault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Segment {
    /// This one, decoded.
    Text(String),
    /// Any one.
    Any,
    /// All that are left, but at least one.
    Rest,
}

/// The effect of a fault on a request.
#[derive(Debug, Clone)]
pub struct Effect {
    /// The named fault.
    pub ready: Option<Ready>,
    /// The status of the response.
    pub status: Option<u16>,
    /// The body of the response, with its media type.
    pub body: Option<(HeaderValue, Bytes)>,
    /// Headers of the response.
    pub headers: HeaderMap,
    /// The delay of the response.
    pub delay: Duration,
}

/// A fault.
#[derive(Debug)]
pub struct Fault {
    /// The fault as it was sent.
    pub given: Value,
    /// The requests that it applies to.
    pub target: Target,
    /// The effect on them.
    pub effect: Effect,
    /// The number of times that it applies; without limit if absent.
    pub count: Option<u64>,
    /// The probability that it applies to a request; always if absent.
    pub probability: Option<f64>,
    /// The seed of its random numbers.
    pub seed: u64,
}

/// A fault with what it has done so far.
#[derive(Debug)]
struct Armed {
    fault: Fault,
    matched: u64,
    hits: u64,
}

/// The faults of a generation, in their order.
#[derive(Debug, Default)]
pub struct Faults(Mutex<Vec<Armed>>);

impl Faults {
    /// Replaces all faults.
    pub fn put(&self, faults: Vec<Fault>) {
        let armed = faults.into_iter().map(|fault| Armed { fault, matched: 0, hits: 0 });
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = armed.collect();
    }

    /// The faults as responses show them: as they were sent, with the number of requests that each has applied to.
    pub fn list(&self) -> Value {
        let faults = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let shown = faults.iter().map(|armed| {
            let mut shown = armed.fault.given.clone();
            shown["hits"] = armed.hits.into();
            shown
        });
        json!({ "faults": shown.collect::<Vec<_>>() })
    }

    /// The first fault that applies to a request, with its index. Counts the request.
    pub fn meet(&self, operation: Option<&str>, method: &Method, path: &str) -> Option<(usize, Effect)> {
        let path = decoded(path);
        let mut faults = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        faults.iter_mut().enumerate().find_map(|(place, armed)| {
            let spent = armed.fault.count.is_some_and(|count| armed.hits >= count);
            if spent || !armed.fault.target.is(operation, method, &path) {
                return None;
            }
            armed.matched += 1;
            let fault = &armed.fault;
            if fault.probability.is_some_and(|probability| drawn(fault.seed, armed.matched) >= probability) {
                return None;
            }
            armed.hits += 1;
            Some((place, armed.fault.effect.clone()))
        })
    }
}

impl Target {
    fn is(&self, operation: Option<&str>, sent: &Method, path: &str) -> bool {
        match self {
            Self::Operation(name) => operation == Some(name),
            Self::Path(method, segments) => {
                let parts: Vec<&str> = path.split('/').collect();
                let has_rest = segments.last() == Some(&Segment::Rest);
                let fits = parts.len() == segments.len() || has_rest && parts.len() > segments.len();
                let equal =
                    |(segment, part): (&Segment, &&str)| !matches!(segment, Segment::Text(text) if text != part);
                fits && segments.iter().zip(&parts).all(equal) && method.as_ref().is_none_or(|m| is_met_by(m, sent))
            }
        }
    }
}

/// HEAD exists wherever GET does.
fn is_met_by(method: &Method, sent: &Method) -> bool {
    method == sent || method == Method::GET && sent == Method::HEAD
}

/// A path without escapes. Some clients escape the slashes of a file's path, others do not.
pub fn decoded(path: &str) -> Cow<'_, str> {
    percent_decode_str(path).decode_utf8_lossy()
}

/// The nth random number of a seed, from 0 to 1 (splitmix64).
fn drawn(seed: u64, nth: u64) -> f64 {
    let mut z = seed.wrapping_add(nth.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    let high = u32::try_from((z ^ (z >> 31)) >> 32).unwrap_or_default();
    f64::from(high) / (f64::from(u32::MAX) + 1.0)
}

#[cfg(test)]
mod tests {
    use super::drawn;

    #[test]
    fn random_numbers_repeat_and_are_spread() {
        let hits = |seed| (1..=10_000).filter(|n| drawn(seed, *n) < 0.25).count();
        assert_eq!(hits(7), hits(7));
        for seed in [0, 1, 7, u64::MAX] {
            assert!((2_300..2_700).contains(&hits(seed)), "{seed}: {}", hits(seed));
        }
        assert!((1..=10_000).all(|n| (0.0..1.0).contains(&drawn(3, n))));
    }
}
