//! The functions that build a row of the table. They implement everything in a request up to the function of the row.

use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::{
    Call, Cx, DependsOn, Done, Method, Needs, Operation, PER_PAGE, Path, Refuses, Rendered, Reply, Run, Shape, Stage,
    Subject, unseen,
};
use crate::db::MadeOf;
use crate::error::{Error, Result};
use crate::limits::resources::Resource;
use crate::policy::{Granted, Requirement, Rule};
use crate::scope::Accepted as Scopes;

/// Builds a row. The function's signature determines its subject.
pub fn operation<S: Subject, P: DeserializeOwned + JsonSchema + 'static, R: Reply + 'static>(
    method: Method,
    name: &'static str,
    below: &'static str,
    scopes: Scopes,
    who_may: impl Into<Requirement>,
    call: fn(&mut Cx, Granted<S>, P) -> Result<R>,
) -> Operation {
    let run = move |row: &Operation, cx: &mut Cx, input: &Call, stage: Stage| {
        let find = |cx: &mut Cx| {
            let (subject, standing) = S::find(cx, &input.path)?;
            if stage == Stage::Authorize || row.depends_on == DependsOn::Organization {
                makes_of(cx, || subject.made_of(stage));
            }
            let orgs = orgs(cx, || subject.organizations());
            let granted = match row.who_may.check(subject, standing) {
                Err(_) if row.is_hidden_from(cx.caller.is_known()) => Err(Error::NotFound),
                Err(_) if !cx.caller.is_known() => Err(Error::Unauthenticated),
                checked => checked,
            };
            Ok((orgs, granted))
        };
        let serve = |cx: &mut Cx, granted: Granted<S>| {
            if let Some(refusal) = row.manual_change
                && granted.is_synced(cx)?
            {
                return Err(refusal());
            }
            if stage == Stage::Authorize {
                return Ok(None);
            }
            let canonical = shows_canonical(row, input).then(|| granted.canonical());
            let lenient = row.partial && cx.site.compat.partial_team_update;
            let params = row.params.read(input, lenient)?;
            let mut rendered = call(cx, granted, params)?.render()?;
            rendered.canonical = canonical.map(|base| base + &input.path.fill(below));
            Ok(Some(rendered))
        };
        if_let_in(row, cx, find, serve)
    };
    let row = row::<S>(method, name, below, scopes, who_may.into(), Box::new(run));
    Operation { params: Shape::of::<P>(method, &row.forms), reply: R::document(), ..row }
}

/// Notes the data that a response depends on. For an application it is everything, because trust may end.
fn makes_of(cx: &mut Cx, of: impl FnOnce() -> MadeOf) {
    if cx.caller.application().is_none() {
        cx.tx.makes_of(of());
    }
}

/// The organizations of a subject, as far as they matter to the caller.
fn orgs(cx: &Cx, of: impl FnOnce() -> Vec<i64>) -> Vec<i64> {
    if cx.caller.application().is_some() { of() } else { Vec::new() }
}

/// Finds what an operation is about, with its organizations, and serves it. If one of these does not let the caller's
/// application in, a read of what is public shows what an outsider sees. What the person could do otherwise is refused by
/// name, and everything else as for an outsider (decision 81).
fn if_let_in<T>(
    row: &Operation,
    cx: &mut Cx,
    find: impl Fn(&mut Cx) -> Result<(Vec<i64>, Result<T>)>,
    serve: impl FnOnce(&mut Cx, T) -> Result<Option<Rendered>>,
) -> Result<Option<Rendered>> {
    let (orgs, found) = unseen::look_up(cx, &find)?;
    let Some(refusal) = cx.refusal_of(&orgs)? else { return serve(cx, found?) };
    cx.as_outsider(|cx| match (unseen::look_up(cx, &find).and_then(|(_, seen)| seen), found) {
        (Ok(seen), _) if row.method == Method::Get => serve(cx, seen),
        (_, Ok(_)) => Err(refusal),
        (Err(error), Err(_)) | (Ok(_), Err(error)) => Err(error),
    })
}

/// True if the response shows the path of the subject in identifier form.
fn shows_canonical(row: &Operation, input: &Call) -> bool {
    row.reply.list || input.legacy
}

/// A subject that the caller sees, without the rest of their standing. It is cheaper to look up than the full subject,
/// and its rows have no other rule.
pub trait Seen: Sized + 'static {
    /// The same subject with the caller's standing.
    type Subject: Subject;

    /// The rule, as documents word it.
    const RULE: Rule;

    /// Looks it up; 404 if the caller does not see it.
    fn find(cx: &mut Cx, path: &Path) -> Result<Self>;

    /// The path of the subject in identifier form.
    fn canonical(&self) -> String;

    /// The data that the response of an operation is made of, if it depends on an organization.
    fn made_of(&self) -> MadeOf {
        MadeOf::Anything
    }

    /// The organizations that it belongs to.
    fn organizations(&self) -> Vec<i64>;
}

