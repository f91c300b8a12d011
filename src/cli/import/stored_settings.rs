//! The settings of organizations and repositories that are stored but have no effect here, under their names in the API
//! (decision 52).

use serde::de::DeserializeOwned;
use serde_json::Map;

use super::cursor::Cursor;
use super::fault::Fault;
use crate::orgs::switches;
use crate::repos::settings::{Given, valid_topics};

/// The switches that a file gives an organization.
pub fn switches(at: &Cursor) -> Result<switches::Given, Fault> {
    let mut given = Map::new();
    for key in switches::Given::KEYS {
        if let Some(at) = at.get(key) {
            given.insert((*key).to_owned(), at.truth()?.into());
        }
    }
    serde_json::from_value(given.into()).map_err(|e| at.fault(e.to_string()))
}

/// The settings that a file gives a repository.
pub fn of_repo(at: &Cursor) -> Result<Given, Fault> {
    let truth = |key| at.get(key).map(|at| at.truth()).transpose();
    Ok(Given {
        has_discussions: truth("has_discussions")?,
        has_downloads: truth("has_downloads")?,
        allow_merge_commit: truth("allow_merge_commit")?,
        allow_squash_merge: truth("allow_squash_merge")?,
        allow_rebase_merge: truth("allow_rebase_merge")?,
        allow_auto_merge: truth("allow_auto_merge")?,
        allow_update_branch: truth("allow_update_branch")?,
        delete_branch_on_merge: truth("delete_branch_on_merge")?,
        squash_merge_commit_title: word(at, "squash_merge_commit_title")?,
        squash_merge_commit_message: word(at, "squash_merge_commit_message")?,
        merge_commit_title: word(at, "merge_commit_title")?,
        merge_commit_message: word(at, "merge_commit_message")?,
        web_commit_signoff_required: truth("web_commit_signoff_required")?,
        topics: topics(at)?,
    })
}

fn word<T: DeserializeOwned>(at: &Cursor, key: &str) -> Result<Option<T>, Fault> {
    let Some(at) = at.get(key) else { return Ok(None) };
    // The words are plain. Any other text is escaped, so that the message can show it.
    serde_json::from_value(at.text()?.escape_debug().to_string().into()).map(Some).map_err(|e| at.fault(e.to_string()))
}

fn topics(at: &Cursor) -> Result<Option<Vec<String>>, Fault> {
    let Some(at) = at.get("topics") else { return Ok(None) };
    let topics = at.items()?.map(|item| item.text().map(str::to_owned)).collect::<Result<_, _>>()?;
    valid_topics(topics).map(Some).map_err(|why| at.fault(why))
}
