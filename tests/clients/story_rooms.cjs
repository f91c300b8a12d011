// The rooms as an owner who administers the site sees them, with what the story has left there: each is accessible, fits a
// phone and a desk, light and dark, and keeps the limits of a page.
"use strict";
const assert = require("node:assert/strict");
const { call, check, guildhall, stage } = require("./story_stage.cjs");
const { accessible, visit } = require("./story_visits.cjs");

const TEAM = "/ui/orgs/acme/teams/core";

// The rooms by the names of their pictures. `tests/house/rooms.rs` compares them with the routes of pages.
const ROOMS = {
  home: "/ui", search: "/ui/search?q=core", "nothing-found": "/ui/search?q=zzzz", "new-organization": "/ui/organizations/new",
  person: "/ui/nina", repository: "/ui/acme/pipelines", "repository-take": "/ui/acme/pipelines?take=team&org=acme&who=core",
  inbox: "/ui/notifications?part=all", "inbox-unread": "/ui/notifications", "inbox-muted": "/ui/notifications?part=muted",

  organization: "/ui/orgs/acme", "new-team": "/ui/orgs/acme/new-team", people: "/ui/orgs/acme/people",
  "people-invited": "/ui/orgs/acme/people?show=invited", "people-undelivered": "/ui/orgs/acme/people?show=failed",
  "people-outside": "/ui/orgs/acme/people?show=outside", member: "/ui/orgs/acme/people/nina",
  "member-remove": "/ui/orgs/acme/people/nina/remove", "outside-remove": "/ui/orgs/acme/people/otto/outside",
  repositories: "/ui/orgs/acme/repositories", projects: "/ui/orgs/acme/projects", project: "/ui/orgs/acme/projects/1",
  "organization-settings": "/ui/orgs/acme/settings", "organization-delete": "/ui/orgs/acme/delete", audit: "/ui/orgs/acme/audit",
  applications: "/ui/orgs/acme/applications", webhooks: "/ui/orgs/acme/hooks", "webhook-new": "/ui/orgs/acme/hooks/new",
  webhook: "/ui/orgs/acme/hooks/1", "webhook-edit": "/ui/orgs/acme/hooks/1/edit", "webhook-delete": "/ui/orgs/acme/hooks/1/delete",

  team: TEAM, "team-members": `${TEAM}/members`, "team-teams": `${TEAM}/teams`, "team-repositories": `${TEAM}/repositories`,
  "team-projects": `${TEAM}/projects`, "team-settings": `${TEAM}/settings`, "team-delete": `${TEAM}/delete`,
  "team-leave": `${TEAM}/leave`, board: `${TEAM}/discussions`, "post-new": `${TEAM}/discussions/new`,
  discussion: `${TEAM}/discussions/1`, "post-edit": `${TEAM}/discussions/1/edit`, "post-delete": `${TEAM}/discussions/1/delete`,
  "comment-edit": `${TEAM}/discussions/1/comments/1/edit`, "comment-delete": `${TEAM}/discussions/1/comments/1/delete`,

  settings: "/ui/settings", "settings-emails": "/ui/settings/emails", "settings-sessions": "/ui/settings/sessions",
  "settings-tokens": "/ui/settings/tokens", "settings-applications": "/ui/settings/applications",
  "settings-applications-new": "/ui/settings/applications/new", "settings-notifications": "/ui/settings/notifications",
  "settings-provider": "/ui/settings/provider",

  admin: "/ui/admin", "admin-people": "/ui/admin/people", "admin-people-none": "/ui/admin/people?q=zzzz",
  "admin-person": "/ui/admin/users/nina", "admin-act": "/ui/admin/users/nina/act",
  "admin-self": "/ui/admin/users/olivia", "admin-revoke": "/ui/admin/users/nina?ask=tokens",
  "admin-suspend": "/ui/admin/users/nina?ask=suspend", "admin-delete": "/ui/admin/users/nina?ask=delete",
  "admin-organizations": "/ui/admin/organizations", "admin-organization": "/ui/admin/organizations/acme",
  "admin-audit": "/ui/admin/audit", "admin-audit-person": "/ui/admin/audit?user=nina&kind=user",
  "admin-webhooks": "/ui/admin/hooks", "admin-webhook-new": "/ui/admin/hooks/new", "admin-webhook": "/ui/admin/hooks/3",
  "admin-webhook-edit": "/ui/admin/hooks/3/edit", "admin-webhook-delete": "/ui/admin/hooks/3/delete",
  "admin-deliveries": "/ui/admin/deliveries", "admin-waiting": "/ui/admin/deliveries?state=waiting", "admin-delivery": "/ui/admin/deliveries/1",
  "admin-tokens": "/ui/admin/tokens", "admin-token": "/ui/admin/tokens/1", "admin-applications": "/ui/admin/applications",
  "admin-application": "/ui/admin/applications/178c6fc778ccc68e1d6a", "admin-health": "/ui/admin/health", "admin-limits": "/ui/admin/limits",
};

