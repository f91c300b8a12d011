//! The async edge: sockets, requests and answers around the synchronous domain.

pub mod address;
pub mod assemble;
pub mod body;
pub mod conditional;
pub mod edge;
pub mod forwarded;
pub mod head;
pub mod media;
pub mod metrics;
pub mod openapi;
pub mod pages;
pub mod paging;
pub mod patience;
pub mod personas;
pub mod problem;
pub mod query;
pub mod reference;
pub mod response;
pub mod routes;
pub mod server;
