//! Deliveries over HTTP to receivers of every kind (decisions 44 and 68).

mod accepted;
mod addresses;
mod faults;
mod receiver;
mod tls;

use guildhall::hooks::config::ContentType;
use guildhall::hooks::target::Target;
use guildhall::hooks::{Job, Secrets};
use guildhall::sender::{Attempt, Rules, Sender};

use crate::support::waiting::HANG;

const GUID: &str = "72d3162e-cc78-11e3-81ab-4c9367dc0958";

/// The rules of a site whose webhooks may reach this machine.
fn local() -> Rules {
    let allow = vec!["127.0.0.0/8".parse().expect("a network"), "::1/128".parse().expect("a network")];
    Rules { allow, insecure_ssl: false, host: "teams.example.com".into() }
}

/// A hook that delivers there, as JSON and without a secret.
fn hook(url: &str) -> Job {
    Job {
        hook: 7,
        org: 42,
        active: true,
        deleted: false,
        target: Target::of(url).expect("a URL"),
        content_type: ContentType::Json,
        insecure_ssl: false,
        secrets: Some(Secrets::default()),
    }
}

/// The outcome of a delivery. One that does not end fails.
fn deliver(rules: Rules, job: &Job, payload: &str) -> Attempt {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
    let sender = Sender::new(rules).expect("a sender");
    let sent = async { tokio::time::timeout(HANG, sender.send(job, GUID, "team", payload)).await };
    runtime.expect("a runtime").block_on(sent).expect("an end of the delivery")
}
