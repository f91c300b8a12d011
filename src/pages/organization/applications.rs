//! The applications that an organization lets in, for its owners (decision 81).

use askama::Template;
use serde_json::Value;

use super::Organization;
use crate::error::{Error, Result};
use crate::links::segment;
use crate::oauth::Known;
use crate::pages::form::Form;
use crate::pages::guest::{Guest, Listed, body};
use crate::pages::layout::{Frame, Shown};

/// The number of applications on a page.
const MOST: u64 = 30;

/// The sentences after a form, by the word in the query.
const DONE: [(&str, &str); 3] =
    [("let-in", "The application has access now."), ("refused", "Access refused."), ("saved", "Saved.")];

/// Answers a visit to the page of an organization.
pub(super) async fn answer(guest: &Guest<'_>, org: &str) -> Result<Shown> {
    let all: Vec<Known> = guest.call("applications.list", &[("org", org)], body([])).await?;
    let page = format!("/ui/orgs/{org}/applications");
    let Some(form) = &guest.visit.form else {
        let query = Form::read_encoded(&guest.visit.query).unwrap_or_default();
        let refused = all.iter().find(|of| of.client_id == query.get("refuse"));
        return match refused {
            Some(of) => Shown::of(200, &Refusing { frame: guest.frame()?, code: guest.code(&page)?, org, of }),
            None => show(guest, org, &all, guest.code(&page)?, query.get("done")).await,
        };
    };
    if let Some(refusal) = guest.refuse(&page)? {
        return Ok(refusal);
    }
    let at = [("org", org), ("client_id", form.get("application"))];
    let done = match form.get("do") {
        "let-in" => guest.call::<Value>("applications.approve", &at, body([])).await.map(|_| "let-in")?,
        "refuse" => guest.call::<Value>("applications.refuse", &at, body([])).await.map(|_| "refused")?,
        "switch" => {
            let fields = body([("applications_need_approval", (form.get("need") == "on").into())]);
            guest.call::<Value>("orgs.update", &[("org", org)], fields).await.map(|_| "saved")?
        }
        _ => return Err(Error::NotFound),
    };
    Ok(Shown::see(guest.visit.links.html_path(&format!("/orgs/{}/applications?done={done}", segment(org)))))
}

async fn show(guest: &Guest<'_>, org: &str, all: &[Known], code: String, done: &str) -> Result<Shown> {
    let of = Organization::find(guest, org).await?;
    let need_approval = of.applications_need_approval == Some(true);
    let done = DONE.iter().find(|(word, _)| *word == done).map_or("", |(_, text)| text);
    let is_asked = |of: &&Known| of.state.as_deref() == Some("asked") && !of.is_let_in;
    let (asked, others): (Vec<&Known>, Vec<&Known>) = all.iter().partition(is_asked);
    let (let_in, refused): (Vec<_>, Vec<_>) = others.into_iter().partition(|of| of.is_let_in);
    let (waiting, is_any_let_in) = (asked.len(), !let_in.is_empty());
    let list = Listed::part([asked, let_in, refused].concat(), guest.page(MOST));
    let (frame, page) = (guest.frame()?, list.items.iter().copied());
    let asked = page.clone().filter(is_asked).collect();
    let let_in = page.clone().filter(|of| of.is_let_in).collect();
    let refused = page.filter(|of| !of.is_let_in && !is_asked(of)).collect();
    let shown = Applications {
        frame,
        code,
        of,
        org,
        done,
        need_approval,
        list,
        waiting,
        is_any_let_in,
        asked,
        let_in,
        refused,
    };
    Shown::of(200, &shown)
}

#[derive(Template)]
#[template(path = "applications/list.html")]
struct Applications<'a> {
    frame: Frame,
    code: String,
    of: Organization,
    org: &'a str,
    /// A sentence about what was just done; empty if nothing was.
    done: &'a str,
    /// True if applications need the approval of an owner.
    need_approval: bool,
    /// The applications of this page.
    list: Listed<&'a Known>,
    /// The number of those about which the owners were asked, on all pages.
    waiting: usize,
    /// True if one is let in, on any page.
    is_any_let_in: bool,
    /// Those about which the owners were asked.
    asked: Vec<&'a Known>,
    let_in: Vec<&'a Known>,
    refused: Vec<&'a Known>,
}

impl Applications<'_> {
    /// The reason why an application is let in.
    #[expect(clippy::unused_self, reason = "templates call methods")]
    fn why(&self, of: &Known) -> &'static str {
        match of {
            Known { state: Some(state), .. } if state == "approved" => "An owner let it in",
            Known { is_own: true, .. } => "It belongs to this organization",
            Known { is_trusted: true, .. } => "A site administrator trusts it",
            _ => "This organization asks for no approval",
        }
    }
}

/// The page that asks before an application is refused.
#[derive(Template)]
#[template(path = "applications/refuse.html")]
struct Refusing<'a> {
    frame: Frame,
    code: String,
    org: &'a str,
    of: &'a Known,
}
