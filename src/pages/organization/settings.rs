//! The settings of an organization, for its owners: what it is called, and what its members may do.

use askama::Template;
use serde_json::{Map, Value, json};

use super::Organization;
use crate::error::{Error, Result};
use crate::links::segment;
use crate::pages::described;
use crate::pages::form::Form;
use crate::pages::guest::{Guest, body};
use crate::pages::layout::{Frame, Shown};
use crate::pages::problem::Problem;
use crate::posts::text;

/// The sentences after the form, by the word in the query.
const DONE: [(&str, &str); 1] = [("saved", "Saved.")];

/// A parameter of the operation, with what the page says about it.
pub(super) struct Setting {
    /// The parameter, and the field of the form.
    pub parameter: &'static str,
    pub label: &'static str,
    /// The meaning; empty if the label says it.
    pub hint: &'static str,
}

impl Setting {
    /// True if only owners themselves change it, not a site administrator who acts for one (decision 61).
    fn is_of_owners(&self) -> bool {
        self.parameter == "applications_need_approval"
    }
}

#[rustfmt::skip]
const TEXTS: [Setting; 6] = [
    Setting { parameter: "name", label: "Name", hint: "Shown instead of the login, which stays as it is in addresses." },
    Setting { parameter: "description", label: "What it is for", hint: "" },
    Setting { parameter: "blog", label: "Website", hint: "" },
    Setting { parameter: "location", label: "Location", hint: "" },
    Setting { parameter: "email", label: "Public e-mail address", hint: "Everyone who is signed in sees it." },
    Setting { parameter: "billing_email", label: "Billing e-mail address", hint: "Only owners see it." },
];

#[rustfmt::skip]
const SWITCHES: [Setting; 9] = [
    Setting {
        parameter: "members_can_create_teams", label: "Members create teams",
        hint: "The member who creates a team becomes its maintainer. Off: only owners create teams.",
    },
    Setting {
        parameter: "members_can_leave_teams", label: "Members leave teams",
        hint: "Off: only owners and maintainers take people off a team.",
    },
    Setting {
        parameter: "members_can_create_private_repositories", label: "Members create private repositories",
        hint: "The member who creates one administers it. Off: only owners create them.",
    },
    Setting {
        parameter: "members_can_create_public_repositories", label: "Members create public repositories",
        hint: "Everyone can read a public repository, also people outside. Off: only owners create them.",
    },
    Setting {
        parameter: "members_can_fork_private_repositories", label: "Members fork private repositories",
        hint: "A fork is a copy that belongs to the member. Off: private repositories cannot be forked.",
    },
    Setting {
        parameter: "has_organization_projects", label: "The organization has projects",
        hint: "Off: no one sees its projects. They come back when you switch this on again.",
    },
    Setting {
        parameter: "has_repository_projects", label: "Repositories have projects",
        hint: "Tools that ask whether a repository has projects get this answer.",
    },
    Setting {
        parameter: "applications_need_approval", label: "Applications need an owner’s approval",
        hint: "On: an application that a member allows does nothing here until an owner lets it in. Off: every application that a member allows acts here at once.",
    },
    Setting {
        parameter: "audit_shows_addresses", label: "The audit log shows IP addresses",
        hint: "Owners then see from which address each change was made. Tell your members before you switch this on.",
    },
];

/// The permissions of members on every repository, each with its name and what it means.
const PERMISSIONS: [(&str, &str, &str); 4] = [
    ("none", "Nothing", "Members reach only what teams, or people, give them, and what is public."),
    ("read", "Read", "Every member reads every repository."),
    ("write", "Write", "Every member can change every repository."),
    ("admin", "Admin", "Every member administers every repository, and decides who else gets access."),
];

/// The values of the form.
struct Typed {
    /// In the order of `TEXTS`.
    texts: Vec<String>,
    /// In the order of `SWITCHES`.
    switches: Vec<bool>,
    permission: String,
    /// True if the description is too long for the form.
    is_long: bool,
    /// The version of the settings that the form showed.
    version: String,
}

impl Typed {
    fn now(settings: &Map<String, Value>) -> Self {
        let text = |of: &Setting| settings.get(of.parameter).and_then(Value::as_str).unwrap_or_default().to_owned();
        let mut texts: Vec<String> = TEXTS.iter().map(text).collect();
        let is_on = |of: &Setting| settings.get(of.parameter).and_then(Value::as_bool) == Some(true);
        let switches: Vec<bool> = SWITCHES.iter().map(is_on).collect();
        let permission = settings.get("default_repository_permission").and_then(Value::as_str).unwrap_or_default();
        let version = text::version(&json!([texts, switches, permission]).to_string());
        let is_long = texts.iter().any(|text| described::is_long(text));
        for text in &mut texts {
            *text = described::shown(text).to_owned();
        }
        Self { texts, switches, permission: permission.to_owned(), is_long, version }
    }

    /// The values of a form. One that a marked session does not show stays as it is now.
    fn read(form: &Form, now: &Self, is_marked: bool) -> Self {
        let is_on =
            |of: &Setting, was: bool| if is_marked && of.is_of_owners() { was } else { form.get(of.parameter) == "on" };
        Self {
            texts: TEXTS.iter().map(|of| form.get(of.parameter).trim().replace("\r\n", "\n")).collect(),
            switches: SWITCHES.iter().zip(&now.switches).map(|(of, was)| is_on(of, *was)).collect(),
            permission: form.get("permission").to_owned(),
            is_long: false,
            version: form.get("version").to_owned(),
        }
    }

