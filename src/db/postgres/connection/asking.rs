//! Runs the statements of a transaction on the connection.

use std::collections::VecDeque;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::task::Poll;

use futures_core::Stream;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, Statement};

use super::ahead;
use super::{Connection, values};
use crate::db::postgres::Origin;
use crate::db::rerun::Rerun;
use crate::db::row::{Bind, Params, Row};
use crate::db::statements::{OnRow, Statements};
use crate::error::{Error, Result};

/// An error of a statement: one of the driver, or one of the function that was called with a row.
type Passed = std::result::Result<Result<()>, tokio_postgres::Error>;

impl Statements for Connection {
    fn each(&mut self, sql: &'static str, params: Params<'_>, row: OnRow<'_>) -> Result<()> {
        if let Some(rows) = self.aheads.take(sql, params) {
            return rows.iter().try_for_each(|next| row(&Row::of_postgres(next)));
        }
        self.pass(sql, params, row)
    }

    fn run_each(&mut self, sql: &'static str, params: Params<'_>, row: OnRow<'_>) -> Result<()> {
        self.change();
        self.pass(sql, params, row)
    }

    fn ahead(&mut self, sql: &'static str, params: Vec<Box<dyn Bind + Send>>) {
        self.aheads.queue(sql, params);
    }

    /// Runs a statement that may be the only one of a read, without a transaction if none has begun. The last column of
    /// its rows is the text of the snapshot. Behind a pooler it needs a transaction, to apply the session's settings.
    fn each_alone(&mut self, sql: &'static str, params: Params<'_>, row: OnRow<'_>) -> Result<()> {
        let Some(beginning) = self.beginning.take_if(|_| !self.pooled) else { return self.each(sql, params, row) };
        self.hurry = Some(beginning.within);
        let mut snapshot = None;
        let done = self.each(sql, params, &mut |next| {
            snapshot = next.last()?;
            row(next)
        });
        (self.beginning, self.hurry, self.snapshot) = (Some(beginning), None, snapshot);
        done
    }

    fn each_of(&mut self, sql: &'static str, keys: &mut dyn Iterator<Item = &dyn Bind>, row: OnRow<'_>) -> Result<()> {
        for key in keys {
            self.each(sql, &[key], row)?;
        }
        Ok(())
    }

    fn run(&mut self, sql: &'static str, params: Params<'_>) -> Result<u64> {
        let statement = self.statement(sql)?;
        let values = values(params);
        self.change();
        self.wait(sql, self.timeouts.statement(), async |client| client.execute(&statement, &values).await)
    }

    fn run_together(&mut self, statements: &[(&'static str, Params<'_>)]) -> Result<()> {
        let prepared: Vec<Statement> = statements.iter().map(|(sql, _)| self.statement(sql)).collect::<Result<_>>()?;
        let values: Vec<_> = statements.iter().map(|(_, params)| values(params)).collect();
        self.change();
        let names = || statements.iter().map(|(sql, _)| *sql).collect::<Vec<_>>().join("; ");
        self.wait(&names(), self.timeouts.statement(), async |client| {
            let asked = prepared.iter().zip(&values).map(|(sql, values)| Box::pin(client.execute(sql, values)));
            let mut asked: VecDeque<_> = asked.collect();
            poll_fn(|cx| {
                // Polling all of them sends all of them. The responses arrive in order.
                let mut answered = 0;
                for (number, one) in asked.iter_mut().enumerate() {
                    match one.as_mut().poll(cx) {
                        Poll::Ready(Err(error)) => return Poll::Ready(Err(error)),
                        Poll::Ready(Ok(_)) => answered = number + 1,
                        Poll::Pending => {}
                    }
                }
                asked.drain(..answered);
                if asked.is_empty() { Poll::Ready(Ok(())) } else { Poll::Pending }
            })
            .await
        })
    }

    fn batch(&mut self, sql: &str) -> Result<()> {
        let sql = sql
            .replace("{id}", "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY")
            .replace("{bytes}", "BYTEA")
            .replace("{binary}", "\"C\"")
            .replace("{keyed}", "")
            .replace("{postgres}", "")
            .replace("{sqlite}", "-- ");
        self.change();
        self.send(&sql, self.timeouts.statement())
    }

    fn is_remote(&self) -> bool {
        true
    }

    fn snapshot(&self) -> Option<&str> {
        self.snapshot.as_deref()
    }

    fn origin(&self, incarnation: u64) -> Origin {
        Origin::of(incarnation, &self.server)
    }

    fn has_written(&self) -> bool {
        self.written
    }

    fn rerun(&self) -> Option<Rerun> {
        self.rerun
    }
}

impl Connection {
    /// Passes on each row as it arrives, so that at most one is in memory. If the rows are too large in total, the work
    /// runs elsewhere.
    fn pass(&mut self, sql: &'static str, params: Params<'_>, row: OnRow<'_>) -> Result<()> {
        let statement = self.statement(sql)?;
        let values = values(params);
        let (mut left, mut too_many) = (self.left, false);
        let take = |next: &tokio_postgres::Row| {
            let Some(rest) = left.checked_sub(next.raw_size_bytes()) else {
                too_many = true;
                return Err(Error::Unavailable("too many rows for a read beside others".into()));
            };
            left = rest;
            row(&Row::of_postgres(next))
        };
        let asked = self.aheads.take_queued();
        let passed_on = if asked.is_empty() {
            self.wait(sql, self.timeouts.statement(), async |client| pass_on(client, &statement, &values, take).await)
        } else {
            let prepared: Vec<Statement> =
                asked.iter().map(|ahead| self.statement(ahead.sql)).collect::<Result<_>>()?;
            let both = self.wait(sql, self.timeouts.statement(), async |client| {
                let asking = ahead::ask(client, &asked, &prepared);
                let (passed_on, answers) = tokio::join!(biased; pass_on(client, &statement, &values, take), asking);
                Ok((passed_on?, answers?))
            });
            both.map(|(passed_on, answers)| {
                self.aheads.answered(asked, answers);
                passed_on
            })
        };
        self.left = left;
        if too_many {
            self.rerun = Some(Rerun::Elsewhere);
        }
        passed_on?
    }
}

async fn pass_on(
    client: &Client,
    statement: &Statement,
    values: &[&(dyn ToSql + Sync)],
    mut take: impl FnMut(&tokio_postgres::Row) -> Result<()>,
) -> Passed {
    let mut rows = pin!(client.query_raw(statement, values.iter().copied()).await?);
    while let Some(next) = poll_fn(|cx| rows.as_mut().poll_next(cx)).await.transpose()? {
        if let Err(error) = take(&next) {
            return Ok(Err(error));
        }
    }
    Ok(Ok(()))
}
