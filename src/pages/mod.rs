//! Pages for people. A page is a client of operations: it calls them in process and shows their records, and has no
//! policy, no SQL and no rule of its own. It works without JavaScript, and loads nothing from other hosts.

mod answer;
mod assets;
mod call;
mod email;
mod form;
mod invitation;
mod layout;
mod protection;
pub mod routes;
mod unsubscribe;
mod visit;

pub use assets::{STYLE, asset};
pub use call::Pages;
pub use form::Form;
pub use layout::Shown;
pub use visit::Visit;
