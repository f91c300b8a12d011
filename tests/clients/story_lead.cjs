// A team lead who has never heard of a token: a mail, an account, the team, an invitation, a post, an answer in the inbox
// and by mail, and no more mail about it. With JavaScript on a desk, and without on a phone.
"use strict";
const assert = require("node:assert/strict");
const { call, check, link, mailFor, mailTo, mails, settled, stage, until } = require("./story_stage.cjs");
const { fits, visit } = require("./story_visits.cjs");

const heading = (page) => page.textContent("h1");

// Follows a link or presses a button of the page, which leads to another one.
async function go(page, what) {
  await page.locator("main").locator(what).first().click();
  await page.waitForLoadState("load");
  await fits(page, page.url());
}

// From the mail to the home page, with a new account.
async function joins(page, login) {
  await page.goto(link(await mailFor(`${login}@example.com`), "invitations"));
  await page.fill("#login", login);
  await go(page, "text=Accept and join");
  await page.waitForSelector("text=You joined acme");
}

async function invites(page, guest) {
  await go(page, "a[href$='/teams/core']");
  assert.match(await heading(page), /Core/);
  await page.click("summary:text('Add people')");
  await page.fill("[name=who]", guest);
  await go(page, "button[value=add]");
  await page.waitForSelector(`text=${guest}`);
  await mailFor(guest);
}

// A post, of which a preview was seen. Its address.
async function posts(page, title) {
  await go(page, "a:text('Write a post')");
  if (await page.locator("#title").count() === 0) await go(page, "a:text('Write')");
  await page.fill("#title", title);
  await page.fill("#body", "We meet on **Monday**.");
  await page.click("button:text('Preview')");
  await page.waitForSelector("#preview b, #preview strong");
  assert.equal(await page.inputValue("#title"), title);
  await go(page, "button:text-is('Post')");
  await page.waitForSelector(`h1:text('${title}')`);
  await page.waitForSelector(".prose strong");
  return new URL(page.url()).pathname;
}

// The number of a post in its address.
const number = (path) => path.match(/discussions\/(\d+)/)[1];

async function hears(page, login, title, path) {
  const answer = { body: "See you there." };
  await call("POST", `/orgs/acme/teams/core/discussions/${number(path)}/comments`, { body: answer, status: 201 });
  await settled();
  await page.goto(`${stage.base}/ui`);
  await page.click("nav a:has-text('Inbox')");
  await page.waitForSelector("h1:text('Inbox')");
  await go(page, `a:has-text("${title}")`);
  await page.waitForSelector("text=See you there.");
  const mail = await until("the answer by mail", () => mails().find(
    (one) => mailTo(`${login}@example.com`)(one) && one.headers.subject.endsWith(`Re: [Acmé & Söhne/Core] ${title}`)
      || mailTo(`${login}@example.com`)(one) && /^Re: /.test(one.headers.subject) && one.headers.subject.endsWith(title)));
  const address = mail.text.match(/http\S*\/discussions\/\S+/)[0];
  await page.goto(address);
  await page.waitForSelector("text=See you there.");
  await go(page, "button:text('Mute this post')");
  await page.waitForSelector("text=You get no notifications of this post");
}

// Signed out, the back button shows nothing of it.
async function leaves(page, path) {
  await page.click("header summary");
  await page.click("header button:text('Sign out')");
  await page.waitForSelector("text=You are signed out");
  await page.goBack();
  await page.reload();
  assert.equal(new URL(page.url()).pathname, "/login", path);
}

async function lead(login, options) {
  const page = await visit(undefined, options);
  await page.setViewportSize({ width: options.script ? 1280 : 360, height: 740 });
  const team = await call("GET", "/orgs/acme/teams/core", { status: 200 });
  await call("POST", "/orgs/acme/invitations", { body: { email: `${login}@example.com`, team_ids: [team.id] }, status: 201 });
  await joins(page, login);
  await call("PUT", `/orgs/acme/memberships/${login}`, { body: { role: "admin" }, status: 200 });
  await page.reload();
  await invites(page, `guest-of-${login}@example.com`);
  const path = await posts(page, `Plans of ${login}`);
  await hears(page, login, `Plans of ${login}`, path);
  await leaves(page, path);
}

module.exports = async () => {
  await check("a lead comes from a mail to an answer, with JavaScript on a desk", () => lead("lena", { script: true }));
  await check("a lead comes from a mail to an answer, without JavaScript on a phone", () => lead("lars", { script: false }));
};
