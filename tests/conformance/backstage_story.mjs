// Backstage's unmodified providers read a running server into a catalog, which must equal what REST says of the
// organization. Reads CLIENT_FOLDER and the variables of world.py.
import assert from "node:assert/strict";
import { EventEmitter, once } from "node:events";
import http from "node:http";
import { createRequire } from "node:module";
import { aside, run } from "./marks.mjs";

const load = createRequire(`${process.env.CLIENT_FOLDER}/`);
const { GithubEntityProvider, GithubMultiOrgEntityProvider, GithubOrgEntityProvider } = load(
  "@backstage/plugin-catalog-backend-module-github",
);
const { ConfigReader } = load("@backstage/config");
const { GUILDHALL_URL: base, GUILDHALL_ORG: org, GUILDHALL_TOKEN: token, GUILDHALL_ADMIN_TOKEN: admin } = process.env;
const { host } = new URL(base);
const config = new ConfigReader({
  integrations: { github: [{ host, apiBaseUrl: base, token }] },
  catalog: { providers: { github: { [org]: { host, organization: org, catalogPath: "/catalog-info.yaml" } } } },
});
// Small pages, so that each list takes more than one.
const pageSizes = { teams: 2, teamMembers: 2, organizationMembers: 3 };
// The people of each team, by slug.
const people = { platform: ["olivia", "max", "eve"], runtime: ["olivia", "eve"], guild: ["olivia"] };
const hooks = new EventEmitter();

const rest = (method, path, body, as = token) => aside(async () => {
  const headers = { authorization: `token ${as}`, "user-agent": "story" };
  const answer = await fetch(`${base}${path}`, { method, headers, body: body && JSON.stringify(body) });
  assert.ok(answer.ok, `${method} ${path}: ${answer.status}`);
  return answer.status === 204 ? undefined : answer.json();
});

async function prepare() {
  const platform = { name: "Platform", privacy: "closed", description: "Runs what others build on", maintainers: ["max"] };
  const { id } = await rest("POST", `/orgs/${org}/teams`, platform);
  await rest("POST", `/orgs/${org}/teams`, { name: "Runtime", privacy: "closed", parent_team_id: id });
  await rest("POST", `/orgs/${org}/teams`, { name: "Guild", privacy: "secret" });
  await rest("PUT", `/orgs/${org}/teams/platform/memberships/eve`, { role: "member" });
  await rest("PUT", `/orgs/${org}/teams/runtime/memberships/eve`, { role: "maintainer" });
  await rest("POST", `/orgs/${org}/repos`, { name: "site", private: true });
  await rest("POST", `/orgs/${org}/repos`, { name: "tools" });
  await rest("PUT", `/repos/${org}/tools/topics`, { names: ["cli", "rust"] });
  await rest("PATCH", `/repos/${org}/tools`, { archived: true });
}

// A catalog that keeps what a provider last said, and a logger that keeps what went wrong.
function catalog() {
  const kept = { wrong: [], said: [] };
  kept.applyMutation = async (mutation) => Object.assign(kept, { mutation });
  const wrong = (text) => kept.wrong.push(text);
  const logger = { debug() {}, info: (text) => kept.said.push(text), warn: wrong, error: wrong, child: () => logger };
  return Object.assign(kept, { logger });
}

async function read(Provider, options) {
  const kept = catalog();
  const provider = Provider.fromConfig(config, { id: "guildhall", logger: kept.logger, schedule: "manual", ...options });
  await provider.connect(kept);
  await provider.read();
  assert.deepEqual(kept.wrong, []);
  assert.equal(kept.mutation.type, "full");
  return kept.mutation.entities.map(({ entity }) => entity);
}

const named = (entities, kind) => new Map(entities.filter((one) => one.kind === kind).map((one) => [one.metadata.name, one]));

// Users are the members of the organization but one, with what REST says of each, and their teams.
async function equalUsers(entities, teamName, without) {
  const found = named(entities, "User");
  const members = (await rest("GET", `/orgs/${org}/members`)).filter(({ login }) => login !== without);
  assert.deepEqual([...found.keys()].sort(), members.map(({ login }) => login).sort());
  for (const { login, node_id, avatar_url } of members) {
    const { metadata, spec } = found.get(login);
    const teams = Object.keys(people).filter((slug) => people[slug].includes(login));
    assert.equal(metadata.annotations["github.com/user-id"], node_id);
    assert.equal(spec.profile.picture, avatar_url);
    assert.deepEqual(spec.memberOf.sort(), teams.map(teamName).sort());
  }
}

