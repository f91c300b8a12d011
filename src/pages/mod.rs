//! Pages for people. A page is a client of operations: it calls them in process and shows their records, and has no
//! policy, no SQL and no rule of its own. It works without JavaScript, and loads nothing from other hosts.

mod access;
mod acting;
mod answer;
mod assets;
mod authorize;
mod board;
mod chosen;
mod cookies;
mod device;
mod email;
mod form;
mod guest;
mod home;
mod inbox;
mod invitation;
mod layout;
mod leave;
mod new_organization;
mod organization;
mod person;
mod places;
mod problem;
mod protection;
mod provider;
mod refusal;
mod return_to;
mod scope_words;
mod search;
mod settings;
mod setup;
mod sign_in;
mod sign_in_link;
mod sign_out;
mod team;
mod unsubscribe;
mod visit;
mod when;

pub use answer::{ICON_PATH, is_page};
pub use assets::{ICON, STYLE, asset};
pub use form::Form;
pub use guest::Guest;
pub use layout::Shown;
pub use refusal::Refusal;
pub use visit::Visit;
