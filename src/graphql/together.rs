//! Facts about objects, read for those on the same page together, so that a list takes few statements.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use crate::error::Result;

/// The most objects of a page that are looked up at once. A query that takes too long is stopped in between.
const MOST: usize = 30;

/// Something about each object of one type, by the ID of the object.
pub struct Together<V> {
    known: RefCell<HashMap<i64, Rc<V>>>,
    /// The pages on which objects were listed.
    pages: RefCell<Vec<Rc<[i64]>>>,
}

impl<V> Default for Together<V> {
    fn default() -> Self {
        Self { known: RefCell::default(), pages: RefCell::default() }
    }
}

impl<V> Together<V> {
    /// Notes that these objects are on one page.
    pub fn list(&self, page: &Rc<[i64]>) {
        let mut pages = self.pages.borrow_mut();
        if pages.last().is_none_or(|last| !Rc::ptr_eq(last, page)) {
            pages.push(Rc::clone(page));
        }
    }

    /// The fact about an object. If it is not known, `load` looks it up, and those of the next objects of its page as
    /// well; None if it finds none.
    pub fn get(&self, id: i64, load: impl FnOnce(&[i64]) -> Result<Vec<(i64, V)>>) -> Result<Option<Rc<V>>> {
        if let Some(known) = self.known.borrow().get(&id) {
            return Ok(Some(Rc::clone(known)));
        }
        let page = self.pages.borrow().iter().rev().find(|page| page.contains(&id)).cloned();
        let page = page.as_deref().unwrap_or_default();
        let after = page.iter().skip_while(|other| **other != id).skip(1).copied();
        let next: Vec<i64> = [id].into_iter().chain(after.filter(|id| !self.knows(*id)).take(MOST - 1)).collect();
        self.load(&next, load)?;
        Ok(self.known.borrow().get(&id).cloned())
    }

    /// The facts about these objects, after looking up those that are not known.
    pub fn all(&self, ids: &[i64], load: impl FnOnce(&[i64]) -> Result<Vec<(i64, V)>>) -> Result<Vec<Rc<V>>> {
        let missing: Vec<i64> = ids.iter().filter(|id| !self.knows(**id)).copied().collect();
        if !missing.is_empty() {
            self.load(&missing, load)?;
        }
        let known = self.known.borrow();
        Ok(ids.iter().filter_map(|id| known.get(id).cloned()).collect())
    }

    fn knows(&self, id: i64) -> bool {
        self.known.borrow().contains_key(&id)
    }

    fn load(&self, ids: &[i64], load: impl FnOnce(&[i64]) -> Result<Vec<(i64, V)>>) -> Result<()> {
        let found = load(ids)?;
        self.known.borrow_mut().extend(found.into_iter().map(|(id, value)| (id, Rc::new(value))));
        Ok(())
    }
}
