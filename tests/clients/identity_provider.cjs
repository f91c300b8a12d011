// A certified identity provider (the package oidc-provider, with the forms that it has for development), where anyone signs in
// with any name.
"use strict";
const crypto = require("node:crypto");
const fs = require("node:fs");
const http = require("node:http");
const { pathToFileURL } = require("node:url");

const key = (type, options, rest) => ({ ...crypto.generateKeyPairSync(type, options).privateKey.export({ format: "jwk" }), ...rest });

function configuration(base, client) {
  const claims = (id) => ({
    sub: id, name: `${id} at the provider`, preferred_username: `${id}@id.example`, email: `${id}@id.example`,
    email_verified: true,
  });
  return {
    clients: [{ ...client, redirect_uris: [`${base}/login/provider/callback`], response_types: ["code"], grant_types: ["authorization_code"] }],
    claims: { openid: ["sub"], profile: ["name", "preferred_username"], email: ["email", "email_verified"] },
    findAccount: (_, id) => ({ accountId: id, claims: () => claims(id) }),
    pkce: { methods: ["S256"], required: () => true },
    jwks: { keys: [key("rsa", { modulusLength: 2048 }, { kid: "rsa", use: "sig" }), key("ec", { namedCurve: "P-256" }, { kid: "ec", use: "sig" })] },
    cookies: { keys: [crypto.randomUUID()] },
  };
}

// Starts a provider for the site at this address, and writes the secret of the site to a file. Its issuer.
async function identityProvider(base, file) {
  const { default: Provider } = await import(pathToFileURL(require.resolve("oidc-provider")));
  const client = { client_id: "guildhall", client_secret: crypto.randomUUID() };
  fs.writeFileSync(file, `${client.client_secret}\n`, { mode: 0o600 });
  const server = http.createServer();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  server.unref();
  const issuer = `http://127.0.0.1:${server.address().port}`;
  const provider = new Provider(issuer, configuration(base, client));
  server.on("request", provider.callback());
  return issuer;
}

module.exports = { identityProvider };
