// An unmodified Octokit works through the story of teams: @octokit/rest from 16 on, and octokit with its plugins.
//
// Reads CLIENT_FOLDER and CLIENT_PACKAGE, where the library is, and the variables of world.py. A part whose calls a version
// does not have is left out.
import assert from "node:assert/strict";
import { run } from "./marks.mjs";
import { all, connect, failure, graphql, has, member, nina, org, owner, refused, rest, waits } from "./octokit_session.mjs";

const { teams, repos, orgs, projects, reactions, users } = rest(owner);
const putMembership = teams.addOrUpdateMembershipForUserInOrg ?? teams.addOrUpdateMembershipInOrg;
const getMembership = teams.getMembershipForUserInOrg ?? teams.getMembershipInOrg;
const removeMembership = teams.removeMembershipForUserInOrg ?? teams.removeMembershipInOrg;
const putRepo = teams.addOrUpdateRepoPermissionsInOrg ?? teams.addOrUpdateRepoInOrg;
// Version 16 does not let null through.
const detaches = has(teams.addOrUpdateMembershipForUserInOrg);
const closed = (name, more) => teams.create({ org, name, privacy: "closed", ...more }).then(({ data }) => data);
const gone = (team_slug) => teams.deleteInOrg({ org, team_slug });
const slugs = (list) => list.map((team) => team.slug);
const logins = (people) => people.map((person) => person.login).sort();

async function start() {
  const me = (await users.getAuthenticated()).data;
  assert.equal(me.login, "olivia");
  assert.equal((await orgs.get({ org })).data.login, org);
  assert.equal((await users.getByUsername({ username: org })).data.type, "Organization");
  assert.deepEqual((await orgs.listForAuthenticatedUser()).data.map(({ login }) => login), [org]);
  assert.ok((await rest(owner).rateLimit.get()).data.rate.remaining > 0);
  assert.deepEqual(logins(await all(orgs.listMembers, { org })), ["eve", "max", "olivia", "zoe"]);
}

async function teamsPart() {
  await repos.createInOrg({ org, name: "site", private: true });
  const team = await closed("Core Team", { description: "first", maintainers: ["max"], repo_names: [`${org}/site`] });
  assert.deepEqual([team.slug, team.members_count, team.repos_count], ["core-team", 2, 1]);
  const team_slug = team.slug;
  assert.equal((await teams.updateInOrg({ org, team_slug, name: "Core Team", description: "second" })).data.description, "second");
  assert.equal((await teams.getByName({ org, team_slug })).data.description, "second");
  assert.deepEqual(slugs((await teams.list({ org })).data), [team_slug]);
  assert.deepEqual(slugs((await teams.listForAuthenticatedUser()).data), [team_slug]);
  assert.equal((await gone(team_slug)).status, 204);
  await refused(404, () => teams.getByName({ org, team_slug }));
}

async function nesting() {
  const parent = await closed("Parent");
  const child = await closed("Child", { parent_team_id: parent.id });
  assert.equal(child.parent.slug, "parent");
  assert.deepEqual(slugs((await teams.listChildInOrg({ org, team_slug: "parent" })).data), ["child"]);
  await refused(422, () => teams.create({ org, name: "Secret", privacy: "secret", parent_team_id: parent.id }));
  if (detaches) {
    const detached = await teams.updateInOrg({ org, team_slug: "child", name: "Child", parent_team_id: null });
    assert.equal(detached.data.parent, null);
    await teams.updateInOrg({ org, team_slug: "child", name: "Child", parent_team_id: parent.id });
  }
  await gone("parent");
  await refused(404, () => teams.getByName({ org, team_slug: "child" }));
}

async function renaming() {
  const { id } = await closed("Before");
  assert.equal((await teams.updateInOrg({ org, team_slug: "before", name: "After" })).data.slug, "after");
  assert.equal((await teams.getByName({ org, team_slug: "before" })).data.id, id);
  await refused(404, () => gone("before"));
  await gone("after");
}

async function privacy() {
  await teams.create({ org, name: "Hidden" });
  await closed("Open");
  const seen = rest(member).teams;
  assert.deepEqual(slugs((await seen.list({ org })).data), ["open"]);
  await refused(404, () => seen.getByName({ org, team_slug: "hidden" }));
  await teams.updateInOrg({ org, team_slug: "hidden", name: "Hidden", privacy: "closed" });
  assert.equal((await seen.getByName({ org, team_slug: "hidden" })).data.privacy, "closed");
  await gone("hidden");
  await gone("open");
}

