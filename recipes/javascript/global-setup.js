// One server for all test files, unless GUILDHALL_URL names one that is running. Vitest calls both functions.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const seed = fileURLToPath(new URL("../../samples/dev/seed.yaml", import.meta.url));

let server;

export async function setup() {
  if (process.env.GUILDHALL_URL) return;
  server = spawn("guildhall", ["dev", "--seed", seed, "--listen", "127.0.0.1:0"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  for await (const line of createInterface({ input: server.stdout })) {
    process.env.GUILDHALL_URL = line.split(" ").at(-1);
    return;
  }
  throw new Error("guildhall dev has not started; its message is on standard error");
}

export function teardown() {
  server?.kill();
}
