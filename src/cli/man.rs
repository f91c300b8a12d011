//! `guildhall man`: the manual pages of all commands.

use std::path::{Path, PathBuf};

use clap::{Command, CommandFactory};
use clap_mangen::Man;

use super::{Failure, Line, WIDEST, in_one_line, say};

/// The program and its version, at the foot of each page.
const SOURCE: &str = concat!("guildhall ", env!("CARGO_PKG_VERSION"));

const EXAMPLES: &str = "\
Examples:
  guildhall man | man -l -
  guildhall man team add | man -l -
  guildhall man --dir /usr/local/share/man/man1
  guildhall man --markdown";

/// Print the manual page of a command, or write those of all commands.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The command. Default: the program.
    #[arg(value_name = "COMMAND", conflicts_with_all = ["dir", "markdown"])]
    command: Vec<String>,
    /// Directory in which to write the page of each command, such as guildhall-team-add.1.
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// Print the help of all commands as one document.
    #[arg(long, conflicts_with = "dir")]
    markdown: bool,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<(), Failure> {
    let text = match &args.dir {
        Some(dir) => {
            let written = std::fs::create_dir_all(dir).and_then(|()| write(dir, &program(), &[]));
            written.map_err(|error| Failure::Failed(format!("cannot write to {}: {error}", dir.display())))?;
            say(&format!("wrote the manual pages to {}", dir.display()));
            return Ok(());
        }
        None if args.markdown => markdown().into_bytes(),
        None => named(&args.command)?,
    };
    Ok(std::io::Write::write_all(&mut std::io::stdout(), &text)?)
}

/// The program, whose commands know their whole names.
fn program() -> Command {
    let mut program = Line::command().disable_help_subcommand(true);
    program.build();
    program
}

/// The page of the command with this name.
fn named(words: &[String]) -> Result<Vec<u8>, Failure> {
    let program = program();
    let (mut command, mut above) = (&program, Vec::new());
    for word in words {
        let below = command.find_subcommand(word).filter(|below| !below.is_hide_set());
        let missing = || Failure::Usage(format!("there is no command `guildhall {}`", in_one_line(&words.join(" "))));
        above.push(command);
        command = below.ok_or_else(missing)?;
    }
    Ok(page(command, &above)?)
}

/// Writes the page of the command, and those of the commands below it.
fn write(dir: &Path, command: &Command, above: &[&Command]) -> std::io::Result<()> {
    std::fs::write(dir.join(format!("{}.1", name(command))), page(command, above)?)?;
    let above = [above, &[command]].concat();
    shown(command).try_for_each(|below| write(dir, below, &above))
}

/// The page of a command below these. It ends with the names of the pages beside it.
fn page(command: &Command, above: &[&Command]) -> std::io::Result<Vec<u8>> {
    let mut text = Vec::new();
    Man::new(command.clone()).manual("Guildhall").source(SOURCE).render(&mut text)?;
    let beside = above.last().into_iter().flat_map(|parent| shown(parent)).filter(|one| name(one) != name(command));
    let also: Vec<String> =
        above.iter().copied().chain(beside).map(|one| format!("{}(1)", name(one).replace('-', "\\-"))).collect();
    if !also.is_empty() {
        text.extend(format!(".SH \"SEE ALSO\"\n{}\n", also.join(", ")).into_bytes());
    }
    Ok(text)
}

/// The commands below this one that are shown.
fn shown(command: &Command) -> impl Iterator<Item = &Command> {
    command.get_subcommands().filter(|below| below.get_name() != "help" && !below.is_hide_set())
}

/// The name of the page of a command, such as `guildhall-team-add`.
fn name(command: &Command) -> &str {
    command.get_display_name().unwrap_or_else(|| command.get_name())
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
    shown(command).for_each(|below| add(text, below));
}
