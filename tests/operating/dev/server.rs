//! The server in a process of its own, and clients for it.

use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::{Answer, Client, Value, json, waiting};

/// The committed sample.
pub fn sample() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("samples/dev/seed.yaml")
}

/// The program without the environment of the tests.
pub fn guildhall(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_guildhall"));
    command.env_clear().args(arguments);
    command
}

/// The command, on a port of its own unless the arguments name one.
pub fn dev(arguments: &[&str]) -> Command {
    let mut command = guildhall(&["dev"]);
    if !arguments.contains(&"--listen") {
        command.args(["--listen", "127.0.0.1:0"]);
    }
    command.args(arguments);
    command
}

/// A running server, ended with this.
pub struct Server {
    pub child: Child,
    pub address: String,
    /// The time until the server was ready.
    pub took: Duration,
}

impl Server {
    /// A server with the committed sample.
    pub fn sampled() -> Self {
        Self::seeded(&sample(), &[])
    }

    /// A server with a seed.
    pub fn seeded(seed: &Path, arguments: &[&str]) -> Self {
        Self::start(&[&["--seed", seed.to_str().expect("a path")], arguments].concat())
    }

    pub fn start(arguments: &[&str]) -> Self {
        let mut command = dev(arguments);
        let began = Instant::now();
        if !arguments.contains(&"--log-level") {
            command.args(["--log-level", "error"]);
        }
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("a server");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("its output")).read_line(&mut line).expect("a line");
        let took = began.elapsed();
        let Some((_, address)) = line.trim().rsplit_once("http://") else {
            let mut why = String::new();
            child.stderr.take().expect("its errors").read_to_string(&mut why).expect("text");
            panic!("{line}{why}");
        };
        Self { child, address: address.to_owned(), took }
    }

    pub fn base(&self) -> String {
        format!("http://{}", self.address)
    }

    /// A person of the sample.
    pub fn client(&self, token: &str) -> Client {
        Client::new(&self.base(), Some(token))
    }

    /// A client of the control paths.
    pub fn control(&self) -> Client {
        Client::new(&format!("{}/_guildhall", self.base()), None).with("Content-Type", "application/json")
    }

    pub fn reset(&self) {
        self.control().post("/reset", json!({})).expect(200);
    }

    /// Sets the only fault.
    pub fn fault(&self, fault: Value) -> Answer {
        self.control().put("/faults", json!({ "faults": [fault] }))
    }

    /// Tells it to stop, and waits until it has. It must not log an error.
    #[track_caller]
    pub fn stop(self) {
        assert_eq!(self.log(), "");
    }

    /// The same. Returns what it has logged.
    #[track_caller]
    pub fn log(mut self) -> String {
        let told = Command::new("kill").arg(self.child.id().to_string()).status().expect("kill runs");
        let mut errors = String::new();
        self.child.stderr.take().expect("its errors").read_to_string(&mut errors).expect("text");
        assert!(told.success() && self.child.wait().expect("it ends").success());
        errors
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Its folder is removed only if it is told to stop.
        drop(Command::new("kill").arg(self.child.id().to_string()).stderr(Stdio::null()).status());
        drop(self.child.wait());
    }
}

/// Waits until a test is satisfied.
#[track_caller]
pub fn until<T>(mut look: impl FnMut() -> Option<T>) -> T {
    waiting::found(|| look().ok_or("it does not happen"))
}

/// The names of a list.
pub fn names(answer: &Answer) -> Vec<String> {
    answer.each("name").iter().map(|name| name.as_str().expect("a name").to_owned()).collect()
}
