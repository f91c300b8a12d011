//! Parsers for the text of each setting; none if it is not allowed.

use std::net::IpAddr;
use std::path::PathBuf;

use ipnet::IpNet;

use super::{Creators, Database, Domains, LogFormat};

pub(super) fn parsed<T: std::str::FromStr>(text: &str) -> Option<T> {
    text.parse().ok()
}

pub(super) fn path(text: &str) -> Option<PathBuf> {
    (!text.is_empty()).then(|| PathBuf::from(text))
}

pub(super) fn count(text: &str) -> Option<u32> {
    parsed(text).filter(|number| *number > 0)
}

pub(super) fn connections(text: &str) -> Option<usize> {
    parsed(text).filter(|number| (2..=500).contains(number))
}

/// A number of MiB, in bytes.
pub(super) fn mebibytes(text: &str) -> Option<usize> {
    parsed(text).filter(|size| (1..=1_048_576).contains(size)).map(|size: usize| size << 20)
}

pub(super) fn days(text: &str) -> Option<u32> {
    parsed(text).filter(|days| (1..=3650).contains(days))
}

pub(super) fn seconds(text: &str) -> Option<u32> {
    parsed(text).filter(|seconds| (1..=3600).contains(seconds))
}

/// The domains whose e-mail addresses make accounts.
pub(super) fn signup(text: &str) -> Option<Domains> {
    let is_domain = |text: &str| text.contains('.') && text.chars().all(|c| c.is_alphanumeric() || ".-".contains(c));
    let domain = |text: &str| Some(text.trim().to_owned()).filter(|text| is_domain(text));
    match text {
        "invited" => Some(Some(Vec::new())),
        "anyone" => Some(None),
        domains => domains.split(',').map(domain).collect::<Option<Vec<_>>>().map(Some),
    }
}

/// The people who may create an organization.
pub(super) fn creators(text: &str) -> Option<Creators> {
    match text {
        "administrators" => Some(Creators::Administrators),
        "everyone" => Some(Creators::Everyone),
        _ => None,
    }
}

pub(super) fn log_format(text: &str) -> Option<LogFormat> {
    match text {
        "text" => Some(LogFormat::Text),
        "json" => Some(LogFormat::Json),
        _ => None,
    }
}

pub(super) fn prefix(text: &str) -> Option<String> {
    let fits = (2..=20).contains(&text.len())
        && text.ends_with('_')
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    fits.then(|| text.to_owned())
}

/// Three numbers, as in `3.14.0`.
pub(super) fn version(text: &str) -> Option<String> {
    let is_number = |part: &str| part.len() <= 4 && part.bytes().all(|b| b.is_ascii_digit()) && !part.is_empty();
    (text.split('.').count() == 3 && text.split('.').all(is_number)).then(|| text.to_owned())
}

pub(super) fn database(text: &str) -> Option<Database> {
    if text.starts_with("postgres://") || text.starts_with("postgresql://") {
        return Some(Database::Postgres(text.to_owned()));
    }
    text.strip_prefix("sqlite:").and_then(path).map(Database::Sqlite)
}

/// True if a `database` names SQLite's in-memory database, or is an SQLite URI, which could name it.
pub(super) fn in_memory(text: &str) -> bool {
    let path = text.trim().strip_prefix("sqlite:").unwrap_or_default();
    path.trim_start_matches('/') == ":memory:" || path.starts_with("file:") || path.contains("mode=memory")
}

pub(super) fn network_list(text: &str) -> Option<Vec<IpNet>> {
    let network = |text: &str| text.parse().ok().or_else(|| text.parse::<IpAddr>().ok().map(IpNet::from));
    text.split(',').map(str::trim).filter(|text| !text.is_empty()).map(network).collect()
}

/// A URL with a host and perhaps a path, to which another path can be appended.
pub(super) fn url(text: &str) -> Option<String> {
    let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"))?;
    let plain = rest.bytes().all(|b| b.is_ascii_graphic() && !matches!(b, b'?' | b'#' | b'@' | b'"' | b'<' | b'>'));
    (plain && !rest.starts_with(['/', ':']) && !rest.is_empty()).then(|| text.trim_end_matches('/').to_owned())
}
