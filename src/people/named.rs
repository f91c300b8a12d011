//! People as subjects of site administration: by login, below two paths.
//!
//! The login of an organization is not found here (404).

use std::ops::Deref;

use super::user::{self, User};
use super::{login, me};
use crate::db::{Lock, Tx};
use crate::error::{Error, Result};
use crate::journal::SITE;
use crate::operation::{Caller, Cx, Path, Subject};
use crate::policy::{Fact, Standing};
use crate::site::signed_in;

/// A person below `/users`.
#[derive(Debug, Clone)]
pub struct Person(User);

/// A person below `/admin/users`.
#[derive(Debug, Clone)]
pub struct Administered(User);

macro_rules! named {
    ($subject:ident, $form:literal) => {
        impl Deref for $subject {
            type Target = User;
            fn deref(&self) -> &User {
                &self.0
            }
        }

        impl Subject for $subject {
            const FORMS: &'static [&'static str] = &[concat!($form, "/{username}")];

            fn find(cx: &mut Cx, path: &Path) -> Result<(Self, Standing)> {
                let user = user::by_login(cx.tx, path.get("username").unwrap_or_default())?;
                let standing = signed_in(cx).with(Fact::AnotherUser, user.id != cx.my_id());
                Ok((Self(user), standing))
            }

            fn locks(tx: &mut Tx, _: &Caller, path: &Path) -> Result<Vec<Lock>> {
                site_and_person(tx, path.get("username").unwrap_or_default())
            }

            fn canonical(&self) -> String {
                [$form, "/", &self.0.login].concat()
            }
        }
    };
}
named!(Person, "/users");
named!(Administered, "/admin/users");

/// The site, the person, and every organization that they are in or invited to.
fn site_and_person(tx: &mut Tx, login: &str) -> Result<Vec<Lock>> {
    let Some(login::Owner::User(id)) = login::find(tx, login)? else { return Err(Error::NotFound) };
    let mut locks = me::user_and_orgs(tx, id)?;
    locks.push(Lock::Journal(SITE));
    Ok(locks)
}
