//! E-mails as files in a maildir, so that a first run needs no mail server (decisions 46 and 69).

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use lettre::Message;

use super::Sent;
use super::room::{FOLDERS, OF_POST, Room};
use crate::clock::{self, Time};
use crate::error::Error;

/// A maildir: files are written in `tmp` and moved to `new` when they are complete.
#[derive(Clone)]
pub(super) struct Maildir {
    folder: PathBuf,
    keep: Duration,
    room: Arc<Mutex<Room>>,
}

impl Maildir {
    /// A maildir of at most so many bytes, which keeps e-mails for so many days.
    pub(super) fn new(folder: PathBuf, days: u32, most: u64) -> Self {
        let room = Arc::new(Mutex::new(Room::new(most)));
        Self { folder, keep: Duration::from_hours(24 * u64::from(days)), room }
    }

    /// Saves an e-mail. The path is logged. An e-mail about a post is dropped if there is no room for any.
    pub(super) async fn save(&self, message: Message, is_post: bool, at: Time) -> Sent {
        let (began, maildir) = (Instant::now(), self.clone());
        let saved = tokio::task::spawn_blocking(move || maildir.write(&message.formatted(), is_post, at)).await;
        match saved.unwrap_or_else(|error| Err(io::Error::other(error))) {
            Ok(None) => Sent { ok: true, status: FULL.to_owned(), ..Sent::failed(String::new(), began) },
            Ok(Some(path)) => {
                tracing::info!("saved a mail as {}, because no mail server is set (smtp.url)", path.display());
                Sent { ok: true, status: "saved as a file".to_owned(), ..Sent::failed(String::new(), began) }
            }
            Err(error) => {
                tracing::warn!(%error, "cannot save a mail in {}; trying again later", self.folder.display());
                Sent::failed(format!("cannot save the mail: {error}"), began)
            }
        }
    }

    /// Deletes files that are too old, and counts the rest.
    pub(super) async fn sweep(&self, now: Time) {
        let maildir = self.clone();
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(u64::try_from(now.seconds()).unwrap_or_default());
        let swept = tokio::task::spawn_blocking(move || {
            let before = now.checked_sub(maildir.keep);
            FOLDERS.iter().try_for_each(|name| sweep(&maildir.folder.join(name), before))?;
            maildir.room().look(&maildir.folder)
        });
        if let Ok(Err(error)) = swept.await {
            tracing::warn!(%error, "cannot delete old mails in {}", self.folder.display());
        }
    }

    fn room(&self) -> MutexGuard<'_, Room> {
        self.room.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes an e-mail, and returns the path of its file; none if there is no room for it.
    fn write(&self, mail: &[u8], is_post: bool, at: Time) -> io::Result<Option<PathBuf>> {
        let size = u64::try_from(mail.len()).unwrap_or(u64::MAX);
        if !self.room().take(&self.folder, size, is_post)? {
            return Ok(None);
        }
        let written = write(&self.folder, mail, if is_post { OF_POST } else { ".guildhall" }, at);
        if written.is_err() {
            self.room().give_back(size);
        }
        written.map(Some)
    }
}

/// The status of an e-mail about a post that was not saved.
const FULL: &str = "not saved: the maildir is full (mail.max_mib)";

fn write(folder: &Path, mail: &[u8], ending: &str, at: Time) -> io::Result<PathBuf> {
    for name in FOLDERS {
        DirBuilder::new().recursive(true).mode(0o700).create(folder.join(name))?;
    }
    let drawn = clock::random_aside().map_err(|error: Error| io::Error::other(error.to_string()))?;
    let name = format!("{}.{:016x}{ending}", at.0, u64::from_le_bytes(drawn));
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
