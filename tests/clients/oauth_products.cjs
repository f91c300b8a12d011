// Products that cannot run here sign a person in: the requests that today's Dex, Grafana, Gitea, Backstage and Jenkins send,
// and what each makes of the responses. Argo CD signs people in through Dex.
//
// The requests follow public source: copies of Dex's connector, of Grafana's and of a fork of the Jenkins plugin github-oauth,
// goth 1.82.0 with which Gitea signs in, and @backstage/plugin-auth-backend-module-github-provider 0.5.9 with passport-github2
// 0.1.12. None of the products runs here; ./scripts/conformance runs Backstage's authenticator.
//
// Reads GUILDHALL_URL, GUILDHALL_TOKEN (an owner), GUILDHALL_MEMBER, GUILDHALL_OUTSIDER, and what oauth_person.cjs reads.
// Ends with "N passed, N failed".
"use strict";
const assert = require("node:assert/strict");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { Person, guildhall, register } = require("./oauth_person.cjs");
const { bearer, linked, read, send, tokenIn } = require("./oauth_product.cjs");

const origin = new URL(process.env.GUILDHALL_URL).origin;
const api = `${origin}/api/v3`;
const authorizing = `${origin}/login/oauth/authorize`;
const redeeming = `${origin}/login/oauth/access_token`;
const { GUILDHALL_MEMBER: login, GUILDHALL_OUTSIDER: outsider, GUILDHALL_TOKEN: ownerToken } = process.env;
const org = `products-${process.pid}`;
const email = `${login}@example.com`;
const team = `@${org}/core-team`;
const counts = { passed: 0, failed: 0 };
const people = {};

async function check(name, work) {
  try {
    await work();
    counts.passed += 1;
  } catch (error) {
    counts.failed += 1;
    console.error(`FAILED ${name}\n${error.stack}`);
  }
}

// --- what each product does ------------------------------------------------------------------------------

// The code with which the person comes back. The person allows the product the first time.
async function code(person, app, query) {
  const state = `state-${app.redirectUri}`;
  await person.open(`${authorizing}?${new URLSearchParams({ client_id: app.clientId, ...query, state })}`);
  app.asked = person.page !== "";
  if (app.asked) await person.press("Allow");
  assert.equal(person.back().state, state);
  return person.back().code;
}

// golang.org/x/oauth2, with which Dex, Grafana and Gitea ask: it sends the credentials as Basic, and no `Accept`.
async function exchangedByGo(app, given, more = {}) {
  const basic = btoa([app.clientId, app.clientSecret].map(encodeURIComponent).join(":"));
  const form = { code: given, grant_type: "authorization_code", redirect_uri: app.redirectUri, ...more };
  return tokenIn(await send("POST", redeeming, { authorization: `Basic ${basic}`, "user-agent": "Go-http-client/1.1" }, form));
}

const asGo = (app, scopes) => ({ redirect_uri: app.redirectUri, response_type: "code", ...(scopes && { scope: scopes }) });

// The primary e-mail address, if the record of the user has none.
async function addressOf(user, token, mayBe = () => true) {
  if (user.email) return user.email;
  const { data } = await read(`${api}/user/emails`, bearer(token));
  return data.find((each) => each.primary && mayBe(each))?.email;
}

// Dex reads each list to its last page, and lets those in who are on a team of the configuration.
async function dexIdentity(token) {
  const { data: user } = await read(`${api}/user`, bearer(token));
  const address = await addressOf(user, token);
  const { status } = await read(`${api}/orgs/${org}/members/${user.login}`, bearer(token));
  assert.ok([204, 404].includes(status), `${status}`);
  const teams = status === 204 ? await linked(`${api}/user/teams`, bearer(token)) : [];
  const slugs = teams.filter((each) => each.organization.login === org).map((each) => each.slug);
  if (!slugs.includes("core-team")) throw new Error("not in required orgs or teams");
  return { login: user.login, email: address, groups: [`${org}:core-team`] };
}

async function dex(person, app) {
  const given = await code(person, app, asGo(app, "user:email read:org"));
  app.token = await exchangedByGo(app, given);
  return dexIdentity(app.token);
}

