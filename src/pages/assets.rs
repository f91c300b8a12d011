//! The files that pages load, each under a name with a hash of its content, so that browsers may cache it permanently.

use std::sync::LazyLock;

use sha2::{Digest, Sha256};

/// A file.
#[derive(Debug)]
pub struct Asset {
    /// Its name with the hash.
    pub name: String,
    /// The media type.
    pub media: &'static str,
    /// The content.
    pub content: String,
}

/// The style of all pages.
pub static STYLE: LazyLock<Asset> = LazyLock::new(|| {
    Asset::new("style", "css", "text/css; charset=utf-8", compact(include_str!("../../pages/assets/style.css")))
});

/// The script of all pages, which all of them also work without.
pub static SCRIPT: LazyLock<Asset> = LazyLock::new(|| {
    let content = include_str!("../../pages/assets/guildhall.js").to_owned();
    Asset::new("guildhall", "js", "text/javascript; charset=utf-8", content)
});

/// The picture of the site, for tabs of browsers.
pub const ICON: &[u8] = include_bytes!("../../pages/assets/favicon.ico");

impl Asset {
    fn new(name: &str, extension: &str, media: &'static str, content: String) -> Self {
        let mut start = [0; 8];
        start.iter_mut().zip(Sha256::digest(&content)).for_each(|(byte, hashed)| *byte = hashed);
        let hash = u64::from_be_bytes(start);
        Self { name: format!("{name}-{hash:016x}.{extension}"), media, content }
    }
}

/// A style sheet without comments of a line, indentation and most spaces.
fn compact(sheet: &str) -> String {
    let lines = sheet.lines().map(str::trim).filter(|line| !line.starts_with("/*"));
    lines.map(|line| line.replace(": ", ":").replace("; ", ";").replace(" { ", "{").replace(";}", "}")).collect()
}
