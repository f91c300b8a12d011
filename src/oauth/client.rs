//! The application that sends a request, and how it proves that it is the one.

use super::application::{self, Application};
use crate::db::{Lock, Tx};
use crate::error::{Error, Result};
use crate::journal::SITE;
use crate::operation::{Caller, Cx, Path, Subject};
use crate::policy::Standing;

/// An application that has proved with its secret that it sends the request. The edge puts the secret into the path.
#[derive(Debug)]
pub struct Client(pub Application);

impl Subject for Client {
    const FORMS: &'static [&'static str] = &["/applications/{client_id}/{secret}"];

    fn find(cx: &mut Cx, path: &Path) -> Result<(Self, Standing)> {
        let client_id = path.get("client_id").unwrap_or_default();
        let application = application::by_client_id(cx.tx, client_id)?.ok_or(Error::NotFound)?;
        if application.switches.public || !application.has_secret(cx.tx, path.get("secret").unwrap_or_default())? {
            return Err(Error::BadCredentials);
        }
        Ok((Self(application), Standing::default()))
    }

    fn locks(_: &mut Tx, _: &Caller, _: &Path) -> Result<Vec<Lock>> {
        Ok(vec![Lock::Journal(SITE)])
    }

    fn canonical(&self) -> String {
        String::new()
    }
}

/// The application with this client ID, if it is known and has proved with its secret that it sends the request. A public
/// one has none. `may_lack` is true where no secret need be sent; a wrong one is refused all the same.
pub(super) fn proved(
    cx: &mut Cx,
    client_id: Option<&str>,
    secret: Option<&str>,
    may_lack: bool,
) -> Result<Option<Application>> {
    let found = application::by_client_id(cx.tx, client_id.unwrap_or_default())?;
    let Some(application) = found else { return Ok(None) };
    let is_proved = match secret {
        _ if application.switches.public => true,
        None => may_lack,
        Some(secret) => application.has_secret(cx.tx, secret)?,
    };
    Ok(Some(application).filter(|_| is_proved))
}
