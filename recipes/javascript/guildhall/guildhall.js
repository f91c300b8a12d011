#!/usr/bin/env node
"use strict";
// `npx guildhall`: runs the program, and passes on what tells it to stop.
const { spawn } = require("node:child_process");
const program = require("./program.js");

const child = spawn(program(), process.argv.slice(2), { stdio: "inherit" });
for (const signal of ["SIGHUP", "SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
child.on("error", (error) => {
  console.error(`guildhall cannot be run: ${error.message}`);
  process.exitCode = 1;
});
child.on("exit", (code) => {
  process.exitCode = code ?? 1;
});
