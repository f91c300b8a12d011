//! `guildhall status`: what it says about a server that is ready, is not, or is another program.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::process::Output;

use crate::faults::program::{Place, SERVE, bare, metrics_in, text};
use crate::support::database::Database;
use crate::support::port::Port;

fn status(arguments: &[&str]) -> Output {
    let arguments: Vec<String> = ["status"].iter().chain(arguments).map(|&word| word.to_owned()).collect();
    bare(&arguments).output().expect("the program runs")
}

/// The exit code, what it prints, and what it complains of.
fn said(output: &Output) -> (Option<i32>, String, String) {
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

/// The exit code, the lines by their names, and the complaint of a status that is asked of this place too.
fn of(place: &Place, arguments: &[&str]) -> (Option<i32>, BTreeMap<String, String>, String) {
    let (code, out, err) = said(&place.run(&[&["status"], arguments].concat()));
    let line = |line: &str| line.split_once('\t').map(|(name, value)| (name.to_owned(), value.to_owned()));
    assert_eq!(out.lines().last() == Some("ready"), code == Some(0), "{out}");
    (code, out.lines().filter_map(line).collect(), err)
}

fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}

#[test]
fn a_ready_server_is_ready_in_one_line() {
    let place = Place::new();
    let server = place.serve();
    let address = server.authority();
    let ready = status(&["--ready", "--listen", address]);
    assert_eq!(said(&ready), (Some(0), "ready\n".into(), String::new()));
    let (code, lines, err) = of(&place, &["--listen", address]);
    // The server has told where it listens.
    assert_eq!(of(&place, &[]).1["Server"], server.base);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    assert_eq!((&lines["Server"], &lines["Version"]), (&format!("http://{address}"), &version()));
}

#[test]
fn a_server_that_listens_everywhere_is_asked_on_this_machine() {
    let mut everywhere = SERVE;
    everywhere[2] = "0.0.0.0:0";
    let place = Place::new();
    let server = place.serve_with(&everywhere);
    let (code, lines, _) = of(&place, &["--listen", server.authority()]);
    assert_eq!((code, &lines["Server"]), (Some(0), &server.base.replace("0.0.0.0", "127.0.0.1")));
}

#[test]
fn a_server_with_a_certificate_is_asked_over_tls() {
    let file = |name: &str| format!("{}/tests/tls/{name}.pem", env!("CARGO_MANIFEST_DIR"));
    let (certificate, key) = (file("certificate"), file("key"));
    let tls = ["--tls-certificate", &certificate, "--tls-key", &key];
    let place = Place::new();
    let server = place.serve_with(&[&SERVE[..], &tls].concat());
    let address = server.base.trim_start_matches("https://");
    let (code, lines, _) = of(&place, &[&["--listen", address][..], &tls].concat());
    assert_eq!((code, &lines["Server"]), (Some(0), &format!("https://{address}")));
    let plain = status(&["--ready", "--listen", address]);
    assert_eq!(plain.status.code(), Some(1), "{plain:?}");
}

#[test]
fn the_port_of_metrics_is_asked_if_there_is_one() {
    let place = Place::new();
    let log = place.database.directory().join("log");
    let script = format!("exec \"$@\" --metrics-listen 127.0.0.1:0 2> {}", log.display());
    let server = place.serve_within(&script);
    let metrics = metrics_in(&log);
    let (code, lines, _) = of(&place, &["--listen", server.authority(), "--metrics-listen", &metrics]);
    assert_eq!((code, &lines["Metrics"]), (Some(0), &format!("http://{metrics}/metrics")));
    // Only there: a health check does not wait for the requests of clients.
    let taken = Port::take();
    let ready = status(&["--ready", "--listen", &taken.address().to_string(), "--metrics-listen", &metrics]);
    assert_eq!(said(&ready), (Some(0), "ready\n".into(), String::new()));
}

