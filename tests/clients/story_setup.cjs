// The first start: the set-up link makes an organization and its owner, with and without JavaScript and by keyboard; its
// e-mail verifies the owner's address; and the link is gone.
"use strict";
const assert = require("node:assert/strict");
const { check, link, mailFor, stage } = require("./story_stage.cjs");
const { accessible, pressOn, typeInto, visit } = require("./story_visits.cjs");

async function withoutScripts() {
  const page = await visit(stage.setup, { script: false });
  await page.fill("#org", "founders");
  await page.fill("#login", "settings");
  await page.fill("#email", "fay@example.com");
  await page.click("main button");
  assert.match(await page.textContent("[role=alert]"), /The login settings is reserved/);
  assert.equal(await page.inputValue("#org"), "founders");
}

async function byKeyboard() {
  const page = await visit(stage.setup);
  await accessible(page, "setup");
  await typeInto(page, "Organization", "settings");
  await typeInto(page, "Your login", "fay");
  await typeInto(page, "Your e-mail address", "fay@example.com");
  await page.keyboard.press("Enter");
  await page.waitForSelector("[role=alert]");
  await accessible(page, "setup-wrong");
  await page.fill("#org", "founders");
  await pressOn(page, "Set up");
  await page.waitForSelector("text=founders is ready");
  await accessible(page, "setup-ready");
  assert.match(await page.textContent("main"), /founders\s+You are an owner/);
  await page.click("text=New organization");
  await accessible(page, "new-organization");
  await page.goto(link(await mailFor("fay@example.com"), "emails"));
  await accessible(page, "email");
  await page.click("main button");
  await page.waitForSelector("text=verified");
  await accessible(page, "email-verified");
  await page.goto(stage.setup);
  assert.match(await page.textContent("h1"), /does not work any more/);
  await accessible(page, "setup-gone");
  await page.context().close();
}

module.exports = async () => {
  await check("a wrong set-up form is explained without JavaScript", withoutScripts);
  await check("the set-up link makes an organization and its owner by keyboard", byKeyboard);
};
