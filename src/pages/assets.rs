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
    pub content: &'static str,
}

/// The style of all pages.
pub static STYLE: LazyLock<Asset> = LazyLock::new(|| {
    Asset::new("style", "css", "text/css; charset=utf-8", include_str!("../../pages/assets/style.css"))
});

impl Asset {
    fn new(name: &str, extension: &str, media: &'static str, content: &'static str) -> Self {
        let mut start = [0; 8];
        start.iter_mut().zip(Sha256::digest(content)).for_each(|(byte, hashed)| *byte = hashed);
        let hash = u64::from_be_bytes(start);
        Self { name: format!("{name}-{hash:016x}.{extension}"), media, content }
    }
}

/// The file of this name.
#[must_use]
pub fn asset(name: &str) -> Option<&'static Asset> {
    let style = &*STYLE;
    (style.name == name).then_some(style)
}
