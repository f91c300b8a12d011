// Signing in: with a code and with a link, with and without JavaScript and by keyboard; home, sessions, signing out,
// connecting a device, and the page for what is not there.
"use strict";
const assert = require("node:assert/strict");
const { code, newest } = require("./story_codes.cjs");
const { call, check, guildhall, stage } = require("./story_stage.cjs");
const { accessible, pressOn, typeInto, visit } = require("./story_visits.cjs");

async function byCode() {
  const page = await visit(`${stage.base}/ui/settings/sessions`);
  assert.equal(new URL(page.url()).pathname, "/login");
  await accessible(page, "login");
  await typeInto(page, "E-mail address", "nina@example.com");
  await page.keyboard.press("Enter");
  await page.waitForSelector("text=Enter your code");
  await accessible(page, "login-code");
  await page.fill("#code", "1234");
  await pressOn(page, "Sign in");
  await page.waitForSelector("[role=alert]");
  await accessible(page, "login-code-wrong");
  await page.fill("#code", code(await newest("nina@example.com")));
  await pressOn(page, "Sign in");
  await page.waitForSelector("text=Where you are signed in");
  assert.equal(new URL(page.url()).pathname, "/ui/settings/sessions");
  await accessible(page, "settings-sessions");
  await page.goto(`${stage.base}/ui`);
  await accessible(page, "home");
  await page.goto(`${stage.base}/ui/nothing`);
  await accessible(page, "error-404");
  await page.click("summary");
  await page.click("nav button");
  await page.waitForSelector("text=You are signed out");
  await accessible(page, "signed-out");
}

// Nina's settings, in a browser without JavaScript: an address, a token, and which e-mails she gets.
async function settings() {
  const page = await visit(guildhall("user", "sign-in", "nina", "--public-url", stage.base), { script: false });
  await page.click("main button");
  const seen = await visit(undefined);
  await seen.context().addCookies(await page.context().cookies());
  await page.goto(`${stage.base}/ui/settings/emails`);
  await page.fill("#email", "nina+new@example.com");
  await page.click("[value=add]");
  assert.match(await page.textContent("[role=status]"), /Open the link/);
  await page.click("text=Remove…");
  await page.click("[value=remove]");
  assert.match(await page.textContent("[role=status]"), /Address removed/);
  await page.goto(`${stage.base}/ui/settings/tokens`);
  await page.fill("#note", "Rota");
  await page.check("[value='read:org']");
  await page.click("[value=make]");
  const token = await page.textContent(".secret");
  const answer = await fetch(`${stage.base}/user/orgs`, { headers: { "user-agent": "story", authorization: `token ${token}` } });
  assert.equal(answer.status, 200);
  await seen.goto(`${stage.base}/ui/settings/tokens`);
  await accessible(seen, "settings-tokens-made");
  await seen.click("text=Revoke…");
  await accessible(seen, "settings-revoke");
  await seen.click("[value=revoke]");
  await seen.waitForSelector("text=Token revoked.");
  await seen.fill("#note", " ");
  await seen.click("[value=make]");
  await seen.waitForSelector("[role=alert]");
  await accessible(seen, "settings-tokens-wrong");
  await page.goto(`${stage.base}/ui/settings/notifications`);
  await page.check("[value=mentions]");
  await page.click("main form button");
  assert.ok(await page.isChecked("[value=mentions]"));
}

async function byLink() {
  const page = await visit(`${stage.base}/login`, { script: false });
  await page.fill("#email", "nina@example.com");
  await page.click("text=Send me a code");
  const mail = await newest("nina@example.com");
  const link = mail.text.match(/http\S*\/login\/link\/\S+/)[0];
  const other = await visit(link);
  assert.match(await other.textContent(".code"), new RegExp(code(mail)));
  await accessible(other, "login-link-elsewhere");
  await other.goto(`${stage.base}/ui`);
  assert.equal(new URL(other.url()).pathname, "/login");
  await page.goto(link);
  await page.click("main button");
  assert.match(await page.textContent("h1"), /Hello, nina/);
}

async function byOperator() {
  const page = await visit(guildhall("user", "sign-in", "paul", "--public-url", stage.base));
  await accessible(page, "login-link");
  await pressOn(page, "Sign in");
  await page.waitForSelector("text=Hello, paul");
  const log = await call("GET", "/admin/audit-log?phrase=action:session.create", { as: "admin", status: 200 });
  assert.equal(log[0].actor, "paul");
}

