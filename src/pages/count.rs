//! Numbers of things in sentences.

/// A number of people: `no one`, `1 person`, `2 people`.
pub(super) fn people<N: Copy + Into<i128>>(number: &N) -> String {
    of(number, ["no one", "person", "people"])
}

/// The same with what they do, such as `1 person loses` and `2 people lose`.
pub(super) fn people_who<N: Copy + Into<i128>>(number: &N, one: &str, many: &str) -> String {
    let does = if (*number).into() > 1 { many } else { one };
    format!("{} {does}", people(number))
}

/// A number of repositories and of projects: `1 repository and 2 projects`; `no repositories` if there are none.
pub(super) fn places<R: Copy + Into<i128>, P: Copy + Into<i128>>(repositories: &R, projects: &P) -> String {
    let projects = of(projects, ["", "project", "projects"]);
    let repositories = of(repositories, ["", "repository", "repositories"]);
    match (repositories.is_empty(), projects.is_empty()) {
        (true, true) => "no repositories".to_owned(),
        (false, false) => format!("{repositories} and {projects}"),
        _ => [repositories, projects].concat(),
    }
}

fn of<N: Copy + Into<i128>>(number: &N, [none, one, many]: [&str; 3]) -> String {
    match (*number).into() {
        ..=0 => none.to_owned(),
        1 => format!("1 {one}"),
        number => format!("{number} {many}"),
    }
}

#[cfg(test)]
mod tests {
    use super::{people, people_who, places};

    #[test]
    fn numbers_are_words_of_a_sentence() {
        assert_eq!([0, 1, 2].map(|number: i64| people(&number)), ["no one", "1 person", "2 people"]);
        let lose = |number: u64| people_who(&number, "loses", "lose");
        assert_eq!([0, 1, 2].map(lose), ["no one loses", "1 person loses", "2 people lose"]);
        for (of, said) in [
            ((0, 0), "no repositories"),
            ((1, 0), "1 repository"),
            ((0, 1), "1 project"),
            ((2, 3), "2 repositories and 3 projects"),
        ] {
            assert_eq!(places::<i64, i64>(&of.0, &of.1), said);
        }
    }
}
