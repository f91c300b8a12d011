// Going on to an application that redirects to a third origin, as Dex does. Chromium checks every redirect after a form.
"use strict";
const assert = require("node:assert/strict");
const http = require("node:http");
const { signIn } = require("./story_codes.cjs");
const { check, guildhall, stage } = require("./story_stage.cjs");
const { accessible, visit } = require("./story_visits.cjs");

// Answers every request; its address.
async function listens(answer) {
  const server = http.createServer(answer);
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  server.unref();
  return `http://127.0.0.1:${server.address().port}`;
}

// An application that redirects to a product, and the page with which a visit to it begins.
async function begin() {
  const product = await listens((_, response) => response.end("You are back."));
  const application = await listens(({ url }, response) => {
    response.writeHead(302, { location: `${product}${new URL(url, product).search}` }).end();
  });
  const callback = `${application}/callback`;
  const printed = guildhall("app", "create", "--name", "Broker", "--redirect-uri", callback);
  const asked = { client_id: printed.match(/client_id=(\S+)/)[1], redirect_uri: callback, scope: "read:org", state: "a&b" };
  return { product, address: `${stage.base}/login/oauth/authorize?${new URLSearchParams(asked)}` };
}

// The page has come to the product, with a code.
async function arrives(page, product) {
  await page.waitForSelector("text=You are back.");
  const { origin, searchParams } = new URL(page.url());
  assert.deepEqual([origin, searchParams.get("state")], [product, "a&b"]);
  assert.ok(searchParams.get("code"), page.url());
}

async function leaves(script) {
  const { product, address } = await begin();
  const page = await visit(guildhall("user", "sign-in", "paul", "--public-url", stage.base), { script });
  await page.click("main button");
  await page.goto(address);
  await page.click("[value=allow]");
  await arrives(page, product);
  // Paul has allowed it, so that the answer comes at once after he signs in.
  const other = await visit(address, { script });
  await signIn(other, "paul@example.com");
  await arrives(other, product);
}

// The page that leads on, kept from doing so by itself.
async function looks() {
  const { product, address } = await begin();
  const page = await visit(guildhall("user", "sign-in", "paul", "--public-url", stage.base));
  await page.click("main button");
  await page.goto(address);
  const goesOn = (url) => url.pathname === "/callback";
  await page.route(goesOn, (route) => route.abort("aborted"));
  await page.click("[value=allow]");
  await page.waitForSelector("h1:text('On to')");
  await accessible(page, "leave");
  await page.unroute(goesOn);
  await page.click("main >> text=Continue to");
  await arrives(page, product);
}

module.exports = async () => {
  await check("paul goes on to a third origin after he allows it, and after he signs in", () => leaves(true));
  await check("the same without JavaScript", () => leaves(false));
  await check("the page that leads on looks well", looks);
};
