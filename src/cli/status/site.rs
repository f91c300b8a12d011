//! The store of the server, and the settings that matter to its operator.

use serde_json::{Value, json};

use crate::cli::mail::way;
use crate::config::{Database, Settings};
use crate::db::{self, newest_schema};
use crate::deliver::stored::backlog;
use crate::error::{Error, Result};
use crate::instruments::{InForce, in_force};
use crate::mail::trial::Trial;
use crate::store::data_dir::DataDir;
use crate::store::{Missing, Store};

/// Adds what the settings and the store say. A store that cannot be opened is named with the reason.
pub(super) async fn add(shown: &mut Value, settings: &Settings) {
    let limits = in_force(settings);
    let limit = |of: &InForce| json!({ "name": of.name, "value": of.value, "unit": of.unit });
    shown["public_url"] = settings.public_url.clone().into();
    shown["mail"] = way(&Trial::new(settings)).into();
    shown["limits"] = limits.iter().map(limit).collect();
    let (engine, at) = match &settings.database {
        Database::Sqlite(path) => ("sqlite", path.display().to_string()),
        Database::Postgres(url) => ("postgres", db::host_and_name(url)),
    };
    shown["store"] = json!({ "engine": engine, "at": at, "error": null });
    shown["last_backup"] = Value::Null;
    match stored(settings).await {
        Ok((bytes, deliveries)) => {
            shown["store"]["bytes"] = bytes.into();
            shown["store"]["schema"] = newest_schema().into();
            shown["deliveries"] = deliveries;
        }
        Err(Error::Unavailable(why)) => shown["store"]["error"] = why.into(),
        Err(error) => shown["store"]["error"] = error.to_string().into(),
    }
    if let Some((at, file)) = DataDir::at(&settings.data_dir).last_backup() {
        shown["last_backup"] = json!({ "at": at, "file": file });
    }
}

/// The size of the store in bytes, and what waits to be delivered.
async fn stored(settings: &Settings) -> Result<(i64, Value)> {
    let store = Store::open(settings, Missing::Refuse).await?;
    let read = store.db.read(|tx| Ok((tx.size()?, backlog(tx)?)));
    let (bytes, backlog) = read.await?;
    let oldest = backlog.oldest.map(|time| time.to_string());
    Ok((bytes, json!({ "waiting": backlog.waiting, "oldest": oldest, "dead": backlog.dead })))
}

/// The same with texts for people.
pub(super) fn in_words(mut shown: Value) -> Value {
    if let Some(error) = shown["store"]["error"].as_str() {
        shown["store"]["at"] = error.into();
    } else if let Some(bytes) = shown["store"]["bytes"].as_u64() {
        let tenths = bytes.saturating_mul(10) >> 20;
        shown["store"]["size"] = format!("{}.{} MiB", tenths / 10, tenths % 10).into();
    }
    let backup = &shown["last_backup"];
    shown["backup"] = match (backup["at"].as_str(), backup["file"].as_str()) {
        (Some(at), Some(file)) => format!("{at}, {file}"),
        _ if shown["store"]["engine"] == "postgres" => "by pg_dump, which is not recorded here".to_owned(),
        _ => "never".to_owned(),
    }
    .into();
    for limit in shown["limits"].as_array_mut().into_iter().flatten().filter(|limit| limit["value"].is_null()) {
        *limit = json!({ "name": limit["name"], "value": "off" });
    }
    shown
}
