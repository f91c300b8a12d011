// The rooms as an owner who administers the site sees them, with what the story has left there: each is accessible, fits a
// phone and a desk, light and dark, and keeps the limits of a page.
"use strict";
const assert = require("node:assert/strict");
const { call, check, guildhall, stage } = require("./story_stage.cjs");
const { accessible, visit } = require("./story_visits.cjs");

const TEAM = "/ui/orgs/acme/teams/core";

// The rooms by the names of their pictures. More are behind the buttons of these.
const ROOMS = {
  home: "/ui", organization: "/ui/orgs/acme", "new-team": "/ui/orgs/acme/new-team", people: "/ui/orgs/acme/people",
  "organization-settings": "/ui/orgs/acme/settings", "organization-delete": "/ui/orgs/acme/delete", audit: "/ui/orgs/acme/audit",
  person: "/ui/nina", search: "/ui/search?q=core", team: TEAM, "team-members": `${TEAM}/members`, "team-teams": `${TEAM}/teams`,
  "team-repositories": `${TEAM}/repositories`, "team-projects": `${TEAM}/projects`, "team-settings": `${TEAM}/settings`,
  "team-delete": `${TEAM}/delete`, board: `${TEAM}/discussions`, discussion: `${TEAM}/discussions/1`,
  inbox: "/ui/notifications?part=all", repository: "/ui/acme/pipelines", project: "/ui/orgs/acme/projects/1",
  "repository-take": "/ui/acme/pipelines?take=team&org=acme&who=core", "nothing-found": "/ui/search?q=zzzz",
  repositories: "/ui/orgs/acme/repositories", projects: "/ui/orgs/acme/projects",
  webhooks: "/ui/orgs/acme/hooks", "webhook-new": "/ui/orgs/acme/hooks/new", webhook: "/ui/orgs/acme/hooks/1",
  "webhook-edit": "/ui/orgs/acme/hooks/1/edit", "webhook-delete": "/ui/orgs/acme/hooks/1/delete",
  admin: "/ui/admin", "admin-people": "/ui/admin/people", "admin-people-none": "/ui/admin/people?q=zzzz",
  "admin-person": "/ui/admin/users/nina",
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
  assert.equal(answer.status(), 200, path);
  assert.ok((await answer.body()).length < 60_000, `${path} is too long`);
  const files = loaded.filter((one) => !one.startsWith("/ui/avatars/"));
  assert.ok(files.length <= 4, `${path} loads ${files}`);
}

async function furnish() {
  await call("PUT", "/users/olivia/site_admin", { as: "admin", body: {}, status: 204 });
  await call("POST", "/orgs/acme/repos", { body: { name: "pipelines", private: true, description: "Build and release" }, status: 201 });
  await call("PUT", "/orgs/acme/teams/core/repos/acme/pipelines", { body: { permission: "maintain" }, status: 204 });
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
};
