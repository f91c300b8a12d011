//! Commands on a terminal, which `script` makes: tables as wide as it is, colors, questions and progress.

use std::any::Any;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::process::{Child, Command, Output, Stdio};

use crate::place::{OWNER, Place, guildhall, outcome};
use crate::support::database::Database;

/// The words of a command that works on this place.
fn words(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| format!("'{}'", word.to_str().expect("text"))).collect::<Vec<_>>().join(" ")
}

/// Starts a command on a terminal with this many columns, and with these variables.
fn begin(command: &Command, columns: u16, variables: &[(&str, &str)]) -> Child {
    let line = format!("stty rows 24 cols {columns}; exec {}", words(command));
    let mut script = Command::new("script");
    script.args(["-qec", &line, "/dev/null"]).env_clear().env("TERM", "xterm");
    script.env("PATH", std::env::var_os("PATH").expect("a path")).envs(variables.iter().copied());
    script.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("script runs")
}

/// The exit code and what the terminal shows after this was typed.
fn shown(command: &Command, columns: u16, variables: &[(&str, &str)], typed: &str) -> (i32, String) {
    let mut running = begin(command, columns, variables);
    running.stdin.as_mut().expect("a keyboard").write_all(typed.as_bytes()).expect("it reads");
    let Output { status, stdout, .. } = running.wait_with_output().expect("it ends");
    (status.code().expect("an exit code"), String::from_utf8_lossy(&stdout).replace("\r\n", "\n"))
}

#[test]
fn a_table_is_cut_to_the_width_of_the_terminal() {
    let place = Place::new();
    place.import();
    let name = "The people who answer at night and on weekends";
    assert_eq!(outcome(&place.run(&["team", "create", "rust-embedded", name])).0, 0);
    let list = place.command(&["team", "list", "rust-embedded"]);
    let (code, narrow) = shown(&list, 60, &[], "");
    assert!(code == 0 && narrow.contains('…') && !narrow.contains(name), "{narrow}");
    assert!(narrow.lines().all(|line| line.chars().count() <= 60), "{narrow}");
    let (code, wide) = shown(&list, 300, &[], "");
    assert!(code == 0 && !wide.contains('…') && wide.contains(name), "{wide}");
    assert!(wide.lines().any(|line| line.starts_with("TEAM ") || line.starts_with("SLUG ")), "{wide}");
}

#[test]
fn colors_are_for_terminals_without_no_color() {
    let place = Place::new();
    place.import();
    let file = place.dir().join("more.yaml");
    fs::write(&file, "orgs:\n  rust-embedded:\n    teams:\n      Night watch: {privacy: closed}\n").expect("a file");
    let plan = place.command(&["plan", file.to_str().expect("text")]);
    let green = |text: &str| text.contains("\u{1b}[32m");
    let (code, shown_on_terminal) = shown(&plan, 80, &[], "");
    assert!(code == 2 && green(&shown_on_terminal) && shown_on_terminal.contains("Night watch"), "{shown_on_terminal}");
    let (code, without) = shown(&plan, 80, &[("NO_COLOR", "1")], "");
    assert!(code == 2 && !without.contains('\u{1b}') && without.contains("Night watch"), "{without}");
    let (code, piped, _) = outcome(&place.run(&["plan", file.to_str().expect("text")]));
    assert!(code == 2 && !piped.contains('\u{1b}') && piped.contains("Night watch"), "{piped}");
    let help = guildhall(&["team", "--help"]);
    assert!(shown(&help, 80, &[], "").1.contains("\u{1b}["));
    assert!(!shown(&help, 80, &[("NO_COLOR", "1")], "").1.contains('\u{1b}'));
}

#[test]
fn a_deletion_asks_for_the_name() {
    let place = Place::new();
    place.import();
    let delete = place.command(&["team", "delete", "rust-embedded", "core"]);
    for no in ["no\n", "\n", "CORE\n"] {
        let (code, text) = shown(&delete, 80, &[], no);
        assert!(code == 1 && text.contains("Type \"core\" to continue: "), "{text}");
        assert!(text.contains("Not confirmed. Nothing was changed"), "{text}");
    }
    assert_eq!(outcome(&place.run(&["team", "show", "rust-embedded", "core"])).0, 0);
    let (code, text) = shown(&delete, 80, &[], "core\n");
    assert!(code == 0 && text.contains("deleted core of rust-embedded"), "{text}");
    assert_eq!(outcome(&place.run(&["team", "show", "rust-embedded", "core"])).0, 1);
    let (code, text) = shown(&place.command(&["user", "delete", OWNER]), 80, &[], "no\n");
    assert!(code == 1 && text.contains("Not confirmed. Nothing was changed"), "{text}");
}

