//! The data directory: its key file, the note that there is a database, the locks that `serve` holds, and the files of
//! the first token and of the set-up link.
//!
//! Implements decisions 41, 42 and 71: the key is stored outside the database, and these files are readable by their
//! owner only.

use std::fs::{DirBuilder, File, OpenOptions, TryLockError};
use std::io::{Read, Seek, Write};
use std::net::SocketAddr;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use super::files::sibling;
use crate::clock::{self, Time};
use crate::config::Database;
use crate::error::{Error, Result};

const KEY: &str = "guildhall.key";
const LOCK: &str = "guildhall.lock";
const NOTE: &str = "guildhall.store";
const BACKUP: &str = "guildhall.backup";
const NODE: &str = "guildhall.node";
/// More bytes than the URL of a server has: an IPv6 address with its zone, and a port.
const LONGEST_URL: u64 = 128;

const ADMIN_TOKEN: &str = "admin-token";
const SETUP_LINK: &str = "setup-link";

/// The files that only their owner may read.
pub const SECRETS: [&str; 3] = [KEY, ADMIN_TOKEN, SETUP_LINK];

/// The directory of `--data-dir`.
pub struct DataDir(PathBuf);

/// Held while a server, or a restore, has exclusive use of the data directory and the database file.
pub struct Lock {
    folder: File,
    _database: Option<File>,
}

impl Lock {
    /// Records the URL at which the server listens, for commands on this machine.
    pub fn note_url(&self, url: &str) -> Result<()> {
        let noted = self.folder.set_len(0).and_then(|()| writeln!(&self.folder, "{url}"));
        noted.map_err(|error| unusable(Path::new(LOCK), &error, "make the data directory writable for this user"))
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // What is left of a server that was killed is removed by the next one.
        drop(self.folder.set_len(0));
    }
}

impl DataDir {
    /// The directory as it is, for commands that only read; it need not exist.
    pub fn at(path: &Path) -> Self {
        Self(path.to_owned())
    }

    /// Creates the directory if it does not exist.
    pub fn open(path: &Path) -> Result<Self> {
        let made = DirBuilder::new().recursive(true).mode(0o700).create(path);
        made.map_err(|error| unusable(path, &error, "make it writable, or choose another directory with --data-dir"))?;
        Ok(Self(path.to_owned()))
    }

    /// Locks the directory and a database file. Fails while another process holds either lock.
    pub fn lock(&self, database: &Database) -> Result<Lock> {
        let advice = "stop it, or choose another with";
        let folder = take(&self.0.join(LOCK), || {
            format!("a server is running on the data directory {}; {advice} --data-dir", self.0.display())
        })?;
        folder.set_len(0).map_err(|error| unusable(&self.0.join(LOCK), &error, "make it writable for this user"))?;
        let Database::Sqlite(path) = database else { return Ok(Lock { folder, _database: None }) };
        // Next to the file, where every server that uses it looks, whatever its data directory.
        let file = take(&sibling(&real(path), ".lock"), || {
            format!("a server is running on the database {}; {advice} --database", path.display())
        })?;
        Ok(Lock { folder, _database: Some(file) })
    }

    /// The URL at which programs on this machine reach the server of this directory, with its IP address and port, if one
    /// runs. Of a server that was killed, it is there until the next one starts.
    pub fn url(&self) -> Option<String> {
        let path = self.0.join(LOCK);
        if !path.metadata().is_ok_and(|found| found.is_file()) {
            return None;
        }
        let mut noted = String::new();
        File::open(path).ok()?.take(LONGEST_URL).read_to_string(&mut noted).ok()?;
        let (scheme, address) = noted.strip_suffix('\n')?.split_once("://")?;
        let address: SocketAddr = address.parse().ok()?;
        matches!(scheme, "http" | "https").then(|| format!("{scheme}://{address}"))
    }

    /// Records that a file has a database, so that its loss is noticed at the next start.
    pub fn note_database(&self, path: &Path) -> Result<()> {
        let note = self.0.join(NOTE);
        let text = format!("{}\n", path.display());
        if std::fs::read_to_string(&note).is_ok_and(|noted| noted == text) {
            return Ok(());
        }
        write(&note, &text)
    }

    /// Records a backup that was written to a file at this time.
    pub fn note_backup(&self, at: Time, file: &Path) -> Result<()> {
        write(&self.0.join(BACKUP), &format!("{at} {}\n", file.display()))
    }

