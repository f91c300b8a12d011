// The inbox, through octokit.
"use strict";
const assert = require("node:assert/strict");
const { org, memberLogin, owner, member, check, refused, isInBase, createTeam, removeTeam, put } =
  require("./octokit_session.cjs");

async function until(look) {
  const end = Date.now() + 120_000;
  for (;;) {
    const found = await look();
    if (found) return found;
    assert.ok(Date.now() < end, "nothing arrived in the inbox");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function notices() {
  const team = await createTeam("notices", { privacy: "closed" });
  const where = { org, team_slug: team.slug };
  await put(owner, team.slug, memberLogin);
  const post = async (title) => (await owner.teams.createDiscussionInOrg({ ...where, title, body: "Hello" })).data;
  const inbox = async (more) =>
    (await member.paginate(member.activity.listNotificationsForAuthenticatedUser, more))
      .filter((thread) => thread.team.id === team.id);
  const first = await post("First");
  let thread;
  await check("a member of the team finds a post in the inbox", async () => {
    thread = await until(async () => (await inbox())[0]);
    assert.deepEqual([thread.subject.title, thread.reason, thread.unread], ["First", "subscribed", true]);
    assert.equal(thread.subject.url, first.url);
    isInBase(thread.url);
    const own = await owner.paginate(owner.activity.listNotificationsForAuthenticatedUser, { all: true });
    assert.ok(own.every((other) => other.team.id !== team.id));
  });
  const thread_id = Number(thread?.id);
  await check("a thread is read, muted and done", async () => {
    assert.equal((await member.activity.getThread({ thread_id })).data.id, thread.id);
    await refused(404, () => owner.activity.getThread({ thread_id }));
    assert.equal((await member.activity.markThreadAsRead({ thread_id })).status, 205);
    assert.deepEqual(await inbox(), []);
    assert.equal((await inbox({ all: true }))[0].unread, false);
    const muted = (await member.activity.setThreadSubscription({ thread_id, ignored: true })).data;
    assert.deepEqual([muted.subscribed, muted.ignored], [false, true]);
    assert.equal((await member.activity.getThreadSubscriptionForAuthenticatedUser({ thread_id })).data.ignored, true);
    assert.equal((await member.activity.deleteThreadSubscription({ thread_id })).status, 204);
    assert.equal((await member.request("DELETE /notifications/threads/{thread_id}", { thread_id })).status, 204);
    assert.deepEqual(await inbox({ all: true }), []);
  });
  await check("everything is read at once", async () => {
    await post("Second");
    await until(async () => (await inbox())[0]);
    assert.equal((await member.activity.markNotificationsAsRead()).status, 205);
    assert.deepEqual(await inbox(), []);
  });
  await removeTeam(team.slug, team.id);
}

module.exports = [notices];
