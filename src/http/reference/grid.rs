//! The permission grid: `docs/permissions.txt`.

use super::super::personas::{Kind, PERSONAS, answer};
use super::push;
use crate::operation::Operation;

/// `docs/permissions.txt`: the result of every operation for every person.
#[must_use]
pub fn permissions(operations: &[Operation]) -> String {
    let mut page = String::from(
        "Written by ./scripts/bless from the table; do not edit. The status code that each person gets:\n\n\
         yes  the operation is carried out, if what was sent is right\n\
         401  the caller must be known\n\
         403  the caller sees the thing but may not do this\n\
         404  the caller may not know that the thing exists\n\n",
    );
    for persona in &PERSONAS {
        push(&mut page, format_args!("{:<8}{}\n", persona.name, persona.is));
    }
    page.push_str(
        "\nTheir tokens have every scope, and members of the organization may create teams\n\
         and repositories, and read all of its repositories. The team may write to these.\n\
         The person in the path is always another person.\n",
    );
    let grids = [
        ("On a closed team", Kind::ClosedTeam),
        ("On a secret team", Kind::SecretTeam),
        ("On a public repository", Kind::PublicRepo),
        ("On a private repository", Kind::PrivateRepo),
        ("On a private project that members read", Kind::Project),
        ("On organizations, people and the site", Kind::Other),
    ];
    for (title, kind) in grids {
        let rows: Vec<&Operation> = operations.iter().filter(|row| Kind::of(row).contains(&kind)).collect();
        grid(&mut page, title, &rows, kind);
    }
    page
}

fn grid(page: &mut String, title: &str, rows: &[&Operation], subject: Kind) {
    let width = rows.iter().map(|row| row.name.len()).max().unwrap_or(0).max(title.len()) + 2;
    push(page, format_args!("\n{title:<width$}"));
    let cells = |page: &mut String, words: &[&str]| {
        let line: Vec<String> = words.iter().map(|word| format!("{word:<6}")).collect();
        push(page, format_args!("{}\n", line.join("  ").trim_end()));
    };
    cells(page, &PERSONAS.map(|persona| persona.name));
    for row in rows {
        push(page, format_args!("{:<width$}", row.name));
        cells(page, &PERSONAS.map(|persona| answer(row, &persona, subject).word()));
    }
}
