//! One world for all tests, and a client to speak to it over HTTP.
//!
//! People are named by their first letter: **O**livia owner, **M**ax maintainer, **T**om team member, **E**ve
//! elsewhere in the organization, **N**ina no member, **R**ay repository admin, **S**am site administrator.

#![expect(dead_code, reason = "each test program uses its own part of this")]

pub mod application;
mod behind;
pub mod browser;
pub mod client;
pub mod database;
pub mod device;
pub mod dump;
pub mod fault_injector;
pub mod mail;
mod people;
pub mod port;
pub mod provider;
pub mod raw;
pub mod receiver;
pub mod samples;
pub mod sent;
pub mod settings;
pub mod smtp;
pub mod store;
pub mod waiting;
pub mod worker;
pub mod world;

pub use client::{Answer, Client};
pub use serde_json::{Value, json};
pub use world::World;
