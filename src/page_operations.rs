//! The rows that have no path: what a link in an e-mail permits, signing in and out, and what a room shows besides the
//! records of the API. They are in no document of the API. Only pages call them, and GraphQL pins
//! discussions. A visit is counted once, by looking up the visitor
//! (decision 61).

use crate::access::{authorization, own_tokens, site_tokens};
use crate::deliver::{again, invitations, log, room as deliveries};
use crate::hooks::failing;
use crate::hooks::org::configure;
use crate::invited;
use crate::notices::{board, muted, newest, reader, unsubscribing};
use crate::oauth::{self, own_applications, own_consents, site_applications};
use crate::operation::{Operation, delete, get, patch, post, put, seen};
use crate::orgs::org::Org;
use crate::orgs::{self, my_memberships};
use crate::people::{self, account, email_link, mail_test, names};
use crate::policy::{
    ADMINS_PROJECT, ADMINS_REPO, ANYONE, MAINTAINER, MEMBER, OWNER, SEES_POST, SEES_TEAM, SIGNED_IN, SITE_ADMIN,
    THE_USER, administers_another, pins_post,
};
use crate::posts::mentioned;
use crate::posts::pins;
use crate::posts::preview::preview;
use crate::posts::text::prepare;
use crate::projects::project;
use crate::scope::{DW, NONE};
use crate::setup;
use crate::signin::{self, provider};
use crate::site::{Site, overview};
use crate::teams::rooms;