// Groups are the teams, with their tree and their direct members.
async function equalGroups(entities) {
  const found = named(entities, "Group");
  const teams = await rest("GET", `/orgs/${org}/teams`);
  assert.deepEqual([...found.keys()].sort(), Object.keys(people).sort());
  for (const { slug, name, description, parent } of teams) {
    const { metadata, spec } = found.get(slug);
    const children = teams.filter((team) => team.parent?.slug === slug).map((team) => team.slug);
    const members = spec.members.map((member) => member.replace(/^.*\//, ""));
    assert.deepEqual([spec.profile.displayName, metadata.description ?? null, spec.parent ?? null], [name, description, parent?.slug ?? null]);
    assert.deepEqual([spec.children, members.sort()], [children, people[slug].toSorted()]);
  }
}

async function organization() {
  const entities = await read(GithubOrgEntityProvider, { orgUrl: `https://${host}/${org}` });
  await equalUsers(entities, (slug) => slug);
  await equalGroups(entities);
}

async function organizations() {
  const entities = await read(GithubMultiOrgEntityProvider, { githubUrl: `https://${host}`, orgs: [org], pageSizes });
  await equalUsers(entities, (slug) => `${org}/${slug}`);
  await equalGroups(entities);
}

// A suspended person is still a member.
async function suspended() {
  const options = { orgUrl: `https://${host}/${org}`, excludeSuspendedUsers: true };
  await equalUsers(await read(GithubOrgEntityProvider, options), (slug) => slug);
  await rest("PUT", "/users/eve/suspended", {}, admin);
  await equalUsers(await read(GithubOrgEntityProvider, options), (slug) => slug, "eve");
  await rest("DELETE", "/users/eve/suspended", undefined, admin);
}

// It keeps a repository only if it has a branch, which none has here.
async function repositories() {
  const kept = catalog();
  const schedule = { run: ({ fn }) => fn() };
  const [provider] = GithubEntityProvider.fromConfig(config, { logger: kept.logger, schedule });
  await provider.connect(kept);
  assert.deepEqual(kept.wrong, []);
  assert.deepEqual([kept.mutation, kept.said], [{ type: "full", entities: [] }, ["Read 2 GitHub repositories (0 matching the pattern)"]]);
  const found = (await provider.findCatalogFiles()).map((repo) => [repo.name, repo.url, repo.isArchived, repo.visibility, repo.repositoryTopics.sort()]);
  const wanted = (await rest("GET", `/orgs/${org}/repos`)).map((repo) => [repo.name, repo.html_url, repo.archived, repo.visibility.toUpperCase(), repo.topics]);
  assert.deepEqual(found.sort(), wanted.sort());
}

// What a webhook tells changes the catalog without reading everything.
async function events() {
  const receiver = http.createServer(async (request, response) => {
    const event = request.headers["x-github-event"];
    hooks.emit(event, { topic: `github.${event}`, eventPayload: JSON.parse((await request.toArray()).join("")) });
    response.end();
  });
  await once(receiver.listen(0, "127.0.0.1"), "listening");
  const url = `http://127.0.0.1:${receiver.address().port}`;
  await rest("POST", `/orgs/${org}/hooks`, { name: "web", events: ["membership", "team"], config: { url, content_type: "json" } });
  const kept = catalog();
  let tell;
  const options = { id: "guildhall", logger: kept.logger, schedule: "manual", orgUrl: `https://${host}/${org}` };
  const provider = GithubOrgEntityProvider.fromConfig(config, { ...options, events: { subscribe: async ({ onEvent }) => (tell = onEvent) } });
  await provider.connect(kept);
  try {
    await joins(kept, (told) => tell(told));
    await renames(kept, (told) => tell(told));
  } finally {
    receiver.close();
  }
}

async function joins(kept, tell) {
  const [[told]] = await Promise.all([once(hooks, "membership"), rest("PUT", `/orgs/${org}/teams/guild/memberships/zoe`, {})]);
  await tell(told);
  const entities = kept.mutation.added.map(({ entity }) => entity);
  assert.deepEqual([kept.mutation.type, kept.mutation.removed], ["delta", []]);
  assert.deepEqual(named(entities, "Group").get("guild").spec.members.toSorted(), ["olivia", "zoe"]);
  assert.deepEqual(named(entities, "User").get("zoe").spec.memberOf, ["guild"]);
}

async function renames(kept, tell) {
  const [[told]] = await Promise.all([once(hooks, "team"), rest("PATCH", `/orgs/${org}/teams/guild`, { name: "Makers" })]);
  await tell(told);
  const { added, removed } = kept.mutation;
  assert.deepEqual(removed.map(({ entity }) => entity.metadata.name), ["guild"]);
  assert.deepEqual(named(added.map(({ entity }) => entity), "Group").get("makers").spec.members.toSorted(), ["olivia", "zoe"]);
}

await prepare();
await run({
  "catalog of an organization": organization,
  "catalog of organizations": organizations,
  "catalog with excludeSuspendedUsers": suspended,
  "catalog of repositories": repositories,
  "catalog by webhooks": events,
});
