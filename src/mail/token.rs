//! Tokens of links in e-mails (decision 69): an HMAC over the purpose, the record, its generation and the e-mail
//! address, with a key from the key file. Only the generation is stored, so that a retry sends the same link.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use crate::error::{Error, Result};

/// The purpose of a link: what it allows, and for which record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// To answer the invitation with this identifier.
    Invitation(i64),
    /// To verify the e-mail address with this identifier.
    Email(i64),
    /// To sign in, as was asked for with this identifier.
    SignIn(i64),
    /// To come back from the site's identity provider, as was begun with this identifier.
    Provider(i64),
    /// To stop e-mails to a person about a discussion, or all e-mails about posts.
    Unsubscribe {
        /// The person.
        user: i64,
        /// The discussion.
        discussion: i64,
    },
}

/// The values that invalidate the earlier links of a record: another generation, or another e-mail address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sent<'a> {
    /// The number of times that the record was sent again.
    pub generation: i64,
    /// The e-mail address of the recipient.
    pub address: &'a str,
}

impl Purpose {
    /// The token of a link that is sent now.
    pub fn token(self, key: &[u8; 32], sent: Sent<'_>) -> Result<String> {
        let mac = URL_SAFE_NO_PAD.encode(self.mac("", key, sent)?.finalize().into_bytes());
        Ok(match self {
            Self::Invitation(id) | Self::Email(id) | Self::SignIn(id) | Self::Provider(id) => format!("{id}-{mac}"),
            Self::Unsubscribe { user, discussion } => format!("{user}-{discussion}-{mac}"),
        })
    }

    /// True if this is the token of a link that was sent like this. The comparison takes constant time.
    pub fn is_proved(self, key: &[u8; 32], sent: Sent<'_>, token: &str) -> Result<bool> {
        let mac = token.splitn(self.numbers() + 1, '-').last().unwrap_or_default();
        let Ok(mac) = URL_SAFE_NO_PAD.decode(mac) else { return Ok(false) };
        Ok(self.mac("", key, sent)?.verify_slice(&mac).is_ok())
    }

    /// The digits that a person enters instead of opening the link.
    pub fn digits(self, key: &[u8; 32], sent: Sent<'_>) -> Result<String> {
        let mac = self.mac(" digits", key, sent)?.finalize().into_bytes();
        let number = mac.iter().take(8).fold(0, |number: u64, byte| number << 8 | u64::from(*byte));
        Ok(format!("{:08}", number % 100_000_000))
    }

    /// Another text that only this record has, of this kind.
    pub fn secret(self, kind: &str, key: &[u8; 32], sent: Sent<'_>) -> Result<String> {
        Ok(URL_SAFE_NO_PAD.encode(self.mac(&format!(" {kind}"), key, sent)?.finalize().into_bytes()))
    }

    /// The number of identifiers before the code.
    fn numbers(self) -> usize {
        match self {
            Self::Invitation(_) | Self::Email(_) | Self::SignIn(_) | Self::Provider(_) => 1,
            Self::Unsubscribe { .. } => 2,
        }
    }

    /// The code of the link; with another kind, that of the digits or of another text.
    fn mac(self, kind: &str, key: &[u8; 32], sent: Sent<'_>) -> Result<Hmac<Sha256>> {
        let mut mac = Hmac::<Sha256>::new_from_slice(key).map_err(|error| Error::Bug(error.to_string()))?;
        let purpose = match self {
            Self::Invitation(id) => format!("invitation{kind}\n{id}"),
            Self::Email(id) => format!("email{kind}\n{id}"),
            Self::SignIn(id) => format!("sign-in{kind}\n{id}"),
            Self::Provider(id) => format!("provider{kind}\n{id}"),
            Self::Unsubscribe { user, discussion } => format!("unsubscribe{kind}\n{user}\n{discussion}"),
        };
        mac.update(format!("{purpose}\n{}\n{}", sent.generation, sent.address.to_lowercase()).as_bytes());
        Ok(mac)
    }
}

/// The invitation that a token claims to be for. Only [`Purpose::is_proved`] verifies the claim.
#[must_use]
pub fn claimed_invitation(token: &str) -> Option<Purpose> {
    claimed(token).map(Purpose::Invitation)
}

/// The e-mail address that a token claims to be for.
#[must_use]
pub fn claimed_email(token: &str) -> Option<Purpose> {
    claimed(token).map(Purpose::Email)
}

