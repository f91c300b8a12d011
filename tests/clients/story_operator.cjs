// An operator's morning on pages alone: a failing webhook is mended, a dead letter is tried again, a lost token is revoked, a
// wrong grant is taken away for an owner, and a leaving person is suspended.
"use strict";
const assert = require("node:assert/strict");
const http = require("node:http");
const { account, call, check, guildhall, stage, until } = require("./story_stage.cjs");
const { accessible, visit } = require("./story_visits.cjs");

const ORG = "harbor";

// What the webhook of the organization got.
const got = [];

// A program that takes deliveries at /right, and fails at any other address; its address.
async function program() {
  const server = http.createServer((request, response) => {
    const parts = [];
    request.on("data", (part) => parts.push(part));
    request.on("end", () => {
      const isRight = request.url === "/right";
      if (isRight) got.push(JSON.parse(Buffer.concat(parts)));
      response.writeHead(isRight ? 200 : 500).end();
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  server.unref();
  return `http://127.0.0.1:${server.address().port}`;
}

// Signs a person in with a link of the operator; their page.
async function signedIn(login) {
  const page = await visit(guildhall("user", "sign-in", login, "--public-url", stage.base));
  await page.click("main button");
  await page.waitForSelector(`text=Hello, ${login}`);
  return page;
}

const go = (page, path) => page.goto(stage.base + path);

// Begins the day: Hanna owns the organization, Leo is about to leave it, and Opal administers the site.
async function furnish() {
  for (const login of ["hanna", "leo", "noor", "opal"]) await account(login);
  await call("PUT", "/users/opal/site_admin", { as: "admin", body: {}, status: 204 });
  await call("POST", "/admin/organizations", { as: "admin", body: { login: ORG, admin: "hanna" }, status: 201 });
  const hanna = (method, path, body, status) => call(method, path, { as: "hanna", body, status });
  await hanna("PUT", `/orgs/${ORG}/memberships/leo`, {}, 200);
  await call("PATCH", `/user/memberships/orgs/${ORG}`, { as: "leo", body: { state: "active" }, status: 200 });
  await hanna("POST", `/orgs/${ORG}/teams`, { name: "Crew", privacy: "closed" }, 201);
  await hanna("POST", `/orgs/${ORG}/repos`, { name: "charts", private: true }, 201);
  await hanna("PUT", `/repos/${ORG}/charts/collaborators/noor`, { permission: "admin" }, 204);
  const address = await program();
  const config = { url: `${address}/wrong`, content_type: "json" };
  const hook = await hanna("POST", `/orgs/${ORG}/hooks`, { name: "web", config, events: ["team"] }, 201);
  await hanna("PATCH", `/orgs/${ORG}/teams/crew`, { name: "Crew", description: "Who is on board" }, 200);
  await until("a delivery that failed", async () => {
    const log = await hanna("GET", `/orgs/${ORG}/hooks/${hook.id}/deliveries`, undefined, 200);
    return log.some((one) => one.event === "team" && one.status_code === 500);
  });
  return { address, hook: hook.id };
}

// From the first room to the owner of the organization whose webhook fails, and to the webhook as this owner.
async function mendsTheWebhook(page, { address, hook }) {
  await go(page, "/ui/admin");
  await accessible(page, "operator-overview");
  await page.click(`li:has-text("Failing") >> text=${ORG}`);
  await page.click("text=Act for hanna…");
  await page.click("main button");
  await page.waitForSelector("text=Hello, hanna");
  await page.click(`main a[href$="/orgs/${ORG}/hooks/${hook}"]`);
  await page.waitForSelector(".note.bad >> text=failed");
  await page.click("a:text-is('Change')");
  await page.fill("#url", `${address}/right`);
  await page.click("button[value=receiver]");
  await page.waitForSelector("text=Saved.");
  const replay = page.locator("button[value=replay]").first();
  await replay.click();
  await page.waitForSelector(".note.good");
  await until("what the webhook missed", () => got.some(({ team }) => team?.slug === "crew"));
  await page.click(".acting button");
  await page.waitForSelector("text=Hello, opal");
}

// A delivery that is given up, because its webhook was off for a while: it waits behind a try that fails.
async function dies({ address, hook }) {
  const hanna = (method, path, body, status) => call(method, path, { as: "hanna", body, status });
  await hanna("PATCH", `/orgs/${ORG}/hooks/${hook}`, { config: { url: `${address}/wrong`, content_type: "json" } }, 200);
  await hanna("PATCH", `/orgs/${ORG}/teams/crew`, { name: "Crew", description: "Lost at sea" }, 200);
  const isOf = (word) => (line) => line.includes(` ${ORG} hook=${hook} `) && line.includes(word);
  const listed = (state, word) => guildhall("deliveries", "list", "--state", state).split("\n").some(isOf(word));
  await until("a delivery that waits", () => listed("waiting", "attempts=1"));
  await hanna("PATCH", `/orgs/${ORG}/hooks/${hook}`, { active: false }, 200);
  await until("a delivery that was given up", () => listed("dead", "team.edited"));
  await hanna("PATCH", `/orgs/${ORG}/hooks/${hook}`, { active: true, config: { url: `${address}/right`, content_type: "json" } }, 200);
}

async function triesTheDeadLetterAgain(page) {
  await go(page, "/ui/admin");
  await page.click(".note.bad a");
  await page.waitForSelector("h1 >> text=Deliveries");
  await accessible(page, "operator-deliveries");
  const line = page.locator(`li:has-text("· ${ORG}")`);
  await line.locator("a").first().click();
  await page.waitForSelector("text=The webhook was switched off.");
  await accessible(page, "operator-delivery");
  await page.click("main .title button");
  await page.waitForSelector("text=It is tried again.");
  await until("the dead letter", () => got.some(({ team }) => team?.description === "Lost at sea"));
  await go(page, "/ui/admin/deliveries?kind=hook");
  assert.equal(await page.locator(`li:has-text("· ${ORG}")`).count(), 0);
}

async function revokesTheLostToken(page) {
  const lost = stage.tokens.leo;
  await call("GET", "/user", { as: "leo", status: 200 });
  await go(page, "/ui/admin");
  await page.click("nav.tabs >> text=Tokens");
  await page.fill("#token", `Authorization: Bearer ${lost}`);
  await page.click("button[value=find]");
  await page.waitForSelector("text=It is a token of leo.");
  assert.ok(!(await page.content()).includes(lost) && !page.url().includes(lost));
  await accessible(page, "operator-token");
  await page.click("button[value=revoke]");
  await page.waitForSelector("text=The token is revoked.");
  await call("GET", "/user", { as: "leo", status: 401 });
}

async function takesTheWrongGrantAway(page) {
  await go(page, `/ui/admin/organizations/${ORG}`);
  await page.click("text=Act for hanna…");
  await page.click("main button");
  await page.waitForSelector("text=Hello, hanna");
  await go(page, `/ui/${ORG}/charts`);
  const noor = page.locator("#found li:has(a[href$='/ui/noor'])");
  await noor.locator(".paths >> text=added directly").waitFor();
  await noor.locator("summary").click();
  await noor.locator("text=Take away…").click();
  await page.click("text=Take it away from noor");
  await page.waitForSelector(".note.good");
  assert.equal(await noor.count(), 0);
  await page.click(".acting button");
  await page.waitForSelector("text=Hello, opal");
  const log = await call("GET", `/orgs/${ORG}/audit-log?phrase=action:repo.remove_member`, { as: "hanna", status: 200 });
  assert.deepEqual([log[0].actor, log[0].impersonator], ["hanna", "opal"]);
}

async function letsThePersonLeave(page) {
  const token = guildhall("token", "create", "--user", "leo", "--scopes", "repo");
  const leo = await signedIn("leo");
  await go(page, "/ui/admin/people");
  await page.fill("#q", "leo");
  await page.click("main form[role=search] button");
  await page.click("main li a[href$='/users/leo']");
  await page.click("main a[href*='ask=suspend']");
  await page.waitForSelector("h1 >> text=Suspend");
  await page.click("main button.danger");
  await page.waitForSelector(".note.good");
  const headers = { "user-agent": "story", authorization: `token ${token}` };
  assert.equal((await fetch(`${stage.base}/user`, { headers })).status, 403);
  await go(leo, "/ui");
  assert.ok(leo.url().includes("/login"), leo.url());
}

async function looksAtHealth(page) {
  await go(page, "/ui/admin/health");
  await page.click("button[value=check]");
  await page.waitForSelector("text=All is well.");
  await accessible(page, "operator-health");
  await page.fill("#email", "opal@example.com");
  await page.click("button[value=mail]");
  await page.waitForSelector("text=The mail server took the test for opal@example.com.");
}

module.exports = async () => {
  let scene;
  let page;
  await check("the operator's morning can begin", async () => {
    scene = await furnish();
    page = await signedIn("opal");
  });
  if (!page) return;
  await check("opal finds a failing webhook and mends it for its owner", () => mendsTheWebhook(page, scene));
  await check("opal tries a dead letter again", () => dies(scene).then(() => triesTheDeadLetterAgain(page)));
  await check("opal revokes a token that was lost", () => revokesTheLostToken(page));
  await check("opal takes a wrong grant away for an owner", () => takesTheWrongGrantAway(page));
  await check("opal suspends a person who leaves", () => letsThePersonLeave(page));
  await check("opal runs the checks and tests e-mail", () => looksAtHealth(page));
};
