//! The reads of the worker for an e-mail stay few in long discussions and long queues (decision 37).

use super::mail_invitations::{all, settle, world};
use super::mail_posts::{boards, comment, post};
use crate::support::database::Database;
use crate::support::{World, json};

/// The plan of a statement with these parameters.
fn plan(world: &World, sql: &str, params: &[i64]) -> String {
    let filled = params.iter().enumerate().fold(sql.to_owned(), |sql, (nth, value)| {
        sql.replace(&format!("${}", nth + 1), &format!("CAST({value} AS BIGINT)"))
    });
    let steps: Vec<String> = if Database::is_postgres() {
        world.execute("ANALYZE");
        world.rows::<(String,)>(format!("EXPLAIN {filled}").leak()).into_iter().map(|(step,)| step).collect()
    } else {
        let steps = world.rows::<(i64, i64, i64, String)>(format!("EXPLAIN QUERY PLAN {filled}").leak());
        steps.into_iter().map(|(.., step)| step).collect()
    };
    steps.join("\n")
}

#[test]
fn decision_37_recipients_are_found_without_the_comments_of_a_long_discussion() {
    let world = boards();
    let number = post(&world.max(), "core", "Hello", false);
    comment(&world.max(), number, "And this");
    world.execute(
        "INSERT INTO comments (discussion_id, number, author_id, created_at, updated_at, body, body_version, body_html)
         WITH RECURSIVE n (i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 700)
         SELECT d.id, n.i * 100 + u.id, u.id, 0, 0, replace('xxxxxxxxxx', 'x', 'A comment of usual length. '), 'x',
                replace('xxxxxxxxxx', 'x', 'A comment of usual length. ')
         FROM n, discussions d, users u",
    );
    settle(&world);
    world.faults.record();
    comment(&world.max(), number, "And that");
    settle(&world);
    let statements = world.faults.recorded();
    let ids =
        "SELECT d.team_id, d.id, c.author_id FROM discussions d JOIN comments c ON c.discussion_id = d.id LIMIT 1";
    let (team, discussion, author) = world.rows::<(i64, i64, i64)>(ids)[0];
    for (part, params) in
        [("team_members tm", &[team, 0, discussion, 1_000, 0][..]), ("AS (SELECT CAST($2", &[discussion, author, 0])]
    {
        let sql = statements.iter().find(|sql| sql.contains("FROM people p") && sql.contains(part));
        let plan = plan(&world, sql.unwrap_or_else(|| panic!("no statement with {part}")), params);
        for slow in ["comments_discussion_id_number", "Seq Scan on comments", "Bitmap Heap Scan on comments", "SCAN c"]
        {
            assert!(!plan.contains(slow), "{slow} in {plan}");
        }
    }
}

#[test]
fn decision_46_the_queue_is_read_once_for_each_mail() {
    let world = world();
    settle(&world);
    world.faults.record();
    for name in ["una", "zoe", "ned"] {
        world.olivia().post("/orgs/acme/invitations", json!({ "email": format!("{name}@example.org") })).expect(201);
    }
    all(&world, 3);
    let reads = |sql: &&&str| sql.contains("FROM deliveries d JOIN delivery_events e") && sql.contains("d.id >= $4");
    assert_eq!(world.faults.recorded().iter().filter(reads).count(), 3);
}
