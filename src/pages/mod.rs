//! Pages for people. A page is a client of operations: it calls them in process and shows their records, and has no
//! policy, no SQL and no rule of its own. It works without JavaScript, and loads nothing from other hosts.

mod acting;
mod answer;
mod applications;
mod assets;
mod authorize;
mod chosen;
mod cookies;
mod device;
mod email;
mod form;
mod guest;
mod home;
mod invitation;
mod layout;
mod leave;
mod new_organization;
mod places;
mod problem;
mod protection;
mod provider;
mod refusal;
mod return_to;
pub mod routes;
mod scope_words;
mod settings;
mod setup;
mod sign_in;
mod sign_in_link;
mod sign_out;
mod unsubscribe;
mod visit;

pub use assets::{STYLE, asset};
pub use form::Form;
pub use guest::Guest;
pub use layout::Shown;
pub use refusal::Refusal;
pub use visit::Visit;