// Grafana asks for pages of 100, and allows an organization or the numbers of teams.
async function grafana(person, app) {
  const pkce = app.verifier && { code_challenge: await challenge(app.verifier), code_challenge_method: "S256" };
  const given = await code(person, app, { ...asGo(app, "user:email read:org"), ...pkce });
  const token = await exchangedByGo(app, given, app.verifier && { code_verifier: app.verifier });
  const { data: user } = await read(`${api}/user`, bearer(token));
  const teams = await linked(`${api}/user/teams?per_page=100`, bearer(token));
  const organizations = await linked(`${api}/user/orgs?per_page=100`, bearer(token));
  if (app.teamIds && !teams.some((each) => app.teamIds.includes(each.id))) throw new Error("not a member of the teams");
  if (!organizations.some((each) => each.login.toLowerCase() === org)) throw new Error("not a member of the organization");
  const groups = teams.flatMap((each) => [each.html_url, `@${each.organization.login}/${each.slug}`]);
  return { login: user.login, email: await addressOf(user, token), role: groups.includes(team) ? "Admin" : "Viewer" };
}

const challenge = async (verifier) =>
  Buffer.from(await crypto.subtle.digest("SHA-256", Buffer.from(verifier))).toString("base64url");

// Gitea asks for no scope, unless it registers new accounts by itself. Then it reads the e-mail addresses.
async function gitea(person, app) {
  const token = await exchangedByGo(app, await code(person, app, asGo(app, app.registers && "user:email")));
  const { data: user } = await read(`${api}/user`, bearer(token));
  const address = app.registers ? await addressOf(user, token, (each) => each.verified) : user.email ?? "";
  return { id: String(user.id), login: user.login, email: address };
}

// Backstage sends the credentials in the form, and keeps the token for as long as no end of it is named.
async function backstage(person, app) {
  const given = await code(person, app, { response_type: "code", redirect_uri: app.redirectUri, scope: "read:user" });
  const { clientId: client_id, clientSecret: client_secret, redirectUri: redirect_uri } = app;
  const form = { grant_type: "authorization_code", redirect_uri, client_id, client_secret, code: given };
  const answer = await send("POST", redeeming, { "user-agent": "passport-github" }, form);
  app.token = tokenIn(answer);
  assert.doesNotMatch(answer.text, /expires_in|refresh_token/);
  return backstageProfile(app.token);
}

async function backstageProfile(token) {
  const { status, data } = await read(`${api}/user`, bearer(token, "passport-github"));
  if (status === 401) throw new Error("Invalid access token");
  return { login: data.login, page: data.html_url };
}

// Jenkins names no redirect URI, exchanges the code in the query of a POST without a body, and calls a team by its name.
async function jenkins(person, app) {
  const given = await code(person, app, { scope: "read:org,user:email" });
  const query = new URLSearchParams({ client_id: app.clientId, client_secret: app.clientSecret, code: given });
  const token = tokenIn(await send("POST", `${redeeming}?${query}`, { "user-agent": "Apache-HttpClient/4.5 (Java/17)" }));
  const headers = { authorization: `token ${token}`, accept: "application/vnd.github.v3+json", "user-agent": "Java/17" };
  const { data: user } = await read(`${api}/user`, headers);
  const organizations = (await linked(`${api}/user/orgs`, headers)).map((each) => each.login);
  const teams = (await linked(`${api}/user/teams`, headers)).map((each) => `${each.organization.login}*${each.name}`);
  const { data: emails } = await read(`${api}/user/emails`, headers);
  return { login: user.login, email: emails.find((each) => each.primary)?.email, groups: [...organizations, ...teams] };
}

// --- the organization and the applications ---------------------------------------------------------------

// Core Team is the last of 33 teams, on the second page of a list of 30.
async function begin() {
  const { data: owner } = await read(`${api}/user`, bearer(ownerToken));
  const names = [...Array(32).keys()].map((each) => `Aside ${String(each).padStart(2, "0")}`);
  const teams = Object.fromEntries([...names, "Core Team"].map((each) => [each, { privacy: "closed", members: [login] }]));
  const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), "products-")), "org.yaml");
  fs.writeFileSync(file, JSON.stringify({ orgs: { [org]: { admins: [owner.login], members: [login], teams } } }));
  guildhall("import", file);
  fs.rmSync(path.dirname(file), { recursive: true });
  for (const each of [login, outsider]) {
    guildhall("user", "email", each, `${each}@example.com`, "--verified");
    people[each] = await Person.signedIn(each, origin);
  }
}

function application(name, callback, trusted = true) {
  const redirectUri = `https://${name}.example.org${callback}`;
  const registered = register(`${org} ${name}`, "--redirect-uri", redirectUri, ...(trusted ? ["--trusted"] : []));
  return { ...registered, redirectUri };
}

