//! Applications of OAuth 2: registering them, and what they send.

use std::collections::BTreeMap;
use std::sync::Arc;

use guildhall::access::token::{self, New};
use guildhall::db::Lock;
use guildhall::error::Result;
use guildhall::journal;
use guildhall::links::Links;
use guildhall::oauth::{self, Owner, Switched, Wanted};
use guildhall::operation::{Caller, Cx, Moment};
use guildhall::people::user;
use guildhall::scope::Scopes;
use percent_encoding::percent_decode_str;

use super::World;
use super::browser::{Browser, encoded};
use super::client::{Answer, Client};
use super::json;

/// The redirect URI of most applications.
pub const CALLBACK: &str = "https://app.example/callback";

/// An application with its secret; a public one has none.
#[derive(Debug, Clone)]
pub struct Application {
    pub id: String,
    pub secret: String,
}

/// Does something as the operator.
pub fn operate<R: Send + 'static>(
    world: &World,
    mut work: impl FnMut(&mut Cx<'_, '_>) -> Result<R> + Send + 'static,
) -> Result<R> {
    let (service, now) = (Arc::clone(&world.edge.service), world.now());
    world.block_on(world.db.write(move |tx| {
        journal::lock(tx, &[Lock::Journal(journal::SITE)])?;
        let (caller, links) = (Caller::default(), Links::default());
        let moment = Moment::new(now, std::net::Ipv4Addr::LOCALHOST.into(), "cli");
        work(&mut Cx::new(tx, &caller, moment, &links, &service.site))
    }))
}

/// The wishes of the operator for an application with the usual redirect URI.
pub fn wanted(name: &str, switched: Switched) -> Wanted {
    Wanted { name: Some(name.to_owned()), redirect_uris: vec![CALLBACK.to_owned()], switched, ..Wanted::default() }
}

/// Registers an application.
pub fn register(world: &World, wanted: Wanted) -> Application {
    let made = operate(world, move |cx| oauth::create(cx, Owner::Site, None, &wanted)).expect("an application");
    Application { id: made.client_id, secret: made.secret.unwrap_or_default() }
}

/// A client with a token of the application for a person, who was not asked.
pub fn granted(world: &World, app: &Application, login: &str, scopes: &str) -> Client {
    let (login, id, scopes) = (login.to_owned(), app.id.clone(), Scopes::grantable(scopes));
    let made = operate(world, move |cx| {
        let application: i64 = cx.tx.one("SELECT id FROM applications WHERE client_id = $1", &[&id])?;
        let new = New {
            user: user::by_login(cx.tx, &login)?.id,
            kind: "oauth",
            made_by: None,
            scopes,
            note: None,
            expires_at: None,
            effective_teams: false,
            application: Some(application),
        };
        let now = cx.now()?;
        token::create(cx.tx, &new, None, "gho_", now)
    });
    Client::new(&world.base, Some(&made.expect("a token").1))
}

/// Stores the answer of the owners of `acme` about an application.
pub fn answers(world: &World, app: &Application, state: &'static str) {
    let id = app.id.clone();
    operate(world, move |cx| {
        cx.tx.run(
            "INSERT INTO application_approvals (org_id, application_id, state, changed_at)
             SELECT o.id, a.id, $2, 0 FROM orgs o CROSS JOIN applications a WHERE o.login = 'acme' AND a.client_id = $1
             ON CONFLICT (org_id, application_id) DO UPDATE SET state = $2",
            &[&id, &state],
        )
    })
    .expect("an answer");
}

impl Application {
    /// The usual one.
    pub fn of(world: &World) -> Self {
        register(world, wanted("Rota Planner", Switched::default()))
    }

    /// The path of its request, with these parameters besides the usual ones.
    pub fn asks(&self, more: &[(&str, &str)]) -> String {
        let usual = [("client_id", self.id.as_str()), ("redirect_uri", CALLBACK), ("state", "a b&c=d")];
        let kept = usual.iter().filter(|(name, _)| more.iter().all(|(other, _)| other != name));
        let pairs: Vec<(&str, &str)> = kept.chain(more).copied().filter(|(_, value)| !value.is_empty()).collect();
        format!("/login/oauth/authorize?{}", encoded(&pairs))
    }

    /// Has the person in a browser allow what it asks for. Returns the code.
    pub fn allowed(&self, browser: &mut Browser, more: &[(&str, &str)]) -> String {
        browser.visit(&self.asks(more));
        if browser.page.status == 200 {
            browser.send(&[("answer", "allow"), ("teams", "effective")]);
        }
        answered(&browser.page).remove("code").unwrap_or_else(|| panic!("no code: {:?}", browser.page))
    }

    /// Exchanges a code in GitHub's form, with JSON in the response.
    pub fn exchanges(&self, world: &World, code: &str, more: &[(&str, &str)]) -> Answer {
        let own = [("client_id", self.id.as_str()), ("client_secret", self.secret.as_str()), ("code", code)];
        let fields: Vec<(&str, &str)> = own.iter().chain(more).copied().collect();
        let client = world.anonymous().with("Accept", "application/json");
        client.send("POST", "/login/oauth/access_token", Some(encoded(&fields)))
    }

    /// A token for the person in a browser.
    pub fn token(&self, world: &World, browser: &mut Browser, scope: &str) -> String {
        let code = self.allowed(browser, &[("scope", scope)]);
        let answer = self.exchanges(world, &code, &[]);
        answer.json["access_token"].as_str().unwrap_or_else(|| panic!("no token: {}", answer.text)).to_owned()
    }

    /// Sends a request about a token.
    pub fn on_token(&self, world: &World, verb: &str, what: &str, token: &str) -> Answer {
        let client = world.anonymous().with("Authorization", &self.basic()).with("Content-Type", "application/json");
        let body = json!({ "access_token": token }).to_string();
        client.send(verb, &format!("/applications/{}/{what}", self.id), Some(body))
    }

    /// The value of an `Authorization` header with its secret.
    pub fn basic(&self) -> String {
        use base64::Engine;
        let text = format!("{}:{}", self.id, self.secret);
        format!("Basic {}", base64::engine::general_purpose::STANDARD.encode(text))
    }
}

/// The parameters of a redirect to an application.
#[track_caller]
pub fn answered(page: &Answer) -> BTreeMap<String, String> {
    let location = page.header("location").unwrap_or_else(|| panic!("no redirect: {} {}", page.status, page.text));
    let query = location.strip_prefix(CALLBACK).and_then(|rest| rest.strip_prefix('?')).expect("the application's own");
    let decoded = |text: &str| percent_decode_str(text).decode_utf8().expect("text").into_owned();
    let pairs = query.split('&').map(|pair| pair.split_once('=').expect("a pair"));
    pairs.map(|(name, value)| (decoded(name), decoded(value))).collect()
}
