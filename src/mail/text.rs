//! The text of e-mails: the templates in `mails/`, each as plain text and as HTML.

use askama::Template;

use super::letter::{Board, Content, Invitation, Line, Post, SignIn};
use crate::clock::Time;

/// The text of an e-mail.
pub(super) struct Text {
    pub subject: String,
    pub plain: String,
    pub html: String,
}

/// The text of an e-mail with this content.
pub(super) fn of(content: &Content, board: Option<&Board>) -> Result<Text, String> {
    match content {
        Content::Invitation(shown) => invitation(shown, false),
        Content::Reminder(shown) => invitation(shown, true),
        Content::Accepted { login, name, org, teams, url } => accepted(login, name.as_ref(), org, teams, url),
        Content::MembershipEnds { team, org, at, url } => membership_ends(team, org, *at, url),
        Content::Post(post) => posted(post, board),
        Content::ApplicationAsked { org, application, person, url } => {
            application_asked(org, application, person.as_ref(), url)
        }
        Content::JoinAsked { login, name, team, org, message, url } => {
            let message = message.as_deref().unwrap_or_default().lines().collect();
            join_asked(&ToJoin { person: who(login, name.as_ref()), team, org, message, url })
        }
        Content::JoinDecided { team, org, approved, url } => join_decided(team, org, *approved, url),
        Content::HookOff { org, hook, receiver, url } => hook_off(org.as_ref(), *hook, receiver, url.as_deref()),
        Content::EmailLink { login, url } => email_link(login, url),
        Content::EmailAsked { login } => email_asked(login),
        Content::EmailChanged { login, change } => email_changed(login, change),
        Content::SignIn(of) => sign_in(of),
        Content::Test => text("Test mail of Guildhall".to_owned(), &TestText, &TestHtml),
    }
}

fn text(subject: String, plain: &impl Template, html: &impl Template) -> Result<Text, String> {
    let failed = |error: askama::Error| format!("the mail cannot be written: {error}");
    Ok(Text { subject, plain: plain.render().map_err(failed)?, html: html.render().map_err(failed)? })
}

/// Two templates over the same values `v`: one of plain text, and one of HTML.
macro_rules! templates {
    ($plain:ident, $plain_path:literal, $html:ident, $html_path:literal, $view:ty) => {
        #[derive(Template)]
        #[template(path = $plain_path)]
        struct $plain<'a> {
            v: &'a $view,
        }

        #[derive(Template)]
        #[template(path = $html_path)]
        struct $html<'a> {
            v: &'a $view,
        }
    };
}

