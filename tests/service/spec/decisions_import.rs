//! Import beside a running server (decision 50), seen through the interface.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::thread;

use guildhall::clock::Time;
use guildhall::db::Db;
use guildhall::error::Result;
use guildhall::export::{self, yaml};
use guildhall::import::progress::Progress;
use guildhall::import::{self, Choices, Report, Unlisted};
use guildhall::limits::creation::CreationLimit;
use guildhall::limits::requests::Limiter;
use guildhall::memory::Organizations;
use guildhall::operation::{Compat, Mails, Site};
use guildhall::plan;

use crate::spec::given;
use crate::support::database::Database;
use crate::support::{World, json};

const CHOICES: Choices = Choices { unlisted: Unlisted::Invite, mail: false, owners: false };

const BETA: &str = "
orgs:
  beta:
    name: Beta
    admins: [olivia, una]
    members: [tom, ulla]
    repos: {site: {}}
    teams:
      Parent:
        maintainers: [tom]
        members: [una]
        previously: [Ancestor]
        repos: {site: write}
        teams:
          Child:
            members: [ulla]
      Alone:
        description: on its own
        members: [ulla]
";

/// Imports files of this content while the server runs.
pub fn import(world: &World, contents: &[&str]) -> Result<Report> {
    import_into(world, &world.db, contents, |_| {})
}

/// The same with a store of its own, and with what watches the steps.
fn import_into(
    world: &World,
    db: &Db,
    contents: &[&str],
    progress: impl Fn(Progress<'_>) + Send + Sync + 'static,
) -> Result<Report> {
    let directory = tempfile::tempdir().expect("a directory");
    let files: Vec<PathBuf> = (0..contents.len()).map(|n| directory.path().join(format!("{n}.yaml"))).collect();
    for (file, content) in files.iter().zip(contents) {
        std::fs::write(file, content).expect("to write");
    }
    let site = Arc::new(Site {
        compat: Compat::default(),
        invitation_seconds: 7 * 86_400,
        token_prefix: "ghp_".into(),
        audit_key: [7; 32],
        etag_key: [7; 192],
        seal_key: [8; 32],
        mail_key: [9; 32],
        signin_by_mail: true,
        signup_domains: Some(Vec::new()),
        mails: Mails::AreFiles,
        everyone_creates_organizations: false,
        applications_need_approval: true,
        provider: None,
        insecure_ssl: false,
        retry_seconds: 3 * 86_400,
        organizations: Organizations::default(),
        limiters: None,
        creation_limit: CreationLimit { per_minute: 80, per_hour: 500 },
        guesses: Limiter::of_persons(20),
    });
    let orgs = import::read_files(&files, None, |_| {}).complete()?;
    world.block_on(plan::import::run(db, &site, Time(1_767_225_600_000_000), orgs, CHOICES, progress))
}

/// The file of an organization, as it is now.
fn export(world: &World, login: &'static str) -> String {
    let exported = world.block_on(world.db.read(move |tx| export::export(tx, login, Time(1_767_225_600_000_000))));
    let exported = exported.expect("an export");
    assert_eq!(exported.left_out, Vec::<String>::new());
    yaml::text(&exported.org)
}

fn imported() -> World {
    let world = World::new();
    import(&world, &[BETA]).expect("a report");
    world
}

#[test]
fn decision_50_what_is_imported_is_served_at_once() {
    let world = imported();
    assert_eq!(given::each(&world.olivia(), "/orgs/beta/teams", "name"), ["Alone", "Child", "Parent"]);
    let parent = world.tom().get("/orgs/beta/teams/parent").expect(200).clone();
    assert_eq!((&parent["members_count"], &parent["repos_count"]), (&json!(2), &json!(1)));
    assert_eq!(given::each(&world.tom(), "/orgs/beta/teams/parent/members", "login"), ["tom", "una", "ulla"]);
    assert_eq!(world.tom().get("/orgs/beta/teams/parent/memberships/tom").expect(200)["role"], "maintainer");
}

#[test]
fn decision_50_an_import_under_way_holds_up_other_organizations_on_sqlite_only() {
    let world = World::new();
    let db = world.block_on(Db::open(world.address())).expect("the store");
    let is_released = AtomicBool::new(false);
    thread::scope(|scope| {
        let ((reached, counting), (release, released)) = (mpsc::channel(), mpsc::channel::<()>());
        let released = Mutex::new(released);
        let hold = move |step: Progress<'_>| {
            if matches!(step, Progress::Importing { part: "counts", .. }) {
                // The transaction stays open until the other end is dropped.
                drop((reached.send(()), released.lock().map(|released| released.recv())));
            }
        };
        let importing = scope.spawn(|| import_into(&world, &db, &[BETA], hold));
        counting.recv().expect("the last part of the import");
        let writing = scope.spawn(|| {
            world.olivia().post("/orgs/acme/teams", json!({ "name": "Other" })).expect(201);
            is_released.load(Ordering::SeqCst)
        });
        let end = || {
            is_released.store(true, Ordering::SeqCst);
            drop(release);
        };
        if Database::is_postgres() {
            assert!(!writing.join().expect("a response"), "the write has waited for the import");
            end();
        } else {
            end();
            assert!(writing.join().expect("a response"), "the write has not waited for the import");
        }
        importing.join().expect("no panic").expect("a report");
    });
    assert_eq!(given::each(&world.olivia(), "/orgs/beta/teams", "name"), ["Alone", "Child", "Parent"]);
}

