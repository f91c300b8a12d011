// Unmodified @octokit/oauth-app, @octokit/auth-oauth-user and @octokit/auth-oauth-device sign a person in on a running server.
//
// Reads GUILDHALL_URL (base address, with or without /api/v3), GUILDHALL_MEMBER and GUILDHALL_MEMBER_TOKEN (the person, with a
// token of their own), and what oauth_person.cjs reads. Ends with "N passed, N failed".
//
// Each library makes the URL of the pages from its `baseUrl`, without /api/v3.
"use strict";
const assert = require("node:assert/strict");
const http = require("node:http");
const { Person, guildhall, register } = require("./oauth_person.cjs");

const base = process.env.GUILDHALL_URL;
const origin = new URL(base).origin;
const org = process.env.GUILDHALL_ORG;
const login = process.env.GUILDHALL_MEMBER;
const scopes = ["read:org", "user:email"];
const callback = "http://127.0.0.1/api/github/oauth/callback";
const run = `octokit ${process.pid}`;
const counts = { passed: 0, failed: 0 };
let lib, Octokit, request, person;

// Says when a part began and ended, for tests/conformance/judge.py.
const mark = (text) => console.log(`${((performance.timeOrigin + performance.now()) / 1000).toFixed(6)} ${text}`);

function fail(name, error) {
  counts.failed += 1;
  console.error(`FAILED ${name}\n${error.stack}`);
}

const check = (name, work) => work().then(() => { counts.passed += 1; }, (error) => fail(name, error));

async function part(name, work) {
  const failed = counts.failed;
  mark(`begin ${name}`);
  await work().catch((error) => fail(name, error));
  mark(counts.failed === failed ? `ok ${name}` : `FAILED ${name}: see its checks`);
}

async function load() {
  const packages = ["core", "request", "oauth-app", "oauth-methods", "auth-oauth-user", "auth-oauth-device"];
  lib = Object.assign({}, ...(await Promise.all(packages.map((name) => import(require.resolve(`@octokit/${name}`))))));
  Octokit = lib.Octokit.defaults({ baseUrl: base });
  request = lib.request.defaults({ baseUrl: base });
}

// The word of the error with which the server refuses.
async function refused(word, work) {
  await assert.rejects(work, (error) => {
    assert.equal(error.response?.data.error, word, error.stack);
    return true;
  });
}
const gone = (status, work) => assert.rejects(work, (error) => error.status === status || assert.fail(error.stack));
// The server separates granted scopes by commas, as GitHub does, and the library does not.
const granted = (authentication) => authentication.scopes.flatMap((scope) => scope.split(",")).sort();
const ids = (records) => records.map((record) => record.id).sort();

// The token stands for the person, and lists what a token of their own does.
async function actsFor(octokit) {
  const own = new Octokit({ auth: process.env.GUILDHALL_MEMBER_TOKEN });
  const user = await octokit.request("GET /user");
  assert.equal(user.data.login, login);
  assert.deepEqual(user.headers["x-oauth-scopes"].split(", ").sort(), scopes);
  for (const route of ["GET /user/teams", "GET /user/orgs"]) {
    const found = ids((await octokit.request(route)).data);
    assert.ok(found.length > 0, route);
    assert.deepEqual(found, ids((await own.request(route)).data), route);
  }
  const emails = (await octokit.request("GET /user/emails")).data;
  assert.ok(emails.some(({ email, verified }) => email === `${login}@example.com` && verified));
  await gone(404, () => octokit.request("POST /orgs/{org}/teams", { org, name: `${run} own` }));
}

// A web application made of the library's middleware; its address, and the tokens that it got.
async function webApplication(app) {
  const got = [];
  app.on("token.created", (event) => got.push(event));
  const server = http.createServer(lib.createNodeMiddleware(app));
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  server.unref();
  return { got, address: `http://127.0.0.1:${server.address().port}/api/github/oauth`, close: () => server.close() };
}