// A page is below 60 KB, and loads at most the style, the script and the picture of the site besides itself and avatars.
async function limits(page, path) {
  const loaded = [];
  const note = (request) => loaded.push(new URL(request.url()).pathname);
  page.on("request", note);
  const answer = await page.goto(stage.base + path, { waitUntil: "networkidle" });
  page.off("request", note);
  assert.deepEqual([answer.status(), page.url()], [200, stage.base + path]);
  assert.ok((await answer.body()).length < 60_000, `${path} is too long`);
  const files = loaded.filter((one) => !one.startsWith("/ui/avatars/"));
  assert.ok(files.length <= 4, `${path} loads ${files}`);
}

// Opens the room of the newest delivery in this list.
async function openDelivery(page, list) {
  await page.goto(stage.base + list);
  await page.locator("main a[href*='/deliveries/']").first().click();
  await page.waitForURL("**/deliveries/*");
  await limits(page, page.url().slice(stage.base.length));
}

async function deliveries(page) {
  await openDelivery(page, ROOMS.webhook);
  await accessible(page, "room-webhook-delivery");
  await openDelivery(page, ROOMS["admin-webhook"]);
  await accessible(page, "room-admin-webhook-delivery");
}

async function furnish() {
  await call("PUT", "/users/olivia/site_admin", { as: "admin", body: {}, status: 204 });
  await call("POST", "/orgs/acme/repos", { body: { name: "pipelines", private: true, description: "Build and release" }, status: 201 });
  await call("PUT", "/orgs/acme/teams/core/repos/acme/pipelines", { body: { permission: "maintain" }, status: 204 });
  await call("PUT", "/repos/acme/pipelines/collaborators/otto", { body: { permission: "triage" }, status: 204 });
  await call("POST", "/orgs/acme/projects", { body: { name: "Roadmap", body: "What comes next" }, status: 201 });
  // Port 9 answers nothing, so that the list and the home page show what fails.
  const config = { url: "http://127.0.0.1:9/rota?team=core", content_type: "json", secret: "hush hush" };
  await call("POST", "/orgs/acme/hooks", { body: { name: "web", config, events: ["team", "membership"] }, status: 201 });
  await call("POST", "/admin/hooks", { as: "admin", body: { name: "web", config }, status: 201 });
}

module.exports = async () => {
  await check("the rooms have something in them", furnish);
  const owner = await visit(guildhall("user", "sign-in", "olivia", "--public-url", stage.base));
  await owner.click("main button");
  await owner.waitForURL(`${stage.base}/ui`);
  for (const [name, path] of Object.entries(ROOMS)) {
    await check(`the room "${name}" keeps its limits and looks well`, async () => {
      await limits(owner, path);
      await accessible(owner, `room-${name}`);
    });
  }
  await check("the rooms of deliveries keep their limits and look well", () => deliveries(owner));
};