#[test]
fn decision_50_without_stated_privacy_a_team_with_parent_or_children_is_closed() {
    let world = imported();
    for (slug, privacy) in [("parent", "closed"), ("child", "closed"), ("alone", "secret")] {
        assert_eq!(world.olivia().get(&format!("/orgs/beta/teams/{slug}")).expect(200)["privacy"], privacy, "{slug}");
    }
    world.tom().get("/orgs/beta/teams/alone").refused(404, "Not Found");
}

#[test]
fn decision_50_nothing_changes_until_every_file_has_been_read_and_checked() {
    let world = World::new();
    let written = given::written(&world);
    for bad in ["orgs: [", "orgs:\n  gamma:\n    teams: {A: {privacy: open}}", "orgs:\n  gamma:\n    admins: [a b]"] {
        assert!(import(&world, &[BETA, bad]).is_err(), "{bad}");
    }
    world.olivia().get("/orgs/beta").refused(404, "Not Found");
    world.olivia().get("/users/una").refused(404, "Not Found");
    assert_eq!(given::written(&world), written);
}

#[test]
fn decision_29_a_hiring_manager_whom_an_import_brings_is_shown() {
    let world = World::new();
    import(&world, &["orgs: {acme: {guildhall: {invitations: [{login: nina, role: hiring_manager}]}}}"])
        .expect("a report");
    assert_eq!(given::each(&world.olivia(), "/orgs/acme/invitations", "role"), ["hiring_manager"]);
    assert_eq!(world.nina().get("/user/memberships/orgs/acme").expect(200)["role"], "billing_manager");
    world.olivia().put("/orgs/acme/teams/core/memberships/nina", json!({})).expect(422);
}

#[test]
fn decision_50_importing_again_changes_nothing() {
    let world = imported();
    let (before, written) = (world.olivia().get("/orgs/beta/teams").json, given::written(&world));
    let report = import(&world, &[BETA]).expect("a report");
    assert!(!report.orgs[0].has_changes(), "{report}");
    assert_eq!(world.olivia().get("/orgs/beta/teams").json, before);
    assert_eq!(given::written(&world), written);
}

#[test]
fn decision_50_what_the_file_lacks_stays_and_is_named_in_the_report() {
    let world = imported();
    world.olivia().post("/orgs/beta/teams", json!({ "name": "Extra", "privacy": "closed" })).expect(201);
    world.olivia().put("/orgs/beta/teams/child/memberships/tom", json!({})).expect(200);
    let report = import(&world, &[BETA]).expect("a report");
    assert!(report.orgs[0].beyond.iter().any(|line| line.contains("Extra")), "{report}");
    world.tom().get("/orgs/beta/teams/extra").expect(200);
    world.tom().get("/orgs/beta/teams/child/members/tom").expect(204);
}

