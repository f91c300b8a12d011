// Webhooks, through octokit: every delivery is verified and parsed by @octokit/webhooks and fits
// @octokit/webhooks-schemas, but for two kinds that those schemas do not know.
"use strict";
const assert = require("node:assert/strict");
const http = require("node:http");
const Ajv = require("ajv");
const addFormats = require("ajv-formats");
const schemas = require("@octokit/webhooks-schemas/schema.json");
const { org, outsider, memberLogin, owner, run, connect, check, refused, createTeam, removeTeam, put } =
  require("./octokit_session.cjs");

const secret = "It's a Secret to Everybody";

// Payloads that do not fit the published schemas, each with the reason.
const EXCEPTIONS = [
  { is: (name, payload) => name === "organization" && payload.action === "member_invited" && !payload.user,
    reason: "the schema demands a user and a login, and an invitation by e-mail has neither" },
  { is: (name) => name === "meta", reason: "the schema knows hooks of repositories only" },
];

const ajv = new Ajv({ strict: false, validateSchema: false, allErrors: true });
addFormats(ajv);
ajv.addSchema(schemas, "webhooks");

function misfits(name, payload) {
  const definition = payload.action ? `${name}$${payload.action}` : `${name}$event`;
  const validate = ajv.compile({ $ref: `webhooks#/definitions/${definition}` });
  return validate(payload) ? [] : validate.errors.map((e) => `${e.instancePath} ${e.message} ${JSON.stringify(e.params)}`);
}

// A receiver that keeps what it gets, and waits until something has come.
function receiver(Webhooks) {
  const webhooks = new Webhooks({ secret });
  const parsed = [];
  webhooks.onAny((event) => parsed.push(event));
  const got = [];
  const waiting = [];
  const server = http.createServer((request, response) => {
    const parts = [];
    request.on("data", (part) => parts.push(part));
    request.on("end", async () => {
      const body = Buffer.concat(parts).toString("utf8");
      const is = (name) => request.headers[name];
      const form = is("content-type") === "application/x-www-form-urlencoded";
      const delivery = { id: is("x-github-delivery"), name: is("x-github-event"), headers: request.headers, form,
        payload: JSON.parse(form ? new URLSearchParams(body).get("payload") : body) };
      try {
        delivery.verified = await webhooks.verify(body, is("x-hub-signature-256"));
        if (!form) await webhooks.verifyAndReceive({ id: delivery.id, name: delivery.name, payload: body,
          signature: is("x-hub-signature-256") });
      } catch (error) {
        delivery.error = error;
      }
      got.push(delivery);
      response.end("thank you");
      waiting.splice(0).forEach((look) => look());
    });
  });
  async function until(wanted, what) {
    const end = Date.now() + 120_000;
    while (!wanted()) {
      assert.ok(Date.now() < end, `${what} did not come; there are ${got.map(title)}`);
      await new Promise((done) => {
        const timer = setTimeout(done, 500);
        waiting.push(() => { clearTimeout(timer); done(); });
      });
    }
  }
  const start = () => new Promise((done) => server.listen(0, "127.0.0.1", () => done(server.address().port)));
  return { got, parsed, until, start, stop: () => server.close() };
}

const title = ({ name, payload }) => (payload.action ? `${name}/${payload.action}` : name);

async function webhooks() {
  const { Webhooks } = await import(require.resolve("@octokit/webhooks"));
  const to = receiver(Webhooks);
  const port = await to.start();
  try {
    await deliveries(to, `http://127.0.0.1:${port}`);
  } finally {
    to.stop();
  }
}

