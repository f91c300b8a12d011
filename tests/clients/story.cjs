// A story from a clean data directory, on one stage: it is set up in a browser; people are invited by mail and answer in a
// browser, with and without JavaScript and by keyboard; memberships, webhooks and the audit log follow; posts reach the
// people they are for, and no others; and mails end by one click. Ends with "N passed, N failed".
"use strict";
const { check, stage, start, stop } = require("./story_stage.cjs");
const visits = require("./story_visits.cjs");

const PARTS = ["./story_setup.cjs", "./story_invitations.cjs", "./story_joined.cjs", "./story_posts.cjs", "./story_sign_in.cjs",
  "./story_provider.cjs", "./story_applications.cjs", "./story_leaving.cjs", "./story_approvals.cjs",
  "./story_lead.cjs", "./story_rooms.cjs", "./story_operator.cjs", "./story_looks.cjs"];

async function main() {
  let ready = false;
  await check("the story can begin", async () => {
    await start();
    await visits.open();
    ready = true;
  });
  for (const part of ready ? PARTS : []) await check(`${part} has an end`, () => require(part)());
  await visits.close();
  stop();
  console.log(`${stage.passed} passed, ${stage.failed} failed`);
  process.exit(stage.failed ? 1 : 0);
}

main();
