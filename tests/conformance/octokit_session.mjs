// Who calls in the story of octokit.mjs, and what runs its parts.
import assert from "node:assert/strict";
import { createRequire } from "node:module";

const library = createRequire(`${process.env.CLIENT_FOLDER}/`).resolve(process.env.CLIENT_PACKAGE);
const module = await import(library);
const Octokit = module.Octokit ?? module.default.Octokit;
const { GUILDHALL_URL: baseUrl, GUILDHALL_ORG: org, GUILDHALL_TOKEN, GUILDHALL_MEMBER_TOKEN, GUILDHALL_OUTSIDER_TOKEN } = process.env;

// Libraries with the plugin "throttling" must be told what to do when a limit is reached. They say how long they would wait.
export const waits = [];
const throttle = {
  onRateLimit: () => false,
  onSecondaryRateLimit: (seconds) => {
    waits.push(seconds);
    return false;
  },
};
export const connect = (auth) => new Octokit({ baseUrl, auth, throttle });
export const owner = connect(GUILDHALL_TOKEN);
export const member = connect(GUILDHALL_MEMBER_TOKEN);
export const nina = connect(GUILDHALL_OUTSIDER_TOKEN);
export const rest = (octokit) => octokit.rest ?? octokit;
export const graphql = (query, variables) => owner.graphql(query, variables);
export const has = (method) => method !== undefined;
// All pages of a list, by the call that version 16 knows too.
export const all = (method, options) => owner.paginate(method.endpoint.merge(options));
export { org };

export async function failure(status, work) {
  try {
    await work();
  } catch (error) {
    assert.equal(error.status, status, error.message);
    return error;
  }
  return assert.fail(`accepted, expected ${status}`);
}

export async function refused(status, work) {
  const error = await failure(status, work);
  return error.response?.data ?? error;
}
