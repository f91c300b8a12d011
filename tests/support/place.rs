//! A place with a data directory and a database, and the program in a process of its own.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};

use crate::support::database::Database;

/// A place with a database of its own and its data directory.
pub struct Place {
    pub database: Database,
}

impl Place {
    pub fn new() -> Self {
        Self { database: Database::new() }
    }

    pub fn dir(&self) -> PathBuf {
        self.database.directory().join("data")
    }

    /// A command with the flags that say where the data is.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = guildhall(arguments);
        command.arg("--data-dir").arg(self.dir()).arg("--database").arg(self.database.argument());
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().expect("the program runs")
    }

    pub fn serve(&self) -> Server {
        Server::start(self.command(&["serve", "--listen", "127.0.0.1:0", "--rate-limit-per-hour", "100000000"]))
    }

    pub fn import(&self) {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/samples/peribolos/rust-embedded/org.yaml");
        assert_eq!(outcome(&self.run(&["import", file])).0, 0);
    }

    /// Fails unless doctor finds nothing and says what it has checked. It may note that deliveries wait: a server that is
    /// stopped leaves those that it has not begun.
    #[track_caller]
    pub fn must_be_well(&self) {
        let (code, out, err) = outcome(&self.run(&["doctor"]));
        assert_eq!(code, 0, "{out}{err}");
        let found = out.lines().filter(|line| !line.starts_with("note: ")).collect::<Vec<_>>().join("\n");
        let numbers = found.strip_prefix("All is well: ").and_then(|rest| rest.split_once(" rules hold for "));
        let (rules, rest) = numbers.unwrap_or_else(|| panic!("{out}"));
        let (rows, took) = rest.split_once(" rows, checked in ").expect("rows and a time");
        assert!(rules.parse::<u32>().is_ok_and(|rules| rules > 15), "{out}");
        assert!(rows.parse::<u32>().is_ok_and(|rows| rows > 0), "{out}");
        assert!(took.strip_suffix(" s.").is_some_and(|seconds| seconds.parse::<f64>().is_ok()), "{out}");
    }

    /// A token of the owner of the imported organization.
    pub fn token(&self) -> String {
        let (code, out, err) = outcome(&self.run(&["token", "create", "--user", OWNER, "--scopes", "admin:org,repo"]));
        assert_eq!((code, err.as_str()), (0, ""));
        out.trim().to_owned()
    }
}

pub const OWNER: &str = "autumnlotus706";

/// The program, without the environment of the tests.
pub fn guildhall(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_guildhall"));
    command.env_clear().args(arguments);
    command
}

/// The exit code, what was answered and what was outcome beside it.
pub fn outcome(output: &Output) -> (i32, String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().expect("an exit code"), text(&output.stdout), text(&output.stderr))
}

#[track_caller]
pub fn refused(output: &Output, code: i32, why: &str) {
    let (was, out, err) = outcome(output);
    assert_eq!((was, out.as_str()), (code, ""), "{err}");
    assert!(err.contains(why), "{err}");
}

/// A server in a process of its own, ended with this.
pub struct Server {
    child: Child,
    pub lines: Vec<String>,
    pub base: String,
}

impl Server {
    /// Starts it and waits for the last line that it prints when it is ready.
    pub fn start(mut command: Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("the program runs");
        let mut lines = Vec::new();
        for line in BufReader::new(child.stdout.take().expect("its output")).lines() {
            lines.push(line.expect("text"));
            let last = &lines[lines.len() - 1];
            if last.starts_with("guildhall listening on ") || last.starts_with("Ctrl-C stops it") {
                break;
            }
        }
        let first = lines.first().expect("a line when it is ready");
        let base = first.split(' ').find(|word| word.starts_with("http")).expect("an address").to_owned();
        Self { child, lines, base }
    }

    /// Tells it to stop, and waits until it has.
    pub fn stop(mut self) {
        let told = Command::new("kill").arg(self.child.id().to_string()).status().expect("kill runs");
        assert!(told.success());
        assert!(self.child.wait().expect("it ends").success());
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