#[test]
fn a_server_that_does_not_run_is_not_ready() {
    let taken = Port::take();
    let address = taken.address().to_string();
    let why = format!("guildhall: not ready: http://{address} does not answer: Connection refused (os error 111)\n");
    let ready = status(&["--ready", "--listen", &address]);
    assert_eq!(said(&ready), (Some(1), String::new(), why.clone()));
    let place = Place::new();
    let (code, lines, complaint) = of(&place, &["--listen", &address]);
    assert_eq!((code, complaint), (Some(1), why));
    assert_eq!((&lines["Server"], lines.get("Version")), (&format!("http://{address}"), None));
    let absent = if Database::is_postgres() { "" } else { "there is no database at " };
    assert!(lines["Store"].starts_with(absent) && !lines.contains_key("Schema"), "{lines:?}");
}

#[test]
fn the_store_is_described_without_a_server_and_without_a_password() {
    let place = Place::new();
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/samples/peribolos/rust-embedded/org.yaml");
    assert!(place.run(&["import", file]).status.success());
    let taken = Port::take();
    let address = taken.address().to_string();
    let (_, lines, _) = of(&place, &["--listen", &address]);
    assert_eq!(lines["Schema"], guildhall::db::newest_schema().to_string());
    assert!(lines["Size of the store"].ends_with(" MiB") && lines["E-mail"].contains("mail/new"), "{lines:?}");
    assert_eq!((&lines["Deliveries waiting"], &lines["Deliveries given up"]), (&"0".to_owned(), &"0".to_owned()));
    assert_eq!(lines["rate_limit.per_hour"], "5000\trequests in an hour");
    let json = || {
        let (code, out, _) = said(&place.run(&["status", "--json", "--listen", &address]));
        assert_eq!(code, Some(1));
        serde_json::from_str::<serde_json::Value>(&out).expect("JSON")
    };
    let before = json();
    assert_eq!((&before["ready"], &before["last_backup"]), (&false.into(), &serde_json::Value::Null));
    if Database::is_postgres() {
        assert!(lines["Store"].starts_with("PostgreSQL, ") && !lines["Store"].contains('@'), "{lines:?}");
        assert_eq!(lines["Last backup"], "by pg_dump, which is not recorded here");
    } else {
        assert!(lines["Store"].ends_with("/guildhall.db") && lines["Last backup"] == "never", "{lines:?}");
        let copy = place.database.directory().join("copy");
        assert!(bare(&place.arguments(&["backup", copy.to_str().expect("text")])).status().expect("it runs").success());
        assert_eq!(json()["last_backup"]["file"], copy.to_str().expect("text"));
        assert!(of(&place, &["--listen", &address]).1["Last backup"].ends_with("/copy"));
    }
}

/// The exit code, output and reason of the command about a server with this response, or none if it is empty.
fn of_another(response: String) -> (Option<i32>, String, String) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address").to_string();
    let serving = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().expect("a connection");
        let lines = BufReader::new(stream.try_clone().expect("a socket")).lines();
        // With no response, until the client has given up.
        let asked = lines.map_while(Result::ok).take_while(|line| response.is_empty() || !line.is_empty()).count();
        stream.write_all(response.as_bytes()).expect("it reads");
        asked
    });
    let (code, out, why) = said(&status(&["--ready", "--listen", &address]));
    assert!(serving.join().expect("it ends") > 0, "nothing was asked");
    (code, out, why.replace(&address, "ADDRESS"))
}

fn response(status: &str, body: &str) -> String {
    format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}", body.len())
}

#[test]
fn a_server_that_is_not_ready_says_why_in_one_line() {
    let unready = of_another(response("503 Service Unavailable", r#"{"status":"the database\ncannot be reached"}"#));
    let why = "guildhall: not ready: the database\\ncannot be reached\n";
    assert_eq!(unready, (Some(1), String::new(), why.into()));
}

#[test]
fn another_program_on_the_port_is_not_ready() {
    for (status, body) in [("200 OK", "<html>ok</html>"), ("200 OK", r#"{"status":"up"}"#), ("404 Not Found", "{}")] {
        let number = &status[..3];
        let why = format!("guildhall: not ready: http://ADDRESS is not Guildhall: it answered /readyz with {number}\n");
        assert_eq!(of_another(response(status, body)), (Some(1), String::new(), why));
    }
}

#[test]
fn a_server_that_never_answers_is_not_waited_for_for_ever() {
    let why = "guildhall: not ready: http://ADDRESS has not answered within 5 seconds\n";
    assert_eq!(of_another(String::new()), (Some(1), String::new(), why.into()));
}
