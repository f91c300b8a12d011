// The story of two invited people, from a clean data directory: mail by a real mail server (aiosmtpd), links opened in a
// real browser (Chromium) with and without JavaScript, memberships, webhooks, the audit log, a post, notices, and the end
// of mails by one click.
"use strict";
const assert = require("node:assert/strict");
const fs = require("node:fs");
const http = require("node:http");
const net = require("node:net");
const os = require("node:os");
const path = require("node:path");
const { spawn, execFileSync } = require("node:child_process");
const { chromium } = require("playwright-core");

const program = process.env.GUILDHALL_PROGRAM;
const where = process.env.GUILDHALL_WHERE.split("\n");
const python = process.env.GUILDHALL_PYTHON;
const axe = fs.readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), "guildhall-story-"));
const inbox = path.join(scratch, "inbox");
const children = [];
let passed = 0;
let failed = 0;
let base;
let admin;

async function check(name, work) {
  try {
    await work();
    passed += 1;
  } catch (error) {
    failed += 1;
    console.error(`FAILED ${name}\n${error.stack}`);
  }
}

function freePort() {
  return new Promise((resolve) => {
    const server = net.createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

async function until(what, look) {
  const end = Date.now() + 30_000;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (Date.now() > end) throw new Error(`waited in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function call(method, target, { token = admin, body, status } = {}) {
  const headers = { "user-agent": "story", authorization: `token ${token}` };
  const answer = await fetch(base + target, { method, headers, body: body && JSON.stringify(body) });
  const text = await answer.text();
  if (status) assert.equal(answer.status, status, `${method} ${target}: ${text}`);
  return text && JSON.parse(text);
}

// The mails that arrived, parsed by Python's own library.
const READ = `
import email, email.policy, glob, json, sys
mails = []
for path in sorted(glob.glob(sys.argv[1] + "/new/*"), key=lambda p: p.split("/")[-1]):
    mail = email.message_from_binary_file(open(path, "rb"), policy=email.policy.default)
    part = lambda kind: mail.get_body((kind,)).get_content()
    mails.append({"headers": {k.lower(): str(v) for k, v in mail.items()}, "text": part("plain"), "html": part("html"),
                  "defects": [str(d) for d in mail.defects]})
print(json.dumps(mails))`;

function mails() {
  return JSON.parse(execFileSync(python, ["-c", READ, inbox], { encoding: "utf8" }));
}

const mailTo = (address) => (mail) => mail.headers.to.includes(address);
const link = (mail, below) => mail.text.match(new RegExp(`http\\S*/ui/${below}/\\S+`))[0];

async function start() {
  const smtp = await freePort();
  const tls = path.join(__dirname, "..", "tls");
  const arguments_ = ["-n", "-u", "-l", `127.0.0.1:${smtp}`, "--tlscert", path.join(tls, "certificate.pem"),
    "--tlskey", path.join(tls, "key.pem"), "-c", "aiosmtpd.handlers.Mailbox", inbox];
  children.push(spawn(python, ["-m", "aiosmtpd", ...arguments_], { stdio: "inherit" }));
  const port = await freePort();
  base = `http://127.0.0.1:${port}`;
  const settings = ["--listen", `127.0.0.1:${port}`, "--public-url", base, "--webhooks-allow", "127.0.0.0/8",
    "--smtp-url", `smtp://127.0.0.1:${smtp}`, "--smtp-from", "Acme Teams <teams@example.com>"];
  children.push(spawn(program, ["serve", ...settings, ...where], { stdio: ["ignore", "ignore", "inherit"] }));
  await until("the server", () => fetch(`${base}/healthz`).then((answer) => answer.ok, () => false));
  admin = fs.readFileSync(path.join(where[1], "admin-token"), "utf8").trim();
  const options = { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] };
  const sent = () => execFileSync(program, ["mail", "test", "ops@example.com", ...settings, ...where], options);
  await until("the mail server", () => { try { return sent(); } catch { return false; } });
}

async function receiver() {
  const got = [];
  const server = http.createServer((request, response) => {
    const parts = [];
    request.on("data", (part) => parts.push(part));
    request.on("end", () => {
      got.push({ event: request.headers["x-github-event"], payload: JSON.parse(Buffer.concat(parts)) });
      response.end();
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  server.unref();
  return { got, url: `http://127.0.0.1:${server.address().port}/` };
}

// No page may violate a rule of axe: light and dark, on a phone and on a desk.
async function accessible(page, name) {
  for (const colorScheme of ["light", "dark"]) {
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme });
      await page.evaluate(axe);
      const { violations } = await page.evaluate(() => globalThis.axe.run());
      assert.deepEqual(violations.map((found) => `${name} ${colorScheme} ${width}: ${found.id} ${found.nodes[0].html}`), []);
      const scrolls = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
      assert.ok(!scrolls, `${name} at ${width} px scrolls sideways`);
      if (process.env.GUILDHALL_PICTURES) {
        await page.screenshot({ path: path.join(process.env.GUILDHALL_PICTURES, `${name}-${colorScheme}-${width}.png`) });
      }
    }
  }
}

// Presses Tab until the focus is on this, and then Enter.
async function byKeyboard(page, text) {
  for (let presses = 0; presses < 20; presses += 1) {
    await page.keyboard.press("Tab");
    const focused = await page.evaluate(() => document.activeElement.textContent.trim());
    if (focused === text) return page.keyboard.press("Enter");
  }
  throw new Error(`the keyboard does not reach "${text}"`);
}

async function story(browser) {
  const hook = await receiver();
  await call("POST", "/admin/organizations", { body: { login: "acme", admin: "site-admin" }, status: 201 });
  await call("PATCH", "/orgs/acme", { body: { name: "Acmé & Söhne" }, status: 200 });
  for (const login of ["nina", "max"]) {
    await call("POST", "/admin/users", { body: { login, email: `${login}@example.com` }, status: 201 });
  }
  const config = { url: hook.url, content_type: "json" };
  await call("POST", "/orgs/acme/hooks", { body: { name: "web", config, events: ["*"] }, status: 201 });
  const team = await call("POST", "/orgs/acme/teams", { body: { name: "Core", privacy: "closed" }, status: 201 });
  await call("PUT", "/orgs/acme/teams/core/memberships/nina", { body: { role: "maintainer" }, status: 200 });
  await call("POST", "/orgs/acme/invitations", { body: { email: "zoe@example.org", team_ids: [team.id] }, status: 201 });

  let all;
  await check("both mails arrive at the mail server", async () => {
    all = await until("the mails", () => {
      const found = mails();
      return [mailTo("nina@example.com"), mailTo("zoe@example.org")].every((is) => found.some(is)) && found;
    });
    for (const mail of all) {
      assert.deepEqual(mail.defects, []);
      assert.equal(mail.headers.from, "Acme Teams <teams@example.com>");
      assert.equal(mail.headers["auto-submitted"], "auto-generated");
      assert.match(mail.headers["message-id"], /^<[\w.]+@localhost>$/);
    }
    assert.equal(all.find(mailTo("nina@example.com")).headers.subject, "site-admin invited you to join Acmé & Söhne");
  });

  await check("nina accepts with JavaScript, by keyboard", async () => {
    const page = await (await browser.newContext()).newPage();
    const foreign = [];
    page.on("request", (request) => request.url().startsWith(base) || foreign.push(request.url()));
    await page.goto(link(all.find(mailTo("nina@example.com")), "invitations"));
    await accessible(page, "invitation");
    await byKeyboard(page, "Accept and join");
    await page.waitForSelector("text=Welcome to Acmé & Söhne");
    await accessible(page, "welcome");
    assert.deepEqual(foreign, []);
    await page.goto(link(all.find(mailTo("nina@example.com")), "invitations"));
    assert.match(await page.textContent("h1"), /does not work any more/);
    await accessible(page, "ended");
  });

  let zoe;
  await check("zoe, who has no account, accepts without JavaScript", async () => {
    const page = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
    await page.goto(link(all.find(mailTo("zoe@example.org")), "invitations"));
    await page.fill("#login", "nina");
    await page.fill("#name", "Zoë");
    await page.click("text=Accept and join");
    assert.match(await page.textContent("[role=alert]"), /in use or was used before/);
    assert.equal(await page.inputValue("#name"), "Zoë");
    await page.fill("#login", "zoe");
    await page.click("text=Accept and join");
    zoe = (await page.textContent("#token")).trim();
    const me = await call("GET", "/user", { token: zoe, status: 200 });
    assert.deepEqual([me.login, me.name, me.email], ["zoe", "Zoë", "zoe@example.org"]);
  });

  await check("the form of a new account is accessible, also with an error", async () => {
    await call("POST", "/orgs/acme/invitations", { body: { email: "yves@example.org" }, status: 201 });
    const mail = await until("the mail", () => mails().find(mailTo("yves@example.org")));
    const page = await (await browser.newContext()).newPage();
    await page.goto(link(mail, "invitations"));
    await accessible(page, "new-account");
    await page.fill("#login", "-");
    await page.click("text=Accept and join");
    await page.waitForSelector("[role=alert]");
    await accessible(page, "wrong-login");
    await page.click("text=Decline");
    await page.waitForSelector("text=You declined the invitation");
  });

  await check("memberships are active, webhooks delivered, and the audit is in order", async () => {
    for (const [login, role] of [["nina", "maintainer"], ["zoe", "member"]]) {
      const membership = await call("GET", `/orgs/acme/teams/core/memberships/${login}`, { status: 200 });
      assert.deepEqual([membership.state, membership.role], ["active", role]);
    }
    const joined = (login) => hook.got.some(({ event, payload }) =>
      event === "membership" && payload.action === "added" && payload.member.login === login);
    await until("the webhooks", () => joined("nina") && joined("zoe"));
    const log = await call("GET", "/orgs/acme/audit-log?order=asc&per_page=100", { status: 200 });
    const of = (login) => log.filter((entry) => entry.user === login).map((entry) => entry.action);
    assert.deepEqual(of("nina"), ["org.invite_member", "org.add_member", "team.add_member"]);
    assert.deepEqual(of("zoe"), ["org.add_member", "team.add_member"]);
    const added = log.find((entry) => entry.action === "org.add_member" && entry.user === "zoe");
    assert.equal(added.actor, "zoe");
    const told = await until("the mail to the inviter", () => mails().length >= 4 && mails());
    assert.ok(!told.some((mail) => mail.headers.subject.startsWith("zoe joined") && !mail.headers.to));
  });

  await check("a post reaches exactly the people of decision 37", async () => {
    await call("POST", "/orgs/acme/teams/core/discussions", { body: { title: "Hello", body: "Welcome @max and **all**" }, status: 201 });
    const posts = () => mails().filter((mail) => mail.headers.subject.endsWith("Hello"));
    await until("the mails", () => posts().length >= 2);
    await new Promise((resolve) => setTimeout(resolve, 500));
    assert.deepEqual(posts().map((mail) => mail.headers.to).sort(), ["Zoë <zoe@example.org>", "nina <nina@example.com>"]);
    const own = execFileSync(program, ["token", "create", "--user", "nina", "--scopes", "notifications", ...where],
      { encoding: "utf8" }).trim();
    const inbox = await call("GET", "/notifications", { token: own, status: 200 });
    assert.deepEqual(inbox.map((thread) => [thread.subject.title, thread.reason]), [["Hello", "subscribed"]]);
  });

  await check("zoe ends mails by one click, and nina mutes the discussion on the page", async () => {
    const posts = mails().filter((mail) => mail.headers.subject.endsWith("Hello"));
    const of = (address) => posts.find(mailTo(address));
    const button = of("zoe@example.org").headers["list-unsubscribe"].slice(1, -1);
    const clicked = await fetch(button, { method: "POST", body: new URLSearchParams({ "List-Unsubscribe": "One-Click" }) });
    assert.equal(clicked.status, 200);
    const page = await (await browser.newContext()).newPage();
    await page.goto(link(of("nina@example.com"), "unsubscribe"));
    await accessible(page, "unsubscribe");
    await page.click("text=Mute this discussion");
    await page.waitForSelector("text=This discussion is muted.");
    await accessible(page, "unsubscribed");
    const count = mails().length;
    await call("POST", "/orgs/acme/teams/core/discussions/1/comments", { body: { body: "More" }, status: 201 });
    await call("POST", "/orgs/acme/teams/core/discussions", { body: { title: "Second", body: "x" }, status: 201 });
    await until("the mail to nina", () => mails().some((mail) => mail.headers.subject.endsWith("Second")));
    await new Promise((resolve) => setTimeout(resolve, 500));
    const after = mails().slice(count).map((mail) => [mail.headers.to, mail.headers.subject.split("] ")[1]]);
    assert.deepEqual(after, [["nina <nina@example.com>", "Second"]]);
  });
}

async function main() {
  let browser;
  await check("the story can begin", async () => {
    await start();
    const args = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-dev-shm-usage", "--no-first-run",
      "--disable-background-networking", "--disable-component-update", "--disable-sync"];
    browser = await chromium.launch({ executablePath: process.env.GUILDHALL_CHROMIUM || "/usr/bin/chromium", args });
  });
  if (browser) await check("the story has an end", () => story(browser));
  if (browser) await browser.close();
  children.reverse().forEach((child) => child.kill());
  fs.rmSync(scratch, { recursive: true, force: true });
  console.log(`${passed} passed, ${failed} failed`);
  process.exit(failed ? 1 : 0);
}

main();
