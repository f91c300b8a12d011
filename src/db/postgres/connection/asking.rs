//! Statements that return rows.

use std::future::poll_fn;
use std::pin::pin;

use futures_core::Stream;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, Statement};

use super::ahead;
use super::{Connection, values};
use crate::db::rerun::Rerun;
use crate::db::row::{Bind, Params, Row};
use crate::error::{Error, Result};

/// An error of a statement: one of the driver, or one of the function that was called with a row.
type Passed = std::result::Result<Result<()>, tokio_postgres::Error>;

impl Connection {
    /// Passes on each row as it arrives, so that at most one is in memory. If the rows are too large in total, the work
    /// runs elsewhere.
    pub(in crate::db) fn each(
        &mut self,
        sql: &'static str,
        params: Params<'_>,
        mut row: impl FnMut(&Row<'_>) -> Result<()>,
    ) -> Result<()> {
        if let Some(rows) = self.aheads.take(sql, params) {
            return rows.iter().try_for_each(|next| row(&Row::Postgres(next)));
        }
        let statement = self.statement(sql)?;
        let values = values(params);
        let (mut left, mut too_many) = (self.left, false);
        let take = |next: &tokio_postgres::Row| {
            let Some(rest) = left.checked_sub(next.raw_size_bytes()) else {
                too_many = true;
                return Err(Error::Unavailable("too many rows for a read beside others".into()));
            };
            left = rest;
            row(&Row::Postgres(next))
        };
        let asked = if sql.trim_start().starts_with("SELECT") {
            self.aheads.take_queued()
        } else {
            self.change();
            Vec::new()
        };
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

    /// Sends a statement together with the next one. Its result is kept until it is needed or anything changes.
    pub(in crate::db) fn ahead(&mut self, sql: &'static str, params: Vec<Box<dyn Bind + Send>>) {
        self.aheads.queue(sql, params);
    }

    /// Runs a statement that may be the only one of a read, without a transaction if none has begun. The last column of
    /// its rows is the text of the snapshot. Behind a pooler it needs a transaction, to apply the session's settings.
    pub(in crate::db) fn each_alone(
        &mut self,
        sql: &'static str,
        params: Params<'_>,
        mut row: impl FnMut(&Row<'_>) -> Result<()>,
    ) -> Result<()> {
        let Some(beginning) = self.beginning.take_if(|_| !self.pooled) else { return self.each(sql, params, row) };
        self.hurry = Some(beginning.within);
        let mut snapshot = None;
        let done = self.each(sql, params, |next| {
            if let Row::Postgres(columns) = next {
                snapshot = Some(next.get(columns.len() - 1)?);
            }
            row(next)
        });
        (self.beginning, self.hurry, self.snapshot) = (Some(beginning), None, snapshot);
        done
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
