//! Sends the requests whose instructions `scripts/instructions` counts.
//!
//! `instructions prepare DATABASE TOKENS` makes the organization, and a file with a token of each person who sends
//! requests. `instructions count DATABASE TOKENS` serves that database and sends each row's requests. Before and after what
//! is counted, it prints a line and waits for one, so that the script can read its own counters.
//!
//! Valgrind counts what runs within [`measured`] on all threads: this one, which serves and sends, and the store's own.

#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a measurement prints, and stops at the first surprise"
)]

mod client;
mod deliveries;
#[path = "../served/parts.rs"]
mod parts;
mod rows;
mod server;
#[expect(unused_imports, reason = "tests use more of it")]
#[path = "../../tests/support/mod.rs"]
mod support;
mod world;

use std::io::Write;
use std::path::PathBuf;

use bytes::Bytes;
use guildhall::clock;
use guildhall::db::Address;

use client::Client;
use rows::Row;
use server::Server;
use world::Tokens;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [verb, place, tokens] = words.as_slice() else { panic!("usage: instructions prepare|count DATABASE TOKENS") };
    let database = match place.strip_prefix("postgres://") {
        Some(_) => Address::Postgres(place.clone()),
        None => Address::Sqlite(place.into()),
    };
    let tokens = PathBuf::from(tokens);
    match verb.as_str() {
        "prepare" => world::prepare(&database, &tokens),
        "count" => count_all(&database, &Tokens::read(&tokens)),
        _ => panic!("unknown verb {verb}: use prepare or count"),
    }
}

fn count_all(database: &Address, tokens: &Tokens) {
    // Identifiers that are drawn are the same in each run.
    clock::repeat_randomness();
    let server = Server::start(database);
    for row in rows::all(&server, tokens) {
        send(&server, &row);
    }
    deliveries::count(&server, tokens);
}

/// Sends a row's requests over connections of its own.
fn send(server: &Server, row: &Row) {
    let mut clients: Vec<Client> = (0..row.at_once).map(|_| server.block_on(Client::connect(server.address))).collect();
    let mut send_all = |requests: &[Bytes]| {
        for together in requests.chunks(row.at_once) {
            if let [one] = together {
                server.block_on(clients[0].send(one, row.status));
            } else {
                let sending = server.in_one_batch(std::mem::take(&mut clients), together, row.status);
                clients = server.block_on(sending);
            }
        }
    };
    send_all(&row.warm_up);
    // What is sent at once is counted by itself.
    let part = if row.at_once > 1 { row.at_once } else { row.counted.len() };
    for requests in row.counted.chunks(part) {
        count(row.name, requests.len(), || send_all(requests));
    }
}

/// Has the instructions of this work counted, as those of so many requests of a row.
fn count(row: &str, requests: usize, mut work: impl FnMut()) {
    tell(&format!("begin\t{row}\t{requests}"));
    measured(&mut work);
    tell("end");
}

/// The function that the script looks for: valgrind counts from its beginning to its end.
#[inline(never)]
fn measured(work: &mut dyn FnMut()) {
    work();
    // Otherwise the call would be the last jump, and valgrind would see no end.
    std::hint::black_box(());
}

/// Prints a line, and waits until the script has taken note of it.
fn tell(line: &str) {
    println!("{line}");
    std::io::stdout().flush().expect("a reader");
    std::io::stdin().read_line(&mut String::new()).expect("a line");
}
