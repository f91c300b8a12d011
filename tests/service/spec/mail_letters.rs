//! Every mail with samples (decision 46): its headers, its text and its HTML; signed, and refused without TLS.

use guildhall::clock::Time;
use guildhall::config::{Dkim, Mail as Settings, Security, Smtp as Server};
use guildhall::mail::letter::{Board, Content, Invitation, Letter, Line, Post};
use guildhall::mail::{Mailer, Sent, TIMEOUTS};

use crate::support::mail::{Mail, saved};
use crate::support::smtp::{Manner, Smtp};

pub const AT: Time = Time(1_767_225_600_000_000);

fn organization() -> Line {
    Line::name("Acm\u{e9} <&> S\u{f6}hne")
}

pub fn invitation(role: &'static str, teams: &[&str], login: Option<&str>) -> Invitation {
    Invitation {
        org: organization(),
        inviter: Some(Line::name("Ol\u{ed}via \"O\" <x>")),
        role,
        teams: teams.iter().map(|name| Line::name(name)).collect(),
        login: login.map(str::to_owned),
        expires_at: AT.plus_seconds(7 * 86_400),
        url: "https://teams.example.org/ui/invitations/7-code".into(),
    }
}

pub fn post(comment: bool, mentioned: bool, private: bool) -> Content {
    Content::Post(Box::new(Post {
        author: Line::name("Max"),
        org: organization(),
        team: Line::name("Core"),
        title: Line::title(&("A \u{201c}long\u{201d} title ".repeat(12) + "\r\nBcc: eve@example.org")),
        private,
        comment,
        mentioned,
        last: None,
        body: "Text with `code` & <b>tags</b>\n.\nand a lone dot".into(),
        html: "<p>Text with <code>code</code></p>".into(),
        url: "https://teams.example.org/ui/orgs/acme/teams/core/discussions/3".into(),
    }))
}

pub fn letter(content: Content) -> Letter {
    let posted = matches!(content, Content::Post(_));
    let unsubscribe = "https://teams.example.org/ui/unsubscribe/1-3-code".to_owned();
    Letter {
        name: Some(Line::name("N\u{ef}na, \"the\" <great>\r\nCc: eve@example.org")),
        address: "nina@example.org".into(),
        id: "discussion/3/comment/9".into(),
        follows: posted.then(|| "discussion/3".into()),
        board: posted.then(|| Board { org: "acme".into(), team: "core.x".into(), unsubscribe }),
        content,
    }
}

pub fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Runtime::new().expect("a runtime")
}

fn send(settings: &Settings, folder: &std::path::Path, letter: &Letter) -> Sent {
    runtime().block_on(async {
        let mailer = Mailer::new(settings, folder.to_owned(), "https://teams.example.org", TIMEOUTS).expect("a mailer");
        mailer.send(letter, AT).await
    })
}

/// The mail that this content becomes.
fn rendered(settings: &Settings, content: Content) -> Mail {
    let folder = tempfile::tempdir().expect("a folder");
    let sent = send(settings, folder.path(), &letter(content));
    assert!(sent.ok, "{sent:?}");
    saved(folder.path()).remove(0)
}

