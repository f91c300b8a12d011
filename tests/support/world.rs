//! A running server with the organization `acme` and the people of the tests.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, LazyLock, Mutex};
use std::time::Duration;

use guildhall::access::bootstrap;
use guildhall::access::token::{self, New};
use guildhall::clock::{Clock, ManualClock, Time};
use guildhall::config::{self, Creators};
use guildhall::db::{Address, Db};
use guildhall::deliver::{self, steps::Steps};
use guildhall::doctor::Bounds;
use guildhall::http::assemble::{Parts, edge};
use guildhall::http::connection_limit::{ConnectionLimit, Limits};
use guildhall::http::edge::Edge;
use guildhall::http::server::Server;
use guildhall::instruments::{Checks, Instruments, in_force};
use guildhall::journal::{Author, cursors};
use guildhall::limits::creation::CreationLimit;
use guildhall::limits::requests::Limiter;
use guildhall::limits::resources::Limiters;
use guildhall::mail::trial::Trial;
use guildhall::memory::Organizations;
use guildhall::operation::{Mails, Site};
use guildhall::people::user;
use guildhall::scope::Scopes;
use serde_json::json;
use tempfile::TempDir;

use super::client::Client;
use super::database::{Database, Image};
use super::fault_injector::FaultInjector;
use super::provider;
pub use super::settings::Settings;
use super::waiting::HANG;
use super::worker::{self, Delivering};

pub const ADMIN_TOKEN: &str = "the-token-of-sam-the-site-administrator";

/// The scopes of a token of a person in the tests, unless the test says otherwise.
const SCOPES: [&str; 5] = ["admin:org", "repo", "user", "write:discussion", "admin:org_hook"];

/// A running server. Its clock stands still until a test advances it.
pub struct World {
    pub base: String,
    pub db: Db,
    /// The injector that makes its statements fail.
    pub faults: FaultInjector,
    pub edge: Arc<Edge>,
    /// The folder in which e-mails are files.
    pub mail: TempDir,
    /// The steps of its worker.
    steps: Steps,
    pub clock: Arc<ManualClock>,
    tokens: Mutex<HashMap<String, String>>,
    stop: Option<tokio::sync::oneshot::Sender<()>>,
    runtime: Option<tokio::runtime::Runtime>,
    address: Address,
    /// Dropped with this, unless another node has it.
    database: Option<Database>,
}

/// The content of a world at one moment, to begin others with.
pub struct Template {
    image: Image,
    tokens: HashMap<String, String>,
}

/// The instruments of a server with the default settings, apart from the mail server.
fn instruments(folder: &Path, smtp: Option<config::Smtp>, checks: Bounds) -> Instruments {
    let settings = config::Given::default().settings().expect("the defaults");
    let (mail, origin) = (config::Mail { smtp, ..config::Mail::default() }, "http://127.0.0.1".to_owned());
    Instruments {
        checks: Checks::new(folder.to_owned(), checks),
        mail: Trial { settings: mail, folder: folder.to_owned(), origin },
        limits: in_force(&settings),
    }
}

impl World {
    /// `acme` with the team `core` (closed; Max maintains it, Tom is in it), and the other users.
    pub fn new() -> Self {
        Self::with(Settings::default())
    }

    /// The same with other settings.
    pub fn with(settings: Settings) -> Self {
        static USUAL: LazyLock<Template> = LazyLock::new(|| World::usual().into_template());
        Self::from_template(&USUAL, settings)
    }

    /// Makes everything by requests. One is enough for a program: others begin with what it left.
    fn usual() -> Self {
        let world = Self::empty(Settings::default());
        for login in ["olivia", "max", "tom", "eve", "ray", "nina"] {
            world.register(login);
        }
        world.organization("acme", "olivia", &["max", "tom", "eve", "ray"]);
        let olivia = world.olivia();
        olivia.post("/orgs/acme/teams", json!({ "name": "Core", "privacy": "closed" })).expect(201);
        olivia.put("/orgs/acme/teams/core/memberships/max", json!({ "role": "maintainer" })).expect(200);
        olivia.put("/orgs/acme/teams/core/memberships/tom", json!({})).expect(200);
        olivia.delete("/orgs/acme/teams/core/memberships/olivia").expect(204);
        world
    }

