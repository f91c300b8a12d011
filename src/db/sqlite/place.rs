//! Tells if the open file is still the one at its path. A deleted or replaced file accepts writes that will never be
//! read again.

use std::io::ErrorKind;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use super::open;
use crate::error::{Error, Result};

/// A file, identified by its device and inode.
type Identity = (u64, u64);

pub(super) struct Place {
    path: PathBuf,
    file: Identity,
    /// The write-ahead log, once it exists.
    log: OnceLock<Identity>,
    /// The reason why nothing is served any longer.
    lost: OnceLock<String>,
}

impl Place {
    /// The identity of a file that was just opened.
    pub(super) fn of(path: &Path) -> Result<Self> {
        let file = identity(path).map_err(|error| {
            Error::Unavailable(format!("cannot look at {}: {error}; check that its directory exists", path.display()))
        })?;
        Ok(Self { path: path.to_owned(), file, log: OnceLock::new(), lost: OnceLock::new() })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Refuses if the file was found to be lost, because writes to it would be lost too.
    pub(super) fn held(&self) -> Result<()> {
        self.lost.get().map_or(Ok(()), |why| Err(Error::Unavailable(why.clone())))
    }

    /// Refuses everything from now on: the file is going to be removed.
    pub(super) fn retire(&self) {
        self.lost.get_or_init(|| "the server has stopped".to_owned());
    }

    /// Checks the path again. A lost file stays lost, even if another one takes its place.
    pub(super) fn check(&self) -> Result<()> {
        let path = self.path.display();
        match identity(&self.path) {
            Ok(found) if found == self.file => {
                if self.log.get().is_none()
                    && let Ok(log) = identity(&self.sibling("-wal"))
                {
                    self.log.get_or_init(|| log);
                }
            }
            Ok(_) => {
                self.put_log_aside();
                self.lose(format!(
                    "the database file {path} was replaced while the server was using the old one. Every request gets \
                     503 until the server is restarted: stop it, put the database that you want in place with \
                     `guildhall restore`, and start it again"
                ));
            }
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => self.lose(format!(
                "the database file {path} was deleted or moved while the server was using it. Every request gets 503 \
                 until the server is restarted: stop it, move the file back or put a backup in place with `guildhall \
                 restore`, and start it again"
            )),
            // It may exist nevertheless. The next check will tell.
            Err(_) => {}
        }
        self.held()
    }

    fn lose(&self, why: String) {
        // Several threads may find it at the same time. One of them logs it.
        if self.lost.set(why).is_ok()
            && let Some(why) = self.lost.get()
        {
            tracing::error!("{why}");
        }
    }

    /// Moves the log of the old file away, because SQLite would apply it to the new one.
    fn put_log_aside(&self) {
        let log = self.sibling("-wal");
        if self.log.get().is_none_or(|own| identity(&log).ok().as_ref() != Some(own)) {
            return;
        }
        for suffix in open::LOGS {
            let log = self.sibling(suffix);
            if let Err(error) = std::fs::rename(&log, self.sibling(&format!("{suffix}.old"))) {
                tracing::warn!(%error, "cannot rename {}", log.display());
            }
        }
    }

    fn sibling(&self, suffix: &str) -> PathBuf {
        open::with_suffix(&self.path, suffix)
    }
}

fn identity(path: &Path) -> std::io::Result<Identity> {
    path.metadata().map(|metadata| (metadata.dev(), metadata.ino()))
}
