// Codes and links that sign in, as their e-mails have them.
"use strict";
const { mailTo, mails, until } = require("./story_stage.cjs");

const SUBJECT = "Sign in to Guildhall";
const read = {};

// The e-mail that signs in after an address was entered once more.
async function newest(address) {
  read[address] = (read[address] ?? 0) + 1;
  const sent = () => mails().filter((mail) => mailTo(address)(mail) && mail.headers.subject === SUBJECT);
  const found = await until(`${read[address]} codes`, () => sent().length >= read[address] && sent());
  const id = ({ headers }) => Number(headers["message-id"].match(/\d+/)[0]);
  return found.sort((a, b) => id(a) - id(b)).at(-1);
}

const code = (mail) => mail.text.match(/^\d{4} \d{4}$/m)[0];

// Signs in on the page that asks for an address.
async function signIn(page, address) {
  await page.fill("#email", address);
  await page.click("text=Send me a code");
  await page.fill("#code", code(await newest(address)));
  await page.click("main button >> nth=0");
}

module.exports = { code, newest, signIn };
