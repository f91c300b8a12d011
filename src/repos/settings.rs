//! The settings of a repository that clients write and read (decision 52). Only `allow_forking` has an effect here.

use std::collections::HashSet;

use schemars::Schema;
use serde::Serialize;
use serde_json::{Value, json};

use crate::error::{Error, Result};
use crate::operation::settings::settings;
use crate::words::words;

/// The most topics of a repository.
const TOPICS_MAX: usize = 20;

/// The longest topic, in characters.
const TOPIC_MAX: usize = 50;

settings! {
    /// Settings of a repository.
    Settings {
        /// True if discussions are enabled.
        has_discussions: bool = false;
        /// True if downloads are enabled.
        has_downloads: bool = true;
        /// True if pull requests may be merged with a merge commit.
        allow_merge_commit: bool = true;
        /// True if pull requests may be merged by squashing.
        allow_squash_merge: bool = true;
        /// True if pull requests may be merged by rebasing.
        allow_rebase_merge: bool = true;
        /// True if pull requests may be merged automatically once all requirements are met.
        allow_auto_merge: bool = false;
        /// True if the branch of a pull request may be updated when it is behind its base branch.
        allow_update_branch: bool = false;
        /// True if people other than its owners may fork it while it is private.
        allow_forking: bool = true;
        /// True if the head branch of a pull request is deleted after the merge.
        delete_branch_on_merge: bool = false;
        /// Default title of squash commits.
        squash_merge_commit_title: SquashTitle = SquashTitle::CommitOrPrTitle;
        /// Default message of squash commits.
        squash_merge_commit_message: SquashMessage = SquashMessage::CommitMessages;
        /// Default title of merge commits.
        merge_commit_title: MergeTitle = MergeTitle::MergeMessage;
        /// Default message of merge commits.
        merge_commit_message: MergeMessage = MergeMessage::PrTitle;
        /// True if commits made in the web interface must be signed off.
        web_commit_signoff_required: bool = false;
        /// Topics: at most 20, each up to 50 letters, digits and dashes. They are stored in lower case.
        topics: Vec<String> = Vec::new();
    }
}

/// The schema of the parameters of a create operation, with the documented defaults.
pub(super) fn with_defaults(schema: &mut Schema) {
    let usual = json!(Settings::default());
    let properties = schema.get_mut("properties").and_then(Value::as_object_mut);
    let Some(properties) = properties else { return };
    for (name, default) in usual.as_object().into_iter().flatten() {
        if let Some(property) = properties.get_mut(name).and_then(Value::as_object_mut) {
            property.insert("default".to_owned(), default.clone());
        }
    }
}

words! {
    /// Source of the default title of squash commits.
    #[derive(Serialize)]
    pub enum SquashTitle {
        /// Title of the pull request.
        PrTitle = "PR_TITLE",
        /// Title of the commit if there is only one, otherwise of the pull request.
        CommitOrPrTitle = "COMMIT_OR_PR_TITLE",
    }

    /// Source of the default message of squash commits.
    #[derive(Serialize)]
    pub enum SquashMessage {
        /// Body of the pull request.
        PrBody = "PR_BODY",
        /// Messages of the commits.
        CommitMessages = "COMMIT_MESSAGES",
        /// Empty.
        Blank = "BLANK",
    }

    /// Source of the default title of merge commits.
    #[derive(Serialize)]
    pub enum MergeTitle {
        /// Title of the pull request.
        PrTitle = "PR_TITLE",
        /// The usual title of a merge commit.
        MergeMessage = "MERGE_MESSAGE",
    }

    /// Source of the default message of merge commits.
    #[derive(Serialize)]
    pub enum MergeMessage {
        /// Body of the pull request.
        PrBody = "PR_BODY",
        /// Title of the pull request.
        PrTitle = "PR_TITLE",
        /// Empty.
        Blank = "BLANK",
    }
}

impl Given {
    /// Checks the settings that a caller sent; 422 if a topic is not valid.
    pub fn checked(mut self) -> Result<Self> {
        let refused = |why: String| Error::explained("Repository", "custom", "topics", why);
        self.topics = self.topics.map(valid_topics).transpose().map_err(refused)?;
        Ok(self)
    }
}

/// Topics in lower case, each once; the text of a refusal if one of them is not valid.
pub fn valid_topics(topics: Vec<String>) -> std::result::Result<Vec<String>, String> {
    let allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let is_topic =
        |topic: &str| (1..=TOPIC_MAX).contains(&topic.len()) && topic.chars().all(allowed) && !topic.starts_with('-');
    let mut seen = HashSet::new();
    let lower = topics.into_iter().map(|topic| topic.to_ascii_lowercase());
    let valid: Vec<String> = lower.filter(|topic| seen.insert(topic.clone())).collect();
    if !valid.iter().all(|topic| is_topic(topic)) {
        return Err(format!(
            "Topics must start with a letter or number, consist of {TOPIC_MAX} characters or less, and can include hyphens."
        ));
    }
    if valid.len() > TOPICS_MAX {
        return Err(format!("A repository cannot have more than {TOPICS_MAX} topics."));
    }
    Ok(valid)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn topics_are_lower_case_and_each_there_once() {
        let valid = |topics: &[&str]| valid_topics(topics.iter().map(|topic| (*topic).to_owned()).collect());
        assert_eq!(valid(&["Rust", "a-1", "rust"]).unwrap(), ["rust", "a-1"]);
        for refused in ["", "-a", "a b", "ä", "a_b", &"a".repeat(51)] {
            assert!(valid(&[refused]).is_err(), "{refused:?}");
        }
        let many: Vec<String> = (0..21).map(|n| format!("t{n}")).collect();
        assert!(valid_topics(many).is_err());
    }
}
