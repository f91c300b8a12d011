// Repositories and projects of teams, through octokit.
"use strict";
const assert = require("node:assert/strict");
const { org, outsider, memberLogin, owner, member, run, connect, check, refused, same, logins, isInBase, createTeam,
  removeTeam } = require("./octokit_session.cjs");

const record = { headers: { accept: "application/vnd.github.v3.repository+json" } };

async function repositories() {
  const parent = await createTeam("repo parent", { privacy: "closed", permission: "push" });
  const child = await createTeam("repo child", { parent_team_id: parent.id });
  const made = (await owner.repos.createInOrg({ org, name: run, private: true })).data;
  const at = (team_slug, more) => ({ org, team_slug, owner: org, repo: run, ...more });
  const level = async (team_slug) => (await owner.teams.checkPermissionsForRepoInOrg(at(team_slug, record))).data.role_name;
  await check("a repository is created whole, and what there is not is 404", async () => {
    assert.deepEqual([made.full_name, made.private, made.role_name, made.archived], [`${org}/${run}`, true, "admin", false]);
    for (const key of ["url", "teams_url", "forks_url"]) isInBase(made[key]);
    await refused(404, () => owner.teams.checkPermissionsForRepoInOrg(at(parent.slug)));
    await refused(404, () => owner.teams.addOrUpdateRepoPermissionsInOrg(at(parent.slug, { repo: `${run}-not` })));
  });
  await check("a grant has the team's default level, and children inherit it", async () => {
    assert.equal((await owner.teams.addOrUpdateRepoPermissionsInOrg(at(parent.slug))).status, 204);
    assert.equal((await owner.teams.checkPermissionsForRepoInOrg(at(child.slug))).status, 204);
    assert.deepEqual([await level(parent.slug), await level(child.slug)], ["write", "write"]);
    const { data } = await owner.teams.listReposInOrg({ org, team_slug: child.slug });
    assert.deepEqual(data.map((r) => [r.id, r.permissions.push, r.permissions.admin]), [[made.id, true, false]]);
  });
  await check("the higher of own and inherited holds", async () => {
    for (const [permission, shown] of [["pull", "write"], ["maintain", "maintain"], ["admin", "admin"]]) {
      await owner.teams.addOrUpdateRepoPermissionsInOrg(at(child.slug, { permission }));
      assert.equal(await level(child.slug), shown, permission);
    }
    assert.equal(await level(parent.slug), "write");
  });
  await check("levels and keys that there are not are refused", async () => {
    const body = await refused(422, () => owner.teams.addOrUpdateRepoPermissionsInOrg(at(child.slug, { permission: "write" })));
    assert.deepEqual([body.message, body.errors], ["Validation Failed", undefined]);
    const extra = await refused(422, () => owner.teams.addOrUpdateRepoPermissionsInOrg(at(child.slug, { name: "x" })));
    assert.equal(extra.message, 'Invalid request.\n\n"name" is not a permitted key.');
    assert.equal(await level(child.slug), "admin");
  });
  await check("a plain member grants nothing and takes nothing away", async () => {
    await refused(403, () => member.teams.addOrUpdateRepoPermissionsInOrg(at(child.slug)));
    await refused(403, () => member.teams.removeRepoInOrg(at(child.slug)));
    assert.equal(await level(child.slug), "admin");
  });
  await check("removing an own grant leaves what is inherited", async () => {
    for (let turn = 0; turn < 2; turn += 1) assert.equal((await owner.teams.removeRepoInOrg(at(child.slug))).status, 204);
    assert.equal(await level(child.slug), "write");
    assert.equal((await owner.teams.removeRepoInOrg(at(parent.slug))).status, 204);
    await refused(404, () => owner.teams.checkPermissionsForRepoInOrg(at(child.slug)));
  });
  await check("a direct fork may be granted, though not with maintain", async () => {
    const fork = (await owner.repos.createFork({ owner: org, repo: run })).data;
    const its = at(child.slug, { owner: fork.owner.login, repo: fork.name });
    assert.deepEqual([fork.fork, fork.parent.id, fork.owner.type], [true, made.id, "User"]);
    assert.equal((await owner.teams.addOrUpdateRepoPermissionsInOrg({ ...its, permission: "push" })).status, 204);
    await refused(422, () => owner.teams.addOrUpdateRepoPermissionsInOrg({ ...its, permission: "maintain" }));
    await owner.repos.delete({ owner: its.owner, repo: its.repo });
  });
  await check("a repository of somebody's own is no direct fork", async () => {
    const own = (await owner.repos.createForAuthenticatedUser({ name: `${run}-own` })).data;
    const its = at(child.slug, { owner: own.owner.login, repo: own.name });
    const body = await refused(422, () => owner.teams.addOrUpdateRepoPermissionsInOrg(its));
    assert.equal(body.errors[0].code, "not_owned");
    await owner.repos.delete({ owner: its.owner, repo: its.repo });
  });
  assert.equal((await owner.repos.delete({ owner: org, repo: run })).status, 204);
  await removeTeam(parent.slug, parent.id);
}