async function oauthApp() {
  const registered = register(`${run} web`, "--redirect-uri", callback, "--org", org);
  const app = new lib.OAuthApp({ ...registered, Octokit, defaultScopes: scopes });
  const site = await webApplication(app);
  const start = async () => {
    const query = new URLSearchParams({ state: "a state", redirectUrl: `${site.address}/callback` });
    const { headers } = await fetch(`${site.address}/login?${query}`, { redirect: "manual" });
    await person.open(headers.get("location"));
  };
  const finish = async () => (assert.equal(person.back().state, "a state"), fetch(person.url));
  await check("oauth-app: a person who does not allow it comes back with an error", async () => {
    await start();
    await person.press("Do not allow");
    const answer = await finish();
    assert.equal(answer.status, 400);
    assert.match((await answer.json()).error, /access_denied/);
  });
  await check("oauth-app: a person who allows it is signed in", async () => {
    await start();
    await person.press("Allow");
    const answer = await finish();
    assert.equal(answer.status, 200, await answer.clone().text());
    assert.match(await answer.text(), /Token created successfully/);
    assert.match(site.got[0].token, /^gho_/);
    assert.deepEqual(granted(site.got[0].authentication), scopes);
    await actsFor(site.got[0].octokit);
  });
  await check("oauth-app: the next time, nothing is asked", async () => {
    await start();
    assert.equal((await finish()).status, 200);
    assert.equal(site.got.length, 2);
    assert.notEqual(site.got[1].token, site.got[0].token);
  });
  const [{ token }, second] = site.got;
  await check("oauth-app: a token is checked", async () => {
    const { data, authentication } = await app.checkToken({ token });
    assert.deepEqual([data.token, data.user.login, data.app.client_id], [token, login, registered.clientId]);
    assert.deepEqual([data.app.name, granted(authentication)], [`${run} web`, scopes]);
  });
  let reset;
  await check("oauth-app: a token is reset", async () => {
    reset = (await app.resetToken({ token })).authentication.token;
    assert.match(reset, /^gho_/);
    await gone(404, () => app.checkToken({ token }));
    await gone(401, () => new Octokit({ auth: token }).request("GET /user"));
    await actsFor(await app.getUserOctokit({ token: reset }));
  });
  await check("oauth-app: a token is revoked, and the other one is not", async () => {
    assert.equal((await app.deleteToken({ token: reset })).status, 204);
    await gone(404, () => app.checkToken({ token: reset }));
    await gone(404, () => app.deleteToken({ token: reset }));
    await actsFor(second.octokit);
  });
  await check("oauth-app: another secret may do none of this", async () => {
    const other = new lib.OAuthApp({ ...registered, clientSecret: "wrong", Octokit });
    for (const method of ["checkToken", "resetToken", "deleteToken", "deleteAuthorization"])
      await gone(401, () => other[method]({ token: second.token }));
    await actsFor(second.octokit);
  });
  await check("oauth-app: when the grant is revoked, the tokens are gone and the person is asked again", async () => {
    assert.equal((await app.deleteAuthorization({ token: second.token })).status, 204);
    await gone(404, () => app.checkToken({ token: second.token }));
    await start();
    assert.match(person.page, /act for you\?/);
  });
  site.close();
}

// A code for a registered application, as the person gives it.
async function code(registered, redirectUrl = callback) {
  const options = { clientType: "oauth-app", clientId: registered.clientId, scopes, redirectUrl, state: "a state", request };
  await person.open(lib.getWebFlowAuthorizationUrl(options).url);
  if (person.page) await person.press("Allow");
  assert.equal(person.back().state, "a state");
  return person.back().code;
}

async function oauthUser() {
  const registered = register(`${run} user`, "--redirect-uri", callback, "--trusted");
  // Its hook keeps only a token that it was asked for before the first request.
  const signIn = async (more) => {
    const octokit = new Octokit({ authStrategy: lib.createOAuthUserAuth, auth: { ...registered, ...more } });
    await octokit.auth();
    return octokit;
  };
  let octokit;
  await check("auth-oauth-user: a code signs the person in", async () => {
    octokit = await signIn({ code: await code(registered) });
    await actsFor(octokit);
  });
  await check("auth-oauth-user: the token is checked and reset", async () => {
    const { token } = await octokit.auth({ type: "check" });
    const reset = await octokit.auth({ type: "reset" });
    assert.notEqual(reset.token, token);
    await gone(401, () => new Octokit({ auth: token }).request("GET /user"));
    await actsFor(octokit);
  });
  await check("auth-oauth-user: a wrong secret is refused, and does not use the code up", async () => {
    const kept = await code(registered);
    await refused("incorrect_client_credentials", () => signIn({ code: kept, clientSecret: "wrong" }));
    await actsFor(await signIn({ code: kept }));
  });
  await check("auth-oauth-user: a code for another redirect URL is refused", async () => {
    const strategy = { code: await code(registered), redirectUrl: "http://127.0.0.1/other" };
    await refused("redirect_uri_mismatch", () => signIn(strategy));
  });
  await check("auth-oauth-user: a code works once, and its second use revokes the token", async () => {
    const used = await code(registered);
    const first = await signIn({ code: used });
    await actsFor(first);
    await refused("bad_verification_code", () => signIn({ code: used }));
    await gone(401, () => first.request("GET /user"));
  });
  await check("auth-oauth-user: the token is revoked, and then the grant", async () => {
    const other = await signIn({ code: await code(registered) });
    const { token } = await other.auth();
    await other.auth({ type: "delete" });
    await gone(401, () => new Octokit({ auth: token }).request("GET /user"));
    await assert.rejects(() => other.request("GET /user"), /Token is invalid/);
    await octokit.auth({ type: "deleteAuthorization" });
    await assert.rejects(() => octokit.request("GET /user"), /Token is invalid/);
  });
}

