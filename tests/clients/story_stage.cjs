// The stage of the story: a mail server (aiosmtpd), a server of Guildhall on an empty place, a receiver of webhooks, and
// what the parts of the story ask of them.
"use strict";
const assert = require("node:assert/strict");
const fs = require("node:fs");
const http = require("node:http");
const net = require("node:net");
const os = require("node:os");
const path = require("node:path");
const { spawn, execFileSync } = require("node:child_process");
const { identityProvider } = require("./identity_provider.cjs");

const program = process.env.GUILDHALL_PROGRAM;
const where = process.env.GUILDHALL_WHERE.split("\n");
const python = process.env.GUILDHALL_PYTHON;
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), "guildhall-story-"));
const inbox = path.join(scratch, "inbox");
const children = [];
const quiet = { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] };

// What the parts share: the base address, the set-up link, the issuer of the identity provider, the tokens by login, what the
// webhook got, and how many checks there were.
const stage = { base: "", setup: "", issuer: "", tokens: {}, got: [], passed: 0, failed: 0 };

async function check(name, work) {
  try {
    await work();
    stage.passed += 1;
  } catch (error) {
    stage.failed += 1;
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
  const end = Date.now() + 120_000;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (Date.now() > end) throw new Error(`waited in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const guildhall = (...words) => execFileSync(program, [...words, ...where], quiet).trim();

// A call by olivia, the owner, unless it is said who calls.
async function call(method, target, { as = "olivia", body, status } = {}) {
  const headers = { "user-agent": "story", authorization: `token ${stage.tokens[as]}` };
  const answer = await fetch(stage.base + target, { method, headers, body: body && JSON.stringify(body) });
  const text = await answer.text();
  if (status) assert.equal(answer.status, status, `${method} ${target}: ${text}`);
  return text && JSON.parse(text);
}

function makeToken(login) {
  const scopes = "admin:org,admin:org_hook,repo,user,notifications,write:discussion";
  stage.tokens[login] = guildhall("token", "create", "--user", login, "--scopes", scopes);
}

// Makes an account with a verified address and a token.
async function account(login) {
  await call("POST", "/admin/users", { as: "admin", body: { login, email: `${login}@example.com` }, status: 201 });
  makeToken(login);
}

// Makes an account that is in the organization, and in a team if one is named.
async function member(login, { role = "member", team } = {}) {
  await account(login);
  await call("PUT", `/orgs/acme/memberships/${login}`, { body: { role }, status: 200 });
  await call("PATCH", "/user/memberships/orgs/acme", { as: login, body: { state: "active" }, status: 200 });
  if (team) await call("PUT", `/orgs/acme/teams/${team}/memberships/${login}`, { body: { role: "member" }, status: 200 });
}

// Mails, each with the name of its file, parsed by Python's own library. The names do not tell the order of arrival.
const READ = `
import email, email.policy, glob, json, sys
mails = []
for path in glob.glob(sys.argv[1] + "/new/*"):
    mail = email.message_from_binary_file(open(path, "rb"), policy=email.policy.default)
    part = lambda kind: mail.get_body((kind,)).get_content()
    mails.append({"file": path, "headers": {k.lower(): str(v) for k, v in mail.items()}, "text": part("plain"), "html": part("html"),
                  "defects": [str(d) for d in mail.defects]})
print(json.dumps(mails))`;

const mails = (folder = inbox) => JSON.parse(execFileSync(python, ["-c", READ, folder], { encoding: "utf8" }));

// One mail of each kind, with samples.
function samples() {
  const folder = path.join(scratch, "samples");
  execFileSync(path.join(path.dirname(program), "examples", "letters"), [folder], quiet);
  return mails(folder);
}

const mailTo = (address) => (mail) => mail.headers.to.includes(address);
const mailFor = (address) => until(`a mail to ${address}`, () => mails().find(mailTo(address)));
const link = (mail, below) => mail.text.match(new RegExp(`http\\S*/ui/${below}/\\S+`))[0];

// Waits until all that follows from what was done has happened. The webhook is told of a last change, so everything before
// it was planned; and no mail waits.
let changes = 0;
async function settled() {
  changes += 1;
  const description = `change ${changes}`;
  await call("PATCH", "/orgs/acme/teams/core", { body: { name: "Core", description }, status: 200 });
  const isTold = ({ payload }) => payload.action === "edited" && payload.team.description === description;
  await until("the webhook", () => stage.got.some(isTold));
  await until("an empty queue", () => guildhall("deliveries", "list", "--state", "waiting") === "");
}

// Receives webhooks; its address.
async function receiver() {
  const server = http.createServer((request, response) => {
    const parts = [];
    request.on("data", (part) => parts.push(part));
    request.on("end", () => {
      stage.got.push({ event: request.headers["x-github-event"], payload: JSON.parse(Buffer.concat(parts)) });
      response.end();
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  server.unref();
  return `http://127.0.0.1:${server.address().port}/`;
}

async function start() {
  const smtp = await freePort();
  const tls = path.join(__dirname, "..", "tls");
  const mailServer = ["-m", "aiosmtpd", "-n", "-u", "-l", `127.0.0.1:${smtp}`, "--tlscert", path.join(tls, "certificate.pem"),
    "--tlskey", path.join(tls, "key.pem"), "-c", "aiosmtpd.handlers.Mailbox", inbox];
  children.push(spawn(python, mailServer, { stdio: "inherit" }));
  const port = await freePort();
  stage.base = `http://127.0.0.1:${port}`;
  const secret = path.join(scratch, "secret");
  stage.issuer = await identityProvider(stage.base, secret);
  const settings = ["--listen", `127.0.0.1:${port}`, "--public-url", stage.base, "--webhooks-allow", "127.0.0.0/8",
    "--signin-signup", "example.net", "--signin-oidc-issuer", stage.issuer, "--signin-oidc-client-id", "guildhall",
    "--signin-oidc-client-secret-file", secret, "--signin-oidc-accounts", "create",
    "--smtp-url", `smtp://127.0.0.1:${smtp}`, "--smtp-from", "Acme Teams <teams@example.com>"];
  children.push(spawn(program, ["serve", ...settings, ...where], { stdio: ["ignore", "ignore", "inherit"] }));
  await until("the server", () => fetch(`${stage.base}/healthz`).then((answer) => answer.ok, () => false));
  stage.setup = fs.readFileSync(path.join(where[1], "setup-link"), "utf8").trim();
  stage.tokens.admin = fs.readFileSync(path.join(where[1], "admin-token"), "utf8").trim();
  const sent = () => guildhall("mail", "test", "ops@example.com", ...settings);
  await until("the mail server", () => { try { return sent(); } catch { return false; } });
}

function stop() {
  children.reverse().forEach((child) => child.kill());
  fs.rmSync(scratch, { recursive: true, force: true });
}

module.exports = {
  account, call, check, guildhall, link, mailFor, mailTo, mails, makeToken, member, receiver, samples, settled, stage, start, stop,
  until,
};
