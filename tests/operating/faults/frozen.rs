//! PostgreSQL stops answering without closing anything: every request is answered in time meanwhile, and served again
//! soon after the server goes on.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use crate::faults::program::{SERVE, Server, bare, log_with, text};
use crate::support::database::Database;
use crate::support::waiting::{self, HANG};
use crate::support::{Answer, json};

/// More than there are connections.
const CALLERS: usize = 24;

/// If so many requests, one after the other, each waited for an attempt to connect, they would take longer than anything
/// but a hang.
const ONE_BY_ONE: usize = 100;

/// A request that waits for an answer of PostgreSQL takes less time, and one that waits for two of them takes more.
const TWO_WAITS: Duration = Duration::from_millis(8_500);

/// A PostgreSQL of its own, which others do not notice when it stops.
struct Cluster {
    directory: tempfile::TempDir,
    address: String,
}

impl Cluster {
    fn start() -> Self {
        let directory = tempfile::tempdir().expect("a directory");
        // The server may have a user of its own.
        fs::set_permissions(directory.path(), fs::Permissions::from_mode(0o755)).expect("permissions");
        let started = Self::script("start", directory.path());
        Self { directory, address: started.trim().to_owned() }
    }

    fn script(verb: &str, directory: &Path) -> String {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/postgres");
        let done = Command::new(script).arg(verb).arg(directory.join("cluster")).output().expect("bash");
        assert!(done.status.success(), "{}{}", text(&done.stdout), text(&done.stderr));
        text(&done.stdout)
    }

    /// The process that accepts connections.
    fn postmaster(&self) -> String {
        let file = fs::read_to_string(self.directory.path().join("cluster/data/postmaster.pid"));
        file.expect("a running server").lines().next().expect("a number").to_owned()
    }

    /// All of its processes.
    fn everything(&self) -> Vec<String> {
        let postmaster = self.postmaster();
        let children = Command::new("pgrep").args(["-P", &postmaster]).output().expect("pgrep runs");
        let children = text(&children.stdout);
        std::iter::once(postmaster).chain(children.lines().map(str::to_owned)).collect()
    }

    fn signal(signal: &str, processes: &[String]) {
        // One that has ended meanwhile needs no signal.
        drop(Command::new("kill").arg(signal).args(processes).output().expect("kill runs"));
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        Self::signal("-CONT", &self.everything());
        Self::script("stop", self.directory.path());
    }
}

/// A server on such a cluster, with its log.
struct Running {
    server: Server,
    log: PathBuf,
    cluster: Cluster,
}

impl Running {
    fn new() -> Self {
        let cluster = Cluster::start();
        let log = cluster.directory.path().join("log");
        let script = format!("exec \"$@\" 2> {}", log.display());
        let server = Server::within(&script, &Self::arguments(&cluster, &SERVE));
        Self { server, log, cluster }
    }

    fn arguments(cluster: &Cluster, command: &[&str]) -> Vec<String> {
        let mut arguments: Vec<String> = command.iter().map(|word| (*word).to_owned()).collect();
        let data = cluster.directory.path().join("data").display().to_string();
        arguments.extend(["--data-dir".into(), data, "--database".into(), cluster.address.clone()]);
        arguments
    }

    fn readers(&self) -> Vec<Answer> {
        at_once(|_| self.server.admin().get("/user"))
    }

    fn writers(&self, round: &str) -> Vec<Answer> {
        at_once(|number| self.server.admin().post("/admin/users", json!({ "login": format!("{round}{number}") })))
    }

    /// Fails unless readiness is denied.
    #[track_caller]
    fn must_not_be_ready(&self) {
        self.server.admin().get("/readyz").expect(503);
        self.server.admin().get("/healthz").expect(200);
    }

    /// Waits until all are served again.
    #[track_caller]
    fn must_come_back(&self) {
        waiting::until("it is ready again", || self.server.admin().get("/readyz").status == 200);
        let served = || self.readers().iter().all(|answer| answer.status == 200);
        waiting::until("no thread refuses", || (0..4).all(|_| served()));
    }

    /// Fails unless one line says that the database is out of reach.
    #[track_caller]
    fn must_have_said_it_once(&self) {
        let log = log_with(&self.log, 1, "PostgreSQL cannot be reached");
        let lines: Vec<&str> =
            log.lines().filter(|line| line.contains("WARN") && !line.contains("public_url")).collect();
        assert!(lines.len() == 1 && lines[0].contains("PostgreSQL cannot be reached"), "{log}");
        assert!(!log.contains("ERROR"), "{log}");
    }

