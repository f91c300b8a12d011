//! Runs the pipelines of `docs/source-of-truth.md` as their runners would: each line of theirs in a shell, with a server at
//! the URL that they name. The programs of the platform write down how they were called.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::remote::{EDITED, Remote};
use crate::place::outcome;

/// The URL of the guide.
const URL: &str = "https://teams.example.org";

/// The block of the guide after this name of a file.
fn pipeline(name: &str) -> String {
    let guide = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/source-of-truth.md")).expect("the guide");
    let (_, after) = guide.split_once(&format!("`{name}`")).expect("the name");
    after.split("```").nth(1).and_then(|block| block.strip_prefix("yaml\n")).expect("a block").to_owned()
}

/// The scripts of a pipeline, in order: the values of `run`, and the items of `script`.
fn scripts(pipeline: &str) -> Vec<String> {
    let mut scripts: Vec<String> = Vec::new();
    let (mut list, mut block) = (None, None);
    for line in pipeline.lines() {
        let (indent, text) = (line.len() - line.trim_start().len(), line.trim_start());
        if let Some((_, join)) = block.filter(|(above, _)| indent > *above) {
            let script = scripts.last_mut().expect("a script");
            if !script.is_empty() {
                *script += join;
            }
            *script += text;
            continue;
        }
        (list, block) = (list.filter(|above| indent > *above), None);
        let item = text.strip_prefix("- ").unwrap_or(text);
        let value = if list.is_some() { Some(item) } else { item.strip_prefix("run: ") };
        match value {
            Some(style @ ("|" | ">-")) => {
                scripts.push(String::new());
                block = Some((indent, if style == "|" { "\n" } else { " " }));
            }
            Some(script) => scripts.push(script.to_owned()),
            None if text == "script:" => list = Some(indent),
            None => {}
        }
    }
    scripts
}

/// Runs the scripts of a pipeline in a folder with the file, and returns that folder.
fn run(remote: &Remote, name: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("acme.yaml"), EDITED).expect("to write");
    let ran = scripts(&pipeline(name));
    assert!(ran.iter().any(|script| script.contains("guildhall apply")), "{ran:?}");
    for script in ran {
        let script = script.replace(URL, &remote.server.base).replace("${{ github.event.number }}", "7");
        let (code, out, err) = outcome(&shell(remote, folder.path(), &script).output().expect("a shell"));
        assert_eq!(code, 0, "{script}\n{out}{err}");
    }
    folder
}

/// The shell of a runner, which stops at the first failure.
fn shell(remote: &Remote, folder: &Path, script: &str) -> Command {
    let program = Path::new(env!("CARGO_BIN_EXE_guildhall")).parent().expect("a folder");
    let path = format!("{}:{}", program.display(), std::env::var("PATH").expect("a path"));
    let script = format!("gh() {{ echo \"$@\" > called; }}\ncurl() {{ echo \"$@\" > called; }}\n{script}");
    let mut shell = Command::new("sh");
    shell.args(["-e", "-c", &script]).current_dir(folder).env("PATH", path).env("GUILDHALL_TOKEN", &remote.token);
    shell.envs([("NOTES_TOKEN", "notes"), ("CI_API_V4_URL", "https://git.example.org/api/v4")]);
    shell.envs([("CI_PROJECT_ID", "3"), ("CI_MERGE_REQUEST_IID", "7")]);
    shell
}

#[test]
fn decision_75_the_pipelines_of_the_guide_post_a_plan_and_apply_it() {
    for (name, note, call) in [
        (".github/workflows/teams.yml", "comment.md", "pr comment 7 --body-file comment.md"),
        (".gitlab-ci.yml", "note.md", "body@note.md https://git.example.org/api/v4/projects/3/merge_requests/7/notes"),
    ] {
        let remote = Remote::new();
        let folder = run(&remote, name);
        let read = |file: &str| fs::read_to_string(folder.path().join(file)).expect("a file");
        let note = read(note);
        assert!(
            note.starts_with("    acme:\n") && note.ends_with("    Plan: 1 to add, 2 to change, 1 to remove\n"),
            "{note}"
        );
        assert!(read("called").trim_end().ends_with(call), "{}", read("called"));
        let file = remote.file(EDITED);
        assert_eq!(remote.run(&["plan", "--prune", &file]).0, 0);
    }
}
