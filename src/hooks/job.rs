//! What a delivery to a hook needs, with its secrets opened.

use super::config::ContentType;
use super::secret::{self, Purpose};
use super::stored;
use super::target::Target;
use crate::clock::Time;
use crate::db::Tx;
use crate::error::Result;
use crate::journal::SITE;

/// Where and how to deliver.
pub struct Job {
    /// The hook.
    pub hook: i64,
    /// The organization, or the site.
    pub org: i64,
    /// Whether it is switched on.
    pub active: bool,
    /// Whether it is deleted.
    pub deleted: bool,
    /// Where to.
    pub target: Target,
    /// Whether the payload is sent as JSON, or else as a form.
    pub content_type: ContentType,
    /// Whether any certificate is accepted, if the site allows that.
    pub insecure_ssl: bool,
    /// The keys of the signatures and the credentials; none if they cannot be opened with the key of this installation.
    pub secrets: Option<Secrets>,
}

/// What a hook signs and identifies itself with.
#[derive(Default)]
pub struct Secrets {
    /// The key of the signatures.
    pub secret: Option<String>,
    /// The former one, during a rotation.
    pub previous: Option<String>,
    /// User and password, joined by a colon.
    pub credentials: Option<String>,
}

impl Job {
    /// Whether the hook is the site's.
    #[must_use]
    pub fn is_global(&self) -> bool {
        self.org == SITE
    }

    /// Whether the hook is told of this event now. One that is switched off can still be tried with a ping, and one that
    /// is deleted is told of that.
    #[must_use]
    pub fn takes(&self, event: &str) -> bool {
        if self.deleted { event == "meta" } else { self.active || event == "ping" }
    }
}

/// What a delivery to a hook needs; none if the hook is gone. A deleted one stays until it has been told of that.
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
