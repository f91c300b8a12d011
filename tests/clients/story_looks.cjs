// How the documentation and mails look: each page and kind of them, light and dark, on a phone and on a desk. Those of the story, and samples of the others.
"use strict";
const assert = require("node:assert/strict");
const { check, mails, samples, stage } = require("./story_stage.cjs");
const { accessible, visit } = require("./story_visits.cjs");

// A mail is a part of the page of a mail program, which has the landmarks. Its links stand in lines of text.
const OF_WHOLE_PAGES = ["landmark-one-main", "region", "target-size"];

// The newest mail of each kind, and where in a story of mails it is found.
const KINDS = {
  invitation: /invited you to join/, joined: /joined Acmé/, discussion: /\] Hello$/, comment: /^Re: /, wide: /\] Second$/,
  code: /^Sign in to Guildhall$/,
};

// The pages of the documentation.
const DOCUMENTATION = {
  contents: "/ui/docs", found: "/ui/docs?q=invitation", operation: "/ui/docs/teams.create", errors: "/ui/docs/errors",
  using: "/ui/docs/using",
};

async function looks(name, mail) {
  const page = await visit();
  await page.setContent(mail.html);
  await accessible(page, `mail-${name}`, OF_WHOLE_PAGES);
  await page.context().close();
}

module.exports = async () => {
  await check("the documentation looks well", async () => {
    const page = await visit();
    for (const [name, path] of Object.entries(DOCUMENTATION)) {
      await page.goto(stage.base + path);
      await accessible(page, `documentation-${name}`);
    }
    await page.context().close();
  });
  await check("an operation is found as one types, and its address leads to its page", async () => {
    const page = await visit();
    await page.goto(`${stage.base}/ui/docs`);
    await page.fill("#q", "create a team");
    await page.waitForURL(/q=create\+a\+team/);
    await page.click("#results a[href='docs/teams.create']");
    assert.equal(await page.textContent("h1"), "Create a team");
    await page.goto(`${stage.base}/ui/docs#teams.list`);
    await page.waitForURL(`${stage.base}/ui/docs/teams.list`);
    await page.context().close();
  });
  const told = mails();
  for (const [kind, subject] of Object.entries(KINDS)) {
    await check(`the mail "${kind}" looks well`, () => looks(kind, told.findLast((mail) => subject.test(mail.headers.subject))));
  }
  await check("samples of every kind of mail look well", async () => {
    const all = samples();
    assert.equal(all.length, 11);
    for (const mail of all) await looks(mail.headers.to.split(" <")[0].replaceAll(" ", "-"), mail);
  });
};
