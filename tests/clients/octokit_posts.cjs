// Discussions, comments and reactions, through octokit.
"use strict";
const assert = require("node:assert/strict");
const { org, memberLogin, owner, member, check, refused, isInBase, createTeam, removeTeam, put } =
  require("./octokit_session.cjs");

async function discussions(me) {
  const team = await createTeam("board", { privacy: "closed" });
  const where = { org, team_slug: team.slug };
  const post = (who, title, more) => who.teams.createDiscussionInOrg({ ...where, title, body: `About *${title}*`, ...more });
  const read = async (who, discussion_number) => (await who.teams.getDiscussionInOrg({ ...where, discussion_number })).data;
  const numbers = async (who, more) => (await who.paginate(who.teams.listDiscussionsInOrg, { ...where, ...more })).map((d) => d.number);
  await check("a discussion is created whole", async () => {
    const { status, data, headers } = await post(owner, "First");
    assert.deepEqual([status, data.number, data.author.login, data.private], [201, 1, me.login, false]);
    assert.deepEqual([data.body_html, data.comments_count, data.last_edited_at], ["<p>About <em>First</em></p>", 0, null]);
    assert.equal(headers.location, data.url);
    for (const key of ["url", "team_url", "comments_url"]) isInBase(data[key]);
    assert.deepEqual((await owner.request(`GET ${data.url}`)).data, data);
  });
  await check("discussions page in both directions", async () => {
    await post(member, "Second");
    await post(owner, "Third");
    assert.deepEqual(await numbers(owner, { per_page: 2 }), [3, 2, 1]);
    assert.deepEqual(await numbers(owner, { per_page: 2, direction: "asc" }), [1, 2, 3]);
  });
  await check("private posts are for people of the team and owners", async () => {
    await post(owner, "Private", { private: true });
    await refused(404, () => read(member, 4));
    assert.deepEqual(await numbers(member), [3, 2, 1]);
    await refused(403, () => post(member, "No", { private: true }));
    await put(owner, team.slug, memberLogin);
    assert.deepEqual([(await read(member, 4)).private, (await numbers(member)).length], [true, 4]);
  });
  await check("who wrote it changes it, others do not", async () => {
    const change = (who, discussion_number, more) => who.teams.updateDiscussionInOrg({ ...where, discussion_number, ...more });
    await refused(403, () => change(member, 1, { title: "Mine" }));
    const titled = (await change(member, 2, { title: "Better" })).data;
    assert.deepEqual([titled.title, titled.body, titled.last_edited_at], ["Better", "About *Second*", null]);
    const edited = (await change(member, 2, { body: "<script>x</script>\n\n[a](javascript:x)" })).data;
    assert.deepEqual([edited.body_html, typeof edited.last_edited_at], ["<p>a</p>", "string"]);
  });
  await check("what is missing or blank is refused", async () => {
    const body = await refused(422, () => owner.teams.createDiscussionInOrg({ ...where }));
    assert.equal(body.message, 'Invalid request.\n\n"title", "body" weren\'t supplied.');
    await refused(422, () => post(owner, " "));
    await refused(404, () => read(owner, 99));
  });
  await comments(where);
  await reactions(where);
  await check("a number is not used again", async () => {
    const discussion_number = 4;
    await refused(403, () => member.teams.deleteDiscussionInOrg({ ...where, discussion_number }));
    assert.equal((await owner.teams.deleteDiscussionInOrg({ ...where, discussion_number })).status, 204);
    await refused(404, () => read(owner, discussion_number));
    assert.equal((await post(owner, "Next")).data.number, 5);
  });
  await removeTeam(team.slug, team.id);
}

async function comments(where) {
  const at = { ...where, discussion_number: 1 };
  const say = (who, body) => who.teams.createDiscussionCommentInOrg({ ...at, body });
  await check("comments are created, read, listed, changed and deleted", async () => {
    const { status, data, headers } = await say(member, "one");
    assert.deepEqual([status, data.number, headers.location], [201, 1, data.url]);
    await say(owner, "two");
    const list = async (direction) =>
      (await owner.teams.listDiscussionCommentsInOrg({ ...at, direction })).data.map((c) => c.body);
    assert.deepEqual([await list(), await list("asc")], [["two", "one"], ["one", "two"]]);
    const change = (who, comment_number) => who.teams.updateDiscussionCommentInOrg({ ...at, comment_number, body: "new" });
    assert.equal((await change(member, 1)).data.body_html, "<p>new</p>");
    await refused(403, () => change(member, 2));
    assert.equal((await owner.teams.getDiscussionInOrg(at)).data.comments_count, 2);
    assert.equal((await owner.teams.deleteDiscussionCommentInOrg({ ...at, comment_number: 1 })).status, 204);
    await refused(404, () => owner.teams.getDiscussionCommentInOrg({ ...at, comment_number: 1 }));
    assert.equal((await owner.teams.getDiscussionInOrg(at)).data.comments_count, 1);
  });
}

async function reactions(where) {
  const at = { ...where, discussion_number: 1 };
  const sums = async () => (await owner.teams.getDiscussionInOrg(at)).data.reactions;
  await check("reactions are given once, summed up, listed and taken back", async () => {
    const give = (who, content) => who.reactions.createForTeamDiscussionInOrg({ ...at, content });
    const first = await give(member, "heart");
    const again = await give(member, "heart");
    assert.deepEqual([first.status, again.status, again.data.id], [201, 200, first.data.id]);
    await give(owner, "+1");
    const { total_count, heart, "+1": plus } = await sums();
    assert.deepEqual([total_count, heart, plus], [2, 1, 1]);
    const listed = (await owner.reactions.listForTeamDiscussionInOrg({ ...at, content: "heart" })).data;
    assert.deepEqual(listed.map((r) => r.id), [first.data.id]);
    await owner.reactions.deleteForTeamDiscussion({ ...at, reaction_id: first.data.id });
    assert.equal((await sums()).total_count, 1);
    await refused(422, () => give(owner, "shrug"));
  });
  await check("comments have reactions of their own", async () => {
    const comment = { ...at, comment_number: 2 };
    const { data } = await member.reactions.createForTeamDiscussionCommentInOrg({ ...comment, content: "rocket" });
    assert.equal((await owner.teams.getDiscussionCommentInOrg(comment)).data.reactions.rocket, 1);
    assert.equal((await owner.reactions.listForTeamDiscussionCommentInOrg(comment)).data.length, 1);
    await member.reactions.deleteForTeamDiscussionComment({ ...comment, reaction_id: data.id });
    assert.equal((await sums()).total_count, 1);
  });
}

module.exports = [discussions];