// What a program on a device without a browser sends.
async function program(path, fields) {
  const headers = { accept: "application/json", "content-type": "application/json" };
  const body = JSON.stringify({ client_id: "178c6fc778ccc68e1d6a", ...fields });
  return (await fetch(stage.base + path, { method: "POST", headers, body })).json();
}

async function device() {
  const page = await visit(guildhall("user", "sign-in", "paul", "--public-url", stage.base));
  await page.click("main button");
  await page.waitForSelector("text=Hello, paul");
  const asked = await program("/login/device/code", { scope: "repo read:org gist" });
  await page.goto(asked.verification_uri);
  await accessible(page, "device");
  await typeInto(page, "Code", "bbbb-bbbb");
  await page.keyboard.press("Enter");
  await page.waitForSelector("[role=alert]");
  await accessible(page, "device-wrong");
  await page.fill("#user_code", asked.user_code);
  await page.keyboard.press("Enter");
  await page.waitForSelector("text=Is this you?");
  await accessible(page, "device-confirm");
  await pressOn(page, "Yes, connect it");
  await page.waitForSelector("text=The device is connected");
  await accessible(page, "device-connected");
  const grant = { grant_type: "urn:ietf:params:oauth:grant-type:device_code", device_code: asked.device_code };
  const { access_token: token } = await program("/login/oauth/access_token", grant);
  const me = await fetch(`${stage.base}/user`, { headers: { "user-agent": "story", authorization: `token ${token}` } });
  assert.equal((await me.json()).login, "paul");
}

// A person with an address at the domain that may make accounts.
async function unaMakesAnAccount() {
  const page = await visit(`${stage.base}/ui/settings/sessions`);
  await typeInto(page, "E-mail address", "una@example.net");
  await page.keyboard.press("Enter");
  await page.waitForSelector("text=or may have one");
  const mail = await newest("una@example.net");
  assert.match(mail.text, /No account has this e-mail address yet/);
  await page.fill("#code", code(mail));
  await pressOn(page, "Sign in");
  await page.waitForSelector("text=Make your account");
  await accessible(page, "new-account-by-code");
  await typeInto(page, "Login", "nina");
  await page.keyboard.press("Enter");
  await page.waitForSelector("[role=alert]");
  await accessible(page, "new-account-by-code-wrong");
  await page.fill("#login", "una");
  await pressOn(page, "Make the account");
  await page.waitForSelector("text=Where you are signed in");
  assert.equal(await page.textContent("summary bdi"), "una");
}

async function ugoMakesAnAccount() {
  const page = await visit(`${stage.base}/login`, { script: false });
  await page.fill("#email", "ugo@example.net");
  await page.click("text=Send me a code");
  await page.goto((await newest("ugo@example.net")).text.match(/http\S*\/login\/link\/\S+/)[0]);
  await page.fill("#login", "ugo");
  await page.click("text=Make the account");
  assert.match(await page.textContent("main"), /What you can do now.*You are in no organization yet/s);
}

// A site administrator acts for nina, in a session that says so.
async function acting() {
  await call("PUT", "/users/paul/site_admin", { as: "admin", body: {}, status: 204 });
  const page = await visit(guildhall("user", "sign-in", "paul", "--public-url", stage.base));
  await page.click("main button");
  await page.waitForSelector("text=Hello, paul");
  await page.goto(`${stage.base}/ui/admin/users/nina/act`);
  await accessible(page, "act");
  await pressOn(page, "Act for nina");
  await page.waitForSelector("text=Hello, nina");
  await accessible(page, "home-acting");
  await page.goto(`${stage.base}/ui/settings/sessions`);
  await accessible(page, "settings-sessions-acting");
  await page.goto(`${stage.base}/ui/settings/tokens`);
  await accessible(page, "settings-tokens-acting");
  await pressOn(page, "Stop");
  await page.waitForSelector("text=Hello, paul");
  await call("DELETE", "/users/paul/site_admin", { as: "admin", status: 204 });
}

module.exports = async () => {
  await check("nina signs in with a code, by keyboard, and signs out", byCode);
  await check("nina changes her settings", settings);
  await check("nina signs in with a link, without JavaScript, in the browser that asked", byLink);
  await check("paul signs in with a link of the operator", byOperator);
  await check("paul connects a device, by keyboard", device);
  await check("una makes an account with a code, by keyboard", unaMakesAnAccount);
  await check("ugo makes an account with a link, without JavaScript", ugoMakesAnAccount);
  await check("paul acts for nina as a site administrator", acting);
};