/// All rows.
#[rustfmt::skip]
#[expect(clippy::too_many_lines, reason = "a row is a line")]
#[must_use]
pub fn page_operations() -> Vec<Operation> { vec![
    get   ("invited.look",         "", NONE, ANYONE,    invited::look).timed(),
    post  ("invited.accept",       "", NONE, ANYONE,    invited::accept).by_link(),
    delete("invited.decline",      "", NONE, ANYONE,    invited::decline).by_link(),
    delete("memberships.decline",  "", NONE, SIGNED_IN, my_memberships::decline),
    get   ("emails.look",          "", NONE, SIGNED_IN, email_link::look),
    post  ("emails.verify",        "", NONE, SIGNED_IN, email_link::verify),
    get   ("unsubscribing.look",   "", NONE, ANYONE,    unsubscribing::look),
    put   ("unsubscribing.choose", "", NONE, ANYONE,    unsubscribing::choose).by_link(),
    get   ("signin.visitor",       "", NONE, ANYONE,    signin::visitor).page(),
    post  ("signin.ask",           "", NONE, ANYONE,    signin::ask).by_link(),
    get   ("signin.waiting",       "", NONE, ANYONE,    signin::waiting).timed(),
    post  ("signin.enter",         "", NONE, ANYONE,    signin::enter).by_link(),
    get   ("signin.look",          "", NONE, ANYONE,    signin::look).timed(),
    post  ("signin.open",          "", NONE, ANYONE,    signin::open).by_link(),
    get   ("setup.look",           "", NONE, ANYONE,    setup::look).timed(),
    post  ("setup.begin",          "", NONE, ANYONE,    setup::begin).by_link(),
    post  ("provider.begin",       "", NONE, ANYONE,    provider::begin).by_link(),
    post  ("provider.connect",     "", NONE, SIGNED_IN, provider::connect).recent(),
    post  ("provider.return",      "", NONE, ANYONE,    provider::returned).by_link(),
    post  ("provider.enter",       "", NONE, ANYONE,    provider::enter).by_link(),
    post  ("provider.tie",         "", NONE, SIGNED_IN, provider::tie),
    get   ("provider.list",        "", NONE, SIGNED_IN, provider::list),
    delete("provider.untie",       "", NONE, SIGNED_IN, provider::untie).recent(),
    get   ("sessions.list",        "", NONE, SIGNED_IN, signin::list).timed(),
    delete("sessions.end",         "", NONE, SIGNED_IN, signin::end),
    get   ("acting.look",          "", NONE, administers_another(), signin::look_to_act),
    post  ("acting.start",         "", NONE, administers_another(), signin::act).recent(),
    post  ("acting.stop",          "", NONE, SIGNED_IN, signin::stop_acting),
    get   ("tokens.list",          "", NONE, SIGNED_IN, own_tokens::list),
    post  ("tokens.create",        "", NONE, SIGNED_IN, own_tokens::create).recent(),
    delete("tokens.revoke",        "", NONE, SIGNED_IN, own_tokens::revoke),
    get   ("oauth.look",           "", NONE, ANYONE,    oauth::look).timed(),
    post  ("oauth.allow",          "", NONE, SIGNED_IN, oauth::allow),
    post  ("device.enter",         "", NONE, SIGNED_IN, oauth::enter_code),
    post  ("device.answer",        "", NONE, SIGNED_IN, oauth::answer_device),
    get   ("consents.list",        "", NONE, SIGNED_IN, own_consents::list),
    delete("consents.end",         "", NONE, SIGNED_IN, own_consents::end),
    get   ("ownApplications.list", "", NONE, SIGNED_IN, own_applications::list),
    get   ("ownApplications.owners", "", NONE, SIGNED_IN, own_applications::owners),
    post  ("ownApplications.create", "", NONE, SIGNED_IN, own_applications::create).recent(),
    get   ("ownApplications.get",  "", NONE, SIGNED_IN, own_applications::get),
    patch ("ownApplications.update", "", NONE, SIGNED_IN, own_applications::update).recent(),
    delete("ownApplications.delete", "", NONE, SIGNED_IN, own_applications::delete).recent(),
    post  ("ownApplications.addSecret", "", NONE, SIGNED_IN, own_applications::add_secret).recent(),
    delete("ownApplications.removeSecret", "", NONE, SIGNED_IN, own_applications::remove_secret).recent(),
    get   ("applications.list",      "/applications", NONE, OWNER, oauth::of_org).hidden(),
    get   ("applications.questions", "", NONE, SIGNED_IN, oauth::questions),
    post  ("applications.ask",       "", NONE, MEMBER,    oauth::ask).hidden(),
    put   ("applications.approve",   "", NONE, OWNER,     oauth::approve).hidden().recent(),
    delete("applications.refuse",    "", NONE, OWNER,     oauth::refuse).hidden(),
    get   ("projects.find",       "/projects", NONE, ANYONE,         project::numbered),
    get   ("repos.listGrants",    "/grants",   NONE, ADMINS_REPO,    rooms::given::of_repo).hidden(),
    get   ("projects.listGrants", "/grants",   NONE, ADMINS_PROJECT, rooms::given::of_project).hidden(),
    get   ("rooms.team",         "/room",              NONE, SEES_TEAM,          rooms::look),
    seen  ("rooms.members",      "/room/members",      NONE,                     rooms::members::list),
    seen  ("rooms.childTeams",   "/room/teams",        NONE,                     rooms::child_teams::list),
    get   ("rooms.repositories", "/room/repositories", NONE, SEES_TEAM,          rooms::grants::repositories),
    get   ("rooms.projects",     "/room/projects",     NONE, SEES_TEAM,          rooms::grants::projects),
    get   ("rooms.deletion",     "/room/deletion",     NONE, OWNER | MAINTAINER, rooms::deletion::look).timed(),
    get   ("rooms.tree",         "/room/tree",         NONE, MEMBER,             rooms::tree::of_org).hidden(),
    get   ("rooms.named",        "/room/named",        NONE, MEMBER,             rooms::named::list).hidden(),
    get   ("rooms.people",       "/room/people",       NONE, MEMBER,             rooms::people::list).hidden(),
    get   ("rooms.invitations",  "/room/invitations",  NONE, OWNER,              invitations::look).hidden().timed(),
    get   ("rooms.replay",       "/hooks/{hook_id}/room/replay", NONE, OWNER,         again::look::<Org>).hidden(),
    get   ("rooms.reach",        "/room/reach/{username}", NONE, OWNER | THE_USER,    rooms::reach::list).hidden(),
    get   ("rooms.ownTree",      "/room/tree",         NONE, SIGNED_IN,          rooms::tree::of_caller),
    get   ("rooms.waiting",      "/room/requests",     NONE, SIGNED_IN,          rooms::waiting::list),
    // Site administration
    get   ("administration.look",          "", NONE, SITE_ADMIN, overview::look).hidden(),
    get   ("administration.hooks",         "", NONE, SITE_ADMIN, failing::list).hidden(),
    get   ("administration.hookDeliveries", "/admin/hooks/{hook_id}/deliveries", NONE, SITE_ADMIN, log::list_of_site).hidden(),
    get   ("administration.hookDelivery",  "/admin/hooks/{hook_id}/deliveries/{delivery_id}", NONE, SITE_ADMIN, log::get::<Site>).hidden(),
    post  ("administration.redeliverHook", "/admin/hooks/{hook_id}/deliveries/{delivery_id}", NONE, SITE_ADMIN, again::redeliver::<Site>).hidden(),
    get   ("administration.replay",        "/admin/hooks/{hook_id}/replay", NONE, SITE_ADMIN, again::look::<Site>).hidden(),
    post  ("administration.replayHook",    "/admin/hooks/{hook_id}/replays", NONE, SITE_ADMIN, again::replay::<Site>).hidden(),
    patch ("administration.configureHook", "/admin/hooks/{hook_id}/config", NONE, SITE_ADMIN, configure::<Site>).hidden(),
    get   ("administration.people",        "", NONE, SITE_ADMIN, people::directory::list).hidden(),
    get   ("administration.person",        "", NONE, SITE_ADMIN, account::look).hidden(),
    get   ("administration.memberships",   "", NONE, SITE_ADMIN, account::memberships).hidden(),
    get   ("administration.sessions",      "", NONE, SITE_ADMIN, signin::list_of_person).hidden().timed(),
    delete("administration.endSessions",   "", NONE, administers_another(), signin::end_of_person).hidden(),
    delete("administration.endTokens",     "", NONE, administers_another(), authorization::end_of_person).hidden(),
    get   ("administration.organizations", "", NONE, SITE_ADMIN, orgs::directory::list).hidden(),
    get   ("administration.organization",  "", NONE, SITE_ADMIN, orgs::directory::look).hidden(),
    get   ("administration.owners",        "", NONE, SITE_ADMIN, orgs::directory::owners).hidden(),
    get   ("administration.deliveries",       "", NONE, SITE_ADMIN, deliveries::list).hidden(),
    get   ("administration.delivery",         "", NONE, SITE_ADMIN, deliveries::get).hidden(),
    post  ("administration.retryDelivery",    "", NONE, SITE_ADMIN, deliveries::retry_one).hidden(),
    post  ("administration.retryDeliveries",  "", NONE, SITE_ADMIN, deliveries::retry_failed).hidden(),
    get   ("administration.tokens",           "", NONE, SITE_ADMIN, site_tokens::list).hidden(),
    get   ("administration.token",            "", NONE, SITE_ADMIN, site_tokens::get).hidden(),
    get   ("administration.findToken",        "", NONE, SITE_ADMIN, site_tokens::find).hidden(),
    get   ("administration.applications",     "", NONE, SITE_ADMIN, site_applications::list).hidden(),
    get   ("administration.application",      "", NONE, SITE_ADMIN, site_applications::get).hidden(),
    patch ("administration.markApplication",  "", NONE, SITE_ADMIN, site_applications::mark).hidden().recent(),
    post  ("administration.testMail",         "", NONE, SITE_ADMIN, mail_test::count).hidden(),
    // The board and the inbox
    get   ("boards.look",            "", NONE, SEES_TEAM, board::look),
    seen  ("boards.mentioned",       "/mentioned", NONE,    mentioned::look),
    get   ("discussions.look",       "", NONE, SEES_POST, reader::look),
    put   ("discussions.choose",     "", NONE, SEES_POST, reader::choose),
    put   ("discussions.pin",        "", DW,   pins_post(), pins::put).preparing(prepare),
    get   ("comments.locate",        "", NONE, SEES_POST, reader::locate),
    get   ("posts.preview",          "", NONE, SIGNED_IN, preview).timed(),
    get   ("inbox.count",            "", NONE, SIGNED_IN, muted::count),
    get   ("inbox.listMuted",        "", NONE, SIGNED_IN, muted::list),
    get   ("inbox.newest",           "", NONE, SIGNED_IN, newest::list),
    get   ("people.names",           "", NONE, SIGNED_IN, names::list),
    // Applications call these
    post  ("device.begin",         "", NONE, ANYONE,    oauth::begin_device).by_link().of_application(),
    post  ("oauth.exchange",       "", NONE, ANYONE,    oauth::exchange).by_link().of_application(),
    get   ("oauth.check", "/{access_token}", NONE, ANYONE, oauth::check).timed().of_application(),
    patch ("oauth.reset",          "", NONE, ANYONE,    oauth::reset).by_link().of_application(),
    delete("oauth.revoke",         "", NONE, ANYONE,    oauth::revoke).by_link().of_application(),
    delete("oauth.revokeAll",      "", NONE, ANYONE,    oauth::revoke_all).by_link().of_application(),
] }
