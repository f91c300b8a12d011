// A small application signs people in with unmodified omniauth-github, from the first click in a browser.
// Usage: omniauth_story.mjs APPLICATION. Reads the variables that browser.mjs reads.
import assert from "node:assert/strict";
import { run } from "../marks.mjs";
import { base, call, end, freePort, org, register, signedIn, start } from "./browser.mjs";

const port = await freePort();
const application = `http://127.0.0.1:${port}`;

async function begin() {
  await call("POST", `/orgs/${org}/teams`, { name: "Core Team", privacy: "closed", maintainers: ["max"] });
  const { client_id: id, client_secret: secret } = register("OmniAuth", `${application}/auth/github/callback`);
  const env = { GUILDHALL_BASE: base, CLIENT_ID: id, CLIENT_SECRET: secret, RACK_ENV: "production" };
  await start(application, "rackup", ["--server", "webrick", "--host", "127.0.0.1", "--port", `${port}`, process.argv[2]], env);
}

// Presses the button of the application, and answers if asked. Returns the status and the text with which that ends.
async function goes(login, answer) {
  const page = await signedIn(login);
  await page.goto(application);
  const isLast = (response) => response.url().startsWith(`${application}/auth/`) && response.status() !== 302;
  const last = page.waitForResponse(isLast);
  await page.click("button");
  if (answer) await page.click(`[value=${answer}]`);
  const status = (await last).status();
  await page.waitForURL((url) => url.href.startsWith(`${application}/auth/`));
  return [status, await page.textContent("body")];
}

async function signIn() {
  const [status, text] = await goes("max", "allow");
  assert.equal(status, 200, text);
  assert.match(text, /^Hello max, max@example\.com, with the ID \d+$/);
  assert.match((await goes("eve", "allow")).join(), /^403,You are not on the team/);
}

async function denied() {
  assert.deepEqual(await goes("nina", "deny"), [401, "Failed: access_denied"]);
}

async function left() {
  await call("DELETE", `/orgs/${org}/teams/core-team/memberships/max`);
  assert.equal((await goes("max"))[0], 403);
}

await begin();
await run({ "sign in with OmniAuth": signIn, "deny OmniAuth": denied, "leave and sign in with OmniAuth": left });
await end();
