//! An identity provider of `acme`, which speaks SCIM with Olivia's token.

use crate::support::{Answer, Client, Value, World, json};

/// The address of `acme`'s people and groups.
pub const SCIM: &str = "/scim/v2/organizations/acme";

const USER: &str = "urn:ietf:params:scim:schemas:core:2.0:User";
const GROUP: &str = "urn:ietf:params:scim:schemas:core:2.0:Group";
const PATCH: &str = "urn:ietf:params:scim:api:messages:2.0:PatchOp";

/// The provider.
pub struct Provider {
    pub client: Client,
}

impl Provider {
    /// With the plan that offers synchronization.
    pub fn of(world: &World) -> Self {
        plan(world, "enterprise");
        Self { client: world.olivia() }
    }

    pub fn get(&self, path: &str) -> Answer {
        self.client.get(&format!("{SCIM}{path}"))
    }

    pub fn delete(&self, path: &str) -> Answer {
        self.client.delete(&format!("{SCIM}{path}"))
    }

    pub fn try_user(&self, name: &str, more: Value) -> Answer {
        let mut body = json!({ "schemas": [USER], "userName": name });
        body.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        self.client.post(&format!("{SCIM}/Users"), body)
    }

    /// A new person; their identifier.
    pub fn user(&self, name: &str, more: Value) -> String {
        self.try_user(name, more).expect(201)["id"].as_str().expect("an identifier").to_owned()
    }

    /// A record of a user whose account has the address `name@example.com`, as every account of the tests; tied,
    /// because they accept.
    pub fn tied(&self, world: &World, login: &str) -> String {
        let record = self.user(&format!("{login}@idp"), address(login));
        world.client(login).patch("/user/memberships/orgs/acme", json!({ "state": "active" })).expect(200);
        record
    }

    /// A new group of these people; its identifier.
    pub fn group(&self, name: &str, people: &[&str]) -> String {
        let body = json!({ "schemas": [GROUP], "displayName": name, "members": members(people) });
        let group = self.client.post(&format!("{SCIM}/Groups"), body);
        group.expect(201)["id"].as_str().expect("an identifier").to_owned()
    }

    /// One operation on a resource.
    pub fn patch(&self, path: &str, operation: Value) -> Answer {
        self.operations(path, json!([operation]))
    }

    /// Several operations on a resource.
    pub fn operations(&self, path: &str, operations: Value) -> Answer {
        self.client.patch(&format!("{SCIM}{path}"), json!({ "schemas": [PATCH], "Operations": operations }))
    }

    pub fn add(&self, group: &str, people: &[&str]) {
        let operation = json!({ "op": "add", "path": "members", "value": members(people) });
        self.patch(&format!("/Groups/{group}"), operation).expect(204);
    }

    pub fn remove(&self, group: &str, person: &str) {
        let operation = json!({ "op": "remove", "path": format!("members[value eq \"{person}\"]") });
        self.patch(&format!("/Groups/{group}"), operation).expect(204);
    }

    pub fn active(&self, user: &str, active: bool) -> Answer {
        self.patch(&format!("/Users/{user}"), json!({ "op": "replace", "path": "active", "value": active }))
    }
}

/// The e-mail address with which each user of the tests is registered.
pub fn address(login: &str) -> Value {
    json!({ "emails": [{ "value": format!("{login}@example.com"), "primary": true }] })
}

pub fn members(people: &[&str]) -> Value {
    people.iter().map(|person| json!({ "value": person })).collect()
}

pub fn plan(world: &World, plan: &str) {
    world.sam().patch("/admin/organizations/acme", json!({ "plan": plan })).expect(202);
}

/// Olivia sets the groups that a team of `acme` follows.
pub fn link(world: &World, team: &str, groups: &[&str]) -> Answer {
    let group = |id: &&str| json!({ "group_id": id, "group_name": "x", "group_description": "" });
    let groups: Value = groups.iter().map(group).collect();
    world.olivia().patch(&format!("/orgs/acme/teams/{team}/team-sync/group-mappings"), json!({ "groups": groups }))
}

/// The logins of those who are directly in a team of `acme`.
pub fn people(world: &World, team: &str) -> Vec<Value> {
    world.olivia().get(&format!("/orgs/acme/teams/{team}/members?membership=immediate")).each("login")
}

/// A refusal as the standard words it.
#[track_caller]
pub fn refused(answer: &Answer, status: u16, kind: Option<&str>) {
    answer.expect(status);
    assert_eq!(answer.header("content-type"), Some("application/scim+json; charset=utf-8"), "{}", answer.request);
    assert_eq!(answer.json["schemas"], json!(["urn:ietf:params:scim:api:messages:2.0:Error"]), "{}", answer.text);
    assert_eq!(answer.json["status"], json!(status.to_string()), "{}", answer.text);
    assert_eq!(answer.json["scimType"].as_str(), kind, "{}", answer.text);
    assert!(answer.json["detail"].is_string(), "{}", answer.text);
}
