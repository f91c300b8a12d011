// An unmodified @octokit/rest 18 manages teams on a running server.
//
// Reads GUILDHALL_URL (base address, with or without /api/v3), GUILDHALL_DESCRIPTIONS (see published.cjs), GUILDHALL_ORG, GUILDHALL_TOKEN (an owner's),
// GUILDHALL_MEMBER and GUILDHALL_MEMBER_TOKEN (a plain member), GUILDHALL_OUTSIDER (a registered person outside
// the organization) and GUILDHALL_OUTSIDER_TOKEN. Ends with "N passed, N failed". All teams it makes bear a name of
// their own and are deleted.
"use strict";
const assert = require("node:assert/strict");
const { Octokit } = require("@octokit/rest");
const {
  base, org, outsider, memberLogin, owner, member, published, run, counts, roots, connect, fail, check, refused, same, logins,
  isInBase, createTeam, removeTeam, put, getMembership, getTeam,
} = require("./octokit_session.cjs");

async function startCalls(me) {
  await check("the root, /meta and /rate_limit answer", async () => {
    assert.equal((await owner.request("GET /")).status, 200);
    assert.equal((await owner.meta.get()).status, 200);
    const { data } = await owner.rateLimit.get();
    assert.ok(Number.isInteger(data.rate.limit) && Number.isInteger(data.resources.core.remaining));
  });
  await check("the owner and the member are who their tokens say", async () => {
    assert.equal(me.type, "User");
    assert.ok(Number.isInteger(me.id));
    assert.ok(same((await member.users.getAuthenticated()).data.login, memberLogin));
    assert.equal((await owner.users.getByUsername({ username: me.login.toUpperCase() })).data.id, me.id);
  });
  await check("the organization is an organization and a user", async () => {
    const { data } = await owner.orgs.get({ org });
    assert.equal(data.login, org);
    isInBase(data.url);
    const asUser = (await owner.users.getByUsername({ username: org })).data;
    assert.deepEqual([asUser.type, asUser.id], ["Organization", data.id]);
    assert.ok((await owner.paginate(owner.orgs.listForAuthenticatedUser)).some((o) => o.id === data.id));
  });
  await check("a wrong token is 401 in the recorded words", async () => {
    const body = await refused(401, () => connect("ghp_wrong").users.getAuthenticated());
    assert.equal(body.message, "Bad credentials");
    await refused(401, () => new Octokit({ baseUrl: base }).users.getAuthenticated());
  });
}

async function auditLog(me) {
  await check("the audit log pages by cursors", async () => {
    const search = (more) => owner.paginate("GET /orgs/{org}/audit-log", { org, ...more });
    const all = await search({ per_page: 20 });
    const ids = all.map((entry) => entry._document_id);
    assert.equal(new Set(ids).size, ids.length);
    const oldest = await search({ order: "asc", include: "all", per_page: 100 });
    assert.deepEqual(oldest.map((entry) => entry._document_id).reverse(), ids);
    const found = await search({ phrase: `-action:team actor:${me.login}`, per_page: 3 });
    const expected = all.filter((entry) => entry.actor === me.login && !entry.action.startsWith("team."));
    assert.deepEqual(found, expected);
    await refused(403, () => member.request("GET /orgs/{org}/audit-log", { org }));
    await refused(422, () => owner.request("GET /orgs/{org}/audit-log", { org, phrase: me.login }));
  });
}

async function orgMembers(me) {
  await check("organization members page and filter by role", async () => {
    const all = await owner.paginate(owner.orgs.listMembers, { org, per_page: 10 });
    assert.equal(new Set(logins(all)).size, all.length);
    assert.ok(all.length > 20 && logins(all).includes(memberLogin.toLowerCase()));
    assert.ok(!logins(all).includes(outsider.toLowerCase()));
    const admins = logins(await owner.paginate(owner.orgs.listMembers, { org, role: "admin" }));
    assert.ok(admins.includes(me.login.toLowerCase()) && !admins.includes(memberLogin.toLowerCase()));
    const plain = await owner.paginate(owner.orgs.listMembers, { org, role: "member" });
    assert.equal(admins.length + plain.length, all.length);
  });
  await check("membership of the organization is checked", async () => {
    assert.equal((await owner.orgs.checkMembershipForUser({ org, username: memberLogin })).status, 204);
    await refused(404, () => owner.orgs.checkMembershipForUser({ org, username: outsider }));
    const { data } = await owner.orgs.getMembershipForUser({ org, username: me.login });
    assert.deepEqual([data.state, data.role, data.organization.login], ["active", "admin", org]);
  });
}

