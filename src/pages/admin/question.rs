//! The pages that ask a site administrator before an account changes: what goes, and what stays.

use askama::Template;

use crate::error::Result;
use crate::pages::guest::Guest;
use crate::pages::layout::{Frame, Shown};
use crate::pages::problem::Problem;
use crate::people::account::Account;

/// A question about an account. The name of the account is between the two parts of its text.
pub(super) struct Question {
    /// The word in the query, and the value of the button.
    pub word: &'static str,
    /// The operation that a yes calls.
    pub operation: &'static str,
    text: [&'static str; 2],
    lead: &'static str,
    /// The facts about what follows: what it is about, and the sentence.
    follows: &'static [(&'static str, &'static str)],
    button: &'static str,
    /// True if a yes takes something away.
    pub takes: bool,
}

#[rustfmt::skip]
const QUESTIONS: [Question; 6] = [
    Question {
        word: "suspend", operation: "enterpriseAdmin.suspendUser", text: ["Suspend ", "?"],
        lead: "They are locked out at once. You can let them in again at any time.",
        follows: &[
            ("Sessions", "All of them end for good"),
            ("Signing in", "Codes, links and the identity provider do not let them in"),
            ("Tokens", "None works, also those of applications. They work again when the suspension ends."),
            ("Stays", "Their memberships, teams, posts and addresses. Other people still see them there."),
        ],
        button: "Suspend", takes: true,
    },
    Question {
        word: "promote", operation: "enterpriseAdmin.promoteUserToBeSiteAdministrator",
        text: ["Make ", " a site administrator?"],
        lead: "They get these rooms, and everything in them.",
        follows: &[
            ("People", "They suspend, rename and delete people, you included, and act for everyone who is not a site administrator"),
            ("Programs", "Tokens of theirs with site_admin may do the same"),
            ("Acting", "No one acts for them any more, and sessions in which someone does end"),
        ],
        button: "Make a site administrator", takes: false,
    },
    Question {
        word: "demote", operation: "enterpriseAdmin.demoteSiteAdministrator",
        text: ["End the site administration of ", "?"],
        lead: "They become a person like any other.",
        follows: &[
            ("Rooms", "Site administration is not there for them any more"),
            ("Acting", "Sessions and tokens with which they act for other people stop"),
            ("Stays", "Their account, memberships and tokens"),
        ],
        button: "End site administration", takes: true,
    },
    Question {
        word: "sessions", operation: "administration.endSessions", text: ["End all sessions of ", "?"],
        lead: "They are signed out in every browser, and sign in again when they like.",
        follows: &[
            ("Codes and links", "Those that were sent to them do not work any more"),
            ("Stays", "Tokens and applications"),
        ],
        button: "End all sessions", takes: true,
    },
    Question {
        word: "tokens", operation: "administration.endTokens", text: ["Revoke all tokens of ", "?"],
        lead: "Every program that acts for them stops at once. No one can bring a token back.",
        follows: &[
            ("Applications", "Their tokens go too. An application that the person still allows may get another one."),
            ("Stays", "Sessions in browsers"),
        ],
        button: "Revoke all tokens", takes: true,
    },
    Question {
        word: "delete", operation: "enterpriseAdmin.deleteUser", text: ["Delete the account ", "?"],
        lead: "This cannot be undone. To lock a person out, suspend them instead.",
        follows: &[
            ("Member of", "Organizations and teams, and all access that they give"),
            ("Repositories", "Those that belong to the person, with what teams have on them"),
            ("Account", "Addresses, sessions, tokens and what applications were allowed"),
            ("Login", "No one else ever gets it"),
            ("Stays", "What they wrote, without their name, and the audit log"),
        ],
        button: "Delete the account", takes: true,
    },
];

impl Question {
    /// The question with this word.
    pub fn find(word: &str) -> Option<&'static Self> {
        QUESTIONS.iter().find(|of| of.word == word)
    }

    /// True if no one may do it to themselves.
    pub fn is_for_others(&self) -> bool {
        self.word != "promote"
    }

    /// The page that asks it.
    pub fn show(&self, guest: &Guest<'_>, of: &Account, problem: Problem) -> Result<Shown> {
        Shown::of(problem.status(), &Ask { frame: guest.frame()?, of, question: self, problem })
    }
}

#[derive(Template)]
#[template(path = "admin/question.html")]
struct Ask<'a> {
    frame: Frame,
    of: &'a Account,
    question: &'a Question,
    problem: Problem,
}
