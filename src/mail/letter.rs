//! An e-mail before it is written out: its recipient, the thread it belongs to, and its text.

use crate::clock::Time;

/// An e-mail to one recipient.
#[derive(Debug, Clone)]
pub struct Letter {
    /// The recipient's name.
    pub name: Option<String>,
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
        name: Option<String>,
        /// The organization.
        org: Organization,
        /// The names of the teams that they joined.
        teams: Vec<String>,
    },
    /// A new discussion or comment.
    Post(Box<Post>),
    /// A webhook was switched off; to owners.
    HookOff {
        /// The organization; none for a webhook of the site.
        org: Option<Organization>,
        /// Its identifier.
        hook: i64,
        /// The URL of its receiver, without credentials.
        receiver: String,
    },
    /// The test mail of `guildhall mail test`.
    Test,
}

/// An organization as e-mails name it.
#[derive(Debug, Clone)]
pub struct Organization {
    /// Name, or the login.
    pub name: String,
    /// URL of its page.
    pub url: String,
}

/// An invitation as e-mails show it.
#[derive(Debug, Clone)]
pub struct Invitation {
    /// The organization.
    pub org: Organization,
    /// The name or login of the inviter.
    pub inviter: Option<String>,
    /// The role: `owner`, `member` or `billing manager`.
    pub role: &'static str,
    /// The names of the teams, with the role there if it is maintainer.
    pub teams: Vec<String>,
    /// The invited login; none if an e-mail address is invited.
    pub login: Option<String>,
    /// When it expires.
    pub expires_at: Time,
    /// The URL of the page, with its token.
    pub url: String,
}

/// A discussion or a comment as e-mails show it.
#[derive(Debug, Clone)]
pub struct Post {
    /// The name or login of the author.
    pub author: String,
    /// The organization.
    pub org: Organization,
    /// The name of the team.
    pub team: String,
    /// The title of the discussion.
    pub title: String,
    /// Whether only the team and owners see it.
    pub private: bool,
    /// Whether it is a comment.
    pub comment: bool,
    /// Whether the text mentions the recipient.
    pub mentioned: bool,
    /// The number of e-mails about posts of the team in the last hour, if the recipient gets no more than that.
    pub last: Option<i64>,
    /// The text as it was written, in Markdown.
    pub body: String,
    /// The text as safe HTML.
    pub html: String,
    /// URL of its page.
    pub url: String,
}
