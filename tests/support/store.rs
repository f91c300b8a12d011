//! A store without a server, for commands: imports files and is looked at through the store's own door.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use guildhall::clock::Time;
use guildhall::db::{Address, Db, FromRow, Tx};
use guildhall::doctor;
use guildhall::error::{Error, Result};
use guildhall::export::{self, yaml};
use guildhall::import::{self, Choices, Report, Unlisted};
use guildhall::limits::creation::CreationLimit;
use guildhall::limits::requests::Limiter;
use guildhall::memory::Organizations;
use guildhall::operation::{Compat, Mails, Site};
use guildhall::people::email_keys;
use guildhall::plan::apply::{Applying, Guards, Outcome};
use guildhall::plan::{self, Change, Flags, Plan};

use super::database::{self, Database};
use super::fault_injector::FaultInjector;

const CHOICES: Choices = Choices { unlisted: Unlisted::Invite, mail: false, owners: true };

pub const KEY: [u8; 32] = [7; 32];
const NOW: i64 = 1_800_000_000_000_000;
const WEEK: i64 = 7 * 24 * 3_600;

/// An empty store; its clock stands still until a test advances it.
pub struct Store {
    pub db: Db,
    /// The injector that makes its statements fail.
    pub faults: FaultInjector,
    now: Time,
    site: Arc<Site>,
    runtime: tokio::runtime::Runtime,
    database: Database,
}

impl Store {
    pub fn new() -> Self {
        let database = Database::migrated();
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        let faults = FaultInjector::default();
        let db = runtime
            .block_on(Db::open_observed(&database.address, database::options(), faults.observer()))
            .expect("a database");
        let site = Arc::new(Site {
            compat: Compat::default(),
            invitation_seconds: WEEK,
            token_prefix: "ghp_".to_owned(),
            audit_key: KEY,
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
        Self { db, faults, now: Time(NOW), site, runtime, database }
    }

    pub fn advance(&mut self, seconds: i64) {
        self.now = self.now.plus_seconds(seconds);
    }

    pub fn import(&self, files: &[PathBuf]) -> Result<Report> {
        let orgs = import::read_files(files, None, |_| {}).complete()?;
        self.runtime.block_on(plan::import::run(&self.db, &self.site, self.now, orgs, CHOICES, |_| {}))
    }

    /// The plans of files.
    pub fn plan(&self, files: &[PathBuf], flags: Flags) -> Result<Vec<Plan>> {
        self.plan_of(files, None, flags)
    }

    /// The same for files that name no organization.
    pub fn plan_of(&self, files: &[PathBuf], org: Option<&str>, flags: Flags) -> Result<Vec<Plan>> {
        let orgs = Arc::new(import::read_files(files, org, |_| {}).complete()?);
        let planned = |nth: usize| {
            let (orgs, now) = (Arc::clone(&orgs), self.now);
            self.runtime.block_on(self.db.read(move |tx| plan::of(tx, &orgs[nth], flags, now)))
        };
        (0..orgs.len()).map(planned).collect()
    }

    /// Applies the changes that are planned for the organization of a file.
    pub fn apply(&self, file: &Path, flags: Flags, guards: Guards) -> Result<Outcome> {
        let plan = self.plan(&[file.to_owned()], flags)?.remove(0);
        self.apply_planned(file, flags, guards, &plan.changes)
    }

    /// The same with changes that were planned before.
    pub fn apply_planned(&self, file: &Path, flags: Flags, guards: Guards, planned: &[Change]) -> Result<Outcome> {
        self.apply_beside(file, flags, guards, planned, || {})
    }

    /// The same, and calls a function before the transaction is committed.
    pub fn apply_beside(
        &self,
        file: &Path,
        flags: Flags,
        guards: Guards,
        planned: &[Change],
        beside: impl Fn() + Send + 'static,
    ) -> Result<Outcome> {
        self.apply_as(file, Applying { flags, guards, mails: false }, planned, beside)
    }

    /// The same with all choices.
    pub fn apply_as(
        &self,
        file: &Path,
        applying: Applying,
        planned: &[Change],
        beside: impl Fn() + Send + 'static,
    ) -> Result<Outcome> {
        let org = import::read_files(&[file.to_owned()], None, |_| {}).complete()?.remove(0);
        let (site, now, planned) = (Arc::clone(&self.site), self.now, planned.to_vec());
        self.runtime.block_on(self.db.write(move |tx| {
            let outcome = plan::apply::apply(tx, (&site, now), &org, applying, &planned)?;
            beside();
            Ok(outcome)
        }))
    }

    /// The file of an organization, and what it leaves out.
    pub fn export(&self, login: &str) -> Result<(String, Vec<String>)> {
        let (login, now) = (login.to_owned(), self.now);
        let exported = self.runtime.block_on(self.db.read(move |tx| export::export(tx, &login, now)))?;
        Ok((yaml::text(&exported.org), exported.left_out))
    }

    /// A file with this content, in the store's own directory.
    pub fn file(&self, name: &str, content: &str) -> PathBuf {
        let path = self.database.directory().join(name);
        std::fs::write(&path, content).expect("to write");
        path
    }

    /// Imports one organization, `acme`, from these lines below its login.
    pub fn acme(&self, lines: &str) -> Report {
        self.try_acme(lines).unwrap_or_else(|error| panic!("{error}"))
    }

    pub fn try_acme(&self, lines: &str) -> Result<Report> {
        let content = format!("orgs:\n  acme:\n    {}\n", lines.replace('\n', "\n    "));
        self.import(&[self.file("org.yaml", &content)])
    }

    /// The rows of a statement.
    pub fn rows<T: FromRow + Send + 'static>(&self, sql: &'static str) -> Vec<T> {
        self.runtime.block_on(self.db.read(move |tx| tx.all(sql, &[]))).expect("rows")
    }

    /// The texts of a statement's first column.
    pub fn texts(&self, sql: &'static str) -> Vec<String> {
        self.rows::<(String,)>(sql).into_iter().map(|(text,)| text).collect()
    }

    /// Changes the store past every rule.
    pub fn tamper(&self, sql: &'static str) {
        let changed = self.runtime.block_on(self.db.write(move |tx: &mut Tx<'_>| {
            tx.forget_found();
            tx.run(sql, &[])
        }));
        assert!(changed.expect("a statement") > 0, "{sql} changes nothing");
    }

