//! One connection to PostgreSQL with its kept statements.

use std::collections::HashMap;

use postgres::config::SslMode;
use postgres::error::SqlState;
use postgres::types::ToSql;
use postgres::{Client, NoTls, Statement};

use crate::db::row::{Params, Row};
use crate::error::{Error, Result};

/// Settings of each session: a statement or a lock that takes longer than this fails, and the caller gets a 503.
const SESSION: &str = "SET statement_timeout = '30s'; SET lock_timeout = '5s'; SET timezone = 'UTC'";

pub(in crate::db) struct Connection {
    client: Client,
    statements: HashMap<&'static str, Statement>,
}

impl Connection {
    pub(super) fn open(config: &postgres::Config) -> Result<Self> {
        let connected = match config.get_ssl_mode() {
            SslMode::Require => config.connect(verified_tls()?),
            _ => config.connect(NoTls),
        };
        let mut client = connected.map_err(|e| unreachable(config, &e))?;
        client.batch_execute(SESSION).map_err(|e| fault(SESSION, &e))?;
        Ok(Self { client, statements: HashMap::new() })
    }

    pub(super) fn is_closed(&self) -> bool {
        self.client.is_closed()
    }

    pub(in crate::db) fn each(
        &mut self,
        sql: &'static str,
        params: Params<'_>,
        mut row: impl FnMut(&Row<'_>) -> Result<()>,
    ) -> Result<()> {
        let statement = self.statement(sql)?;
        let rows = self.client.query(&statement, &values(params)).map_err(|e| fault(sql, &e))?;
        rows.iter().try_for_each(|next| row(&Row::Postgres(next)))
    }

    pub(in crate::db) fn run(&mut self, sql: &'static str, params: Params<'_>) -> Result<u64> {
        let statement = self.statement(sql)?;
        self.client.execute(&statement, &values(params)).map_err(|e| fault(sql, &e))
    }

    pub(in crate::db) fn batch(&mut self, sql: &str) -> Result<()> {
        let sql = sql
            .replace("{id}", "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY")
            .replace("{bytes}", "BYTEA")
            .replace("{binary}", "\"C\"")
            .replace("{keyed}", "");
        self.client.batch_execute(&sql).map_err(|e| fault(&sql, &e))
    }

    fn statement(&mut self, sql: &'static str) -> Result<Statement> {
        if let Some(statement) = self.statements.get(sql) {
            return Ok(statement.clone());
        }
        let statement = self.client.prepare(sql).map_err(|e| fault(sql, &e))?;
        self.statements.insert(sql, statement.clone());
        Ok(statement)
    }
}

fn values(params: Params<'_>) -> Vec<&(dyn ToSql + Sync)> {
    params.iter().map(|value| *value as &(dyn ToSql + Sync)).collect()
}

fn verified_tls() -> Result<tokio_postgres_rustls::MakeRustlsConnect> {
    use tokio_rustls::rustls;
    let mut roots = rustls::RootCertStore::empty();
    for certificate in rustls_native_certs::load_native_certs().certs {
        if let Err(error) = roots.add(certificate) {
            tracing::warn!(%error, "a root certificate of the system is not usable");
        }
    }
    let provider = std::sync::Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|e| Error::Bug(e.to_string()))?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(tokio_postgres_rustls::MakeRustlsConnect::new(config))
}

fn unreachable(config: &postgres::Config, error: &postgres::Error) -> Error {
    use std::error::Error as _;
    let cause = error.source().map_or_else(|| error.to_string(), |source| format!("{error}: {source}"));
    let database = config.get_dbname().unwrap_or("(no name)");
    Error::Unavailable(format!(
        "cannot connect to the PostgreSQL database {database}: {cause}; check that the server runs and the address in --database"
    ))
}

/// A driver's error in our words.
fn fault(sql: &str, error: &postgres::Error) -> Error {
    let Some(db) = error.as_db_error() else {
        return Error::Unavailable(format!("PostgreSQL: {error} in {sql}"));
    };
    match *db.code() {
        // What a row was to refer to has been deleted since it was read, under a lock that this request does not take.
        SqlState::T_R_SERIALIZATION_FAILURE | SqlState::T_R_DEADLOCK_DETECTED | SqlState::FOREIGN_KEY_VIOLATION => {
            Error::Stale
        }
        SqlState::UNIQUE_VIOLATION => Error::Taken(db.constraint().unwrap_or_default().to_owned()),
        SqlState::LOCK_NOT_AVAILABLE
        | SqlState::QUERY_CANCELED
        | SqlState::ADMIN_SHUTDOWN
        | SqlState::CRASH_SHUTDOWN
        | SqlState::CANNOT_CONNECT_NOW
        | SqlState::TOO_MANY_CONNECTIONS
        | SqlState::DISK_FULL
        | SqlState::OUT_OF_MEMORY
        | SqlState::READ_ONLY_SQL_TRANSACTION => Error::Unavailable(format!("PostgreSQL: {}", db.message())),
        _ => Error::Bug(format!("PostgreSQL: {} ({}) in {sql}", db.message(), db.code().code())),
    }
}