#[test]
fn decision_46_every_mail_has_its_subject_text_and_html() {
    let owner = invitation("owner", &["Core", "Docs", "Web"], None);
    let member = invitation("member", &["Core"], Some("nina"));
    let alone = Invitation { inviter: None, ..invitation("billing manager", &[], None) };
    let accepted = Content::Accepted {
        login: "zoe".into(),
        name: Some(Line::name("Zo\u{eb}")),
        org: organization(),
        teams: vec![Line::name("Core")],
        url: "https://teams.example.org/ui/orgs/acme".into(),
    };
    let off = Content::HookOff {
        org: Some(organization()),
        hook: 4,
        receiver: "https://ci.example.com/<x>".into(),
        url: Some("https://teams.example.org/ui/orgs/acme/hooks/4".into()),
    };
    let name = "Acm\u{e9} <&> S\u{f6}hne";
    for (content, subject, wanted) in [
        (
            Content::Invitation(owner),
            format!("Ol\u{ed}via \"O\" <x> invited you to join {name}"),
            "as an owner, and to the teams Core, Docs and Web.",
        ),
        (
            Content::Invitation(member.clone()),
            format!("Ol\u{ed}via \"O\" <x> invited you to join {name}"),
            "The invitation is for your account nina.",
        ),
        (Content::Invitation(alone), format!("You are invited to join {name}"), "as a billing manager."),
        (
            Content::Reminder(member),
            format!("Reminder: your invitation to {name} expires on 8 January 2026"),
            "is still open",
        ),
        (accepted, format!("Zo\u{eb} (zoe) joined {name}"), "Teams: Core."),
        (
            Content::ApplicationAsked {
                org: organization(),
                application: Line::name("Rota <x>"),
                person: Some(Line::name("Tom")),
                url: "https://teams.example.org/ui/orgs/acme/applications".into(),
            },
            format!("Tom asks you to let Rota <x> into {name}"),
            "To answer, open this page:  https://teams.example.org/ui/orgs/acme/applications",
        ),
        (
            Content::MembershipEnds {
                team: Line::name("Core <x>"),
                org: organization(),
                at: AT.plus_seconds(7 * 86_400),
                url: "https://teams.example.org/ui/orgs/acme/teams/core-x".into(),
            },
            format!("Your membership of Core <x> in {name} ends on 8 January 2026"),
            "8 January 2026, 00:00 UTC.",
        ),
        (off, format!("A webhook of {name} was switched off"), "https://ci.example.com/<x> (webhook 4)"),
        (
            Content::EmailLink { login: "zoe".into(), url: "https://teams.example.org/ui/emails/7-code".into() },
            "Verify your e-mail address for the account zoe".to_owned(),
            "sign in as zoe, open this link, and press the button:  https://teams.example.org/ui/emails/7-code",
        ),
        (
            Content::EmailAsked { login: "zoe".into() },
            "Another account asked for your e-mail address".to_owned(),
            "It belongs to your account zoe, so nothing was changed",
        ),
        (
            Content::EmailChanged { login: "zoe".into(), change: "This e-mail address was removed from it." },
            "The e-mail addresses of your account zoe have changed".to_owned(),
            "This e-mail address was removed from it.",
        ),
        (Content::Test, "Test mail of Guildhall".to_owned(), "guildhall mail test"),
    ] {
        let mail = rendered(&Settings::default(), content);
        assert_eq!(mail.header("Subject"), subject);
        let text = mail.text.replace('\n', " ");
        assert!(text.contains(wanted), "{wanted} in {text}");
        assert!(mail.html.starts_with("<!DOCTYPE html>") && mail.html.trim_end().ends_with("</html>"), "{}", mail.html);
        assert!(!mail.html.contains("<x>") && mail.html.contains("prefers-color-scheme: dark"), "{}", mail.html);
        assert_eq!(mail.header("List-Unsubscribe"), "");
    }
}

#[test]
fn decision_46_a_post_is_a_mail_of_a_list_and_of_a_thread() {
    for (comment, mentioned, wanted) in
        [(false, false, "Max wrote a post"), (true, false, "Max commented"), (true, true, "Max mentioned you")]
    {
        let mail = rendered(&Settings::default(), post(comment, mentioned, comment));
        assert!(mail.text.starts_with(wanted), "{}", mail.text);
        assert!(mail.text.contains("`code` & <b>tags</b>\n.\nand a lone dot"), "{}", mail.text);
        assert_eq!(mail.text.contains("(private)"), comment);
        assert!(mail.html.contains("<p>Text with <code>code</code></p>"), "{}", mail.html);
        assert_eq!(mail.header("Message-ID"), "<discussion.3.comment.9@teams.example.org>");
        assert_eq!(mail.header("In-Reply-To"), "<discussion.3@teams.example.org>");
        assert_eq!(mail.header("References"), "<discussion.3@teams.example.org>");
        assert_eq!(mail.header("List-Id"), "<core-x.acme.teams.example.org>");
        assert_eq!(mail.header("List-Unsubscribe"), "<https://teams.example.org/ui/unsubscribe/1-3-code>");
        assert_eq!(mail.header("List-Unsubscribe-Post"), "List-Unsubscribe=One-Click");
        assert!(mail.text.contains("https://teams.example.org/ui/unsubscribe/1-3-code"), "{}", mail.text);
    }
}