// Signs in once, and the second time without a question.
async function signsIn(product, app, wanted) {
  assert.deepEqual(await product(people[login], app), wanted);
  assert.equal(app.asked, true);
  assert.deepEqual(await product(people[login], app), wanted);
  assert.equal(app.asked, false);
}

async function leaves() {
  const address = `${api}/orgs/${org}/teams/core-team/memberships/${login}`;
  assert.equal((await send("DELETE", address, bearer(ownerToken))).status, 204);
}

// --- the checks -------------------------------------------------------------------------------------------

async function dexSignsIn() {
  const app = application("dex", "/callback");
  const wanted = { login, email, groups: [`${org}:core-team`] };
  await check("Dex: a person on the team signs in", () => signsIn(dex, app, wanted));
  const stored = app.token;
  await check("Dex: another person stays outside", () => assert.rejects(() => dex(people[outsider], app), /not in required/));
  await check("Dex: an organization that did not let it in shows nothing", () =>
    assert.rejects(() => dex(people[login], application("own-dex", "/callback", false)), /not in required/));
  await check("Dex: an unknown code gives an error", () =>
    assert.rejects(() => exchangedByGo(app, "unknown"), /bad_verification_code/));
  return stored;
}

async function grafanaSignsIn() {
  const address = `${api}/orgs/${org}/teams/core-team`;
  const { id } = (await read(address, bearer(ownerToken))).data;
  const app = application("grafana", "/login/github");
  await check("Grafana: a person of the organization signs in", () => signsIn(grafana, app, { login, email, role: "Admin" }));
  const verifier = "v".repeat(128);
  const withTeam = { ...application("grafana-team", "/login/github"), teamIds: [id], verifier };
  await check("Grafana: likewise with the number of a team and PKCE", () =>
    signsIn(grafana, withTeam, { login, email, role: "Admin" }));
  await check("Grafana: another person stays outside", () => assert.rejects(() => grafana(people[outsider], app), /not a member/));
  return { app, withTeam };
}

async function giteaSignsIn() {
  const { data: user } = await read(`${api}/users/${login}`, bearer(ownerToken));
  const app = application("gitea", "/user/oauth2/guildhall/callback");
  const wanted = { id: String(user.id), login, email: "" };
  await check("Gitea: a person signs in without a scope", () => signsIn(gitea, app, wanted));
  const registering = { ...application("forgejo", "/user/oauth2/guildhall/callback"), registers: true };
  await check("Gitea: a person is registered with the e-mail address", () => signsIn(gitea, registering, { ...wanted, email }));
}

async function backstageSignsIn() {
  const app = application("backstage", "/api/auth/github/handler/frame");
  await check("Backstage: a person signs in", async () => {
    const { data: user } = await read(`${api}/users/${login}`, bearer(ownerToken));
    await signsIn(backstage, app, { login, page: user.html_url });
  });
  await check("Backstage: a session is refreshed until the application is revoked", async () => {
    assert.equal((await backstageProfile(app.token)).login, login);
    guildhall("app", "revoke", app.clientId);
    await assert.rejects(() => backstageProfile(app.token), /Invalid access token/);
  });
}

async function jenkinsSignsIn() {
  const app = application("jenkins", "/securityRealm/finishLogin");
  await check("Jenkins: a person signs in, with organizations and teams as groups", async () => {
    const { groups, ...who } = await jenkins(people[login], app);
    assert.deepEqual(who, { login, email });
    assert.ok([org, `${org}*Core Team`].every((each) => groups.includes(each)), groups.join());
  });
  await check("Jenkins: another person has none of them", async () => {
    const { groups } = await jenkins(people[outsider], app);
    assert.deepEqual(groups.filter((each) => each.startsWith(org)), []);
  });
}

async function main() {
  await begin();
  const stored = await dexSignsIn();
  const { app, withTeam } = await grafanaSignsIn();
  await giteaSignsIn();
  await backstageSignsIn();
  await jenkinsSignsIn();
  await leaves();
  await check("Dex: who left the team is refused when the token is used again", () =>
    assert.rejects(() => dexIdentity(stored), /not in required/));
  await check("Grafana: who left the team loses the role, or is refused", async () => {
    assert.equal((await grafana(people[login], app)).role, "Viewer");
    await assert.rejects(() => grafana(people[login], withTeam), /not a member of the teams/);
  });
  console.log(`${counts.passed} passed, ${counts.failed} failed`);
  process.exit(counts.failed === 0 ? 0 : 1);
}

main();
