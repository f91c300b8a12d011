//! PostgreSQL stops answering without closing anything: every request is answered in time meanwhile, and served again
//! soon after the server goes on.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use crate::faults::program::{SERVE, Server, bare, text};
use crate::support::database::Database;
use crate::support::{Answer, json};

/// Until every request is answered.
const ANSWERED: Duration = Duration::from_secs(5);

/// Until the service says that it is not ready.
const UNREADY: Duration = Duration::from_secs(2);

/// Until everything is served again.
const BACK: Duration = Duration::from_secs(2);

/// More than there are connections.
const CALLERS: usize = 24;

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

    fn readers(&self) -> (Vec<Answer>, Duration) {
        at_once(|_| self.server.admin().get("/user"))
    }

    fn writers(&self, round: &str) -> (Vec<Answer>, Duration) {
        at_once(|number| self.server.admin().post("/admin/users", json!({ "login": format!("{round}{number}") })))
    }

    /// Fails unless readiness is denied in time.
    #[track_caller]
    fn must_not_be_ready(&self) {
        let since = Instant::now();
        self.server.admin().get("/readyz").expect(503);
        assert!(since.elapsed() < UNREADY, "{:?}", since.elapsed());
        self.server.admin().get("/healthz").expect(200);
    }

    /// Fails unless all are served soon from now on.
    #[track_caller]
    fn must_come_back(&self) {
        let since = Instant::now();
        while self.server.admin().get("/readyz").status != 200 {
            assert!(since.elapsed() < BACK, "it is not ready again");
        }
        for _ in 0..4 {
            let (answers, _) = self.readers();
            assert!(answers.iter().all(|answer| answer.status == 200), "some threads refuse");
        }
    }

    /// Fails unless one line says that the database is out of reach.
    #[track_caller]
    fn must_have_said_it_once(&self) {
        let log = fs::read_to_string(&self.log).expect("a log");
        let lines: Vec<&str> =
            log.lines().filter(|line| line.contains("WARN") && !line.contains("public_url")).collect();
        assert!(lines.len() == 1 && lines[0].contains("PostgreSQL cannot be reached"), "{log}");
        assert!(!log.contains("ERROR"), "{log}");
    }

    #[track_caller]
    fn must_be_well(&self) {
        let doctor = bare(&Self::arguments(&self.cluster, &["doctor"])).output().expect("the program runs");
        assert!(doctor.status.success(), "{}{}", text(&doctor.stdout), text(&doctor.stderr));
    }
}

/// What many callers get at once, and how long the slowest waited.
fn at_once(ask: impl Fn(usize) -> Answer + Sync) -> (Vec<Answer>, Duration) {
    let (since, ask) = (Instant::now(), &ask);
    let answers = std::thread::scope(|scope| {
        let callers: Vec<_> = (0..CALLERS).map(|number| scope.spawn(move || ask(number))).collect();
        callers.into_iter().map(|caller| caller.join().expect("an answer")).collect()
    });
    (answers, since.elapsed())
}

/// Fails unless all were answered in time, by what they asked for or by a 503.
#[track_caller]
fn must_be_answered((answers, took): (Vec<Answer>, Duration), good: u16) -> usize {
    assert!(took < ANSWERED, "{took:?}");
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
    running.must_not_be_ready();
    assert!(since.elapsed() < UNREADY, "{:?}", since.elapsed());
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
    let (again, _) = running.writers("while-");
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
    // Nothing of this is in memory, so that every thread connects.
    for round in 0..8 {
        let path = |number| format!("/users/before-{number}?round={round}");
        must_be_answered(at_once(|number| running.server.admin().get(&path(number))), 200);
    }
    assert_eq!(must_be_answered(running.readers(), 200), 0);
    let everything = running.cluster.everything();
    Cluster::signal("-STOP", &everything);
    let answered = running.readers();
    Cluster::signal("-CONT", &everything);
    assert_eq!(must_be_answered(answered, 200), CALLERS);
}
