//! Plans of the organization.

use super::{Sample, sample};
use crate::support::{Client, Value, World, json};

pub fn samples() -> Vec<Sample> {
    vec![
        sample("orgs.export", "olivia", 200),
        sample("orgs.createPlan", "olivia", 201).query("prune=false&file=acme.json").body(|_| file("From a file")),
        sample("orgs.getPlan", "olivia", 200),
        sample("orgs.applyPlan", "olivia", 200).body(|_| json!({ "mail": false, "max_removals": 25, "min_owners": 1 })),
    ]
}

fn file(description: &str) -> Value {
    json!({ "format": "team-org/1", "org": { "login": "acme", "description": description } })
}

/// Two plans, which the path of a sample may name.
pub fn make(olivia: &Client) {
    for description in ["Planned", "Planned too"] {
        olivia.post("/orgs/acme/plans", file(description)).expect(201);
    }
}

/// Their identifiers.
pub fn values(world: &World) -> impl Iterator<Item = ((&'static str, &'static str), String)> {
    let plans: Vec<(i64,)> = world.rows("SELECT id FROM plans ORDER BY id");
    ["the first", "the second"].into_iter().zip(plans).map(|(of, (id,))| (("plan_id", of), id.to_string()))
}
