//! The events that are sent to webhooks. A webhook can subscribe to no others, although clients know more.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use crate::error::{Error, Result};
use crate::journal::EventKind;

/// Subscribes to every event.
pub const ALL: &str = "*";

/// The events that a global webhook can subscribe to (decision 68). They are also its default.
pub const GLOBAL: [&str; 2] = ["organization", "user"];

/// Every event that is sent, with its actions, both in order. `docs/webhooks.md` says when.
pub static SENT: LazyLock<BTreeMap<&str, Vec<&str>>> = LazyLock::new(|| {
    let parts: BTreeSet<_> = EventKind::all().iter().flat_map(|kind| kind.webhooks).collect();
    let mut sent: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for (event, action) in parts {
        sent.entry(*event).or_default().extend(*action);
    }
    sent
});

/// The events that a webhook can subscribe to: those of accounts are only for global webhooks.
fn known(global: bool) -> impl Iterator<Item = &'static str> {
    SENT.keys().copied().filter(move |event| if global { GLOBAL.contains(event) } else { *event != "user" })
}

/// The events that a webhook subscribes to, each once; `*` replaces the others. 422 for an event that is never sent.
pub fn wanted(names: Vec<String>, global: bool) -> Result<Vec<String>> {
    let is_known = |name: &String| known(global).any(|known| known == name) || (name == ALL && !global);
    if names.is_empty() {
        return Err(Error::explained("Hook", "invalid", "events", "Choose at least one event."));
    }
    if let Some(name) = names.iter().find(|name| !is_known(name)) {
        let known: Vec<String> = known(global).map(|name| format!("`{name}`")).collect();
        let all = if global { "" } else { ", or `*` for all" };
        let text = format!("`{name:.100}` is not sent here. Use any of {}{all}.", known.join(", "));
        return Err(Error::explained("Hook", "invalid", "events", text));
    }
    if names.iter().any(|name| name == ALL) {
        return Ok(vec![ALL.to_owned()]);
    }
    let mut events: Vec<String> = Vec::with_capacity(names.len().min(SENT.len()));
    for name in names {
        if !events.contains(&name) {
            events.push(name);
        }
    }
    Ok(events)
}

#[cfg(test)]
mod tests {
    use super::{SENT, wanted};

    #[test]
    fn the_names_are_sorted() {
        assert!(SENT.keys().is_sorted() && SENT.iter().all(|(_, actions)| actions.is_sorted()));
    }

    #[test]
    fn each_event_is_kept_once_and_all_swallow_the_others() {
        let read = |names: &[&str]| wanted(names.iter().map(|name| (*name).to_owned()).collect(), false);
        assert_eq!(read(&["team", "member", "team"]).unwrap(), ["team", "member"]);
        assert_eq!(read(&["team", "*"]).unwrap(), ["*"]);
        assert!(read(&[]).is_err() && read(&["push"]).is_err() && read(&["user"]).is_err());
        assert!(wanted(vec!["*".into()], true).is_err());
    }
}
