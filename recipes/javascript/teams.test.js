import { advance, connect, fail, reset } from "./guildhall.js";

const org = "acme";
const octokit = connect("olivia-token");

const slugs = async () => (await octokit.rest.teams.list({ org })).data.map((team) => team.slug);
const invited = async () => (await octokit.rest.orgs.listPendingInvitations({ org })).data.map(({ login }) => login);

beforeEach(reset);

test.each(["first", "second"])("each test begins with the seed: the %s", async () => {
  expect(await slugs()).toEqual(["core", "engineering", "security"]);
  await octokit.rest.teams.deleteInOrg({ org, team_slug: "core" });
  expect(await slugs()).toEqual(["engineering", "security"]);
});

test("a 502 is an error with its status, once", async () => {
  await fail({ operation: "teams.list", name: "bad_gateway", count: 1 });
  await expect(slugs()).rejects.toMatchObject({ status: 502 });
  expect(await slugs()).toEqual(["core", "engineering", "security"]);
});

test("an invitation expires after a week", async () => {
  await octokit.rest.orgs.setMembershipForUser({ org, username: "nina" });
  expect(await invited()).toEqual(["nina"]);
  await advance("8d");
  expect(await invited()).toEqual([]);
});
