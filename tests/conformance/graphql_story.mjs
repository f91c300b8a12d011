// An unmodified @octokit/graphql asks a running server. Each part is one field of the schema. Reads CLIENT_FOLDER and the
// variables of world.py.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { run } from "./marks.mjs";

const { graphql } = await import(createRequire(`${process.env.CLIENT_FOLDER}/`).resolve("@octokit/graphql"));
const { GUILDHALL_URL: base, GUILDHALL_ORG: org, GUILDHALL_TOKEN: token, GUILDHALL_MEMBER_TOKEN } = process.env;

// The library turns /api/v3 into /api/graphql by itself.
const connect = (secret) => graphql.defaults({ baseUrl: base, headers: { authorization: `token ${secret}` } });
const ask = connect(token);
const member = connect(GUILDHALL_MEMBER_TOKEN);

async function rest(method, path, body) {
  const headers = { authorization: `token ${token}`, "user-agent": "story" };
  const answer = await fetch(`${base}${path}`, { method, headers, body: body && JSON.stringify(body) });
  assert.ok(answer.ok, `${method} ${path}: ${answer.status}`);
  return answer.status === 204 ? undefined : answer.json();
}

const ofTeam = (fields) => ask(`query($org: String!) { organization(login: $org) { team(slug: "child") { ${fields} } } }`, { org })
  .then((found) => found.organization.team);

async function prepare() {
  const parent = await rest("POST", `/orgs/${org}/teams`, { name: "Parent", privacy: "closed" });
  await rest("POST", `/orgs/${org}/teams`, { name: "Child", privacy: "closed", parent_team_id: parent.id });
  await rest("POST", `/orgs/${org}/teams`, { name: "Secret" });
  await rest("PUT", `/orgs/${org}/teams/child/memberships/max`, { role: "maintainer" });
  await rest("POST", `/orgs/${org}/repos`, { name: "site", private: true });
  await rest("PUT", `/orgs/${org}/teams/parent/repos/${org}/site`, { permission: "push" });
}

async function viewer() {
  assert.equal((await ask("{ viewer { login organizations(first: 5) { nodes { login } } } }")).viewer.login, "olivia");
}

async function user() {
  const found = await ask('{ user(login: "max") { login organizations(first: 5) { totalCount nodes { login } } } }');
  assert.deepEqual(found.user, { login: "max", organizations: { totalCount: 1, nodes: [{ login: org }] } });
}

async function membersWithRole() {
  const query = "query($org: String!) { organization(login: $org) { membersWithRole(first: 10) { edges { role node { login } } } } }";
  const { edges } = (await ask(query, { org })).organization.membersWithRole;
  assert.deepEqual(edges.find(({ node }) => node.login === "olivia").role, "ADMIN");
}

async function teams() {
  const query = `query($org: String!, $after: String) { organization(login: $org) {
    teams(first: 2, after: $after, orderBy: { field: NAME, direction: ASC }) { nodes { slug } pageInfo { endCursor hasNextPage } } } }`;
  const slugs = [];
  for (let after = null, more = true; more;) {
    const { nodes, pageInfo } = (await ask(query, { org, after })).organization.teams;
    slugs.push(...nodes.map(({ slug }) => slug));
    [after, more] = [pageInfo.endCursor, pageInfo.hasNextPage];
  }
  assert.deepEqual(slugs, ["child", "parent", "secret"]);
}

async function team() {
  const found = await ofTeam("slug parentTeam { slug } ancestors(first: 5) { nodes { slug } } privacy");
  assert.deepEqual(found, { slug: "child", parentTeam: { slug: "parent" }, ancestors: { nodes: [{ slug: "parent" }] }, privacy: "VISIBLE" });
}

async function teamMembers() {
  const { members } = await ofTeam("members(membership: IMMEDIATE, first: 10) { edges { role node { login } } }");
  assert.deepEqual(members.edges.find(({ node }) => node.login === "max").role, "MAINTAINER");
}

async function teamRepositories() {
  const { repositories } = await ofTeam("repositories(first: 10) { edges { permission node { name } } }");
  assert.deepEqual(repositories.edges, [{ permission: "WRITE", node: { name: "site" } }]);
}

async function repository() {
  const found = await ask("query($org: String!) { repository(owner: $org, name: \"site\") { name isPrivate isArchived } }", { org });
  assert.deepEqual(found.repository, { name: "site", isPrivate: true, isArchived: false });
}

async function node() {
  const { id } = await ofTeam("id");
  assert.equal((await ask("query($id: ID!) { node(id: $id) { ... on Team { slug } } }", { id })).node.slug, "child");
}

async function discussions() {
  const { id } = await ofTeam("id");
  const create = `mutation($id: ID!) { createTeamDiscussion(input: { teamId: $id, title: "Hello", body: "All" }) {
    teamDiscussion { title } } }`;
  assert.equal((await ask(create, { id })).createTeamDiscussion.teamDiscussion.title, "Hello");
  const found = await ofTeam("discussions(first: 5) { nodes { title number } }");
  assert.deepEqual(found.discussions.nodes, [{ title: "Hello", number: 1 }]);
}

async function createRepository() {
  const create = `mutation { createRepository(input: { name: "mine", visibility: PRIVATE }) { repository { nameWithOwner } } }`;
  assert.equal((await ask(create)).createRepository.repository.nameWithOwner, "olivia/mine");
}

const refused = (type, asked) => assert.rejects(asked, ({ errors: [error] }) => error.type === type);
const post = `mutation($id: ID!, $title: String!) { createTeamDiscussion(input: { teamId: $id, title: $title, body: "All" }) {
  clientMutationId } }`;

async function errors() {
  await assert.rejects(connect("wrong")("{ viewer { login } }"), { status: 401 });
  await refused("NOT_FOUND", ask('{ organization(login: "nowhere-at-all") { login } }'));
  const { repository } = await ask("query($org: String!) { repository(owner: $org, name: \"site\") { id } }", { org });
  const archive = "mutation($id: ID!) { archiveRepository(input: { repositoryId: $id }) { clientMutationId } }";
  await refused("FORBIDDEN", member(archive, repository));
  await refused("UNPROCESSABLE", member(post, { ...(await ofTeam("id")), title: " " }));
  const hidden = await member("query($org: String!) { organization(login: $org) { team(slug: \"secret\") { slug } } }", { org });
  assert.equal(hidden.organization.team, null);
}

// Of a member who creates nothing else.
async function limits() {
  const fields = { ...(await ofTeam("id")), title: "Hello" };
  const error = await (async () => {
    for (let n = 0; n < 100; n += 1) await member(post, fields);
  })().catch((reason) => reason);
  assert.equal(error?.errors?.[0].type, "RATE_LIMITED");
  const seconds = Number(error.headers["retry-after"]);
  assert.ok(seconds > 0 && seconds <= 60, `Retry-After: ${seconds}`);
}

await prepare();
await run({
  "GraphQL viewer": viewer, "GraphQL user": user, "GraphQL membersWithRole": membersWithRole, "GraphQL teams": teams,
  "GraphQL team": team, "GraphQL team members": teamMembers, "GraphQL team repositories": teamRepositories,
  "GraphQL repository": repository, "GraphQL node": node, "GraphQL createTeamDiscussion": discussions,
  "GraphQL createRepository": createRepository, errors, "GraphQL limits": limits,
});