#[test]
fn an_import_shows_its_steps() {
    let place = Place::new();
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/samples/peribolos/rust-embedded/org.yaml");
    let (code, text) = shown(&place.command(&["import", file]), 120, &[], "");
    assert!(code == 0 && text.contains("reading ") && text.contains("importing rust-embedded: "), "{text}");
}

#[test]
fn a_command_that_waits_for_a_server_says_so_after_a_while() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let base = format!("http://{}", listener.local_addr().expect("an address"));
    let list = guildhall(&["team", "list", "acme", "--url", &base]);
    let mut running = begin(&list, 80, &[("GUILDHALL_TOKEN", "ghp_some")]);
    let (mut stream, _) = listener.accept().expect("a connection");
    let head = BufReader::new(stream.try_clone().expect("a socket")).lines().map_while(Result::ok);
    assert!(head.take_while(|line| !line.is_empty()).any(|line| line.starts_with("GET /orgs/acme/teams")));
    // The server answers only when the terminal shows that it is waited for.
    let mut text = until_shown(&mut running, &format!("waiting for {base}"));
    let answer = "HTTP/1.1 200 OK\r\nX-GitHub-Request-Id: 1\r\nContent-Length: 2\r\nConnection: close\r\n\r\n[]";
    stream.write_all(answer.as_bytes()).expect("it reads");
    running.stdout.take().expect("a terminal").read_to_string(&mut text).expect("text");
    assert!(running.wait().expect("it ends").success(), "{text}");
    assert!(text.contains("acme has no team."), "{text}");
}

/// The text of the terminal up to these words.
fn until_shown(running: &mut Child, words: &str) -> String {
    let out = running.stdout.as_mut().expect("a terminal");
    let (mut text, mut part) = (String::new(), [0; 256]);
    while !text.contains(words) {
        let length = out.read(&mut part).expect("text");
        assert!(length > 0, "it ended: {text}");
        text.push_str(&String::from_utf8_lossy(&part[..length]));
    }
    text
}

/// Lets commands wait for the database until the returned value is dropped.
fn locked(place: &Place) -> Box<dyn Any> {
    if !Database::is_postgres() {
        let other =
            rusqlite::Connection::open(place.database.argument().trim_start_matches("sqlite:")).expect("the database");
        other.execute_batch("BEGIN IMMEDIATE").expect("the lock");
        return Box::new(other);
    }
    let mut other = postgres::Client::connect(&place.database.argument(), postgres::NoTls).expect("a connection");
    other.batch_execute("BEGIN; LOCK TABLE teams IN ACCESS EXCLUSIVE MODE").expect("the lock");
    Box::new(other)
}

#[test]
fn a_command_that_waits_for_the_database_says_so_after_a_while() {
    let place = Place::new();
    place.import();
    let file = place.dir().join("more.yaml");
    fs::write(&file, "orgs:\n  rust-embedded:\n    teams:\n      Night watch: {privacy: closed}\n").expect("a file");
    let apply = ["apply", "--yes", file.to_str().expect("text")];
    let commands: [(&[&str], &str, &str); 3] = [
        (&["team", "create", "rust-embedded", "Late"], "waiting for the database", "created late"),
        (
            &apply,
            if Database::is_postgres() { "waiting for the database" } else { "changing rust-embedded" },
            "1 added",
        ),
        (&["doctor", "--mend"], "rebuilding what is counted or derived", "All is well"),
    ];
    for (command, progress, end) in commands {
        let lock = locked(&place);
        let mut running = begin(&place.command(command), 80, &[]);
        let mut text = until_shown(&mut running, progress);
        drop(lock);
        running.stdout.take().expect("a terminal").read_to_string(&mut text).expect("text");
        assert!(running.wait().expect("it ends").success() && text.contains(end), "{text}");
    }
}
