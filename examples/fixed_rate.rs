//! Writes at a steady rate: the load beside which `scripts/bench` measures reads.
//!
//! `fixed_rate ADDR CLIENTS RATE COUNT METHOD LIST BODY PEOPLE` sends COUNT requests over so many connections, RATE a second
//! in all, each connection by a timetable of its own; RATE 0 means as fast as they are answered. A request that would
//! begin too late is left out of the timetable, so that no burst follows a pause. LIST and PEOPLE are the files that
//! `benches/load.lua` reads: path and token with tabs between, and logins for the end of the path.
//!
//! Each line of the standard input is answered with the number of requests answered so far, and the end is told by
//! `RESULT` with number and microseconds. An answer that is no success ends the program.

use std::error::Error;
use std::fs::read_to_string;
use std::hash::{BuildHasher, RandomState};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

type Failure = Box<dyn Error + Send + Sync>;

/// The requests of all connections, and their progress.
struct Load {
    address: String,
    heads: Vec<String>,
    tails: Vec<String>,
    people: Vec<String>,
    /// A second run must not ask for what the first has done already.
    first: u64,
    count: u64,
    sent: AtomicU64,
    answered: AtomicU64,
}

fn main() -> Result<(), Failure> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [address, clients, rate, count, method, list, body, people] = words.as_slice() else {
        return Err("usage: fixed_rate ADDR CLIENTS RATE COUNT METHOD LIST BODY PEOPLE".into());
    };
    let (clients, rate): (u32, u32) = (clients.parse()?, rate.parse()?);
    let load = Arc::new(Load::read(address, count.parse()?, method, list, body, people)?);
    let told = Arc::clone(&load);
    thread::spawn(move || told.tell());
    let begin = Instant::now();
    let period = move |of: u32| if rate == 0 { Duration::ZERO } else { Duration::from_secs(1) * of / rate };
    let threads: Vec<_> = (0..clients)
        .map(|client| {
            let load = Arc::clone(&load);
            thread::spawn(move || load.send(begin + period(client), period(clients)))
        })
        .collect();
    for thread in threads {
        thread.join().map_err(|_| "a connection's thread has stopped")??;
    }
    writeln!(std::io::stdout(), "RESULT {count} {}", begin.elapsed().as_micros())?;
    Ok(())
}

impl Load {
    fn read(address: &str, count: u64, method: &str, list: &str, body: &str, people: &str) -> Result<Self, Failure> {
        let (mut heads, mut tails) = (Vec::new(), Vec::new());
        for line in read_to_string(list)?.lines() {
            let mut fields = line.split('\t');
            let (Some(path), Some(token)) = (fields.next(), fields.next()) else { return Err("a line is cut".into()) };
            heads.push(format!("{method} {path}"));
            tails.push(format!(
                " HTTP/1.1\r\nHost: {address}\r\nUser-Agent: fixed_rate\r\nAuthorization: token {token}\r\n\
                 Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
                body.len()
            ));
        }
        let people = read_to_string(people)?.lines().map(str::to_owned).collect();
        let first = RandomState::new().hash_one(address);
        let (sent, answered) = (AtomicU64::new(0), AtomicU64::new(0));
        Ok(Self { address: address.to_owned(), heads, tails, people, first, count, sent, answered })
    }

    /// Answers each line of the standard input.
    fn tell(&self) {
        for _ in std::io::stdin().lines() {
            if writeln!(std::io::stdout(), "{}", self.answered.load(Ordering::Relaxed)).is_err() {
                return;
            }
        }
    }

    /// Sends the requests of one connection, from that moment on and once in each period.
    fn send(&self, mut next: Instant, period: Duration) -> Result<(), Failure> {
        let stream = TcpStream::connect(&self.address)?;
        stream.set_nodelay(true)?;
        let mut answers = BufReader::new(stream.try_clone()?);
        let mut stream = stream;
        loop {
            let turn = self.sent.fetch_add(1, Ordering::Relaxed);
            if turn >= self.count {
                return Ok(());
            }
            thread::sleep(next.saturating_duration_since(Instant::now()));
            stream.write_all(self.request(self.first.wrapping_add(turn)).as_bytes())?;
            success(&mut answers)?;
            self.answered.fetch_add(1, Ordering::Relaxed);
            next += period;
            while !period.is_zero() && next + period < Instant::now() {
                next += period;
            }
        }
    }

    /// The request of this turn, for a line and a person that look random.
    fn request(&self, turn: u64) -> String {
        let of = |factor: u64, length: usize| {
            usize::try_from((turn.wrapping_mul(factor) >> 24) % length.max(1) as u64).unwrap_or_default()
        };
        let line = of(11_400_714_819_323_198_485, self.heads.len());
        let person = of(13_787_848_793_156_543_929, self.people.len());
        format!("{}{}{}", self.heads[line], self.people[person], self.tails[line])
    }
}

/// Reads one answer to its end.
fn success(answers: &mut impl BufRead) -> Result<(), Failure> {
    let (mut head, mut length) = (String::new(), 0);
    answers.read_line(&mut head)?;
    let mut line = String::new();
    while answers.read_line(&mut line)? > 2 {
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse()?;
        }
        line.clear();
    }
    let mut body = String::new();
    answers.take(length).read_to_string(&mut body)?;
    if head.split(' ').nth(1).is_some_and(|status| status.starts_with('2')) {
        return Ok(());
    }
    Err(format!("{} {body}", head.trim()).into())
}