async function projects() {
  const parent = await createTeam("project parent", { privacy: "closed", permission: "push" });
  const child = await createTeam("project child", { parent_team_id: parent.id });
  const project = (await owner.projects.createForOrg({ org, name: run, body: "plan" })).data;
  const at = (team_slug, more) => ({ org, team_slug, project_id: project.id, ...more });
  const level = async (team_slug) => (await owner.teams.checkPermissionsForProjectInOrg(at(team_slug))).data.permissions;
  await check("a project is created and known by its number", async () => {
    assert.deepEqual([project.name, project.state, project.private], [run, "open", true]);
    assert.equal((await owner.projects.get({ project_id: project.id })).data.id, project.id);
    await refused(404, () => level(parent.slug));
  });
  await check("a grant has the level that fits the team's default, and children inherit it", async () => {
    assert.equal((await owner.teams.addOrUpdateProjectPermissionsInOrg(at(parent.slug))).status, 204);
    assert.deepEqual(await level(child.slug), { read: true, write: true, admin: false });
    assert.deepEqual((await owner.teams.listProjectsInOrg({ org, team_slug: child.slug })).data.map((p) => p.id), [project.id]);
  });
  await check("the higher of own and inherited holds", async () => {
    await owner.teams.addOrUpdateProjectPermissionsInOrg(at(child.slug, { permission: "read" }));
    assert.equal((await level(child.slug)).write, true);
    await owner.teams.addOrUpdateProjectPermissionsInOrg(at(child.slug, { permission: "admin" }));
    assert.deepEqual([(await level(child.slug)).admin, (await level(parent.slug)).admin], [true, false]);
    await refused(422, () => owner.teams.addOrUpdateProjectPermissionsInOrg(at(child.slug, { permission: "push" })));
  });
  await check("a member who reads it may not grant it", async () => {
    await refused(403, () => member.teams.addOrUpdateProjectPermissionsInOrg(at(child.slug)));
    await owner.projects.update({ project_id: project.id, organization_permission: "none" });
    await refused(404, () => member.teams.checkPermissionsForProjectInOrg(at(child.slug)));
    assert.deepEqual((await member.teams.listProjectsInOrg({ org, team_slug: child.slug })).data, []);
  });
  await check("a grant that is taken away is gone, and the project stays", async () => {
    for (const slug of [child.slug, parent.slug]) {
      assert.equal((await owner.teams.removeProjectInOrg(at(slug))).status, 204);
    }
    await refused(404, () => level(child.slug));
    assert.equal((await owner.projects.delete({ project_id: project.id })).status, 204);
    await refused(404, () => owner.projects.get({ project_id: project.id }));
  });
  await removeTeam(parent.slug, parent.id);
}

async function peopleOfRepositories() {
  const repo = { owner: org, repo: `${run}-people` };
  await owner.repos.createInOrg({ org, name: repo.repo, private: true });
  const team = await createTeam("repo people", { privacy: "closed" });
  const invited = connect(process.env.GUILDHALL_OUTSIDER_TOKEN);
  const of = (username) => ({ ...repo, username });
  await check("a person is given a level, checked, listed and let go", async () => {
    await refused(404, () => invited.repos.get(repo));
    assert.equal((await owner.repos.addCollaborator({ ...of(outsider), permission: "push" })).status, 204);
    assert.equal((await owner.repos.checkCollaborator(of(outsider))).status, 204);
    assert.equal((await invited.repos.get(repo)).data.role_name, "write");
    const { data } = await owner.repos.getCollaboratorPermissionLevel(of(outsider));
    assert.deepEqual([data.permission, data.role_name, same(data.user.login, outsider)], ["write", "write", true]);
    const listed = await owner.paginate(owner.repos.listCollaborators, { ...repo, affiliation: "outside" });
    assert.deepEqual(logins(listed), [outsider.toLowerCase()]);
    assert.equal(listed[0].permissions.push, true);
    await refused(403, () => invited.repos.addCollaborator({ ...of(memberLogin), permission: "admin" }));
    assert.equal((await owner.repos.removeCollaborator(of(outsider))).status, 204);
    await refused(404, () => invited.repos.get(repo));
    await refused(404, () => owner.repos.checkCollaborator(of(outsider)));
  });
  await check("who has a level and is no member is an outside collaborator", async () => {
    await owner.repos.addCollaborator({ ...of(outsider), permission: "pull" });
    const list = async () => logins(await owner.paginate(owner.orgs.listOutsideCollaborators, { org }));
    assert.ok((await list()).includes(outsider.toLowerCase()));
    assert.equal((await owner.orgs.removeOutsideCollaborator({ org, username: outsider })).status, 204);
    assert.ok(!(await list()).includes(outsider.toLowerCase()));
    await refused(422, () => owner.orgs.removeOutsideCollaborator({ org, username: memberLogin }));
  });
  await check("a repository lists its teams with their level on it", async () => {
    await owner.teams.addOrUpdateRepoPermissionsInOrg({ org, team_slug: team.slug, ...repo, permission: "maintain" });
    const { data } = await owner.repos.listTeams(repo);
    assert.deepEqual(data.map((t) => [t.id, t.permission, t.permissions.maintain, t.permissions.admin]),
      [[team.id, "maintain", true, false]]);
    await refused(404, () => invited.repos.listTeams(repo));
  });
  await check("a search finds what is read, over several pages", async () => {
    await owner.repos.createInOrg({ org, name: `${repo.repo}-too`, description: "Second" });
    const q = `${repo.repo} org:${org} in:name`;
    const found = async (client) => (await client.paginate(client.search.repos, { q, sort: "updated", order: "asc", per_page: 1 }))
      .map((r) => r.name).sort();
    assert.deepEqual(await found(owner), [repo.repo, `${repo.repo}-too`]);
    assert.deepEqual(await found(invited), [`${repo.repo}-too`]);
    assert.equal((await owner.search.repos({ q: `${q} is:private` })).data.total_count, 1);
    for (const wrong of ["", "stars:>5", `repo:${org}/${run}-not`]) await refused(422, () => owner.search.repos({ q: wrong }));
    await owner.repos.delete({ owner: org, repo: `${repo.repo}-too` });
  });
  await owner.repos.delete(repo);
  await removeTeam(team.slug, team.id);
}

module.exports = [repositories, projects, peopleOfRepositories];