async function memberships() {
  await closed("People");
  const at = { org, team_slug: "people", username: "max" };
  const put = (role) => putMembership({ ...at, role });
  assert.deepEqual([(await put("member")).data.role, (await put("maintainer")).data.role], ["member", "maintainer"]);
  assert.equal((await getMembership(at)).data.state, "active");
  assert.deepEqual(logins((await teams.listMembersInOrg({ ...at, role: "maintainer" })).data), ["max", "olivia"]);
  assert.equal((await removeMembership(at)).status, 204);
  await refused(404, () => getMembership(at));
  await gone("people");
}

async function invitations() {
  const team = await closed("Welcome");
  const at = { org, team_slug: team.slug, username: "nina" };
  assert.equal((await putMembership(at)).data.state, "pending");
  assert.deepEqual(logins((await teams.listPendingInvitationsInOrg(at)).data), ["nina"]);
  assert.deepEqual(logins((await orgs.listPendingInvitations({ org })).data), ["nina"]);
  const mine = rest(nina).orgs;
  await (mine.updateMembershipForAuthenticatedUser ?? mine.updateMembership)({ org, state: "active" });
  assert.equal((await getMembership(at)).data.state, "active");
  await (orgs.removeMembershipForUser ?? orgs.removeMembership)({ org, username: "nina" });
  await orgs.createInvitation({ org, email: "new@example.com", team_ids: [team.id] });
  assert.equal((await teams.listPendingInvitationsInOrg(at)).data[0].email, "new@example.com");
  await gone("welcome");
}

async function repositories() {
  const parent = await closed("Owners");
  await closed("Helpers", { parent_team_id: parent.id });
  await repos.createInOrg({ org, name: "engine", private: true });
  const at = (team_slug, more) => ({ org, team_slug, owner: org, repo: "engine", ...more });
  const check = teams.checkPermissionsForRepoInOrg ?? teams.checkManagesRepoInOrg;
  await refused(404, () => check(at("owners")));
  assert.equal((await putRepo(at("owners", { permission: "push" }))).status, 204);
  const headers = { accept: "application/vnd.github.v3.repository+json" };
  assert.equal((await check(at("helpers", { headers }))).data.role_name, "write");
  assert.deepEqual((await teams.listReposInOrg(at("helpers"))).data.map(({ name }) => name), ["engine"]);
  assert.deepEqual(slugs((await repos.listTeams({ owner: org, repo: "engine" })).data), ["owners", "helpers"]);
  assert.equal((await teams.removeRepoInOrg(at("owners"))).status, 204);
  await repos.delete({ owner: org, repo: "engine" });
  await gone("owners");
}

async function projectsPart() {
  const parent = await closed("Planners");
  await closed("Doers", { parent_team_id: parent.id });
  const project_id = (await projects.createForOrg({ org, name: "Plan" })).data.id;
  const at = (team_slug, more) => ({ org, team_slug, project_id, ...more });
  const put = teams.addOrUpdateProjectPermissionsInOrg ?? teams.addOrUpdateProjectInOrg;
  const check = teams.checkPermissionsForProjectInOrg ?? teams.reviewProjectInOrg;
  assert.equal((await put(at("planners", { permission: "write" }))).status, 204);
  assert.equal((await check(at("doers"))).data.permissions.write, true);
  assert.deepEqual((await teams.listProjectsInOrg(at("doers"))).data.map(({ name }) => name), ["Plan"]);
  assert.equal((await teams.removeProjectInOrg(at("planners"))).status, 204);
  await projects.delete({ project_id });
  await gone("planners");
}

async function discussions() {
  await closed("Board");
  const board = { org, team_slug: "board" };
  const post = (await teams.createDiscussionInOrg({ ...board, title: "Hello", body: "**All**", private: true })).data;
  assert.deepEqual([post.number, post.body_html, post.private], [1, "<p><strong>All</strong></p>", true]);
  const at = { ...board, discussion_number: 1, comment_number: 1 };
  assert.equal((await teams.updateDiscussionInOrg({ ...at, title: "Hi" })).data.title, "Hi");
  assert.equal((await teams.getDiscussionInOrg(at)).data.title, "Hi");
  assert.equal((await teams.listDiscussionsInOrg({ ...board, direction: "asc" })).data.length, 1);
  assert.equal((await teams.createDiscussionCommentInOrg({ ...at, body: "Welcome" })).data.number, 1);
  assert.equal((await teams.updateDiscussionCommentInOrg({ ...at, body: "Thanks" })).data.body, "Thanks");
  assert.equal((await teams.getDiscussionCommentInOrg(at)).data.body, "Thanks");
  assert.equal((await teams.listDiscussionCommentsInOrg(at)).data.length, 1);
  await reactions.createForTeamDiscussionInOrg({ ...at, content: "heart" });
  assert.deepEqual((await reactions.listForTeamDiscussionInOrg(at)).data.map(({ content }) => content), ["heart"]);
  await teams.deleteDiscussionCommentInOrg(at);
  await teams.deleteDiscussionInOrg(at);
  await refused(404, () => teams.getDiscussionInOrg(at));
  await gone("board");
}

