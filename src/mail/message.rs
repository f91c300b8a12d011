//! An e-mail as an Internet message: its headers, and its text in two forms.

use std::net::IpAddr;
use std::time::{Duration, SystemTime};

use lettre::Address;
use lettre::message::dkim::{
    DkimCanonicalization, DkimCanonicalizationType, DkimConfig, DkimSigningAlgorithm, DkimSigningKey,
};
use lettre::message::header::{ContentTransferEncoding, ContentType, HeaderName, HeaderValue};
use lettre::message::{Body, Mailbox, Message, MultiPart, SinglePart};

use super::letter::{Board, Letter, Line};
use super::text;
use crate::clock::Time;
use crate::config;
use crate::error::{Error, Result};

/// The headers that a signature covers.
const SIGNED: [&str; 10] = [
    "From",
    "To",
    "Subject",
    "Date",
    "Message-ID",
    "In-Reply-To",
    "References",
    "List-Id",
    "List-Unsubscribe",
    "List-Unsubscribe-Post",
];

/// Writes messages.
pub(super) struct Writer {
    from: Mailbox,
    /// The host in message IDs.
    host: String,
    dkim: Option<DkimConfig>,
}

impl Writer {
    pub(super) fn new(settings: &config::Mail, origin: &str) -> Result<Self> {
        let host = host(origin);
        let from = if let Some(from) = &settings.from {
            from.clone()
        } else {
            let address = Address::new("guildhall", &host).map_err(|error| {
                Error::Unavailable(format!("cannot send mail from guildhall@{host}: {error}; set smtp.from"))
            })?;
            Mailbox::new(Some("Guildhall".to_owned()), address)
        };
        let dkim = settings.dkim.as_ref().map(|dkim| signature(dkim, from.email.domain())).transpose()?;
        Ok(Self { from, host, dkim })
    }

    /// Builds the message; the error is the reason if that is impossible.
    pub(super) fn write(&self, letter: &Letter, at: Time) -> std::result::Result<Message, String> {
        let address: Address = letter.address.parse().map_err(|error| format!("unusable e-mail address: {error}"))?;
        let name = letter.name.as_ref().map(Line::to_string);
        let seconds = u64::try_from(at.seconds()).unwrap_or_default();
        let text::Text { subject, plain, html } = text::of(&letter.content, letter.board.as_ref())?;
        let mut builder = Message::builder()
            .from(self.from.clone())
            .to(Mailbox::new(name, address))
            .subject(printable(&subject))
            .date(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds))
            .message_id(Some(self.identifier(&letter.id)))
            .raw_header(header("Auto-Submitted", "auto-generated"))
            .raw_header(header("X-Auto-Response-Suppress", "All"));
        if let Some(follows) = &letter.follows {
            let follows = self.identifier(follows);
            builder = builder.in_reply_to(follows.clone()).references(follows);
        }
        if let Some(Board { org, team, unsubscribe }) = &letter.board {
            let list = format!("<{}.{}.{}>", label(team), label(org), self.host);
            builder = builder
                .raw_header(header("List-Id", &list))
                .raw_header(header("List-Unsubscribe", &format!("<{}>", printable(unsubscribe))))
                .raw_header(header("List-Unsubscribe-Post", "List-Unsubscribe=One-Click"))
                .raw_header(header("Precedence", "list"));
        }
        let parts = MultiPart::alternative().singlepart(plain_part(plain)).singlepart(SinglePart::html(html));
        let mut message = builder.multipart(parts).map_err(|error| format!("the mail cannot be written: {error}"))?;
        if let Some(dkim) = &self.dkim {
            message.sign(dkim);
        }
        Ok(message)
    }

    fn identifier(&self, id: &str) -> String {
        format!("<{}@{}>", id.replace('/', "."), self.host)
    }
}

/// The longest line of a message, in bytes (RFC 5322).
const LONGEST_LINE: usize = 998;

/// The plain text. Lines that a message may have stay whole, so that a link can be copied from the file of a message.
fn plain_part(text: String) -> SinglePart {
    let lines: Vec<&str> = text.lines().collect();
    let fits = |line: &&str| line.len() <= LONGEST_LINE && line.bytes().all(|byte| matches!(byte, b'\t' | b' '..=b'~'));
    if !lines.iter().all(fits) {
        return SinglePart::plain(text);
    }
    let body = Body::dangerous_pre_encoded(lines.join("\r\n").into(), ContentTransferEncoding::SevenBit);
    SinglePart::builder().header(ContentType::TEXT_PLAIN).body(body)
}

/// The host of a URL, in the form that e-mail uses.
fn host(origin: &str) -> String {
    let authority = origin.split("://").nth(1).unwrap_or_default().split('/').next().unwrap_or_default();
    let host = authority.rsplit_once(':').map_or(authority, |(host, _)| host).trim_matches(['[', ']']);
    if host.is_empty() || host.parse::<IpAddr>().is_ok() { "localhost".to_owned() } else { host.to_owned() }
}

/// A name of the service as part of a list's identifier.
fn label(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() || c == '-' { c } else { '-' }).collect()
}

/// Free text as part of a header: no character of it ends the line.
fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

fn header(name: &'static str, value: &str) -> HeaderValue {
    HeaderValue::new(HeaderName::new_from_ascii_str(name), value.to_owned())
}

fn signature(dkim: &config::Dkim, domain: &str) -> Result<DkimConfig> {
    let unusable = |why: &dyn std::fmt::Display| {
        Error::Unavailable(format!("cannot use smtp.dkim_key {}: {why}", dkim.key.display()))
    };
    let pem = std::fs::read_to_string(&dkim.key).map_err(|error| unusable(&error))?;
    let key = DkimSigningKey::new(&pem, DkimSigningAlgorithm::Rsa).map_err(|error| unusable(&error))?;
    let headers = SIGNED.iter().map(|name| HeaderName::new_from_ascii_str(name)).collect();
    let relaxed = || DkimCanonicalizationType::Relaxed;
    let canonicalization = DkimCanonicalization { header: relaxed(), body: relaxed() };
    Ok(DkimConfig::new(dkim.selector.clone(), domain.to_owned(), key, headers, canonicalization))
}

#[cfg(test)]
mod tests {
    use super::{host, label, plain_part};

    #[test]
    fn a_link_in_plain_text_is_on_one_line() {
        let link = format!("http://127.0.0.1:8420/ui/invitations/{}", "x".repeat(80));
        let part = |text: &str| String::from_utf8(plain_part(text.to_owned()).formatted()).expect("text");
        let plain = part(&format!("Join here:\n{link}\n"));
        assert!(plain.contains("7bit") && plain.ends_with(&format!("Join here:\r\n{link}\r\n")), "{plain}");
        for encoded in [format!("Zoë: {link}"), "x".repeat(999), format!("{link}\u{0}"), format!("a\rb {link}")] {
            assert!(!part(&encoded).contains("7bit"), "{encoded}");
        }
    }

    #[test]
    fn a_message_is_named_by_the_host_of_the_service() {
        assert_eq!(host("https://teams.example.org/below"), "teams.example.org");
        assert_eq!(host("http://localhost:8420"), "localhost");
        assert_eq!(host("http://127.0.0.1:8420"), "localhost");
        assert_eq!(host("http://[::1]:8420"), "localhost");
        assert_eq!(label("core.team_1"), "core-team-1");
    }
}
