// The requests of a product, with only those headers that the product sends: `fetch` would add some of its own.
"use strict";
const assert = require("node:assert/strict");
const http = require("node:http");

// Sends a form, or nothing.
function send(method, url, headers, form) {
  const body = form && new URLSearchParams(form).toString();
  const typed = body && { "content-type": "application/x-www-form-urlencoded", "content-length": Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const request = http.request(url, { method, headers: { ...headers, ...typed } }, async (response) => {
      const text = Buffer.concat(await response.toArray()).toString();
      resolve({ status: response.statusCode, headers: response.headers, text });
    });
    request.on("error", reject).end(body);
  });
}

// The token in a response without `Accept`, which is a form.
function tokenIn({ status, headers, text }) {
  assert.equal(status, 200, text);
  assert.match(headers["content-type"], /^application\/x-www-form-urlencoded/);
  const found = Object.fromEntries(new URLSearchParams(text));
  if (found.error) throw new Error(found.error);
  assert.equal(found.token_type, "bearer");
  return found.access_token;
}

const bearer = (token, agent = "Go-http-client/1.1") => ({ authorization: `Bearer ${token}`, "user-agent": agent });

// Reads JSON, and follows a redirect.
async function read(url, headers) {
  const answer = await send("GET", url, headers);
  if (answer.status === 302) return read(new URL(answer.headers.location, url), headers);
  return { ...answer, data: answer.text ? JSON.parse(answer.text) : undefined };
}

// Reads a list over its pages. Dex also wants to find the last one in `Link`.
async function linked(url, headers) {
  const { status, data, headers: { link = "" } } = await read(url, headers);
  assert.equal(status, 200, url);
  const next = link.match(/<([^>]+)>; rel="next"/);
  if (!next) return data;
  assert.match(link, /<([^>]+)>; rel="last"/);
  return [...data, ...(await linked(next[1], headers))];
}

module.exports = { bearer, linked, read, send, tokenIn };
