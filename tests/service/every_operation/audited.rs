//! The facts that the audit log keeps of a request (decision 47): who did what, but neither e-mail addresses nor the
//! texts of posts.

use crate::every_operation::samples;
use crate::every_operation::scene::Scene;
use crate::support::{World, dump, json};

const ENTRIES: &str = "SELECT action, before, after FROM journal WHERE action IS NOT NULL ORDER BY org_id, entry";

/// Titles and bodies that the scene and the samples write.
const POSTED: [&str; 7] = ["Number 1", "What do you think", "Well.", "Lunch", "noon", "Dinner", "Yes, "];

/// Tables that may change without an entry: the journal itself, how much a person has created recently, what they have
/// read, muted or chosen for their e-mail, and plans, which change nothing before they are applied.
const BESIDE: [&str; 6] = ["journal", "creations", "notices", "subscriptions", "mail_settings", "plans"];

/// Rows that change nothing and are recorded, because others are told by their entries.
const TOLD: [&str; 2] = ["orgs.pingWebhook", "enterpriseAdmin.pingGlobalWebhook"];

/// The content of the database but for the tables of [`BESIDE`], and how many entries the journals have.
fn stored(world: &World) -> (String, i64) {
    let all = dump::everything(world);
    let rest: Vec<&str> = all.lines().filter(|line| !BESIDE.iter().any(|table| line.starts_with(table))).collect();
    let entries: Vec<(i64,)> = world.rows("SELECT CAST(sum(entry) AS BIGINT) FROM journal_heads");
    (rest.join("\n"), entries[0].0)
}

/// Each is sent twice: the second time most change nothing, or are refused.
#[test]
fn what_changes_something_is_recorded_and_nothing_else_is() {
    let wrong = samples::each_write(|row, sample| {
        let mut wrong = Vec::new();
        let scene = Scene::new();
        let mut before = stored(&scene.world);
        for time in ["first", "second"] {
            // What is sent again is sent later.
            scene.world.advance(1);
            let status = scene.send(row, sample).status;
            let after = stored(&scene.world);
            let (changed, recorded) = (before.0 != after.0, before.1 < after.1);
            if (changed || TOLD.contains(&row.name)) != recorded {
                let what = dump::difference(&before.0, &after.0);
                wrong.push(format!("{} ({status}, {time} time) recorded: {recorded}, changed: {what}", row.name));
            }
            before = after;
        }
        wrong
    });
    let wrong = wrong.concat();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn decision_47_no_entry_has_an_email_address_or_the_text_of_a_post() {
    let told = samples::each_write(|row, sample| {
        let mut told = Vec::new();
        let scene = Scene::new();
        scene.send(row, sample).expect(sample.status);
        let entries: Vec<(String, String, String)> = scene.world.rows(ENTRIES);
        assert!(!entries.is_empty(), "{}", row.name);
        for (action, before, after) in entries {
            let fields = [before, after].join(" ");
            let named = fields.contains('@') || POSTED.iter().any(|text| fields.contains(text));
            if named {
                told.push(format!("{action} of {}: {fields}", row.name));
            }
        }
        told
    });
    let told = told.concat();
    assert!(told.is_empty(), "{}", told.join("\n"));
}

/// Providers name people and groups by their e-mail addresses.
#[test]
fn decision_47_no_entry_of_a_provider_has_an_email_address() {
    let scene = Scene::new();
    let (olivia, scim) = (scene.client("olivia"), "/scim/v2/organizations/acme");
    let (user, group) = ("quinn@example.com", "designers@example.com");
    let sent = |external: &str| json!({ "userName": user, "externalId": external, "emails": [{ "value": user }] });
    let id = olivia.post(&format!("{scim}/Users"), sent(user)).expect(201)["id"].clone();
    let quinn = format!("{scim}/Users/{}", id.as_str().expect("an identifier"));
    olivia.put(&quinn, sent("q@example.com")).expect(200);
    let named = json!({ "displayName": group, "externalId": group, "members": [{ "value": id }] });
    let id = olivia.post(&format!("{scim}/Groups"), named).expect(201)["id"].clone();
    olivia.delete(&format!("{scim}/Groups/{}", id.as_str().expect("an identifier"))).expect(204);
    olivia.delete(&quinn).expect(204);
    let entries: Vec<(String, String, String)> = scene.world.rows(ENTRIES);
    let of = |wanted: &str| entries.iter().filter(|(action, ..)| action == wanted).count();
    assert!(of("scim.update_user") > 0 && of("scim.delete_group") > 0 && of("scim.delete_user") > 0);
    assert!(entries.iter().any(|(.., after)| after.contains("\"user_name\":\"quinn\"")), "{entries:?}");
    for (action, before, after) in entries {
        assert!(!before.contains('@') && !after.contains('@'), "{action}: {before} {after}");
    }
}
