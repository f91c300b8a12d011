//! The set-up link of a start, and `guildhall setup` (decision 71).

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Command;

use crate::place::{Place, Server, outcome, refused};
use crate::support::browser::Browser;
use crate::support::waiting;

fn file(place: &Place) -> PathBuf {
    place.dir().join("setup-link")
}

/// The URL in the file.
fn written(place: &Place) -> String {
    fs::read_to_string(file(place)).expect("a link").trim().to_owned()
}

/// The path of a URL of a server.
fn path<'a>(url: &'a str, server: &Server) -> &'a str {
    url.strip_prefix(&server.base).unwrap_or_else(|| panic!("{url} is not of {}", server.base))
}

fn status(server: &Server, path: &str) -> u16 {
    Browser::open(&server.base, path).page.status
}

/// `serve` with more flags.
fn serve(place: &Place, flags: &[&str]) -> Command {
    place.command(&[&["serve", "--listen", "127.0.0.1:0"], flags].concat())
}

#[test]
fn decision_71_a_first_start_makes_a_link_that_is_removed_when_it_is_used() {
    let place = Place::new();
    let server = place.serve();
    let url = written(&place);
    assert_eq!(fs::metadata(file(&place)).expect("a file").permissions().mode() & 0o777, 0o600);
    let mut browser = Browser::open(&server.base, path(&url, &server));
    assert_eq!(browser.page.status, 200);
    assert_eq!(outcome(&place.run(&["doctor"])).0, 0);
    browser.send(&[("org", "acme"), ("login", "olivia"), ("name", ""), ("email", "olivia@example.com")]);
    assert!(browser.page.text.contains("acme is ready."), "{}", browser.page.text);
    waiting::until("the file is removed", || !file(&place).exists());
    refused(&place.run(&["setup"]), 1, "there is an organization or an account already");
    server.stop();
    let server = place.serve();
    assert!(!file(&place).exists());
    assert_eq!(status(&server, "/ui/setup"), 404);
    server.stop();
    place.must_be_well();
}

#[test]
fn decision_71_each_start_and_guildhall_setup_make_a_new_link() {
    let place = Place::new();
    let server = place.serve();
    let first = written(&place).rsplit_once('/').expect("a token").1.to_owned();
    server.stop();
    let server = place.serve();
    let second = written(&place);
    assert_eq!(status(&server, path(&second, &server)), 200);
    assert_eq!(status(&server, &format!("/ui/setup/{first}")), 404);
    let (code, url, err) = outcome(&place.run(&["setup", "--public-url", &server.base]));
    assert_eq!((code, err.as_str(), url.lines().count()), (0, "", 1));
    assert_eq!(status(&server, path(&second, &server)), 404);
    assert_eq!(status(&server, path(url.trim(), &server)), 200);
    waiting::until("the file of the dead link is removed", || !file(&place).exists());
    server.stop();
}

#[test]
fn decision_71_a_link_begins_with_the_public_url_and_is_in_no_log() {
    let place = Place::new();
    let log = place.database.directory().join("log");
    let mut command = Command::new("sh");
    let program = serve(&place, &["--public-url", "https://teams.example.org", "--log-level", "trace"]);
    command.env_clear().args(["-c", "exec \"$@\" 2>\"$0\""]).arg(&log).arg(program.get_program());
    command.args(program.get_args());
    let server = Server::start(command);
    let url = written(&place);
    let token = url.strip_prefix("https://teams.example.org/ui/setup/").expect("the public URL");
    assert_eq!(token.len(), 64);
    server.stop();
    let log = fs::read_to_string(log).expect("a log");
    assert!(log.contains("guildhall setup") && log.contains("setup-link") && !log.contains(token), "{log}");
    let (_, url, _) = outcome(&place.run(&["setup", "--listen", "127.0.0.1:8421"]));
    assert!(url.starts_with("http://127.0.0.1:8421/ui/setup/"), "{url}");
}

#[test]
fn decision_71_no_link_is_made_where_the_operator_sets_up_otherwise() {
    let place = Place::new();
    let server = place.serve();
    let token = written(&place).rsplit_once('/').expect("a token").1.to_owned();
    server.stop();
    let off = Server::start(serve(&place, &["--setup-link", "false"]));
    assert!(!file(&place).exists());
    assert_eq!(status(&off, &format!("/ui/setup/{token}")), 404);
    off.stop();
    refused(&place.run(&["setup", "--setup-link", "false"]), 2, "`setup.link` is off");
    let mut command = serve(&place, &[]);
    command.env("GUILDHALL_ADMIN_TOKEN", "a-token-that-the-operator-chose");
    let chosen = Server::start(command);
    assert!(!file(&place).exists());
    let mut command = place.command(&["setup"]);
    command.env("GUILDHALL_ADMIN_TOKEN", "a-token-that-the-operator-chose");
    refused(&command.output().expect("the program runs"), 2, "GUILDHALL_ADMIN_TOKEN is set");
    chosen.stop();
    let server = place.serve();
    assert!(file(&place).exists(), "nothing was set up");
    server.stop();
    place.import();
    let server = place.serve();
    assert!(!file(&place).exists(), "an organization was imported");
    server.stop();
}

#[test]
fn the_link_to_a_server_that_listens_on_every_address_works_on_this_machine() {
    let place = Place::new();
    let server = Server::start(place.command(&["serve", "--listen", "0.0.0.0:0"]));
    let here = server.base.replace("0.0.0.0", "127.0.0.1");
    assert!(here != server.base && written(&place).starts_with(&format!("{here}/ui/setup/")), "{}", written(&place));
    let (code, printed, _) = outcome(&place.run(&["setup"]));
    assert!(code == 0 && printed.starts_with(&format!("{here}/ui/setup/")), "{printed}");
    server.stop();
}
