//! The folder of `guildhall dev`: the seed as it was planted, and a copy of it for each generation. It is removed when
//! the process ends.

use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::config::{Database, Settings};
use crate::error::{Error, Result};
use crate::store::data_dir::{DataDir, Lock};

/// A file system in memory, where there is one.
const MEMORY: &str = "/dev/shm";

/// Marks a folder whose content may be deleted.
const MARK: &str = "guildhall.dev";

/// The name of the database in each folder.
const DATABASE: &str = "guildhall.db";

/// The prefix of the names of folders that the program chooses.
const PREFIX: &str = "guildhall-dev-";

/// The folder of a server for tests.
pub struct Root {
    path: PathBuf,
    /// True if it did not exist before.
    made: bool,
    generations: AtomicU64,
    _lock: Lock,
}

impl Root {
    /// A folder at this path, or a new one in memory. A folder with other content is refused.
    pub fn open(chosen: Option<&Path>) -> Result<Self> {
        let (path, made) = match chosen {
            None => {
                remove_abandoned();
                (new_folder()?, true)
            }
            Some(path) => (path.to_owned(), !path.exists()),
        };
        let folder = DataDir::open(&path)?;
        let marked = path.join(MARK).exists();
        if !marked
            && fs::read_dir(&path).and_then(|entries| named(entries, "guildhall.lock")).map_err(unusable(&path))?
        {
            // That a server runs there is the more helpful message.
            if path.join("guildhall.lock").exists() {
                drop(lock(&folder, &path)?);
            }
            return Err(Error::Unavailable(format!(
                "{} is not empty. `guildhall dev` deletes what is in its folder: choose an empty one with --data-dir, \
                 or leave the flag out to keep the data in memory",
                path.display()
            )));
        }
        let lock = lock(&folder, &path)?;
        let root = Self { path, made, generations: AtomicU64::new(0), _lock: lock };
        // Left by a process that was killed.
        root.empty().map_err(unusable(&root.path))?;
        fs::write(root.path.join(MARK), "").map_err(unusable(&root.path))?;
        Ok(root)
    }

    /// The settings of a store in the folder in which the seed is planted.
    pub fn seed(&self, settings: &Settings) -> Settings {
        within(self.path.join("seed"), settings)
    }

    /// Copies the seed, and returns the settings of the copy.
    pub fn copy(&self, settings: &Settings) -> Result<Settings> {
        let number = self.generations.fetch_add(1, Ordering::Relaxed) + 1;
        let folder = self.path.join(format!("generation-{number}"));
        copy(&self.path.join("seed"), &folder).map_err(unusable(&folder))?;
        Ok(within(folder, settings))
    }

    fn empty(&self) -> io::Result<()> {
        for entry in fs::read_dir(&self.path)? {
            let path = entry?.path();
            if path.is_dir() {
                fs::remove_dir_all(path)?;
            }
        }
        Ok(())
    }
}

impl Drop for Root {
    fn drop(&mut self) {
        let removed = if self.made {
            fs::remove_dir_all(&self.path)
        } else {
            let files = [MARK, "guildhall.lock", "guildhall.db.lock"].map(|name| self.path.join(name));
            self.empty().and_then(|()| files.iter().try_for_each(fs::remove_file))
        };
        if let Err(error) = removed {
            tracing::warn!(%error, "cannot remove {}", self.path.display());
        }
    }
}

fn within(folder: PathBuf, settings: &Settings) -> Settings {
    Settings { database: Database::Sqlite(folder.join(DATABASE)), data_dir: folder, ..settings.clone() }
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    DirBuilder::new().mode(0o700).create(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        if entry.file_type()?.is_file() {
            fs::copy(entry.path(), to.join(entry.file_name()))?;
        }
    }
    Ok(())
}

/// True if there is an entry with another name.
fn named(entries: fs::ReadDir, but: &str) -> io::Result<bool> {
    for entry in entries {
        if entry?.file_name() != but {
            return Ok(true);
        }
    }
    Ok(false)
}

fn lock(folder: &DataDir, path: &Path) -> Result<Lock> {
    folder.lock(&Database::Sqlite(path.join(DATABASE)))
}

/// Removes the folders of processes that were killed: those with a mark that no process has locked. The mark is written
/// after the folder is locked, so a process that is starting loses nothing.
fn remove_abandoned() {
    for parent in [PathBuf::from(MEMORY), std::env::temp_dir()] {
        let Ok(entries) = fs::read_dir(parent) else { continue };
        for entry in entries.flatten() {
            let path = entry.path();
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            if !is_folder || !entry.file_name().to_string_lossy().starts_with(PREFIX) || !path.join(MARK).exists() {
                continue;
            }
            let Ok(folder) = DataDir::open(&path) else { continue };
            if let Ok(_locked) = lock(&folder, &path)
                && let Err(error) = fs::remove_dir_all(&path)
            {
                tracing::debug!(%error, "cannot remove {}, which a killed process has left", path.display());
            }
        }
    }
}

/// A new folder in memory, or else among the temporary files.
fn new_folder() -> Result<PathBuf> {
    let (memory, temporary) = (PathBuf::from(MEMORY), std::env::temp_dir());
    let mut last = None;
    for number in 0..100 {
        for parent in [&memory, &temporary] {
            let path = parent.join(format!("{PREFIX}{}-{number}", std::process::id()));
            match DirBuilder::new().mode(0o700).create(&path) {
                Ok(()) => return Ok(path),
                // Left by a process with the same number that was killed.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => last = Some((path, error)),
            }
        }
    }
    let (path, error) = last.unwrap_or_else(|| (temporary, io::ErrorKind::AlreadyExists.into()));
    Err(unusable(&path)(error))
}

fn unusable(path: &Path) -> impl Fn(io::Error) -> Error {
    let path = path.to_owned();
    move |error| {
        Error::Unavailable(format!(
            "cannot use {}: {error}; choose a writable directory with --data-dir",
            path.display()
        ))
    }
}