async function pages() {
  const parent = await closed("Pages");
  for (let n = 1; n <= 5; n += 1) await closed(`Page ${n}`, { parent_team_id: parent.id });
  const listed = await all(teams.listChildInOrg, { org, team_slug: "pages", per_page: 2 });
  assert.deepEqual(slugs(listed), ["page-1", "page-2", "page-3", "page-4", "page-5"]);
  await gone("pages");
}

async function conditional() {
  await closed("Tagged");
  const get = (tag) => teams.getByName({ org, team_slug: "tagged", headers: tag && { "if-none-match": tag } });
  const { etag } = (await get()).headers;
  await refused(304, () => get(etag));
  await teams.updateInOrg({ org, team_slug: "tagged", name: "Tagged", description: "changed" });
  assert.equal((await get(etag)).data.description, "changed");
  await gone("tagged");
}

async function errors() {
  await closed("Taken");
  assert.equal((await refused(401, () => rest(connect("wrong")).users.getAuthenticated())).message, "Bad credentials");
  await refused(403, () => rest(member).teams.deleteInOrg({ org, team_slug: "taken" }));
  await refused(404, () => teams.getByName({ org, team_slug: "nowhere" }));
  const [problem] = (await refused(422, () => teams.create({ org, name: "taken" }))).errors;
  assert.equal(problem.message, "Name must be unique for this org");
  await repos.createForAuthenticatedUser({ name: "mine" });
  const foreign = { org, team_slug: "taken", owner: "olivia", repo: "mine" };
  assert.equal((await refused(422, () => putRepo(foreign))).errors[0].code, "not_owned");
  await gone("taken");
}

// Of a member who creates nothing else. Newer versions have no methods for discussions.
async function limits() {
  await closed("Busy");
  const board = "/orgs/{org}/teams/{team_slug}/discussions";
  const at = { org, team_slug: "busy", title: "Hello" };
  const { number } = (await member.request(`POST ${board}`, { ...at, body: "All" })).data;
  const error = await failure(403, async () => {
    for (let n = 0; n < 100; n += 1) await member.request(`PATCH ${board}/{number}`, { ...at, number });
  });
  assert.match(error.message, /secondary rate limit/);
  const seconds = Number((error.response?.headers ?? error.headers)["retry-after"]);
  assert.ok(seconds > 0 && seconds <= 60, `Retry-After: ${seconds}`);
  assert.deepEqual(waits, process.env.CLIENT_PACKAGE === "octokit" ? [seconds] : []);
  await gone("busy");
}

// Older and newer versions have no methods for groups.
async function groups() {
  await closed("Followers");
  const at = { org, team_slug: "followers", username: "max" };
  const [group] = (await owner.request("GET /orgs/{org}/team-sync/groups", { org })).data.groups;
  const link = (list) =>
    owner.request("PATCH /orgs/{org}/teams/{team_slug}/team-sync/group-mappings", { ...at, groups: list });
  assert.deepEqual((await link([group])).data.groups.map(({ group_name }) => group_name), ["Platform"]);
  const { message } = await refused(403, () => putMembership(at));
  assert.match(message, /managed by the organization's identity provider/);
  await link([]);
  assert.equal((await putMembership(at)).data.state, "active");
  await gone("followers");
}

async function graphqlPart() {
  await closed("Graph");
  const query = "query($org: String!) { organization(login: $org) { teams(first: 5) { nodes { slug } } } }";
  assert.deepEqual((await graphql(query, { org })).organization.teams.nodes, [{ slug: "graph" }]);
  await gone("graph");
}

await run({
  start, teams: teamsPart, nesting, renaming, privacy, memberships, invitations, repositories,
  ...(has(projects?.createForOrg) && { projects: projectsPart }),
  ...(has(teams.createDiscussionInOrg) && { discussions }),
  pages, conditional, errors, limits, groups, ...(has(owner.graphql) && { graphql: graphqlPart }),
});
