//! THE TABLE: one row per operation, in the order of the specification. Nothing about an operation's routes or
//! permission is written anywhere else.

use crate::access::{authorization, impersonation};
use crate::accounts;
use crate::audit;
use crate::deliver;
use crate::deliver::again::{redeliver, replay};
use crate::export;
use crate::hooks;
use crate::members::synced::{absent as not_found, refusal as synced};
use crate::notices::{mail_setting, subscription, threads};
use crate::operation::{Operation, delete, get, lacking, patch, post, put, seen};
use crate::orgs::account::Account;
/// Pictures belong to accounts, which no row returns (decision 53).
pub use crate::orgs::account::{Pictured, pictured};
use crate::orgs::org::Org;
use crate::orgs::{self, memberships, my_memberships};
use crate::people::me::Me;
use crate::people::{admin, all, email, email_operations as emails, profile};
use crate::plans::{self, apply, create};
use crate::policy::{
    ACCEPTS, ADMINS_PROJECT, ADMINS_REPO, ANYONE, INVITES, MAINTAINER, MAY_CREATE, MEMBER, OF_SAME_ORG, OWNER,
    READS_AUDIT, READS_PROJECT, READS_REPO, SEES_COLLABORATORS, SEES_LEVEL, SEES_POST, SEES_TEAM, SIGNED_IN,
    SITE_ADMIN, THE_USER, WRITES_PROJECT, adds_member, administers_another, conceals, creates_orgs, creates_repos,
    decides_request, edits_post, publicizes, removes_member, removes_project, removes_reaction, sees_membership,
};
use crate::posts::reactions::{of_comment, of_discussion};
use crate::posts::text::prepare;
use crate::posts::{comments, discussions};
use crate::projects;
use crate::repos::repo::Repo;
use crate::repos::{self, collaborator, collaborators};
use crate::scope::{
    ADMIN_ORG, AM, AUDIT, DR, DW, HOOKS, MO, NONE, NOTIFICATIONS as NOTICES, PR, PW, REPO, RO, SA, SITE_ADMIN as AD,
    SM, SR, USER, USER_EMAIL, WHOLE_ORG as ALL,
};
use crate::search;
use crate::site::absent::{
    Apps, BRANCHES, CONTRIBUTORS, CUSTOM_PROPERTIES, DEPLOY_KEYS, EVENTS, EXTERNAL_GROUPS, Empty, FOLLOWERS, FOLLOWING,
    GPG_KEYS, Groups, INSTALLATIONS, INVITATIONS, LABELS, OWN_INVITATIONS, REPORTS, RULESETS, Reporting, SSH_KEYS,
    WEBHOOKS,
};
use crate::site::{meta, rate_limit};
use crate::sync;
use crate::teams::explanations::{project as in_project, repo as in_repo};
use crate::teams::{self, join_requests, legacy_members, membership, security_managers};

/// Parameters that clients send with the grant of a repository (decision 30).
const PERMITTED: &[&str] = &["team_id", "org", "owner", "repo", "team_slug", "org_id"];

/// Parameters of paths, which are ignored in the query of plans.
const NAMED: &[&str] = &["org", "org_id", "plan_id"];