    /// Stops PostgreSQL while every thread is connected to it, and has all read; how long that took.
    #[track_caller]
    fn readers_notice(&self) -> Duration {
        // Nothing of this is in memory, so that every thread connects.
        for round in 0..8 {
            let path = |number| format!("/users/before-{number}?round={round}");
            must_be_answered(at_once(|number| self.server.admin().get(&path(number))), 200);
        }
        assert_eq!(must_be_answered(self.readers(), 200), 0);
        let everything = self.cluster.everything();
        Cluster::signal("-STOP", &everything);
        let since = Instant::now();
        let (answered, took) = (self.readers(), since.elapsed());
        Cluster::signal("-CONT", &everything);
        assert_eq!(must_be_answered(answered, 200), CALLERS);
        self.must_come_back();
        took
    }

    #[track_caller]
    fn must_be_well(&self) {
        let doctor = bare(&Self::arguments(&self.cluster, &["doctor"])).output().expect("the program runs");
        assert!(doctor.status.success(), "{}{}", text(&doctor.stdout), text(&doctor.stderr));
    }
}

/// The responses that many callers get at the same time.
fn at_once(ask: impl Fn(usize) -> Answer + Sync) -> Vec<Answer> {
    let ask = &ask;
    std::thread::scope(|scope| {
        let callers: Vec<_> = (0..CALLERS).map(|number| scope.spawn(move || ask(number))).collect();
        callers.into_iter().map(|caller| caller.join().expect("an answer")).collect()
    })
}

/// Fails unless all were answered by what they asked for or by a 503; how many by that.
#[track_caller]
fn must_be_answered(answers: Vec<Answer>, good: u16) -> usize {
    let refused: Vec<&Answer> = answers.iter().filter(|answer| answer.status != good).collect();
    for answer in &refused {
        answer.refused(503, "The service cannot answer right now. Try again shortly.");
        assert!(answer.header("retry-after").is_some());
    }
    refused.len()
}

/// The kernel goes on accepting connections for it.
#[test]
fn a_server_that_accepts_connections_and_never_answers() {
    if !Database::is_postgres() {
        return;
    }
    let running = Running::new();
    running.server.admin().get("/readyz").expect(200);
    let postmaster = [running.cluster.postmaster()];
    Cluster::signal("-STOP", &postmaster);
    let refused = must_be_answered(running.readers(), 200);
    assert!(refused > 0, "there are no connections for all");
    running.must_not_be_ready();
    // The known state is reported without waiting for PostgreSQL.
    let since = Instant::now();
    must_be_answered(running.readers(), 200);
    must_be_answered(running.writers("while-"), 201);
    for _ in 0..ONE_BY_ONE {
        running.must_not_be_ready();
    }
    assert!(since.elapsed() < HANG, "{:?}", since.elapsed());
    Cluster::signal("-CONT", &postmaster);
    running.must_come_back();
    running.must_have_said_it_once();
    assert_eq!(must_be_answered(running.writers("after-"), 201), 0);
    running.must_be_well();
}

#[test]
fn a_server_of_which_all_processes_stop() {
    if !Database::is_postgres() {
        return;
    }
    let running = Running::new();
    assert_eq!(must_be_answered(running.writers("before-"), 201), 0);
    let everything = running.cluster.everything();
    assert!(everything.len() > 8, "connections are open: {everything:?}");
    Cluster::signal("-STOP", &everything);
    assert_eq!(must_be_answered(running.writers("while-"), 201), CALLERS);
    running.must_not_be_ready();
    assert_eq!(must_be_answered(running.readers(), 200), CALLERS);
    Cluster::signal("-CONT", &everything);
    running.must_come_back();
    running.must_have_said_it_once();
    // What was refused has happened once or not at all, and can be asked for again.
    let again = running.writers("while-");
    for (number, answer) in again.iter().enumerate() {
        assert!([201, 422].contains(&answer.status), "{number}: {}", answer.text);
        running.server.admin().get(&format!("/users/while-{number}")).expect(200);
    }
    running.must_be_well();
}

#[test]
fn readiness_alone_notices_that_a_server_has_stopped() {
    if !Database::is_postgres() {
        return;
    }
    let running = Running::new();
    let everything = running.cluster.everything();
    Cluster::signal("-STOP", &everything);
    running.must_not_be_ready();
    running.must_have_said_it_once();
    Cluster::signal("-CONT", &everything);
    running.must_come_back();
}

/// The question for freshness waits for an answer. What is asked after it in vain, over a connection that is open
/// already, does not wait as long once more.
#[test]
fn reads_are_the_first_to_notice_that_a_server_has_stopped() {
    if !Database::is_postgres() {
        return;
    }
    let running = Running::new();
    assert_eq!(must_be_answered(running.writers("before-"), 201), 0);
    // A busy machine may delay all of them, but not each time.
    let waits: Vec<Duration> = (0..3).map(|_| running.readers_notice()).take_while(|took| *took > TWO_WAITS).collect();
    assert!(waits.len() < 3, "{waits:?}");
}
