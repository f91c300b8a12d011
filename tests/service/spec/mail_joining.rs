//! E-mails about requests to join a team (decisions 65 and 69).

use crate::spec::decisions_joining::{REQUESTS, ask, decide, path};
use crate::spec::given;
use crate::spec::mail_invitations::{all, settle, world};
use crate::support::mail::Mail;
use crate::support::{World, json};

const DAY: i64 = 86_400;

/// The recipients and subjects of all e-mails, of which there are so many.
fn sent(world: &World, count: usize) -> Vec<(String, String)> {
    let mut sent: Vec<_> = all(world, count).iter().map(|mail| (mail.to(), mail.header("Subject"))).collect();
    sent.sort();
    sent
}

fn expected(mails: &[(&str, &str)]) -> Vec<(String, String)> {
    mails.iter().map(|(to, subject)| ((*to).to_owned(), (*subject).to_owned())).collect()
}

#[test]
fn decision_65_the_teams_own_maintainers_get_the_request() {
    let world = world();
    given::put(&world, "core", "ray", "maintainer");
    world.eve().patch("/user", json!({ "name": "Eve <b>" })).expect(200);
    let message = "I write the docs.\nGuildhall says: click here & <i>now</i>";
    let request = world.eve().post(REQUESTS, json!({ "message": message })).expect(201).clone();
    let mails: Vec<Mail> = all(&world, 2);
    let mut to: Vec<String> = mails.iter().map(Mail::to).collect();
    to.sort();
    assert_eq!(to, ["max@example.com", "ray@example.com"], "not Olivia, who owns the organization");
    let mail = &mails[0];
    assert_eq!(mail.header("Subject"), "Eve <b> (eve) asks to join Core");
    assert!(mail.text.starts_with("Eve <b> (eve) asks to join the team Core of acme.\n"), "{}", mail.text);
    assert!(mail.text.contains("\n> I write the docs.\n> Guildhall says: click here & <i>now</i>\n"), "{}", mail.text);
    let team = given::core(&world)["html_url"].as_str().expect("a URL").to_owned();
    assert!(mail.text.contains(&format!("\n{team}\n")), "{}", mail.text);
    assert!(mail.html.contains("click here &#38; &#60;i&#62;now&#60;/i&#62;<br>"), "{}", mail.html);
    assert_eq!(mail.header("Message-ID"), format!("<join_request.{}@localhost>", request["id"]));
}

#[test]
fn decision_65_owners_get_it_if_no_maintainer_can() {
    let world = world();
    world.sam().put("/users/max/suspended", json!({})).expect(204);
    ask(&world.eve());
    assert_eq!(sent(&world, 1), expected(&[("olivia@example.com", "eve asks to join Core")]));
    // One who asks gets no e-mail about it.
    ask(&world.olivia());
    sent(&world, 1);
}

#[test]
fn decision_65_the_decision_is_sent_to_the_person() {
    for (state, text) in [
        ("approved", "You are on the team Core of acme now: your request to join it was approved."),
        ("declined", "Your request to join the team Core of acme was declined."),
    ] {
        let world = world();
        let request = ask(&world.eve());
        all(&world, 1);
        decide(&world.max(), &request, state).expect(200);
        let subject = format!("Your request to join Core was {state}");
        let mails = all(&world, 2);
        let mail = mails.iter().find(|mail| mail.to() == "eve@example.com").expect("an e-mail");
        assert_eq!(mail.header("Subject"), subject);
        assert!(mail.text.replace('\n', " ").starts_with(text), "{}", mail.text);
        assert!(mail.html.contains(&subject), "{}", mail.html);
        decide(&world.max(), &request, state).expect(200);
        all(&world, 2);
    }
}

#[test]
fn decision_65_asking_again_and_again_sends_one_mail_a_day() {
    let world = world();
    for _ in 0..5 {
        let request = ask(&world.eve());
        world.eve().delete(&path(&request)).expect(204);
    }
    settle(&world);
    let last = ask(&world.eve());
    // The first one was withdrawn, perhaps before its e-mail was composed.
    settle(&world);
    let count = crate::support::mail::saved(world.mail.path()).len();
    assert!(count <= 1, "{count} e-mails");
    world.eve().delete(&path(&last)).expect(204);
    world.advance(DAY - 1);
    let request = ask(&world.eve());
    all(&world, count);
    world.eve().delete(&path(&request)).expect(204);
    world.advance(1);
    ask(&world.eve());
    all(&world, count + 1);
    // Another person's request is another matter.
    ask(&world.client("ray"));
    all(&world, count + 2);
}