/// The sign-in that a token claims to be for.
#[must_use]
pub fn claimed_sign_in(token: &str) -> Option<Purpose> {
    claimed(token).map(Purpose::SignIn)
}

/// The sign-in at the identity provider that a token claims to be for.
#[must_use]
pub fn claimed_provider(token: &str) -> Option<Purpose> {
    claimed(token).map(Purpose::Provider)
}

fn claimed(token: &str) -> Option<i64> {
    number(token.split_once('-')?.0)
}

/// The person and the discussion that a token claims to be for.
#[must_use]
pub fn claimed_discussion(token: &str) -> Option<Purpose> {
    let mut parts = token.splitn(3, '-');
    let (user, discussion) = (number(parts.next()?)?, number(parts.next()?)?);
    parts.next().map(|_| Purpose::Unsubscribe { user, discussion })
}

/// The number, if the text is its only spelling, so that a link has only one too.
fn number(text: &str) -> Option<i64> {
    text.parse().ok().filter(|number| *number > 0 && !text.starts_with(['+', '0']))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SENT: Sent<'_> = Sent { generation: 1, address: "nina@example.com" };

    #[test]
    fn a_token_proves_only_what_it_was_made_for() {
        let key = [7; 32];
        for (purpose, claimed) in [
            (Purpose::Invitation(12), claimed_invitation as fn(&str) -> Option<Purpose>),
            (Purpose::Email(12), claimed_email),
            (Purpose::SignIn(12), claimed_sign_in),
            (Purpose::Provider(12), claimed_provider),
            (Purpose::Unsubscribe { user: 3, discussion: 4 }, claimed_discussion),
        ] {
            let token = purpose.token(&key, SENT).unwrap();
            assert_eq!(claimed(&token), Some(purpose));
            assert!(purpose.is_proved(&key, SENT, &token).unwrap());
            assert!(!purpose.is_proved(&[8; 32], SENT, &token).unwrap());
            let (later, elsewhere) = (Sent { generation: 2, ..SENT }, Sent { address: "max@example.com", ..SENT });
            assert!(!purpose.is_proved(&key, later, &token).unwrap());
            assert!(!purpose.is_proved(&key, elsewhere, &token).unwrap());
            for other in [Purpose::Invitation(13), Purpose::Email(13)] {
                assert!(!other.is_proved(&key, SENT, &token).unwrap());
            }
            let forged: String = token.replacen(|c: char| c.is_ascii_lowercase(), "A", 1);
            assert!(!purpose.is_proved(&key, SENT, &forged).unwrap(), "{forged}");
            assert!(!purpose.is_proved(&key, SENT, &token[..token.len() - 1]).unwrap());
        }
    }

    #[test]
    fn a_link_of_one_kind_is_none_of_another_with_the_same_number() {
        let key = [7; 32];
        let kinds = [Purpose::Invitation(12), Purpose::Email(12), Purpose::SignIn(12), Purpose::Provider(12)];
        for one in kinds {
            let token = one.token(&key, SENT).unwrap();
            assert_ne!(one.secret("nonce", &key, SENT).unwrap(), one.secret("verifier", &key, SENT).unwrap());
            let proved = kinds.into_iter().filter(|kind| kind.is_proved(&key, SENT, &token).unwrap());
            assert_eq!(proved.collect::<Vec<_>>(), [one]);
        }
    }

    #[test]
    fn eight_digits_are_for_one_sign_in() {
        let digits = |id, sent| Purpose::SignIn(id).digits(&[7; 32], sent).unwrap();
        let code = digits(1, SENT);
        assert!(code.len() == 8 && code.bytes().all(|byte| byte.is_ascii_digit()), "{code}");
        assert_eq!(code, digits(1, SENT));
        for other in
            [digits(2, SENT), digits(1, Sent { generation: 2, ..SENT }), digits(1, Sent { address: "x@y", ..SENT })]
        {
            assert_ne!(code, other);
        }
    }

    #[test]
    fn what_is_no_token_claims_nothing() {
        for text in ["", "-", "x-y", "0-abc", "01-abc", "+1-abc", "99999999999999999999-abc", "12"] {
            assert_eq!(claimed_invitation(text), None, "{text}");
            assert_eq!(claimed_discussion(text), None, "{text}");
        }
        for text in ["1-2", "01-2-abc", "1-02-abc"] {
            assert_eq!(claimed_discussion(text), None, "{text}");
        }
    }
}
