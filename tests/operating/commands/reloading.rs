//! SIGHUP: what a server takes over while it runs, and what it keeps if something cannot be used.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use crate::faults::program::{Place, Server, log_with};
use crate::support::{json, waiting};

const REQUEST: &str = "GET /meta HTTP/1.1\r\nHost: localhost\r\nUser-Agent: x\r\n\r\n";

const OK: &str = "HTTP/1.1 200 OK";

/// A connection over TLS that is kept, ended with this.
struct Connection {
    client: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    /// The subject of the certificate.
    subject: String,
}

impl Connection {
    fn open(server: &Server) -> Self {
        let address = server.base.trim_start_matches("https://");
        let mut client = Command::new("openssl")
            .args(["s_client", "-brief", "-ign_eof", "-connect", address])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("openssl is installed");
        let told = BufReader::new(client.stderr.take().expect("what it says")).lines();
        let mut told = told.map(|line| line.expect("text"));
        let subject = told.find_map(|line| Some(line.strip_prefix("Peer certificate: ")?.to_owned()));
        let input = client.stdin.take().expect("its input");
        let output = BufReader::new(client.stdout.take().expect("its output"));
        Self { client, input, output, subject: subject.expect("a certificate") }
    }

    /// The status of another request on it.
    fn status(&mut self) -> String {
        self.input.write_all(REQUEST.as_bytes()).expect("it is open");
        let (mut status, mut length) = (String::new(), 0);
        self.output.read_line(&mut status).expect("a status");
        loop {
            let mut line = String::new();
            self.output.read_line(&mut line).expect("a header");
            match line.to_lowercase().strip_prefix("content-length: ") {
                Some(number) => length = number.trim().parse().expect("a number"),
                None if line == "\r\n" => break,
                None => assert!(!line.is_empty(), "the connection has ended"),
            }
        }
        self.output.read_exact(&mut vec![0; length]).expect("a body");
        status.trim().to_owned()
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        drop(self.client.kill());
        drop(self.client.wait());
    }
}

fn copy(name: &str, to: &Path) {
    fs::copy(format!("{}/tests/tls/{name}", env!("CARGO_MANIFEST_DIR")), to).expect("a file");
}

#[test]
fn sighup_takes_over_a_new_certificate_and_open_connections_keep_the_previous_one() {
    let place = Place::new();
    let file = |name: &str| -> PathBuf { place.database.directory().join(name) };
    let (certificate, key, log) = (file("certificate.pem"), file("key.pem"), file("log"));
    copy("certificate.pem", &certificate);
    copy("key.pem", &key);
    let tls = format!("--tls-certificate {} --tls-key {}", certificate.display(), key.display());
    let server = place.serve_within(&format!("exec \"$@\" {tls} 2> {}", log.display()));
    let mut old = Connection::open(&server);
    assert_eq!((old.status(), old.subject.as_str()), (OK.to_owned(), "CN = localhost"));

    copy("postgres.pem", &certificate);
    copy("postgres_key.pem", &key);
    server.hang_up();
    log_with(&log, 1, "are read again");
    let mut new = Connection::open(&server);
    assert_eq!((new.status(), new.subject.as_str()), (OK.to_owned(), "CN = PostgreSQL of tests"));
    assert_eq!(old.status(), OK);

    // A certificate for another key, none at all, no file, and a pipe into which nothing is written.
    let broken: [&dyn Fn(); 4] = [
        &|| copy("certificate.pem", &certificate),
        &|| fs::write(&certificate, "none").expect("a file"),
        &|| fs::remove_file(&certificate).expect("a file"),
        &|| assert!(Command::new("mkfifo").arg(&certificate).status().expect("mkfifo").success()),
    ];
    for (nth, break_it) in broken.into_iter().enumerate() {
        break_it();
        server.hang_up();
        let said = log_with(&log, nth + 1, "SIGHUP has changed nothing");
        let why = format!("cannot use {} for TLS: ", certificate.display());
        assert_eq!(said.matches(&why).count(), nth + 1, "{said}");
        assert_eq!(Connection::open(&server).subject, "CN = PostgreSQL of tests");
    }
    assert_eq!(old.status(), OK);
    drop((old, new));
    server.tell_to_stop();
    assert!(server.wait());
}

#[test]
fn sighup_takes_over_the_level_of_the_log_and_no_wrong_setting() {
    let place = Place::new();
    let (config, log) = (place.database.directory().join("guildhall.toml"), place.database.directory().join("log"));
    let set = |text: &str| fs::write(&config, text).expect("a file");
    set("log.level = \"warn\"");
    let server = place.serve_within(&format!("exec \"$@\" --config {} 2> {}", config.display(), log.display()));
    let admin = server.admin();
    admin.post("/admin/users", json!({ "login": "olivia" })).expect(201);
    set("log.level = \"debug\"");
    server.hang_up();
    let said = log_with(&log, 1, "are read again");
    assert!(!said.contains("operation=enterpriseAdmin.createUser") && said.contains("log_level=DEBUG"), "{said}");
    admin.get("/users/olivia").expect(200);
    log_with(&log, 1, "operation=users.getByUsername");

    set("log.level = \"loud\"");
    server.hang_up();
    let said = log_with(&log, 1, "SIGHUP has changed nothing");
    assert!(said.contains(&format!("{}:1: log.level: `loud` is not allowed", config.display())), "{said}");
    set("log.level = \"info\"\n[tls]\ncertificate = \"a\"\nkey = \"b\"");
    server.hang_up();
    assert!(log_with(&log, 2, "SIGHUP has changed nothing").contains("by a restart only"));
    admin.get("/users/olivia").expect(200);
    log_with(&log, 2, "operation=users.getByUsername");

    set("log.level = \"error\"");
    server.hang_up();
    // A request that comes before the signal is logged.
    waiting::until("requests are logged no more", || {
        let logged = || fs::read_to_string(&log).expect("the log").matches("operation=meta.get").count();
        let before = logged();
        admin.get("/meta").expect(200);
        admin.get("/meta").expect(200);
        before == logged()
    });
    server.tell_to_stop();
    assert!(server.wait());
}
