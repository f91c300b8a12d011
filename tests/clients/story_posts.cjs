// Posts on a board: exactly the people of decision 37 are told, by mail and in their inboxes; and mails end by one click.
"use strict";
const assert = require("node:assert/strict");
const { account, call, check, link, mails, makeToken, member, settled } = require("./story_stage.cjs");
const { accessible, visit } = require("./story_visits.cjs");

const TABLE = `| ${"A heading | ".repeat(14)}\n|${" --- |".repeat(14)}\n| ${"something | ".repeat(14)}`;
const WIDE = `${TABLE}\n\n\`\`\`\n${"let x = a_long_name(of_something); ".repeat(12)}\n\`\`\`\n\n${"unbroken".repeat(40)}`;

const board = "/orgs/acme/teams/core/discussions";
const post = (title, body, more = {}) => call("POST", board, { ...more, body: { title, body, ...more.body }, status: 201 });
const comment = (as, body) => call("POST", `${board}/1/comments`, { as, body: { body }, status: 201 });

// Who gets mail because of what is done: login by address, with the subject behind the name of the board.
async function mailed(work) {
  const before = new Set(mails().map(({ file }) => file));
  await work();
  await settled();
  const lines = mails().filter(({ file }) => !before.has(file)).map(({ headers }) => {
    const login = headers.to.match(/([\w-]+)@example/)[1];
    return `${login}: ${headers.subject.replace("[Acmé & Söhne/Core] ", "")}`;
  });
  return lines.sort();
}

const all = (subject, ...logins) => logins.sort().map((login) => `${login}: ${subject}`);

async function inboxOf(login) {
  const threads = await call("GET", "/notifications", { as: login, status: 200 });
  return threads.map((thread) => `${thread.subject.title} ${thread.reason}`).sort();
}

// olivia wrote the first post and is on the team, as nina, paul, zoe and yara are. dora is on a team below it. carl and max
// are in the organization alone, oskar owns it, and otto is not in it.
async function people() {
  const parent = await call("GET", "/orgs/acme/teams/core", { status: 200 });
  const body = { name: "Core docs", privacy: "closed", parent_team_id: parent.id };
  await call("POST", "/orgs/acme/teams", { body, status: 201 });
  await call("DELETE", "/orgs/acme/teams/core-docs/memberships/olivia", { status: 204 });
  await member("dora", { team: "core-docs" });
  await member("carl");
  await member("max");
  await member("oskar", { role: "admin" });
  await account("otto");
  await settled();
}

async function publicPost() {
  const told = await mailed(() => post("Hello", "Welcome @max, @otto and **all**"));
  assert.deepEqual(told, all("Hello", "nina", "paul", "zoe", "yara", "dora", "max"));
  const mail = mails().find((one) => one.headers.to.includes("max@") && one.headers.subject.endsWith("Hello"));
  assert.match(mail.text, /olivia mentioned you in Acmé & Söhne \/ Core: Hello/);
}

async function participants() {
  assert.deepEqual(await mailed(() => comment("carl", "What is new?")),
    all("Re: Hello", "olivia", "nina", "paul", "zoe", "yara", "dora"));
  assert.deepEqual(await mailed(() => comment("nina", "A lot, @oskar")),
    all("Re: Hello", "olivia", "paul", "zoe", "yara", "dora", "carl", "oskar"));
}

async function privatePost() {
  const told = await mailed(() => post("Among us", "@dora, @max and @oskar", { as: "nina", body: { private: true } }));
  assert.deepEqual(told, all("Among us", "olivia", "paul", "zoe", "yara", "oskar"));
}

async function inboxes() {
  const team = ["Among us subscribed", "Hello subscribed"];
  // The tokens that they got with their accounts cannot read inboxes.
  ["zoe", "yara"].forEach(makeToken);
  const wanted = {
    olivia: ["Among us subscribed", "Hello author"], nina: ["Hello subscribed"], paul: team, zoe: team, yara: team,
    dora: ["Hello subscribed"],
    carl: ["Hello comment"], max: ["Hello mention"], oskar: ["Among us mention", "Hello mention"], otto: [],
  };
  for (const [login, threads] of Object.entries(wanted)) assert.deepEqual(await inboxOf(login), threads, login);
}

async function unsubscribing() {
  const of = (login) => mails().find((mail) => mail.headers.to.includes(`${login}@`) && mail.headers.subject.endsWith("] Hello"));
  const button = of("zoe").headers["list-unsubscribe"].slice(1, -1);
  const body = new URLSearchParams({ "List-Unsubscribe": "One-Click" });
  assert.equal((await fetch(button, { method: "POST", body })).status, 200);
  const page = await visit(link(of("nina"), "unsubscribe"));
  await accessible(page, "unsubscribe");
  await page.click("text=Mute this post");
  await page.waitForSelector("text=This post is muted.");
  await accessible(page, "unsubscribed");
  const plain = await visit(link(of("paul"), "unsubscribe"), { script: false });
  await plain.click("text=Only mail me when I am mentioned");
  assert.match(await plain.textContent("[role=status]"), /\w/);
  assert.deepEqual(await mailed(() => comment("carl", "More")), all("Re: Hello", "olivia", "yara", "dora"));
  assert.deepEqual(await mailed(() => post("Second", WIDE)), all("Second", "nina", "yara", "dora"));
}

module.exports = async () => {
  await people();
  await check("a public post reaches the team, the team below it and the people whom it mentions", publicPost);
  await check("comments reach people who took part", participants);
  await check("a private post reaches the team alone, and an owner whom it mentions", privatePost);
  await check("inboxes tell why", inboxes);
  await check("zoe ends mails by one click, nina and paul on the page", unsubscribing);
};
