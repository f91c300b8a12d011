//! Statements that are sent together with the one before them, because their rows will be needed next. All are answered
//! in one round trip, in order. Each sees the same data as the ones before it, or newer data.

use std::future::{Future, poll_fn};
use std::task::Poll;

use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, Row, Statement};

use crate::db::row::{Bind, Params};

type Result<T> = std::result::Result<T, tokio_postgres::Error>;

/// A statement that will be sent with the next one.
pub(super) struct Ahead {
    pub sql: &'static str,
    params: Vec<Box<dyn Bind + Send>>,
}

impl Ahead {
    fn values(&self) -> Vec<&(dyn ToSql + Sync)> {
        self.params.iter().map(|value| &**value as &(dyn ToSql + Sync)).collect()
    }
}

/// The rows of such a statement, until they are needed or anything changes.
struct Known {
    sql: &'static str,
    /// The parameters, as text.
    params: String,
    rows: Vec<Row>,
}

/// The statements of a connection that are sent ahead.
#[derive(Default)]
pub(super) struct Aheads {
    queued: Vec<Ahead>,
    known: Vec<Known>,
}

impl Aheads {
    pub fn queue(&mut self, sql: &'static str, params: Vec<Box<dyn Bind + Send>>) {
        self.queued.push(Ahead { sql, params });
    }

    /// Removes and returns the statements that must be sent.
    pub fn take_queued(&mut self) -> Vec<Ahead> {
        std::mem::take(&mut self.queued)
    }

    /// Stores the results.
    pub fn answered(&mut self, asked: Vec<Ahead>, answers: Vec<Vec<Row>>) {
        let known = |(Ahead { sql, params }, rows)| Known { sql, params: format!("{params:?}"), rows };
        self.known.extend(asked.into_iter().zip(answers).map(known));
    }

    /// The rows of this statement, if it was sent ahead. They are returned once.
    pub fn take(&mut self, sql: &'static str, params: Params<'_>) -> Option<Vec<Row>> {
        if self.known.is_empty() {
            return None;
        }
        let params = format!("{params:?}");
        let place = self.known.iter().position(|known| known.sql == sql && known.params == params)?;
        Some(self.known.swap_remove(place).rows)
    }

    pub fn forget(&mut self) {
        self.queued.clear();
        self.known.clear();
    }
}

/// Sends all of them at once, with the first poll.
pub(super) async fn ask(client: &Client, asked: &[Ahead], prepared: &[Statement]) -> Result<Vec<Vec<Row>>> {
    let params: Vec<Vec<&(dyn ToSql + Sync)>> = asked.iter().map(Ahead::values).collect();
    let mut waiting: Vec<_> =
        prepared.iter().zip(&params).map(|(statement, params)| Box::pin(client.query(statement, params))).collect();
    let mut answers: Vec<Option<Vec<Row>>> = waiting.iter().map(|_| None).collect();
    poll_fn(|cx| {
        for (one, answer) in waiting.iter_mut().zip(&mut answers).filter(|(_, answer)| answer.is_none()) {
            match one.as_mut().poll(cx) {
                Poll::Ready(Err(error)) => return Poll::Ready(Err(error)),
                Poll::Ready(Ok(rows)) => *answer = Some(rows),
                Poll::Pending => {}
            }
        }
        if answers.iter().all(Option::is_some) { Poll::Ready(Ok(())) } else { Poll::Pending }
    })
    .await?;
    Ok(answers.into_iter().flatten().collect())
}