templates!(InvitationText, "invitation.txt", InvitationHtml, "invitation.html", Invited<'a>);
templates!(AcceptedText, "accepted.txt", AcceptedHtml, "accepted.html", Joined<'a>);
templates!(EndText, "membership_ends.txt", EndHtml, "membership_ends.html", Ending<'a>);
templates!(PostText, "post.txt", PostHtml, "post.html", Posted<'a>);
templates!(SignInText, "sign_in.txt", SignInHtml, "sign_in.html", Asked<'a>);
templates!(ApplicationText, "application.txt", ApplicationHtml, "application.html", ToLetIn<'a>);
templates!(JoinAskedText, "join_asked.txt", JoinAskedHtml, "join_asked.html", ToJoin<'a>);
templates!(JoinDecidedText, "join_decided.txt", JoinDecidedHtml, "join_decided.html", Decided<'a>);
templates!(HookOffText, "hook_off.txt", HookOffHtml, "hook_off.html", Off<'a>);

templates!(EmailLinkText, "email_link.txt", EmailLinkHtml, "email_link.html", Verifying<'a>);
templates!(EmailAskedText, "email_asked.txt", EmailAskedHtml, "email_asked.html", &'a str);
templates!(EmailChangedText, "email_changed.txt", EmailChangedHtml, "email_changed.html", Changed<'a>);

#[derive(Template)]
#[template(path = "test.txt")]
struct TestText;

#[derive(Template)]
#[template(path = "test.html")]
struct TestHtml;

/// The values of `invitation.txt` and `invitation.html`.
struct Invited<'a> {
    of: &'a Invitation,
    teams: String,
    expires: String,
    reminder: bool,
}

fn invitation(of: &Invitation, reminder: bool) -> Result<Text, String> {
    let (org, expires) = (&of.org, of.expires_at.day());
    let subject = match &of.inviter {
        _ if reminder => format!("Reminder: your invitation to {org} expires on {expires}"),
        Some(inviter) => format!("{inviter} invited you to join {org}"),
        None => format!("You are invited to join {org}"),
    };
    let v = &Invited { of, teams: listed(&of.teams), expires, reminder };
    text(subject, &InvitationText { v }, &InvitationHtml { v })
}

/// The values of `accepted.txt` and `accepted.html`.
struct Joined<'a> {
    who: String,
    org: &'a Line,
    teams: String,
    url: &'a str,
}

fn accepted(login: &str, name: Option<&Line>, org: &Line, teams: &[Line], url: &str) -> Result<Text, String> {
    let who = who(login, name);
    let subject = format!("{who} joined {org}");
    let v = &Joined { who, org, teams: listed(teams), url };
    text(subject, &AcceptedText { v }, &AcceptedHtml { v })
}

fn who(login: &str, name: Option<&Line>) -> String {
    match name.filter(|name| !name.is_empty()) {
        Some(name) => format!("{name} ({login})"),
        None => login.to_owned(),
    }
}

/// The values of `join_asked.txt` and `join_asked.html`.
struct ToJoin<'a> {
    person: String,
    team: &'a Line,
    org: &'a Line,
    /// The lines of the message. Each is marked as quoted, so that none looks like a sentence of the site.
    message: Vec<&'a str>,
    url: &'a str,
}

fn join_asked(v: &ToJoin<'_>) -> Result<Text, String> {
    text(format!("{} asks to join {}", v.person, v.team), &JoinAskedText { v }, &JoinAskedHtml { v })
}

/// The values of `join_decided.txt` and `join_decided.html`.
struct Decided<'a> {
    team: &'a Line,
    org: &'a Line,
    approved: bool,
    subject: String,
    url: &'a str,
}

fn join_decided(team: &Line, org: &Line, approved: bool, url: &str) -> Result<Text, String> {
    let subject = format!("Your request to join {team} was {}", if approved { "approved" } else { "declined" });
    let v = &Decided { team, org, approved, subject, url };
    text(v.subject.clone(), &JoinDecidedText { v }, &JoinDecidedHtml { v })
}

/// The values of `post.txt` and `post.html`.
struct Posted<'a> {
    post: &'a Post,
    unsubscribe: &'a str,
}

fn posted(post: &Post, board: Option<&Board>) -> Result<Text, String> {
    let again = if post.comment { "Re: " } else { "" };
    let subject = format!("{again}[{}/{}] {}", post.org, post.team, post.title);
    let v = &Posted { post, unsubscribe: board.map_or("", |board| &board.unsubscribe) };
    text(subject, &PostText { v }, &PostHtml { v })
}

/// The values of `application.txt` and `application.html`.
struct ToLetIn<'a> {
    org: &'a Line,
    application: &'a Line,
    person: String,
    url: &'a str,
}

fn application_asked(org: &Line, application: &Line, person: Option<&Line>, url: &str) -> Result<Text, String> {
    let person = person.map_or_else(|| "A member".to_owned(), Line::to_string);
    let subject = format!("{person} asks you to let {application} into {org}");
    let v = &ToLetIn { org, application, person, url };
    text(subject, &ApplicationText { v }, &ApplicationHtml { v })
}

/// The values of `membership_ends.txt` and `membership_ends.html`.
struct Ending<'a> {
    team: &'a Line,
    org: &'a Line,
    at: String,
    url: &'a str,
}

fn membership_ends(team: &Line, org: &Line, at: Time, url: &str) -> Result<Text, String> {
    let subject = format!("Your membership of {team} in {org} ends on {}", at.day());
    let v = &Ending { team, org, at: at.minute(), url };
    text(subject, &EndText { v }, &EndHtml { v })
}

/// The values of `hook_off.txt` and `hook_off.html`.
struct Off<'a> {
    owner: String,
    hook: i64,
    receiver: &'a str,
    url: Option<&'a str>,
}

fn hook_off(org: Option<&Line>, hook: i64, receiver: &str, url: Option<&str>) -> Result<Text, String> {
    let owner = org.map_or_else(|| "this site".to_owned(), Line::to_string);
    let subject = format!("A webhook of {owner} was switched off");
    let v = &Off { owner, hook, receiver, url };
    text(subject, &HookOffText { v }, &HookOffHtml { v })
}

/// The values of `email_link.txt` and `email_link.html`.
struct Verifying<'a> {
    login: &'a str,
    url: &'a str,
}

fn email_link(login: &str, url: &str) -> Result<Text, String> {
    let v = &Verifying { login, url };
    text(format!("Verify your e-mail address for the account {login}"), &EmailLinkText { v }, &EmailLinkHtml { v })
}

fn email_asked(login: &str) -> Result<Text, String> {
    let v = &login;
    text("Another account asked for your e-mail address".to_owned(), &EmailAskedText { v }, &EmailAskedHtml { v })
}

/// The values of `email_changed.txt` and `email_changed.html`.
struct Changed<'a> {
    login: &'a str,
    change: &'a str,
}

fn email_changed(login: &str, change: &str) -> Result<Text, String> {
    let v = &Changed { login, change };
    let subject = format!("The e-mail addresses of your account {login} have changed");
    text(subject, &EmailChangedText { v }, &EmailChangedHtml { v })
}

/// The values of `sign_in.txt` and `sign_in.html`.
struct Asked<'a> {
    of: &'a SignIn,
    at: String,
}

fn sign_in(of: &SignIn) -> Result<Text, String> {
    let v = &Asked { of, at: of.asked_at.minute() };
    text("Sign in to Guildhall".to_owned(), &SignInText { v }, &SignInHtml { v })
}

/// A list of names in a sentence.
fn listed(names: &[Line]) -> String {
    let names: Vec<String> = names.iter().map(Line::to_string).collect();
    match names.as_slice() {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_listed_as_in_a_sentence() {
        let names = |names: &[&str]| listed(&names.iter().map(|name| Line::name(name)).collect::<Vec<_>>());
        assert_eq!([names(&[]), names(&["A"]), names(&["A", "B", "C"])], ["", "A", "A, B and C"]);
    }
}
