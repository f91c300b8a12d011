//! The values of the forms that create and change a webhook.

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Map, Value, json};

use super::records::{Events, Hook, events};
use crate::error::{Error, Result};
use crate::hooks::target::{self, Given};
use crate::name::is_invisible;
use crate::pages::form::Form;
use crate::pages::guest::body;
use crate::pages::organization::holder::Holder;
use crate::pages::problem::Problem;
use crate::posts::text;

/// The parameters of a webhook, each with its field of the form.
const FIELDS: [(&str, &str); 3] = [("url", "url"), ("secret", "secret"), ("events", "events")];

/// The sentence for an address without its beginning or its host.
const WHOLE: &str = "Enter a whole address, such as https://example.com/events.";

/// The values of a form.
pub(super) struct Filled {
    pub url: String,
    pub format: String,
    /// A secret to be stored. One that is stored is not shown.
    pub secret: String,
    /// True if the webhook is to have no secret.
    pub unsigned: bool,
    /// `all` or `some`.
    pub what: String,
    pub events: Vec<String>,
}

impl Filled {
    /// The values of a new webhook: all events, which one of the site has to name.
    pub fn empty(of: &Holder) -> Self {
        let has_all = of.org().is_some();
        let named = events(of).iter().filter(|_| !has_all);
        Self {
            url: String::new(),
            format: "json".to_owned(),
            secret: String::new(),
            unsigned: false,
            what: if has_all { "all" } else { "some" }.to_owned(),
            events: named.map(|(event, ..)| (*event).to_owned()).collect(),
        }
    }

    pub fn read(form: &Form) -> Self {
        Self {
            url: form.get("url").trim().to_owned(),
            format: form.get("format").to_owned(),
            secret: form.get("secret").to_owned(),
            unsigned: form.get("unsigned") == "on",
            what: form.get("what").to_owned(),
            events: form.all("event").map(str::to_owned).collect(),
        }
    }

    pub fn stored(hook: &Hook) -> Self {
        Self {
            url: hook.config.url.clone(),
            format: hook.config.content_type.clone(),
            what: if hook.gets_all() { "all" } else { "some" }.to_owned(),
            events: hook.events.clone(),
            secret: String::new(),
            unsigned: false,
        }
    }

    /// True if this event is chosen.
    pub fn has(&self, event: &str) -> bool {
        self.events.iter().any(|chosen| chosen == event)
    }

    /// The configuration as operations take it. A secret that was left empty is left out.
    pub fn config(&self) -> Map<String, Value> {
        let mut fields = body([("url", self.url.as_str().into()), ("content_type", self.format.as_str().into())]);
        if self.unsigned || !self.secret.is_empty() {
            let secret = if self.unsigned { "" } else { self.secret.as_str() };
            fields.insert("secret".to_owned(), secret.into());
        }
        fields
    }

    /// The events as operations take them.
    pub fn wanted(&self) -> Value {
        if self.what == "all" { json!(["*"]) } else { json!(self.events) }
    }

    /// The problem of the fields about the receiver.
    pub fn problem_of_receiver(&self) -> Problem {
        let mut problem = Problem::default();
        if self.url.is_empty() {
            problem = problem.and(Problem::at("url", "Enter an address, such as https://example.com/events."));
        } else if Given::read(&self.url).is_none() {
            problem = problem.and(Problem::at("url", self.why_no_url()));
        }
        if !matches!(self.format.as_str(), "json" | "form") {
            problem = problem.and(Problem::at("format", "Choose a format."));
        }
        if self.unsigned && !self.secret.is_empty() {
            problem = problem.and(Problem::at("secret", "Enter a secret, or choose to have none."));
        }
        problem
    }

    /// The sentence about an address that cannot be used.
    fn why_no_url(&self) -> String {
        let begins_well = ["http://", "https://"].iter().any(|start| self.url.to_lowercase().starts_with(start));
        match target::unencoded(&self.url) {
            _ if !begins_well => WHOLE.to_owned(),
            _ if self.url.len() > target::LONGEST => {
                format!("This address is too long. Use at most {} characters.", target::LONGEST)
            }
            Some(' ') => "An address has no spaces. In its path, write %20 instead.".to_owned(),
            Some(c) if is_invisible(c) => "The address has characters that cannot be shown. Leave them out.".to_owned(),
            Some(c) => {
                let encoded = utf8_percent_encode(c.encode_utf8(&mut [0; 4]), NON_ALPHANUMERIC).to_string();
                format!("An address cannot have “{c}”. In its path, write {encoded} instead.")
            }
            None => WHOLE.to_owned(),
        }
    }

    /// The problem of the fields about events.
    pub fn problem_of_events(&self, known: Events) -> Problem {
        match self.what.as_str() {
            "all" => Problem::default(),
            "some" if self.events.is_empty() => Problem::at("events", "Choose at least one event."),
            "some" if self.events.iter().all(|event| known.iter().any(|(known, ..)| known == event)) => {
                Problem::default()
            }
            "some" => Problem::at("events", "Choose events of this list."),
            _ => Problem::at("what", "Choose what is sent."),
        }
    }
}

/// The version of the fields of a webhook about its receiver. The time of the last change stands for the secret.
pub(super) fn receiver_version(hook: &Hook) -> String {
    let Hook { config, .. } = hook;
    let shown = json!([hook.id, config.url, config.content_type, config.secret.is_some(), hook.updated_at.to_string()]);
    text::version(&shown.to_string())
}

/// The version of the events of a webhook.
pub(super) fn events_version(hook: &Hook) -> String {
    text::version(&json!([hook.id, hook.events]).to_string())
}

/// The problem of a form that an operation has refused.
pub(super) fn refused(error: Error) -> Result<Problem> {
    let problem = Problem::of(error)?;
    // What is said of the whole webhook is about the address to which it sends.
    let is_of_url = problem.field.is_empty() && problem.code == "custom";
    Ok(if is_of_url { Problem { field: "url", ..problem } } else { problem.on(&FIELDS) })
}
