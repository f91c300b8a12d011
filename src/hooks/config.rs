//! The configuration of a webhook as clients send it, and how it changes a webhook.
//!
//! Implements decisions 41 (secrets are sealed) and 68 (rotation, `insecure_ssl`, user information).

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use super::secret::{self, Purpose};
use super::stored::Hook;
use super::target::{Given, Target};
use crate::clock::Time;
use crate::error::{Error, Result};
use crate::words::words;

/// The text that is shown instead of a secret.
pub const MASK: &str = "********";

/// The longest secret, user or password, in characters.
const LONGEST: usize = 1_024;

/// The time for which deliveries are also signed with the previous secret, in seconds.
const ROTATION: i64 = 24 * 60 * 60;

words! {
    /// The format of a payload.
    #[derive(Default)]
    pub enum ContentType {
        /// As JSON.
        Json = "json",
        /// As the field `payload` of a form.
        #[default]
        Form = "form",
    }
}

/// `"0"` or `"1"`, as text, as a number or as a boolean.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Switch(Value);

impl<'de> Deserialize<'de> for Switch {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        Value::deserialize(deserializer).map(Self)
    }
}

impl JsonSchema for Switch {
    fn schema_name() -> Cow<'static, str> {
        "switch".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": ["string", "integer", "boolean"] })
    }
}

impl Switch {
    fn is_on(&self) -> Result<bool> {
        match &self.0 {
            // Terraform's provider sent booleans until its version 6.
            Value::Bool(on) => Ok(*on),
            Value::String(text) if text == "0" => Ok(false),
            Value::String(text) if text == "1" => Ok(true),
            Value::Number(number) if number.as_i64() == Some(0) => Ok(false),
            Value::Number(number) if number.as_i64() == Some(1) => Ok(true),
            _ => Err(Error::explained("Hook", "invalid", "insecure_ssl", "Use \"0\" or \"1\".")),
        }
    }
}

/// The configuration of a webhook's deliveries.
#[derive(Debug, Default, Deserialize, JsonSchema)]
pub struct Config {
    /// The URL to deliver to. A user and a password in it are sent as Basic credentials and never shown.
    pub url: Option<String>,
    /// The format of the payload.
    pub content_type: Option<ContentType>,
    /// The key of the signatures.
    pub secret: Option<String>,
    /// `"1"` to accept any certificate, if the site allows that.
    pub insecure_ssl: Option<Switch>,
    /// A user to send as Basic credentials.
    pub username: Option<String>,
    /// The password of that user.
    pub password: Option<String>,
}

/// The settings of the site that configurations depend on.
#[derive(Debug, Clone, Copy)]
pub struct Setting<'a> {
    /// The key that seals secrets.
    pub key: &'a [u8; 32],
    /// True if webhooks may skip the verification of certificates.
    pub insecure_ssl: bool,
    /// The time.
    pub now: Time,
}

impl Config {
    /// Replaces the whole configuration. Absent fields get their defaults, and an absent secret is removed.
    pub fn replace(&self, hook: &mut Hook, setting: Setting<'_>) -> Result<()> {
        let given = self.url.as_deref().map(read_url).transpose()?;
        let given = given.ok_or_else(|| Error::custom("Hook", "Config must contain URL for webhooks"))?;
        hook.url = given.url;
        hook.credentials = self.credentials(given.credentials, hook.org_id, setting)?;
        self.content_type.unwrap_or_default().word().clone_into(&mut hook.content_type);
        hook.insecure_ssl = self.insecure(setting)?.unwrap_or(false);
        set_secret(hook, self.secret.as_deref().unwrap_or_default(), setting)
    }

    /// Changes the fields that were sent; the rest stays.
    pub fn change(&self, hook: &mut Hook, setting: Setting<'_>) -> Result<()> {
        if let Some(url) = &self.url {
            let given = read_url(url)?;
            // Credentials for one receiver must not be sent to another.
            if given.credentials.is_some() || !is_of_same_origin(&given.url, &hook.url) {
                hook.credentials = self.credentials(given.credentials, hook.org_id, setting)?;
            }
            hook.url = given.url;
        }
        if let Some(content_type) = self.content_type {
            content_type.word().clone_into(&mut hook.content_type);
        }
        if let Some(insecure) = self.insecure(setting)? {
            hook.insecure_ssl = insecure;
        }
        self.secret.as_deref().map_or(Ok(()), |text| set_secret(hook, text, setting))
    }

    fn insecure(&self, setting: Setting<'_>) -> Result<Option<bool>> {
        let insecure = self.insecure_ssl.as_ref().map(Switch::is_on).transpose()?;
        if insecure == Some(true) && !setting.insecure_ssl {
            let text =
                "This site verifies certificates. A site administrator can change that by `webhooks.insecure_ssl`.";
            return Err(Error::explained("Hook", "invalid", "insecure_ssl", text));
        }
        Ok(insecure)
    }

    /// User and password, sealed: those of the URL, or otherwise those of the configuration.
    fn credentials(&self, of_url: Option<String>, org: i64, setting: Setting<'_>) -> Result<Option<Vec<u8>>> {
        let user = self.username.as_deref().unwrap_or_default();
        let password = self.password.as_deref().unwrap_or_default();
        fits("username", user)?;
        fits("password", password)?;
        if user.contains(':') {
            return Err(Error::explained("Hook", "invalid", "username", "A username cannot contain a colon."));
        }
        let of_config = (!user.is_empty() || !password.is_empty()).then(|| format!("{user}:{password}"));
        let seal = |text: String| secret::seal(setting.key, Purpose::HookCredentials(org), &text);
        of_url.or(of_config).map(seal).transpose()
    }
}

fn read_url(text: &str) -> Result<Given> {
    Given::read(text).ok_or_else(|| {
        let text = "The URL you've entered is not valid. Please make sure that you encode all special characters first";
        Error::custom("Hook", text)
    })
}

fn is_of_same_origin(one: &str, other: &str) -> bool {
    let origin = |url| Target::of(url).map(|target| (target.https, target.host.to_ascii_lowercase(), target.port));
    origin(one) == origin(other)
}

/// Sets the secret, or removes it if the text is empty. The mask that is shown instead of a secret leaves it unchanged.
fn set_secret(hook: &mut Hook, text: &str, setting: Setting<'_>) -> Result<()> {
    fits("secret", text)?;
    let purpose = Purpose::HookSecret(hook.org_id);
    let present = hook.secret.as_deref().and_then(|sealed| secret::open(setting.key, purpose, sealed));
    if text == MASK && hook.secret.is_none() {
        return Err(Error::explained("Hook", "invalid", "secret", "The secret cannot be eight asterisks."));
    }
    if text == MASK || present.as_deref() == Some(text) {
        return Ok(());
    }
    if text.is_empty() {
        (hook.secret, hook.previous_secret, hook.previous_until) = (None, None, None);
        return Ok(());
    }
    hook.previous_secret = hook.secret.replace(secret::seal(setting.key, purpose, text)?);
    hook.previous_until = hook.previous_secret.as_ref().map(|_| setting.now.plus_seconds(ROTATION));
    Ok(())
}

fn fits(field: &'static str, text: &str) -> Result<()> {
    if text.chars().count() > LONGEST {
        let message = format!("{field} is too long (maximum is {LONGEST} characters)");
        return Err(Error::explained("Hook", "invalid", field, message));
    }
    if text.chars().any(char::is_control) {
        let message = format!("{field} cannot contain control characters");
        return Err(Error::explained("Hook", "invalid", field, message));
    }
    Ok(())
}
