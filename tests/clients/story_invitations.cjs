// Invitations: two kinds of them, to a login by a team and to an e-mail address, each accepted with and without JavaScript.
"use strict";
const assert = require("node:assert/strict");
const zlib = require("node:zlib");
const { signIn } = require("./story_codes.cjs");
const { account, call, check, link, mailFor, mailTo, mails, makeToken, receiver, stage, until } = require("./story_stage.cjs");
const { accessible, asked, pressOn, typeInto, visit } = require("./story_visits.cjs");

const invitation = async (address) => link(await mailFor(address), "invitations");
const inviteAddress = (email, more = {}) => call("POST", "/orgs/acme/invitations", { body: { email, ...more }, status: 201 });

async function begin() {
  await account("olivia");
  await call("POST", "/admin/organizations", { as: "admin", body: { login: "acme", admin: "olivia" }, status: 201 });
  await call("PATCH", "/orgs/acme", { body: { name: "Acmé & Söhne" }, status: 200 });
  const config = { url: await receiver(), content_type: "json" };
  await call("POST", "/orgs/acme/hooks", { body: { name: "web", config, events: ["*"] }, status: 201 });
  const team = await call("POST", "/orgs/acme/teams", { body: { name: "Core", privacy: "closed" }, status: 201 });
  for (const [login, role] of [["nina", "maintainer"], ["paul", "member"]]) {
    await account(login);
    await call("PUT", `/orgs/acme/teams/core/memberships/${login}`, { body: { role }, status: 200 });
  }
  for (const email of ["zoe@example.org", "yara@example.org"]) await inviteAddress(email, { team_ids: [team.id] });
}

async function arrived() {
  const invited = ["nina@example.com", "paul@example.com", "zoe@example.org", "yara@example.org"];
  const all = await until("the mails", () => {
    const found = mails();
    return invited.every((address) => found.some(mailTo(address))) && found;
  });
  for (const mail of all) {
    assert.deepEqual(mail.defects, []);
    assert.equal(mail.headers.from, "Acme Teams <teams@example.com>");
    assert.equal(mail.headers["auto-submitted"], "auto-generated");
    assert.match(mail.headers["message-id"], /^<[\w.]+@localhost>$/);
  }
  const subject = "olivia invited you to join Acmé & Söhne";
  const told = all.filter((mail) => mail.headers.subject === subject).map((mail) => mail.headers.to);
  assert.deepEqual(told.sort(), ["nina <nina@example.com>", "paul <paul@example.com>", "yara@example.org", "zoe@example.org"]);
}

// Files are sent as they are. A proxy that compresses may stand before the server.
async function small(page, address) {
  const html = await (await fetch(address)).text();
  const styles = await page.$$eval("link[rel=stylesheet]", (links) => links.map((one) => one.href));
  assert.equal(styles.length, 1);
  const css = await (await fetch(styles[0])).text();
  const size = (text) => zlib.gzipSync(text).length;
  assert.ok(html.length < 60_000 && size(html) < 12_000, `the HTML has ${html.length} bytes, ${size(html)} compressed`);
  assert.ok(css.length < 16_384, `the style sheet has ${css.length} bytes`);
}

async function ninaJoins() {
  const address = await invitation("nina@example.com");
  const page = await visit(address);
  await accessible(page, "invitation");
  await small(page, address);
  await pressOn(page, "Sign in to accept");
  await page.waitForSelector("#email");
  await signIn(page, "nina@example.com");
  await page.waitForSelector("text=Accept and join");
  assert.equal(page.url(), address);
  await accessible(page, "invitation-signed-in");
  await pressOn(page, "Accept and join");
  await page.waitForSelector("text=You joined acme");
  await accessible(page, "joined");
  await page.goto(address);
  assert.match(await page.textContent("h1"), /does not work any more/);
  await accessible(page, "ended");
}

async function paulJoins() {
  const page = await visit(await invitation("paul@example.com"), { script: false });
  await page.click("text=Sign in to accept");
  await signIn(page, "paul@example.com");
  await page.click("text=Accept and join");
  assert.match(await page.textContent("[role=status]"), /You joined acme/);
}

async function zoeJoins() {
  const page = await visit(await invitation("zoe@example.org"), { script: false });
  await page.fill("#login", "nina");
  await page.fill("#name", "Zoë");
  await page.click("text=Accept and join");
  assert.match(await page.textContent("[role=alert]"), /in use or was used before/);
  assert.equal(await page.inputValue("#name"), "Zoë");
  await page.fill("#login", "zoe");
  await page.click("text=Accept and join");
  await isNew(page, ["zoe", "Zoë", "zoe@example.org"]);
}

