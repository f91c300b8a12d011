//! E-mails as files in a maildir, so that a first run needs no mail server (decisions 46 and 69).

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use lettre::Message;

use super::Sent;
use crate::clock::{self, Time};
use crate::error::Error;

/// The folders of a maildir.
const FOLDERS: [&str; 3] = ["tmp", "new", "cur"];

/// A maildir: files are written in `tmp` and moved to `new` when they are complete.
pub(super) struct Maildir {
    folder: PathBuf,
    keep: Duration,
}

impl Maildir {
    pub(super) fn new(folder: PathBuf, days: u32) -> Self {
        Self { folder, keep: Duration::from_hours(24 * u64::from(days)) }
    }

    /// Saves an e-mail. The path is logged.
    pub(super) async fn save(&self, message: Message, at: Time) -> Sent {
        let (began, folder) = (Instant::now(), self.folder.clone());
        let saved = tokio::task::spawn_blocking(move || write(&folder, &message.formatted(), at)).await;
        match saved.unwrap_or_else(|error| Err(io::Error::other(error))) {
            Ok(path) => {
                tracing::info!("saved a mail as {}, because no mail server is set (smtp.url)", path.display());
                Sent { ok: true, status: "saved as a file".to_owned(), ..Sent::failed(String::new(), began) }
            }
            Err(error) => {
                tracing::warn!(%error, "cannot save a mail in {}; trying again later", self.folder.display());
                Sent::failed(format!("cannot save the mail: {error}"), began)
            }
        }
    }

    /// Deletes files that are too old.
    pub(super) async fn sweep(&self, now: Time) {
        let (folder, keep) = (self.folder.clone(), self.keep);
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(u64::try_from(now.seconds()).unwrap_or_default());
        let swept = tokio::task::spawn_blocking(move || {
            FOLDERS.iter().try_for_each(|name| sweep(&folder.join(name), now.checked_sub(keep)))
        });
        if let Ok(Err(error)) = swept.await {
            tracing::warn!(%error, "cannot delete old mails in {}", self.folder.display());
        }
    }
}

fn write(folder: &Path, mail: &[u8], at: Time) -> io::Result<PathBuf> {
    for name in FOLDERS {
        DirBuilder::new().recursive(true).mode(0o700).create(folder.join(name))?;
    }
    let drawn = clock::random_aside().map_err(|error: Error| io::Error::other(error.to_string()))?;
    let name = format!("{}.{:016x}.guildhall", at.0, u64::from_le_bytes(drawn));
    let (written, placed) = (folder.join("tmp").join(&name), folder.join("new").join(&name));
    let whole = write_whole(&written, mail).and_then(|()| fs::rename(&written, &placed));
    if let Err(error) = whole {
        // An incomplete file is of no use.
        _ = fs::remove_file(&written);
        return Err(error);
    }
    File::open(folder.join("new"))?.sync_all()?;
    Ok(placed)
}

fn write_whole(path: &Path, mail: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
    file.write_all(mail)?;
    file.sync_all()
}

fn sweep(folder: &Path, before: Option<SystemTime>) -> io::Result<()> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries?,
    };
    for entry in entries {
        let entry = entry?;
        if entry.metadata()?.modified().ok() < before {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}