async function createAndRead(me) {
  const name = `${run} Nämé & Co.`;
  const slug = `${run}-name-co`;
  await check("create answers with the whole record", async () => {
    const { status, data, headers } = await owner.teams.create({ org, name, description: "first", maintainers: [memberLogin] });
    roots.add(data.id);
    assert.equal(status, 201);
    isInBase(headers.location);
    assert.deepEqual([data.name, data.slug, data.description], [name, slug, "first"]);
    assert.deepEqual([data.privacy, data.permission, data.parent], ["secret", "pull", null]);
    assert.deepEqual([data.members_count, data.repos_count, data.organization.login], [2, 0, org]);
    for (const key of ["url", "members_url", "repositories_url"]) isInBase(data[key]);
    for (const key of ["node_id", "html_url", "created_at", "updated_at"]) assert.equal(typeof data[key], "string", key);
  });
  await check("the record is the same by slug, by url and in the list", async () => {
    const data = await getTeam(owner, slug);
    assert.equal((await owner.request(`GET ${data.url}`)).data.id, data.id);
    const listed = (await owner.paginate(owner.teams.list, { org, per_page: 100 })).find((t) => t.slug === slug);
    assert.deepEqual([listed.id, listed.url, listed.privacy], [data.id, data.url, "secret"]);
    assert.equal((await getMembership(owner, slug, me.login)).data.role, "maintainer");
    assert.equal((await getMembership(owner, slug, memberLogin)).data.role, "maintainer");
  });
  await check("an entity tag answers 304", async () => {
    const { headers } = await owner.teams.getByName({ org, team_slug: slug });
    const again = owner.teams.getByName({ org, team_slug: slug, headers: { "if-none-match": headers.etag } });
    await assert.rejects(again, (error) => error.status === 304);
  });
  await check("delete deletes", async () => {
    await removeTeam(slug, (await getTeam(owner, slug)).id);
    assert.equal((await refused(404, () => getTeam(owner, slug))).message, "Not Found");
    await refused(404, () => owner.teams.deleteInOrg({ org, team_slug: slug }));
  });
}

async function errors() {
  await check("a missing name is 422 without errors", async () => {
    const body = await refused(422, () => owner.teams.create({ org }));
    assert.equal(body.message, 'Invalid request.\n\n"name" wasn\'t supplied.');
    assert.equal(body.errors, undefined);
    assert.equal(typeof body.documentation_url, "string");
  });
  await check("a name that is taken is 422 with the recorded error", async () => {
    const team = await createTeam("taken");
    const body = await refused(422, () => owner.teams.create({ org, name: team.name.toUpperCase() }));
    assert.equal(body.message, "Validation Failed");
    const [{ resource, code, field, message }] = body.errors;
    assert.deepEqual([resource, code, field, message], ["Team", "unprocessable", "data", "Name must be unique for this org"]);
    await removeTeam(team.slug, team.id);
  });
  await check("unknown team, organization and person are 404", async () => {
    await refused(404, () => getTeam(owner, `${run}-nowhere`));
    await refused(404, () => owner.teams.list({ org: `${run}`.slice(0, 39) }));
    const team = await createTeam("errors");
    await refused(404, () => put(owner, team.slug, "nobody-of-that-name"));
    await refused(404, () => getMembership(owner, team.slug, memberLogin));
    await refused(422, () => put(owner, team.slug, org));
    await refused(422, () => put(owner, team.slug, memberLogin, "captain"));
    await removeTeam(team.slug, team.id);
  });
}

