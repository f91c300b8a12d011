//! The file in a request: the organization of the path in it.

use crate::error::{Error, Result};
use crate::import::check;
use crate::import::desired::Org;
use crate::import::fault::{Faults, shown};
use crate::import::read::{self, Source};
use crate::people::login;

/// The largest number of values that the text of a file may have, as far as that can be told before it is read. It bounds
/// the memory that reading takes; files that people keep have far fewer.
const MOST_VALUES: usize = 1_000_000;

/// Reads the organization with this login from a file. Other organizations in it are ignored, and one without a name is the
/// one of the path. An error names file, line and key.
pub fn read(source: &Source, login: &str) -> Result<Org> {
    let values = source.text.bytes().filter(|byte| matches!(byte, b'\n' | b',' | b':' | b'[' | b'{')).count();
    if values > MOST_VALUES {
        let text = "The file has too many values to be read over HTTP. Run the command on the server.";
        return Err(Error::sentence(text));
    }
    let faults = Faults::default();
    let orgs = read::parse_for(source, login, &faults);
    check::files(&orgs, &faults);
    if !faults.is_empty() {
        return Err(Error::from(faults));
    }
    let is_named = |org: &Org| login::key(&org.login) == login::key(login);
    match orgs.iter().position(is_named) {
        Some(at) => orgs.into_iter().nth(at).ok_or(Error::NotFound),
        None => Err(absent(&orgs, login)),
    }
}

fn absent(orgs: &[Org], login: &str) -> Error {
    let Some(org) = orgs.first() else { return Error::sentence("The file describes no organization.") };
    let message = format!("this is organization {}, and the request is for {}", shown(&org.login), shown(login));
    org.fault(org.line, &org.key, message).into()
}
