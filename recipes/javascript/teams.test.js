import { Octokit } from "@octokit/rest";
import { guildhall } from "guildhall";

const org = "acme";
const server = guildhall("../../samples/dev/seed.yaml");
let octokit;

beforeAll(() => {
  octokit = new Octokit({ baseUrl: server.url, auth: "olivia-token" });
});

const slugs = async () => (await octokit.rest.teams.list({ org })).data.map((team) => team.slug);
const invited = async () => (await octokit.rest.orgs.listPendingInvitations({ org })).data.map(({ login }) => login);

test.each(["first", "second"])("each test begins with the seed: the %s", async () => {
  expect(await slugs()).toEqual(["core", "engineering", "security"]);
  await octokit.rest.teams.deleteInOrg({ org, team_slug: "core" });
  expect(await slugs()).toEqual(["engineering", "security"]);
});

test("a 502 is an error with its status, once", async () => {
  await server.fail({ operation: "teams.list", name: "bad_gateway", count: 1 });
  await expect(slugs()).rejects.toMatchObject({ status: 502 });
  expect(await slugs()).toEqual(["core", "engineering", "security"]);
});

test("an invitation expires after a week", async () => {
  await octokit.rest.orgs.setMembershipForUser({ org, username: "nina" });
  expect(await invited()).toEqual(["nina"]);
  await server.advance("8d");
  expect(await invited()).toEqual([]);
});