async function nesting() {
  const parent = await createTeam("parent", { privacy: "closed" });
  const child = await createTeam("child", { parent_team_id: parent.id });
  await check("a child is closed and knows its parent", async () => {
    assert.deepEqual([child.privacy, child.parent.id, child.parent.slug], ["closed", parent.id, parent.slug]);
    const { data } = await owner.teams.listChildInOrg({ org, team_slug: parent.slug });
    assert.deepEqual(data.map((t) => t.id), [child.id]);
  });
  await check("secret teams have neither parent nor children", async () => {
    await refused(422, () => createTeam("secret child", { parent_team_id: parent.id, privacy: "secret" }));
    await refused(422, () => owner.teams.updateInOrg({ org, team_slug: parent.slug, name: parent.name, privacy: "secret" }));
    await refused(422, () => owner.teams.updateInOrg({ org, team_slug: parent.slug, name: parent.name, parent_team_id: child.id }));
    assert.equal((await getTeam(owner, parent.slug)).privacy, "closed");
  });
  await check("members of a child are members of the parent, inherited", async () => {
    await put(owner, child.slug, memberLogin);
    const { data } = await owner.teams.listMembersInOrg({ org, team_slug: parent.slug });
    const inherited = data.find((p) => same(p.login, memberLogin));
    assert.equal(inherited.inherited, true);
    assert.equal((await getMembership(owner, parent.slug, memberLogin)).data.state, "active");
    assert.equal((await getTeam(owner, parent.slug)).members_count, 1);
  });
  await check("null detaches, absent does not", async () => {
    const change = (more) => owner.teams.updateInOrg({ org, team_slug: child.slug, name: child.name, ...more });
    assert.equal((await change({ description: "kept" })).data.parent.id, parent.id);
    assert.equal((await change({ parent_team_id: null })).data.parent, null);
    assert.deepEqual((await owner.teams.listChildInOrg({ org, team_slug: parent.slug })).data, []);
    assert.equal((await change({ parent_team_id: parent.id })).data.parent.id, parent.id);
  });
  await check("deleting a parent deletes its children", async () => {
    await removeTeam(parent.slug, parent.id);
    await refused(404, () => getTeam(owner, child.slug));
  });
}

async function renaming() {
  const team = await createTeam("before", { privacy: "closed" });
  const old = team.slug;
  const renamed = (await owner.teams.updateInOrg({ org, team_slug: old, name: `${run} after` })).data;
  await check("renaming changes the slug and nothing else", async () => {
    assert.deepEqual([renamed.slug, renamed.id, renamed.url], [`${run}-after`, team.id, team.url]);
  });
  await check("reads by the old slug are redirected", async () => {
    const answer = await owner.teams.getByName({ org, team_slug: old });
    assert.deepEqual([answer.data.id, answer.url], [team.id, team.url]);
    const people = await owner.teams.listMembersInOrg({ org, team_slug: old, per_page: 5 });
    assert.equal(people.data.length, 1);
  });
  await check("writes by the old slug are refused", async () => {
    await refused(404, () => owner.teams.updateInOrg({ org, team_slug: old, name: "stale" }));
    await refused(404, () => put(owner, old, memberLogin));
    await refused(404, () => owner.teams.deleteInOrg({ org, team_slug: old }));
  });
  await removeTeam(renamed.slug, team.id);
}

