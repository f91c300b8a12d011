"use strict";
// A server for a test file, put back to its seed before each test. Test files have servers of their own, so they may run
// at the same time, in any number of workers.
const { spawn } = require("node:child_process");
const { once } = require("node:events");
const { createInterface } = require("node:readline");
const program = require("./program.js");

// What a test asks of the server besides the API: its control endpoints.
class Guildhall {
  #process;

  // Starts a server that begins with a file, unless GUILDHALL_URL names one that is running.
  async start(seed) {
    this.url = process.env.GUILDHALL_URL;
    if (this.url) return;
    const words = ["dev", "--listen", "127.0.0.1:0", ...(seed ? ["--seed", seed] : [])];
    this.#process = spawn(program(), words, { stdio: ["ignore", "pipe", "inherit"] });
    await once(this.#process, "spawn");
    for await (const line of createInterface({ input: this.#process.stdout })) {
      this.url = line.split(" ").at(-1);
      return;
    }
    throw new Error("guildhall dev has not started; its message is on standard error");
  }

  stop() {
    this.#process?.kill();
  }

  async reset() {
    await this.#send("POST", "reset", {});
  }

  async advance(duration) {
    await this.#send("POST", "clock", { advance: duration });
  }

  async fail(...faults) {
    await this.#send("PUT", "faults", { faults });
  }

  async requests() {
    return (await this.#send("GET", "requests")).requests;
  }

  async #send(method, name, body) {
    const response = await fetch(`${this.url}/_guildhall/${name}`, {
      method,
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${name}: ${response.status} ${await response.text()}`);
    return response.json();
  }
}

// The server of a test file. Its hooks are those of Jest, or of Vitest with `globals: true`; guildhall/vitest has them else.
exports.guildhall = (seed, { afterAll, beforeAll, beforeEach } = globalThis) => {
  const server = new Guildhall();
  beforeAll(() => server.start(seed));
  beforeEach(() => server.reset());
  afterAll(() => server.stop());
  return server;
};
