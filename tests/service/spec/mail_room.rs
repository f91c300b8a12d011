//! A maildir that is full: the oldest mails about posts go first, and no other mail ever goes (decision 46).

use std::fs;
use std::path::{Path, PathBuf};

use guildhall::config;
use guildhall::mail::letter::Content;
use guildhall::mail::{Mailer, Sent, TIMEOUTS};

use super::mail_letters::{AT, invitation, letter, post, runtime};

/// A maildir with room for this many bytes.
struct Maildir {
    folder: tempfile::TempDir,
    mailer: Mailer,
    runtime: tokio::runtime::Runtime,
}

impl Maildir {
    fn new(max_bytes: usize) -> Self {
        let (folder, runtime) = (tempfile::tempdir().expect("a folder"), runtime());
        let mailer = mailer(folder.path(), max_bytes);
        Self { folder, mailer, runtime }
    }

    /// Saves a mail in this second.
    fn save(&self, content: Content, second: usize) -> Sent {
        let at = AT.plus_seconds(i64::try_from(second).expect("a second"));
        self.runtime.block_on(self.mailer.send(&letter(content), at))
    }

    fn post(&self, second: usize) -> Sent {
        self.save(post(false, false, false), second)
    }

    fn invite(&self, second: usize) -> Sent {
        self.save(Content::Invitation(invitation("member", &["Core"], None)), second)
    }

    /// The files of a folder, the oldest first.
    fn files(&self, name: &str) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.folder.path().join(name)).expect("a folder");
        let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
        files.sort();
        files
    }

    /// The seconds in which the mails of `new` were saved.
    fn seconds(&self) -> Vec<usize> {
        let second = |file: &PathBuf| {
            let name = file.file_name().and_then(|name| name.to_str()).expect("a name").to_owned();
            let at: i64 = name.split('.').next().and_then(|at| at.parse().ok()).expect("a time");
            usize::try_from((at - AT.0) / 1_000_000).expect("a second")
        };
        self.files("new").iter().map(second).collect()
    }

    fn size(&self) -> usize {
        let sizes = self.files("new").into_iter().map(|file| file.metadata().expect("a file").len());
        usize::try_from(sizes.sum::<u64>()).expect("a size")
    }
}

fn mailer(folder: &Path, max_bytes: usize) -> Mailer {
    let settings = config::Mail { max_bytes, ..config::Mail::default() };
    Mailer::new(&settings, folder.to_owned(), "https://teams.example.org", TIMEOUTS).expect("a mailer")
}

/// The size of a mail about a post, which is larger than that of an invitation in no test that depends on it.
fn size_of_a_post() -> usize {
    let maildir = Maildir::new(1 << 30);
    maildir.post(0);
    maildir.size()
}

#[test]
fn decision_46_the_oldest_mails_about_posts_go_first_from_a_full_maildir() {
    let most = size_of_a_post() * 40;
    let maildir = Maildir::new(most);
    assert!(maildir.invite(0).ok);
    for second in 1..=200 {
        assert!(maildir.post(second).ok);
        assert!(maildir.size() <= most, "{second}");
    }
    let kept = maildir.seconds();
    assert!((34..=40).contains(&kept.len()), "{kept:?}");
    let newest: Vec<usize> = (202 - kept.len()..=200).collect();
    assert_eq!((kept[0], &kept[1..]), (0, &newest[..]), "the invitation, and the newest posts");
}

#[test]
fn decision_46_a_mailer_counts_what_is_in_all_folders_when_it_starts() {
    let most = size_of_a_post() * 40;
    let maildir = Maildir::new(1 << 30);
    for second in 0..60 {
        maildir.post(second);
    }
    // A mail program has shown the first thirty.
    for file in &maildir.files("new")[..30] {
        let name = file.file_name().and_then(|name| name.to_str()).expect("a name");
        fs::rename(file, maildir.folder.path().join("cur").join(format!("{name}:2,S"))).expect("a file");
    }
    let maildir = Maildir { mailer: mailer(maildir.folder.path(), most), ..maildir };
    maildir.invite(60);
    let (seen, new) = (maildir.files("cur").len(), maildir.files("new").len());
    assert!(new == 31 && (4..=6).contains(&seen), "{seen} and {new}");
}

#[test]
fn decision_46_invitations_are_saved_in_a_full_maildir_and_stay_there() {
    let most = size_of_a_post() * 10;
    let maildir = Maildir::new(most);
    for second in 0..40 {
        assert_eq!(maildir.invite(second).status, "saved as a file");
    }
    assert!(maildir.size() > most);
    let dropped = maildir.post(40);
    assert_eq!((dropped.ok, dropped.status.as_str()), (true, "not saved: the maildir is full (mail.max_mib)"));
    assert_eq!(maildir.seconds(), (0..40).collect::<Vec<_>>());

    // The hourly look finds room again.
    for file in maildir.files("new").into_iter().skip(1) {
        fs::remove_file(file).expect("a file");
    }
    maildir.runtime.block_on(maildir.mailer.sweep(AT));
    assert_eq!(maildir.post(41).status, "saved as a file");
    assert_eq!(maildir.seconds(), [0, 41]);
}
