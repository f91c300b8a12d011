//! The instruments of operators that are not in the store: the checks of doctor, a test of e-mail, and the limits in force.
//! A server has one set of them, which its pages show (decision 61).

mod checks;
mod in_force;

use crate::config::Settings;
use crate::doctor::Bounds;
use crate::mail::trial::Trial;

pub use crate::doctor::Finding;
pub use checks::{Checked, Checks};
pub use in_force::{InForce, in_force};

/// The most that checks of a page read: less than a minute takes, and no more than a page shows.
const BOUNDS: Bounds = Bounds { rows: 1_000_000, findings: 100, file: 256 << 20 };

/// The instruments of a server.
pub struct Instruments {
    /// The checks of doctor.
    pub checks: Checks,
    /// The test of e-mail.
    pub mail: Trial,
    /// The limits that settings change.
    pub limits: Vec<InForce>,
}

impl Instruments {
    /// The instruments of a server with these settings.
    #[must_use]
    pub fn new(settings: &Settings) -> Self {
        Self {
            checks: Checks::new(settings.data_dir.clone(), BOUNDS),
            mail: Trial::new(settings),
            limits: in_force(settings),
        }
    }
}
