//! Running a test again in a process that may write only small files, which is what a full disk looks like.

use std::process::Command;

const WITHIN: &str = "A_TEST_WITHIN_LIMITS";

/// Runs the test of this name in a process whose files may have so many KiB; true in that process.
pub fn within(test: &str, kib: u32) -> bool {
    if std::env::var_os(WITHIN).is_some() {
        return true;
    }
    let program = std::env::current_exe().expect("this program");
    let mut command = Command::new("sh");
    command.args(["-c", &script(kib), "sh"]).arg(program).args(["--exact", test, "--nocapture"]);
    let done = command.env(WITHIN, "yes").output().expect("a shell");
    let (out, log) = (String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
    assert!(done.status.success() && out.contains("1 passed"), "{test} within limits:\n{out}\n{log}");
    false
}

/// Runs its arguments with small files only: a write beyond is an error, as on a full disk.
pub fn script(kib: u32) -> String {
    format!("trap '' XFSZ; ulimit -f {} || exit 9; exec \"$@\"", kib * 2)
}
