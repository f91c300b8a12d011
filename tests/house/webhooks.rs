//! `docs/webhooks.md` lists every event that is sent, with its actions, in order, and no other.

use std::fs;

use guildhall::hooks::events::SENT;

#[test]
fn the_page_of_events_lists_what_is_sent() {
    let page = fs::read_to_string("docs/webhooks.md").unwrap();
    let rows = page.lines().filter(|line| line.starts_with("| `"));
    let listed: Vec<(String, String, bool)> = rows
        .map(|row| {
            let cells: Vec<&str> = row.split(" | ").map(|cell| cell.trim_matches(['|', ' ', '`'])).collect();
            (cells[0].to_owned(), cells[1].to_owned(), cells[2].ends_with('.'))
        })
        .collect();
    let sent = SENT.iter().flat_map(|(event, actions)| {
        let actions: &[&str] = if actions.is_empty() { &["-"] } else { actions };
        actions.iter().map(|action| ((*event).to_owned(), (*action).to_owned(), true))
    });
    assert_eq!(listed, sent.collect::<Vec<_>>());
}
