// A browser in which a person signs in to a product, the commands of the operator, and the processes of a product.
//
// Reads CLIENT_FOLDER, where playwright-core is, GUILDHALL_PROGRAM, GUILDHALL_WHERE (a line for each argument that says
// where the data is) and the variables of world.py.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import net from "node:net";
import { aside } from "../marks.mjs";

const { chromium } = createRequire(`${process.env.CLIENT_FOLDER}/`)("playwright-core");
export const { GUILDHALL_URL: api, GUILDHALL_ORG: org, GUILDHALL_TOKEN: token } = process.env;
export const base = api.replace(/\/api\/v3$/, "");
const started = [];
let browser;

// What a command of the operator prints.
export function guildhall(...words) {
  const where = process.env.GUILDHALL_WHERE.split("\n");
  const options = { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] };
  return execFileSync(process.env.GUILDHALL_PROGRAM, [...words, ...where], options).trim();
}

// Registers an application; its client ID and secret.
export function register(name, redirectUri, ...more) {
  const printed = guildhall("app", "create", "--trusted", "--name", name, "--redirect-uri", redirectUri, ...more);
  return Object.fromEntries(printed.split("\n").map((line) => line.split("=")));
}

// A call by the owner of the organization.
export const call = (method, path, body) => aside(async () => {
  const headers = { authorization: `token ${token}`, "user-agent": "story" };
  const answer = await fetch(api + path, { method, headers, body: body && JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status}`);
});

// A page of a person who is signed in at Guildhall and nowhere else.
export async function signedIn(login) {
  const args = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"];
  browser ??= await chromium.launch({ executablePath: process.env.GUILDHALL_CHROMIUM || "/usr/bin/chromium", args });
  // The certificate authority of the run is unknown to the browser.
  const context = await browser.newContext({ ignoreHTTPSErrors: true });
  const page = await context.newPage();
  await page.goto(guildhall("user", "sign-in", login, "--public-url", base));
  await page.click("main button");
  return page;
}

export async function freePort() {
  const server = net.createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  return port;
}

// Starts a product, and waits until it answers at an address.
export async function start(address, program, words, env = {}) {
  const child = spawn(program, words, { env: { ...process.env, ...env }, stdio: ["ignore", "inherit", "inherit"] });
  started.push(child);
  for (let attempts = 0; attempts < 300 && child.exitCode === null; attempts += 1) {
    if (await fetch(address).then(() => true, () => false)) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${program} does not answer`);
}

export async function end() {
  started.forEach((child) => child.kill());
  await browser?.close();
}