#[test]
fn decision_50_a_former_name_leads_to_the_team() {
    let world = imported();
    let url = world.tom().get("/orgs/beta/teams/parent").json["url"].as_str().map(str::to_owned);
    assert_eq!(world.tom().get("/orgs/beta/teams/ancestor").header("location"), url.as_deref());
}

#[test]
fn decision_50_a_team_that_exists_keeps_its_slug_against_a_former_name() {
    let world = imported();
    let file = BETA.replace("[Ancestor]", "[Ancestor, Alone]");
    let report = import(&world, &[&file]).expect("a report");
    assert!(report.to_string().contains("alone") || report.to_string().contains("Alone"), "{report}");
    assert_eq!(world.olivia().get("/orgs/beta/teams/alone").expect(200)["name"], "Alone");
}

#[test]
fn decision_50_an_export_of_what_requests_made_imports_the_same() {
    let world = World::new();
    let olivia = world.olivia();
    let profile = json!({ "name": " Acme ", "blog": "", "description": "yes: \"no\"\n", "email": "a@b.example" });
    olivia.patch("/orgs/acme", profile).expect(200);
    world.max().put("/orgs/acme/public_members/max", json!({})).expect(204);
    let team = |body| olivia.post("/orgs/acme/teams", body).expect(201)["id"].as_i64().expect("an id");
    let core = olivia.get("/orgs/acme/teams/core").expect(200)["id"].as_i64().expect("an id");
    let below = team(json!({ "name": "- Docs: #1 ", "parent_team_id": core, "permission": "push" }));
    olivia.patch("/orgs/acme/teams/core", json!({ "name": "Kernel", "description": "" })).expect(200);
    olivia
        .post("/orgs/acme/repos", json!({ "name": "Web", "private": true, "homepage": " x ", "has_wiki": false }))
        .expect(201);
    olivia.patch("/repos/acme/web", json!({ "name": "site", "is_template": true })).expect(200);
    olivia.put("/orgs/acme/teams/kernel/repos/acme/site", json!({ "permission": "triage" })).expect(204);
    let project =
        world.tom().post("/orgs/acme/projects", json!({ "name": "Plan", "body": "" })).expect(201)["id"].clone();
    olivia.patch(&format!("/projects/{project}"), json!({ "organization_permission": "none" })).expect(200);
    olivia.put(&format!("/orgs/acme/teams/kernel/projects/{project}"), json!({ "permission": "write" })).expect(204);
    olivia.put("/orgs/acme/teams/kernel/memberships/nina", json!({ "role": "maintainer" })).expect(200);
    let by_mail = json!({ "email": "Una@example.org", "role": "admin", "team_ids": [below] });
    olivia.post("/orgs/acme/invitations", by_mail).expect(201);

    let text = export(&world, "acme");
    let written = given::written(&world);
    let report = import(&world, &[&text]).expect("a report");
    assert!(!report.orgs[0].has_changes() && report.orgs[0].skipped.is_empty(), "{report}");
    assert_eq!(given::written(&world), written);

    let other = World::empty(crate::support::world::Settings::default());
    import(&other, &[&text]).expect("a report");
    assert_eq!(export(&other, "acme"), text);
    for path in ["/orgs/acme/teams", "/orgs/acme/invitations", "/orgs/acme/members", "/orgs/acme/repos"] {
        for key in ["name", "login", "slug", "description", "email", "role", "permission", "private"] {
            let of = |world: &World| {
                let mut values = world.olivia().get(path).each(key);
                values.sort_by_key(ToString::to_string);
                values
            };
            assert_eq!(of(&world), of(&other), "{key} in {path}");
        }
    }
    other.max().get("/orgs/acme/teams/core").expect(302);
}
