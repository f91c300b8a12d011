// The unmodified server of Dex signs people in through its connector github, from the first click in a browser to the ID
// token that a product gets. Usage: dex_story.mjs PROGRAM FOLDER_OF_DEX. Reads the variables that browser.mjs reads.
import assert from "node:assert/strict";
import http from "node:http";
import { run } from "../marks.mjs";
import { base, call, end, freePort, org, register, signedIn, start } from "./browser.mjs";

// The product is where Dex sends people back.
const product = http.createServer((request, response) => response.end("back"));
await new Promise((resolve) => product.listen(0, "127.0.0.1", resolve));
const back = `http://127.0.0.1:${product.address().port}/callback`;
const address = `127.0.0.1:${await freePort()}`;
const dex = `http://${address}`;
const [program, folder] = process.argv.slice(2);

async function begin() {
  await call("POST", `/orgs/${org}/teams`, { name: "Core Team", privacy: "closed", maintainers: ["max"] });
  const { client_id: id, client_secret: secret } = register("Dex", `${dex}/callback`);
  await start(`${dex}/healthz`, program, [folder, address, back, id, secret]);
}

// Goes to the product, from there to Dex and to Guildhall. Returns the page on which that ends.
async function goes(login) {
  const page = await signedIn(login);
  const scope = "openid profile email groups offline_access";
  const asked = { client_id: "wiki", redirect_uri: back, response_type: "code", scope, state: "x" };
  await page.goto(`${dex}/auth?${new URLSearchParams(asked)}`);
  // Each person is asked the first time.
  if (page.url().startsWith(base)) await page.click("[value=allow]");
  await page.waitForURL((url) => url.href.startsWith(back) || url.href.startsWith(`${dex}/callback`));
  return page;
}

// What Dex says of a person, for a code or for a refresh token.
async function redeemed(grant) {
  const headers = { authorization: `Basic ${btoa("wiki:secret")}` };
  const answer = await fetch(`${dex}/token`, { method: "POST", headers, body: new URLSearchParams(grant) });
  const said = await answer.json();
  const claims = said.id_token && JSON.parse(Buffer.from(said.id_token.split(".")[1], "base64url"));
  return { refresh: said.refresh_token, claims };
}

async function signIn() {
  const page = await goes("max");
  const code = new URL(page.url()).searchParams.get("code");
  const { refresh, claims } = await redeemed({ grant_type: "authorization_code", code, redirect_uri: back });
  assert.deepEqual([claims.email, claims.email_verified, claims.groups], ["max@example.com", true, [`${org}:core-team`]]);
  const again = await redeemed({ grant_type: "refresh_token", refresh_token: refresh });
  assert.deepEqual(again.claims.groups, [`${org}:core-team`]);
  await call("DELETE", `/orgs/${org}/teams/core-team/memberships/max`);
  assert.equal((await redeemed({ grant_type: "refresh_token", refresh_token: again.refresh })).claims, undefined);
}

async function others() {
  for (const login of ["eve", "nina", "max"]) {
    const page = await goes(login);
    assert.ok(page.url().startsWith(`${dex}/callback`), page.url());
    assert.doesNotMatch(await page.textContent("body"), /^back$/);
  }
}

await begin();
await run({ "sign in through Dex": signIn, "refuse others at Dex": others });
await end();
product.close();
