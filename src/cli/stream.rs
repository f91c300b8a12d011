//! Long output of commands: a line for each item, or JSON, while it is read.

use std::io::{BufWriter, IsTerminal, Stdout, Write};

use serde::Serialize;

use super::{Failure, printable};

/// The flags for other programs.
#[derive(Debug, Clone, Copy, clap::Args)]
pub struct StreamFlags {
    /// Print JSON: one array.
    #[arg(long, conflicts_with = "jsonl")]
    json: bool,
    /// Print each item as a JSON object on a line of its own.
    #[arg(long)]
    jsonl: bool,
}

/// The output of a command. An array is closed only by [`Stream::end`], so that a part of it is no JSON.
pub struct Stream {
    flags: StreamFlags,
    out: BufWriter<Stdout>,
    is_begun: bool,
}

impl StreamFlags {
    /// Begins the output.
    pub fn begin(self) -> Stream {
        Stream { flags: self, out: BufWriter::new(std::io::stdout()), is_begun: false }
    }
}

impl Stream {
    /// Prints an item: the record for programs, or the line for people.
    pub fn item(&mut self, record: &impl Serialize, line: impl FnOnce() -> String) -> Result<(), Failure> {
        let before = match (self.flags.json, self.is_begun) {
            (true, true) => ",\n",
            (true, false) => "[\n",
            (false, _) => "",
        };
        self.is_begun = true;
        let is_json = self.flags.json || self.flags.jsonl;
        let text =
            if is_json { printable(&serde_json::to_string(record).map_err(std::io::Error::from)?) } else { line() };
        let after = if self.flags.json { "" } else { "\n" };
        Ok(write!(self.out, "{before}{text}{after}")?)
    }

    /// Lets the reader have what was printed.
    pub fn flush(&mut self) -> Result<(), Failure> {
        Ok(self.out.flush()?)
    }

    /// True if a line of progress would not follow the end of an item on its line.
    pub fn leaves_room(&self) -> bool {
        !(self.flags.json && self.is_begun && self.out.get_ref().is_terminal())
    }

    /// Ends the output.
    pub fn end(mut self) -> Result<(), Failure> {
        if self.flags.json {
            self.out.write_all(if self.is_begun { b"\n]\n" } else { b"[]\n" })?;
        }
        self.flush()
    }
}