    /// The problem of a form that did not arrive whole, does not choose, or showed other settings than there are now. It
    /// is about the settings as they are now from then on.
    fn refuse(&mut self, form: &Form, now: Self) -> Option<Problem> {
        self.is_long = now.is_long;
        if form.get("end") != "yes" {
            *self = now;
            return Some(Problem::at("", "The form did not arrive whole. Nothing has changed."));
        }
        if !PERMISSIONS.iter().any(|(word, ..)| *word == self.permission) {
            self.permission = now.permission;
            return Some(Problem::at("permission", "Choose what members reach."));
        }
        if self.version == now.version {
            return None;
        }
        let differs = |all: &[Setting], n: usize| all[n].label;
        let texts = (0..TEXTS.len()).filter(|n| self.texts[*n] != now.texts[*n]).map(|n| differs(&TEXTS, n));
        let switches =
            (0..SWITCHES.len()).filter(|n| self.switches[*n] != now.switches[*n]).map(|n| differs(&SWITCHES, n));
        let mut differs: Vec<&str> = texts.chain(switches).collect();
        if self.permission != now.permission {
            differs.push("What members reach");
        }
        self.version = now.version;
        let differs = (!differs.is_empty()).then(|| differs.join(", ").to_lowercase())?;
        let text = format!("The settings were changed after you opened this page. Saving yours replaces: {differs}.");
        Some(Problem::at("", text))
    }

    /// The ID of the hint about the description; empty if there is none.
    fn hint(&self) -> &'static str {
        described::hint(self.is_long)
    }

    fn fields(&self) -> Map<String, Value> {
        let mut fields = body([("default_repository_permission", self.permission.as_str().into())]);
        let stays = |of: &Setting, text: &str| self.is_long && of.parameter == "description" && text.is_empty();
        let texts = TEXTS.iter().zip(&self.texts).filter(|(of, text)| !stays(of, text));
        let texts = texts.map(|(of, text)| (of.parameter, Value::from(text.as_str())));
        let switches = SWITCHES.iter().zip(&self.switches).map(|(of, is_on)| (of.parameter, Value::from(*is_on)));
        fields.extend(texts.chain(switches).map(|(name, value)| (name.to_owned(), value)));
        fields
    }
}

/// Answers a visit to the page.
pub(super) async fn answer(guest: &Guest<'_>, org: &str) -> Result<Shown> {
    let at = [("org", org)];
    if !guest.may("orgs.update", &at).await? {
        return Err(Error::NotFound);
    }
    let of = Organization::find(guest, org).await?;
    let now: Map<String, Value> = guest.call("orgs.get", &at, body([])).await?;
    let Some(form) = &guest.visit.form else { return show(guest, of, Problem::default(), Typed::now(&now)) };
    if let Some(refusal) = guest.refuse(&guest.visit.path)? {
        return Ok(refusal);
    }
    let (now, is_marked) = (Typed::now(&now), guest.is_marked());
    let mut typed = Typed::read(form, &now, is_marked);
    if let Some(problem) = typed.refuse(form, now) {
        return show(guest, of, problem, typed);
    }
    match guest.call::<Value>("orgs.update", &at, typed.fields()).await {
        Ok(_) => Ok(guest.see(&format!("/orgs/{}/settings", segment(org)), "saved")),
        Err(Error::Forbidden(text)) => show(guest, of, Problem::forbidden("", &text), typed),
        Err(error) => {
            let fields = TEXTS.each_ref().map(|of| (of.parameter, of.parameter));
            let problem = Problem::of(error)?.on(&fields);
            show(guest, of, problem, typed)
        }
    }
}

fn show(guest: &Guest<'_>, of: Organization, problem: Problem, typed: Typed) -> Result<Shown> {
    let (frame, done) = (guest.frame()?, guest.done(&DONE));
    Shown::of(problem.status(), &Settings { frame, of, done, problem, typed })
}

/// A group of switches: its ID, its title, and the switches with true for those that are on.
type Group = (&'static str, &'static str, Vec<(&'static Setting, bool)>);

#[derive(Template)]
#[template(path = "organization/settings.html")]
struct Settings {
    frame: Frame,
    of: Organization,
    /// A sentence about what was just done; empty if nothing was.
    done: &'static str,
    problem: Problem,
    typed: Typed,
}

impl Settings {
    fn texts(&self) -> impl Iterator<Item = (&'static Setting, &str)> {
        TEXTS.iter().zip(&self.typed.texts).map(|(of, text)| (of, text.as_str()))
    }

    /// The switches in two groups.
    fn groups(&self) -> [Group; 2] {
        let is_marked = self.frame.impersonator.is_some();
        let all = SWITCHES.iter().zip(&self.typed.switches).map(|(of, is_on)| (of, *is_on));
        let all = all.filter(|(of, _)| !is_marked || !of.is_of_owners());
        let (may, more) = all.partition(|(of, _)| of.parameter.starts_with("members_"));
        [("may", "What members may do", may), ("more", "Projects, applications and the audit log", more)]
    }
}