/// All operations.
#[rustfmt::skip]
#[expect(clippy::too_many_lines, reason = "a row is a line")]
#[must_use]
pub fn operations() -> Vec<Operation> { vec![
    // The thirty operations of teams
    // operation, path below the subject, scopes, who may (`seen`: every caller who sees the subject), what runs
    get   ("teams.list", "/teams", SR, SIGNED_IN, teams::list::of_org).of_organization().hidden_from_anonymous(),
    post  ("teams.create",                       "/teams",       SA, OWNER | MEMBER & MAY_CREATE, teams::create::create),
    seen  ("teams.getByName",                    "",             SR,                          teams::get::get).of_organization(),
    patch ("teams.updateInOrg",                  "",             SA, OWNER | MAINTAINER,      teams::update::update).partial_if_set(),
    delete("teams.deleteInOrg",                  "",             SA, OWNER | MAINTAINER,      teams::delete::delete),
    seen  ("teams.listChildInOrg",               "/teams",       SR,                          teams::list::children).of_organization(),
    get   ("teams.listForAuthenticatedUser",     "/teams",       SR, SIGNED_IN,               teams::list::of_caller),
    seen  ("teams.listMembersInOrg",             "/members",     SR,                          teams::members::list).of_organization(),
    get   ("teams.getMembershipForUserInOrg",    "/memberships/{username}", SM, SEES_TEAM,    membership::get).timed(),
    put   ("teams.addOrUpdateMembershipForUserInOrg", "/memberships/{username}", SA, adds_member(), membership::put).manual_change(synced),
    delete("teams.removeMembershipForUserInOrg", "/memberships/{username}", SA, removes_member(), membership::remove).manual_change(synced),
    get   ("teams.listPendingInvitationsInOrg",  "/invitations", SA, OWNER | MAINTAINER,      teams::invitations::of_team).timed(),
    get   ("teams.listProjectsInOrg",            "/projects",    PR, SEES_TEAM,               teams::projects::list),
    get   ("teams.checkPermissionsForProjectInOrg", "",          PR, SEES_TEAM & READS_PROJECT, teams::projects::get),
    put   ("teams.addOrUpdateProjectPermissionsInOrg", "",       PW, ADMINS_PROJECT & OF_SAME_ORG, teams::projects::put),
    delete("teams.removeProjectInOrg",           "",             PW, removes_project(),       teams::projects::remove),
    get   ("teams.listReposInOrg",               "/repos",       SR, SEES_TEAM,               teams::repos::list),
    get   ("teams.checkPermissionsForRepoInOrg", "",             SR, SEES_TEAM & READS_REPO,  teams::repos::check),
    put   ("teams.addOrUpdateRepoPermissionsInOrg", "",          SA, ADMINS_REPO & SEES_TEAM, teams::repos::put).permitting_only(PERMITTED),
    delete("teams.removeRepoInOrg",              "",             SA, OWNER | MAINTAINER | ADMINS_REPO & SEES_TEAM, teams::repos::remove),
    get   ("teams.listDiscussionsInOrg",         "/discussions", DR, SEES_TEAM,               discussions::list),
    post  ("teams.createDiscussionInOrg",        "/discussions", DW, SEES_TEAM,               discussions::create).preparing(prepare),
    get   ("teams.getDiscussionInOrg",           "",             DR, SEES_POST,               discussions::get),
    patch ("teams.updateDiscussionInOrg",        "",             DW, edits_post(),            discussions::update).preparing(prepare),
    delete("teams.deleteDiscussionInOrg",        "",             DW, edits_post(),            discussions::delete),
    get   ("teams.listDiscussionCommentsInOrg",  "/comments",    DR, SEES_POST,               comments::list),
    post  ("teams.createDiscussionCommentInOrg", "/comments",    DW, SEES_POST,               comments::create).preparing(prepare),
    get   ("teams.getDiscussionCommentInOrg",    "",             DR, SEES_POST,               comments::get),
    patch ("teams.updateDiscussionCommentInOrg", "",             DW, edits_post(),            comments::update).preparing(prepare),
    delete("teams.deleteDiscussionCommentInOrg", "",             DW, edits_post(),            comments::delete),

    // Teams that follow groups of an identity provider (decision 48)
    get   ("teams.listIdPGroupsForOrg", "/team-sync/groups", ADMIN_ORG, OWNER, sync::mapping::of_org).hidden_from_anonymous(),
    get   ("teams.listIdPGroupsInOrg",                     "/team-sync/group-mappings", SR,        SEES_TEAM, sync::mapping::of_team),
    patch ("teams.createOrUpdateIdPGroupConnectionsInOrg", "/team-sync/group-mappings", SA,        OWNER,     sync::mapping::update),

    // What a team does with requests for reviews; GraphQL shows it (decision 60)
    put   ("teams.updateReviewAssignmentInOrg", "/review-assignment", SA, OWNER | MAINTAINER, teams::reviews::update),

    // Requests to join a team (decision 65)
    get   ("teams.listJoinRequestsInOrg",  "/join_requests", RO, SEES_TEAM, join_requests::list),
    post  ("teams.createJoinRequestInOrg", "/join_requests", RO, SEES_TEAM, join_requests::create).manual_change(synced),
    put   ("teams.decideJoinRequestInOrg", "/join_requests/{join_request_id}", ADMIN_ORG, decides_request(), join_requests::decide),
    delete("teams.deleteJoinRequestInOrg", "/join_requests/{join_request_id}", RO, SEES_TEAM, join_requests::withdraw),

    // Older operations on members (decision 6)
    get   ("teams.getMemberLegacy",    "/members/{username}", SR, SEES_TEAM,         legacy_members::get),
    put   ("teams.addMemberLegacy",    "/members/{username}", SA, adds_member(),    legacy_members::put).manual_change(not_found),
    delete("teams.removeMemberLegacy", "/members/{username}", SA, removes_member(), legacy_members::remove).manual_change(not_found),

    // Reactions to posts and comments (decision 36)
    get   ("reactions.listForTeamDiscussionInOrg",          "/reactions", DR, SEES_POST,          of_discussion::list),
    post  ("reactions.createForTeamDiscussionInOrg",        "/reactions", DW, SEES_POST,          of_discussion::create),
    delete("reactions.deleteForTeamDiscussion",             "",           DW, removes_reaction(), of_discussion::delete),
    get   ("reactions.listForTeamDiscussionCommentInOrg",   "/reactions", DR, SEES_POST,          of_comment::list),
    post  ("reactions.createForTeamDiscussionCommentInOrg", "/reactions", DW, SEES_POST,          of_comment::create),
    delete("reactions.deleteForTeamDiscussionComment",      "",           DW, removes_reaction(), of_comment::delete),

    // The site
    get   ("meta.root",     "/",           NONE, ANYONE, meta::root),
    get   ("meta.get",      "/meta",       NONE, ANYONE, meta::get),
    get   ("meta.getAllVersions", "/versions", NONE, ANYONE, meta::versions),
    get   ("rateLimit.get", "/rate_limit", NONE, ANYONE, rate_limit::get).free().timed(),

    // People
    get   ("users.getAuthenticated",           "",          NONE,       SIGNED_IN, profile::own),
    patch ("users.updateAuthenticated",        "",          USER,       SIGNED_IN, profile::update),
    get   ("users.listEmailsForAuthenticated", "/emails",   USER_EMAIL, SIGNED_IN, email::list),
    post  ("users.addEmailForAuthenticated",   "/emails",   USER,       SIGNED_IN, emails::add).or_only("emails").recent(),
    delete("users.deleteEmailForAuthenticated", "/emails",  USER,       SIGNED_IN, emails::remove).or_only("emails"),
    patch ("users.setPrimaryEmailVisibilityForAuthenticated", "/email/visibility", USER, SIGNED_IN, emails::show),
    get   ("users.getByUsername",              "",          NONE,       ANYONE,    orgs::account::get),
    get   ("users.list",                       "/users",    NONE,       ANYONE,    all::list),
    get   ("users.getById",                    "",          NONE,       ANYONE,    profile::by_id),

    // Notifications of posts, in the inbox and by e-mail (decision 37)
    get   ("activity.listNotificationsForAuthenticatedUser",     "",              NOTICES, SIGNED_IN, threads::list),
    put   ("activity.markNotificationsAsRead",                   "",              NOTICES, SIGNED_IN, threads::mark_all),
    get   ("activity.getThread",                                 "",              NOTICES, SIGNED_IN, threads::get),
    patch ("activity.markThreadAsRead",                          "",              NOTICES, SIGNED_IN, threads::read),
    delete("activity.markThreadAsDone",                          "",              NOTICES, SIGNED_IN, threads::finish),
    get   ("activity.getThreadSubscriptionForAuthenticatedUser", "/subscription", NOTICES, SIGNED_IN, subscription::get),
    put   ("activity.setThreadSubscription",                     "/subscription", NOTICES, SIGNED_IN, subscription::set),
    delete("activity.deleteThreadSubscription",                  "/subscription", NOTICES, SIGNED_IN, subscription::delete),
    get   ("users.getMailSettings",                              "/mail",         USER,    SIGNED_IN, mail_setting::get),
    patch ("users.updateMailSettings",                           "/mail",         USER,    SIGNED_IN, mail_setting::update),

    // Organizations and their members
    get   ("orgs.listForAuthenticatedUser", "/orgs",               SR,        SIGNED_IN, orgs::list::of_caller),
    post  ("orgs.createForAuthenticatedUser", "/organizations",     ADMIN_ORG, creates_orgs(), orgs::create::own),
    get   ("orgs.listForUser",              "/orgs",               MO,        ANYONE,    orgs::list::of_account),
    get   ("orgs.list",                     "/organizations",      NONE,      ANYONE,    orgs::list::all),
    get   ("orgs.get",                      "",                    NONE,      ANYONE,    orgs::settings::get),
    patch ("orgs.update",                   "",                    SA,        OWNER,     orgs::update::update),
    delete("orgs.delete",                   "",                    ADMIN_ORG, OWNER,     orgs::delete::delete).recent(),
    get   ("orgs.listMembers",              "/members",            MO,        ANYONE,    orgs::members::list),
    get   ("orgs.checkMembershipForUser",   "/members/{username}", MO,        ANYONE,    orgs::members::check),
    delete("orgs.removeMember",             "/members/{username}", ADMIN_ORG, OWNER,     orgs::members::remove),

    // Public members
    get   ("orgs.listPublicMembers",                       "/public_members",            NONE,      ANYONE, orgs::members::list_public),
    get   ("orgs.checkPublicMembershipForUser",            "/public_members/{username}", NONE,      ANYONE, orgs::members::check_public),
    put   ("orgs.setPublicMembershipForAuthenticatedUser", "/public_members/{username}", ADMIN_ORG, publicizes(), orgs::members::publicize),
    delete("orgs.removePublicMembershipForAuthenticatedUser", "/public_members/{username}", ADMIN_ORG, conceals(), orgs::members::conceal),

    // Memberships of organizations
    get   ("orgs.getMembershipForUser",    "/memberships/{username}", SR, sees_membership(), memberships::get).timed(),
    put   ("orgs.setMembershipForUser",    "/memberships/{username}", SA, OWNER, memberships::put).permitting_only(&["org", "org_id"]),
    patch ("orgs.acceptMembershipForUser", "/memberships/{username}", AM, ACCEPTS, orgs::joining::accept),
    delete("orgs.removeMembershipForUser", "/memberships/{username}", SA, OWNER, memberships::remove),
    get   ("orgs.listMembershipsForAuthenticatedUser",  "/memberships/orgs",       SR, SIGNED_IN, my_memberships::list).timed(),
    get   ("orgs.getMembershipForAuthenticatedUser",    "/memberships/orgs/{org}", SR, SIGNED_IN, my_memberships::get).timed(),
    patch ("orgs.updateMembershipForAuthenticatedUser", "/memberships/orgs/{org}", AM, SIGNED_IN, my_memberships::accept),
    delete("orgs.removeMembershipForAuthenticatedUser", "/memberships/orgs/{org}", PW, SIGNED_IN, my_memberships::remove),

    // Roles of organizations
    get   ("orgs.listOrgRoles",          "/organization-roles",                             ADMIN_ORG, OWNER, teams::org_roles::list),
    get   ("orgs.getOrgRole",            "/organization-roles/{role_id}",                   ADMIN_ORG, OWNER, teams::org_roles::get),
    get   ("orgs.listOrgRoleTeams",      "/organization-roles/{role_id}/teams",             ADMIN_ORG, OWNER, teams::org_roles::teams),
    get   ("orgs.listOrgRoleUsers",      "/organization-roles/{role_id}/users",             ADMIN_ORG, OWNER, teams::holders::list),
    put   ("orgs.assignTeamToOrgRole",   "/organization-roles/teams/{team_slug}/{role_id}", ADMIN_ORG, OWNER, teams::org_roles::assign),
    delete("orgs.revokeOrgRoleTeam",     "/organization-roles/teams/{team_slug}/{role_id}", ADMIN_ORG, OWNER, teams::org_roles::revoke),
    delete("orgs.revokeAllOrgRolesTeam", "/organization-roles/teams/{team_slug}",           ADMIN_ORG, OWNER, teams::org_roles::revoke_all),
    put   ("orgs.assignUserToOrgRole",   "/organization-roles/users/{username}/{role_id}",  ADMIN_ORG, OWNER, teams::holders::assign),
    delete("orgs.revokeOrgRoleUser",     "/organization-roles/users/{username}/{role_id}",  ADMIN_ORG, OWNER, teams::holders::revoke),
    delete("orgs.revokeAllOrgRolesUser", "/organization-roles/users/{username}",            ADMIN_ORG, OWNER, teams::holders::revoke_all),
    get   ("orgs.listSecurityManagerTeams",  "/security-managers",                   SM,        OWNER, security_managers::list),
    put   ("orgs.addSecurityManagerTeam",    "/security-managers/teams/{team_slug}", ADMIN_ORG, OWNER, security_managers::add),
    delete("orgs.removeSecurityManagerTeam", "/security-managers/teams/{team_slug}", ADMIN_ORG, OWNER, security_managers::remove),

    // The audit log (decision 47)
    get   ("orgs.getAuditLog", "/audit-log", AUDIT, READS_AUDIT, audit::list::of_org),

    // Webhooks (decisions 44 and 68)
    get   ("orgs.listWebhooks",             "/hooks",                                    HOOKS, OWNER, hooks::org::list).hidden(),
    post  ("orgs.createWebhook",            "/hooks",                                    HOOKS, OWNER, hooks::org::create).hidden(),
    get   ("orgs.getWebhook",               "/hooks/{hook_id}",                          HOOKS, OWNER, hooks::org::get).hidden(),
    patch ("orgs.updateWebhook",            "/hooks/{hook_id}",                          HOOKS, OWNER, hooks::org::update).hidden(),
    delete("orgs.deleteWebhook",            "/hooks/{hook_id}",                          HOOKS, OWNER, hooks::org::delete).hidden(),
    get   ("orgs.getWebhookConfigForOrg",   "/hooks/{hook_id}/config",                   HOOKS, OWNER, hooks::org::config).hidden(),
    patch ("orgs.updateWebhookConfigForOrg", "/hooks/{hook_id}/config",           HOOKS, OWNER, hooks::org::configure::<Org>).hidden(),
    get   ("orgs.listWebhookDeliveries",    "/hooks/{hook_id}/deliveries",               HOOKS, OWNER, deliver::log::list).hidden(),
    get   ("orgs.getWebhookDelivery",       "/hooks/{hook_id}/deliveries/{delivery_id}", HOOKS, OWNER, deliver::log::get::<Org>).hidden(),
    post  ("orgs.redeliverWebhookDelivery", "/hooks/{hook_id}/deliveries/{delivery_id}/attempts", HOOKS, OWNER, redeliver::<Org>).hidden(),
    post  ("orgs.replayWebhookDeliveries",  "/hooks/{hook_id}/replays",                  HOOKS, OWNER, replay::<Org>).hidden(),
    post  ("orgs.pingWebhook",              "/hooks/{hook_id}/pings",                    HOOKS, OWNER, hooks::org::ping).hidden(),

    // An organization as a file (decision 75)
    get   ("orgs.export", "/export", ALL, OWNER, export::operation::get).hidden().timed(),
    post  ("orgs.createPlan", "/plans", ALL, OWNER, create::create).hidden().strict(NAMED).on_pool(create::prepare).of_file(),
    get   ("orgs.getPlan", "/plans/{plan_id}", ALL, OWNER, plans::get::get).hidden().timed(),
    post  ("orgs.applyPlan", "/plans/{plan_id}/apply", ALL, OWNER, apply::apply).hidden().strict(NAMED).on_pool(apply::prepare).differing(),

    // Invitations to organizations
    get   ("orgs.listPendingInvitations", "/invitations",                       SA,        OWNER,   orgs::invitation::list).timed(),
    post  ("orgs.createInvitation",       "/invitations",                       ADMIN_ORG, INVITES, orgs::invite::create),
    delete("orgs.cancelInvitation",       "/invitations/{invitation_id}",       ADMIN_ORG, OWNER,   orgs::invite::cancel),
    get   ("orgs.listInvitationTeams",    "/invitations/{invitation_id}/teams", SA,        OWNER,   teams::invitations::brought).timed(),
    get   ("orgs.listFailedInvitations",  "/failed_invitations",                SA,        OWNER,   orgs::invitation::list_failed).timed(),

    // Repositories (decision 30)
    get   ("repos.listForOrg",                 "/repos",                    NONE, ANYONE,                 repos::list::of_org),
    post  ("repos.createInOrg",                "/repos",                    REPO, creates_repos(),        teams::first_grant::create),
    get   ("repos.listForAuthenticatedUser",   "/repos",                    NONE, SIGNED_IN,              repos::list::of_caller),
    post  ("repos.createForAuthenticatedUser", "/repos",                    REPO, SIGNED_IN,              repos::create::own),
    get   ("repos.listForUser",                "/repos",                    NONE, ANYONE,                 repos::list::of_account),
    get   ("repos.get",                        "",                          NONE, READS_REPO,             repos::record::get),
    patch ("repos.update",                     "",                          REPO, ADMINS_REPO,            repos::update::update),
    delete("repos.delete",                     "",                          REPO, ADMINS_REPO,            repos::delete::delete),
    get   ("repos.getAllTopics",               "/topics",                   NONE, READS_REPO,             repos::topics::get),
    put   ("repos.replaceAllTopics",           "/topics",                   REPO, ADMINS_REPO,            repos::topics::replace),
    get   ("repos.checkVulnerabilityAlerts",   "/vulnerability-alerts",     REPO, ADMINS_REPO,            repos::alerts::check),
    put   ("repos.enableVulnerabilityAlerts",  "/vulnerability-alerts",     REPO, ADMINS_REPO,            repos::alerts::enable),
    delete("repos.disableVulnerabilityAlerts", "/vulnerability-alerts",     REPO, ADMINS_REPO,            repos::alerts::disable),
    post  ("repos.createFork",                 "/forks",                    REPO, READS_REPO,             repos::fork::create),
    get   ("repos.listTeams",                  "/teams",                    REPO, SIGNED_IN & READS_REPO, teams::of_repo::list),
    get   ("repos.listCollaborators",          "/collaborators",            REPO, SEES_COLLABORATORS,     collaborators::list),
    get   ("repos.checkCollaborator",          "/collaborators/{username}", REPO, SEES_COLLABORATORS,     collaborator::check),
    put   ("repos.addCollaborator",            "/collaborators/{username}", REPO, ADMINS_REPO,            collaborator::put),
    delete("repos.removeCollaborator",         "/collaborators/{username}", REPO, ADMINS_REPO | THE_USER, collaborator::remove),
    get   ("repos.getCollaboratorPermissionLevel", "/collaborators/{username}/permission", REPO, SEES_LEVEL, collaborator::permission),
    get   ("repos.explainAccess", "/collaborators/{username}/explanation", REPO, ADMINS_REPO | THE_USER, in_repo::explain).hidden(),
    get   ("repos.listAccess",            "/access",                   REPO, ADMINS_REPO,            in_repo::list).hidden().pages_of_100(),

    // Searching
    get   ("search.repos", "/search/repositories", NONE, ANYONE,    search::repositories::search).search(),
    get   ("search.users", "/search/users",        NONE, ANYONE,    search::users::search).search(),
    get   ("search.teams", "/search/teams",        SR,   SIGNED_IN, teams::search::search).search(),

    // People outside an organization with access to some of its repositories
    get   ("orgs.listOutsideCollaborators",           "/outside_collaborators",            SM,        OWNER, repos::outside::list),
    put   ("orgs.convertMemberToOutsideCollaborator", "/outside_collaborators/{username}", ADMIN_ORG, OWNER, repos::outside::convert),
    delete("orgs.removeOutsideCollaborator",          "/outside_collaborators/{username}", ADMIN_ORG, OWNER, repos::outside::remove),

    // Projects of organizations (decisions 30, 32 and 33)
    get   ("projects.listForOrg",           "/projects",                            PR, ANYONE,         projects::list::of_org),
    post  ("projects.createForOrg",         "/projects",                            PW, MEMBER,         projects::create::create),
    get   ("projects.get",                  "",                                     PR, READS_PROJECT,  projects::project::get),
    patch ("projects.update",               "",                                     PW, WRITES_PROJECT, projects::update::update),
    delete("projects.delete",               "",                                     PW, ADMINS_PROJECT, projects::delete::delete),
    get   ("projects.listCollaborators",    "/collaborators",                       PR, ADMINS_PROJECT, projects::collaborators::list),
    put   ("projects.addCollaborator",      "/collaborators/{username}",            PW, ADMINS_PROJECT, projects::collaborators::put),
    delete("projects.removeCollaborator",   "/collaborators/{username}",            PW, ADMINS_PROJECT, projects::collaborators::remove),
    get   ("projects.getPermissionForUser", "/collaborators/{username}/permission", PR, ADMINS_PROJECT, projects::collaborators::level),
    get   ("projects.explainAccess", "/collaborators/{username}/explanation", PR, ADMINS_PROJECT | THE_USER, in_project::explain).hidden(),
    get   ("projects.listAccess",    "/access",                        PR, ADMINS_PROJECT, in_project::list).hidden().pages_of_100(),

    // Fixed responses for missing features that clients request (decisions 59 and 82)
    lacking::<Account, Empty>("users.listPublicKeysForUser", "/keys", NONE, ANYONE, SSH_KEYS),
    lacking::<Account, Empty>("users.listGpgKeysForUser", "/gpg_keys", NONE, ANYONE, GPG_KEYS),
    lacking::<Account, Empty>("users.listFollowersForUser", "/followers", NONE, ANYONE, FOLLOWERS),
    lacking::<Account, Empty>("users.listFollowingForUser", "/following", NONE, ANYONE, FOLLOWING),
    lacking::<Org, Empty>("activity.listPublicOrgEvents", "/events", NONE, ANYONE, EVENTS),
    lacking::<Org, Empty>("orgs.getAllCustomProperties", "/properties/schema", NONE, ANYONE, CUSTOM_PROPERTIES),
    lacking::<Org, Groups>("teams.listExternalIdpGroupsForOrg", "/external-groups", NONE, ANYONE, EXTERNAL_GROUPS),
    lacking::<Org, Apps>("orgs.listAppInstallations", "/installations", NONE, ANYONE, INSTALLATIONS),
    lacking::<Repo, Empty>("repos.listInvitations", "/invitations", REPO, ADMINS_REPO, INVITATIONS),
    lacking::<Me, Empty>("repos.listInvitationsForAuthenticatedUser", "/repository_invitations", REPO, SIGNED_IN, OWN_INVITATIONS),
    lacking::<Repo, Empty>("repos.listWebhooks", "/hooks", NONE, READS_REPO, WEBHOOKS),
    lacking::<Repo, Empty>("issues.listLabelsForRepo", "/labels", NONE, READS_REPO, LABELS),
    lacking::<Repo, Empty>("repos.listDeployKeys", "/keys", NONE, READS_REPO, DEPLOY_KEYS),
    lacking::<Repo, Empty>("repos.listBranches", "/branches", NONE, READS_REPO, BRANCHES),
    lacking::<Repo, Empty>("repos.listContributors", "/contributors", NONE, READS_REPO, CONTRIBUTORS),
    lacking::<Repo, Empty>("repos.getRepoRulesets", "/rulesets", NONE, READS_REPO, RULESETS),
    lacking::<Repo, Reporting>("repos.checkPrivateVulnerabilityReporting", "/private-vulnerability-reporting", NONE, READS_REPO, REPORTS),

    // Site administration (decision 42)
    post  ("enterpriseAdmin.createUser",               "/admin/users",                 AD, SITE_ADMIN,            admin::create).recent(),
    patch ("enterpriseAdmin.updateUsernameForUser",    "",                             AD, SITE_ADMIN,            admin::update),
    post  ("enterpriseAdmin.addEmailsForUser",         "/emails",              AD, SITE_ADMIN, emails::give).or_only("emails").recent(),
    delete("enterpriseAdmin.deleteEmailsForUser",      "/emails",                      AD, SITE_ADMIN, emails::take).or_only("emails"),
    delete("enterpriseAdmin.deleteUser",               "",                          AD, administers_another(), accounts::delete).recent(),
    post  ("enterpriseAdmin.createImpersonationOAuthToken", "/authorizations", AD, SITE_ADMIN,      impersonation::create).recent(),
    delete("enterpriseAdmin.deleteImpersonationOAuthToken", "/authorizations",         AD, SITE_ADMIN,            impersonation::delete),
    put   ("enterpriseAdmin.promoteUserToBeSiteAdministrator", "/site_admin",          AD, SITE_ADMIN,            admin::promote).recent(),
    delete("enterpriseAdmin.demoteSiteAdministrator",  "/site_admin",                  AD, administers_another(), admin::demote),
    put   ("enterpriseAdmin.suspendUser",              "/suspended",                   AD, administers_another(), accounts::suspend),
    delete("enterpriseAdmin.unsuspendUser",            "/suspended",                   AD, SITE_ADMIN,            accounts::unsuspend),
    post  ("enterpriseAdmin.createOrg",                "/admin/organizations",         AD, SITE_ADMIN,            orgs::create::create),
    patch ("enterpriseAdmin.updateOrgName",            "",                             AD, SITE_ADMIN,            orgs::rename::update),
    get   ("enterpriseAdmin.listPersonalAccessTokens", "/admin/tokens",                AD, SITE_ADMIN,            authorization::list),
    delete("enterpriseAdmin.deletePersonalAccessToken", "/admin/tokens/{token_id}",    AD, SITE_ADMIN,            authorization::delete),
    get   ("enterpriseAdmin.getAuditLog",              "/admin/audit-log",             AD, SITE_ADMIN,            audit::list::of_site),
    get   ("enterpriseAdmin.listGlobalWebhooks",       "/admin/hooks",                 AD, SITE_ADMIN,            hooks::global::list),
    post  ("enterpriseAdmin.createGlobalWebhook",      "/admin/hooks",                 AD, SITE_ADMIN,            hooks::global::create),
    get   ("enterpriseAdmin.getGlobalWebhook",         "/admin/hooks/{hook_id}",       AD, SITE_ADMIN,            hooks::global::get),
    patch ("enterpriseAdmin.updateGlobalWebhook",      "/admin/hooks/{hook_id}",       AD, SITE_ADMIN,            hooks::global::update),
    delete("enterpriseAdmin.deleteGlobalWebhook",      "/admin/hooks/{hook_id}",       AD, SITE_ADMIN,            hooks::global::delete),
    post  ("enterpriseAdmin.pingGlobalWebhook",        "/admin/hooks/{hook_id}/pings", AD, SITE_ADMIN,            hooks::global::ping),
    get   ("enterpriseAdmin.listDeliveries",           "/admin/deliveries",            AD, SITE_ADMIN,            deliver::admin::list),
] }
