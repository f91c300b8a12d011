//! Provisioning over SCIM 2.0, beyond what the rules say of it: questions, changes in part, what is hostile, and that a
//! request which fails halfway has done nothing (section 17 of `SPEC.md`, RFC 7644).

mod changes;
mod hostile;
mod nul;
mod questions;
mod statements;

use crate::support::{Answer, Client, Value, World, json};

const SCIM: &str = "/scim/v2/organizations/acme";

/// Olivia's provider.
struct Provider {
    world: World,
    client: Client,
}

impl Provider {
    fn new() -> Self {
        let world = World::new();
        world.sam().patch("/admin/organizations/acme", json!({ "plan": "enterprise" })).expect(202);
        let client = world.olivia();
        Self { world, client }
    }

    fn get(&self, path: &str) -> Answer {
        self.client.get(&format!("{SCIM}{path}"))
    }

    fn post(&self, path: &str, body: Value) -> Answer {
        self.client.post(&format!("{SCIM}{path}"), body)
    }

    fn put(&self, path: &str, body: Value) -> Answer {
        self.client.put(&format!("{SCIM}{path}"), body)
    }

    fn patch(&self, path: &str, operations: Value) -> Answer {
        self.client.patch(&format!("{SCIM}{path}"), json!({ "Operations": operations }))
    }

    fn user(&self, body: Value) -> String {
        identifier(self.post("/Users", body).expect(201))
    }

    fn group(&self, name: &str, people: &[&String]) -> String {
        let members: Value = people.iter().map(|person| json!({ "value": person })).collect();
        identifier(self.post("/Groups", json!({ "displayName": name, "members": members })).expect(201))
    }

    /// The `member` of everything that a filter finds.
    fn found(&self, kind: &str, filter: &str, member: &str) -> Vec<Value> {
        let answer = self.get(&format!("/{kind}?filter={}", encoded(filter)));
        let resources = answer.expect(200)["Resources"].as_array().expect("a list").clone();
        assert_eq!(answer.json["totalResults"], resources.len(), "{}", answer.text);
        resources.iter().map(|one| one[member].clone()).collect()
    }
}

fn identifier(resource: &Value) -> String {
    resource["id"].as_str().expect("an identifier").to_owned()
}

/// Text for a query.
fn encoded(text: &str) -> String {
    let bytes: Vec<String> = text.bytes().map(|byte| format!("%{byte:02X}")).collect();
    bytes.concat()
}

/// Fails unless it is a refusal in the form of the standard.
#[track_caller]
fn refused(answer: &Answer, status: u16, kind: Option<&str>) {
    answer.expect(status);
    assert_eq!(answer.json["schemas"][0], "urn:ietf:params:scim:api:messages:2.0:Error", "{}", answer.text);
    assert_eq!((&answer.json["status"], answer.json["scimType"].as_str()), (&json!(status.to_string()), kind));
    assert!(answer.json["detail"].is_string() && answer.text.len() < 2_000, "{}", answer.text);
}
