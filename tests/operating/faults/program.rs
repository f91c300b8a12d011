//! The program itself, in a process of its own.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use guildhall::db::Address;

use crate::support::database::Database;
use crate::support::{Client, waiting};

pub const ADMIN_TOKEN: &str = "the-token-of-the-operator-of-this-place";

/// A place with a database and a data directory.
pub struct Place {
    pub database: Database,
}

impl Place {
    pub fn new() -> Self {
        Self { database: Database::new() }
    }

    pub fn data_dir(&self) -> PathBuf {
        self.database.directory().join("data")
    }

    /// The arguments that make the program work on this place.
    pub fn arguments(&self, command: &[&str]) -> Vec<String> {
        let mut arguments: Vec<String> = command.iter().map(|word| (*word).to_owned()).collect();
        arguments.extend(["--data-dir".into(), self.data_dir().display().to_string()]);
        arguments.extend(["--database".into(), self.database.argument()]);
        arguments
    }

    pub fn run(&self, command: &[&str]) -> Output {
        bare(&self.arguments(command)).output().expect("the program runs")
    }

    /// Fails unless doctor finds nothing.
    #[track_caller]
    pub fn must_be_well(&self) {
        let doctor = self.run(&["doctor"]);
        assert!(doctor.status.success(), "{}{}", text(&doctor.stdout), text(&doctor.stderr));
    }

    /// Waits until PostgreSQL has noticed that a server was killed: until then it does what that one had asked for.
    pub fn until_forgotten(&self) {
        let Address::Postgres(url) = &self.database.address else { return };
        let mut client = postgres::Client::connect(url, postgres::NoTls).expect("a connection");
        let mut connections = || client.query_one(CONNECTIONS, &[]).expect("a number").get::<_, i64>(0);
        waiting::until("a killed server has no connections", || connections() == 0);
    }

    pub fn serve(&self) -> Server {
        Server::start(bare(&self.arguments(&SERVE)))
    }

    /// The same with other arguments.
    pub fn serve_with(&self, command: &[&str]) -> Server {
        Server::start(bare(&self.arguments(command)))
    }

    /// The same with its log in a file.
    pub fn serve_logging(&self, log: &Path) -> Server {
        self.serve_within(&format!("exec \"$@\" 2> {}", log.display()))
    }

    /// The same in a shell that runs this before.
    pub fn serve_within(&self, script: &str) -> Server {
        Server::within(script, &self.arguments(&SERVE))
    }
}

const CONNECTIONS: &str = "
    SELECT count(*) FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'guildhall'";

pub const SERVE: [&str; 5] = ["serve", "--listen", "127.0.0.1:0", "--rate-limit-enabled", "false"];

/// The program, without the environment of the tests.
pub fn bare(arguments: &[String]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_guildhall"));
    command.env_clear().args(arguments);
    command
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The text of a log, once it has so many lines with these words: a thread of the server writes them.
#[track_caller]
pub fn log_with(log: &Path, lines: usize, words: &str) -> String {
    waiting::found(|| {
        let text = std::fs::read_to_string(log).expect("the log");
        let found = text.lines().filter(|line| line.contains(words)).count();
        if found >= lines { Ok(text) } else { Err(format!("not {lines} lines with {words:?} in {text}")) }
    })
}

/// The host and port of the metrics of a server that has this log and was told to take any port.
#[track_caller]
pub fn metrics_in(log: &Path) -> String {
    const BEFORE: &str = "serving metrics on http://";
    let text = log_with(log, 1, "/metrics");
    let address = text.split(BEFORE).nth(1).and_then(|rest| rest.split("/metrics").next());
    address.expect("an address").to_owned()
}

/// A running server, killed with this.
pub struct Server {
    child: Child,
    pub base: String,
}

impl Server {
    /// Runs the program with these arguments in a shell.
    pub fn within(script: &str, arguments: &[String]) -> Self {
        let mut command = Command::new("sh");
        command.env_clear().args(["-c", script, "sh", env!("CARGO_BIN_EXE_guildhall")]).args(arguments);
        Self::start(command)
    }

    /// Runs this and waits until it is ready.
    pub fn start(mut command: Command) -> Self {
        command.env("GUILDHALL_ADMIN_TOKEN", ADMIN_TOKEN).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().expect("the program runs");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("its output")).read_line(&mut line).expect("a line");
        // It may be a line of JSON.
        let address = line.split([' ', '"']).map(str::trim).find(|word| word.starts_with("http"));
        let base = address.unwrap_or_else(|| panic!("the program is not ready: {line}")).to_owned();
        Self { child, base }
    }

    pub fn client(&self, token: &str) -> Client {
        Client::new(&self.base, Some(token))
    }

    pub fn admin(&self) -> Client {
        self.client(ADMIN_TOKEN)
    }

    /// The host and port.
    pub fn authority(&self) -> &str {
        self.base.trim_start_matches("http://")
    }

    /// The memory that it has in use besides its own file, and the most that it has had in all, in MB.
    pub fn resident(&self) -> (u64, u64) {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).expect("its status");
        let megabytes = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name)).expect("a line");
            let number = line.split_whitespace().next().and_then(|number| number.parse::<u64>().ok());
            number.expect("a number") / 1_000
        };
        (megabytes("RssAnon:"), megabytes("VmHWM:"))
    }

    /// Tells it to stop; it goes on until it has finished.
    pub fn tell_to_stop(&self) {
        let told = Command::new("kill").arg(self.child.id().to_string()).status().expect("kill runs");
        assert!(told.success());
    }

    /// Tells it that its settings have changed.
    pub fn hang_up(&self) {
        let told = Command::new("kill").args(["-HUP", &self.child.id().to_string()]).status().expect("kill runs");
        assert!(told.success());
    }

    /// Waits until it has ended; whether it says that all went well.
    pub fn wait(mut self) -> bool {
        self.child.wait().expect("it ends").success()
    }

    /// Ends it in the middle of whatever it does.
    pub fn kill(mut self) {
        self.child.kill().expect("a process");
        self.child.wait().expect("it ends");
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
