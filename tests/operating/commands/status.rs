//! `guildhall status`: what it says about a server that is ready, is not, or is another program.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::process::Output;

use crate::faults::program::{Place, SERVE, bare, metrics_in, text};
use crate::support::port::Port;

fn status(arguments: &[&str]) -> Output {
    let arguments: Vec<String> = ["status"].iter().chain(arguments).map(|&word| word.to_owned()).collect();
    bare(&arguments).output().expect("the program runs")
}

/// The exit code, what it prints, and what it complains of.
fn said(output: &Output) -> (Option<i32>, String, String) {
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

fn version() -> String {
    format!("version  {}\n", env!("CARGO_PKG_VERSION"))
}

#[test]
fn a_ready_server_is_ready_in_one_line() {
    let place = Place::new();
    let server = place.serve();
    let address = server.authority();
    let ready = status(&["--ready", "--listen", address]);
    assert_eq!(said(&ready), (Some(0), "ready\n".into(), String::new()));
    let all = status(&["--listen", address]);
    let lines = format!("server   http://{address}\n{}ready\n", version());
    assert_eq!(said(&all), (Some(0), lines, String::new()));
}

#[test]
fn a_server_that_listens_everywhere_is_asked_on_this_machine() {
    let mut everywhere = SERVE;
    everywhere[2] = "0.0.0.0:0";
    let place = Place::new();
    let server = place.serve_with(&everywhere);
    let (code, lines, _) = said(&status(&["--listen", server.authority()]));
    let here = server.base.replace("0.0.0.0", "127.0.0.1");
    assert_eq!((code, lines), (Some(0), format!("server   {here}\n{}ready\n", version())));
}

#[test]
fn a_server_with_a_certificate_is_asked_over_tls() {
    let file = |name: &str| format!("{}/tests/tls/{name}.pem", env!("CARGO_MANIFEST_DIR"));
    let (certificate, key) = (file("certificate"), file("key"));
    let tls = ["--tls-certificate", &certificate, "--tls-key", &key];
    let place = Place::new();
    let server = place.serve_with(&[&SERVE[..], &tls].concat());
    let address = server.base.trim_start_matches("https://");
    let all = status(&[&["--listen", address][..], &tls].concat());
    let lines = format!("server   https://{address}\n{}ready\n", version());
    assert_eq!(said(&all), (Some(0), lines, String::new()));
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
    let (code, lines, _) = said(&status(&["--listen", server.authority(), "--metrics-listen", &metrics]));
    let expected = format!("server   {}\n{}metrics  http://{metrics}/metrics\nready\n", server.base, version());
    assert_eq!((code, lines), (Some(0), expected));
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
    let all = status(&["--listen", &address]);
    assert_eq!(said(&all), (Some(1), format!("server   http://{address}\n"), why));
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
