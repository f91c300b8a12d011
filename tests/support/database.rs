//! A database of its own for each test: a file, or on the server that `GUILDHALL_TEST_DATABASE` names.

use std::path::Path;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU32, Ordering};

use guildhall::db::{Address, Db, Options};

const FILE: &str = "guildhall.db";

/// The options of a store in tests. It has few connections, because PostgreSQL starts a process for each, which
/// prepares all statements anew.
pub fn options() -> Options {
    Options { connections: 4, ..Options::default() }
}

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
        Self::in_file()
    }

    /// One that has the tables and no rows. To migrate costs PostgreSQL far more than to copy what was migrated once.
    pub fn migrated() -> Self {
        static MIGRATED: LazyLock<Image> = LazyLock::new(|| {
            let (database, runtime) = (Database::new(), tokio::runtime::Runtime::new().expect("a runtime"));
            drop(runtime.block_on(Db::open(&database.address)).expect("a database"));
            database.into_image()
        });
        if Self::is_postgres() { MIGRATED.database() } else { Self::in_file() }
    }

    fn in_file() -> Self {
        let directory = directory();
        Self { address: Address::Sqlite(directory.path().join(FILE)), directory, server: None }
    }

    /// Keeps what it holds, to begin others with. No connection may be open.
    pub fn into_image(mut self) -> Image {
        match &self.address {
            Address::Sqlite(path) => {
                let copy = self.directory.path().join("image.db");
                // Not as a file: what was written last may still be in the log.
                guildhall::db::backup::copy(path, &copy).expect("a copy");
                Image::File(std::fs::read(copy).expect("the copy"))
            }
            Address::Postgres(_) => {
                let (server, name) = self.server.take().expect("a database on PostgreSQL has a server");
                let end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = ";
                administer(&server, &[&format!("{end}'{name}'")]);
                Image::OnServer { server, name }
            }
        }
    }

    fn on_server(server: String, like: &str) -> Self {
        let name = format!("test_{}_{}", std::process::id(), NUMBER.fetch_add(1, Ordering::SeqCst));
        // Long ago there may have been a process of this number that had no time to clean up.
        let drop = format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)");
        administer(&server, &[&drop, &format!("CREATE DATABASE {name} {like}")]);
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

    /// True if tests run on PostgreSQL.
    pub fn is_postgres() -> bool {
        std::env::var_os("GUILDHALL_TEST_DATABASE").is_some()
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        if let Some((server, name)) = &self.server {
            administer(server, &[&format!("DROP DATABASE {name} WITH (FORCE)")]);
        }
    }
}

/// The content of a database at one moment, outside of any test. One that lives as long as the program stays on the
/// server: servers for tests are made for them and removed after them.
pub enum Image {
    File(Vec<u8>),
    OnServer { server: String, name: String },
}

impl Image {
    /// A database that begins with this.
    pub fn database(&self) -> Database {
        match self {
            Self::File(content) => {
                let database = Database::in_file();
                std::fs::write(database.directory().join(FILE), content).expect("to write");
                database
            }
            Self::OnServer { server, name } => {
                // By files: the default writes each page to the log.
                Database::on_server(server.clone(), &format!("TEMPLATE {name} STRATEGY FILE_COPY"))
            }
        }
    }
}

impl Drop for Image {
    fn drop(&mut self) {
        if let Self::OnServer { server, name } = self {
            administer(server, &[&format!("DROP DATABASE {name} WITH (FORCE)")]);
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
fn administer(server: &str, statements: &[&str]) {
    let run = || {
        let mut client = postgres::Client::connect(server, postgres::NoTls).expect("GUILDHALL_TEST_DATABASE answers");
        for sql in statements {
            client.batch_execute(sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
        }
    };
    std::thread::scope(|scope| scope.spawn(run).join()).expect("the server does as it is told");
}
