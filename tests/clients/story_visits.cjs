// Visits to pages in a browser (Chromium), with and without JavaScript, and what must hold on each page.
"use strict";
const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const { chromium } = require("playwright-core");
const { stage } = require("./story_stage.cjs");

const axe = fs.readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
// What pages have asked for: of this server, and of any other.
const asked = { own: 0, foreign: [] };
let browser;

async function open() {
  const args = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-dev-shm-usage", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync"];
  browser = await chromium.launch({ executablePath: process.env.GUILDHALL_CHROMIUM || "/usr/bin/chromium", args });
}

const close = () => browser?.close();

// True for visits to the identity provider, and for what its own pages load. No page of ours loads anything from there.
function ofProvider(request) {
  const url = request.isNavigationRequest() ? request.url() : request.frame().url();
  return url.startsWith(`${stage.issuer}/`);
}

// A page in a browser of its own.
async function visit(address, { script = true } = {}) {
  const context = await browser.newContext({ javaScriptEnabled: script });
  // The provider's pages name a font, which would have to come from the Internet.
  await context.route("https://fonts.googleapis.com/**", (route) => route.abort());
  const page = await context.newPage();
  page.on("request", (request) => {
    if (request.url().startsWith(`${stage.base}/`)) asked.own += 1;
    else if (!ofProvider(request)) asked.foreign.push(request.url());
  });
  if (address) await page.goto(address);
  return page;
}

// Nothing on the page is wider than the screen.
async function fits(page, here) {
  const scrolls = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  assert.ok(!scrolls, `${here} scrolls sideways`);
}

// No page may violate a rule of axe but these, or scroll sideways: light and dark, on a phone and on a desk. On a phone, what
// one touches is 24 px high, or as far from the next.
async function accessible(page, name, without = []) {
  // What a test waited for may be there before the style of the page is.
  await page.waitForLoadState("load");
  for (const colorScheme of ["light", "dark"]) {
    for (const width of [360, 1280]) {
      const here = `${name} ${colorScheme} ${width}`;
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme });
      await page.evaluate(axe);
      const touched = ["target-size", { enabled: width === 360 }];
      const rules = Object.fromEntries([touched, ...without.map((rule) => [rule, { enabled: false }])]);
      const { violations } = await page.evaluate((options) => globalThis.axe.run(options), { rules });
      assert.deepEqual(violations.map((found) => `${here}: ${found.id} ${found.nodes[0].html}`), []);
      await fits(page, here);
      if (process.env.GUILDHALL_PICTURES) {
        await page.screenshot({ path: path.join(process.env.GUILDHALL_PICTURES, `${name}-${colorScheme}-${width}.png`) });
      }
    }
  }
}

// Presses Tab until the focus is on a button of this text or a field of this label.
async function tabTo(page, text) {
  for (let presses = 0; presses < 20; presses += 1) {
    await page.keyboard.press("Tab");
    const focused = await page.evaluate(() => {
      const { labels, textContent } = document.activeElement;
      return [textContent.trim(), ...[...(labels ?? [])].map((label) => label.textContent.trim())];
    });
    if (focused.includes(text)) return;
  }
  throw new Error(`the keyboard does not reach "${text}"`);
}

async function pressOn(page, text) {
  await tabTo(page, text);
  await page.keyboard.press("Enter");
}

async function typeInto(page, label, text) {
  await tabTo(page, label);
  await page.keyboard.type(text);
}

module.exports = { accessible, asked, close, fits, open, pressOn, typeInto, visit };
