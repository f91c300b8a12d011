//! `guildhall man`: the manual pages of all commands.

use std::path::PathBuf;

use clap::{Command, CommandFactory};
use clap_mangen::Man;

use super::{Failure, Line, WIDEST, say};

const EXAMPLES: &str = "\
Examples:
  guildhall man | man -l -
  guildhall man --dir /usr/local/share/man/man1
  guildhall man --markdown";

/// Print the manual page, or write one for each command.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Directory in which to write the page of each command, such as guildhall-team-add.1.
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// Print the help of all commands as one document.
    #[arg(long, conflicts_with = "dir")]
    markdown: bool,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<(), Failure> {
    let mut text = Vec::new();
    match &args.dir {
        Some(dir) => {
            let failed = |error| Failure::Failed(format!("cannot write to {}: {error}", dir.display()));
            std::fs::create_dir_all(dir)
                .and_then(|()| clap_mangen::generate_to(Line::command(), dir))
                .map_err(failed)?;
            say(&format!("wrote the manual pages to {}", dir.display()));
        }
        None if args.markdown => text = markdown().into_bytes(),
        None => Man::new(Line::command()).render(&mut text)?,
    }
    Ok(std::io::Write::write_all(&mut std::io::stdout(), &text)?)
}

const HEAD: &str = "\
# Commands

Written by `./scripts/bless` from the help of the program.

Where a command has `--json`, it prints one value: the record as the API has it, or an array of records. Where a list may be \
long, `--jsonl` prints each record on a line of its own. Without them, a terminal gets a table that is cut to its width, \
and a file or another program gets lines with tabs. Control characters in names are escaped.
";

/// The help of each command below its name.
fn markdown() -> String {
    let mut program = Line::command().term_width(WIDEST);
    program.build();
    let mut text = HEAD.to_owned();
    add(&mut text, &program);
    text
}

fn add(text: &mut String, command: &Command) {
    let name = command.get_bin_name().unwrap_or_else(|| command.get_name());
    let help = command.clone().render_long_help().to_string();
    let lines: Vec<&str> = help.lines().map(str::trim_end).collect();
    text.extend(["\n## ", name, "\n\n```text\n", lines.join("\n").trim_end(), "\n```\n"]);
    let below = command.get_subcommands().filter(|below| below.get_name() != "help" && !below.is_hide_set());
    below.for_each(|below| add(text, below));
}
