// Which applications an organization lets in: paul asks on the page of consent and sees on that of a device that he has asked;
// olivia, the owner, sees the request, lets the application in and revokes it.
"use strict";
const assert = require("node:assert/strict");
const { check, guildhall, stage } = require("./story_stage.cjs");
const { accessible, pressOn, visit } = require("./story_visits.cjs");

const app = { name: "Shift Board", id: "", secret: "", token: "" };
const page = () => `${stage.base}/ui/orgs/acme/applications`;

async function signedIn(login) {
  const own = await visit(guildhall("user", "sign-in", login, "--public-url", stage.base));
  await own.click("main button");
  return own;
}

async function sent(path, fields) {
  const headers = { accept: "application/json", "user-agent": "story" };
  const answer = await fetch(stage.base + path, { method: "POST", headers, body: new URLSearchParams(fields) });
  return answer.json();
}

// The status of a request of the application for something of the organization.
async function reaches() {
  const headers = { "user-agent": "story", authorization: `token ${app.token}` };
  return (await fetch(`${stage.base}/orgs/acme/teams`, { headers })).status;
}

async function asks() {
  const uri = `${stage.base}/ui`;
  const printed = guildhall("app", "create", "--name", app.name, "--redirect-uri", uri, "--device-flow");
  [app.id, app.secret] = ["client_id", "client_secret"].map((word) => printed.match(new RegExp(`${word}=(\\S+)`))[1]);
  const paul = await signedIn("paul");
  await paul.goto(`${stage.base}/login/oauth/authorize?${new URLSearchParams({ client_id: app.id, scope: "read:org" })}`);
  await accessible(paul, "consent-asks");
  await paul.check("text=Ask the owners to let it in");
  await pressOn(paul, `Allow ${app.name}`);
  await paul.waitForURL((url) => url.searchParams.has("code"));
  const code = new URL(paul.url()).searchParams.get("code");
  app.token = (await sent("/login/oauth/access_token", { client_id: app.id, client_secret: app.secret, code })).access_token;
  assert.equal(await reaches(), 403);
  const { user_code: typed } = await sent("/login/device/code", { client_id: app.id, scope: "read:org" });
  await paul.goto(`${stage.base}/login/device`);
  await paul.fill("#user_code", typed);
  await pressOn(paul, "Continue");
  await paul.waitForSelector("text=The owners were asked.");
  await accessible(paul, "device-asked");
  assert.equal((await paul.goto(page())).status(), 404);
}

async function answers() {
  const olivia = await signedIn("olivia");
  await olivia.goto(`${stage.base}/ui`);
  await accessible(olivia, "home-asked");
  await pressOn(olivia, `See the request for ${app.name}`);
  await olivia.waitForSelector("text=asked by paul");
  await accessible(olivia, "org-applications-asked");
  await pressOn(olivia, `Let in ${app.name}`);
  assert.match(await olivia.textContent("[role=status]"), /has access now/);
  await olivia.waitForSelector(`li:has-text('${app.name}') >> text=An owner let it in · 1 person here uses it`);
  await accessible(olivia, "org-applications");
  assert.equal(await reaches(), 200);
  const { user_code: typed } = await sent("/login/device/code", { client_id: app.id, scope: "read:org" });
  await pressOn(olivia, `Revoke… ${app.name}`);
  await olivia.waitForURL(/refuse=/);
  await accessible(olivia, "org-applications-revoke");
  await pressOn(olivia, `Revoke ${app.name}`);
  assert.match(await olivia.textContent("[role=status]"), /Access refused/);
  await accessible(olivia, "org-applications-refused");
  assert.equal(await reaches(), 401);
  // On the page of a device, an owner may let it in again.
  await olivia.goto(`${stage.base}/login/device`);
  await olivia.fill("#user_code", typed);
  await pressOn(olivia, "Continue");
  await olivia.waitForSelector("text=Let it in");
  await accessible(olivia, "device-lets-in");
  await olivia.check("text=Let it in");
  await pressOn(olivia, "Yes, connect it");
  await olivia.waitForSelector("text=The device is connected");
  await olivia.goto(page());
  await olivia.waitForSelector("text=An owner let it in");
}

module.exports = async () => {
  await check("paul asks the owners, by keyboard, and does not see their page", asks);
  await check("olivia lets the application in, revokes it, and lets it in on the page of a device, by keyboard", answers);
};