async function deliveries(to, url) {
  const make = (path, content_type, events) =>
    owner.orgs.createWebhook({ org, name: "web", events, config: { url: `${url}/${path}`, content_type, secret } });
  const json = (await make("json", "json", ["*"])).data;
  const form = (await make("form", "form", ["team"])).data;
  const has = (name) => to.got.some((delivery) => title(delivery) === name && !delivery.form);
  const comes = (...names) => to.until(() => names.every(has), names.join(", "));
  await check("a new hook is pinged", () => comes("ping"));
  await check("what happens to teams, members and repositories is delivered", async () => {
    const parent = await createTeam("hook parent", { privacy: "closed", description: "It is told." });
    const child = await createTeam("hook child", { parent_team_id: parent.id });
    const repo = `${run}-hooked`;
    await owner.repos.createInOrg({ org, name: repo });
    const grant = { org, team_slug: child.slug, owner: org, repo };
    await owner.teams.addOrUpdateRepoPermissionsInOrg({ ...grant, permission: "pull" });
    await owner.teams.addOrUpdateRepoPermissionsInOrg({ ...grant, permission: "maintain" });
    await owner.teams.removeRepoInOrg(grant);
    await owner.teams.updateInOrg({ org, team_slug: parent.slug, name: parent.name, description: "It was told." });
    await put(owner, child.slug, memberLogin);
    await owner.teams.addOrUpdateRepoPermissionsInOrg({ ...grant, permission: "push" });
    await removeTeam(parent.slug, parent.id);
    await owner.repos.delete({ owner: org, repo });
    await comes("team/created", "team/added_to_repository", "team_add", "team/edited", "team/removed_from_repository",
      "membership/added", "membership/removed", "team/deleted");
    await to.until(() => to.got.some((delivery) => delivery.form && title(delivery) === "team/deleted"), "a form");
  });
  await check("what happens to people is delivered", async () => {
    const email = `${run}@example.com`;
    const invitation_id = (await owner.orgs.createInvitation({ org, email })).data.id;
    await owner.orgs.cancelInvitation({ org, invitation_id });
    await owner.orgs.setMembershipForUser({ org, username: outsider });
    const invited = connect(process.env.GUILDHALL_OUTSIDER_TOKEN);
    await invited.orgs.updateMembershipForAuthenticatedUser({ org, state: "active" });
    await owner.orgs.removeMember({ org, username: outsider });
    await comes("organization/member_invited", "organization/member_added", "organization/member_removed");
  });
  await check("a delivery is listed, shown and sent again", async () => {
    const hook = { org, hook_id: json.id };
    const { data } = await owner.orgs.listWebhookDeliveries({ ...hook, per_page: 5 });
    assert.equal(data.length, 5);
    const shown = (await owner.orgs.getWebhookDelivery({ ...hook, delivery_id: data[0].id })).data;
    assert.equal(shown.request.headers["X-GitHub-Delivery"], data[0].guid);
    assert.equal(shown.response.payload, "thank you");
    const again = await owner.request("POST /orgs/{org}/hooks/{hook_id}/deliveries/{delivery_id}/attempts",
      { ...hook, delivery_id: data[0].id });
    assert.equal(again.status, 202);
    await to.until(() => to.got.filter((delivery) => delivery.id === data[0].guid && !delivery.form).length > 1, "a redelivery");
  });
  await check("a deleted hook is told so, and nothing else", async () => {
    await owner.orgs.deleteWebhook({ org, hook_id: json.id });
    await comes("meta/deleted");
    await owner.orgs.deleteWebhook({ org, hook_id: form.id });
    await refused(404, () => owner.orgs.getWebhook({ org, hook_id: json.id }));
  });
  await check("every delivery is verified, parsed and has the published shape", async () => {
    for (const delivery of to.got) {
      assert.equal(delivery.error, undefined, `${title(delivery)}: ${delivery.error}`);
      assert.ok(delivery.verified, title(delivery));
      const sha1 = delivery.headers["x-hub-signature"];
      assert.match(sha1, /^sha1=[0-9a-f]{40}$/);
      if (EXCEPTIONS.some(({ is }) => is(delivery.name, delivery.payload))) continue;
      assert.deepEqual(misfits(delivery.name, delivery.payload), [], title(delivery));
    }
    for (const { is, reason } of EXCEPTIONS) {
      assert.ok(to.got.some(({ name, payload }) => is(name, payload) && misfits(name, payload).length > 0),
        `this needs no exception any more: ${reason}`);
    }
    assert.equal(to.parsed.length, to.got.filter((delivery) => !delivery.form).length);
  });
}

module.exports = [webhooks];
