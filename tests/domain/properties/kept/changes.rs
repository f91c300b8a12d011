//! The changes of a store, in all ways: by requests at either server, some of which fail late, some at the same moment;
//! by other processes; by time.

use std::sync::Barrier;

use guildhall::db::{Lock, Tx};
use guildhall::error::{Error, Result};
use guildhall::journal;
use guildhall::journal::retention::{self, Cutoff};
use guildhall::orgs::org_ref;

use super::requests::Request;
use super::{Dice, PEOPLE, Town, looks};
use crate::support::{Value, World, json};

/// The number of changes at the same moment.
const AT_ONCE: usize = 5;

/// The key of the journals of a [`World`].
const KEY: [u8; 32] = [7; 32];

pub fn step(town: &mut Town, dice: &mut Dice) {
    match dice.below(40) {
        0..5 => fail_late(town, dice),
        5..10 => at_once(town, dice),
        10 => import(town, dice),
        11 => trim(town),
        12..14 => {
            let seconds = [20, 1_800, 86_400, 8 * 86_400][dice.below(4)];
            town.note(format!("{seconds} seconds pass"));
            town.advance(seconds);
        }
        14 => {
            town.note("Tom gets a token that ends".to_owned());
            town.new_ending_token(1_000);
        }
        15 => rename_login(town, dice),
        _ => {
            let (node, request) = (dice.below(2), Request::any(town, dice));
            if send(town, node, &request) < 300 {
                town.wrote(Some(node));
            }
        }
    }
}

/// Sends a request; its status.
fn send(town: &Town, node: usize, Request { who, verb, path, body }: &Request) -> u16 {
    let sent = body.as_ref().map_or_else(String::new, Value::to_string);
    let answer = town.client(node, who).send(verb, path, (*verb != "DELETE").then_some(sent.clone()));
    town.note(format!("{} at {node}: {verb} {path} of {who} {sent}", answer.status));
    assert!(answer.status != 500 && answer.status != 400, "{verb} {path}: {}", answer.text);
    answer.status
}

/// A statement of a request fails, early or late.
fn fail_late(town: &mut Town, dice: &mut Dice) {
    let (node, request) = (dice.below(2), Request::any(town, dice));
    let nth = u32::try_from(1 + dice.below(50)).expect("a small number");
    town.nodes[node].faults.arm(nth);
    let status = send(town, node, &request);
    let failed = !town.nodes[node].faults.disarm();
    town.note(format!("statement {nth} of it failed: {failed}"));
    if status < 300 {
        town.wrote(Some(node));
    }
}

/// Changes something, finds rows that it has changed, and fails then: what shares a commit with it is run again, it is
/// undone alone, and nothing that it found may be kept.
fn change_and_fail(world: &World) {
    let work = |tx: &mut Tx<'_>| -> Result<()> {
        tx.run("UPDATE teams SET description = 'It never was.', privacy = 'secret' WHERE org_id = 1", &[])?;
        tx.run("UPDATE users SET site_admin = TRUE WHERE login = 'eve'", &[])?;
        tx.run("UPDATE org_members SET role = 'admin' WHERE org_id = 1", &[])?;
        tx.run("UPDATE orgs SET login = 'Nowhere' WHERE id = 1", &[])?;
        tx.forget_found();
        org_ref::by_id(tx, 1)?;
        org_ref::by_login(tx, "acme")?;
        Err(Error::NotFound)
    };
    assert!(world.block_on(world.db.write(work)).is_err());
}

/// Several requests at the same moment, while others look and others fail.
fn at_once(town: &mut Town, dice: &mut Dice) {
    let requests: Vec<_> = (0..AT_ONCE).map(|_| (dice.below(2), Request::any(town, dice))).collect();
    let (all, failing) = (looks::all(town), dice.below(2));
    let looks: Vec<_> = (0..10).map(|_| (dice.below(2), dice.one(&all))).collect();
    let (start, town_now) = (Barrier::new(AT_ONCE + 3), &*town);
    std::thread::scope(|scope| {
        for (node, request) in &requests {
            scope.spawn(|| {
                start.wait();
                send(town_now, *node, request);
            });
        }
        for _ in 0..2 {
            scope.spawn(|| {
                start.wait();
                change_and_fail(&town_now.nodes[failing]);
            });
        }
        start.wait();
        for (node, look) in &looks {
            look.at(town_now.client(*node, look.who));
        }
    });
    town.wrote(None);
}

/// Another process imports: something small, or a tree of teams.
fn import(town: &mut Town, dice: &mut Dice) {
    let login = |dice: &mut Dice| dice.one(&town.logins[2..]);
    let (name, above, member, leader) = (dice.below(6), dice.below(6) + 6, login(dice), login(dice));
    let member = if member == leader { "olivia".to_owned() } else { member };
    let child = format!("{{maintainers: [{leader}], members: [{member}], privacy: closed}}");
    let teams = format!("{{T{above}: {{privacy: closed, teams: {{T{name}: {child}}}}}}}");
    let file = town.data_dir.path().join("org.yaml");
    std::fs::write(&file, format!("orgs: {{acme: {{teams: {teams}}}}}\n")).expect("to write");
    town.note(format!("another process imports {teams}"));
    if town.program(&["import", "--invite", file.to_str().expect("a path")]) {
        town.note("it did".to_owned());
        town.wrote(None);
    }
}

/// Everything but the newest entries of the journals is trimmed, so that memory which is behind them lacks some.
fn trim(town: &mut Town) {
    town.note("the journals are trimmed".to_owned());
    let world = &town.nodes[0];
    let all = Cutoff { entries: world.now(), facts: world.now() };
    for org in [0, 1] {
        let trimmed = world.db.write(move |tx| {
            journal::lock(tx, &[Lock::Journal(org)])?;
            retention::trim(tx, &KEY, org, all)
        });
        world.block_on(trimmed).expect("to trim");
    }
    town.wrote(None);
}

fn rename_login(town: &mut Town, dice: &mut Dice) {
    let (node, which, number) = (dice.below(2), 2 + dice.below(PEOPLE.len() - 2), dice.below(3));
    let login = if number == 0 { PEOPLE[which].to_owned() } else { format!("{}-{number}", PEOPLE[which]) };
    let path = format!("/admin/users/{}", town.logins[which]);
    let request = Request { who: "sam", verb: "PATCH", path, body: Some(json!({ "login": login })) };
    if send(town, node, &request) < 300 {
        town.logins[which] = login;
        town.wrote(Some(node));
    }
}
