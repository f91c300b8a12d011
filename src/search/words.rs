//! The words of a query, compared with texts in any letters without case.

use super::query::COMPARISONS;

/// Words in lower case; true if the word is excluded.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Words(Vec<(bool, String)>);

impl Words {
    /// Adds a word. A blank one is none.
    pub fn add(&mut self, excluded: bool, word: &str) {
        let word = word.trim().to_lowercase();
        if !word.is_empty() {
            self.0.push((excluded, word));
        }
    }

    /// True if every word is in one of these texts, which are in lower case, and no excluded word is.
    #[must_use]
    pub fn match_any(&self, texts: &[&str]) -> bool {
        self.0.iter().all(|(excluded, word)| texts.iter().any(|text| text.contains(word)) != *excluded)
    }

    /// True if one of the words is the whole of one of these names, which are in lower case.
    #[must_use]
    pub fn name(&self, names: &[&str]) -> bool {
        self.0.iter().any(|(excluded, word)| !excluded && names.contains(&word.as_str()))
    }

    /// The most texts that a search compares with the words.
    #[must_use]
    pub fn most(&self) -> usize {
        usize::try_from(COMPARISONS).unwrap_or_default() / (1 + self.0.len())
    }
}
