//! An alarm for a deadline that moves with each request.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::time::{Instant, Sleep};

/// Wakes a task at a deadline. Setting a timer costs time, so none is set before the first wait. After that, it is only
/// set again if the deadline is earlier, or if it has fired too early.
#[derive(Debug, Default)]
pub struct Alarm(Option<Pin<Box<Sleep>>>);

impl Alarm {
    /// Waits until this deadline.
    pub fn poll(&mut self, due: Instant, cx: &mut Context<'_>) -> Poll<()> {
        let alarm = self.0.get_or_insert_with(|| Box::pin(tokio::time::sleep_until(due)));
        if alarm.deadline() > due || alarm.is_elapsed() {
            alarm.as_mut().reset(due);
        }
        loop {
            ready!(alarm.as_mut().poll(cx));
            if Instant::now() >= due {
                return Poll::Ready(());
            }
            alarm.as_mut().reset(due);
        }
    }
}
