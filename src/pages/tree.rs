//! Trees of teams as lines of a page, in their order.

use crate::teams::rooms::tree::Branch;

/// A line with a team, after which lists of child teams begin and end.
pub(super) struct Line<'a> {
    /// The login of the organization.
    pub org: &'a str,
    pub of: &'a Branch,
    /// True if its child teams are shown at once.
    pub is_open: bool,
    /// The number of lists of child teams that end after it.
    pub ends: usize,
}

impl Line<'_> {
    /// True if there is no room for its child teams.
    pub fn is_cut(&self) -> bool {
        self.of.children > 0 && self.of.below.is_empty()
    }
}

/// The lines of the teams of this organization.
pub(super) fn lines<'a>(org: &'a str, teams: &'a [Branch]) -> Vec<Line<'a>> {
    let mut lines = Vec::new();
    push(&mut lines, org, teams, 0);
    lines
}

fn push<'a>(lines: &mut Vec<Line<'a>>, org: &'a str, teams: &'a [Branch], level: usize) {
    for of in teams {
        lines.push(Line { org, of, is_open: level < 2, ends: 0 });
        push(lines, org, &of.below, level + 1);
        if let Some(last) = lines.last_mut().filter(|_| !of.below.is_empty()) {
            last.ends += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn team(name: &str, below: Vec<Branch>) -> Branch {
        let (children, name) = (below.len() as u64, name.to_owned());
        Branch { slug: name.clone(), name, description: None, secret: false, people: 0, children, role: None, below }
    }

    #[test]
    fn every_list_that_begins_ends() {
        let teams = [
            team("a", vec![team("b", vec![team("c", Vec::new())]), team("d", vec![team("e", Vec::new())])]),
            team("f", Vec::new()),
        ];
        let lines = lines("acme", &teams);
        let shown: Vec<(&str, bool, usize)> =
            lines.iter().map(|line| (line.of.name.as_str(), line.is_open, line.ends)).collect();
        let expected =
            [("a", true, 0), ("b", true, 0), ("c", false, 1), ("d", true, 0), ("e", false, 2), ("f", true, 0)];
        assert_eq!(shown, expected);
    }
}
