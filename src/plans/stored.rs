//! Plans as they are stored, for a day.
//!
//! A person has at most three in an organization, and 64 MiB in all: older ones make room.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::clock::Time;
use crate::db::{Tx, row, select};
use crate::error::{Error, Result};
use crate::import::read::Source;
use crate::plan::{Flags, Plan};

/// The time for which a plan is stored, in seconds.
const SECONDS: i64 = 24 * 3_600;

/// The largest number of plans that a person has in an organization.
const MOST: i64 = 3;

/// The largest size of all plans of a person, with their files, in bytes.
const LARGEST: i64 = 64 << 20;

row! {
    struct Row from "p" {
        id: i64,
        expires_at: Time,
        flags: String,
        plan: String,
    }
}

/// A stored plan without its file.
pub struct Stored {
    /// ID.
    pub id: i64,
    /// The time until which it is stored.
    pub expires_at: Time,
    /// The flags with which it was made.
    pub flags: Flags,
    /// The plan.
    pub plan: Plan,
}

/// A new plan.
pub struct New {
    source: Source,
    flags: String,
    plan: String,
}

impl New {
    /// A plan of a file, as it is stored: without what may be secret of Terraform state.
    pub fn of(source: Source, flags: Flags, plan: &Plan) -> Result<Self> {
        Ok(Self { source: source.without_secrets(), flags: text(&flags)?, plan: text(plan)? })
    }

    fn size(&self) -> usize {
        self.source.text.len() + self.plan.len()
    }
}

/// Stores a plan of this person, and deletes those of theirs that it leaves no room for.
pub fn insert(tx: &mut Tx, (org, person): (i64, i64), new: &New, now: Time) -> Result<Stored> {
    let New { source, flags, plan } = new;
    let (expires_at, size) = (now.plus_seconds(SECONDS), i64::try_from(new.size()).unwrap_or(i64::MAX));
    let id: i64 =
        tx.run_one(INSERT, &[&org, &person, &expires_at.0, flags, &source.file, &source.text, plan, &size])?;
    tx.run(MAKE_ROOM, &[&person, &MOST, &LARGEST, &id])?;
    of_row(Row { id, expires_at, flags: flags.clone(), plan: plan.clone() })
}

const INSERT: &str = "
    INSERT INTO plans (org_id, user_id, expires_at, flags, file, source, plan, size)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
    RETURNING id";

/// The newest stays in any case.
const MAKE_ROOM: &str = "
    DELETE FROM plans WHERE id IN (
        SELECT mine.id
        FROM (
            SELECT p.id AS id,
                   row_number() OVER (PARTITION BY p.org_id ORDER BY p.id DESC) AS nth,
                   CAST(sum(p.size) OVER (ORDER BY p.id DESC) AS BIGINT) AS held
            FROM plans p
            WHERE p.user_id = $1
        ) mine
        WHERE (mine.nth > $2 OR mine.held > $3) AND mine.id <> $4)";

/// The plan of an organization with this identifier; 404 if there is none.
pub fn find(tx: &mut Tx, org: i64, id: i64, now: Time) -> Result<Stored> {
    let row: Option<Row> = tx.maybe(FIND, &[&org, &id, &now.0])?;
    of_row(row.ok_or(Error::NotFound)?)
}

const FIND: &str = select!(Row from "plans p WHERE p.org_id = $1 AND p.id = $2 AND p.expires_at > $3");

/// The file of a stored plan.
pub fn source(tx: &mut Tx, id: i64) -> Result<Source> {
    let (file, text) = tx.one("SELECT file, source FROM plans WHERE id = $1", &[&id])?;
    Ok(Source { file, text })
}

/// Deletes the plans whose time has passed.
pub fn trim(tx: &mut Tx, now: Time) -> Result<()> {
    tx.run("DELETE FROM plans WHERE expires_at <= $1", &[&now.0]).map(drop)
}

fn of_row(row: Row) -> Result<Stored> {
    let Row { id, expires_at, flags, plan } = row;
    Ok(Stored { id, expires_at, flags: value(&flags)?, plan: value(&plan)? })
}

fn text(value: &impl Serialize) -> Result<String> {
    serde_json::to_string(value).map_err(|error| Error::Bug(format!("a plan cannot be stored: {error}")))
}

fn value<T: DeserializeOwned>(text: &str) -> Result<T> {
    serde_json::from_str(text).map_err(|error| Error::Bug(format!("a stored plan: {error}")))
}
