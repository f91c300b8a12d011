// Invitations to an organization and its teams, through octokit.
"use strict";
const assert = require("node:assert/strict");
const { org, outsider, owner, member, run, connect, check, refused, same, createTeam, removeTeam, getMembership } =
  require("./octokit_session.cjs");

async function invitations() {
  const invited = connect(process.env.GUILDHALL_OUTSIDER_TOKEN);
  const teams = [await createTeam("invites one", { privacy: "closed" }), await createTeam("invites two")];
  const team_ids = teams.map((team) => team.id);
  const list = async (team_slug) => (await owner.teams.listPendingInvitationsInOrg({ org, team_slug })).data;
  const invitee_id = (await invited.users.getAuthenticated()).data.id;
  await check("an address is invited to teams, listed and taken back", async () => {
    const { status, data } = await owner.orgs.createInvitation({ org, email: `${run}@example.com`, team_ids });
    assert.deepEqual([status, data.login, data.role, data.team_count], [201, null, "direct_member", 2]);
    for (const team of teams) assert.deepEqual((await list(team.slug)).map((i) => i.id), [data.id]);
    const where = { org, invitation_id: data.id };
    assert.deepEqual((await owner.orgs.listInvitationTeams(where)).data.map((team) => team.id), team_ids);
    assert.ok((await owner.orgs.listPendingInvitations({ org })).data.some((i) => i.id === data.id));
    assert.equal((await owner.orgs.cancelInvitation(where)).status, 204);
    assert.deepEqual(await list(teams[0].slug), []);
  });
  await check("only owners invite, and only whom there is", async () => {
    const body = await refused(403, () => member.orgs.createInvitation({ org, invitee_id }));
    assert.equal(body.message, "You must be an admin to create an invitation to an organization.");
    await refused(422, () => owner.orgs.createInvitation({ org, invitee_id: 2 ** 40 }));
    await refused(422, () => owner.orgs.createInvitation({ org, invitee_id, role: "billing_manager", team_ids }));
    await refused(422, () => owner.orgs.createInvitation({ org }));
  });
  await check("who accepts is active in all teams of the invitation at once", async () => {
    const { data } = await owner.orgs.createInvitation({ org, invitee_id, team_ids });
    assert.ok(same(data.login, outsider));
    assert.equal((await getMembership(owner, teams[1].slug, outsider)).data.state, "pending");
    await refused(404, () => invited.teams.getByName({ org, team_slug: teams[1].slug }));
    const mine = await invited.orgs.updateMembershipForAuthenticatedUser({ org, state: "active" });
    assert.deepEqual([mine.data.state, mine.data.role], ["active", "member"]);
    for (const team of teams) assert.equal((await getMembership(invited, team.slug, outsider)).data.state, "active");
    assert.deepEqual(await list(teams[0].slug), []);
  });
  await check("who is removed from the organization leaves its teams", async () => {
    assert.equal((await owner.orgs.removeMember({ org, username: outsider })).status, 204);
    for (const team of teams) await refused(404, () => getMembership(owner, team.slug, outsider));
  });
  for (const team of teams) await removeTeam(team.slug, team.id);
}

module.exports = [invitations];
