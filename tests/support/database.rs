//! A database of its own for each test: a file, or on the server that `GUILDHALL_TEST_DATABASE` names.

use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

use guildhall::db::Address;

static NUMBER: AtomicU32 = AtomicU32::new(0);

/// An empty database, dropped with this.
pub struct Database {
    pub address: Address,
    directory: tempfile::TempDir,
    server: Option<(String, String)>,
}

impl Database {
    pub fn new() -> Self {
        if let Ok(server) = std::env::var("GUILDHALL_TEST_DATABASE") {
            return Self::on_server(server, "");
        }
        let directory = directory();
        Self { address: Address::Sqlite(directory.path().join("guildhall.db")), directory, server: None }
    }

    /// Another database that begins with the same data; nobody may be using this one.
    pub fn copy(&self) -> Self {
        let directory = directory();
        match (&self.address, &self.server) {
            (Address::Sqlite(path), _) => {
                let address = directory.path().join("guildhall.db");
                // Not as a file: what was written last may still be in the log.
                guildhall::db::backup::copy(path, &address).expect("a copy");
                Self { address: Address::Sqlite(address), directory, server: None }
            }
            (_, Some((server, template))) => {
                let ends = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = ";
                administer(server, &format!("{ends}'{template}'"));
                Self::on_server(server.clone(), &format!("TEMPLATE {template}"))
            }
            (_, None) => panic!("a database on PostgreSQL has a server"),
        }
    }

    fn on_server(server: String, like: &str) -> Self {
        let name = format!("test_{}_{}", std::process::id(), NUMBER.fetch_add(1, Ordering::SeqCst));
        administer(&server, &format!("CREATE DATABASE {name} {like}"));
        let (root, _) = server.rsplit_once('/').expect("the address names a database");
        let address = Address::Postgres(format!("{root}/{name}"));
        Self { address, directory: directory(), server: Some((server, name)) }
    }

    /// A directory that is gone with the database.
    pub fn directory(&self) -> &Path {
        self.directory.path()
    }

    /// The address as `--database` takes it.
    pub fn argument(&self) -> String {
        match &self.address {
            Address::Sqlite(path) => format!("sqlite:{}", path.display()),
            Address::Postgres(url) => url.clone(),
        }
    }

    /// Whether tests run on PostgreSQL.
    pub fn is_postgres() -> bool {
        std::env::var_os("GUILDHALL_TEST_DATABASE").is_some()
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        if let Some((server, name)) = &self.server {
            administer(server, &format!("DROP DATABASE {name} WITH (FORCE)"));
        }
    }
}

/// In memory, where there is such a place: tests that need a real disk choose their own directory.
fn directory() -> tempfile::TempDir {
    let memory = Path::new("/dev/shm");
    let directory = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() };
    directory.expect("a directory")
}

/// On a thread of its own, because the last use of a database may be at the end of one.
fn administer(server: &str, sql: &str) {
    let (server, sql) = (server.to_owned(), sql.to_owned());
    let done = std::thread::spawn(move || {
        let mut client = postgres::Client::connect(&server, postgres::NoTls).expect("GUILDHALL_TEST_DATABASE answers");
        client.batch_execute(&sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
    });
    done.join().expect("the server does as it is told");
}