/// A GET for every caller who sees the subject.
pub fn seen<S: Seen, P: DeserializeOwned + JsonSchema + 'static, R: Reply + 'static>(
    name: &'static str,
    below: &'static str,
    scopes: Scopes,
    call: fn(&mut Cx, S, P) -> Result<R>,
) -> Operation {
    let run = move |row: &Operation, cx: &mut Cx, input: &Call, stage: Stage| {
        let find = |cx: &mut Cx| {
            let subject = S::find(cx, &input.path)?;
            if row.depends_on == DependsOn::Organization {
                makes_of(cx, || subject.made_of());
            }
            Ok((orgs(cx, || subject.organizations()), Ok(subject)))
        };
        let serve = |cx: &mut Cx, subject: S| {
            if stage == Stage::Authorize {
                return Ok(None);
            }
            let canonical = shows_canonical(row, input).then(|| subject.canonical());
            let params = row.params.read(input, false)?;
            let mut rendered = call(cx, subject, params)?.render()?;
            rendered.canonical = canonical.map(|base| base + &input.path.fill(below));
            Ok(Some(rendered))
        };
        if_let_in(row, cx, find, serve)
    };
    let row = row::<S::Subject>(Method::Get, name, below, scopes, S::RULE.into(), Box::new(run));
    Operation { params: Shape::of::<P>(Method::Get, &row.forms), reply: R::document(), ..row }
}

/// No parameters.
#[derive(Deserialize, JsonSchema)]
struct Nothing {}

/// A GET of what clients look for and the service does not have (decision 82). Its response is always the same.
pub fn lacking<S: Subject, R: Reply + Default + 'static>(
    name: &'static str,
    below: &'static str,
    scopes: Scopes,
    who_may: impl Into<Requirement>,
    description: &'static str,
) -> Operation {
    let mut row = get(name, below, scopes, who_may, |_: &mut Cx, _: Granted<S>, _: Nothing| Ok(R::default()));
    description.clone_into(&mut row.params.description);
    row.absent = true;
    row
}

/// A function that parses a request and serializes the response itself.
pub type RawOperation<S> = fn(&mut Cx, Granted<S>, &Call) -> Result<Rendered>;

/// A row of another standard, which has a wire format of its own. Everything up to the policy is as for any row.
pub fn raw<S: Subject>(
    method: Method,
    name: &'static str,
    below: &'static str,
    scopes: Scopes,
    who_may: Requirement,
    call: RawOperation<S>,
) -> Operation {
    let run = move |row: &Operation, cx: &mut Cx, input: &Call, stage: Stage| {
        let find = |cx: &mut Cx| {
            let (subject, standing) = S::find(cx, &input.path)?;
            if !cx.caller.is_known() {
                return Err(Error::Unauthenticated);
            }
            Ok((orgs(cx, || subject.organizations()), row.who_may.check(subject, standing)))
        };
        let serve = |cx: &mut Cx, granted: Granted<S>| {
            if stage == Stage::Authorize { Ok(None) } else { call(cx, granted, input).map(Some) }
        };
        if_let_in(row, cx, find, serve)
    };
    Operation { personal: true, ..row::<S>(method, name, below, scopes, who_may, Box::new(run)) }
}

/// A row for a subject, without parameters, that responds with nothing.
fn row<S: Subject>(
    method: Method,
    name: &'static str,
    below: &'static str,
    scopes: Scopes,
    who_may: Requirement,
    run: Box<Run>,
) -> Operation {
    let forms: Vec<String> = S::FORMS.iter().map(|form| format!("{form}{below}")).collect();
    Operation {
        name,
        method,
        params: Shape::of::<()>(method, &forms),
        forms,
        legacy_forms: S::LEGACY_FORMS,
        scopes,
        who_may,
        personal: S::PERSONAL,
        reply: <Done>::document(),
        partial: false,
        absent: false,
        reads_file: false,
        alone: None,
        per_page: PER_PAGE,
        resource: Resource::Core,
        free: false,
        recent: false,
        needs: Needs::Credentials,
        authorized_by: S::NAMED_BY,
        depends_on: DependsOn::Data,
        manual_change: None,
        refuses: Refuses::Openly,
        prepare: None,
        prepare_on_pool: None,
        may_differ: false,
        locks: S::locks,
        ask_ahead: S::ask_ahead,
        run,
    }
}

macro_rules! verbs {
    ($($verb:ident $method:ident),+) => {$(
        /// A row with this verb.
        pub fn $verb<S: Subject, P: DeserializeOwned + JsonSchema + 'static, R: Reply + 'static>(
            name: &'static str, below: &'static str, scopes: Scopes, who_may: impl Into<Requirement>,
            call: fn(&mut Cx, Granted<S>, P) -> Result<R>,
        ) -> Operation {
            operation(Method::$method, name, below, scopes, who_may, call)
        }
    )+};
}
verbs!(get Get, put Put, post Post, patch Patch, delete Delete);
