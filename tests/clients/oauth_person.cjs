// A person in a browser without JavaScript, who presses buttons; and applications that the operator registers.
//
// Reads GUILDHALL_PROGRAM, and GUILDHALL_WHERE (the arguments that say where the data is, one a line).
"use strict";
const assert = require("node:assert/strict");
const { execFileSync } = require("node:child_process");

const where = process.env.GUILDHALL_WHERE.split("\n");
const piped = { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] };
const guildhall = (...words) => execFileSync(process.env.GUILDHALL_PROGRAM, [...words, ...where], piped).trim();

// Registers an application; its client ID and secret.
function register(name, ...options) {
  const printed = guildhall("app", "create", "--name", name, ...options);
  const found = Object.fromEntries(printed.split("\n").map((line) => line.split("=")));
  return { clientId: found.client_id, clientSecret: found.client_secret };
}

class Person {
  // Signs in with a link of the operator.
  static async signedIn(login, origin) {
    const person = new Person(origin);
    await person.open(guildhall("user", "sign-in", login, "--public-url", origin));
    await person.press("Sign in");
    return person;
  }

  constructor(origin) {
    this.origin = origin;
    this.cookies = new Map();
    this.url = this.page = "";
  }

  // Opens a page. A redirect to another origin is not followed: `url` is where it leads, and there is no page.
  async open(url, form) {
    this.url = new URL(url, this.url || this.origin).href;
    this.page = "";
    if (new URL(this.url).origin !== this.origin) return;
    const cookie = [...this.cookies].map((pair) => pair.join("=")).join("; ");
    const headers = { cookie, accept: "text/html", "user-agent": "person", ...(form && { origin: this.origin }) };
    const answer = await fetch(this.url, { method: form ? "POST" : "GET", headers, body: form, redirect: "manual" });
    for (const line of answer.headers.getSetCookie()) this.cookies.set(...line.split(";")[0].split(/=(.*)/s, 2));
    if (answer.headers.has("location")) return this.open(answer.headers.get("location"));
    this.page = await answer.text();
  }

  // Presses the button with this text, in the form with the fields that are typed.
  async press(text, typed = {}) {
    for (const [, attributes, inside] of this.page.matchAll(/<form ([^>]*)>(.*?)<\/form>/gs)) {
      const buttons = [...inside.matchAll(/<button([^>]*)>(.*?)<\/button>/gs)];
      const button = buttons.find(([, , label]) => label.replace(/<[^>]*>/g, "").startsWith(text));
      if (!button) continue;
      const named = [...inside.matchAll(/<input[^>]*>/g), [button[1]]].map(([tag]) => [of(tag, "name"), of(tag, "value")]);
      const form = new URLSearchParams(named.filter(([name]) => name));
      for (const [name, value] of Object.entries(typed)) form.set(name, value);
      return this.open(of(attributes, "action") || this.url, form);
    }
    assert.fail(`no button ${text} at ${this.url}: ${this.page || "no page"}`);
  }

  // The parameters with which the browser was sent back to the application.
  back() {
    assert.notEqual(new URL(this.url).origin, this.origin, this.page);
    return Object.fromEntries(new URL(this.url).searchParams);
  }
}

const of = (tag, name) => tag.match(new RegExp(`\\b${name}="([^"]*)"`))?.[1] ?? "";

module.exports = { Person, guildhall, register };
