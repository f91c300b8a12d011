//! The room for e-mails that are saved as files: if a maildir is full, the oldest e-mails about posts are deleted
//! (decision 46). Other e-mails are never deleted for room. The folders are read only if at least a tenth of the room can
//! become free, so that saving an e-mail costs the same in a full maildir.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The folders of a maildir.
pub(super) const FOLDERS: [&str; 3] = ["tmp", "new", "cur"];

/// The end of the names of e-mails about posts, before the flags that mail programs append.
pub(super) const OF_POST: &str = ".post.guildhall";

/// The room of a maildir.
#[derive(Debug)]
pub(super) struct Room {
    /// The largest total size of all e-mails, in bytes.
    most: u64,
    /// Their total size; none until the folders were read.
    used: Option<u64>,
    /// True if other e-mails leave no room for those about posts. The next look at the folders may change that.
    is_full: bool,
}

/// A saved e-mail.
struct Saved {
    path: PathBuf,
    name: String,
    size: u64,
}

impl Room {
    pub(super) fn new(most: u64) -> Self {
        Self { most, used: None, is_full: false }
    }

    /// Takes room for an e-mail of this size, and returns true if there is any. There always is for an e-mail that is not
    /// about a post.
    pub(super) fn take(&mut self, folder: &Path, size: u64, is_post: bool) -> io::Result<bool> {
        let used = match self.used {
            Some(used) => used,
            None => self.look(folder)?,
        };
        if used + size > self.most && !self.is_full {
            self.clear(folder, size)?;
        }
        let is_saved = !(is_post && self.is_full);
        if is_saved {
            self.used = self.used.map(|used| used + size);
        }
        Ok(is_saved)
    }

    /// Gives back the room of an e-mail that could not be saved.
    pub(super) fn give_back(&mut self, size: u64) {
        self.used = self.used.map(|used| used.saturating_sub(size));
    }

    /// Reads how much room is used. Mail programs and people delete e-mails, too.
    pub(super) fn look(&mut self, folder: &Path) -> io::Result<u64> {
        let used = saved(folder)?.iter().map(|mail| mail.size).sum();
        (self.used, self.is_full) = (Some(used), false);
        Ok(used)
    }

    /// Deletes the oldest e-mails about posts until a tenth of the room is free.
    fn clear(&mut self, folder: &Path, size: u64) -> io::Result<()> {
        let mut mails = saved(folder)?;
        let mut used: u64 = mails.iter().map(|mail| mail.size).sum();
        let wanted = (self.most / 10 * 9).min(self.most.saturating_sub(size));
        // A name begins with the time.
        mails.sort_unstable_by(|a, b| a.name.cmp(&b.name));
        let mut deleted = 0_u64;
        for mail in mails.iter().filter(|mail| mail.name.contains(OF_POST)) {
            if used <= wanted {
                break;
            }
            gone(fs::remove_file(&mail.path))?;
            used -= mail.size;
            deleted += 1;
        }
        (self.used, self.is_full) = (Some(used), used > wanted);
        let of = folder.display();
        if self.is_full {
            tracing::warn!("{of} is full: until there is room again (mail.max_mib), no mail about a post is saved");
        } else if deleted > 0 {
            tracing::warn!("{of} was full: deleted the {deleted} oldest mails about posts (mail.max_mib)");
        }
        Ok(())
    }
}

/// The e-mails in all folders.
fn saved(folder: &Path) -> io::Result<Vec<Saved>> {
    let mut mails = Vec::new();
    for name in FOLDERS {
        let entries = match fs::read_dir(folder.join(name)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            entries => entries?,
        };
        for entry in entries {
            let entry = entry?;
            // A mail program may move an e-mail at any time.
            let Ok(metadata) = entry.metadata() else { continue };
            let name = entry.file_name().to_string_lossy().into_owned();
            mails.push(Saved { path: entry.path(), name, size: metadata.len() });
        }
    }
    Ok(mails)
}

/// The result of deleting a file, which may have been moved or deleted before.
fn gone(deleted: io::Result<()>) -> io::Result<()> {
    deleted.or_else(|error| if error.kind() == io::ErrorKind::NotFound { Ok(()) } else { Err(error) })
}
