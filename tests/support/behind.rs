//! The database of a world, behind the server's back.

use guildhall::db::{FromRow, Tx};

use super::World;

impl World {
    /// Changes the database.
    pub fn execute(&self, sql: &'static str) -> u64 {
        let change = move |tx: &mut Tx<'_>| {
            // No entry says that it was changed.
            tx.forget_found();
            tx.run(sql, &[])
        };
        self.block_on(self.db.write(change)).expect("a change")
    }

    /// Reads the database.
    pub fn rows<T: FromRow + Send + 'static>(&self, sql: &'static str) -> Vec<T> {
        self.block_on(self.db.read(move |tx| tx.all(sql, &[]))).expect("rows")
    }
}