#[test]
fn decision_46_names_and_titles_neither_end_a_header_nor_begin_one() {
    let mail = rendered(&Settings::default(), post(false, false, false));
    for name in ["Bcc", "Cc"] {
        assert_eq!(mail.header(name), "", "{name}");
    }
    assert!(mail.header("Subject").ends_with("Bcc: eve@example.org"), "{}", mail.header("Subject"));
    assert!(mail.header("Subject").starts_with("[Acm\u{e9} <&> S\u{f6}hne/Core] A \u{201c}long\u{201d} title"));
    assert!(
        mail.header("To").contains("N\u{ef}na") && mail.header("To").ends_with("<nina@example.org>"),
        "{}",
        mail.header("To")
    );
    assert_eq!(mail.header("Date"), "Thu, 01 Jan 2026 00:00:00 +0000");
    assert_eq!(mail.header("From"), "Guildhall <guildhall@teams.example.org>");
}

#[test]
fn decision_46_a_mail_is_signed_for_the_domain_of_its_sender() {
    let key = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/tls/dkim.pem").into();
    let from = "Acme <teams@mail.example.org>".parse().ok();
    let settings = Settings { from, dkim: Some(Dkim { key, selector: "spring".into() }), ..Settings::default() };
    let mail = rendered(&settings, post(true, false, false));
    let signature: String = mail.header("DKIM-Signature").split_whitespace().collect();
    for part in ["d=mail.example.org;", "s=spring;", "a=rsa-sha256;", "c=relaxed/relaxed;"] {
        assert!(signature.contains(part), "{part} in {signature}");
    }
    let signed =
        signature.split("h=").nth(1).and_then(|rest| rest.split(';').next()).unwrap_or_default().to_ascii_lowercase();
    for name in ["from", "to", "subject", "list-unsubscribe", "list-unsubscribe-post", "in-reply-to"] {
        assert!(signed.split(':').any(|covered| covered == name), "{name} in {signed}");
    }
    assert_eq!(mail.header("From"), "Acme <teams@mail.example.org>");
    let missing = Dkim { key: "/nowhere/key.pem".into(), selector: "spring".into() };
    let settings = Settings { dkim: Some(missing), ..Settings::default() };
    let refused =
        Mailer::new(&settings, "/nowhere".into(), "https://teams.example.org", TIMEOUTS).err().expect("an error");
    assert!(refused.to_string().contains("smtp.dkim_key /nowhere/key.pem"), "{refused}");
}

#[test]
fn decision_46_nothing_is_sent_without_the_tls_that_is_asked_for() {
    let server = Smtp::new(Manner::Accepts);
    for tls in [Security::StartTls, Security::Tls] {
        let smtp = Server { host: "127.0.0.1".into(), port: server.port, tls, credentials: None };
        let sent = send(
            &Settings { smtp: Some(smtp), ..Settings::default() },
            std::path::Path::new("/"),
            &letter(Content::Test),
        );
        assert!(!sent.ok && !sent.permanent, "{sent:?}");
    }
    assert_eq!((server.attempts(), server.mails().len()), (0, 0));
    let smtp = Server { host: "127.0.0.1".into(), port: server.port, tls: Security::Off, credentials: None };
    assert!(
        send(&Settings { smtp: Some(smtp), ..Settings::default() }, std::path::Path::new("/"), &letter(Content::Test))
            .ok
    );
}

#[test]
fn decision_46_an_address_that_mail_cannot_have_ends_the_mail() {
    let folder = tempfile::tempdir().expect("a folder");
    for wrong in ["", "nina", "a@b\r\nBcc: x@y.org", "a b@example.org"] {
        let letter = Letter { address: wrong.into(), ..letter(Content::Test) };
        let sent = send(&Settings::default(), folder.path(), &letter);
        assert!(!sent.ok && sent.permanent, "{wrong}: {sent:?}");
        assert!(!sent.status.contains('\n'), "{sent:?}");
    }
    assert!(saved(folder.path()).is_empty());
}