    /// A server with no user but Sam.
    pub fn empty(settings: Settings) -> Self {
        let world = Self::with_database(Database::migrated(), settings);
        let now = world.now();
        let author = Author::program(&[7; 32], now, "seed");
        let seed = world.db.write(move |tx| bootstrap::ensure(tx, Some(ADMIN_TOKEN), &author, "ghp_").map(|_| ()));
        world.block_on(seed).expect("a site administrator");
        world
    }

    /// Another world that begins with the same data and the same tokens.
    pub fn like(template: &Template) -> Self {
        Self::from_template(template, Settings::default())
    }

    /// The same with other settings.
    pub fn from_template(template: &Template, settings: Settings) -> Self {
        let world = Self::with_database(template.image.database(), settings);
        world.tokens.lock().expect("tokens").extend(template.tokens.clone());
        world
    }

    /// Ends the server and keeps its data to begin others with.
    pub fn into_template(mut self) -> Template {
        let tokens = self.tokens.lock().expect("tokens").clone();
        let database = self.database.take().expect("a database");
        drop(self);
        Template { image: database.into_image(), tokens }
    }

    /// A second server on the same data, which has nothing else in common with this one.
    pub fn second_server(&self) -> Self {
        self.second_server_with(Settings::default())
    }

    pub fn second_server_with(&self, settings: Settings) -> Self {
        let other = Self::on(&self.address, settings);
        other.tokens.lock().expect("tokens").extend(self.tokens.lock().expect("tokens").clone());
        other
    }

    fn with_database(database: Database, settings: Settings) -> Self {
        let mut world = Self::on(&database.address, settings);
        world.database = Some(database);
        world
    }

