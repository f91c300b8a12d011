// An application: nina registers it, paul allows it and sees it, and revokes it; then she replaces its secret and deletes it.
"use strict";
const assert = require("node:assert/strict");
const { check, guildhall, stage } = require("./story_stage.cjs");
const { accessible, pressOn, visit } = require("./story_visits.cjs");

const app = { id: "", secret: "" };

async function signedIn(login, options) {
  const page = await visit(guildhall("user", "sign-in", login, "--public-url", stage.base), options);
  await page.click("main button");
  return page;
}

async function registers() {
  const page = await signedIn("nina");
  await page.goto(`${stage.base}/ui/settings/applications`);
  await accessible(page, "settings-applications-empty");
  await page.click("text=Register an application");
  await accessible(page, "settings-applications-new");
  await page.fill("#name", "Guild hall");
  await page.fill("#redirect_uris", "http://127.0.0.1/ui");
  await pressOn(page, "Register the application");
  await page.waitForSelector("[role=alert]");
  await accessible(page, "settings-applications-new-wrong");
  await page.fill("#name", "Rota Planner");
  await pressOn(page, "Register the application");
  app.secret = await page.textContent(".secret");
  app.id = await page.textContent(".facts code");
  await accessible(page, "settings-application-made");
}

// The token that the application gets for the code with which the browser comes back.
async function exchanged(address) {
  const fields = { client_id: app.id, client_secret: app.secret, code: new URL(address).searchParams.get("code") };
  const answer = await fetch(`${stage.base}/login/oauth/access_token`, {
    method: "POST", headers: { accept: "application/json", "user-agent": "story" }, body: new URLSearchParams(fields),
  });
  return (await answer.json()).access_token;
}

async function allowsAndRevokes() {
  const page = await signedIn("paul", { script: false });
  const seen = await visit(undefined);
  await seen.context().addCookies(await page.context().cookies());
  const asked = { client_id: app.id, redirect_uri: `${stage.base.replace("localhost", "127.0.0.1")}/ui`, scope: "read:org repo gist" };
  const address = `${stage.base}/login/oauth/authorize?${new URLSearchParams(asked)}`;
  await seen.goto(address);
  await accessible(seen, "consent");
  await page.goto(address);
  await page.click("[value=allow]");
  await page.waitForURL((url) => url.searchParams.has("code"));
  const token = await exchanged(page.url());
  const call = () => fetch(`${stage.base}/user`, { headers: { "user-agent": "story", authorization: `token ${token}` } });
  assert.equal((await call()).status, 200);
  await seen.goto(`${stage.base}/ui/settings/applications`);
  await accessible(seen, "settings-applications");
  await seen.click("li:has-text('Rota Planner') >> text=Revoke…");
  await accessible(seen, "settings-applications-revoke");
  await page.goto(`${stage.base}/ui/settings/applications`);
  await page.click("li:has-text('Rota Planner') >> text=Revoke…");
  await page.click("[value=revoke]");
  assert.match(await page.textContent("[role=status]"), /no longer acts for you/);
  assert.equal((await call()).status, 401);
}

async function replacesAndDeletes() {
  const page = await signedIn("nina", { script: false });
  const seen = await visit(undefined);
  await seen.context().addCookies(await page.context().cookies());
  await page.goto(`${stage.base}/ui/settings/applications/registered/${app.id}`);
  await page.click("[value=add]");
  assert.notEqual(await page.textContent(".secret"), app.secret);
  await seen.goto(page.url());
  await accessible(seen, "settings-application");
  await page.click("li:has-text('Older secret') >> text=Remove…");
  await seen.goto(page.url());
  await accessible(seen, "settings-application-secret");
  await page.click("[value=remove]");
  assert.match(await page.textContent("[role=status]"), /Secret removed/);
  await page.click("text=Delete Rota Planner…");
  await seen.goto(page.url());
  await accessible(seen, "settings-application-delete");
  await page.click("[value=delete]");
  assert.match(await page.textContent("[role=status]"), /Application deleted/);
}

module.exports = async () => {
  await check("nina registers an application", registers);
  await check("paul allows it and revokes it, without JavaScript", allowsAndRevokes);
  await check("nina replaces its secret and deletes it, without JavaScript", replacesAndDeletes);
};
