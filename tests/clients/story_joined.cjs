// What the answers to invitations have left: memberships, webhooks, the mails to the inviter, and the audit log.
"use strict";
const assert = require("node:assert/strict");
const { call, check, guildhall, mailTo, mails, stage, until } = require("./story_stage.cjs");

const JOINED = [["nina", "maintainer"], ["paul", "member"], ["zoe", "member"], ["yara", "member"]];

async function membershipsAreActive() {
  for (const [login, role] of JOINED) {
    const membership = await call("GET", `/orgs/acme/teams/core/memberships/${login}`, { status: 200 });
    assert.deepEqual([membership.state, membership.role], ["active", role], login);
  }
  assert.equal((await call("GET", "/orgs/acme/invitations", { status: 200 })).length, 2);
}

// Everything that the webhook was told, in a line each.
function told() {
  return stage.got.map(({ event, payload }) => {
    const { action, invitation, membership, member } = payload;
    const who = invitation ? invitation.login ?? invitation.email : member?.login ?? membership?.user.login;
    return [event, action, who].filter(Boolean).join(" ");
  });
}

async function webhooksAreDelivered() {
  const wanted = [
    "ping", "team created", "membership added olivia",
    ...["nina", "paul", "zoe@example.org", "yara@example.org", "yves@example.org", "quentin", "rita@example.org"].map(
      (who) => `organization member_invited ${who}`),
    ...JOINED.flatMap(([login]) => [`organization member_added ${login}`, `membership added ${login}`]),
  ];
  await until("the webhooks", () => told().length >= wanted.length);
  assert.deepEqual(told().sort(), wanted.sort());
}

async function inviterIsTold() {
  const told = () => mails().filter(mailTo("olivia@example.com"));
  await until("the mails to the inviter", () => told().length >= JOINED.length);
  const who = ["Yara Ymir (yara)", "Zoë (zoe)", "nina", "paul"];
  assert.deepEqual(told().map((mail) => mail.headers.subject).sort(), who.map((name) => `${name} joined Acmé & Söhne`));
  assert.deepEqual(new Set(told().map((mail) => mail.headers.to)), new Set(["olivia <olivia@example.com>"]));
}

async function auditIsInOrder() {
  const log = await call("GET", "/orgs/acme/audit-log?order=asc&per_page=100", { status: 200 });
  const lines = log.map((entry) => [entry.actor, entry.action, entry.user].filter(Boolean).join(" "));
  assert.deepEqual(lines, [
    "site-admin org.create",
    "site-admin org.add_member olivia",
    "olivia org.update",
    "olivia hook.create",
    "olivia team.create",
    "olivia team.add_member olivia",
    "olivia org.invite_member nina",
    "olivia org.invite_member paul",
    "olivia org.invite_member", // zoe
    "olivia org.invite_member", // yara
    ...JOINED.flatMap(([login]) => [`${login} org.add_member ${login}`, `${login} team.add_member ${login}`]),
    "olivia org.invite_member", // yves
    "org.decline_invitation",
    "olivia org.invite_member quentin",
    "olivia org.invite_member", // rita
  ]);
  const times = log.map((entry) => entry["@timestamp"]);
  assert.deepEqual(times, times.toSorted((one, other) => one - other));
  // Doctor follows the chain, and fails if an entry is missing or was changed.
  assert.match(guildhall("doctor"), /^All is well/);
}

module.exports = async () => {
  await check("memberships are active", membershipsAreActive);
  await check("webhooks are delivered", webhooksAreDelivered);
  await check("the inviter is told of each who joined", inviterIsTold);
  await check("the audit is in order, and its chain whole", auditIsInOrder);
};
