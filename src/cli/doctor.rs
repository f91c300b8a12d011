//! `guildhall doctor`: its arguments, the files that only their owner may read, and its output.

use std::time::Instant;

use serde_json::json;

use super::meter::waiting;
use super::settings::StoreFlags;
use super::{Failure, answer, answer_json, in_one_line};
use crate::clock::Clock;
use crate::doctor::saved_head::{self, SavedHead};
use crate::doctor::{self, Report, clock, files};
use crate::store::{Missing, Store};

const EXAMPLES: &str = "\
Works on the database of this machine only, also while the server is running. Changes nothing without --mend.

Exit codes:
  0  all is well
  1  doctor found something, or could not check
  2  the command line or a setting is wrong

Examples:
  guildhall doctor
  guildhall doctor --data-dir /var/lib/guildhall --mend
  guildhall doctor --head $(cat acme.head)";

/// Check the data for inconsistencies and explain how to fix them.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// First rebuild everything that is counted or derived from other rows.
    #[arg(long)]
    mend: bool,
    /// Trust the clock of this machine again, although the data has newer entries or PostgreSQL says another time.
    #[arg(long)]
    reset_clock: bool,
    /// Also verify that an audit log has this entry, which `guildhall audit` printed as its head. Repeat the flag for
    /// several heads.
    #[arg(long = "head", value_name = "ORG:ENTRY:HASH", value_parser = saved_head::read)]
    heads: Vec<SavedHead>,
    /// Print the result as JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    flags: StoreFlags,
}

/// Runs the command.
pub async fn run(args: Args) -> Result<(), Failure> {
    let settings = args.flags.settings()?;
    let store = Store::open(&settings, Missing::Refuse).await?;
    let mut mended = Vec::new();
    if args.mend {
        let work = doctor::mend(&store.db, store.key.audit()?, store.now().await?);
        mended = waiting("rebuilding what is counted or derived", work).await?;
    }
    if args.reset_clock {
        let chains = clock::reset(&store).await?;
        mended.push(format!("the clock is trusted again; {chains} journals had newer entries"));
    }
    if !args.json {
        mended.iter().try_for_each(|line| answer(&in_one_line(&format!("fixed: {line}"))))?;
    }
    let begun = Instant::now();
    let key = store.key.audit()?;
    let mut report = waiting("checking the data", doctor::run(&store.db, &key)).await?;
    files::check(&settings.data_dir, &mut report);
    clock::check(&Clock::System, &store.clock_check().await?, &mut report);
    for head in args.heads {
        let finding = store.db.read(move |tx| saved_head::check(tx, &head)).await?;
        report.add("A saved head", finding.into_iter().collect(), 0);
    }
    let Report { findings, checks, rows, notes, .. } = report;
    let (rules, took) = (checks.len(), begun.elapsed().as_secs_f64());
    if args.json {
        answer_json(&json!({
            "ok": findings.is_empty(),
            "findings": findings,
            "fixed": mended,
            "notes": notes,
            "rules": rules,
            "rows": rows,
            "seconds": took,
        }))?;
    } else {
        notes.iter().try_for_each(|note| answer(&in_one_line(&format!("note: {note}"))))?;
        findings.iter().try_for_each(|finding| answer(&in_one_line(&finding.to_string())))?;
    }
    if findings.is_empty() {
        return if args.json {
            Ok(())
        } else {
            answer(&format!("All is well: {rules} rules hold for {rows} rows, checked in {took:.2} s."))
        };
    }
    Err(Failure::Said)
}
