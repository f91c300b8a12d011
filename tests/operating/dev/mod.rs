//! `guildhall dev`: the server for tests, as a test suite uses it.

mod calls;
mod clock;
mod faults;
mod guarded;
mod large;
mod observed;
mod refused;
mod reset;
mod server;
mod wire;
