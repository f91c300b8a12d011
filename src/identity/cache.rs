//! The documents that a provider has published, for a time: one request at a time, and none soon after another.

use std::sync::Arc;

use tokio::sync::Mutex;

use super::{PAUSE, Refused};
use crate::clock::Time;

/// The result of the last request, and its time.
type Last<T> = Option<(Time, Result<Arc<T>, Refused>)>;

/// A document of a provider.
pub struct Cache<T>(Mutex<Last<T>>);

impl<T> Default for Cache<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T> Cache<T> {
    /// The document, if it is not older than so many seconds; otherwise it is fetched. After a failure there is a pause,
    /// so that many people do not wait for a provider that is down.
    pub async fn get(
        &self,
        now: Time,
        oldest: i64,
        fetch: impl AsyncFnOnce() -> Result<T, Refused>,
    ) -> Result<Arc<T>, Refused> {
        let mut last = self.0.lock().await;
        if let Some((at, result)) = &*last {
            let ends = at.plus_seconds(if result.is_ok() { oldest } else { PAUSE });
            if *at <= now && now < ends {
                return result.clone();
            }
        }
        let result = fetch().await.map(Arc::new);
        *last = Some((now, result.clone()));
        result
    }
}

#[cfg(test)]
mod tests {
    use super::{Cache, PAUSE, Refused, Time};

    /// The number that the cache has after this many seconds, where a request would get 7 or fail.
    async fn at(cache: &Cache<i64>, seconds: i64, works: bool) -> Option<i64> {
        let fetch = async || if works { Ok(seconds) } else { Err(Refused::because("down")) };
        cache.get(Time(seconds * 1_000_000), 60, fetch).await.ok().map(|number| *number)
    }

    #[tokio::test]
    async fn what_was_fetched_is_kept_for_a_time_and_a_failure_for_a_pause() {
        let cache = Cache::default();
        assert_eq!(at(&cache, 100, true).await, Some(100));
        assert_eq!(at(&cache, 159, false).await, Some(100));
        assert_eq!(at(&cache, 160, false).await, None);
        assert_eq!(at(&cache, 160 + PAUSE - 1, true).await, None);
        assert_eq!(at(&cache, 160 + PAUSE, true).await, Some(160 + PAUSE));
        // A clock that was set back does not make it last longer.
        assert_eq!(at(&cache, 90, true).await, Some(90));
    }
}
