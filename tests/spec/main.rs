//! The behavior that `SPEC.md` describes, over HTTP: one file a heading, one test a rule or a sentence of it.
//!
//! Names follow the grammar of its section 1: `behavior_4_…` is a test of rule 4 among the behavior rules.

#![expect(clippy::expect_used, clippy::panic, reason = "a test fails by panicking, in its helpers too")]

#[path = "../support/mod.rs"]
mod support;

mod audit;
mod audit_walk;
mod authentication;
mod bad_input;
mod behavior;
mod decisions_abuse;
mod decisions_access;
mod decisions_administration;
mod decisions_answers;
mod decisions_charged;
mod decisions_clients;
mod decisions_concealed;
mod decisions_counted;
mod decisions_deactivation;
mod decisions_deliveries;
mod decisions_forks;
mod decisions_import;
mod decisions_invitations;
mod decisions_limits;
mod decisions_maintainers;
mod decisions_members;
mod decisions_names;
mod decisions_nesting;
mod decisions_parameters;
mod decisions_people;
mod decisions_posts;
mod decisions_projects;
mod decisions_provisioning;
mod decisions_provisioning_plan;
mod decisions_reactions;
mod decisions_records;
mod decisions_refusing;
mod decisions_rendering;
mod decisions_scopes;
mod decisions_seeing;
mod decisions_slugs;
mod decisions_synchronization;
mod decisions_teams;
mod decisions_time;
mod decisions_writes_by_query;
mod endpoints_discussions;
mod endpoints_members;
mod endpoints_projects;
mod endpoints_repos;
mod endpoints_teams;
mod errors;
mod given;
mod hooks;
mod hooks_deliveries;
mod hooks_global;
mod hooks_payloads;
mod hooks_told;
mod http_addresses;
mod http_conditional;
mod http_forms;
mod http_heads;
mod http_verbs;
mod invitations;
mod invitations_ended;
mod limits;
mod mail_invitations;
mod mail_posts;
mod orgs;
mod orgs_members;
mod orgs_memberships;
mod orgs_outside;
mod pages;
mod people;
mod people_administration;
mod privacy;
mod provider;
mod records;
mod repos_collaborators;
mod repos_listing;
mod repos_managing;
mod repos_reading;
mod resources;
mod service;
mod states;
