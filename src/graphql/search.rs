//! Searches, as `GET /search/repositories` carries them out. A result has no place but its rank, so a cursor is a rank,
//! and a page may repeat or miss results that others change in the meantime.

use std::ops::Range;
use std::rc::Rc;

use super::mutation::refused;
use super::page::{Item, Series, Window};
use super::person;
use super::running::{Resolved, Running};
use super::value::{Args, Connection, Out, Thing};
use crate::error::Result;
use crate::memory::Sequence;
use crate::people::login::Owner;
use crate::search::accounts;
use crate::search::query::{self, REACHABLE, parsed};
use crate::search::repositories::Matches;

/// This many results, of which each has its rank as its position.
struct Ranks(usize);

impl Ranks {
    /// As many results as have pages.
    fn of(total: usize) -> Self {
        Self(total.min(usize::try_from(REACHABLE).unwrap_or(usize::MAX)))
    }
}

impl Sequence for Ranks {
    type Position = i64;

    fn total(&self) -> usize {
        self.0
    }

    fn before(&self, position: &i64, inclusive: bool) -> usize {
        usize::try_from(*position).map_or(0, |rank| rank.saturating_add(usize::from(inclusive))).min(self.0)
    }

    fn part(&self, range: Range<usize>) -> Vec<i64> {
        range.filter_map(|rank| i64::try_from(rank).ok()).collect()
    }
}

/// The results of a search.
pub fn search(run: &Running, args: Args) -> Resolved<Out<'static>> {
    let text = args.text("query").unwrap_or_default();
    let connection = match args.text("type") {
        Some("REPOSITORY") => repositories(run, text, args)?,
        _ => accounts(run, text, args)?,
    };
    Ok(Out::One(Thing::Connection(Rc::new(connection))))
}

const fn series(order: &'static str) -> Series {
    Series { kinds: ("SearchResultItemConnection", "SearchResultItemEdge"), field: "search", of: 0, order }
}

fn repositories(run: &Running, text: &str, args: Args) -> Resolved<Connection> {
    let found = run.look(|cx| Matches::of(cx, parsed(text, query::read)?)).map_err(|error| refused(error, ""))?;
    let total = usize::try_from(found.total).unwrap_or(usize::MAX);
    let cut = |window: &Window<i64>| Ok(window.cut(&Ranks::of(total)));
    let load = |page: &[i64], before: usize| -> Result<Vec<Item>> {
        let part = (i64::try_from(page.len()).unwrap_or(0), i64::try_from(before).unwrap_or(0));
        let repos: Vec<_> = run.look(|cx| found.page(cx, None, part))?.into_iter().map(Rc::new).collect();
        run.known.list_repos(&repos);
        Ok(repos.into_iter().map(|repo| (Thing::Repo(repo), None)).collect())
    };
    let connection = series("REPOSITORY").connection(args, false, cut, load)?;
    Ok(Connection { total, count: "repositoryCount", ..connection })
}

fn accounts(run: &Running, text: &str, args: Args) -> Resolved<Connection> {
    let found = run.look(|cx| accounts::search(cx, text, None)).map_err(|error| refused(error, ""))?.accounts;
    let total = found.len();
    let cut = |window: &Window<i64>| Ok(window.cut(&Ranks::of(total)));
    let load = |page: &[i64], before: usize| -> Result<Vec<Item>> {
        let shown: Vec<Owner> = found.iter().skip(before).take(page.len()).copied().collect();
        let people = shown.iter().filter_map(|one| if let Owner::User(id) = one { Some(*id) } else { None });
        run.known.list_people(&people.collect());
        let orgs = shown.iter().filter_map(|one| if let Owner::Org(id) = one { Some(*id) } else { None });
        run.known.list_orgs(&orgs.collect());
        let thing = |account: Owner| match account {
            Owner::Org(id) => Ok(Thing::Org(id)),
            Owner::User(id) => person::of(run, id),
        };
        shown.into_iter().map(|account| Ok((thing(account)?, None))).collect()
    };
    let connection = series("USER").connection(args, false, cut, load)?;
    Ok(Connection { total, count: "userCount", ..connection })
}
