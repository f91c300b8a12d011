// Unmodified oauth2-proxy signs people in, from the first click in a browser to the page behind it.
// Usage: oauth2_proxy_story.mjs PROGRAM. Reads the variables that browser.mjs reads.
import assert from "node:assert/strict";
import http from "node:http";
import { run } from "../marks.mjs";
import { api, base, call, end, freePort, org, register, signedIn, start } from "./browser.mjs";

// The product behind the proxy says who came.
const behind = http.createServer((request, response) => {
  const { "x-forwarded-user": user, "x-forwarded-email": email, "x-forwarded-groups": groups } = request.headers;
  response.end(`Hello ${user}, ${email}, of ${groups}`);
});
await new Promise((resolve) => behind.listen(0, "127.0.0.1", resolve));
const port = await freePort();
const proxy = `http://127.0.0.1:${port}`;
const allowed = new Set();

async function begin() {
  await call("POST", `/orgs/${org}/teams`, { name: "Core Team", privacy: "closed", maintainers: ["max"] });
  const { client_id: id, client_secret: secret } = register("oauth2-proxy", `${proxy}/oauth2/callback`);
  await start(`${proxy}/ping`, process.argv[2], ["--provider=github", `--http-address=127.0.0.1:${port}`,
    `--upstream=http://127.0.0.1:${behind.address().port}/`, `--client-id=${id}`, `--client-secret=${secret}`,
    `--redirect-url=${proxy}/oauth2/callback`, `--login-url=${base}/login/oauth/authorize`,
    `--redeem-url=${base}/login/oauth/access_token`, `--validate-url=${api}`, `--github-org=${org}`,
    "--github-team=core-team", "--email-domain=*", "--cookie-secret=0123456789abcdef0123456789abcdef",
    "--cookie-secure=false"]);
}

// Goes to the product, presses the button of the proxy, and allows it the first time. Returns the page, and the status with
// which the proxy ends the sign-in.
async function goes(login) {
  const page = await signedIn(login);
  await page.goto(`${proxy}/`);
  const callback = page.waitForResponse((response) => response.url().startsWith(`${proxy}/oauth2/callback`));
  await page.click("button[type=submit]");
  if (!allowed.has(login)) await page.click("[value=allow]");
  allowed.add(login);
  const status = (await callback).status();
  await page.waitForURL((url) => url.href.startsWith(proxy));
  return { page, status };
}

async function onTheTeam() {
  const { page } = await goes("max");
  assert.equal(page.url(), `${proxy}/`);
  const text = await page.textContent("body");
  assert.match(text, /^Hello max, max@example\.com, of /);
  assert.match(text, /acme:core-team/);
}

// The proxy ends the sign-in with 500, which is its own, and the page behind it stays closed.
async function refused(login) {
  const { page, status } = await goes(login);
  assert.ok(status >= 400, `${login}: ${status}`);
  const again = await page.goto(`${proxy}/`);
  assert.equal(again.status(), 403, login);
}

async function others() {
  await refused("eve");
  await refused("nina");
}

async function whoLeft() {
  await call("DELETE", `/orgs/${org}/teams/core-team/memberships/max`);
  await refused("max");
}

await begin();
await run({ "sign in with a team": onTheTeam, "refuse others": others, "refuse a person who left": whoLeft });
await end();
behind.close();
