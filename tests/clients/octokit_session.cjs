// What every part of the octokit test works with: who calls, what is counted, and the teams that are made.
"use strict";
const assert = require("node:assert/strict");
const { Octokit } = require("@octokit/rest");
const { Published } = require("./published.cjs");

const base = process.env.GUILDHALL_URL;
const org = process.env.GUILDHALL_ORG;
const memberLogin = process.env.GUILDHALL_MEMBER;
const outsider = process.env.GUILDHALL_OUTSIDER;
const published = new Published(process.env.GUILDHALL_DESCRIPTIONS);

// Every response that a test gets is checked against the published descriptions.
function connect(auth) {
  const octokit = new Octokit({ baseUrl: base, auth, userAgent: "guildhall-octokit-test" });
  octokit.hook.after("request", (response, { method }) => published.see(base, method, response));
  octokit.hook.error("request", (error, { method }) => {
    if (error.response) published.see(base, method, error.response);
    throw error;
  });
  return octokit;
}
const owner = connect(process.env.GUILDHALL_TOKEN);
const member = connect(process.env.GUILDHALL_MEMBER_TOKEN);
const run = `octokit-${process.pid}-${Date.now().toString(36)}`;

const counts = { passed: 0, failed: 0 };
const roots = new Set();

function fail(name, error) {
  counts.failed += 1;
  console.error(`FAILED ${name}\n${error.stack}`);
}

async function check(name, work) {
  try {
    await work();
    counts.passed += 1;
  } catch (error) {
    fail(name, error);
  }
}

async function refused(status, work) {
  try {
    await work();
  } catch (error) {
    assert.equal(error.status, status, `${error.message} (${error.status}, expected ${status})`);
    return error.response.data;
  }
  assert.fail(`accepted, expected ${status}`);
}

const same = (a, b) => a.toLowerCase() === b.toLowerCase();
const logins = (people) => people.map((p) => p.login.toLowerCase());
const isInBase = (url) => assert.ok(url.startsWith(`${base}/`), `${url} leaves ${base}`);

async function createTeam(name, more = {}) {
  const { status, data } = await owner.teams.create({ org, name: `${run} ${name}`, ...more });
  assert.equal(status, 201);
  if (!more.parent_team_id) roots.add(data.id);
  return data;
}

async function removeTeam(team_slug, id) {
  assert.equal((await owner.teams.deleteInOrg({ org, team_slug })).status, 204);
  roots.delete(id);
}

const put = (who, team_slug, username, role) =>
  who.teams.addOrUpdateMembershipForUserInOrg({ org, team_slug, username, ...(role && { role }) });
const getMembership = (who, team_slug, username) =>
  who.teams.getMembershipForUserInOrg({ org, team_slug, username });
const getTeam = async (who, team_slug) => (await who.teams.getByName({ org, team_slug })).data;

module.exports = {
  base, org, outsider, memberLogin, owner, member, published, run, counts, roots, connect, fail, check, refused, same, logins,
  isInBase, createTeam, removeTeam, put, getMembership, getTeam,
};
