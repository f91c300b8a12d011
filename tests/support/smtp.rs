//! A mail server that answers as a test wants.

use std::collections::HashSet;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::mail::Mail;
use super::waiting;

/// The manner in which it answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Manner {
    /// It accepts every mail.
    Accepts,
    /// It refuses one recipient permanently.
    Rejects(&'static str),
    /// It refuses each recipient once, for a while.
    Greylists,
    /// It closes the connection in the middle of a mail.
    Drops,
    /// It accepts connections and never answers.
    IsSilent,
    /// It wants a password first, and refuses each.
    RefusesPasswords,
    /// It wants this user and password, in the form that SMTP sends them.
    Wants(&'static str),
    /// It gives this answer to this command: nothing for the connection itself, a dot for the text of a mail.
    Says(&'static str, &'static str),
    /// It accepts every mail, and says so after this time.
    IsSlow(Duration),
    /// It accepts every mail, and does not say so before it is told to behave otherwise.
    Holds,
}

/// The e-mails that it has received, and the manner in which it answers.
struct State {
    manner: Mutex<Manner>,
    mails: Mutex<Vec<(String, Mail)>>,
    seen: Mutex<HashSet<String>>,
    connections: AtomicUsize,
    attempts: AtomicUsize,
    replies: AtomicUsize,
}

/// A mail server.
pub struct Smtp {
    pub port: u16,
    state: Arc<State>,
}

impl Smtp {
    pub fn new(manner: Manner) -> Self {
        Self::on(TcpListener::bind("127.0.0.1:0").expect("a port"), manner)
    }

    /// One on this socket.
    pub fn on(listener: TcpListener, manner: Manner) -> Self {
        let port = listener.local_addr().expect("an address").port();
        let state = Arc::new(State {
            manner: Mutex::new(manner),
            mails: Mutex::default(),
            seen: Mutex::default(),
            connections: AtomicUsize::default(),
            attempts: AtomicUsize::default(),
            replies: AtomicUsize::default(),
        });
        let shared = Arc::clone(&state);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                shared.connections.fetch_add(1, Ordering::SeqCst);
                let state = Arc::clone(&shared);
                std::thread::spawn(move || drop(serve(&stream, &state)));
            }
        });
        Self { port, state }
    }

    pub fn set(&self, manner: Manner) {
        *self.state.manner.lock().expect("a manner") = manner;
    }

    /// The recipients and the mails that it has accepted, in order.
    pub fn mails(&self) -> Vec<(String, Mail)> {
        self.state.mails.lock().expect("mails").clone()
    }

    /// The number of connections so far.
    pub fn connections(&self) -> usize {
        self.state.connections.load(Ordering::SeqCst)
    }

    /// The number of e-mails that were begun.
    pub fn attempts(&self) -> usize {
        self.state.attempts.load(Ordering::SeqCst)
    }

    /// The number of replies to the texts of e-mails that were sent.
    pub fn replies(&self) -> usize {
        self.state.replies.load(Ordering::SeqCst)
    }

    /// Waits until this is so; meanwhile something is done again and again.
    #[track_caller]
    pub fn until(&self, wanted: impl Fn(&Self) -> bool, mut meanwhile: impl FnMut()) {
        waiting::found(|| {
            if wanted(self) {
                return Ok(());
            }
            meanwhile();
            let to: Vec<String> = self.mails().into_iter().map(|(to, _)| to).collect();
            Err(format!("mails to {to:?}, {} attempts", self.attempts()))
        });
    }
}

fn serve(stream: &TcpStream, state: &State) -> std::io::Result<()> {
    let manner = || *state.manner.lock().expect("a manner");
    if manner() == Manner::IsSilent {
        let mut client = stream;
        return std::io::copy(&mut client, &mut std::io::sink()).map(drop);
    }
    let mut out = stream;
    let mut lines = BufReader::new(stream).lines();
    let greeting = if let Manner::Says("", answer) = manner() { answer } else { "220 mail.example.com ready" };
    out.write_all(format!("{greeting}\r\n").as_bytes())?;
    let (mut to, mut known) = (String::new(), false);
    while let Some(line) = lines.next() {
        let line = line?;
        let verb = line.split([' ', ':']).next().unwrap_or_default().to_ascii_uppercase();
        let answer = match verb.as_str() {
            "EHLO" if matches!(manner(), Manner::RefusesPasswords | Manner::Wants(_)) => {
                "250-mail.example.com\r\n250 AUTH PLAIN LOGIN"
            }
            "EHLO" => "250-mail.example.com\r\n250-8BITMIME\r\n250 SMTPUTF8",
            "AUTH" if matches!(manner(), Manner::Wants(secret) if line.ends_with(secret)) => {
                known = true;
                "235 2.7.0 welcome"
            }
            "AUTH" => "535 5.7.8 wrong password",
            "MAIL" if matches!(manner(), Manner::Wants(_)) && !known => "530 5.7.0 who are you?",
            "MAIL" => match manner() {
                Manner::Says("MAIL", answer) => answer,
                _ => "250 ok",
            },
            "RCPT" => {
                state.attempts.fetch_add(1, Ordering::SeqCst);
                line.split(['<', '>']).nth(1).unwrap_or_default().clone_into(&mut to);
                match manner() {
                    Manner::Says("RCPT", answer) => answer,
                    Manner::Rejects(refused) if refused == to => "550 5.1.1 no such mailbox",
                    Manner::Greylists if state.seen.lock().expect("seen").insert(to.clone()) => {
                        "451 4.7.1 try again later"
                    }
                    _ => "250 ok",
                }
            }
            "DATA" if manner() == Manner::Drops => {
                out.write_all(b"354 go on\r\n")?;
                lines.next();
                return Ok(());
            }
            "DATA" => {
                out.write_all(b"354 go on\r\n")?;
                let mut text = String::new();
                loop {
                    // A sender that is killed here has sent no mail.
                    let Some(line) = lines.next().transpose()? else { return Ok(()) };
                    if line == "." {
                        break judge(state, &to, &text);
                    }
                    text.push_str(line.strip_prefix('.').unwrap_or(&line));
                    text.push('\n');
                }
            }
            "QUIT" => {
                out.write_all(b"221 bye\r\n")?;
                return Ok(());
            }
            _ => "250 ok",
        };
        let sent = out.write_all(format!("{answer}\r\n").as_bytes());
        if verb == "DATA" {
            state.replies.fetch_add(1, Ordering::SeqCst);
        }
        sent?;
    }
    Ok(())
}

/// The answer to the text of a mail, which is kept if it is accepted.
fn judge(state: &State, to: &str, text: &str) -> &'static str {
    let manner = *state.manner.lock().expect("a manner");
    match manner {
        Manner::Says(".", answer) => return answer,
        _ => state.mails.lock().expect("mails").push((to.to_owned(), Mail::parse(text))),
    }
    match manner {
        Manner::IsSlow(pause) => std::thread::sleep(pause),
        Manner::Holds => waiting::until("it is told to behave otherwise", || {
            *state.manner.lock().expect("a manner") != Manner::Holds
        }),
        _ => {}
    }
    "250 2.0.0 queued"
}
