//! The settings of organizations and repositories that are stored, most of them without an effect here, under their
//! names in the API (decision 52).

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::cursor::Cursor;
use super::fault::Fault;
use crate::orgs::switches;
use crate::repos::settings::{Given, valid_topics};

/// The switches that a file gives an organization.
pub fn switches(at: &Cursor) -> switches::Given {
    let truth = |key: &&str| Some(((*key).to_owned(), at.flag(key)?.into()));
    let given: Map<String, Value> = switches::Given::KEYS.iter().filter_map(truth).collect();
    at.keep(serde_json::from_value(given.into()).map_err(|e| at.fault(e.to_string()))).unwrap_or_default()
}

/// The settings that a file gives a repository.
pub fn of_repo(at: &Cursor) -> Given {
    Given {
        has_discussions: at.flag("has_discussions"),
        has_downloads: at.flag("has_downloads"),
        allow_merge_commit: at.flag("allow_merge_commit"),
        allow_squash_merge: at.flag("allow_squash_merge"),
        allow_rebase_merge: at.flag("allow_rebase_merge"),
        allow_auto_merge: at.flag("allow_auto_merge"),
        allow_update_branch: at.flag("allow_update_branch"),
        allow_forking: at.flag("allow_forking"),
        delete_branch_on_merge: at.flag("delete_branch_on_merge"),
        squash_merge_commit_title: at.read("squash_merge_commit_title", word),
        squash_merge_commit_message: at.read("squash_merge_commit_message", word),
        merge_commit_title: at.read("merge_commit_title", word),
        merge_commit_message: at.read("merge_commit_message", word),
        web_commit_signoff_required: at.flag("web_commit_signoff_required"),
        topics: topics(at),
    }
}

fn word<T: DeserializeOwned>(at: &Cursor) -> Result<T, Fault> {
    // The words are plain. Any other text is escaped, so that the message can show it.
    serde_json::from_value(at.text()?.escape_debug().to_string().into()).map_err(|e| at.fault(e.to_string()))
}

fn topics(at: &Cursor) -> Option<Vec<String>> {
    let at = at.get("topics")?;
    let texts: Vec<_> = at.items()?.filter_map(|item| item.keep(item.text().map(str::to_owned))).collect();
    at.keep(valid_topics(texts).map_err(|why| at.fault(why)))
}