async function fillAndEmpty(me) {
  const team = await createTeam("filled", { privacy: "closed" });
  const people = logins(await owner.paginate(owner.orgs.listMembers, { org })).slice(0, 45);
  if (!people.includes(me.login.toLowerCase())) people[0] = me.login.toLowerCase();
  await check("a team is filled and listed over pages", async () => {
    for (const username of people) {
      const { status, data } = await put(owner, team.slug, username);
      assert.deepEqual([status, data.state], [200, "active"]);
    }
    const listed = await owner.paginate(owner.teams.listMembersInOrg, { org, team_slug: team.slug, per_page: 10 });
    assert.deepEqual(logins(listed).sort(), [...people].sort());
    assert.deepEqual(listed.map((p) => p.id), listed.map((p) => p.id).sort((a, b) => a - b));
    assert.equal((await getTeam(owner, team.slug)).members_count, people.length);
  });
  await check("roles split the list and owners are maintainers", async () => {
    const list = (role) => owner.paginate(owner.teams.listMembersInOrg, { org, team_slug: team.slug, role });
    const maintainers = logins(await list("maintainer"));
    assert.ok(maintainers.includes(me.login.toLowerCase()));
    assert.equal(maintainers.length + (await list("member")).length, people.length);
  });
  await check("a team is emptied", async () => {
    for (const username of people) {
      assert.equal((await owner.teams.removeMembershipForUserInOrg({ org, team_slug: team.slug, username })).status, 204);
    }
    assert.deepEqual((await owner.teams.listMembersInOrg({ org, team_slug: team.slug })).data, []);
    assert.equal((await getTeam(owner, team.slug)).members_count, 0);
    await refused(404, () => getMembership(owner, team.slug, people[0]));
  });
  await removeTeam(team.slug, team.id);
}

async function pages() {
  const parent = await createTeam("pages", { privacy: "closed" });
  const before = (await owner.paginate(owner.teams.list, { org, per_page: 100 })).length;
  const wanted = [];
  await check("105 child teams are created", async () => {
    for (let n = 100; n < 205; n += 1) wanted.push((await createTeam(`page ${n}`, { parent_team_id: parent.id })).id);
  });
  const where = { org, team_slug: parent.slug };
  await check("pages of every size give each child once, by name", async () => {
    for (const per_page of [7, 30, 100]) {
      const ids = (await owner.paginate(owner.teams.listChildInOrg, { ...where, per_page })).map((t) => t.id);
      assert.deepEqual(ids, wanted, `per_page ${per_page}`);
    }
    let turns = 0;
    for await (const page of owner.paginate.iterator(owner.teams.listChildInOrg, where)) {
      assert.equal(page.data.length, turns < 3 ? 30 : 15);
      turns += 1;
    }
    assert.equal(turns, 4);
  });
  await check("Link names prev, next, last and first, within the base", async () => {
    const { headers } = await owner.teams.listChildInOrg({ ...where, page: 2 });
    const links = headers.link.split(", ").map((part) => /^<([^>]+)>; rel="(\w+)"$/.exec(part));
    assert.deepEqual(links.map((l) => l[2]), ["prev", "next", "last", "first"]);
    assert.deepEqual(links.map((l) => new URL(l[1]).searchParams.get("page")), ["1", "3", "4", "1"]);
    links.forEach((l) => isInBase(l[1]));
  });
  await check("beyond the end is empty, and more than 100 is 100", async () => {
    assert.deepEqual((await owner.teams.listChildInOrg({ ...where, page: 9 })).data, []);
    assert.equal((await owner.teams.listChildInOrg({ ...where, per_page: 1000 })).data.length, 100);
  });
  await check("the organization's list has them and loses them with their parent", async () => {
    assert.equal((await owner.paginate(owner.teams.list, { org, per_page: 30 })).length, before + 105);
    await removeTeam(parent.slug, parent.id);
    assert.equal((await owner.paginate(owner.teams.list, { org, per_page: 30 })).length, before - 1);
  });
}

