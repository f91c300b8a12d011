//! The `Accept` header: the value of `X-GitHub-Media-Type`, and whether the repository record was requested.
//!
//! No request is refused with 406. The vendor name counts in any case and anywhere in a comma-separated list.

use std::borrow::Cow;

/// The value for a request that asks for no media type.
pub const DEFAULT: &str = "github.v3; format=json";
const REPOSITORY: &str = "github.v3; param=repository; format=json";
const UNKNOWN: &str = "unknown, github.v3";

/// No real client sends longer lists or names; the rest is ignored.
const MAX_TYPES: usize = 16;
const MAX_NAME: usize = 100;

/// The media type that a request's `Accept` header asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Media {
    /// The value of `X-GitHub-Media-Type`.
    pub header: Cow<'static, str>,
    /// True if a check of a repository answers with the repository instead of 204.
    pub repository: bool,
}

/// Reads an `Accept` header; `None` when the request has none.
#[must_use]
pub fn read(accept: Option<&str>) -> Media {
    let (header, repository) = match accept.unwrap_or_default() {
        "" | "*/*" | "application/json" | "application/vnd.github+json" | "application/vnd.github.v3+json" => {
            (DEFAULT, false)
        }
        "application/vnd.github.v3.repository+json" => (REPOSITORY, true),
        list => return read_list(list),
    };
    Media { header: Cow::Borrowed(header), repository }
}

/// True if a client prefers HTML to JSON, as browsers do. One that accepts anything gets JSON.
#[must_use]
pub fn prefers_html(accept: Option<&str>) -> bool {
    let weight = |named: &str| {
        let entries = accept.unwrap_or_default().split(',').take(MAX_TYPES);
        let weights = entries.filter_map(|entry| {
            let mut parts = entry.split(';').map(str::trim);
            let is_named = parts.next().is_some_and(|name| name.eq_ignore_ascii_case(named));
            let weight = parts.find_map(|part| part.strip_prefix("q=")).map_or(Some(1.0), |weight| weight.parse().ok());
            weight.filter(|_| is_named)
        });
        weights.fold(0.0_f32, f32::max)
    };
    let html = weight("text/html");
    html > weight("application/json") && html >= weight("*/*") && html > 0.0
}

fn read_list(list: &str) -> Media {
    let mut known: Vec<String> = Vec::new();
    let mut repository = false;
    for entry in list.split(',').take(MAX_TYPES) {
        let name = entry.split(';').next().unwrap_or_default().trim();
        if name.len() > MAX_NAME {
            continue;
        }
        let Some((text, is_repository)) = read_type(&name.to_ascii_lowercase()) else {
            continue;
        };
        repository |= is_repository;
        if !known.contains(&text) {
            known.push(text);
        }
    }
    let header = if !known.is_empty() {
        Cow::Owned(known.join(", "))
    } else if list.bytes().all(|byte| byte == b',' || byte.is_ascii_whitespace()) {
        Cow::Borrowed(DEFAULT)
    } else {
        Cow::Borrowed(UNKNOWN)
    };
    Media { header, repository }
}

/// Reads one lower-cased media type: its text for the header, and whether it is the repository form.
fn read_type(name: &str) -> Option<(String, bool)> {
    if matches!(name, "*/*" | "application/*" | "application/json") {
        return Some((DEFAULT.to_owned(), false));
    }
    let name = name.strip_prefix("application/vnd.github")?;
    let (name, format) = match name.strip_suffix("+json") {
        Some(name) => (name, "; format=json"),
        None => (name, ""),
    };
    let mut parts = name.split('.');
    if !parts.next()?.is_empty() {
        return None;
    }
    let (version, param) = match (parts.next(), parts.next(), parts.next()) {
        (None, ..) => ("v3", None),
        (Some(version), param, None) if is_version(version) => (version, param),
        (param, None, None) => ("v3", param),
        _ => return None,
    };
    let is_word = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    if !is_word(version) || !param.is_none_or(is_word) {
        return None;
    }
    let text = match param {
        Some(param) => format!("github.{version}; param={param}{format}"),
        None => format!("github.{version}{format}"),
    };
    Some((text, param == Some("repository")))
}

fn is_version(part: &str) -> bool {
    let is_number = |digits: &str| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    part.ends_with("-preview") || part.strip_prefix('v').is_some_and(is_number)
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::{DEFAULT, MAX_NAME, REPOSITORY, UNKNOWN, read};

    fn assert_header(accept: &str, header: &str, repository: bool) {
        let media = read(Some(accept));
        assert_eq!((&*media.header, media.repository), (header, repository), "{accept}");
    }

    #[test]
    fn the_common_values_do_not_allocate() {
        assert_eq!(read(None).header, DEFAULT);
        for accept in ["", "*/*", "application/json", "application/vnd.github+json", "application/vnd.github.v3+json"] {
            let media = read(Some(accept));
            assert!(matches!(media.header, Cow::Borrowed(DEFAULT)), "{accept}");
            assert!(!media.repository, "{accept}");
        }
    }

    #[test]
    fn recorded_values() {
        assert_header("application/vnd.github.v3.full+json", "github.v3; param=full; format=json", false);
        assert_header("application/vnd.github.inertia-preview+json", "github.inertia-preview; format=json", false);
        assert_header("application/vnd.github.squirrel-girl-preview", "github.squirrel-girl-preview", false);
        assert_header("application/vnd.github.raw+json", "github.v3; param=raw; format=json", false);
        assert_header("text/html", UNKNOWN, false);
        assert_header("nonsense", UNKNOWN, false);
    }

    #[test]
    fn the_repository_form_in_every_spelling() {
        assert_header("application/vnd.github.v3.repository+json", REPOSITORY, true);
        assert_header("Application/VND.GitHub.V3.Repository+JSON ; q=0.5", REPOSITORY, true);
        assert_header("application/vnd.github.v3.repository", "github.v3; param=repository", true);
        assert_header(
            "application/vnd.github.v3.repository+json, application/vnd.github.stone-crop-preview+json",
            "github.v3; param=repository; format=json, github.stone-crop-preview; format=json",
            true,
        );
        assert_header(
            "application/vnd.github.hellcat-preview+json,application/vnd.github.v3.repository+json",
            "github.hellcat-preview; format=json, github.v3; param=repository; format=json",
            true,
        );
        assert_header("application/vnd.github.v3.repositoryx+json", "github.v3; param=repositoryx; format=json", false);
    }

    #[test]
    fn lists_name_each_known_type_once() {
        assert_header("text/html,application/xml;q=0.9,*/*;q=0.8", DEFAULT, false);
        assert_header("application/json, */*, application/vnd.github.v3+json", DEFAULT, false);
        assert_header(" , ", DEFAULT, false);
    }

    #[test]
    fn hostile_values_stay_small_and_clean() {
        let bad =
            ["a,b\"c", "application/vnd.github.v3.a.b", "application/vnd.githubx", "application/vnd.github..+json"];
        for accept in bad {
            assert_header(accept, UNKNOWN, false);
        }
        assert_header("application/vnd.github.é\u{1}+json", UNKNOWN, false);
        assert_header(&format!("application/vnd.github.{}", "x".repeat(MAX_NAME)), UNKNOWN, false);
        let long: Vec<_> = (0..10_000).map(|n| format!("application/vnd.github.v{n}")).collect();
        assert!(read(Some(&long.join(","))).header.len() < 2_000);
    }
}