async function yaraJoins() {
  const page = await visit(await invitation("yara@example.org"));
  await typeInto(page, "Login", "yara");
  await typeInto(page, "Name (optional)", "Yara Ymir");
  await pressOn(page, "Accept and join");
  await page.waitForSelector("text=What you can do now");
  await accessible(page, "welcome");
  await isNew(page, ["yara", "Yara Ymir", "yara@example.org"]);
}

// The page is that of a new account, which is who it should be, and it is signed in.
async function isNew(page, who) {
  const [login, name, email] = who;
  assert.equal(await page.textContent("h1"), `Hello, ${name}`);
  assert.match(await page.textContent("[role=status]"), /You joined acme/);
  assert.ok((await page.textContent("main")).includes(email));
  assert.equal(await page.textContent("summary bdi"), login);
  await page.goto(`${stage.base}/ui/settings`);
  assert.equal(await page.textContent("h1"), "Settings");
  makeToken(login);
  const me = await call("GET", "/user", { as: login, status: 200 });
  assert.deepEqual([me.login, me.name, me.email], who);
}

async function yvesDeclines() {
  await inviteAddress("yves@example.org");
  const page = await visit(await invitation("yves@example.org"));
  await accessible(page, "new-account");
  await page.fill("#login", "-");
  await page.click("text=Accept and join");
  await page.waitForSelector("[role=alert]");
  await accessible(page, "wrong-login");
  await pressOn(page, "Decline");
  await page.waitForSelector("text=You declined the invitation");
  await accessible(page, "declined");
  const failed = await call("GET", "/orgs/acme/failed_invitations", { status: 200 });
  assert.deepEqual(failed.map((one) => one.email), ["yves@example.org"]);
}

async function quentinAloneAccepts() {
  await account("quentin");
  const { id } = await call("GET", "/user", { as: "quentin", status: 200 });
  await inviteAddress("elsewhere@example.org", { invitee_id: id });
  const address = await invitation("elsewhere@example.org");
  const page = await visit(address);
  await page.click("text=Sign in to accept");
  await signIn(page, "nina@example.com");
  await page.waitForSelector("text=Only quentin can accept this invitation");
  assert.equal(await page.$("text=Accept and join"), null);
  await accessible(page, "another-account");
  await pressOn(page, "Use another account");
  await page.waitForSelector("#email");
  assert.equal(new URL(page.url()).searchParams.get("return_to"), new URL(address).pathname);
}

async function formOfAnotherBrowser() {
  await inviteAddress("rita@example.org");
  const address = await invitation("rita@example.org");
  const page = await visit(address);
  await page.fill("#login", "rita");
  await page.context().clearCookies();
  const answered = page.waitForResponse((response) => response.request().method() === "POST");
  await page.click("text=Accept and join");
  assert.equal((await answered).status(), 403);
  assert.equal(await page.textContent("h1"), "This form cannot be used");
  await accessible(page, "form-refused");
  await page.goto(address);
  assert.equal(await page.textContent("h1"), "Join Acmé & Söhne");
}

async function timesAreExact() {
  const page = await visit(await invitation("rita@example.org"));
  const [open] = await call("GET", "/orgs/acme/invitations", { status: 200 }).then((all) =>
    all.filter((one) => one.email === "rita@example.org"));
  const ends = new Date(new Date(open.created_at).getTime() + 7 * 86_400_000).toISOString().replace(".000Z", "Z");
  const time = await page.locator("main time").evaluate(({ dateTime, title, textContent }) => [dateTime, title, textContent]);
  assert.deepEqual(time.slice(0, 2), [ends, ends]);
  assert.match(time[2], /^\d+ [A-Z][a-z]+ 20\d\d$/);
}

module.exports = async () => {
  await begin();
  await check("mails of both kinds arrive at the mail server", arrived);
  await check("nina accepts by login, with JavaScript", ninaJoins);
  await check("paul accepts by login, without JavaScript", paulJoins);
  await check("zoe, who has no account, accepts without JavaScript", zoeJoins);
  await check("yara, who has no account, accepts with JavaScript, by keyboard alone", yaraJoins);
  await check("yves declines by keyboard, after an error in the form", yvesDeclines);
  await check("the invitation of quentin is for no other account", quentinAloneAccepts);
  await check("a form of another browser is refused, and nothing happens", formOfAnotherBrowser);
  await check("times are shown with the exact time", timesAreExact);
  await check("pages load nothing from elsewhere", async () => {
    assert.ok(asked.own > 20, `${asked.own} requests`);
    assert.deepEqual(asked.foreign, []);
  });
};