async function privacy() {
  const secret = await createTeam("hidden", { privacy: "secret" });
  const closed = await createTeam("open door", { privacy: "closed" });
  const mine = async () => (await member.paginate(member.teams.listForAuthenticatedUser, { per_page: 10 })).map((t) => t.id);
  await check("a member sees closed teams and no secret one", async () => {
    const seen = (await member.paginate(member.teams.list, { org, per_page: 100 })).map((t) => t.id);
    assert.ok(seen.includes(closed.id) && !seen.includes(secret.id));
    await refused(404, () => getTeam(member, secret.slug));
    await refused(404, () => getMembership(member, secret.slug, memberLogin));
    assert.equal((await getTeam(member, closed.slug)).id, closed.id);
  });
  await check("a member of a team sees it and may not change it", async () => {
    assert.deepEqual((await put(owner, secret.slug, memberLogin)).data.role, "member");
    assert.equal((await getTeam(member, secret.slug)).id, secret.id);
    const [record] = (await member.paginate(member.teams.listForAuthenticatedUser)).filter((t) => t.id === secret.id);
    assert.equal(record.organization.login, org);
    await refused(403, () => member.teams.updateInOrg({ org, team_slug: secret.slug, name: secret.name }));
    await refused(403, () => put(member, secret.slug, memberLogin, "maintainer"));
    await refused(403, () => member.teams.deleteInOrg({ org, team_slug: secret.slug }));
  });
  await check("a maintainer may change it but brings in nobody new", async () => {
    assert.equal((await put(owner, secret.slug, memberLogin, "maintainer")).data.role, "maintainer");
    const change = { org, team_slug: secret.slug, name: secret.name, description: "mine" };
    assert.equal((await member.teams.updateInOrg(change)).data.description, "mine");
    const body = await refused(422, () => put(member, secret.slug, outsider));
    assert.equal(body.errors[0].code, "no_permission");
    assert.ok((await mine()).includes(secret.id));
  });
  await check("who leaves a secret team sees it no more", async () => {
    await member.teams.removeMembershipForUserInOrg({ org, team_slug: secret.slug, username: memberLogin });
    await refused(404, () => getTeam(member, secret.slug));
    assert.ok(!(await mine()).includes(secret.id));
  });
  for (const team of [secret, closed]) await removeTeam(team.slug, team.id);
}

async function inviting() {
  const team = await createTeam("inviting", { privacy: "closed" });
  const list = async () => logins((await owner.teams.listMembersInOrg({ org, team_slug: team.slug })).data);
  await check("an outsider becomes pending", async () => {
    const { status, data } = await put(owner, team.slug, outsider, "maintainer");
    assert.deepEqual([status, data.state, data.role], [200, "pending", "maintainer"]);
    assert.equal((await getMembership(owner, team.slug, outsider)).data.state, "pending");
    assert.equal((await put(owner, team.slug, outsider)).data.role, "member");
    assert.ok(!(await list()).includes(outsider.toLowerCase()));
    assert.equal((await owner.orgs.getMembershipForUser({ org, username: outsider })).data.state, "pending");
  });
  await check("a pending membership is removed and the invitation cancelled", async () => {
    await owner.teams.removeMembershipForUserInOrg({ org, team_slug: team.slug, username: outsider });
    await refused(404, () => getMembership(owner, team.slug, outsider));
    assert.equal((await owner.orgs.removeMembershipForUser({ org, username: outsider })).status, 204);
    await refused(404, () => owner.orgs.getMembershipForUser({ org, username: outsider }));
  });
  await removeTeam(team.slug, team.id);
}

async function main() {
  const me = (await owner.users.getAuthenticated()).data;
  const parts = [startCalls, orgMembers, createAndRead, errors, nesting, renaming, fillAndEmpty, pages, privacy, inviting, auditLog];
  parts.push(...require("./octokit_grants.cjs"), ...require("./octokit_posts.cjs"), ...require("./octokit_invitations.cjs"),
    ...require("./octokit_notices.cjs"), ...require("./octokit_webhooks.cjs"));
  for (const part of parts) await part(me).catch((error) => fail(`${part.name} broke off`, error));
  for (const id of roots) await owner.request("DELETE /teams/{id}", { id }).catch(() => {});
  await check("responses differ from the published descriptions only where published_differences.txt says so",
    () => published.judge());
}

main()
  .catch((error) => fail("the first call", error))
  .finally(() => {
    console.log(`${counts.passed} passed, ${counts.failed} failed`);
    process.exitCode = counts.failed === 0 ? 0 : 1;
  });
