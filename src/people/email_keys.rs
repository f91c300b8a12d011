//! The keys of e-mail addresses that earlier releases stored: they compared every letter without case, and domains as
//! they were written. This release finds an e-mail address only by the key that it would have now.

use super::email;
use crate::db::Tx;
use crate::error::Result;

/// The number of identifiers whose rows are read at once.
const STEP: i64 = 500;

/// A table that has keys: its largest identifier, the rows in a range of identifiers, and a new key for one of them,
/// unless another row has the key.
struct Table {
    largest: &'static str,
    read: &'static str,
    write: &'static str,
}

const TABLES: [Table; 3] = [
    Table {
        largest: "SELECT coalesce(max(id), 0) FROM emails",
        read: "SELECT id, email, email_key FROM emails
               WHERE id > $1 AND id <= $2 AND email_key IS NOT NULL ORDER BY id",
        write: "UPDATE emails SET email_key = $3 WHERE id = $1 AND email_key = $2
                AND NOT EXISTS (SELECT 1 FROM emails o WHERE o.email_key = $3)",
    },
    Table {
        largest: "SELECT coalesce(max(id), 0) FROM invitations",
        read: "SELECT id, coalesce(email, email_key), email_key FROM invitations
               WHERE id > $1 AND id <= $2 AND email_key IS NOT NULL ORDER BY id",
        write: "UPDATE invitations SET email_key = $3 WHERE id = $1 AND email_key = $2
                AND NOT EXISTS (SELECT 1 FROM invitations o WHERE o.email_key = $3 AND o.org_id = invitations.org_id)",
    },
    Table {
        largest: "SELECT coalesce(max(id), 0) FROM scim_users",
        read: "SELECT member_id, email_key, email_key FROM scim_emails
               WHERE member_id > $1 AND member_id <= $2 ORDER BY member_id",
        write: "UPDATE scim_emails SET email_key = $3 WHERE member_id = $1 AND email_key = $2
                AND NOT EXISTS (SELECT 1 FROM scim_emails o WHERE o.member_id = $1 AND o.email_key = $3)",
    },
];

/// True if the keys were not renewed yet. A server that starts need not write to find out.
pub fn are_old(tx: &mut Tx) -> Result<bool> {
    Ok(!tx.any("SELECT 1 FROM site WHERE name = 'email_keys'", &[])?)
}

/// Renews the keys once in the life of a database.
pub fn renew(tx: &mut Tx) -> Result<()> {
    if tx.run("INSERT INTO site (name, value) VALUES ('email_keys', '2') ON CONFLICT (name) DO NOTHING", &[])? == 0 {
        return Ok(());
    }
    for table in &TABLES {
        let largest: i64 = tx.one(table.largest, &[])?;
        let mut after = 0;
        while after < largest {
            let rows: Vec<(i64, String, String)> = tx.all(table.read, &[&after, &(after + STEP)])?;
            for (id, address, stored) in rows {
                let key = email::key(&address);
                if key != stored {
                    tx.run(table.write, &[&id, &stored, &key])?;
                }
            }
            after += STEP;
        }
    }
    Ok(())
}
