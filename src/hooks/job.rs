//! The data for a delivery to a webhook, with its secrets decrypted.

use super::config::ContentType;
use super::secret::{self, Purpose};
use super::stored;
use super::target::Target;
use crate::clock::Time;
use crate::db::Tx;
use crate::error::Result;
use crate::journal::SITE;

/// The data for a delivery to a webhook.
pub struct Job {
    /// The webhook.
    pub hook: i64,
    /// The organization, or the site.
    pub org: i64,
    /// True if it is switched on.
    pub active: bool,
    /// True if it is deleted.
    pub deleted: bool,
    /// The receiver.
    pub target: Target,
    /// The payload is sent as JSON or as a form.
    pub content_type: ContentType,
    /// True if any certificate is accepted, if the site allows that.
    pub insecure_ssl: bool,
    /// The signing keys and the credentials; none if they cannot be decrypted with the key of this installation.
    pub secrets: Option<Secrets>,
}

/// The signing keys and the credentials of a webhook.
#[derive(Default)]
pub struct Secrets {
    /// The key of the signatures.
    pub secret: Option<String>,
    /// The previous key, during a rotation.
    pub previous: Option<String>,
    /// User and password, joined by a colon.
    pub credentials: Option<String>,
}

impl Job {
    /// True if the webhook belongs to the site.
    #[must_use]
    pub fn is_global(&self) -> bool {
        self.org == SITE
    }

    /// True if the webhook receives this event now. One that is switched off still receives a ping, and one that is
    /// deleted receives the event of its deletion.
    #[must_use]
    pub fn takes(&self, event: &str) -> bool {
        if self.deleted { event == "meta" } else { self.active || event == "ping" }
    }
}

/// The data for a delivery to a webhook; none if the webhook is gone. A deleted webhook stays until it has been
/// notified of that.
pub fn job(tx: &mut Tx, key: &[u8; 32], id: i64, now: Time) -> Result<Option<Job>> {
    let Some(hook) = stored::by_id(tx, id)? else { return Ok(None) };
    let Some(target) = Target::of(&hook.url) else { return Ok(None) };
    let open = |purpose, sealed: Option<Vec<u8>>| match sealed {
        Some(sealed) => secret::open(key, purpose, &sealed).map(Some),
        None => Some(None),
    };
    let (of_secret, of_credentials) = (Purpose::HookSecret(hook.org_id), Purpose::HookCredentials(hook.org_id));
    let previous = hook.previous_secret.filter(|_| hook.previous_until.is_some_and(|until| until > now));
    let secrets = || {
        Some(Secrets {
            secret: open(of_secret, hook.secret)?,
            previous: open(of_secret, previous)?,
            credentials: open(of_credentials, hook.credentials)?,
        })
    };
    let content_type = if hook.content_type == "json" { ContentType::Json } else { ContentType::Form };
    Ok(Some(Job {
        hook: hook.id,
        org: hook.org_id,
        active: hook.active,
        deleted: hook.deleted_at.is_some(),
        target,
        content_type,
        insecure_ssl: hook.insecure_ssl,
        secrets: secrets(),
    }))
}
