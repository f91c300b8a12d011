//! Writes one sample e-mail of each kind to a maildir: `letters FOLDER`. The story of `tests/clients` looks at them in
//! a browser.

use std::error::Error;

use guildhall::clock::Time;
use guildhall::config::Mail as Settings;
use guildhall::mail::letter::{Board, Content, Invitation, Letter, Line, Post, SignIn};
use guildhall::mail::{Mailer, TIMEOUTS};

const AT: Time = Time(1_767_225_600_000_000);

fn main() -> Result<(), Box<dyn Error>> {
    let Some(folder) = std::env::args().nth(1) else { return Err("usage: letters FOLDER".into()) };
    tokio::runtime::Runtime::new()?.block_on(async {
        let mailer = Mailer::new(&Settings::default(), folder.into(), "https://teams.example.org", TIMEOUTS)?;
        for (kind, content) in kinds() {
            let sent = mailer.send(&letter(kind, content), AT).await;
            if !sent.ok {
                return Err(format!("{kind}: {}", sent.status).into());
            }
        }
        Ok(())
    })
}

/// Each sample is named for its recipient, so readers can tell the samples apart.
fn kinds() -> Vec<(&'static str, Content)> {
    let teams = || ["Core", "Döcumentation of everything that we have ever shipped"].map(Line::name).to_vec();
    let accepted = Content::Accepted {
        login: "zoe".into(),
        name: Some(Line::name("Zoë")),
        org: org(),
        teams: teams(),
        url: page(""),
    };
    let receiver = format!("https://ci.example.com/{}", "hook".repeat(30));
    let url = "https://guildhall.example.com/ui/orgs/acme/hooks/4".to_owned();
    vec![
        ("invitation", Content::Invitation(invitation("member", teams(), Some("nina")))),
        ("invitation of an owner", Content::Invitation(invitation("owner", Vec::new(), None))),
        ("reminder", Content::Reminder(invitation("member", teams(), None))),
        ("accepted", accepted),
        ("discussion", post(false, false)),
        ("comment", post(true, false)),
        ("mention", post(true, true)),
        ("webhook", Content::HookOff { org: Some(org()), hook: 4, receiver: receiver.clone(), url: Some(url) }),
        ("webhook of the site", Content::HookOff { org: None, hook: 4, receiver, url: None }),
        ("sign-in", signing_in()),
        ("test", Content::Test),
    ]
}

fn letter(kind: &str, content: Content) -> Letter {
    let posted = matches!(content, Content::Post(_));
    let unsubscribe = "https://teams.example.org/ui/unsubscribe/1-3-code".to_owned();
    Letter {
        name: Some(Line::name(kind)),
        address: "nina@example.org".into(),
        id: format!("sample/{}", kind.replace(' ', "/")),
        follows: None,
        board: posted.then(|| Board { org: "acme".into(), team: "core".into(), unsubscribe }),
        content,
    }
}

fn signing_in() -> Content {
    Content::SignIn(SignIn {
        code: "4711 0815".into(),
        url: format!("https://teams.example.org/login/link/7-{}", "code".repeat(11)),
        browser: "Firefox on Linux".into(),
        network: "2001:db8:1:2::/64".into(),
        asked_at: AT,
        signs_up: false,
    })
}

/// The URL of a page of the organization.
fn page(below: &str) -> String {
    format!("https://teams.example.org/ui/orgs/acme{below}")
}

fn org() -> Line {
    Line::name("Acmé & Söhne")
}

fn invitation(role: &'static str, teams: Vec<Line>, login: Option<&str>) -> Invitation {
    Invitation {
        org: org(),
        inviter: Some(Line::name("Olívia <the owner>")),
        role,
        teams,
        login: login.map(str::to_owned),
        expires_at: AT.plus_seconds(7 * 86_400),
        url: format!("https://teams.example.org/ui/invitations/7-{}", "c0de".repeat(12)),
    }
}

fn post(comment: bool, mentioned: bool) -> Content {
    Content::Post(Box::new(Post {
        author: Line::name("Max"),
        org: org(),
        team: Line::name("Core"),
        title: Line::title("Größe, & what comes next"),
        private: mentioned,
        comment,
        mentioned,
        last: None,
        body: "Text with `code`".into(),
        html: "<p>Text with <code>code</code> and <a href=\"https://example.org\">a link</a></p>".into(),
        url: page("/teams/core/discussions/3"),
    }))
}