    /// A team of this slug follows a group that has a person of this login, on a plan that offers it.
    pub fn follow(&self, slug: &'static str, login: &'static str) {
        let followed = self.runtime.block_on(self.db.write(move |tx: &mut Tx<'_>| {
            tx.forget_found();
            tx.run("UPDATE orgs SET plan = 'enterprise'", &[])?;
            let group = "INSERT INTO scim_groups (org_id, display_name, display_key, created_at, updated_at)
                         SELECT org_id, slug, slug, 0, 0 FROM teams WHERE slug = $1 RETURNING id";
            let (group,): (i64,) = tx.run_one(group, &[&slug])?;
            let record =
                "INSERT INTO scim_users (org_id, user_name, user_key, attributes, user_id, created_at, updated_at)
                          SELECT o.id, u.login, u.login, '{}', u.id, 0, 0 FROM orgs o CROSS JOIN users u
                          WHERE u.login = $1 RETURNING id";
            let (record,): (i64,) = tx.run_one(record, &[&login])?;
            tx.run("INSERT INTO scim_group_members (group_id, member_id) VALUES ($1, $2)", &[&group, &record])?;
            let link = "INSERT INTO team_groups (team_id, group_id, linked_at)
                        SELECT id, CAST($2 AS BIGINT), 0 FROM teams WHERE slug = $1";
            tx.run(link, &[&slug, &group])
        }));
        assert_eq!(followed.expect("a link"), 1);
    }

    /// The findings of doctor.
    pub fn findings(&self) -> Vec<String> {
        let found = self.runtime.block_on(doctor::run(&self.db, &KEY)).expect("doctor can look").findings;
        found.into_iter().map(|finding| finding.to_string()).collect()
    }

    /// The notes of doctor, which are no findings.
    pub fn notes(&self) -> Vec<String> {
        self.runtime.block_on(doctor::run(&self.db, &KEY)).expect("doctor can look").notes
    }

    /// Renews the keys of e-mail addresses, as the first start of a release does.
    pub fn renew_email_keys(&self) {
        self.runtime.block_on(self.db.write(email_keys::renew)).expect("new keys");
    }

    pub fn mend(&self) -> Vec<String> {
        self.runtime.block_on(doctor::mend(&self.db, KEY, self.now)).expect("doctor can mend")
    }

    /// Everything that a second import must leave as it is.
    pub fn state(&self) -> Vec<(i64, i64, i64)> {
        self.rows(STATE)
    }

    /// The address of the store.
    pub fn address(&self) -> &Address {
        &self.database.address
    }

    /// The path of the store's directory.
    pub fn directory(&self) -> &Path {
        self.database.directory()
    }
}

/// One row for each row of every table that an import writes: a number for the table, and what would change.
const STATE: &str = "
    SELECT CAST(1 AS BIGINT), id, updated_at FROM users
    UNION ALL SELECT 2, id, updated_at FROM orgs
    UNION ALL SELECT 3, org_id, entry FROM journal_heads
    UNION ALL SELECT 4, id, public_repos FROM orgs
    UNION ALL SELECT 5, id, updated_at FROM teams
    UNION ALL SELECT 6, team_id, members FROM team_counts
    UNION ALL SELECT 7, team_id, repos FROM team_counts
    UNION ALL SELECT 8, id, updated_at FROM repos
    UNION ALL SELECT 9, id, expires_at FROM invitations
    UNION ALL SELECT 10, org_id, entry FROM journal_facts
    UNION ALL SELECT 11, org_id, entry FROM journal
    UNION ALL SELECT 12, org_id, user_id FROM org_members
    UNION ALL SELECT 13, team_id, user_id FROM team_members
    UNION ALL SELECT 14, team_id, repo_id * 10 + level FROM team_repos
    UNION ALL SELECT 15, repo_id, user_id * 10 + level FROM repo_collaborators
    UNION ALL SELECT 16, ancestor_id, descendant_id FROM team_tree
    UNION ALL SELECT 17, team_id, left_at FROM old_slugs
    UNION ALL SELECT 18, invitation_id, team_id FROM invitation_teams
    UNION ALL SELECT 20, 0, count(*) FROM logins
    UNION ALL SELECT 21, 0, count(*) FROM team_members WHERE role = 'maintainer'
    UNION ALL SELECT 23, id, updated_at FROM projects
    UNION ALL SELECT 24, project_id, user_id * 10 + level FROM project_collaborators
    UNION ALL SELECT 25, team_id, project_id * 10 + level FROM team_projects
    UNION ALL SELECT 26, repo_id, count(*) FROM old_repo_names GROUP BY repo_id
    UNION ALL SELECT 22, 0, count(*) FROM org_members WHERE role = 'admin'
    ORDER BY 1, 2, 3";

/// The message of a refusal.
pub fn refusal<T: std::fmt::Debug>(result: Result<T>) -> String {
    match result {
        Err(error @ Error::Unprocessable { .. }) => error.to_string(),
        other => panic!("expected a refusal, got {other:?}"),
    }
}