    /// The time and the file of the last backup that was recorded.
    pub fn last_backup(&self) -> Option<(String, String)> {
        let noted = std::fs::read_to_string(self.0.join(BACKUP)).ok()?;
        noted.trim_end().split_once(' ').map(|(at, file)| (at.to_owned(), file.to_owned()))
    }

    /// True if there was a database in a file.
    pub fn had_database(&self) -> bool {
        self.0.join(NOTE).exists()
    }

    /// The error if a database that existed is gone.
    pub fn lost_database(&self, path: &Path) -> Error {
        Error::Unavailable(format!(
            "the database {} is missing, but the data directory {} had one before. Move the file back, restore a \
             backup with `guildhall restore FILE`, or start with an empty database: `guildhall serve --new-store`",
            path.display(),
            self.0.display()
        ))
    }

    /// The key of this installation, created if there is none. A file that is there may be read-only.
    pub fn key(&self) -> Result<Key> {
        if let Some(key) = self.present_key()? {
            return Ok(key);
        }
        let path = self.0.join(KEY);
        key(&created(&path, || Ok(hex(&clock::random::<32>()?)))?, &path)
    }

    /// The key of this installation, if it has one.
    pub fn present_key(&self) -> Result<Option<Key>> {
        let path = self.0.join(KEY);
        let io = |error: std::io::Error| unusable(&path, &error, "make it readable for this user");
        let mut file = match File::open(&path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            file => file.map_err(io)?,
        };
        // The process that makes the key locks the file until it is written.
        file.lock_shared().map_err(io)?;
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(io)?;
        if text.is_empty() { Ok(None) } else { key(&text, &path).map(Some) }
    }

    /// The error if the database has a key and the directory has none.
    pub fn lacks_key(&self) -> Error {
        Error::Unavailable(format!(
            "the key file {} is missing. Copy it from a running node or your backup, or choose its directory with \
             --data-dir. If it is lost, delete the row `key_check` from the table `site` and start `guildhall serve`, \
             which creates a new key; the audit log up to then can no longer be verified, and the secrets of webhooks \
             must be set again",
            self.0.join(KEY).display()
        ))
    }

    /// The name of the node that uses this directory, created if there is none: the same after each restart.
    pub fn node(&self) -> Result<String> {
        created(&self.0.join(NODE), || Ok(format!("{:032x}", u128::from_le_bytes(clock::random()?))))
    }

    /// Writes the token of the first site administrator, and returns the path.
    pub fn write_admin_token(&self, text: &str) -> Result<PathBuf> {
        let path = self.0.join(ADMIN_TOKEN);
        write(&path, &format!("{text}\n")).map(|()| path)
    }

    /// Writes the link that sets up the installation, and returns the path.
    pub fn write_setup_link(&self, link: &str) -> Result<PathBuf> {
        let path = self.0.join(SETUP_LINK);
        write(&path, &format!("{link}\n")).map(|()| path)
    }

    /// Removes that file, if there is one.
    pub fn remove_setup_link(&self) -> Result<()> {
        let path = self.0.join(SETUP_LINK);
        match std::fs::remove_file(&path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(unusable(&path, &error, "make its directory writable for this user"))
            }
            _ => Ok(()),
        }
    }
}

/// The secret of an installation, from which the keys for each purpose are derived.
#[derive(Clone)]
pub struct Key([u8; 32]);

impl Key {
    /// The key of the audit chains.
    pub fn audit(&self) -> Result<[u8; 32]> {
        self.derive("audit")
    }

    /// The key that seals secrets.
    pub fn seal(&self) -> Result<[u8; 32]> {
        self.derive("seal")
    }

    /// The key of links in e-mails.
    pub fn mail(&self) -> Result<[u8; 32]> {
        self.derive("mail")
    }

    /// The key of entity tags.
    pub fn etag(&self) -> Result<[u8; 192]> {
        let mut key = [0; 192];
        for (number, part) in key.chunks_exact_mut(32).enumerate() {
            part.copy_from_slice(&self.derive(&format!("etag {number}"))?);
        }
        Ok(key)
    }

    /// The value that the database stores to recognize the key.
    pub fn check(&self) -> Result<String> {
        Ok(hex(&self.derive("check")?))
    }

