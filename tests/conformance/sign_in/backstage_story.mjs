// The unmodified authenticator of Backstage's provider github signs max in, without the rest of Backstage.
//
// Reads CLIENT_FOLDER, where the provider is, and the variables of world.py and of oauth_person.cjs.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { run } from "../marks.mjs";
import oauth from "../../clients/oauth_person.cjs";

const require = createRequire(`${process.env.CLIENT_FOLDER}/`);
const { githubAuthenticator: authenticator } = require("@backstage/plugin-auth-backend-module-github-provider");
const { ConfigReader } = require("@backstage/config");
const origin = new URL(process.env.GUILDHALL_URL).origin;
const callbackUrl = "https://backstage.example.org/api/auth/github/handler/frame";
const scope = authenticator.scopes.required.join(" ");
const person = await oauth.Person.signedIn("max", origin);
const { clientId, clientSecret } = oauth.register("Backstage", "--trusted", "--redirect-uri", callbackUrl);
const config = new ConfigReader({ clientId, clientSecret, enterpriseInstanceUrl: origin });
const context = authenticator.initialize({ callbackUrl, config });
let session;

// Goes to where Backstage sends the browser, and answers there. Gives Backstage what the browser brings back.
async function answers(button) {
  const { url } = await authenticator.start({ scope, state: "a state", req: { query: {} } }, context);
  await person.open(url);
  if (person.page) await person.press(button);
  const query = person.back();
  assert.equal(query.state, "a state");
  return authenticator.authenticate({ req: { query } }, context);
}

async function denied() {
  await assert.rejects(() => answers("Do not allow"));
}

async function signIn() {
  const signedIn = await answers("Allow");
  assert.equal(signedIn.fullProfile.username, "max");
  ({ session } = signedIn);
  assert.deepEqual([session.tokenType, session.scope, session.expiresInSeconds], ["bearer", "read:user", undefined]);
}

async function refresh() {
  const asked = { refreshToken: session.refreshToken, scope, scopeAlreadyGranted: true, req: {} };
  assert.equal((await authenticator.refresh(asked, context)).fullProfile.username, "max");
  oauth.guildhall("app", "revoke", clientId);
  await assert.rejects(() => authenticator.refresh(asked, context), /Invalid access token/);
}

await run({ "deny Backstage": denied, "sign in to Backstage": signIn, "refresh a session of Backstage": refresh });
