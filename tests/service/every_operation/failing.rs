//! The n-th statement of a request fails, for every n: the response is 503, and nothing has changed, not even the
//! events and the audit log. When no statement fails, the request succeeds (`ARCHITECTURE.md`, rule 3).

use guildhall::operation::{Method, Operation};

use crate::every_operation::outcome::Outcome;
use crate::every_operation::samples::{self, Sample};
use crate::every_operation::scene::Scene;
use crate::support::database::Database;

/// More statements than any request should need.
const TOO_MANY: u32 = 300;

/// Sends a sample until no statement of it fails; at how many statements that was.
fn fail_each_statement(scene: &Scene, row: &Operation, sample: &Sample) -> (u32, Outcome) {
    let (client, faults) = (scene.client(sample.who), &scene.world.faults);
    let before = scene.dump();
    for n in 1..TOO_MANY {
        faults.arm(n);
        let answer = scene.send(row, sample);
        if faults.disarm() {
            answer.expect(sample.status);
            return (n, Outcome::of(scene, &client, &answer));
        }
        let message = "The service cannot answer right now. Try again shortly.";
        assert_eq!(answer.status, 503, "{} when statement {n} fails: {}", row.name, answer.text);
        answer.refused(503, message);
        assert_eq!(answer.header("retry-after"), Some("1"), "{}", row.name);
        scene.unchanged_since(&before, &format!("{} whose statement {n} failed", row.name));
    }
    panic!("{} needs more than {TOO_MANY} statements", row.name);
}

#[test]
fn a_failing_statement_of_a_read_is_503_and_passes() {
    let scene = Scene::new();
    for (row, sample) in samples::all().iter().filter(|(row, _)| row.method == Method::Get) {
        fail_each_statement(&scene, row, sample);
    }
}

#[test]
fn a_failing_statement_of_a_write_changes_nothing() {
    samples::each_write(|row, sample| {
        let scene = Scene::new();
        let (statements, done) = fail_each_statement(&scene, row, sample);
        assert!(statements > 4, "{} was authorized and carried out by {statements} statements", row.name);
        // On PostgreSQL an identifier is used up even if its row never comes to be.
        if Database::is_postgres() {
            return;
        }
        let undisturbed = Scene::new();
        let answer = undisturbed.send(row, sample);
        done.must_be(&Outcome::of(&undisturbed, &undisturbed.client(sample.who), &answer), row.name);
    });
}

/// Lists come from memory: what a write did before it failed must not be seen there.
#[test]
fn lists_after_a_failed_write_are_those_from_before() {
    let scene = Scene::new();
    let olivia = scene.client("olivia");
    let lists = ["/orgs/acme/teams", "/orgs/acme/teams/parents/members", "/orgs/acme/members", "/orgs/acme/teams/core"];
    let look = || lists.map(|path| olivia.get(path).expect(200).clone());
    let before = look();
    for (row, sample) in samples::all().iter().filter(|(row, _)| row.method != Method::Get) {
        let needs = statements(row, sample);
        for n in [needs / 2, needs - 2, needs - 1] {
            scene.world.faults.arm(n);
            scene.send(row, sample).expect(503);
            assert_eq!(look(), before, "after statement {n} of {} failed", row.name);
        }
    }
}

/// The number of statements that a sample runs.
fn statements(row: &Operation, sample: &Sample) -> u32 {
    let scene = Scene::new();
    scene.world.faults.record();
    scene.send(row, sample).expect(sample.status);
    u32::try_from(scene.world.faults.recorded().len()).expect("a few")
}