    pub fn on(address: &Address, settings: Settings) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
        let runtime = runtime.expect("a runtime");
        let hands = Arc::new(ManualClock::new(Time(1_767_225_600_000_000), true));
        let clock = Clock::Manual(Arc::clone(&hands));
        let faults = FaultInjector::default();
        let opened = Db::open_observed(address, settings.store, faults.observer());
        let db = runtime.block_on(opened).expect("a database");
        let (per_minute, per_hour) = settings.creation_limit;
        let site = Site {
            compat: settings.compat,
            invitation_seconds: settings.invitation_seconds,
            token_prefix: "ghp_".into(),
            audit_key: [7; 32],
            etag_key: [7; 192],
            seal_key: [8; 32],
            mail_key: [9; 32],
            signin_by_mail: settings.signin_by_mail,
            signup_domains: settings.signup_domains,
            mails: if settings.smtp.is_some() { Mails::AreSent } else { Mails::AreFiles },
            applications_need_approval: true,
            everyone_creates_organizations: settings.creators == Creators::Everyone,
            provider: settings.provider.clone(),
            insecure_ssl: settings.insecure_ssl,
            retry_seconds: 3 * 86_400,
            organizations: Organizations::default(),
            creation_limit: CreationLimit { per_minute, per_hour },
            guesses: Limiter::of_persons(20),
            limiters: settings.limits.map(|(person, anonymous)| Limiters::new(person, anonymous, 10_000)),
        };
        let trusted_proxies: Vec<_> =
            settings.trusted_proxies.iter().map(|net| net.parse().expect("a network")).collect();
        let connections = match settings.connections {
            Some((connections, share)) => Limits { connections, share, exempt: trusted_proxies.clone() },
            None => Limits::of_process(None, &trusted_proxies),
        };
        let (public_url, memory) = (settings.public_url.map(str::to_owned), settings.memory);
        let provider = settings.provider.map(|known| provider::client(&known));
        let mail = tempfile::tempdir().expect("a directory");
        let instruments = instruments(mail.path(), settings.smtp.clone(), settings.checks);
        let parts = Parts { site, clock, trusted_proxies, public_url, provider, instruments, metrics: None, memory };
        let edge = edge(db.clone(), parts).expect("a server");
        let server = Server::bind("127.0.0.1:0".parse().expect("an address"), None);
        let mut server = runtime.block_on(server).expect("a socket");
        server.timeouts = settings.timeouts;
        let base = format!("http://{}", server.address().expect("an address"));
        let (stop, stopped) = tokio::sync::oneshot::channel();
        runtime.spawn(
            server.run(Arc::clone(&edge), ConnectionLimit::new(connections, None), async move { drop(stopped.await) }),
        );
        let steps = Steps::default();
        if settings.delivers {
            let (stop, stopped) = tokio::sync::watch::channel(false);
            // Connections to a mail server belong to the runtime in which they are made.
            let _within = runtime.enter();
            let Settings { smtp, mail_timeouts: timeouts, poll, .. } = settings;
            let parts = worker::parts(&edge, &base, mail.path(), Delivering { smtp, timeouts, poll });
            let parts = deliver::worker::Parts { steps: steps.clone(), ..parts };
            runtime.block_on(db.write(cursors::follow_all)).expect("followed journals");
            runtime.spawn(async move {
                let _stop = stop;
                deliver::worker::run(parts, stopped).await;
            });
        }
        let tokens = Mutex::new(HashMap::from([("sam".to_owned(), ADMIN_TOKEN.to_owned())]));
        let (address, database, stop, runtime) = (address.clone(), None, Some(stop), Some(runtime));
        Self { base, db, faults, edge, mail, steps, clock: hands, tokens, stop, runtime, address, database }
    }

    /// The address of its database.
    pub fn address(&self) -> &Address {
        &self.address
    }

    /// The time of its clock.
    pub fn now(&self) -> Time {
        self.clock.now()
    }

    /// Lets time pass.
    pub fn advance(&self, seconds: i64) {
        self.clock.set(|now| Some(now.plus_seconds(seconds)));
    }

    /// Waits until its worker has read everything that was committed, and has begun everything that is due.
    pub fn settle(&self) {
        self.edge.service.changed.notify_one();
        let settled = async { tokio::time::timeout(HANG, self.steps.settle()).await };
        self.block_on(settled).expect("a worker that works");
    }

    /// Makes an account.
    pub fn register(&self, login: &str) {
        let account = json!({ "login": login, "email": format!("{login}@example.com") });
        self.sam().post("/admin/users", account).expect(201);
    }

    /// Makes an organization with an owner and members.
    pub fn organization(&self, org: &str, owner: &str, members: &[&str]) {
        self.sam().post("/admin/organizations", json!({ "login": org, "admin": owner })).expect(201);
        for member in members {
            self.join(org, owner, member);
        }
    }

    /// Invites a registered person and lets them accept.
    pub fn join(&self, org: &str, owner: &str, member: &str) {
        let invited = self.client(owner).put(&format!("/orgs/{org}/memberships/{member}"), json!({}));
        assert_eq!(invited.expect(200)["state"], "pending");
        let accepted =
            self.client(member).patch(&format!("/user/memberships/orgs/{org}"), json!({ "state": "active" }));
        assert_eq!(accepted.expect(200)["state"], "active");
    }

    /// A client of this user, with the usual token.
    pub fn client(&self, login: &str) -> Client {
        let known = self.tokens.lock().expect("tokens").get(login).cloned();
        let token = known.unwrap_or_else(|| {
            let token = self.token(login, &SCOPES);
            self.tokens.lock().expect("tokens").insert(login.to_owned(), token.clone());
            token
        });
        Client::new(&self.base, Some(&token))
    }

    /// A client of this user, with another token that has only these scopes.
    pub fn limited(&self, login: &str, scopes: &[&str]) -> Client {
        Client::new(&self.base, Some(&self.token(login, scopes)))
    }

    /// Makes a personal token, as `guildhall token create` does.
    pub fn token(&self, login: &str, scopes: &[&str]) -> String {
        let (login, scopes, now) = (login.to_owned(), scopes.join(","), self.now());
        let made = self.db.write(move |tx| {
            let user = user::by_login(tx, &login)?.id;
            let scopes = Scopes::parse(&scopes).expect("known scopes");
            let new = New {
                user,
                kind: "personal",
                made_by: None,
                scopes,
                note: None,
                expires_at: None,
                effective_teams: false,
                application: None,
            };
            token::create(tx, &new, None, "ghp_", now)
        });
        self.block_on(made).expect("a token").1
    }

    /// Runs something on the server's runtime.
    pub fn block_on<R>(&self, work: impl Future<Output = R>) -> R {
        self.runtime.as_ref().expect("a runtime").block_on(work)
    }
}

impl Drop for World {
    fn drop(&mut self) {
        _ = self.stop.take().map(|stop| stop.send(()));
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_timeout(Duration::from_secs(5));
        }
    }
}
