//! Samples of webhooks.

use super::{Sample, sample};
use crate::support::{Value, json};

pub fn samples() -> Vec<Sample> {
    vec![
        sample("orgs.listWebhooks", "olivia", 200).query("per_page=1"),
        sample("orgs.createWebhook", "olivia", 201).body(|_| new_hook(&["team", "membership"])),
        sample("orgs.getWebhook", "olivia", 200),
        sample("orgs.updateWebhook", "olivia", 200).body(|_| new_hook(&["*"])),
        sample("orgs.deleteWebhook", "olivia", 204),
        sample("orgs.getWebhookConfigForOrg", "olivia", 200),
        sample("orgs.updateWebhookConfigForOrg", "olivia", 200).body(|_| new_hook(&[])["config"].clone()),
        sample("orgs.pingWebhook", "olivia", 204),
        sample("orgs.listWebhookDeliveries", "olivia", 200).query("per_page=1&redelivery=false"),
        sample("orgs.getWebhookDelivery", "olivia", 200),
        sample("orgs.redeliverWebhookDelivery", "olivia", 202),
        sample("orgs.replayWebhookDeliveries", "olivia", 202).body(
            |scene| json!({ "since": "1970-01-01T00:00:00Z", "since_delivery": scene.number("delivery_id", "the first") }),
        ),
        sample("enterpriseAdmin.listGlobalWebhooks", "sam", 200).query("per_page=1"),
        sample("enterpriseAdmin.createGlobalWebhook", "sam", 201).body(|_| new_hook(&["user"])),
        sample("enterpriseAdmin.getGlobalWebhook", "sam", 200),
        sample("enterpriseAdmin.updateGlobalWebhook", "sam", 200).body(|_| {
            let mut hook = new_hook(&["organization"]);
            hook.as_object_mut().expect("an object").remove("name");
            hook
        }),
        sample("enterpriseAdmin.deleteGlobalWebhook", "sam", 204),
        sample("enterpriseAdmin.pingGlobalWebhook", "sam", 204),
        sample("enterpriseAdmin.listDeliveries", "sam", 200).query("state=waiting&per_page=1"),
    ]
}

fn new_hook(events: &[&str]) -> Value {
    let config = json!({
        "url": "https://hooks.example.com/events",
        "content_type": "json",
        "secret": "It's a Secret to Everybody",
        "insecure_ssl": "0",
    });
    json!({ "name": "web", "active": false, "events": events, "config": config })
}
