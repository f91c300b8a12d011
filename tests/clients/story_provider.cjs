// Signing in at a certified identity provider: an account that is made, one that is connected, a person who cancels, and a
// second sign-in for which the provider asks nothing, with and without JavaScript.
"use strict";
const assert = require("node:assert/strict");
const { call, check, guildhall, stage } = require("./story_stage.cjs");
const { accessible, pressOn, visit } = require("./story_visits.cjs");

const host = () => new URL(stage.issuer).host;

// Goes on to the provider, and signs in there as this person.
async function atProvider(page, name) {
  await page.waitForURL(`${stage.issuer}/**`);
  await page.fill("[name=login]", name);
  await page.fill("[name=password]", "any");
  await page.click("button[type=submit]");
  await page.click("text=Continue");
  await page.waitForURL(`${stage.base}/**`);
}

async function asNewPerson() {
  const page = await visit(`${stage.base}/ui/settings`);
  await accessible(page, "login-provider");
  await pressOn(page, `Sign in with ${host()}`);
  await atProvider(page, "ida");
  assert.equal(new URL(page.url()).pathname, "/ui/settings");
  await page.goto(`${stage.base}/ui`);
  assert.match(await page.textContent("h1"), /Hello, ida at the provider/);
  const made = await call("GET", "/users/ida", { as: "admin", status: 200 });
  assert.equal(made.email, null);
  await page.goto(`${stage.base}/ui/settings/provider`);
  await accessible(page, "settings-provider");
  // The provider still knows the person, and sends them back at once: all redirects follow one form.
  await page.click("summary");
  await page.click("nav button");
  await page.click("text=Sign in again");
  await page.click(`text=Sign in with ${host()}`);
  await page.waitForSelector("text=Hello, ida at the provider");
}

async function connected() {
  const page = await visit(guildhall("user", "sign-in", "paul", "--public-url", stage.base), { script: false });
  await page.click("main button");
  await page.goto(`${stage.base}/ui/settings`);
  await page.click("nav >> text=Identity provider");
  await page.click("text=Connect with");
  await atProvider(page, "paul elsewhere");
  await page.waitForSelector("text=Your account is connected.");
  await page.click("summary");
  await page.click("nav button");
  await page.click("text=Sign in again");
  await page.click(`text=Sign in with ${host()}`);
  await page.waitForSelector("text=Hello, paul");
  await page.goto(`${stage.base}/ui/settings/provider`);
  await page.click("text=Disconnect");
  await page.waitForSelector("text=not connected any more");
}

async function cancelled() {
  const page = await visit(`${stage.base}/login`);
  await page.click(`text=Sign in with ${host()}`);
  await page.waitForURL(`${stage.issuer}/**`);
  await page.click("text=Cancel");
  await page.waitForSelector("text=You were not signed in");
  await accessible(page, "login-provider-again");
  await page.click("main >> text=Sign in");
  assert.equal(new URL(page.url()).pathname, "/login");
}

module.exports = async () => {
  await check("ida signs in at the provider for the first time, by keyboard, and again", asNewPerson);
  await check("paul connects his account with the provider, without JavaScript, and signs in there", connected);
  await check("a person cancels at the provider", cancelled);
};