async function typeCode(verification, button) {
  await person.open(verification.verification_uri);
  await person.press("Continue", { user_code: verification.user_code });
  await person.press(button);
}

async function oauthDevice() {
  const { clientId } = register(`${run} device`, "--device-flow", "--public", "--trusted");
  // It takes the scopes granted for others than those asked for, so its hook would ask for a code at each request.
  const connect = (onVerification, more = {}) =>
    lib.createOAuthDeviceAuth({ clientType: "oauth-app", clientId, scopes, request, onVerification, ...more })({ type: "oauth" });
  const begin = async () => (await lib.createDeviceCode({ clientType: "oauth-app", clientId, scopes, request })).data;
  const poll = ({ device_code }) => lib.exchangeDeviceCode({ clientType: "oauth-app", clientId, code: device_code, request });
  await check("auth-oauth-device: a code of the documented form is typed, and the device is signed in", async () => {
    let shown;
    const { token } = await connect(async (verification) => {
      shown = verification;
      await typeCode(verification, "Yes, connect it");
    });
    await actsFor(new Octokit({ auth: token }));
    assert.match(shown.user_code, /^[A-Z]{4}-[A-Z]{4}$/);
    assert.deepEqual([shown.verification_uri, shown.expires_in, shown.interval], [`${origin}/login/device`, 900, 5]);
  });
  await check("auth-oauth-device: it asks again at the interval while the person has not answered", async () => {
    const words = [];
    let verification;
    const hook = async (send, options) => {
      const response = await send(options);
      words.push(response.data.error);
      if (response.data.error === "authorization_pending") await typeCode(verification, "Yes, connect it");
      return response;
    };
    const { token } = await connect((shown) => { verification = shown; }, { request: request.defaults({ request: { hook } }) });
    assert.deepEqual(words, [undefined, "authorization_pending", undefined]);
    await actsFor(new Octokit({ auth: token }));
  });
  await check("auth-oauth-device: one that asks too fast is slowed down", async () => {
    const verification = await begin();
    await refused("authorization_pending", () => poll(verification));
    await assert.rejects(() => poll(verification), ({ response }) => {
      assert.deepEqual([response.data.error, response.data.interval], ["slow_down", 10]);
      return true;
    });
  });
  await check("auth-oauth-device: the device is told that the person denied it", async () => {
    await refused("access_denied", () => connect((verification) => typeCode(verification, "No, this is not me")));
  });
  await check("auth-oauth-user: a device with a secret is signed in", async () => {
    const registered = register(`${run} secret device`, "--device-flow", "--trusted");
    const onVerification = (verification) => typeCode(verification, "Yes, connect it");
    const octokit = new Octokit({ authStrategy: lib.createOAuthUserAuth, auth: { ...registered, scopes, onVerification } });
    await octokit.auth();
    await actsFor(octokit);
  });
  await check("auth-oauth-device: an application without the switch is refused, and an unknown one not found", async () => {
    const registered = register(`${run} no device`, "--redirect-uri", callback);
    const asked = (clientId) => lib.createDeviceCode({ clientType: "oauth-app", clientId, request });
    await refused("device_flow_disabled", () => asked(registered.clientId));
    await gone(404, () => asked("unknown"));
  });
}

async function main() {
  await load();
  guildhall("user", "email", login, `${login}@example.com`, "--verified");
  person = await Person.signedIn(login, origin);
  const owner = new Octokit({ auth: process.env.GUILDHALL_TOKEN });
  const { data: team } = await owner.request("POST /orgs/{org}/teams", { org, name: run, maintainers: [login] });
  await part("oauth-app", oauthApp);
  await part("auth-oauth-user", oauthUser);
  await part("auth-oauth-device", oauthDevice);
  mark("begin aside");
  await owner.request("DELETE /orgs/{org}/teams/{team_slug}", { org, team_slug: team.slug });
  mark("ok aside");
  console.log(`${counts.passed} passed, ${counts.failed} failed`);
  process.exit(counts.failed === 0 ? 0 : 1);
}

main();
