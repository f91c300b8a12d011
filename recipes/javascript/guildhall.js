// What a test asks of the server besides the API: its control endpoints.
import { Octokit } from "@octokit/rest";

const send = async (method, name, body) => {
  const response = await fetch(`${process.env.GUILDHALL_URL}/_guildhall/${name}`, {
    method,
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${name}: ${response.status} ${await response.text()}`);
};

export const connect = (token) => new Octokit({ baseUrl: process.env.GUILDHALL_URL, auth: token });
export const reset = () => send("POST", "reset", {});
export const advance = (duration) => send("POST", "clock", { advance: duration });
export const fail = (fault) => send("PUT", "faults", { faults: [fault] });