    fn derive(&self, purpose: &str) -> Result<[u8; 32]> {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.0).map_err(|error| Error::Bug(error.to_string()))?;
        mac.update(purpose.as_bytes());
        Ok(mac.finalize().into_bytes().into())
    }
}

/// Locks a file; `taken` is the error while another process has locked it.
fn take(path: &Path, taken: impl FnOnce() -> String) -> Result<File> {
    let file = private(path)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(Error::Unavailable(taken())),
        Err(TryLockError::Error(error)) => Err(unusable(path, &error, "use a file system that supports file locks")),
    }
}

/// The path of a file with symbolic links resolved, even if the file does not exist yet.
fn real(path: &Path) -> PathBuf {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let expected = || Some(folder.canonicalize().ok()?.join(path.file_name()?));
    path.canonicalize().ok().or_else(expected).unwrap_or_else(|| path.to_owned())
}

/// Opens or creates a file that only its owner can read.
pub fn private(path: &Path) -> Result<File> {
    let opened = OpenOptions::new().read(true).write(true).create(true).truncate(false).mode(0o600).open(path);
    opened.map_err(|error| unusable(path, &error, "its directory must exist and be writable for this user"))
}

/// The line of a file, which is created if there is none.
fn created(path: &Path, make: impl FnOnce() -> Result<String>) -> Result<String> {
    let io = |error: std::io::Error| unusable(path, &error, "make it readable and writable for this user");
    let mut file = private(path)?;
    // Two processes may start at once: the second waits, and finds what the first has written.
    file.lock().map_err(io)?;
    let mut text = String::new();
    file.read_to_string(&mut text).map_err(io)?;
    if text.trim().is_empty() {
        text = make()?;
        file.rewind().and_then(|()| writeln!(file, "{text}")).and_then(|()| file.sync_all()).map_err(io)?;
    }
    Ok(text.trim().to_owned())
}

/// Replaces the content of a file.
fn write(path: &Path, text: &str) -> Result<()> {
    let io = |error: std::io::Error| unusable(path, &error, "make it writable for this user");
    let mut file = private(path)?;
    file.set_len(0).and_then(|()| file.write_all(text.as_bytes())).and_then(|()| file.sync_all()).map_err(io)
}

fn key(text: &str, path: &Path) -> Result<Key> {
    bytes(text.trim()).map(Key).ok_or_else(|| {
        Error::Unavailable(format!(
            "{} is not a key file (64 hexadecimal digits); restore it from your backup",
            path.display()
        ))
    })
}

fn unusable(path: &Path, error: &std::io::Error, advice: &str) -> Error {
    Error::Unavailable(format!("cannot use {}: {error}; {advice}", path.display()))
}

fn hex(bytes: &[u8; 32]) -> String {
    crate::access::token_text::hashed_hex(bytes)
}

fn bytes(text: &str) -> Option<[u8; 32]> {
    let mut bytes = [0; 32];
    if text.len() != 64 || !text.is_ascii() {
        return None;
    }
    for (at, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(text.get(2 * at..2 * at + 2)?, 16).ok()?;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::{DataDir, LOCK};

    #[test]
    fn only_the_url_of_a_server_is_read_from_the_lock() {
        let folder = tempfile::tempdir().expect("a folder");
        let noted = |text: &str| {
            std::fs::write(folder.path().join(LOCK), text).expect("to write");
            DataDir::at(folder.path()).url()
        };
        for (text, url) in
            [("http://127.0.0.1:8420\n", "http://127.0.0.1:8420"), ("https://[::1]:443\n", "https://[::1]:443")]
        {
            assert_eq!(noted(text).as_deref(), Some(url));
        }
        for text in [
            "",
            "http://127.0.0.1:8420",
            "http://evil.example:80\n",
            "javascript:alert(1)\n",
            "ftp://127.0.0.1:8420\n",
            "http://127.0.0.1:8420\nhttp://127.0.0.1:8421\n",
            "http://127.0.0.1:8420/\u{1b}[31m\n",
        ] {
            assert_eq!(noted(text), None, "{text}");
        }
        assert_eq!(noted(&"http://127.0.0.1:8420\n".repeat(1_000)), None);
        std::fs::remove_file(folder.path().join(LOCK)).expect("to remove");
        std::fs::create_dir(folder.path().join(LOCK)).expect("a folder");
        assert_eq!(DataDir::at(folder.path()).url(), None);
    }
}
