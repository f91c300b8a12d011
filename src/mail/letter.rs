//! An e-mail before it is written out: its recipient, the thread it belongs to, and its text.

use std::fmt;

use crate::clock::Time;
use crate::name;

/// The longest name in an e-mail, in characters. A name that people chose must not look like a paragraph of the site.
const NAME_MAX: usize = 60;

/// The longest title in an e-mail, in characters: as long as a title can be.
const TITLE_MAX: usize = 255;

/// Text that people chose, on one line and not too long, whatever is stored (decision 9).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line(String);

impl Line {
    /// The name of a person, an organization or a team.
    #[must_use]
    pub fn name(text: &str) -> Self {
        Self(name::on_one_line(text, NAME_MAX))
    }

    /// The title of a discussion.
    #[must_use]
    pub fn title(text: &str) -> Self {
        Self(name::on_one_line(text, TITLE_MAX))
    }

    /// The same with a few words of ours behind it.
    #[must_use]
    pub fn followed_by(self, words: &'static str) -> Self {
        Self(self.0 + words)
    }

    /// True if there is nothing to show.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// An e-mail to one recipient.
#[derive(Debug, Clone)]
pub struct Letter {
    /// The recipient's name.
    pub name: Option<Line>,
    /// The recipient's e-mail address.
    pub address: String,
    /// The subject of the e-mail, in the form `invitation/7/1`. The `Message-ID` is derived from it, so a retry has the
    /// same one.
    pub id: String,
    /// The `id` of the e-mail that this one follows in its thread.
    pub follows: Option<String>,
    /// The board, for e-mails that the recipient can unsubscribe from.
    pub board: Option<Board>,
    /// The text.
    pub content: Content,
}

/// The board of a team as a mailing list.
#[derive(Debug, Clone)]
pub struct Board {
    /// The login of the organization.
    pub org: String,
    /// The slug of the team.
    pub team: String,
    /// The URL to unsubscribe, with its token.
    pub unsubscribe: String,
}

/// The content of an e-mail. All texts are unescaped; templates escape them.
#[derive(Debug, Clone)]
pub enum Content {
    /// An invitation.
    Invitation(Invitation),
    /// An invitation that is still open.
    Reminder(Invitation),
    /// An invitation was accepted; to the inviter.
    Accepted {
        /// The login of the person who joined.
        login: String,
        /// Their name, if they have one.
        name: Option<Line>,
        /// The name of the organization, or its login.
        org: Line,
        /// The names of the teams that they joined.
        teams: Vec<Line>,
        /// The URL of the page of the organization.
        url: String,
    },
    /// A membership of a team ends; to the member.
    MembershipEnds {
        /// The name of the team.
        team: Line,
        /// The name of the organization, or its login.
        org: Line,
        /// The time of the end.
        at: Time,
        /// The URL of the page of the team.
        url: String,
    },
    /// A new discussion or comment.
    Post(Box<Post>),
    /// An application asks to be let into an organization; to owners.
    ApplicationAsked {
        /// The name of the organization, or its login.
        org: Line,
        /// The name of the application.
        application: Line,
        /// The name or login of the person who asked; none if the account is gone.
        person: Option<Line>,
        /// The URL of the page on which owners answer.
        url: String,
    },
    /// A member asks to join a team; to the people who decide.
    JoinAsked {
        /// The login of the member.
        login: String,
        /// Their name, if they have one.
        name: Option<Line>,
        /// The name of the team.
        team: Line,
        /// The name of the organization, or its login.
        org: Line,
        /// The message of the member.
        message: Option<String>,
        /// The URL of the page of the team, on which they decide.
        url: String,
    },
    /// A request to join a team was decided; to the person who asked.
    JoinDecided {
        /// The name of the team.
        team: Line,
        /// The name of the organization, or its login.
        org: Line,
        /// True if the person is on the team now.
        approved: bool,
        /// The URL of the page of the team.
        url: String,
    },
    /// A webhook was switched off; to owners.
    HookOff {
        /// The organization; none for a webhook of the site.
        org: Option<Line>,
        /// Its identifier.
        hook: i64,
        /// The URL of its receiver, without credentials.
        receiver: String,
        /// The URL of its room; none for a webhook of the site.
        url: Option<String>,
    },
    /// The link that verifies an e-mail address; to that address.
    EmailLink {
        /// The login of the account that asked for it.
        login: String,
        /// The URL of the page, with its token.
        url: String,
    },
    /// Another account asked for an e-mail address; to that address, which this account has verified.
    EmailAsked {
        /// The login of the account that has it.
        login: String,
    },
    /// The e-mail addresses of an account changed; to an address that it had before.
    EmailChanged {
        /// The login of the account.
        login: String,
        /// The change, in a sentence about the recipient's e-mail address.
        change: &'static str,
    },
    /// A code and a link that sign in.
    SignIn(SignIn),
    /// The test mail of `guildhall mail test`.
    Test,
}

/// An invitation as e-mails show it.
#[derive(Debug, Clone)]
pub struct Invitation {
    /// The name of the organization, or its login.
    pub org: Line,
    /// The name or login of the inviter.
    pub inviter: Option<Line>,
    /// The role: `owner`, `member` or `billing manager`.
    pub role: &'static str,
    /// The names of the teams, with the role there if it is maintainer.
    pub teams: Vec<Line>,
    /// The invited login; none if an e-mail address is invited.
    pub login: Option<String>,
    /// The time at which it expires.
    pub expires_at: Time,
    /// The URL of the page, with its token.
    pub url: String,
}

/// A code and a link that sign in, as e-mails show them.
#[derive(Debug, Clone)]
pub struct SignIn {
    /// The code, in two groups of digits.
    pub code: String,
    /// The URL of the link, with its token.
    pub url: String,
    /// The name of the browser that asked.
    pub browser: String,
    /// The network that it asked from.
    pub network: String,
    /// The time at which it asked.
    pub asked_at: Time,
    /// True if no account has the e-mail address, and the code makes one.
    pub signs_up: bool,
}

/// A discussion or a comment as e-mails show it.
#[derive(Debug, Clone)]
pub struct Post {
    /// The name or login of the author.
    pub author: Line,
    /// The name of the organization, or its login.
    pub org: Line,
    /// The name of the team.
    pub team: Line,
    /// The title of the discussion.
    pub title: Line,
    /// True if only the team and owners see it.
    pub private: bool,
    /// True if it is a comment.
    pub comment: bool,
    /// True if the text mentions the recipient.
    pub mentioned: bool,
    /// The number of e-mails about posts of the team in the last hour, if the recipient gets no more than that.
    pub last: Option<i64>,
    /// The text as it was written, in Markdown.
    pub body: String,
    /// The text as safe HTML.
    pub html: String,
    /// The URL of its page.
    pub url: String,
}
